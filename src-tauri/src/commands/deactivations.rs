//! Commands for the deactivation log.

use steward_app::steward::Steward;
use steward_core::batch::result::BatchResult;
use steward_core::model::ids::{SiteId, Target};
use steward_core::model::numbers::Millis;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::runs::{NewRun, carry_out};
use steward_core::webhooks::deactivation_log;
use steward_core::webhooks::deactivation_log::{DeactivationId, DeactivationView};
use steward_core::webhooks::reactivation;
use steward_core::webhooks::reactivation::ReactivationReport;
use tauri::State;

/// Returns the deactivation log of a site, newest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_deactivations(
    steward: State<'_, Steward>,
    site: SiteId,
) -> Result<Vec<DeactivationView>, Problem> {
    deactivation_log::entries(&steward.context, Some(&site)).await
}

/// Compares the open entries of the deactivation log with a server, and returns the log of the site as it is then.
#[tauri::command]
#[specta::specta]
pub(crate) async fn compare_deactivations(
    steward: State<'_, Steward>,
    target: Target,
) -> Result<Vec<DeactivationView>, Problem> {
    deactivation_log::compare(&steward.context, &target).await
}

/// Reactivates exactly the webhooks that were active before.
#[tauri::command]
#[specta::specta]
pub(crate) async fn reactivate_webhooks(
    steward: State<'_, Steward>,
    target: Target,
    run: NewRun,
    entry: DeactivationId,
) -> Result<RunResult<ReactivationReport>, Problem> {
    Ok(carry_out(run, |run| reactivation::reactivate(&steward.context, &target, run, entry)).await)
}

/// Reactivates one webhook of an entry of the deactivation log.
#[tauri::command]
#[specta::specta]
pub(crate) async fn reactivate_webhook(
    steward: State<'_, Steward>,
    target: Target,
    run: NewRun,
    entry: DeactivationId,
    webhook: String,
) -> Result<RunResult<ReactivationReport>, Problem> {
    Ok(carry_out(run, |run| reactivation::reactivate_one(&steward.context, &target, run, entry, &webhook))
        .await)
}

/// Reactivates the webhooks of several entries in one run.
#[tauri::command]
#[specta::specta]
pub(crate) async fn reactivate_all_webhooks(
    steward: State<'_, Steward>,
    target: Target,
    run: NewRun,
    entries: Vec<DeactivationId>,
) -> Result<RunResult<BatchResult<ReactivationReport>>, Problem> {
    Ok(carry_out(run, |run| reactivation::reactivate_several(&steward.context, &target, run, entries)).await)
}

/// Sets the reminder of an entry; `null` for none.
#[tauri::command]
#[specta::specta]
pub(crate) async fn remind_me(
    steward: State<'_, Steward>,
    entry: DeactivationId,
    at: Option<Millis>,
) -> Result<(), Problem> {
    deactivation_log::remind(&steward.context.history, entry, at).await
}

/// Marks an entry as resolved. Nothing is sent.
#[tauri::command]
#[specta::specta]
pub(crate) async fn resolve_deactivation(
    steward: State<'_, Steward>,
    site: SiteId,
    entry: DeactivationId,
) -> Result<(), Problem> {
    deactivation_log::resolve(&steward.context, &site, entry).await
}
