//! Commands for the channels that backup plans send alerts by.

use steward_app::steward::Steward;
use steward_core::model::problem::Problem;
use steward_plans::alerts::channel::ChannelForm;
use steward_plans::alerts::fault::AlertFault;
use steward_plans::alerts::settings::{AlertsView, TestedChannel};
use steward_plans::plan::ChannelId;
use tauri::State;

use crate::desktop::SystemDesktop;

/// Returns the channels, and what the policy of the organization allows.
#[tauri::command]
#[specta::specta]
pub(crate) fn alerts(steward: State<'_, Steward>) -> AlertsView {
    steward.alerts.view(&steward.preferences.policy)
}

/// Saves a channel. Its address and its password are stored in the keyring.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_alert_channel(
    steward: State<'_, Steward>,
    form: ChannelForm,
) -> Result<AlertsView, Problem> {
    steward.alerts.save(&steward.context, &steward.preferences.policy, form).await
}

/// Deletes a channel with its address and password, and removes it from the plans that use it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn delete_alert_channel(
    steward: State<'_, Steward>,
    channel: ChannelId,
) -> Result<AlertsView, Problem> {
    let view = steward.alerts.delete(&steward.context, &steward.preferences.policy, &channel).await?;
    steward.plans.forget_channel(&steward.context, &channel)?;
    Ok(view)
}

/// Sends a test by a channel, saved or not, and returns why it did not arrive; `null` if the receiver took it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn test_alert_channel(
    steward: State<'_, Steward>,
    tested: TestedChannel,
) -> Result<Option<AlertFault>, Problem> {
    steward.alerts.test(&steward.context, &steward.preferences.policy, &SystemDesktop, tested).await
}
