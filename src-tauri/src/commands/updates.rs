//! Commands to check for updates and install them, always on request of the user.

use serde::Serialize;
use steward_command::command;
use steward_core::updates::{UpdateView, Updates};
use tauri::{AppHandle, State};

use super::{Program, Reply};
use crate::practice::Practice;

/// Event: the state of the update changed.
#[derive(Debug, Clone, Serialize, specta::Type, tauri_specta::Event)]
pub(crate) struct UpdateChanged {
    /// New state.
    pub now: UpdateView,
}

/// Returns the state of the update, without a request.
#[command]
#[expect(clippy::needless_pass_by_value, reason = "the state is handed over so")]
pub(crate) fn update_state(steward: Program<'_>, updates: State<'_, Updates>) -> UpdateView {
    updates.now(&steward.preferences.policy)
}

/// Checks for an update.
#[command]
pub(crate) async fn check_for_update(steward: Program<'_>, updates: State<'_, Updates>) -> Reply<UpdateView> {
    Ok(updates.look(&steward.preferences.policy, &steward.context).await)
}

/// Downloads and installs the update that was found last.
#[command]
pub(crate) async fn install_update(
    steward: Program<'_>,
    practice: State<'_, Practice>,
    updates: State<'_, Updates>,
    version: String,
) -> Reply<UpdateView> {
    Ok(updates
        .install(
            &steward.preferences.policy,
            &steward.context,
            &steward.invitation_files.unsaved,
            &|| practice.is_running(),
            &version,
        )
        .await)
}

/// Stops the download of an update.
#[command]
#[expect(clippy::needless_pass_by_value, reason = "the state is handed over so")]
pub(crate) fn stop_update(updates: State<'_, Updates>) {
    updates.stop();
}

/// Restarts the app for an installed update. Returns only if that is not possible.
#[command]
pub(crate) async fn restart_for_update(
    app: AppHandle,
    steward: Program<'_>,
    practice: State<'_, Practice>,
    updates: State<'_, Updates>,
) -> Reply<UpdateView> {
    if updates
        .may_restart(&steward.context.runs, &steward.invitation_files.unsaved, &|| practice.is_running())
    {
        crate::window::restart(&app);
    }
    Ok(updates.now(&steward.preferences.policy))
}
