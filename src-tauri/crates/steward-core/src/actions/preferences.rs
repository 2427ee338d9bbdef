//! Reads and saves the preferences of the user.

use std::path::Path;

use serde::{Deserialize, Serialize};
use steward_journal::trail::Event;

use crate::actions::record;
use crate::actions::sites::forget_tokens;
use crate::model::history_key::HistoryAction;
use crate::model::problem::Problem;
use crate::settings::policy::PolicyView;
use crate::settings::preferences::{Preferences, PreferencesStore};
use crate::site_context::SiteContext;
use crate::sites::Site;

/// Preferences, with the data that could not be read and the policy of the organization.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PreferencesView {
    /// Preferences in effect.
    pub preferences: Preferences,
    /// Data that could not be read, or was changed, and that no user has marked as resolved.
    pub set_aside: Vec<SetAside>,
    /// Policy of the organization; `null` if there is none.
    pub policy: Option<PolicyView>,
}

/// Data that the app could not read, and that it moved or changed. It is shown until a user marks it as resolved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SetAside {
    /// Kind of the data.
    pub what: SetAsideData,
    /// Current path of the data.
    pub path: String,
    /// Whether the data has no content: the file was missing or empty.
    pub is_empty: bool,
}

impl SetAside {
    /// Returns the entry of a file or folder.
    #[must_use]
    pub fn at(what: SetAsideData, path: &Path) -> Self {
        let is_empty = path.symlink_metadata().map_or(true, |file| file.is_file() && file.len() == 0);
        Self { what, path: path.display().to_string(), is_empty }
    }
}

/// Data that could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum SetAsideData {
    /// The preferences. The defaults are in use.
    Preferences,
    /// All data, because a version before the first release wrote it.
    BeforeRelease,
    /// The saved sites: two had the same identifier, and one of them received a new one. The file was not moved.
    EqualSites,
    /// The unfinished uploads, which cannot be resumed.
    Uploads,
    /// A refreshed invitation whose file was not saved.
    Invitation,
    /// The recent filters of data store items.
    Filters,
    /// The last validations of data store items.
    Validations,
    /// The progress of the guided tour.
    GuidedTour,
    /// The reminders that a notification was shown for.
    Reminders,
    /// The last checks of portals and servers.
    Checks,
    /// The last checks whether sites are back after an import, and the waits for it.
    SiteProofs,
    /// The snapshots of sites, and the differences that users accepted.
    Snapshots,
    /// Number of the audit trail entry that was forwarded last. All entries are forwarded again.
    Forwarded,
    /// The backup plans. None of them runs.
    Plans,
    /// The progress of the backup plans: their last runs, and the times of their schedules that were handled.
    PlanProgress,
    /// The channels of alerts.
    Alerts,
    /// Which alerts were sent.
    ToldAlerts,
    /// Which failures of backup plans the user has seen.
    SeenPlans,
    /// The restores, or the rehearsals, that were begun.
    Restores,
    /// Size and position of the window.
    Window,
}

impl SetAsideData {
    /// Returns whether it decides what happens without a user.
    pub(crate) const fn decides(self) -> bool {
        match self {
            Self::Preferences
            | Self::Plans
            | Self::PlanProgress
            | Self::Alerts
            | Self::ToldAlerts
            | Self::Forwarded => true,
            Self::BeforeRelease
            | Self::EqualSites
            | Self::Uploads
            | Self::Invitation
            | Self::Filters
            | Self::Validations
            | Self::GuidedTour
            | Self::Reminders
            | Self::Checks
            | Self::SiteProofs
            | Self::Snapshots
            | Self::SeenPlans
            | Self::Restores
            | Self::Window => false,
        }
    }
}

/// Returns the preferences. `set_aside` is what could not be read.
#[must_use]
pub fn preferences(store: &PreferencesStore, set_aside: Vec<SetAside>) -> PreferencesView {
    PreferencesView { preferences: store.get(), set_aside, policy: store.policy.view() }
}

/// Saves preferences, and the password of the proxy. A change of the connection is recorded in the history, and ends the
/// sessions of the sites whose route or trust changes with it.
///
/// `proxy_password`: `None` keeps the stored password of an unchanged proxy, and an empty text deletes it.
///
/// # Errors
/// - [`Problem::Form`] if the proxy address or the CA certificate is invalid.
/// - [`Problem::File`] if the CA file cannot be read, or the preferences cannot be written.
/// - [`Problem::Busy`] if an operation runs on a site whose sessions end.
/// - [`Problem::Keyring`] if the keyring cannot be written.
/// - [`Problem::Unexpected`] if the history cannot be written. Then nothing is changed.
pub async fn save(
    store: &PreferencesStore,
    context: &SiteContext,
    preferences: Preferences,
    proxy_password: Option<String>,
) -> Result<Preferences, Problem> {
    let before = store.get();
    for setting in store.refused(&before, &preferences) {
        context.history.refused_by_policy(&setting.name(), None).await;
    }
    let password = proxy_password.as_deref();
    let drafted = store.draft(preferences.clone())?;
    let changes = record::connection_changes(&before.connection, &drafted.connection);
    let parameters = record::parameters_of(&changes, [("siteProxySecret", password.is_some())]);
    if parameters.is_empty() {
        let saved = store.save_since(&before, preferences)?;
        tell_changes(context, &before, &saved).await;
        return Ok(saved);
    }
    let mut rerouted = context.access.sites.all();
    rerouted.retain(|site| context.access.connections.is_rerouted_by(&drafted.connection, site));
    rerouted.iter().try_for_each(|site| context.runs.none_on(&site.id))?;
    let intent = record::intent_without_site(HistoryAction::ChangeConnection, parameters);
    let saving = async {
        // Delete first: if the keyring fails, the connection remains unchanged.
        forget_tokens_of(context, &rerouted).await?;
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
        // Again: a user might have signed in by the earlier route meanwhile.
        forget_tokens_of(context, &rerouted).await?;
        Ok(saved)
    };
    let saved = record::recorded_change(&context.history, intent, changes, "", saving).await?;
    tell_changes(context, &before, &saved).await;
    Ok(saved)
}

/// Records in the audit trail which preferences were changed. The connection has a history entry of its own, and the
/// last site is not a preference that a user sets.
async fn tell_changes(context: &SiteContext, before: &Preferences, after: &Preferences) {
    let shown = |preferences: &Preferences| match serde_json::to_value(preferences) {
        Ok(serde_json::Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    let (before, after) = (shown(before), shown(after));
    let changed = after.iter().filter(|(name, value)| {
        !matches!(name.as_str(), "lastSite" | "connection") && before.get(*name) != Some(*value)
    });
    let became = |(name, value): (&String, &serde_json::Value)| {
        let before = before.get(name).unwrap_or(&serde_json::Value::Null);
        (name.clone(), format!("{before} \u{2192} {value}"))
    };
    let changes: Vec<_> = changed.map(became).collect();
    if !changes.is_empty() {
        context.history.append(Event::PreferencesChanged { changes }).await;
    }
}

async fn forget_tokens_of(context: &SiteContext, sites: &[Site]) -> Result<(), Problem> {
    let mut forgotten = Ok(());
    for site in sites {
        forgotten = forgotten.and(forget_tokens(context, site).await);
        context.access.forget_known(&site.id);
    }
    forgotten
}
