//! Records of actions: sign-ins, trusted certificates, and changes of sites and of the app's connection.
//!
//! [`recorded`] runs an action with its record. None of these actions sends a request that changes a site.

use std::future::Future;

use steward_client::Moment;
use steward_journal::trail::{Event, OfRecord};
use steward_journal::{Facts, Intent, Outcome, SettingChange};

use crate::access::Access;
use crate::history::note::Note;
use crate::history::record::{self, Details, Ended, History, Record};
use crate::model::history_key::HistoryAction;
use crate::model::problem::Problem;
use crate::settings::preferences::ProgramConnection;
use crate::site_context::SiteContext;
use crate::sites::profiles::{self, AddressRole};
use crate::sites::{ConnectionForm, ConnectionRoute, Site};

/// Runs an action, and records it: the intent before, and the outcome after.
///
/// # Errors
/// - [`Problem::NotRecorded`] if the intent cannot be written. The action is not run then.
/// - The error of `doing`.
pub(crate) async fn recorded<T>(
    history: &History,
    intent: Intent,
    note: &str,
    doing: impl Future<Output = Result<T, Problem>>,
) -> Result<T, Problem> {
    recorded_change(history, intent, Vec::new(), note, doing).await
}

/// Runs a change of settings, and records it as [`recorded`] does, with each setting as it was and as it became.
///
/// # Errors
/// Those of [`recorded`].
pub(crate) async fn recorded_change<T>(
    history: &History,
    intent: Intent,
    changes: Vec<SettingChange>,
    note: &str,
    doing: impl Future<Output = Result<T, Problem>>,
) -> Result<T, Problem> {
    let record = Record::intend(history, intent).await?;
    let done = doing.await;
    let (outcome, note) = ended(&done, note);
    let facts = Some(Facts { changes, ..Facts::default() });
    record.conclude(outcome, note, Details { facts, ..Details::default() }).await;
    done
}

/// Runs an action that is possible even if the history cannot be written: signing in and out. The record is then
/// written later.
pub(crate) async fn recorded_if_possible<T>(
    history: &History,
    intent: Intent,
    doing: impl Future<Output = Result<T, Problem>>,
) -> Result<T, Problem> {
    let began = Moment::now();
    let record = Record::intend(history, intent.clone()).await;
    let done = doing.await;
    let (outcome, note) = ended(&done, "");
    match record {
        Ok(record) => drop(record.conclude(outcome, note, Details::default()).await),
        Err(_) => {
            let ended = Ended::since(began);
            record::write_late(history, intent, ended, outcome, note, Details::default()).await;
        }
    }
    done
}

fn ended<T>(done: &Result<T, Problem>, note: &str) -> (Outcome, Note) {
    match done {
        Ok(_) => (Outcome::Succeeded, note.to_owned().into()),
        Err(problem) => (Outcome::Failed, Note::of(problem)),
    }
}

/// Returns the intent of an action on a site, by the user who is signed in.
pub(crate) async fn intent(
    access: &Access,
    site: &Site,
    action: HistoryAction,
    parameters: Vec<(String, String)>,
) -> Intent {
    intent_by(access.signed_in_user(site).await, site, action, parameters)
}

/// Returns the intent of an action on a site, by a user.
pub(crate) fn intent_by(
    username: String,
    site: &Site,
    action: HistoryAction,
    parameters: Vec<(String, String)>,
) -> Intent {
    Intent { parameters, username, ..record::intent_on(site, action.name()) }
}

/// Returns the problem of a sign-in that a site rejected, and records it in the audit trail. The history has no entry
/// of it, because one begins only when a site has issued a token.
pub(crate) async fn rejected_sign_in(
    context: &SiteContext,
    site: &Site,
    username: &str,
    method: &str,
    problem: Problem,
) -> Problem {
    if !matches!(problem, Problem::Unreachable { .. }) {
        let rejected = OfRecord {
            operation: HistoryAction::SignIn.name().to_owned(),
            outcome: Outcome::Failed.name().to_owned(),
            site: site.id.0.clone(),
            site_name: site.name.clone(),
            environment: site.environment.name().to_owned(),
            account: username.to_owned(),
            parameters: vec![("signInMethod".to_owned(), method.to_owned())],
            note: Note::of(&problem).cut().to_string(),
            ..OfRecord::default()
        };
        context.history.append(Event::SignInRejected(rejected)).await;
    }
    problem
}

/// Returns the intent of an action that belongs to no site.
pub(crate) fn intent_without_site(action: HistoryAction, parameters: Vec<(String, String)>) -> Intent {
    Intent { parameters, ..record::intent_of(action.name()) }
}

