//! Commands for the deactivation log.

use steward_command::command;
use steward_core::batch::result::BatchResult;
use steward_core::model::ids::{SiteId, Target};
use steward_core::model::numbers::Millis;
use steward_core::model::run_result::RunResult;
use steward_core::runs::{NewRun, carry_out};
use steward_core::webhooks::deactivation_log;
use steward_core::webhooks::deactivation_log::{DeactivationId, DeactivationView};
use steward_core::webhooks::reactivation;
use steward_core::webhooks::reactivation::ReactivationReport;

use super::{Program, Reply};

/// Returns the deactivation log of a site, newest first.
#[command]
pub(crate) async fn list_deactivations(steward: Program<'_>, site: SiteId) -> Reply<Vec<DeactivationView>> {
    deactivation_log::entries(&steward.context, Some(&site)).await
}

/// Compares the open entries of the deactivation log with a server, and returns the log of the site as it is then.
#[command]
pub(crate) async fn compare_deactivations(
    steward: Program<'_>,
    target: Target,
) -> Reply<Vec<DeactivationView>> {
    deactivation_log::compare(&steward.context, &target).await
}

/// Reactivates exactly the webhooks that were active before.
#[command]
pub(crate) async fn reactivate_webhooks(
    steward: Program<'_>,
    target: Target,
    run: NewRun,
    entry: DeactivationId,
) -> Reply<RunResult<ReactivationReport>> {
    Ok(carry_out(run, |run| reactivation::reactivate(&steward.context, &target, run, entry)).await)
}

/// Reactivates one webhook of an entry of the deactivation log.
#[command]
pub(crate) async fn reactivate_webhook(
    steward: Program<'_>,
    target: Target,
    run: NewRun,
    entry: DeactivationId,
    webhook: String,
) -> Reply<RunResult<ReactivationReport>> {
    Ok(carry_out(run, |run| reactivation::reactivate_one(&steward.context, &target, run, entry, &webhook))
        .await)
}

/// Reactivates the webhooks of several entries in one run.
#[command]
pub(crate) async fn reactivate_all_webhooks(
    steward: Program<'_>,
    target: Target,
    run: NewRun,
    entries: Vec<DeactivationId>,
) -> Reply<RunResult<BatchResult<ReactivationReport>>> {
    Ok(carry_out(run, |run| reactivation::reactivate_several(&steward.context, &target, run, entries)).await)
}

/// Sets the reminder of an entry; `null` for none.
#[command]
pub(crate) async fn remind_me(steward: Program<'_>, entry: DeactivationId, at: Option<Millis>) -> Reply<()> {
    deactivation_log::remind(&steward.context.history, entry, at).await
}

/// Marks an entry as resolved. Nothing is sent.
#[command]
pub(crate) async fn resolve_deactivation(
    steward: Program<'_>,
    site: SiteId,
    entry: DeactivationId,
) -> Reply<()> {
    deactivation_log::resolve(&steward.context, &site, entry).await
}
