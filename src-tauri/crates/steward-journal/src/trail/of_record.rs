//! Events of the records of the history.
//!
//! An operation has two events: it was sent, and it ended. An action that changes nothing on a site has
//! `record.written` first, and then an event of its own if it took effect, or `operation.ended` if not.

use rusqlite::{Connection, OptionalExtension};

use super::entry::hash;
use super::event::{Event, OfRecord};
use super::stored_form::{self, StoredForm};
use crate::record::{Outcome, OutcomeResolution, StoredRequest};
use crate::salvage::text;

/// Run of a backup plan. `run.started` and `run.ended` describe it; the event of its record states only that the record
/// was written.
const RUN_PLAN: &str = "run_plan";

/// Makes the event of an action that took effect.
type Effect = fn(OfRecord) -> Event;

/// Returns the event of an action that sends no change to a site; `None` for everything else.
fn effect(operation: &str) -> Option<Effect> {
    Some(match operation {
        "sign_in" => Event::SignedIn,
        "sign_out" => Event::SignedOut,
        "trust_certificate" => Event::CertificateTrusted,
        "add_site" | "change_site" | "remove_site" => Event::SiteChanged,
        "unlock" => Event::SiteUnlocked,
        "lock" => Event::SiteLocked,
        "change_connection" => Event::ConnectionChanged,
        "set_data_aside" => Event::DataSetAside,
        "rehearse" => Event::RehearsalEnded,
        _ => return None,
    })
}

/// Returns the event of an intent that was just written. For an action, which has not taken effect yet, it says only
/// that its record was written. Without any event, a record that was inserted into the file would look like an action
/// in progress.
pub(crate) fn sent(connection: &Connection, id: &str) -> rusqlite::Result<Option<Event>> {
    Ok(read(connection, id)?.map(|of_record| match effect(&of_record.operation) {
        Some(_) => written(of_record),
        None => written_or(of_record, Event::OperationSent),
    }))
}

/// Returns the event of an outcome that was just written, or of a report that was changed after it; `None` if there is no
/// record.
pub(crate) fn ended(connection: &Connection, id: &str) -> rusqlite::Result<Option<Event>> {
    Ok(read(connection, id)?.map(|of_record| {
        let outcome = Outcome::named(&of_record.outcome);
        let took_effect = matches!(outcome, Outcome::Succeeded | Outcome::Warnings);
        match effect(&of_record.operation) {
            Some(effect) if took_effect => effect(of_record),
            Some(_) if of_record.operation == "sign_in" && outcome == Outcome::Failed => {
                Event::SignInRejected(of_record)
            }
            _ => written_or(of_record, Event::OperationEnded),
        }
    }))
}

/// Returns the event of an operation, or, of the run of a backup plan, that its record was written.
fn written_or(of_record: OfRecord, event: Effect) -> Event {
    if of_record.operation == RUN_PLAN { written(of_record) } else { event(of_record) }
}

/// Returns the event of a record that states only that it was written.
fn written(of_record: OfRecord) -> Event {
    let OfRecord { record, operation, outcome, site, site_name, record_sha256, .. } = of_record;
    Event::RecordWritten(OfRecord {
        record,
        operation,
        outcome,
        site,
        site_name,
        record_sha256,
        ..OfRecord::default()
    })
}

/// Returns the event of an outcome that a user set; `None` if there is no record.
pub(crate) fn resolved(
    connection: &Connection,
    id: &str,
    resolution: &OutcomeResolution,
) -> rusqlite::Result<Option<Event>> {
    Ok(read(connection, id)?.map(|of_record| {
        Event::OutcomeResolved(OfRecord {
            outcome: resolution.outcome.name().to_owned(),
            note: resolution.note.clone(),
            account: resolution.by.clone(),
            response_sha256: String::new(),
            report_sha256: String::new(),
            ..of_record
        })
    }))
}

/// Returns the event of an entry of the deactivation log that a user marked as resolved; `None` if there is no entry. Its
/// only parameter is the service: a deactivation can be of several.
pub(crate) fn resolved_deactivation(
    connection: &Connection,
    id: &str,
    account: &str,
) -> rusqlite::Result<Option<Event>> {
    let entry = connection
        .prepare_cached("SELECT record, site, service FROM deactivation WHERE id = ?1")?
        .query_row([id], |row| Ok((text(row, 0)?, text(row, 1)?, text(row, 2)?)))
        .optional()?;
    let Some((record, site, service)) = entry else { return Ok(None) };
    // Without the record, the entry is all that is known.
    let of_record = read(connection, &record)?.unwrap_or_default();
    Ok(Some(Event::DeactivationResolved(OfRecord {
        record,
        site,
        account: account.to_owned(),
        parameters: vec![("service".to_owned(), service)],
        outcome: String::new(),
        note: String::new(),
        response_sha256: String::new(),
        report_sha256: String::new(),
        // The event did not write the record.
        record_sha256: String::new(),
        ..of_record
    })))
}

/// Returns the line of a record as it is stored; `None` if there is none.
pub(crate) fn record_line(connection: &Connection, id: &str) -> rusqlite::Result<Option<String>> {
    stored_form::read(connection, id, |stored: &StoredForm<'_>| stored.line())
}

/// Record as it is stored.
#[derive(Debug, Default)]
pub(crate) struct Stored {
    /// SHA-256 of its line; empty if there is no record.
    pub(crate) sha256: String,
    /// Whether its checksums are those of its row, its content, and the outcome that a user set.
    pub(crate) is_whole: bool,
}

impl Stored {
    fn of(stored: &StoredForm<'_>) -> rusqlite::Result<Self> {
        Ok(Self { sha256: hash(&stored.line()?), is_whole: stored.is_whole })
    }
}

/// Returns the record with an identifier.
pub(crate) fn record(connection: &Connection, id: &str) -> rusqlite::Result<Stored> {
    Ok(stored_form::read(connection, id, Stored::of)?.unwrap_or_default())
}

/// Returns the record at a position.
pub(crate) fn record_at(connection: &Connection, place: i64) -> rusqlite::Result<Stored> {
    Ok(stored_form::read_at(connection, place, Stored::of)?.unwrap_or_default())
}

fn read(connection: &Connection, id: &str) -> rusqlite::Result<Option<OfRecord>> {
    stored_form::read(connection, id, |stored| {
        let requests: Vec<StoredRequest> = serde_json::from_str(stored.requests.text()).unwrap_or_default();
        Ok(OfRecord {
            record: stored.id.to_string(),
            operation: stored.operation.to_string(),
            outcome: stored.outcome.to_string(),
            site: stored.site.to_string(),
            server: stored.server.to_string(),
            server_name: stored.server_name.to_string(),
            site_name: stored.site_name.to_string(),
            address: requests.into_iter().next().map(|first| first.address).unwrap_or_default(),
            environment: stored.environment.to_string(),
            account: stored.username.to_string(),
            parameters: serde_json::from_str(stored.parameters.text()).unwrap_or_default(),
            reason: stored.reason.to_string(),
            note: stored.note.to_string(),
            request_sha256: hash(stored.requests.text()),
            response_sha256: stored.response_sha256.clone(),
            report_sha256: stored.report_sha256.clone(),
            record_sha256: hash(&stored.line()?),
        })
    })
}
