//! About this program.

use serde::Serialize;
use tauri::State;

use crate::host::Host;

/// What a person may be asked for when something is wrong.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct About {
    /// Version of the program.
    pub version: String,
    /// Where it keeps its files.
    pub data_folder: String,
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
        keyring: keyring().to_owned(),
    }
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
