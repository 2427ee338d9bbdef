//! Command for the request preview.

use steward_core::model::ids::Target;
use steward_core::model::problem::Problem;
use steward_core::request_preview::{self, OperationForm, RequestPreview};
use steward_core::steward::Steward;
use tauri::State;

/// Returns the requests that an operation with this form sends.
///
/// # Errors
/// Those of [`request_preview::preview`].
#[tauri::command]
#[specta::specta]
pub async fn preview_requests(
    steward: State<'_, Steward>,
    target: Target,
    form: OperationForm,
) -> Result<Vec<RequestPreview>, Problem> {
    request_preview::preview(&steward.context.access, &target, form).await
}
