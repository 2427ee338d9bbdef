//! 4 Deactivation of all webhooks of services.

use steward_core::host::Host;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::Ended;
use steward_core::operations::deactivate_webhooks;
use steward_core::operations::deactivate_webhooks::{DeactivateReport, DeactivateWebhooksForm};
use steward_core::runs::RunId;
use tauri::State;

/// Silences the webhooks of services.
#[tauri::command]
#[specta::specta]
pub async fn deactivate_webhooks(
    host: State<'_, Host>,
    site: SiteId,
    run: RunId,
    form: DeactivateWebhooksForm,
) -> Result<Ended<DeactivateReport>, Problem> {
    deactivate_webhooks::perform(&host, &site, run, form).await
}
