//! Commands about the program and its logs.

use serde::Serialize;
use steward_core::diagnostics;
use steward_core::logs;
use steward_core::model::problem::Problem;
use steward_core::steward::Steward;
use tauri::State;

/// Information for support.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct About {
    /// Version of the app.
    pub version: String,
    /// Path of the data folder.
    pub data_folder: String,
    /// Path of the log folder.
    pub log_folder: String,
    /// Name of the keyring.
    pub keyring: String,
}

/// Returns information about the program.
#[tauri::command]
#[specta::specta]
#[must_use]
pub fn about(steward: State<'_, Steward>) -> About {
    About {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        data_folder: steward.data_folder.display().to_string(),
        log_folder: steward.data_folder.join(logs::FOLDER).display().to_string(),
        keyring: diagnostics::keyring_name().to_owned(),
    }
}

/// Shows the newest log in the file manager.
///
/// # Errors
/// Those of [`logs::show`].
#[tauri::command]
#[specta::specta]
#[expect(clippy::needless_pass_by_value, reason = "the state is handed over so")]
pub fn show_logs(steward: State<'_, Steward>) -> Result<(), Problem> {
    logs::show(&steward.dialogs, &steward.data_folder)
}
