//! One record of the history: what was sent and answered, what is ticked off of it, and the file it led to.

use serde::Serialize;
use steward_journal::{Request, redact};

use crate::files::data_folder::practice_exports;
use crate::history::{self, HistoryEntry, Parameter};
use crate::host::Host;
use crate::model::problem::Problem;
use crate::model::run_result::RecordId;

/// A record with its requests and its answer, without secrets.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RecordDetails {
    /// The line of the history.
    pub entry: HistoryEntry,
    /// In the order they were sent. One whose answer was lost kept those after it from being sent.
    pub requests: Vec<SentRequest>,
    /// The site's answer; `null` when none came, or when it is a secret itself.
    pub answer: Option<String>,
    /// Whether the answer was longer than what is kept of it, or broke off.
    pub answer_cut: bool,
}

/// A request that was sent.
#[derive(Debug, Clone, Serialize, specta::Type)]
pub struct SentRequest {
    /// As in `POST`.
    pub method: String,
    /// Where to.
    pub address: String,
    /// The fields of its form.
    pub form: Vec<Parameter>,
}

/// The same, without the window.
pub async fn details_of(host: &Host, record: RecordId) -> Result<RecordDetails, Problem> {
    let whole = host.journal(move |journal| journal.whole(&record.0)).await?;
    // A record of an old journal may have been written with less care.
    let record = whole.record.redacted();
    let requests = record.intent.requests.iter().map(SentRequest::of).collect();
    let answer = whole.answer.as_ref().map(redact::answer);
    let answer_cut = answer.as_ref().is_some_and(|answer| answer.cut);
    let entry = history::entry(record).ok_or_else(|| Problem::Unexpected {
        message: "this record is of an operation that only a later version knows".to_owned(),
    })?;
    Ok(RecordDetails { entry, requests, answer: answer.map(|answer| answer.text), answer_cut })
}

/// What is ticked off of a record: parts of a checklist, messages of a report.
pub async fn ticks(host: &Host, record: RecordId) -> Result<Vec<String>, Problem> {
    host.journal(move |journal| journal.ticks(&record.0)).await
}

/// Ticks an item of a record off, or takes the tick away.
pub async fn set_tick(host: &Host, record: RecordId, item: String, done: bool) -> Result<(), Problem> {
    host.journal(move |journal| journal.set_tick(&record.0, &item, done)).await
}

/// The same, without the window.
pub fn show(host: &Host, path: &str) -> Result<(), Problem> {
    host.dialogs.show(path.as_ref(), &practice_exports(&host.data_folder))
}

impl SentRequest {
    fn of(request: &Request) -> Self {
        let form =
            request.form.iter().map(|(name, value)| Parameter { name: name.clone(), value: value.clone() });
        Self { method: request.method.clone(), address: request.address.clone(), form: form.collect() }
    }
}
