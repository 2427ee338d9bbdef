//! About this program.

use serde::Serialize;
use tauri::State;

use crate::host::Host;
use crate::problem::Problem;

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
        log_folder: host.data_folder.join(crate::logs::FOLDER).display().to_string(),
        keyring: keyring().to_owned(),
    }
}

/// Shows the newest log in the system's window of folders.
#[tauri::command]
#[specta::specta]
#[expect(clippy::needless_pass_by_value, reason = "the state is handed over so")]
pub fn show_logs(host: State<'_, Host>) -> Result<(), Problem> {
    let folder = host.data_folder.join(crate::logs::FOLDER);
    let files = std::fs::read_dir(&folder).map_err(|error| Problem::file(&folder, &error))?;
    let newest = files
        .filter_map(Result::ok)
        .map(|file| file.path())
        .max_by_key(|file| file.metadata().and_then(|about| about.modified()).ok());
    host.dialogs.show(newest.as_deref().unwrap_or(&folder), &host.data_folder)
}

/// What keeps tokens on this system.
pub(crate) const fn keyring() -> &'static str {
    if cfg!(windows) {
        "Windows Credential Manager"
    } else if cfg!(target_os = "macos") {
        "macOS Keychain"
    } else {
        "Secret Service"
    }
}
