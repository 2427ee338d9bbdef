//! Newer versions of the program. Each of these is a person's press of a button; nothing here happens by itself.

use serde::Serialize;
use steward_core::host::Host;
use steward_core::model::problem::Problem;
use steward_core::updates::{UpdateView, Updates};
use tauri::{AppHandle, State};

use crate::practice::Practice;

/// Sent to the window whenever it stands otherwise.
#[derive(Debug, Clone, Serialize, specta::Type, tauri_specta::Event)]
pub struct UpdateMoved {
    /// How it stands.
    pub now: UpdateView,
}

/// How it stands with newer versions. Asks nobody.
#[tauri::command]
#[specta::specta]
#[must_use]
#[expect(clippy::needless_pass_by_value, reason = "the state is handed over so")]
pub fn update_state(host: State<'_, Host>, updates: State<'_, Updates>) -> UpdateView {
    updates.now(&host)
}

/// Looks for a newer version.
#[tauri::command]
#[specta::specta]
pub async fn look_for_update(
    host: State<'_, Host>,
    updates: State<'_, Updates>,
) -> Result<UpdateView, Problem> {
    Ok(updates.look(&host).await)
}

/// Downloads and installs what was found last.
#[tauri::command]
#[specta::specta]
pub async fn install_update(
    host: State<'_, Host>,
    practice: State<'_, Practice>,
    updates: State<'_, Updates>,
    version: String,
) -> Result<UpdateView, Problem> {
    Ok(updates.install(&host, &|| practice.is_running(), &version).await)
}

/// Stops the download.
#[tauri::command]
#[specta::specta]
#[expect(clippy::needless_pass_by_value, reason = "the state is handed over so")]
pub fn stop_update(updates: State<'_, Updates>) {
    updates.stop();
}

/// Starts the program anew, for what was installed; answers only when that is not possible.
#[tauri::command]
#[specta::specta]
pub async fn restart_for_update(
    app: AppHandle,
    host: State<'_, Host>,
    practice: State<'_, Practice>,
    updates: State<'_, Updates>,
) -> Result<UpdateView, Problem> {
    if updates.may_restart(&host, &|| practice.is_running()) {
        crate::window::restart(&app);
    }
    Ok(updates.now(&host))
}
