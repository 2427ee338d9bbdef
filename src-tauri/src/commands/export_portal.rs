//! Command of operation 1: portal export.

use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::operations::export_portal;
use steward_core::operations::export_portal::{ExportPortalForm, PortalExportReport};
use steward_core::runs::RunId;
use steward_core::steward::Steward;
use tauri::State;

/// Exports a portal, or checks the destination.
///
/// # Errors
/// Those of [`export_portal::perform`].
#[tauri::command]
#[specta::specta]
pub async fn export_portal(
    steward: State<'_, Steward>,
    site: SiteId,
    run: RunId,
    form: ExportPortalForm,
) -> Result<RunResult<PortalExportReport>, Problem> {
    export_portal::perform(&steward.context, &site, run, form).await
}
