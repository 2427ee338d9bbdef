//! A run that the window begins, and its end.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Deserialize;

use super::view::RunId;
use crate::history::Outcome;
use crate::model::ids::RecordId;
use crate::model::problem::Problem;
use crate::model::run_result::RunResult;

/// A run that the window begins.
#[derive(Debug, Clone, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct NewRun {
    /// Identifier.
    pub id: RunId,
    /// Reason or ticket for its entries in the history; may be empty.
    pub reason: String,
    /// End of the run, which [`carry_out`] reads.
    #[serde(skip)]
    pub(crate) end: RunEnd,
}

/// Outcome of a run, and its record in the history; `None` until it is known.
pub(super) type KnownEnd = Option<(Outcome, Option<RecordId>)>;

/// End of a run, shared by all clones. The run sets it, and it outlives the run and its line in the operations panel.
#[derive(Debug, Clone, Default)]
pub(crate) struct RunEnd(Arc<Mutex<KnownEnd>>);

impl RunEnd {
    pub(super) fn get(&self) -> KnownEnd {
        self.slot().clone()
    }

    pub(super) fn slot(&self) -> MutexGuard<'_, KnownEnd> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Performs a run that the window begins, and returns its end: a problem with the outcome that the history and the operations
/// panel have too.
pub async fn carry_out<T, F>(run: impl Into<NewRun>, work: impl FnOnce(NewRun) -> F) -> RunResult<T>
where
    F: Future<Output = Result<RunResult<T>, Problem>>,
{
    let run = run.into();
    let end = run.end.clone();
    // On the heap: with what may precede a request, every operation would be too large for the stack.
    match Box::pin(work(run)).await {
        Ok(ended) => ended,
        Err(problem) => {
            // A run that ends before it has an outcome has sent nothing.
            let (outcome, record) = end.get().unwrap_or((Outcome::NotSent, None));
            RunResult::Failed { problem, outcome, record }
        }
    }
}

impl NewRun {
    /// Returns the run with the reason of a form, if that has one.
    #[must_use]
    pub(crate) fn because(self, reason: &str) -> Self {
        match reason.trim() {
            "" => self,
            reason => Self { reason: reason.to_owned(), ..self },
        }
    }
}

impl From<RunId> for NewRun {
    fn from(id: RunId) -> Self {
        Self { id, reason: String::new(), end: RunEnd::default() }
    }
}
