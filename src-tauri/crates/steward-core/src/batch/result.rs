//! Results of a batch.

use serde::Serialize;
use steward_journal::Outcome;

use crate::model::ids::RecordId;
use crate::model::problem::Problem;

/// Results of the requests, in the order of the batch.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct BatchResult<T> {
    /// Whether the user pressed Stop before the last request was sent.
    pub stopped: bool,
    /// Outcome of all requests together.
    pub outcome: Outcome,
    /// Result of each request.
    pub parts: Vec<BatchItemResult<T>>,
}

/// Result of one request.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum BatchItemResult<T> {
    /// The site processed the request.
    Done {
        /// Record in the history; `null` if it could not be written.
        record: Option<RecordId>,
        /// Outcome in that record.
        outcome: Outcome,
        /// Report of the operation.
        report: T,
    },
    /// The request had no effect, and can be sent again.
    Rejected {
        /// Reason.
        problem: Problem,
    },
    /// The request was sent, and no response was received: check the outcome before sending it again.
    Unknown {
        /// Record in the history; `null` if it could not be written.
        record: Option<RecordId>,
        /// Error in place of the response; `null` after Stop.
        problem: Option<Problem>,
    },
    /// The request was not sent.
    NotSent,
}
