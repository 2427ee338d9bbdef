//! What was done.

use steward_core::history;
use steward_core::history::{
    CommandLanguage, HistoryFormat, HistoryPage, HistoryPlace, HistorySearch, ReportFormat,
};
use steward_core::host::Host;
use steward_core::model::import_report::ImportReport;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RecordId;
use steward_core::model::saved_file::Saving;
use tauri::State;

/// Everybody who has a record in the history, by name.
#[tauri::command]
#[specta::specta]
pub async fn history_people(host: State<'_, Host>) -> Result<Vec<String>, Problem> {
    history::history_people(&host).await
}

/// The import report kept with a record.
#[tauri::command]
#[specta::specta]
pub async fn import_report(host: State<'_, Host>, record: RecordId) -> Result<ImportReport, Problem> {
    history::import_report(&host, record).await
}

/// Saves an import report where the person says.
#[tauri::command]
#[specta::specta]
pub async fn save_report(
    host: State<'_, Host>,
    record: RecordId,
    format: ReportFormat,
) -> Result<Saving, Problem> {
    history::save_report(&host, record, format).await
}

/// Searches the history: one page, newest first.
#[tauri::command]
#[specta::specta]
pub async fn search_history(
    host: State<'_, Host>,
    search: HistorySearch,
    older_than: Option<HistoryPlace>,
    limit: u32,
) -> Result<HistoryPage, Problem> {
    history::page_of(&host, search, older_than, limit).await
}

/// Saves one record with all that is kept of it, as evidence.
#[tauri::command]
#[specta::specta]
pub async fn save_evidence(host: State<'_, Host>, record: RecordId) -> Result<Saving, Problem> {
    history::evidence_of(&host, record).await
}

/// Saves all records that a search finds.
#[tauri::command]
#[specta::specta]
pub async fn save_history(
    host: State<'_, Host>,
    search: HistorySearch,
    format: HistoryFormat,
) -> Result<Saving, Problem> {
    history::records_of(&host, search, format).await
}

/// A record as a command that sends it again, the token taken from a variable.
#[tauri::command]
#[specta::specta]
pub async fn record_as_command(
    host: State<'_, Host>,
    record: RecordId,
    language: CommandLanguage,
) -> Result<String, Problem> {
    history::record_as_command(&host, record, language).await
}
