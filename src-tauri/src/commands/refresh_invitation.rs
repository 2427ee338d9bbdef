//! Commands of operation 7: invitation refresh.

use steward_core::model::ids::{SiteId, UnsavedInvitationId};
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::model::saved_file::SaveResult;
use steward_core::operations::refresh_invitation;
use steward_core::operations::refresh_invitation::{
    RefreshInvitationForm, RefreshReport, UnsavedInvitationView,
};
use steward_core::runs::RunId;
use steward_core::steward::Steward;
use tauri::State;

/// Refreshes an invitation, and saves its file where the user chooses.
///
/// # Errors
/// Those of [`refresh_invitation::perform`].
#[tauri::command]
#[specta::specta]
pub async fn refresh_invitation(
    steward: State<'_, Steward>,
    site: SiteId,
    run: RunId,
    form: RefreshInvitationForm,
) -> Result<RunResult<RefreshReport>, Problem> {
    refresh_invitation::perform(&steward.context, &steward.invitation_files, &site, run, form).await
}

/// Saves an unsaved invitation.
///
/// # Errors
/// Those of [`refresh_invitation::save_kept`].
#[tauri::command]
#[specta::specta]
pub async fn save_invitation_again(
    steward: State<'_, Steward>,
    kept: UnsavedInvitationId,
) -> Result<SaveResult, Problem> {
    refresh_invitation::save_kept(&steward.invitation_files, &kept).await
}

/// Returns the unsaved invitations of a site, including those of earlier starts of the app.
#[tauri::command]
#[specta::specta]
#[must_use]
pub fn list_unsaved_invitations(steward: State<'_, Steward>, site: SiteId) -> Vec<UnsavedInvitationView> {
    refresh_invitation::waiting(&steward.invitation_files.unsaved, &site)
}

/// Deletes an unsaved invitation.
#[tauri::command]
#[specta::specta]
pub fn discard_unsaved_invitation(steward: State<'_, Steward>, kept: UnsavedInvitationId) {
    steward.invitation_files.unsaved.forget(&kept.0);
}