/// Returns the changes of the connection settings that apply to sites without their own; empty if there are none.
pub(crate) fn connection_changes(
    before: &ProgramConnection,
    after: &ProgramConnection,
) -> Vec<SettingChange> {
    let facts = |one: &ProgramConnection| {
        [("siteConnection", route(&one.route)), ("siteAuthority", one.ca_certificate.clone())]
    };
    changed(facts(before), facts(after))
}

/// Returns the parameters of a record of changes: each setting as it was and as it became, and of each secret in `given`
/// only that it was set.
pub(crate) fn parameters_of<const N: usize>(
    changes: &[SettingChange],
    given: [(&str, bool); N],
) -> Vec<(String, String)> {
    let changed =
        changes.iter().map(|SettingChange { name, before, after }| (name.clone(), became(before, after)));
    let given = given.into_iter().filter(|(_, is_given)| *is_given);
    changed.chain(given.map(|(name, _)| (name.to_owned(), String::new()))).collect()
}

/// Returns the description of a site for the record of its addition or removal: environment, addresses, connection, and
/// trusted certificates. Its name is part of every record.
pub(crate) fn description(site: &Site) -> Vec<(String, String)> {
    let facts = facts(site).into_iter();
    facts.filter(|(name, value)| *name != "siteName" && !value.is_empty()).map(owned).collect()
}

/// Returns the changes of a site; empty if there are none.
pub(crate) fn changes(before: &Site, after: &Site) -> Vec<SettingChange> {
    changed(facts(before), facts(after))
}

/// Returns the secrets of a connection, and whether the form sets them.
pub(crate) const fn secrets_in(form: &ConnectionForm) -> [(&'static str, bool); 2] {
    [
        ("siteProxySecret", form.proxy_password.is_some()),
        ("siteCertificateSecret", form.client_certificate_password.is_some()),
    ]
}

fn changed(
    before: impl IntoIterator<Item = (&'static str, String)>,
    after: impl IntoIterator<Item = (&'static str, String)>,
) -> Vec<SettingChange> {
    let both = before.into_iter().zip(after).filter(|((_, before), (_, after))| before != after);
    both.map(|((name, before), (_, after))| SettingChange { name: name.to_owned(), before, after }).collect()
}

fn became(before: &str, after: &str) -> String {
    format!("{before} \u{2192} {after}")
}

/// Returns a route as a record has it.
pub(crate) fn route(route: &ConnectionRoute) -> String {
    match route {
        ConnectionRoute::System => "system".to_owned(),
        ConnectionRoute::Direct => "direct".to_owned(),
        ConnectionRoute::Proxy { address, user, exceptions } => {
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

/// Returns all fields of a site that a user can change, with their names in a record.
fn facts(site: &Site) -> Vec<(&'static str, String)> {
    let path = |path: &Option<std::path::PathBuf>| {
        path.as_ref().map(|path| path.display().to_string()).unwrap_or_default()
    };
    let list = |all: Vec<String>| all.join(", ");
    // The role is part of each address: if it changes, credentials are sent elsewhere.
    let addresses = profiles::addresses(site)
        .into_iter()
        .filter(|one| one.role != AddressRole::Proxy)
        .map(|one| format!("{} {}", one.role.name(), one.address));
    let earlier = site.earlier.iter().map(|(of, address)| {
        let server = of.as_ref().and_then(|id| site.name_of_server(id));
        format!("{} {address}", server.unwrap_or_else(|| "portal".to_owned()))
    });
    let trusted_certificates = site
        .trusted_certificates
        .iter()
        .map(|certificate| format!("{} {}", certificate.origin, certificate.fingerprint));
    let servers = site.servers.iter().zip(site.server_names());
    let servers = servers.map(|(server, name)| match server.role.as_str() {
        "" => format!("{name} ({})", server.server_type.name()),
        role => format!("{name} ({}, {role})", server.server_type.name()),
    });
    vec![
        ("siteName", site.name.clone()),
        ("siteEnvironment", site.environment.name().to_owned()),
        ("siteReadOnly", site.read_only.to_string()),
        ("siteDeploymentType", site.deployment_type.name().to_owned()),
        ("siteAddresses", list(addresses.collect())),
        ("siteEarlierAddresses", list(earlier.collect())),
        ("siteServers", list(servers.collect())),
        ("siteConnection", route(&site.route)),
        ("siteCertificates", list(trusted_certificates.collect())),
        ("siteAuthority", path(&site.ca_certificate)),
        ("siteClientCertificate", path(&site.client_certificate)),
        ("siteClientId", site.client_id.clone().unwrap_or_default()),
    ]
}
