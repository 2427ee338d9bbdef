//! Command to refresh several invitations into a folder.

use steward_core::batch::result::BatchResult;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::operations::refresh_invitation::into_folder;
use steward_core::operations::refresh_invitation::{RefreshInvitationForm, RefreshReport};
use steward_core::runs::RunId;
use steward_core::steward::Steward;
use tauri::State;

/// Refreshes several invitations, and saves their files in a folder that the user chooses first.
///
/// # Errors
/// Those of [`into_folder::perform`].
#[tauri::command]
#[specta::specta]
pub async fn refresh_invitations(
    steward: State<'_, Steward>,
    site: SiteId,
    run: RunId,
    forms: Vec<RefreshInvitationForm>,
) -> Result<RunResult<BatchResult<RefreshReport>>, Problem> {
    into_folder::perform(&steward.context, &steward.invitation_files, &site, run, forms).await
}
