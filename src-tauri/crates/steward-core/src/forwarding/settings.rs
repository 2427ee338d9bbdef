//! Log server in the audit trail, compared with the log server in effect.

use std::path::Path;

use steward_journal::trail::{Event, ForwardedTo};
use steward_journal::{Journal, StandingEvent};

use crate::actions::record;
use crate::files;
use crate::history::record::History;
use crate::settings::preferences::{LogServer, PreferencesStore, ProgramConnection};

/// Largest certificate file that is hashed, in bytes.
const LARGEST: u64 = 1024 * 1024;

/// Adds an event with the log server in effect, unless the last such event has the same. `found_at_start` is whether the
/// policy, or something outside of the app, changed it.
pub(super) async fn tell(history: &History, store: &PreferencesStore, found_at_start: bool) {
    let (log_server, connection) = (store.log_server(), store.get().connection);
    let tell = move |journal: &Journal| {
        // Reads the certificates before the journal is locked, so that the other process does not wait for them.
        let now = log_server.is_on().then(|| in_effect(&log_server, &connection, found_at_start));
        journal.append_missing(|told| difference(told, now, found_at_start).into_iter().collect())
    };
    history.write_until_done(tell).await;
}

/// Returns the event of the log server in effect; `None` if the last such event has the same.
fn difference(events: &[StandingEvent], now: Option<ForwardedTo>, found_at_start: bool) -> Option<Event> {
    let last = events.iter().rfind(|event| event.kind.starts_with("forwarding."));
    let told = last.filter(|last| last.kind != "forwarding.turned-off").map(|last| {
        let told: ForwardedTo = serde_json::from_value(last.body.clone()).unwrap_or_default();
        ForwardedTo { found_at_start, ..told }
    });
    match (told, now) {
        (told, now) if told == now => None,
        (Some(told), Some(now)) if told.log_server == now.log_server => Some(Event::ForwardingChanged(now)),
        (_, Some(now)) => Some(Event::ForwardingTurnedOn(now)),
        (Some(ForwardedTo { log_server, .. }), None) => {
            Some(Event::ForwardingTurnedOff { log_server, found_at_start })
        }
        (None, None) => None,
    }
}

fn in_effect(log_server: &LogServer, connection: &ProgramConnection, found_at_start: bool) -> ForwardedTo {
    let LogServer { ca_certificate, client_certificate, .. } = log_server;
    ForwardedTo {
        log_server: log_server.place(),
        route: record::route(&connection.route),
        app_authority: connection.ca_certificate.clone(),
        app_authority_sha256: sha256_of(&connection.ca_certificate),
        authority: ca_certificate.clone(),
        authority_sha256: sha256_of(ca_certificate),
        client_certificate: client_certificate.clone(),
        client_certificate_sha256: sha256_of(client_certificate),
        found_at_start,
    }
}

fn sha256_of(file: &str) -> String {
    let bytes = if file.is_empty() { None } else { files::read_whole(Path::new(file), LARGEST).ok() };
    bytes.map(|bytes| files::sha256(&bytes)).unwrap_or_default()
}
