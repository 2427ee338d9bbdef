//! Changes of a portal or server that this app recorded since an export or an import: what an import, or its undo, undoes.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde::Serialize;
use steward_journal::{Filter, Intent, Outcome, StoredRecord};

use crate::history::imports::{SAFETY_BACKUP, deactivation_of, replaced};
use crate::history::record::History;
use crate::history::record_target::{in_all_sites, is_of, must_be_of, target_of};
use crate::history::{self, HistoryEntry};
use crate::model::export_outcome::{can_be_one_file, facts_at};
use crate::model::history_key::{HistoryAction, HistoryKey, REACTIVATE, UPLOAD};
use crate::model::ids::RecordId;
use crate::model::numbers::{Millis, count};
use crate::model::operation::{Component, Operation, OperationKey};
use crate::model::problem::{PreconditionFailure, Problem};
use crate::sites::{Sites, TargetSite};

/// Number of changes that are named. The history lists all.
const NAMED: usize = 5;

/// Recorded changes of a portal or server.
#[derive(Debug, Clone, Default, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RecordedChanges {
    /// The newest changes, newest first; at most 5.
    pub changes: Vec<HistoryEntry>,
    /// Number of all changes.
    pub count: u32,
}

/// Returns the recorded changes of the portal or server that an undo of the import would undo with it. Nothing is sent.
///
/// The reactivation of the webhooks that were deactivated for the import is not among them: the undo reactivates them.
///
/// # Errors
/// - [`Problem::PreconditionFailed`] if the site no longer has the server.
/// - Those of [`must_have_safety_backup`].
/// - [`Problem::Unexpected`] if the site is not saved, the journal cannot be read, or it has no such record.
pub async fn since_import(
    sites: &Sites,
    history: &History,
    record: RecordId,
) -> Result<RecordedChanges, Problem> {
    let import = history.journal(move |journal| journal.record(&record.0)).await?;
    let site = sites.at(&target_of(&import.intent))?;
    must_have_safety_backup(sites, history, &site, &import).await?;
    let deactivation = deactivation_of(&import.intent);
    let is_restored = |intent: &Intent| {
        intent.operation == REACTIVATE && deactivation.is_some() && deactivation_of(intent) == deactivation
    };
    // By the sequence, not by the time: the clock might have been set back since.
    let since = Filter { after: Some(import.sequence), ..Filter::default() };
    recorded(sites, history, &site, since, |record| !is_restored(&record.intent)).await
}

/// Checks that the safety backup of an import, if it has one, can still be that: the portal or server is the one of the import, and named
/// the file for no later export or upload, which would have written it again.
///
/// # Errors
/// - [`Problem::PreconditionFailed`] if it cannot.
/// - [`Problem::Unexpected`] if the journal cannot be read.
pub(crate) async fn must_have_safety_backup(
    sites: &Sites,
    history: &History,
    site: &TargetSite,
    import: &StoredRecord,
) -> Result<(), Problem> {
    must_be_of(site, &import.intent)?;
    let kept = import.intent.parameters.iter().find(|(name, _)| name == SAFETY_BACKUP);
    let Some((_, file)) = kept.cloned() else { return Ok(()) };
    let same = in_all_sites(sites, site);
    let is_it = |writing: &StoredRecord| {
        let earlier = writing.facts.earlier_file.as_deref().map(facts_at);
        let named = earlier.as_ref().unwrap_or(&writing.facts);
        let is_path = named.site_path.as_ref().is_some_and(|path| can_be_one_file(path, &file));
        let is_named = is_path || named.upload.as_ref() == Some(&file);
        is_named && same.iter().any(|one| is_of(one, &writing.intent))
    };
    for operation in writing_files(site) {
        let operation = Some((*operation).to_owned());
        let later = Filter { operation, after: Some(import.sequence), ..Filter::default() };
        if of_sites(history, &same, later).await?.iter().any(is_it) {
            return Err(Problem::precondition_failed(PreconditionFailure::SafetyBackupReplaced { file }));
        }
    }
    Ok(())
}

/// Returns the names of the operations and actions that have a portal or server write a file.
pub(crate) fn writing_files(site: &TargetSite) -> &'static [&'static str] {
    const ON_PORTAL: &[&str] = &[OperationKey::ExportPortal.name()];
    const ON_SERVER: &[&str] = &[OperationKey::ExportServer.name(), UPLOAD];
    if site.server().is_some() { ON_SERVER } else { ON_PORTAL }
}

/// Returns the recorded changes of the portal or server since an export was made. Nothing is sent.
pub(crate) async fn since_export(
    sites: &Sites,
    history: &History,
    site: &TargetSite,
    at: Millis,
) -> Result<RecordedChanges, Problem> {
    recorded(sites, history, site, Filter { from: Some(at.0), ..Filter::default() }, |_| true).await
}

/// Returns the changes in all records of a portal or server, which can be saved in several sites.
async fn recorded(
    sites: &Sites,
    history: &History,
    site: &TargetSite,
    since: Filter,
    is_meant: impl Fn(&StoredRecord) -> bool,
) -> Result<RecordedChanges, Problem> {
    let same = in_all_sites(sites, site);
    let records = of_sites(history, &same, since).await?;
    let is_change = |record: &StoredRecord| same.iter().any(|one| is_change_of(one, record));
    let changes: Vec<_> =
        records.into_iter().filter(|record| is_meant(record) && is_change(record)).collect();
    Ok(RecordedChanges {
        count: count(changes.len()),
        changes: changes
            .into_iter()
            .filter_map(|record| history::entry(history, record))
            .take(NAMED)
            .collect(),
    })
}

/// Returns the records of the sites that these components are in, newest first. The site of the filter is replaced by each
/// of them.
pub(crate) async fn of_sites(
    history: &History,
    components: &[TargetSite],
    filter: Filter,
) -> Result<Vec<StoredRecord>, Problem> {
    let ids: BTreeSet<_> = components.iter().map(|one| one.id.0.clone()).collect();
    let records = history.journal(move |journal| {
        let of = |id: String| journal.records(&Filter { site: Some(id), ..filter.clone() });
        let mut records = ids.into_iter().map(of).collect::<Result<Vec<_>, _>>()?.concat();
        records.sort_by_key(|record| Reverse(record.sequence));
        Ok(records)
    });
    records.await
}

/// Returns whether a record changed the portal or server, or might have.
fn is_change_of(site: &TargetSite, record: &StoredRecord) -> bool {
    let component = if site.server().is_some() { Component::Server } else { Component::Portal };
    let changes = match HistoryKey::named(&record.intent.operation) {
        Some(HistoryKey::Operation(key)) => {
            let operation = Operation::of(key);
            operation.component == component && operation.impact.changes_the_site()
        }
        Some(HistoryKey::Act(act)) => {
            component == Component::Server
                && matches!(act, HistoryAction::DeactivateWebhook | HistoryAction::ReactivateWebhooks)
        }
        None => false,
    };
    let had_effect = match record.outcome {
        Outcome::NotSent => false,
        // An import that fails might have replaced a part.
        Outcome::Failed => replaced(&record.intent).is_some(),
        Outcome::Sent | Outcome::Succeeded | Outcome::Warnings | Outcome::Unknown => true,
    };
    changes && had_effect && is_of(site, &record.intent)
}
