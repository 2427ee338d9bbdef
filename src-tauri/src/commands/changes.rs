//! Commands for snapshots of the configuration of sites, and their differences.

use steward_command::command;
use steward_core::changes::snapshots::STOPPED;
use steward_core::changes::view::{
    ChangedView, Compared, ComparisonView, FieldView, ImportView, SideView, SnapshotsView,
};
use steward_core::changes::{self, Cause, Key, Kind, Substitution};
use steward_core::history::ReportFormat;
use steward_core::model::ids::SiteId;
use steward_core::model::saved_file::SaveResult;

use super::{Program, Reply};

/// Returns the snapshots of a site, newest first. Sends nothing.
#[command]
pub(crate) async fn snapshots(steward: Program<'_>, site: SiteId) -> Reply<SnapshotsView> {
    steward.snapshots.view(&steward.context.history, &site).await
}

/// Reads the configuration of a site, and stores it without its secrets. Nothing is changed.
#[command]
pub(crate) async fn take_snapshot(steward: Program<'_>, site: SiteId) -> Reply<SnapshotsView> {
    let all = steward.snapshots.take(&steward.context, &site, Cause::Manual).await?;
    changes::saw_snapshot(&steward.tour, &site, &all);
    Ok(all)
}

/// Ends the snapshot that is being taken of a site. The earlier ones stay.
#[command]
pub(crate) fn stop_snapshot(steward: Program<'_>, site: SiteId) {
    steward.snapshots.stop(&site, STOPPED);
}

/// Returns the sites and servers of which there is a snapshot, with the newest one.
#[command]
pub(crate) async fn sides(steward: Program<'_>) -> Reply<Vec<SideView>> {
    steward.snapshots.sides(&steward.context).await
}

/// Returns the imports and upgrades of a site that have a snapshot before and after them.
#[command]
pub(crate) async fn compared_imports(steward: Program<'_>, site: SiteId) -> Reply<Vec<ImportView>> {
    steward.snapshots.imports(&steward.context, &site).await
}

/// Takes a snapshot while a user fills in the form of an import, unless there is a new one. The import does not wait for it.
#[command]
pub(crate) async fn snapshot_before_import(steward: Program<'_>, site: SiteId) -> Reply<()> {
    steward.snapshots.before_import(&steward.context, &site).await
}

/// Returns what changed on the portal and the servers of a site since its first snapshot, without what is accepted.
#[command]
pub(crate) async fn changed_since_accepted(steward: Program<'_>, site: SiteId) -> Reply<Vec<ChangedView>> {
    steward.snapshots.changed_since_accepted(&steward.context, &site).await
}

/// Returns what differs between two snapshots.
#[command]
pub(crate) async fn compare_snapshots(steward: Program<'_>, compared: Compared) -> Reply<ComparisonView> {
    let found = steward.snapshots.compare(&steward.context, &compared).await?;
    changes::saw_comparison(&steward.tour, &compared, &found);
    Ok(found)
}

/// Returns the fields of a resource that differ between two snapshots.
#[command]
pub(crate) async fn compared_fields(
    steward: Program<'_>,
    compared: Compared,
    key: Key,
) -> Reply<Vec<FieldView>> {
    steward.snapshots.fields(&steward.context, &compared, key).await
}

/// Accepts the difference of a resource, with a reason; `null` withdraws the acceptance.
#[command]
pub(crate) async fn accept_difference(
    steward: Program<'_>,
    compared: Compared,
    key: Key,
    reason: Option<String>,
) -> Reply<()> {
    steward.snapshots.accept(&steward.context, &compared, key, reason).await
}

/// Keeps the texts that count as equal between two sites or servers.
#[command]
pub(crate) async fn save_substitutions(
    steward: Program<'_>,
    compared: Compared,
    pairs: Vec<Substitution>,
) -> Reply<()> {
    steward.snapshots.save_substitutions(&steward.context, &compared, pairs).await
}

/// Has a volatile field compared from the next snapshot on, or sets it apart again.
#[command]
pub(crate) async fn set_field_compared(
    steward: Program<'_>,
    site: SiteId,
    kind: Kind,
    field: String,
    is_compared: bool,
) -> Reply<()> {
    steward.snapshots.set_compared(&site, kind, field, is_compared).await
}

/// Saves what differs between two snapshots to a file that the user chooses.
#[command]
pub(crate) async fn save_changes(
    steward: Program<'_>,
    compared: Compared,
    format: ReportFormat,
) -> Reply<SaveResult> {
    let (context, dialogs, language) = (&steward.context, &steward.dialogs, &steward.language);
    steward.snapshots.save(context, dialogs, language, &compared, format).await
}
