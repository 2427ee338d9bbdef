//! Commands for snapshots of the configuration of sites, and their differences.

use steward_app::steward::Steward;
use steward_core::changes::snapshots::STOPPED;
use steward_core::changes::view::{
    ChangedView, Compared, ComparisonView, FieldView, ImportView, SideView, SnapshotsView,
};
use steward_core::changes::{self, Cause, Key, Kind, Substitution};
use steward_core::history::ReportFormat;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::model::saved_file::SaveResult;
use tauri::State;

/// Returns the snapshots of a site, newest first. Sends nothing.
#[tauri::command]
#[specta::specta]
pub(crate) async fn snapshots(steward: State<'_, Steward>, site: SiteId) -> Result<SnapshotsView, Problem> {
    steward.snapshots.view(&steward.context.history, &site).await
}

/// Reads the configuration of a site, and stores it without its secrets. Nothing is changed.
#[tauri::command]
#[specta::specta]
pub(crate) async fn take_snapshot(
    steward: State<'_, Steward>,
    site: SiteId,
) -> Result<SnapshotsView, Problem> {
    let all = steward.snapshots.take(&steward.context, &site, Cause::Manual).await?;
    changes::saw_snapshot(&steward.tour, &site, &all);
    Ok(all)
}

/// Ends the snapshot that is being taken of a site. The earlier ones stay.
#[tauri::command]
#[specta::specta]
pub(crate) fn stop_snapshot(steward: State<'_, Steward>, site: SiteId) {
    steward.snapshots.stop(&site, STOPPED);
}

/// Returns the sites and servers of which there is a snapshot, with the newest one.
#[tauri::command]
#[specta::specta]
pub(crate) async fn sides(steward: State<'_, Steward>) -> Result<Vec<SideView>, Problem> {
    steward.snapshots.sides(&steward.context).await
}

/// Returns the imports and upgrades of a site that have a snapshot before and after them.
#[tauri::command]
#[specta::specta]
pub(crate) async fn compared_imports(
    steward: State<'_, Steward>,
    site: SiteId,
) -> Result<Vec<ImportView>, Problem> {
    steward.snapshots.imports(&steward.context, &site).await
}

/// Takes a snapshot while a user fills in the form of an import, unless there is a new one. The import does not wait
/// for it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn snapshot_before_import(steward: State<'_, Steward>, site: SiteId) -> Result<(), Problem> {
    steward.snapshots.before_import(&steward.context, &site).await
}

/// Returns what changed on the portal and the servers of a site since its first snapshot, without what is accepted.
#[tauri::command]
#[specta::specta]
pub(crate) async fn changed_since_accepted(
    steward: State<'_, Steward>,
    site: SiteId,
) -> Result<Vec<ChangedView>, Problem> {
    steward.snapshots.changed_since_accepted(&steward.context, &site).await
}

/// Returns what differs between two snapshots.
#[tauri::command]
#[specta::specta]
pub(crate) async fn compare_snapshots(
    steward: State<'_, Steward>,
    compared: Compared,
) -> Result<ComparisonView, Problem> {
    let found = steward.snapshots.compare(&steward.context, &compared).await?;
    changes::saw_comparison(&steward.tour, &compared, &found);
    Ok(found)
}

/// Returns the fields of a resource that differ between two snapshots.
#[tauri::command]
#[specta::specta]
pub(crate) async fn compared_fields(
    steward: State<'_, Steward>,
    compared: Compared,
    key: Key,
) -> Result<Vec<FieldView>, Problem> {
    steward.snapshots.fields(&steward.context, &compared, key).await
}

/// Accepts the difference of a resource, with a reason; `null` withdraws the acceptance.
#[tauri::command]
#[specta::specta]
pub(crate) async fn accept_difference(
    steward: State<'_, Steward>,
    compared: Compared,
    key: Key,
    reason: Option<String>,
) -> Result<(), Problem> {
    steward.snapshots.accept(&steward.context, &compared, key, reason).await
}

/// Keeps the texts that count as equal between two sites or servers.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_substitutions(
    steward: State<'_, Steward>,
    compared: Compared,
    pairs: Vec<Substitution>,
) -> Result<(), Problem> {
    steward.snapshots.save_substitutions(&steward.context, &compared, pairs).await
}

/// Has a volatile field compared from the next snapshot on, or sets it apart again.
#[tauri::command]
#[specta::specta]
pub(crate) async fn set_field_compared(
    steward: State<'_, Steward>,
    site: SiteId,
    kind: Kind,
    field: String,
    is_compared: bool,
) -> Result<(), Problem> {
    steward.snapshots.set_compared(&site, kind, field, is_compared).await
}

/// Saves what differs between two snapshots to a file that the user chooses.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_changes(
    steward: State<'_, Steward>,
    compared: Compared,
    format: ReportFormat,
) -> Result<SaveResult, Problem> {
    let (context, dialogs, language) = (&steward.context, &steward.dialogs, &steward.language);
    steward.snapshots.save(context, dialogs, language, &compared, format).await
}
