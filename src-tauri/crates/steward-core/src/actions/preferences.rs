//! How this person wants the program.

use serde::Serialize;

use crate::actions::record;
use crate::host::Host;
use crate::model::history_key::HistoryAct;
use crate::model::problem::Problem;
use crate::settings::policy::PolicyView;
use crate::settings::preferences::Preferences;

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
#[must_use]
pub fn preferences(host: &Host) -> PreferencesView {
    PreferencesView {
        preferences: host.preferences.get(),
        set_aside: host.preferences.set_aside.as_ref().map(|path| path.display().to_string()),
        policy: host.preferences.policy.view(),
    }
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
    let changes = record::connection_changes(&before.connection, &drafted.connection, password.is_some());
    if changes.is_empty() {
        return host.preferences.save(preferences);
    }
    let intent = record::intent_without_site(HistoryAct::ChangeConnection, changes);
    let saving = async {
        host.connections.keep_program_password(&before.connection, &drafted.connection, password).await?;
        let saved = host.preferences.save(preferences)?;
        host.connections.use_for_all(saved.connection.clone());
        for site in host.sites.all() {
            host.forget_way(&site.id);
        }
        Ok(saved)
    };
    record::recorded(host, intent, "", saving).await
}
