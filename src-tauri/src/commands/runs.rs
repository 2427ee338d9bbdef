//! Commands for running operations.

use serde::Serialize;
use steward_command::command;
use steward_core::runs::{RunId, RunsNow};

use super::Program;

/// Event: a run began, changed its step, or ended.
#[derive(Debug, Clone, Serialize, specta::Type, tauri_specta::Event)]
pub(crate) struct RunsChanged {
    /// All runs after the change.
    pub now: RunsNow,
}

/// Returns all runs: the running operations, and those that ended and were not dismissed.
#[command]
pub(crate) fn list_runs(steward: Program<'_>) -> RunsNow {
    steward.context.runs.now()
}

/// Removes an ended run, after the user has seen it.
#[command]
pub(crate) fn dismiss_run(steward: Program<'_>, run: RunId) {
    steward.context.runs.dismiss(&run);
}

/// Stops waiting for a run. Sites cannot cancel an operation that has begun.
#[command]
pub(crate) fn stop_run(steward: Program<'_>, run: RunId) {
    steward.context.runs.stop(&run);
}
