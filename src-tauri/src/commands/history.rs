//! Commands for the history.

use steward_core::history;
use steward_core::history::{
    CommandLanguage, HistoryFormat, HistoryPage, HistoryPlace, HistorySearch, ReportFormat,
};
use steward_core::model::ids::RecordId;
use steward_core::model::import_report::ImportReport;
use steward_core::model::problem::Problem;
use steward_core::model::saved_file::SaveResult;
use steward_core::steward::Steward;
use tauri::State;

/// Returns the names of all users in the history.
///
/// # Errors
/// Those of [`history::history_users`].
#[tauri::command]
#[specta::specta]
pub async fn history_users(steward: State<'_, Steward>) -> Result<Vec<String>, Problem> {
    history::history_users(&steward.context.history).await
}

/// Returns the import report of a record.
///
/// # Errors
/// Those of [`history::import_report`].
#[tauri::command]
#[specta::specta]
pub async fn import_report(steward: State<'_, Steward>, record: RecordId) -> Result<ImportReport, Problem> {
    history::import_report(&steward.context.history, record).await
}

/// Exports an import report to a file that the user chooses.
///
/// # Errors
/// Those of [`history::save_report`].
#[tauri::command]
#[specta::specta]
pub async fn save_report(
    steward: State<'_, Steward>,
    record: RecordId,
    format: ReportFormat,
) -> Result<SaveResult, Problem> {
    history::save_report(&steward.context.history, &steward.dialogs, &steward.language, record, format).await
}

/// Returns one page of a search in the history, newest first.
///
/// # Errors
/// Those of [`history::page_of`].
#[tauri::command]
#[specta::specta]
pub async fn search_history(
    steward: State<'_, Steward>,
    search: HistorySearch,
    older_than: Option<HistoryPlace>,
    limit: u32,
) -> Result<HistoryPage, Problem> {
    history::page_of(&steward.context.history, search, older_than, limit).await
}

/// Exports the audit package of a record.
///
/// # Errors
/// Those of [`history::save_audit_package`].
#[tauri::command]
#[specta::specta]
pub async fn save_audit_package(
    steward: State<'_, Steward>,
    record: RecordId,
) -> Result<SaveResult, Problem> {
    history::save_audit_package(
        &steward.context.history,
        &steward.dialogs,
        &steward.language,
        &steward.tour,
        record,
    )
    .await
}

/// Exports all records of a search.
///
/// # Errors
/// Those of [`history::records_of`].
#[tauri::command]
#[specta::specta]
pub async fn save_history(
    steward: State<'_, Steward>,
    search: HistorySearch,
    format: HistoryFormat,
) -> Result<SaveResult, Problem> {
    history::records_of(&steward.context.history, &steward.dialogs, &steward.language, search, format).await
}

/// Returns a command that repeats the request of a record. The token is read from a variable.
///
/// # Errors
/// Those of [`history::record_as_command`].
#[tauri::command]
#[specta::specta]
pub async fn record_as_command(
    steward: State<'_, Steward>,
    record: RecordId,
    language: CommandLanguage,
) -> Result<String, Problem> {
    history::record_as_command(&steward.context.history, record, language).await
}
