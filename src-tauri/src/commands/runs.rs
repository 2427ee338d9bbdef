//! What is running.

use serde::Serialize;
use steward_core::host::Host;
use steward_core::runs::{EndedRun, RunId, RunView};
use tauri::State;

/// Sent to the window whenever a run begins, moves or ends.
#[derive(Debug, Clone, Serialize, specta::Type, tauri_specta::Event)]
pub struct RunsChanged {
    /// All runs, oldest first.
    pub runs: Vec<RunView>,
    /// Those that ended and were not dismissed yet, oldest first.
    pub ended: Vec<EndedRun>,
}

/// All runs.
#[tauri::command]
#[specta::specta]
#[must_use]
pub fn list_runs(host: State<'_, Host>) -> Vec<RunView> {
    host.runs.all()
}

/// Runs that ended and were not dismissed yet.
#[tauri::command]
#[specta::specta]
#[must_use]
pub fn list_ended_runs(host: State<'_, Host>) -> Vec<EndedRun> {
    host.runs.ended()
}

/// The person has seen how a run ended.
#[tauri::command]
#[specta::specta]
pub fn dismiss_run(host: State<'_, Host>, run: RunId) {
    host.runs.dismiss(&run);
}

/// Stops waiting for a run. The service has no way to cancel what it has begun.
#[tauri::command]
#[specta::specta]
pub fn stop_run(host: State<'_, Host>, run: RunId) {
    host.runs.stop(&run);
}
