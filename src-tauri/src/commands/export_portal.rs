//! 1 Portal export.

use steward_core::host::Host;
use steward_core::model::export_outcome::ExportOutcome;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::Ended;
use steward_core::operations::export_portal;
use steward_core::operations::export_portal::ExportPortalForm;
use steward_core::runs::RunId;
use tauri::State;

/// Exports a portal, or checks whether the place could take an export.
#[tauri::command]
#[specta::specta]
pub async fn export_portal(
    host: State<'_, Host>,
    site: SiteId,
    run: RunId,
    form: ExportPortalForm,
) -> Result<Ended<ExportOutcome>, Problem> {
    export_portal::checked_first(&host, &site, run, form).await
}
