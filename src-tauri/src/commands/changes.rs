//! Commands for snapshots of the configuration of sites, and their differences.

use steward_app::steward::Steward;
use steward_core::changes::view::{ComparisonView, FieldView, SnapshotId, SnapshotsView};
use steward_core::changes::{Cause, Key, Kind};
use steward_core::history::ReportFormat;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::model::saved_file::SaveResult;
use tauri::State;

/// Returns the snapshots of a site, newest first. Sends nothing.
#[tauri::command]
#[specta::specta]
pub(crate) async fn snapshots(steward: State<'_, Steward>, site: SiteId) -> Result<SnapshotsView, Problem> {
    steward.snapshots.view(&site).await
}

/// Reads the configuration of a site, and stores it without its secrets. Nothing is changed.
#[tauri::command]
#[specta::specta]
pub(crate) async fn take_snapshot(
    steward: State<'_, Steward>,
    site: SiteId,
) -> Result<SnapshotsView, Problem> {
    steward.snapshots.take(&steward.context, &site, Cause::Manual).await
}

/// Ends the snapshot that is being taken of a site. The earlier ones stay.
#[tauri::command]
#[specta::specta]
pub(crate) fn stop_snapshot(steward: State<'_, Steward>, site: SiteId) {
    steward.snapshots.stop(&site);
}

/// Returns what differs between two snapshots of a site.
#[tauri::command]
#[specta::specta]
pub(crate) async fn compare_snapshots(
    steward: State<'_, Steward>,
    site: SiteId,
    from: SnapshotId,
    to: SnapshotId,
) -> Result<ComparisonView, Problem> {
    steward.snapshots.compare(&steward.context, &site, from, to).await
}

/// Returns the fields of a resource that differ between two snapshots.
#[tauri::command]
#[specta::specta]
pub(crate) async fn compared_fields(
    steward: State<'_, Steward>,
    site: SiteId,
    from: SnapshotId,
    to: SnapshotId,
    key: Key,
) -> Result<Vec<FieldView>, Problem> {
    steward.snapshots.fields(&site, from, to, key).await
}

/// Accepts that a resource is as it is in a snapshot, with a reason; withdraws that, without one.
#[tauri::command]
#[specta::specta]
pub(crate) async fn accept_difference(
    steward: State<'_, Steward>,
    site: SiteId,
    key: Key,
    snapshot: SnapshotId,
    reason: Option<String>,
) -> Result<(), Problem> {
    steward.snapshots.accept(&steward.context, &site, key, snapshot, reason).await
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
    site: SiteId,
    from: SnapshotId,
    to: SnapshotId,
    format: ReportFormat,
) -> Result<SaveResult, Problem> {
    let (context, dialogs, language) = (&steward.context, &steward.dialogs, &steward.language);
    steward.snapshots.save(context, dialogs, language, &site, from, to, format).await
}
