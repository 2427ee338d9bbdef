//! 3 Server import: replaces the whole server site.

use steward_core::host::Host;
use steward_core::model::ids::SiteId;
use steward_core::model::import_report::ImportReport;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::{Ended, RecordId};
use steward_core::operations::import_server;
use steward_core::operations::import_server::{ImportBriefing, ImportServerForm};
use steward_core::runs::RunId;
use tauri::State;

/// Says what an import is about to do, without doing it.
#[tauri::command]
#[specta::specta]
pub async fn brief_import(host: State<'_, Host>, site: SiteId) -> Result<ImportBriefing, Problem> {
    import_server::brief_import(&host, site).await
}

/// Replaces the configuration of a server.
#[tauri::command]
#[specta::specta]
pub async fn import_server(
    host: State<'_, Host>,
    site: SiteId,
    run: RunId,
    form: ImportServerForm,
) -> Result<Ended<ImportReport>, Problem> {
    import_server::perform(&host, &site, run, form).await
}

/// Undoes an import: imports the export that was made before it.
#[tauri::command]
#[specta::specta]
pub async fn undo_import(
    host: State<'_, Host>,
    site: SiteId,
    run: RunId,
    record: RecordId,
    confirmation: String,
) -> Result<Ended<ImportReport>, Problem> {
    import_server::undo(&host, &site, run, record, &confirmation).await
}
