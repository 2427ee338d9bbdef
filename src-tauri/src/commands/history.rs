//! Commands for the history: its entries, their details, and outcomes that a user sets.

use steward_app::steward::Steward;
use steward_core::follow_up::outcome_check;
use steward_core::follow_up::outcome_check::{OutcomeCheck, OutcomeResolutionView};
use steward_core::history::details::RecordDetails;
use steward_core::history::{
    BatchId, HistoryEntry, HistoryFormat, HistoryPage, HistoryPlace, HistorySearch, Outcome, ReportFormat,
    details,
};
use steward_core::model::ids::{RecordId, SiteId};
use steward_core::model::import_report::ImportReport;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::model::saved_file::{SaveResult, SavedFile};
use steward_core::runs::{RunId, carry_out};
use steward_core::transfers::recorded_export::{self, RecordedExport, RecordedVerification};
use steward_core::{files, history};
use tauri::State;

/// Returns the names of all users in the history.
#[tauri::command]
#[specta::specta]
pub(crate) async fn history_users(steward: State<'_, Steward>) -> Result<Vec<String>, Problem> {
    history::history_users(&steward.context.history).await
}

/// Returns the import report of a record.
#[tauri::command]
#[specta::specta]
pub(crate) async fn import_report(
    steward: State<'_, Steward>,
    record: RecordId,
) -> Result<ImportReport, Problem> {
    history::import_report(&steward.context.history, record).await
}

/// Exports an import report to a file that the user chooses.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_report(
    steward: State<'_, Steward>,
    record: RecordId,
    format: ReportFormat,
) -> Result<SaveResult, Problem> {
    history::save_report(&steward.context.history, &steward.dialogs, &steward.language, record, format).await
}

/// Returns one page of a search in the history, newest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn search_history(
    steward: State<'_, Steward>,
    search: HistorySearch,
    older_than: Option<HistoryPlace>,
    limit: u32,
) -> Result<HistoryPage, Problem> {
    history::page_of(&steward.context.history, search, older_than, limit).await
}

/// Returns all entries of a batch, newest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn history_batch(
    steward: State<'_, Steward>,
    batch: BatchId,
) -> Result<Vec<HistoryEntry>, Problem> {
    history::batch_of(&steward.context.history, batch).await
}

/// Sets the reason or ticket of records; an empty text removes it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn set_reason(
    steward: State<'_, Steward>,
    records: Vec<RecordId>,
    reason: String,
) -> Result<(), Problem> {
    history::set_reason(&steward.context.history, records, &reason).await
}

/// Exports the audit package of one or several records.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_audit_package(
    steward: State<'_, Steward>,
    records: Vec<RecordId>,
) -> Result<SaveResult, Problem> {
    history::save_audit_package(
        &steward.context.history,
        &steward.dialogs,
        &steward.language,
        &steward.tour,
        records,
    )
    .await
}

/// Exports all records of a search.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_history(
    steward: State<'_, Steward>,
    search: HistorySearch,
    format: HistoryFormat,
) -> Result<SaveResult, Problem> {
    history::records_of(&steward.context.history, &steward.dialogs, &steward.language, search, format).await
}

/// Returns a curl command that repeats the request of a record. The token is read from a variable.
#[tauri::command]
#[specta::specta]
pub(crate) async fn record_as_command(
    steward: State<'_, Steward>,
    record: RecordId,
) -> Result<String, Problem> {
    history::record_as_command(&steward.context.history, record).await
}

/// Returns a record with its requests and response.
#[tauri::command]
#[specta::specta]
pub(crate) async fn record_details(
    steward: State<'_, Steward>,
    record: RecordId,
) -> Result<RecordDetails, Problem> {
    details::details_of(&steward.context.history, record).await
}

/// Returns the completed items of a record: items of its checklist, and messages of its report.
#[tauri::command]
#[specta::specta]
pub(crate) async fn checklist(steward: State<'_, Steward>, record: RecordId) -> Result<Vec<String>, Problem> {
    details::checklist(&steward.context.history, record).await
}

/// Marks an item of a record as completed, or not.
#[tauri::command]
#[specta::specta]
pub(crate) async fn set_checklist_item(
    steward: State<'_, Steward>,
    record: RecordId,
    item: String,
    done: bool,
) -> Result<(), Problem> {
    details::set_checklist_item(&steward.context.history, record, item, done).await
}

/// Returns size and SHA-256 of an export that a site on this computer wrote.
#[tauri::command]
#[specta::specta]
pub(crate) async fn file_facts(steward: State<'_, Steward>, path: String) -> Result<SavedFile, Problem> {
    files::file_facts(&steward.dialogs, &steward.data_folder, path).await
}

/// Returns the file of a recorded export, if it was written where the app can read it; `null` otherwise.
#[tauri::command]
#[specta::specta]
pub(crate) async fn recorded_export(
    steward: State<'_, Steward>,
    record: RecordId,
) -> Result<Option<RecordedExport>, Problem> {
    let Steward { context, dialogs, data_folder, .. } = &*steward;
    recorded_export::recorded_export(context, dialogs, data_folder, record).await
}

/// Verifies the file of a recorded export again. Nothing is sent.
#[tauri::command]
#[specta::specta]
pub(crate) async fn verify_recorded_export(
    steward: State<'_, Steward>,
    site: SiteId,
    run: RunId,
    record: RecordId,
) -> Result<RunResult<RecordedVerification>, Problem> {
    let Steward { context, dialogs, data_folder, .. } = &*steward;
    Ok(carry_out(run, |run| {
        recorded_export::verify_recorded_export(context, dialogs, data_folder, &site, run, record)
    })
    .await)
}

/// Shows a saved file in the file manager.
#[tauri::command]
#[specta::specta]
pub(crate) async fn show_in_folder(steward: State<'_, Steward>, path: String) -> Result<(), Problem> {
    details::show(&steward.dialogs, &steward.data_folder, &path)
}

/// Checks the outcome of a record. No request has an effect.
#[tauri::command]
#[specta::specta]
pub(crate) async fn check_outcome(
    steward: State<'_, Steward>,
    record: RecordId,
) -> Result<OutcomeCheck, Problem> {
    let Steward { context, invitation_files, dialogs, .. } = &*steward;
    outcome_check::check(context, &invitation_files.unsaved, dialogs, &record).await
}

/// Stores the outcome that the user sets for a record without a response.
#[tauri::command]
#[specta::specta]
pub(crate) async fn set_outcome(
    steward: State<'_, Steward>,
    record: RecordId,
    outcome: Outcome,
    note: String,
) -> Result<(), Problem> {
    outcome_check::resolve(&steward.context, record, outcome, &note).await?;
    // After an import that succeeded, the wait until the site is back begins.
    steward.proofs.look();
    Ok(())
}

/// Returns the outcome that a user set for a record; `null` if there is none.
#[tauri::command]
#[specta::specta]
pub(crate) async fn outcome_resolution(
    steward: State<'_, Steward>,
    record: RecordId,
) -> Result<Option<OutcomeResolutionView>, Problem> {
    outcome_check::resolution(&steward.context.history, record).await
}
