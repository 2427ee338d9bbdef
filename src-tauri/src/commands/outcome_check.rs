//! Commands to check and set the outcome of a request without a response.

use steward_core::follow_up::outcome_check;
use steward_core::follow_up::outcome_check::{OutcomeCheck, OutcomeResolutionView};
use steward_core::history::Outcome;
use steward_core::model::ids::RecordId;
use steward_core::model::problem::Problem;
use steward_core::steward::Steward;
use tauri::State;

/// Checks the outcome of a record. No request has an effect.
///
/// # Errors
/// Those of [`outcome_check::check`].
#[tauri::command]
#[specta::specta]
pub async fn check_outcome(steward: State<'_, Steward>, record: RecordId) -> Result<OutcomeCheck, Problem> {
    let Steward { context, invitation_files, dialogs, .. } = &*steward;
    outcome_check::check(context, &invitation_files.unsaved, dialogs, &record).await
}

/// Stores the outcome that the user sets for a record without a response.
///
/// # Errors
/// Those of [`outcome_check::resolve`].
#[tauri::command]
#[specta::specta]
pub async fn set_outcome(
    steward: State<'_, Steward>,
    record: RecordId,
    outcome: Outcome,
    note: String,
) -> Result<(), Problem> {
    outcome_check::resolve(&steward.context, record, outcome, &note).await
}

/// Returns the outcome that a user set for a record; `null` if there is none.
///
/// # Errors
/// Those of [`outcome_check::resolution`].
#[tauri::command]
#[specta::specta]
pub async fn outcome_resolution(
    steward: State<'_, Steward>,
    record: RecordId,
) -> Result<Option<OutcomeResolutionView>, Problem> {
    outcome_check::resolution(&steward.context.history, record).await
}
