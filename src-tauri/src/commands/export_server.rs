//! Commands of operation 2: server export.

use steward_core::model::ids::Target;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::operations::export_server;
use steward_core::operations::export_server::{ExportServerForm, SavedExport, ServerExportReport};
use steward_core::runs::RunId;
use steward_core::steward::Steward;
use tauri::State;

/// Exports a server.
///
/// # Errors
/// Those of [`export_server::perform`].
#[tauri::command]
#[specta::specta]
pub async fn export_server(
    steward: State<'_, Steward>,
    target: Target,
    run: RunId,
    form: ExportServerForm,
) -> Result<RunResult<ServerExportReport>, Problem> {
    export_server::perform(&steward.context, &steward.transfers, &target, run, form).await
}

/// Downloads an export that is stored by the server and not saved yet.
///
/// # Errors
/// Those of [`export_server::save_again`].
#[tauri::command]
#[specta::specta]
pub async fn save_stored_export(
    steward: State<'_, Steward>,
    target: Target,
    run: RunId,
    location: String,
) -> Result<SavedExport, Problem> {
    export_server::save_again(&steward.context, &steward.transfers, &target, run, &location).await
}
