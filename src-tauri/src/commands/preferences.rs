//! How this person wants the program.

use serde::Serialize;
use tauri::State;

use crate::acts;
use crate::host::Host;
use crate::policy::PolicyView;
use crate::preferences::Preferences;
use crate::problem::Problem;
use crate::views::history_key::HistoryAct;
use crate::window::Appearance;

/// The preferences, what became of the file of before, and what the organisation decides.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PreferencesView {
    /// All of them.
    pub preferences: Preferences,
    /// Where the file was put that could not be read; `null` when all is well.
    pub set_aside: Option<String>,
    /// What the organisation decides; `null` when it decides nothing.
    pub policy: Option<PolicyView>,
}

/// How this person wants the program.
#[tauri::command]
#[specta::specta]
#[must_use]
pub fn preferences(host: State<'_, Host>) -> PreferencesView {
    PreferencesView {
        preferences: host.preferences.get(),
        set_aside: host.preferences.set_aside.as_ref().map(|path| path.display().to_string()),
        policy: host.preferences.policy.view(),
    }
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
    let saved = save(&host, preferences, proxy_password).await?;
    appearance.show(&saved);
    Ok(saved)
}

/// The saving itself.
pub async fn save(
    host: &Host,
    preferences: Preferences,
    proxy_password: Option<String>,
) -> Result<Preferences, Problem> {
    let before = host.preferences.get();
    let password = proxy_password.as_deref();
    let drafted = host.preferences.draft(preferences.clone())?;
    let changes = acts::connection_changes(&before.connection, &drafted.connection, password.is_some());
    if changes.is_empty() {
        return host.preferences.save(preferences);
    }
    let intent = acts::intent_without_site(HistoryAct::ChangeConnection, changes);
    let saving = async {
        host.connections.keep_program_password(&before.connection, &drafted.connection, password).await?;
        let saved = host.preferences.save(preferences)?;
        host.connections.use_for_all(saved.connection.clone());
        for site in host.sites.all() {
            host.forget_way(&site.id);
        }
        Ok(saved)
    };
    acts::recorded(host, intent, "", saving).await
}
