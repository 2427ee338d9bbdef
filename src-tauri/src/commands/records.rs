//! One record of the history: what was sent and answered, what is ticked off of it, and the file it led to.

use steward_core::history::details;
use steward_core::history::details::RecordDetails;
use steward_core::host::Host;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RecordId;
use tauri::State;

/// One record with what was sent and answered.
#[tauri::command]
#[specta::specta]
pub async fn record_details(host: State<'_, Host>, record: RecordId) -> Result<RecordDetails, Problem> {
    details::details_of(&host, record).await
}

/// What is ticked off of a record: parts of a checklist, messages of a report.
#[tauri::command]
#[specta::specta]
pub async fn ticks(host: State<'_, Host>, record: RecordId) -> Result<Vec<String>, Problem> {
    details::ticks(&host, record).await
}

/// Ticks an item of a record off, or takes the tick away.
#[tauri::command]
#[specta::specta]
pub async fn set_tick(
    host: State<'_, Host>,
    record: RecordId,
    item: String,
    done: bool,
) -> Result<(), Problem> {
    details::set_tick(&host, record, item, done).await
}

/// Shows a file that was saved on this computer in its folder.
#[tauri::command]
#[specta::specta]
pub async fn show_in_folder(host: State<'_, Host>, path: String) -> Result<(), Problem> {
    details::show(&host, &path)
}
