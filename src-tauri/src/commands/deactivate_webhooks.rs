//! Commands of operation 4: webhook deactivation.

use steward_core::model::ids::Target;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::operations::deactivate_webhooks;
use steward_core::operations::deactivate_webhooks::DeactivateWebhooksForm;
use steward_core::operations::deactivate_webhooks::single::{
    self, DeactivateWebhookForm, DeactivateWebhookReport,
};
use steward_core::runs::RunId;
use steward_core::steward::Steward;
use steward_core::webhooks::deactivation::DeactivateReport;
use tauri::State;

/// Deactivates the webhooks of services.
///
/// # Errors
/// Those of [`deactivate_webhooks::perform`].
#[tauri::command]
#[specta::specta]
pub async fn deactivate_webhooks(
    steward: State<'_, Steward>,
    target: Target,
    run: RunId,
    form: DeactivateWebhooksForm,
) -> Result<RunResult<DeactivateReport>, Problem> {
    deactivate_webhooks::perform(&steward.context, &target, run, form).await
}

/// Deactivates a single webhook of a service.
///
/// # Errors
/// Those of [`single::perform`].
#[tauri::command]
#[specta::specta]
pub async fn deactivate_webhook(
    steward: State<'_, Steward>,
    target: Target,
    run: RunId,
    form: DeactivateWebhookForm,
) -> Result<RunResult<DeactivateWebhookReport>, Problem> {
    single::perform(&steward.context, &target, run, form).await
}
