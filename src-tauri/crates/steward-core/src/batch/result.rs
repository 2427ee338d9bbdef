//! What became of several requests of one run.

use serde::Serialize;

use crate::model::problem::Problem;
use crate::model::run_result::RecordId;

/// Several requests, in the order they were asked for.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Several<T> {
    /// Whether the person pressed Stop before the last one was sent.
    pub stopped: bool,
    /// One end for each.
    pub parts: Vec<Part<T>>,
}

/// How one of several ended.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Part<T> {
    /// The site did it.
    Done {
        /// Its record in the history.
        record: Option<RecordId>,
        /// What came of it.
        report: T,
    },
    /// It certainly had no effect, and may be sent again.
    Refused {
        /// Why.
        problem: Problem,
    },
    /// It was sent and its answer is lost: it must not be sent again before somebody has looked.
    Unknown {
        /// Its record in the history.
        record: Option<RecordId>,
        /// What went wrong on the way.
        problem: Option<Problem>,
    },
    /// It was not sent any more.
    NotSent,
}
