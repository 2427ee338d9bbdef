//! Rules for backup plans in the policy of the organization.

use steward_core::history::record::History;
use steward_core::model::problem::{FieldError, Problem};
use steward_core::settings::policy::{AlertsRule, PlansRule, Policy};

use super::alerts::channel::AlertSettings;
use super::drive::{LOOK, within};
use super::plan::BackupPlan;

/// Name of backup plans in the audit trail if the policy does not allow one.
const PLANS: &str = "backup_plans";

/// Checks whether the policy allows backup plans at all, and tells the audit trail if it does not.
///
/// # Errors
/// [`Problem::Form`] at `id`.
pub async fn any_allowed(policy: &Policy, history: &History) -> Result<(), Problem> {
    match policy.plans_rule() {
        PlansRule::Allowed => Ok(()),
        PlansRule::Forbidden => refused(history, "id").await,
    }
}

/// Checks whether the policy allows a plan and its folder, and tells the audit trail if it does not.
///
/// # Errors
/// - [`Problem::Form`] at the field that it does not allow: `id` for every plan.
/// - [`Problem::File`] if the drive of the folder does not respond.
async fn allowed(policy: &Policy, history: &History, plan: &BackupPlan) -> Result<(), Problem> {
    any_allowed(policy, history).await?;
    let (of_policy, folder) = (policy.clone(), plan.folder.clone());
    let is_allowed = move || of_policy.allows_set_folder(&folder);
    // A plan that is paused can have none yet.
    if plan.folder.as_os_str().is_empty() || within(LOOK, &plan.folder, is_allowed).await? {
        return Ok(());
    }
    refused(history, "folder").await
}

/// Tells the audit trail that a run did not begin because the policy does not allow the folder of its plan.
pub(crate) async fn tell_folder_refused(history: &History) {
    history.refused_by_policy(PLANS, None).await;
}

/// Checks whether the policy allows a plan to be saved. It can require a channel for the alerts of an enabled plan. A
/// saved plan without one still runs, because a site without a backup is worse.
///
/// # Errors
/// - [`Problem::Form`] at the field that it does not allow: `id` for every plan.
/// - [`Problem::File`] if the drive of the folder does not respond.
pub async fn can_be_saved(
    policy: &Policy,
    history: &History,
    plan: &BackupPlan,
    channels: &AlertSettings,
) -> Result<(), Problem> {
    allowed(policy, history, plan).await?;
    let is_missing = plan.is_enabled && policy.alerts_rule() == AlertsRule::Required;
    if is_missing && !has_channel(policy, plan, channels) {
        return refused(history, "alerts").await;
    }
    Ok(())
}

/// Returns whether a plan has a channel besides the desktop that the policy allows.
#[must_use]
pub fn has_channel(policy: &Policy, plan: &BackupPlan, channels: &AlertSettings) -> bool {
    channels.channels.iter().any(|channel| {
        let (kind, host) = (channel.means.kind(), channel.means.host());
        plan.alerts.contains(&channel.id) && policy.allows_alerts_by(kind, &host)
    })
}

async fn refused(history: &History, field: &str) -> Result<(), Problem> {
    history.refused_by_policy(PLANS, None).await;
    Err(Problem::form(field, FieldError::NotAllowed))
}
