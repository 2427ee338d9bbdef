//! 6 The contact of a collaboration participant.

use steward_core::batch::result::Several;
use steward_core::host::Host;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::Ended;
use steward_core::operations::update_participant;
use steward_core::operations::update_participant::{UpdateParticipantForm, UpdateReport};
use steward_core::runs::RunId;
use tauri::State;

/// Changes the contact of a participant.
#[tauri::command]
#[specta::specta]
pub async fn update_participant(
    host: State<'_, Host>,
    site: SiteId,
    run: RunId,
    form: UpdateParticipantForm,
) -> Result<Ended<UpdateReport>, Problem> {
    update_participant::perform(&host, &site, run, form).await
}

/// Changes the contacts of several participants, one after the other; each has its own record.
#[tauri::command]
#[specta::specta]
pub async fn update_participants(
    host: State<'_, Host>,
    site: SiteId,
    run: RunId,
    forms: Vec<UpdateParticipantForm>,
) -> Result<Ended<Several<UpdateReport>>, Problem> {
    update_participant::perform_several(&host, &site, run, forms).await
}
