//! How an operation ended, when it is not a problem.

use serde::{Deserialize, Serialize};

use crate::model::numbers::Millis;
use crate::model::problem::Problem;

/// Identifier of a history record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct RecordId(pub String);

/// The end of an operation. A closed dialog and a pressed Stop are ends, not problems.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Ended<T> {
    /// The site answered.
    Done {
        /// The record in the history; `null` for operations that change nothing and leave none.
        record: Option<RecordId>,
        /// When the answer came.
        at: Millis,
        /// How long it took, in milliseconds.
        took: u32,
        /// What came of it.
        report: T,
    },
    /// The person closed the dialog before anything was sent.
    Dismissed,
    /// The person pressed Stop before the request was sent.
    NotSent {
        /// The record in the history; `null` for operations that change nothing and leave none.
        record: Option<RecordId>,
        /// The record of the safety backup that was begun before an import; `null` when none was.
        backup: Option<RecordId>,
    },
    /// The request was sent and its answer is not known: the site may still be working.
    Unknown {
        /// The record in the history.
        record: Option<RecordId>,
        /// Whether the person pressed Stop, which only stops waiting.
        stopped: bool,
        /// What went wrong on the way, if anything.
        problem: Option<Problem>,
        /// Whether it is an import before which a safety backup was created: it can be undone from the history.
        can_undo: bool,
    },
}
