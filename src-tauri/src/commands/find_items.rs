//! 5 Data store items.

use steward_core::host::Host;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::Ended;
use steward_core::operations::find_items;
use steward_core::operations::find_items::{FindItemsForm, FirstRows, FoundItems};
use steward_core::runs::RunId;
use tauri::State;

/// Finds data store items.
#[tauri::command]
#[specta::specta]
pub async fn find_items(
    host: State<'_, Host>,
    site: SiteId,
    run: RunId,
    form: FindItemsForm,
    first: FirstRows,
) -> Result<Ended<FoundItems>, Problem> {
    find_items::perform(&host, &site, run, form, first).await
}
