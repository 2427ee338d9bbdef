//! Commands for the audit trail.

use steward_command::command;
use steward_core::history::HistorySearch;
use steward_core::history::trail::{self, TrailFormat, TrailPage, TrailView};
use steward_core::model::numbers::EntryNumber;
use steward_core::model::saved_file::SaveResult;

use super::{Program, Reply};

/// Returns what is known of the audit trail, without a verification.
#[command]
pub(crate) async fn trail_status(steward: Program<'_>) -> Reply<TrailView> {
    steward.verification.status(&steward.context.history).await
}

/// Verifies the whole audit trail.
#[command]
pub(crate) async fn verify_trail(steward: Program<'_>) -> Reply<TrailView> {
    steward.verification.verify(&steward.context.history).await
}

/// Stops the verification of the audit trail. It leaves no entry there.
#[command]
#[expect(clippy::needless_pass_by_value, reason = "the state is handed over so")]
pub(crate) fn stop_trail_verification(steward: Program<'_>) {
    steward.verification.stop();
}

/// Returns events of the audit trail, newest first: of a search, by site and time, and of these kinds (empty for all), older
/// than the entry `before`.
#[command]
pub(crate) async fn trail_events(
    steward: Program<'_>,
    search: HistorySearch,
    kinds: Vec<String>,
    before: Option<EntryNumber>,
    limit: u32,
) -> Reply<TrailPage> {
    trail::events(&steward.context.history, search, kinds, before, limit).await
}

/// Exports the audit trail to a file that the user chooses: the events of a search, by site and time, and of these kinds (empty
/// for all).
#[command]
pub(crate) async fn save_trail(
    steward: Program<'_>,
    search: HistorySearch,
    kinds: Vec<String>,
    format: TrailFormat,
) -> Reply<SaveResult> {
    trail::save(&steward.context.history, &steward.dialogs, search, kinds, format).await
}
