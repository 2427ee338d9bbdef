//! Commands of operation 6: participant contact update.

use steward_core::batch::result::BatchResult;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::operations::update_participant;
use steward_core::operations::update_participant::{UpdateParticipantForm, UpdateReport};
use steward_core::runs::RunId;
use steward_core::steward::Steward;
use tauri::State;

/// Updates the contact of a participant.
///
/// # Errors
/// Those of [`update_participant::perform`].
#[tauri::command]
#[specta::specta]
pub async fn update_participant(
    steward: State<'_, Steward>,
    site: SiteId,
    run: RunId,
    form: UpdateParticipantForm,
) -> Result<RunResult<UpdateReport>, Problem> {
    update_participant::perform(&steward.context, &site, run, form).await
}

/// Updates the contacts of several participants, one after another, each with its own record.
///
/// # Errors
/// Those of [`update_participant::perform_several`].
#[tauri::command]
#[specta::specta]
pub async fn update_participants(
    steward: State<'_, Steward>,
    site: SiteId,
    run: RunId,
    forms: Vec<UpdateParticipantForm>,
) -> Result<RunResult<BatchResult<UpdateReport>>, Problem> {
    update_participant::perform_several(&steward.context, &steward.contacts_batches, &site, run, forms).await
}
