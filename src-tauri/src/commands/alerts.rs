//! Commands for the channels that backup plans send alerts by.

use steward_command::command;
use steward_plans::alerts::channel::ChannelForm;
use steward_plans::alerts::fault::AlertFault;
use steward_plans::alerts::settings::{AlertsView, TestedChannel};
use steward_plans::plan::ChannelId;

use super::{Program, Reply};
use crate::desktop::SystemDesktop;

/// Returns the channels, and what the policy of the organization allows.
#[command]
pub(crate) fn alerts(steward: Program<'_>) -> AlertsView {
    steward.alerts.view(&steward.preferences.policy)
}

/// Saves a channel. Its address and its password are stored in the keyring.
#[command]
pub(crate) async fn save_alert_channel(steward: Program<'_>, form: ChannelForm) -> Reply<AlertsView> {
    steward.alerts.save(&steward.context, &steward.preferences.policy, form).await
}

/// Deletes a channel with its address and password, and removes it from the plans that use it.
#[command]
pub(crate) async fn delete_alert_channel(steward: Program<'_>, channel: ChannelId) -> Reply<AlertsView> {
    let view = steward.alerts.delete(&steward.context, &steward.preferences.policy, &channel).await?;
    steward.plans.forget_channel(&steward.context, &channel)?;
    Ok(view)
}

/// Sends a test by a channel, saved or not, and returns why it did not arrive; `null` if the receiver took it.
#[command]
pub(crate) async fn test_alert_channel(
    steward: Program<'_>,
    tested: TestedChannel,
) -> Reply<Option<AlertFault>> {
    steward.alerts.test(&steward.context, &steward.preferences.policy, &SystemDesktop, tested).await
}
