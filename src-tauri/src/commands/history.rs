//! Commands for the history: its entries, their details, and outcomes that a user sets.

use steward_app::steward::Steward;
use steward_command::command;
use steward_core::follow_up::outcome_check;
use steward_core::follow_up::outcome_check::{OutcomeCheck, OutcomeResolutionView};
use steward_core::history::details::RecordDetails;
use steward_core::history::{
    BatchId, HistoryEntry, HistoryFormat, HistoryPage, HistoryPlace, HistorySearch, Outcome, ReportFormat,
    details,
};
use steward_core::model::ids::{RecordId, SiteId};
use steward_core::model::import_report::ImportReport;
use steward_core::model::run_result::RunResult;
use steward_core::model::saved_file::{SaveResult, SavedFile};
use steward_core::runs::{RunId, carry_out};
use steward_core::transfers::recorded_export::{self, RecordedExport, RecordedVerification};
use steward_core::{files, history};

use super::{Program, Reply};

/// Returns the names of all users in the history.
#[command]
pub(crate) async fn history_users(steward: Program<'_>) -> Reply<Vec<String>> {
    history::history_users(&steward.context.history).await
}

/// Returns the import report of a record.
#[command]
pub(crate) async fn import_report(steward: Program<'_>, record: RecordId) -> Reply<ImportReport> {
    history::import_report(&steward.context.history, record).await
}

/// Exports an import report to a file that the user chooses.
#[command]
pub(crate) async fn save_report(
    steward: Program<'_>,
    record: RecordId,
    format: ReportFormat,
) -> Reply<SaveResult> {
    history::save_report(&steward.context.history, &steward.dialogs, &steward.language, record, format).await
}

/// Returns one page of a search in the history, newest first.
#[command]
pub(crate) async fn search_history(
    steward: Program<'_>,
    search: HistorySearch,
    older_than: Option<HistoryPlace>,
    limit: u32,
) -> Reply<HistoryPage> {
    history::page_of(&steward.context.history, search, older_than, limit).await
}

/// Returns all entries of a batch, newest first.
#[command]
pub(crate) async fn history_batch(steward: Program<'_>, batch: BatchId) -> Reply<Vec<HistoryEntry>> {
    history::batch_of(&steward.context.history, batch).await
}

/// Sets the reason or ticket of records; an empty text removes it.
#[command]
pub(crate) async fn set_reason(steward: Program<'_>, records: Vec<RecordId>, reason: String) -> Reply<()> {
    history::set_reason(&steward.context.history, records, &reason).await
}

/// Exports the audit package of one or several records.
#[command]
pub(crate) async fn save_audit_package(steward: Program<'_>, records: Vec<RecordId>) -> Reply<SaveResult> {
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
#[command]
pub(crate) async fn save_history(
    steward: Program<'_>,
    search: HistorySearch,
    format: HistoryFormat,
) -> Reply<SaveResult> {
    history::records_of(&steward.context.history, &steward.dialogs, &steward.language, search, format).await
}

/// Returns a curl command that repeats the request of a record. The token is read from a variable.
#[command]
pub(crate) async fn record_as_command(steward: Program<'_>, record: RecordId) -> Reply<String> {
    history::record_as_command(&steward.context.history, record).await
}

/// Returns a record with its requests and response.
#[command]
pub(crate) async fn record_details(steward: Program<'_>, record: RecordId) -> Reply<RecordDetails> {
    details::details_of(&steward.context.history, record).await
}

/// Returns the completed items of a record: items of its checklist, and messages of its report.
#[command]
pub(crate) async fn checklist(steward: Program<'_>, record: RecordId) -> Reply<Vec<String>> {
    details::checklist(&steward.context.history, record).await
}

/// Marks an item of a record as completed, or not.
#[command]
pub(crate) async fn set_checklist_item(
    steward: Program<'_>,
    record: RecordId,
    item: String,
    done: bool,
) -> Reply<()> {
    details::set_checklist_item(&steward.context.history, record, item, done).await
}

/// Returns size and SHA-256 of an export that a site on this computer wrote.
#[command]
pub(crate) async fn file_facts(steward: Program<'_>, path: String) -> Reply<SavedFile> {
    files::file_facts(&steward.dialogs, &steward.data_folder, path).await
}

/// Returns the file of a recorded export, if it was written where the app can read it; `null` otherwise.
#[command]
pub(crate) async fn recorded_export(steward: Program<'_>, record: RecordId) -> Reply<Option<RecordedExport>> {
    let Steward { context, dialogs, data_folder, .. } = &*steward;
    recorded_export::recorded_export(context, dialogs, data_folder, record).await
}

/// Verifies the file of a recorded export again. Nothing is sent.
#[command]
pub(crate) async fn verify_recorded_export(
    steward: Program<'_>,
    site: SiteId,
    run: RunId,
    record: RecordId,
) -> Reply<RunResult<RecordedVerification>> {
    let Steward { context, dialogs, data_folder, .. } = &*steward;
    Ok(carry_out(run, |run| {
        recorded_export::verify_recorded_export(context, dialogs, data_folder, &site, run, record)
    })
    .await)
}

/// Shows a saved file in the file manager.
#[command]
pub(crate) async fn show_in_folder(steward: Program<'_>, path: String) -> Reply<()> {
    details::show(&steward.dialogs, &steward.data_folder, &path)
}

/// Checks the outcome of a record. No request has an effect.
#[command]
pub(crate) async fn check_outcome(steward: Program<'_>, record: RecordId) -> Reply<OutcomeCheck> {
    let Steward { context, invitation_files, dialogs, .. } = &*steward;
    outcome_check::check(context, &invitation_files.unsaved, dialogs, &record).await
}

/// Stores the outcome that the user sets for a record without a response.
#[command]
pub(crate) async fn set_outcome(
    steward: Program<'_>,
    record: RecordId,
    outcome: Outcome,
    note: String,
) -> Reply<()> {
    outcome_check::resolve(&steward.context, record, outcome, &note).await?;
    // After an import that succeeded, the wait until the site is back begins.
    steward.proofs.look();
    Ok(())
}

/// Returns the outcome that a user set for a record; `null` if there is none.
#[command]
pub(crate) async fn outcome_resolution(
    steward: Program<'_>,
    record: RecordId,
) -> Reply<Option<OutcomeResolutionView>> {
    outcome_check::resolution(&steward.context.history, record).await
}
