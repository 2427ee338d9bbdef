//! What two places of the window show of the same fact is the same.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use steward_app::overview::ConcernAbout;
use steward_core::history::{self, HistorySearch};
use steward_core::webhooks::deactivation_log;
use steward_journal::{Outcome, StoredRecord};

use crate::app::App;

/// Compares the history, the overview of the site, the list of all sites, the deactivation log, and the report of the operation.
/// `records` are those of the operation.
pub(crate) async fn agree(app: &App, records: &[StoredRecord]) -> Result<(), String> {
    let context = &app.steward.context;
    // One that was removed has no overview.
    if context.access.sites.get(&app.site).is_err() {
        return Ok(());
    }
    let search = HistorySearch { site: Some(app.site.clone()), ..HistorySearch::default() };
    let page = history::page_of(&context.history, search, None, 100).await.unwrap();
    let entries: Vec<Value> = page.entries.iter().map(|entry| json!(entry)).collect();
    for record in records {
        // Read again: an outcome that the journal refused is written later.
        let id = record.id.clone();
        let record = context.history.journal(move |journal| journal.record(&id)).await.unwrap();
        let entry = page.entries.iter().find(|entry| entry.id.0 == record.id);
        let outcome = entry.map(|entry| entry.outcome);
        same("the outcome", &record.intent.operation, &record.outcome, &outcome.unwrap_or(Outcome::Sent))?;
    }

    let overview = app.steward.overviews().of_site(&app.site).await.unwrap();
    let all = app.steward.overviews().of_all_sites().await.unwrap();
    let listed = all.iter().find(|listed| listed.site == app.site).unwrap();
    same("the worst", "the list of all sites", &json!(overview.concerns.first()), &json!(listed.worst))?;
    let others = u32::try_from(overview.concerns.len().saturating_sub(1)).unwrap();
    same("the number of the others", "the list of all sites", &others, &listed.more)?;

    let (mut unsolved, mut inactive, mut left) = (BTreeSet::new(), BTreeSet::new(), 0);
    for concern in &overview.concerns {
        match &concern.about {
            ConcernAbout::Record { entry, .. } => {
                let entry = json!(entry);
                if !entries.contains(&entry) {
                    return Err(format!("the overview shows what the history does not: {entry}"));
                }
                unsolved.insert(entry["id"].as_str().unwrap_or_default().to_owned());
            }
            ConcernAbout::Webhooks { services, webhooks, .. } => {
                inactive.extend(services.iter().cloned());
                left += webhooks.len();
            }
            _ => {}
        }
    }
    for entry in page.entries.iter().filter(|entry| entry.outcome == Outcome::Unknown) {
        if !unsolved.contains(&entry.id.0) {
            return Err(format!(
                "the outcome of {} is unknown, and the overview does not say so",
                entry.id.0
            ));
        }
    }

    for component in &overview.components {
        let operation = if component.server.is_some() { "export_server" } else { "export_portal" };
        let exports = entries.iter().filter(|entry| {
            let is_good = matches!(entry["outcome"].as_str(), Some("succeeded" | "warnings"));
            let of_import = |parameter: &Value| parameter["value"] == "safetyBackup";
            is_good
                && entry["operation"] == operation
                && entry["server"] == json!(component.server)
                && !entry["parameters"].as_array().is_some_and(|all| all.iter().any(of_import))
        });
        let times: Vec<_> = exports.filter_map(|entry| entry["startedAt"].as_i64()).collect();
        let part = overview.recoverable.parts.iter().find(|part| part.server == component.server);
        let at = part.and_then(|part| part.at).map(|at| at.0);
        // When the newest export that was verified began, or the last one if none was.
        let is_one = at.is_none_or(|at| times.contains(&at));
        same("an export", "the overview", &(times.is_empty(), true), &(at.is_none(), is_one))?;
    }
    // What an import found is the last that is known of the services.
    let found = app.told().0.map(|end| end["report"]["proof"]["check"].clone()).unwrap_or_default();
    let of_server = overview.components.iter().find(|one| one.server == app.server.server);
    let known = json!(of_server.map(|one| &one.services.value));
    for number in ["services", "shouldRun", "running"].into_iter().filter(|_| !found.is_null()) {
        same(number, "the overview", &found[number], &known[number])?;
    }

    let log = deactivation_log::entries(context, Some(&app.site)).await.unwrap();
    let open: Vec<_> = log.into_iter().filter(|entry| entry.resolved_at.is_none()).collect();
    let services: BTreeSet<String> = open.iter().map(|entry| entry.service.clone()).collect();
    same("the deactivated webhooks", "the overview", &services, &inactive)?;
    let all = open.iter().flat_map(|entry| entry.left.iter().flatten().map(|one| (&entry.service, &one.id)));
    same("the webhooks that are left", "the overview", &all.collect::<BTreeSet<_>>().len(), &left)
}

fn same<T: PartialEq + std::fmt::Debug>(fact: &str, place: &str, one: &T, other: &T) -> Result<(), String> {
    if one == other { Ok(()) } else { Err(format!("{fact}, {place}: {one:?} and {other:?}")) }
}
