//! Command of operation 5: data store item search.

use steward_core::model::ids::Target;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::operations::find_items;
use steward_core::operations::find_items::{FindItemsForm, FirstRows, FoundItems};
use steward_core::runs::RunId;
use steward_core::steward::Steward;
use tauri::State;

/// Searches data store items.
///
/// # Errors
/// Those of [`find_items::perform`].
#[tauri::command]
#[specta::specta]
pub async fn find_items(
    steward: State<'_, Steward>,
    target: Target,
    run: RunId,
    form: FindItemsForm,
    first: FirstRows,
) -> Result<RunResult<FoundItems>, Problem> {
    find_items::perform(&steward.context, &steward.item_searches, &target, run, form, first).await
}
