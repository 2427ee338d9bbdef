//! Several invitations at once, each into a file of one folder.

use steward_core::batch::result::Several;
use steward_core::host::Host;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::Ended;
use steward_core::operations::refresh_invitation::into_folder;
use steward_core::operations::refresh_invitation::{RefreshInvitationForm, RefreshReport};
use steward_core::runs::RunId;
use tauri::State;

/// Refreshes several invitations and saves their files in the folder that the person chooses first.
#[tauri::command]
#[specta::specta]
pub async fn refresh_invitations(
    host: State<'_, Host>,
    site: SiteId,
    run: RunId,
    forms: Vec<RefreshInvitationForm>,
) -> Result<Ended<Several<RefreshReport>>, Problem> {
    into_folder::perform(&host, &site, run, forms).await
}
