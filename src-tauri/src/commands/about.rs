//! About this program.

use serde::Serialize;
use steward_core::diagnostics;
use steward_core::host::Host;
use steward_core::logs;
use steward_core::model::problem::Problem;
use tauri::State;

/// What a person may be asked for when something is wrong.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct About {
    /// Version of the program.
    pub version: String,
    /// Where it keeps its files.
    pub data_folder: String,
    /// Where it writes down what happens.
    pub log_folder: String,
    /// Where it keeps tokens.
    pub keyring: String,
}

/// About this program.
#[tauri::command]
#[specta::specta]
#[must_use]
pub fn about(host: State<'_, Host>) -> About {
    About {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        data_folder: host.data_folder.display().to_string(),
        log_folder: host.data_folder.join(logs::FOLDER).display().to_string(),
        keyring: diagnostics::keyring_name().to_owned(),
    }
}

/// Shows the newest log in the system's window of folders.
#[tauri::command]
#[specta::specta]
#[expect(clippy::needless_pass_by_value, reason = "the state is handed over so")]
pub fn show_logs(host: State<'_, Host>) -> Result<(), Problem> {
    logs::show(&host)
}
