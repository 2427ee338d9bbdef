//! 2 Server export.

use steward_core::host::Host;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::Ended;
use steward_core::model::saved_file::Saving;
use steward_core::operations::export_server;
use steward_core::operations::export_server::{ExportServerForm, ServerExportReport};
use steward_core::runs::RunId;
use tauri::State;

/// Exports a server.
#[tauri::command]
#[specta::specta]
pub async fn export_server(
    host: State<'_, Host>,
    site: SiteId,
    run: RunId,
    form: ExportServerForm,
) -> Result<Ended<ServerExportReport>, Problem> {
    export_server::perform(&host, &site, run, form).await
}

/// Downloads an export that is stored on the server and was not saved yet.
#[tauri::command]
#[specta::specta]
pub async fn save_stored_export(
    host: State<'_, Host>,
    site: SiteId,
    run: RunId,
    location: String,
) -> Result<Saving, Problem> {
    export_server::save_again(&host, &site, run, &location).await
}
