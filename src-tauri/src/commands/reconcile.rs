//! Requests whose answer was lost: what can be seen now, and what the person concluded.

use steward_core::follow_up::outcome_check;
use steward_core::follow_up::outcome_check::{OutcomeCheck, SettlementView};
use steward_core::history::Outcome;
use steward_core::host::Host;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RecordId;
use tauri::State;

/// Looks at what became of a record. Nothing that has an effect is sent.
#[tauri::command]
#[specta::specta]
pub async fn check_outcome(host: State<'_, Host>, record: RecordId) -> Result<OutcomeCheck, Problem> {
    outcome_check::check(&host, &record).await
}

/// Writes down what the person found out about a record whose answer was lost.
#[tauri::command]
#[specta::specta]
pub async fn settle_outcome(
    host: State<'_, Host>,
    record: RecordId,
    outcome: Outcome,
    note: String,
) -> Result<(), Problem> {
    outcome_check::settle(&host, record, outcome.recorded(), &note).await
}

/// What a person concluded about a record; `null` when nobody had to.
#[tauri::command]
#[specta::specta]
pub async fn settlement(host: State<'_, Host>, record: RecordId) -> Result<Option<SettlementView>, Problem> {
    outcome_check::settlement(&host, record).await
}
