//! Services whose webhooks are silent, and what is due.

use steward_core::follow_up::reminders;
use steward_core::follow_up::reminders::Reminder;
use steward_core::host::Host;
use steward_core::model::ids::SiteId;
use steward_core::model::numbers::Millis;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::Ended;
use steward_core::operations::deactivate_webhooks::deactivation_log;
use steward_core::operations::deactivate_webhooks::deactivation_log::{
    RestoreReport, SilenceId, SilenceView,
};
use steward_core::runs::RunId;
use tauri::State;

/// The services of a site that were silenced, newest first.
#[tauri::command]
#[specta::specta]
pub async fn silence_ledger(host: State<'_, Host>, site: SiteId) -> Result<Vec<SilenceView>, Problem> {
    deactivation_log::ledger(&host, Some(&site)).await
}

/// Activates exactly the webhooks that were active before.
#[tauri::command]
#[specta::specta]
pub async fn restore_webhooks(
    host: State<'_, Host>,
    site: SiteId,
    run: RunId,
    entry: SilenceId,
) -> Result<Ended<RestoreReport>, Problem> {
    deactivation_log::restore(&host, &site, run, entry).await
}

/// When to remind of a silenced service; `null` for never.
#[tauri::command]
#[specta::specta]
pub async fn remind_me(host: State<'_, Host>, entry: SilenceId, at: Option<Millis>) -> Result<(), Problem> {
    deactivation_log::remind(&host, entry, at).await
}

/// A person says that a service needs no restoring any more. Nothing is sent.
#[tauri::command]
#[specta::specta]
pub async fn settle_silence(host: State<'_, Host>, site: SiteId, entry: SilenceId) -> Result<(), Problem> {
    deactivation_log::settle(&host, &site, entry).await
}

/// What is due: silenced services to think of, invitations that end soon.
#[tauri::command]
#[specta::specta]
pub async fn reminders(host: State<'_, Host>) -> Result<Vec<Reminder>, Problem> {
    reminders::due(&host, Millis::now()).await
}
