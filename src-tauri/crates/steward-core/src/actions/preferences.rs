//! Reads and saves the preferences of the user.

use serde::Serialize;

use crate::actions::record;
use crate::model::history_key::HistoryAction;
use crate::model::problem::Problem;
use crate::settings::policy::PolicyView;
use crate::settings::preferences::{Preferences, PreferencesStore};
use crate::site_context::SiteContext;

/// Preferences with the state of their file and the policy of the organization.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PreferencesView {
    /// Preferences in effect.
    pub preferences: Preferences,
    /// New path of a file that could not be read; `null` otherwise.
    pub set_aside: Option<String>,
    /// Policy of the organization; `null` if there is none.
    pub policy: Option<PolicyView>,
}

/// Returns the preferences.
#[must_use]
pub fn preferences(store: &PreferencesStore) -> PreferencesView {
    PreferencesView {
        preferences: store.get(),
        set_aside: store.set_aside.as_ref().map(|path| path.display().to_string()),
        policy: store.policy.view(),
    }
}

/// Saves preferences, and the password of the proxy. A change of the connection is recorded in the history.
///
/// `proxy_password`: `None` keeps the stored password of an unchanged proxy, and an empty text deletes it.
///
/// # Errors
/// - [`Problem::Form`] if the proxy address or the CA certificate is invalid.
/// - [`Problem::File`] if the CA file cannot be read, or the preferences cannot be written.
/// - [`Problem::Keyring`] if the keyring cannot be written.
/// - [`Problem::Unexpected`] if the history cannot be written. Then nothing is changed.
pub async fn save(
    store: &PreferencesStore,
    context: &SiteContext,
    preferences: Preferences,
    proxy_password: Option<String>,
) -> Result<Preferences, Problem> {
    let before = store.get();
    let password = proxy_password.as_deref();
    let drafted = store.draft(preferences.clone())?;
    let changes = record::connection_changes(&before.connection, &drafted.connection, password.is_some());
    if changes.is_empty() {
        return store.save_since(&before, preferences);
    }
    let intent = record::intent_without_site(HistoryAction::ChangeConnection, changes);
    let saving = async {
        context
            .access
            .connections
            .keep_program_password(&before.connection, &drafted.connection, password)
            .await?;
        let saved = store.save_since(&before, preferences)?;
        context.access.connections.use_for_all(saved.connection.clone());
        for site in context.access.sites.all() {
            context.access.forget_connection(&site.id);
        }
        Ok(saved)
    };
    record::recorded(&context.history, intent, "", saving).await
}
