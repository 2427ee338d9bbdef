//! What is running.

use serde::Serialize;
use tauri::State;

use crate::host::Host;
use crate::runs::{RunId, RunView};

/// Sent to the window whenever a run begins, moves or ends: all that are running.
#[derive(Debug, Clone, Serialize, specta::Type, tauri_specta::Event)]
pub struct RunsChanged {
    /// All runs, oldest first.
    pub runs: Vec<RunView>,
}

/// All runs.
#[tauri::command]
#[specta::specta]
#[must_use]
pub fn list_runs(host: State<'_, Host>) -> Vec<RunView> {
    host.runs.all()
}

/// Stops waiting for a run. The service has no way to cancel what it has begun.
#[tauri::command]
#[specta::specta]
pub fn stop_run(host: State<'_, Host>, run: RunId) {
    host.runs.stop(&run);
}
