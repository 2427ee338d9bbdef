//! What a person does here that is none of the seven: signing in and out, trusting a certificate, adding, changing and
//! removing a site, changing the way that the program takes to all of them. Nothing of it is sent to change a site, and each leaves its record all the same.

use std::collections::HashSet;
use std::future::Future;
use std::time::Instant;

use steward_journal::{Conclusion, Intent, Outcome};

use crate::host::Host;
use crate::model::history_key::HistoryAct;
use crate::model::numbers::Millis;
use crate::model::problem::{Problem, words};
use crate::settings::preferences::ProgramConnection;
use crate::sites::profiles::{self, AddressRole};
use crate::sites::{ConnectionForm, SavedRoute, Site};

/// Does something and keeps a record of it: the intent is on disk before, and how it ended after.
///
/// # Errors
/// When the intent could not be written, and nothing was done then; otherwise those of `doing`.
pub(crate) async fn recorded<T>(
    host: &Host,
    intent: Intent,
    note: &str,
    doing: impl Future<Output = Result<T, Problem>>,
) -> Result<T, Problem> {
    let record = host.journal(move |journal| journal.intend(&intent)).await?;
    let began = Instant::now();
    let done = doing.await;
    let (outcome, note) = match &done {
        Ok(_) => (Outcome::Succeeded, note.to_owned()),
        Err(problem) => (Outcome::Failed, words(problem)),
    };
    let elapsed = i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX);
    let ended_at = Millis::now().0;
    let conclusion = Conclusion { outcome, note, answer: None, report: None, ended_at, elapsed };
    // It is done: a disk that refuses now is no reason to say otherwise.
    if let Err(problem) = host.journal(move |journal| journal.conclude(&record, &conclusion)).await {
        tracing::error!(?problem, "how something ended could not be written to the history");
    }
    done
}

/// The intent of an act on a site, by whoever signed in there last.
pub(crate) fn intent(site: &Site, act: HistoryAct, parameters: Vec<(String, String)>) -> Intent {
    Intent {
        site: site.id.0.clone(),
        site_name: site.name.clone(),
        site_kind: site.kind.name().to_owned(),
        operation: act.name().to_owned(),
        username: site.username.clone().unwrap_or_default(),
        program_version: env!("CARGO_PKG_VERSION").to_owned(),
        parameters,
        started_at: Millis::now().0,
        ..Intent::default()
    }
}

/// The intent of a change of the program's own settings, which belong to no site.
pub(crate) fn intent_without_site(act: HistoryAct, parameters: Vec<(String, String)>) -> Intent {
    Intent {
        operation: act.name().to_owned(),
        program_version: env!("CARGO_PKG_VERSION").to_owned(),
        parameters,
        started_at: Millis::now().0,
        ..Intent::default()
    }
}

/// What saving the settings changes of the way to every site that has none of its own; empty when nothing.
pub(crate) fn connection_changes(
    before: &ProgramConnection,
    after: &ProgramConnection,
    is_password_given: bool,
) -> Vec<(String, String)> {
    let both = [
        ("siteRoute", route(&before.route), route(&after.route)),
        ("siteAuthority", before.ca_certificate.clone(), after.ca_certificate.clone()),
    ];
    let changed = both.into_iter().filter(|(_, before, after)| before != after);
    let changed = changed.map(|(name, before, after)| (name.to_owned(), became(&before, &after)));
    changed.chain(is_password_given.then(|| ("siteProxySecret".to_owned(), String::new()))).collect()
}

/// What a site is, for the record of its adding or removal: what it is for, its addresses, the way there and whom it
/// trusts. Its name stands in every record.
pub(crate) fn description(site: &Site) -> Vec<(String, String)> {
    let facts = facts(site).into_iter();
    facts.filter(|(name, value)| *name != "siteName" && !value.is_empty()).map(owned).collect()
}

/// What saving a form changes of a site, as the record of it says it; empty when nothing. Of a password it is said that
/// it was set, and no more.
pub(crate) fn changes(before: &Site, after: &Site, form: &ConnectionForm) -> Vec<(String, String)> {
    let both = facts(before).into_iter().zip(facts(after));
    let mut changed: Vec<_> = both
        .filter(|((_, before), (_, after))| before != after)
        .map(|((name, before), (_, after))| (name.to_owned(), became(&before, &after)))
        .collect();
    for (name, given) in [
        ("siteProxySecret", &form.proxy_password),
        ("siteCertificateSecret", &form.client_certificate_password),
    ] {
        if given.is_some() {
            changed.push((name.to_owned(), String::new()));
        }
    }
    changed
}

fn became(before: &str, after: &str) -> String {
    format!("{before} \u{2192} {after}")
}

fn route(route: &SavedRoute) -> String {
    match route {
        SavedRoute::System => "system".to_owned(),
        SavedRoute::Direct => "direct".to_owned(),
        SavedRoute::Proxy { address, user, exceptions } => {
            let user = if user.is_empty() { String::new() } else { format!(" ({user})") };
            let exceptions =
                if exceptions.is_empty() { String::new() } else { format!(" - {}", exceptions.join(", ")) };
            format!("{address}{user}{exceptions}")
        }
    }
}

fn owned((name, value): (&'static str, String)) -> (String, String) {
    (name.to_owned(), value)
}

/// Everything of a site that a person can change, each with its name in a record.
fn facts(site: &Site) -> Vec<(&'static str, String)> {
    let path = |path: &Option<std::path::PathBuf>| {
        path.as_ref().map(|path| path.display().to_string()).unwrap_or_default()
    };
    let list = |all: Vec<String>| all.join(", ");
    // The role stands with each address: where it changes, credentials go elsewhere.
    let mut seen = HashSet::new();
    let addresses = profiles::addresses(site)
        .into_iter()
        .filter(|one| one.role != AddressRole::Proxy && seen.insert(one.address.clone()))
        .map(|one| format!("{} {}", one.role.name(), one.address));
    let pins = site.pins.iter().map(|pin| format!("{} {}", pin.origin, pin.fingerprint));
    let servers = site.servers.iter().map(|server| format!("{} ({})", server.name, server.flavour.name()));
    vec![
        ("siteName", site.name.clone()),
        ("siteKind", site.kind.name().to_owned()),
        ("siteReadOnly", site.read_only.to_string()),
        ("siteFlavour", site.flavour.name().to_owned()),
        ("siteAddresses", list(addresses.collect())),
        ("siteServers", list(servers.collect())),
        ("siteRoute", route(&site.route)),
        ("siteCertificates", list(pins.collect())),
        ("siteAuthority", path(&site.ca_certificate)),
        ("siteClientCertificate", path(&site.client_certificate)),
        ("siteClientId", site.client_id.clone().unwrap_or_default()),
    ]
}
