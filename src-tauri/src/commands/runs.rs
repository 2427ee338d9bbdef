//! Commands for running operations.

use serde::Serialize;
use steward_app::steward::Steward;
use steward_core::runs::{RunId, RunsNow};
use tauri::State;

/// Event: a run began, changed its step, or ended.
#[derive(Debug, Clone, Serialize, specta::Type, tauri_specta::Event)]
pub(crate) struct RunsChanged {
    /// All runs after the change.
    pub now: RunsNow,
}

/// Returns all runs: the running operations, and those that ended and were not dismissed.
#[tauri::command]
#[specta::specta]
#[must_use]
pub(crate) fn list_runs(steward: State<'_, Steward>) -> RunsNow {
    steward.context.runs.now()
}

/// Removes an ended run, after the user has seen it.
#[tauri::command]
#[specta::specta]
pub(crate) fn dismiss_run(steward: State<'_, Steward>, run: RunId) {
    steward.context.runs.dismiss(&run);
}

/// Stops waiting for a run. Sites cannot cancel an operation that has begun.
#[tauri::command]
#[specta::specta]
pub(crate) fn stop_run(steward: State<'_, Steward>, run: RunId) {
    steward.context.runs.stop(&run);
}
