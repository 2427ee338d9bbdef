//! Details of one history entry: requests, response, checklist, and saved file.
//!
//! [`details_of`] returns the entry.

use std::path::Path;

use serde::Serialize;
use steward_journal::{StoredRequest, StoredResponse};

use crate::files::data_folder::practice_exports;
use crate::files::selected_paths::SelectedPaths;
use crate::history::record::History;
use crate::history::{self, HistoryEntry, Parameter};
use crate::model::ids::RecordId;
use crate::model::problem::Problem;

/// A history entry with its requests and response, without secrets.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RecordDetails {
    /// Entry in the list.
    pub entry: HistoryEntry,
    /// Requests, in the order in which they were sent. After a request without a response, no further ones were sent.
    pub requests: Vec<SentRequest>,
    /// Response of the site; `null` if there was none, or if it is a secret.
    pub response: Option<String>,
    /// Whether the response is incomplete: it exceeded the limit, or was interrupted.
    pub response_truncated: bool,
    /// Whether the response, the report, or the outcome that a user set was damaged on disk. Damaged values are `null`.
    pub is_damaged: bool,
}

/// A request that was sent.
#[derive(Debug, Clone, Serialize, specta::Type)]
pub struct SentRequest {
    /// HTTP method, for example `POST`.
    pub method: String,
    /// URL that the request was sent to.
    pub address: String,
    /// Fields, with secrets masked.
    pub form: Vec<Parameter>,
}

/// Returns a history entry with its requests and response.
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be read, has no such record, or the operation is unknown to this
/// version.
pub async fn details_of(history: &History, record: RecordId) -> Result<RecordDetails, Problem> {
    let whole = history.journal(move |journal| journal.whole(&record.0)).await?;
    // Records of an old journal might contain secrets.
    let record = whole.record.redacted();
    let requests = record.intent.requests.iter().map(SentRequest::of).collect();
    let response = whole.response.as_ref().map(StoredResponse::redacted);
    let response_truncated = response.as_ref().is_some_and(|response| response.truncated);
    let entry = history::entry(history, record).ok_or_else(|| Problem::Unexpected {
        message: "this record is of an operation that only a later version knows".to_owned(),
    })?;
    Ok(RecordDetails {
        entry,
        requests,
        response: response.map(|response| response.text),
        response_truncated,
        is_damaged: whole.is_damaged,
    })
}

/// Returns the completed items of a record: items of its checklist, and messages of its report.
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be read.
pub async fn checklist(history: &History, record: RecordId) -> Result<Vec<String>, Problem> {
    history.journal(move |journal| journal.checklist_items(&record.0)).await
}

/// Marks an item of a record as completed, or not.
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be written.
pub async fn set_checklist_item(
    history: &History,
    record: RecordId,
    item: String,
    done: bool,
) -> Result<(), Problem> {
    history.journal(move |journal| journal.set_checklist_item(&record.0, &item, done)).await
}

/// Shows a saved file in the file manager.
///
/// # Errors
/// Those of [`SelectedPaths::show`](crate::files::selected_paths::SelectedPaths::show).
pub fn show(dialogs: &SelectedPaths, data_folder: &Path, path: &str) -> Result<(), Problem> {
    dialogs.show(path.as_ref(), &practice_exports(data_folder))
}

impl SentRequest {
    fn of(request: &StoredRequest) -> Self {
        let form = request.form.iter().map(|(name, value)| Parameter {
            name: name.clone(),
            value: value.clone(),
            before: None,
            is_upload: false,
        });
        Self { method: request.method.clone(), address: request.address.clone(), form: form.collect() }
    }
}
