//! Commands for the audit trail.

use steward_app::steward::Steward;
use steward_core::history::HistorySearch;
use steward_core::history::trail::{self, TrailFormat, TrailPage, TrailView};
use steward_core::model::numbers::EntryNumber;
use steward_core::model::problem::Problem;
use steward_core::model::saved_file::SaveResult;
use tauri::State;

/// Returns what is known of the audit trail, without a verification.
#[tauri::command]
#[specta::specta]
pub(crate) async fn trail_status(steward: State<'_, Steward>) -> Result<TrailView, Problem> {
    steward.verification.status(&steward.context.history).await
}

/// Verifies the whole audit trail.
#[tauri::command]
#[specta::specta]
pub(crate) async fn verify_trail(steward: State<'_, Steward>) -> Result<TrailView, Problem> {
    steward.verification.verify(&steward.context.history).await
}

/// Stops the verification of the audit trail. It leaves no entry there.
#[tauri::command]
#[specta::specta]
#[expect(clippy::needless_pass_by_value, reason = "the state is handed over so")]
pub(crate) fn stop_trail_verification(steward: State<'_, Steward>) {
    steward.verification.stop();
}

/// Returns events of the audit trail, newest first: of a search, by site and time, and of these kinds (empty for all),
/// older than the entry `before`.
#[tauri::command]
#[specta::specta]
pub(crate) async fn trail_events(
    steward: State<'_, Steward>,
    search: HistorySearch,
    kinds: Vec<String>,
    before: Option<EntryNumber>,
    limit: u32,
) -> Result<TrailPage, Problem> {
    trail::events(&steward.context.history, search, kinds, before, limit).await
}

/// Exports the audit trail to a file that the user chooses: the events of a search, by site and time, and of these
/// kinds (empty for all).
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_trail(
    steward: State<'_, Steward>,
    search: HistorySearch,
    kinds: Vec<String>,
    format: TrailFormat,
) -> Result<SaveResult, Problem> {
    trail::save(&steward.context.history, &steward.dialogs, search, kinds, format).await
}
