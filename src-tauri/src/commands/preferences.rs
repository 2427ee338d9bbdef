//! Commands to read and save preferences.

use steward_core::actions::certificate_files;
use steward_core::actions::preferences::{self, PreferencesView};
use steward_core::model::problem::Problem;
use steward_core::settings::preferences::Preferences;
use steward_core::sites::ConnectionForm;
use steward_core::steward::Steward;
use tauri::State;

use crate::window::Appearance;

/// Returns the preferences of the user.
#[tauri::command]
#[specta::specta]
#[must_use]
pub fn preferences(steward: State<'_, Steward>) -> PreferencesView {
    preferences::preferences(&steward.preferences, &steward.set_aside)
}

/// Saves the preferences. The password of the proxy is stored in the keyring; `null` keeps the stored one.
///
/// # Errors
/// Those of [`certificate_files::check`] and [`preferences::save`].
#[tauri::command]
#[specta::specta]
pub async fn save_preferences(
    steward: State<'_, Steward>,
    appearance: State<'_, Appearance>,
    preferences: Preferences,
    proxy_password: Option<String>,
) -> Result<Preferences, Problem> {
    let named = ConnectionForm {
        ca_certificate: preferences.connection.ca_certificate.clone(),
        ..ConnectionForm::default()
    };
    let Steward { context, dialogs, preferences: store, .. } = &*steward;
    let (sites, program) = (&context.access.sites, store.get().connection);
    certificate_files::check(sites, None, &program, dialogs, &named)?;
    let saved =
        preferences::save(&steward.preferences, &steward.context, preferences, proxy_password).await?;
    appearance.show(&saved);
    Ok(saved)
}
