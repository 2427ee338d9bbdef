//! How this person wants the program.

use steward_core::actions::preferences::{self, PreferencesView};
use steward_core::host::Host;
use steward_core::model::problem::Problem;
use steward_core::settings::preferences::Preferences;
use tauri::State;

use crate::window::Appearance;

/// How this person wants the program.
#[tauri::command]
#[specta::specta]
#[must_use]
pub fn preferences(host: State<'_, Host>) -> PreferencesView {
    preferences::preferences(&host)
}

/// Keeps the preferences. The proxy's password goes to the keyring; `null` leaves the one that is kept.
#[tauri::command]
#[specta::specta]
pub async fn save_preferences(
    host: State<'_, Host>,
    appearance: State<'_, Appearance>,
    preferences: Preferences,
    proxy_password: Option<String>,
) -> Result<Preferences, Problem> {
    let saved = preferences::save(&host, preferences, proxy_password).await?;
    appearance.show(&saved);
    Ok(saved)
}
