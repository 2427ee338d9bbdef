//! Commands for the audit trail.

use steward_core::history::HistorySearch;
use steward_core::history::trail::{self, TrailFormat, TrailView};
use steward_core::model::problem::Problem;
use steward_core::model::saved_file::SaveResult;
use steward_core::steward::Steward;
use tauri::State;

/// Returns what is known of the audit trail, without a verification.
#[tauri::command]
#[specta::specta]
pub(crate) async fn trail_status(steward: State<'_, Steward>) -> Result<TrailView, Problem> {
    trail::status(&steward.context.history).await
}

/// Verifies the whole audit trail.
#[tauri::command]
#[specta::specta]
pub(crate) async fn verify_trail(steward: State<'_, Steward>) -> Result<TrailView, Problem> {
    trail::verify(&steward.context.history).await
}

/// Exports the audit trail to a file that the user chooses: the events of a search, by site and time.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_trail(
    steward: State<'_, Steward>,
    search: HistorySearch,
    format: TrailFormat,
) -> Result<SaveResult, Problem> {
    trail::save(&steward.context.history, &steward.dialogs, search, format).await
}
