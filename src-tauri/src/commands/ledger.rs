//! Services whose webhooks are silent, and what is due.

use tauri::State;

use crate::host::Host;
use crate::problem::Problem;
use crate::reminders::{self, Reminder};
use crate::runs::RunId;
use crate::silences::{self, RestoreReport, SilenceId, SilenceView};
use crate::sites::SiteId;
use crate::views::ended::Ended;
use crate::views::numbers::Millis;

/// The services of a site that were silenced, newest first.
#[tauri::command]
#[specta::specta]
pub async fn silence_ledger(host: State<'_, Host>, site: SiteId) -> Result<Vec<SilenceView>, Problem> {
    silences::ledger(&host, Some(&site)).await
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
    silences::restore(&host, &site, run, entry).await
}

/// When to remind of a silenced service; `null` for never.
#[tauri::command]
#[specta::specta]
pub async fn remind_me(host: State<'_, Host>, entry: SilenceId, at: Option<Millis>) -> Result<(), Problem> {
    silences::remind(&host, entry, at).await
}

/// A person says that a service needs no restoring any more. Nothing is sent.
#[tauri::command]
#[specta::specta]
pub async fn settle_silence(host: State<'_, Host>, site: SiteId, entry: SilenceId) -> Result<(), Problem> {
    silences::settle(&host, &site, entry).await
}

/// What is due: silenced services to think of, invitations that end soon.
#[tauri::command]
#[specta::specta]
pub async fn reminders(host: State<'_, Host>) -> Result<Vec<Reminder>, Problem> {
    reminders::due(&host, Millis::now()).await
}
