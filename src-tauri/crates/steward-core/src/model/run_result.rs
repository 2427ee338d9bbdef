//! Results of operations.

use serde::Serialize;
use steward_journal::Outcome;

use crate::model::ids::RecordId;
use crate::model::numbers::Millis;
use crate::model::problem::Problem;

/// Result of an operation. A closed dialog and Stop are results, not problems.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum RunResult<T> {
    /// A response was received.
    Done {
        /// The record in the history; `null` for operations that change nothing and leave none.
        record: Option<RecordId>,
        /// Time of the response.
        at: Millis,
        /// Duration, in milliseconds.
        took: u32,
        /// Result of the operation.
        report: T,
    },
    /// The user closed the dialog before anything was sent.
    Dismissed,
    /// The user pressed Stop before the request was sent.
    NotSent {
        /// The record in the history; `null` for operations that change nothing and leave none.
        record: Option<RecordId>,
        /// Record of the safety backup that was begun before an import; `null` if there is none.
        backup: Option<RecordId>,
    },
    /// The request was sent, and no response was received: the site might still be processing it.
    Unknown {
        /// The record in the history.
        record: Option<RecordId>,
        /// Whether the user pressed Stop, which only ends the waiting.
        stopped: bool,
        /// Error in place of the response; `null` after Stop.
        problem: Option<Problem>,
        /// Whether the run is an import with a safety backup, which can be undone from the history.
        can_undo: bool,
    },
    /// The operation ended with an error. Operations return an `Err`, which [`carry_out`](crate::runs::carry_out)
    /// converts to this for the window.
    Failed {
        /// The error.
        problem: Problem,
        /// Outcome, as in the history and in the operations panel. `notSent` also if the operation ended before it had
        /// a record.
        outcome: Outcome,
        /// The record in the history; `null` if it has none.
        record: Option<RecordId>,
    },
}

impl<T> RunResult<T> {
    /// Returns the result of an import that was not sent after a safety backup was begun, with the record of the backup.
    #[must_use]
    pub(crate) fn with_backup(self, backup: Option<RecordId>) -> Self {
        match self {
            Self::NotSent { record, .. } => Self::NotSent { record, backup },
            end => end,
        }
    }

    /// Returns the result of an import whose response is missing, with whether it can be undone.
    #[must_use]
    pub(crate) fn with_undo(self, can_undo: bool) -> Self {
        match self {
            Self::Unknown { record, stopped, problem, .. } => {
                Self::Unknown { record, stopped, problem, can_undo }
            }
            end => end,
        }
    }
}
