//! Commands of the page about a start that failed.

use steward_core::start::StartChoice;
use tauri::{AppHandle, State};

use crate::failed_start::{FailedStart, StartProblemView};
use crate::start;

/// Returns why the app could not start; `null` if it did. No other command can be used then.
#[tauri::command]
#[specta::specta]
#[must_use]
#[expect(clippy::needless_pass_by_value, reason = "a command gets its own handle")]
pub fn start_problem(start: State<'_, FailedStart>) -> Option<StartProblemView> {
    start.view()
}

/// Does what the user chose, and starts again. Returns what is wrong next; `null` if the app is started.
#[tauri::command(async)]
#[specta::specta]
#[must_use]
#[expect(clippy::needless_pass_by_value, reason = "a command gets its own handle")]
pub fn resolve_start(app: AppHandle, choice: StartChoice) -> Option<StartProblemView> {
    start::resolve(&app, choice)
}

/// Ends an app that could not start.
#[tauri::command]
#[specta::specta]
#[expect(clippy::needless_pass_by_value, reason = "a command gets its own handle")]
pub fn quit_start(app: AppHandle) {
    app.exit(1);
}
