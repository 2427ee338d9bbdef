//! Commands of operation 3: server import, which replaces the whole server site.

use steward_core::model::ids::SiteId;
use steward_core::model::import_report::ImportReport;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::{RecordId, RunResult};
use steward_core::operations::import_server;
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
pub async fn preview_import(steward: State<'_, Steward>, site: SiteId) -> Result<ChangeSummary, Problem> {
    import_server::preview_import(&steward.context.access, site).await
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
    site: SiteId,
    run: RunId,
    form: ImportServerForm,
) -> Result<RunResult<ImportReport>, Problem> {
    import_server::perform(&steward.context, &steward.transfers, &site, run, form).await
}

/// Undoes an import: imports its safety backup.
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
) -> Result<RunResult<ImportReport>, Problem> {
    import_server::undo(&steward.context, &site, run, record, &confirmation).await
}
