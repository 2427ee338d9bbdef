//! Commands for one record of the history: details, checklist, and saved file.

use steward_core::files;
use steward_core::history::details;
use steward_core::history::details::RecordDetails;
use steward_core::model::ids::RecordId;
use steward_core::model::problem::Problem;
use steward_core::model::saved_file::SavedFile;
use steward_core::steward::Steward;
use tauri::State;

/// Returns a record with its requests and response.
///
/// # Errors
/// Those of [`details::details_of`].
#[tauri::command]
#[specta::specta]
pub async fn record_details(steward: State<'_, Steward>, record: RecordId) -> Result<RecordDetails, Problem> {
    details::details_of(&steward.context.history, record).await
}

/// Returns the completed items of a record: items of its checklist, and messages of its report.
///
/// # Errors
/// Those of [`details::checklist`].
#[tauri::command]
#[specta::specta]
pub async fn checklist(steward: State<'_, Steward>, record: RecordId) -> Result<Vec<String>, Problem> {
    details::checklist(&steward.context.history, record).await
}

/// Marks an item of a record as completed, or not.
///
/// # Errors
/// Those of [`details::set_checklist_item`].
#[tauri::command]
#[specta::specta]
pub async fn set_checklist_item(
    steward: State<'_, Steward>,
    record: RecordId,
    item: String,
    done: bool,
) -> Result<(), Problem> {
    details::set_checklist_item(&steward.context.history, record, item, done).await
}

/// Returns size and SHA-256 of an export that a site on this computer wrote.
///
/// # Errors
/// Those of [`files::file_facts`].
#[tauri::command]
#[specta::specta]
pub async fn file_facts(steward: State<'_, Steward>, path: String) -> Result<SavedFile, Problem> {
    files::file_facts(&steward.dialogs, &steward.data_folder, path).await
}

/// Shows a saved file in the file manager.
///
/// # Errors
/// Those of [`details::show`].
#[tauri::command]
#[specta::specta]
pub async fn show_in_folder(steward: State<'_, Steward>, path: String) -> Result<(), Problem> {
    details::show(&steward.dialogs, &steward.data_folder, &path)
}
