//! 7 An invitation for another 72 hours.

use steward_core::host::Host;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::Ended;
use steward_core::model::saved_file::Saving;
use steward_core::operations::refresh_invitation;
use steward_core::operations::refresh_invitation::{
    KeptFile, KeptInvitationView, RefreshInvitationForm, RefreshReport,
};
use steward_core::runs::RunId;
use tauri::State;

/// Refreshes an invitation and saves it where the person says.
#[tauri::command]
#[specta::specta]
pub async fn refresh_invitation(
    host: State<'_, Host>,
    site: SiteId,
    run: RunId,
    form: RefreshInvitationForm,
) -> Result<Ended<RefreshReport>, Problem> {
    refresh_invitation::perform(&host, &site, run, form).await
}

/// Saves an invitation that is still in hand.
#[tauri::command]
#[specta::specta]
pub async fn save_invitation_again(host: State<'_, Host>, kept: KeptFile) -> Result<Saving, Problem> {
    refresh_invitation::save_kept(&host, &kept).await
}

/// Refreshed invitations of a site that are not saved yet, also those of an earlier start of the program.
#[tauri::command]
#[specta::specta]
#[must_use]
pub fn list_kept_invitations(host: State<'_, Host>, site: SiteId) -> Vec<KeptInvitationView> {
    refresh_invitation::waiting(&host, &site)
}

/// Lets go of a refreshed invitation that nobody wants to save.
#[tauri::command]
#[specta::specta]
pub fn discard_kept_invitation(host: State<'_, Host>, kept: KeptFile) {
    host.kept.forget(&kept.0);
}
