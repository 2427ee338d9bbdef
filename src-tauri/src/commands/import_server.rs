//! Commands of operation 3: server import, which replaces the whole server site.

use steward_core::inventory::stored::ExportLocation;
use steward_core::model::ids::{RecordId, SiteId, Target};
use steward_core::model::import_report::ImportReport;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::operations::import_server;
use steward_core::operations::import_server::changes_since::{self, RecordedChanges};
use steward_core::operations::import_server::export_comparison::{self, ExportComparison};
use steward_core::operations::import_server::{ChangeSummary, ImportServerForm, safety_backup};
use steward_core::runs::RunId;
use steward_core::steward::Steward;
use tauri::State;

/// Returns the change summary of an import, without sending it.
///
/// # Errors
/// Those of [`import_server::preview_import`].
#[tauri::command]
#[specta::specta]
pub async fn preview_import(steward: State<'_, Steward>, target: Target) -> Result<ChangeSummary, Problem> {
    import_server::preview_import(&steward.context.access, &target).await
}

/// Compares a server with an export. Nothing is changed.
///
/// # Errors
/// Those of [`export_comparison::compare_with_export`].
#[tauri::command]
#[specta::specta]
pub async fn compare_with_export(
    steward: State<'_, Steward>,
    target: Target,
    location: ExportLocation,
) -> Result<ExportComparison, Problem> {
    export_comparison::compare_with_export(&steward.context, &target, &location).await
}

/// Returns whether this computer has room for a copy of a safety backup.
#[tauri::command]
#[specta::specta]
#[must_use]
pub fn has_room_for_copy(steward: State<'_, Steward>) -> bool {
    safety_backup::has_room_for_copy(&steward.data_folder)
}

/// Replaces the configuration of a server.
///
/// # Errors
/// Those of [`import_server::perform`].
#[tauri::command]
#[specta::specta]
pub async fn import_server(
    steward: State<'_, Steward>,
    target: Target,
    run: RunId,
    form: ImportServerForm,
) -> Result<RunResult<ImportReport>, Problem> {
    import_server::perform(&steward.context, &steward.transfers, &target, run, form).await
}

/// Returns the recorded changes that an undo of an import would undo with it. Nothing is sent.
///
/// # Errors
/// Those of [`changes_since::since_import`].
#[tauri::command]
#[specta::specta]
pub async fn preview_undo(steward: State<'_, Steward>, record: RecordId) -> Result<RecordedChanges, Problem> {
    changes_since::since_import(&steward.context.access.sites, &steward.context.history, record).await
}

/// Undoes an import: imports its safety backup, after a safety backup of the current state if `safety_backup` is set.
///
/// # Errors
/// Those of [`import_server::undo`].
#[tauri::command]
#[specta::specta]
pub async fn undo_import(
    steward: State<'_, Steward>,
    site: SiteId,
    run: RunId,
    record: RecordId,
    confirmation: String,
    safety_backup: bool,
) -> Result<RunResult<ImportReport>, Problem> {
    let Steward { context, transfers, .. } = &*steward;
    import_server::undo(context, transfers, &site, run, record, &confirmation, safety_backup).await
}
