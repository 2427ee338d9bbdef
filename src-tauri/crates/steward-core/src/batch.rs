//! Batches: several requests of one operation in one run.
//!
//! [`send`] sends them one after another. Each has its own record, Stop applies between two requests, and none is sent
//! twice.

pub mod result;

use std::collections::HashSet;
use std::hash::Hash;
use std::time::Instant;

use serde::Serialize;
use steward_journal::Outcome;

use crate::batch::result::{BatchItemResult, BatchResult};
use crate::execution::{Execution, Intended, Response};
use crate::model::ids::Target;
use crate::model::numbers::{Millis, count};
use crate::model::operation::Operation;
use crate::model::problem::{FieldError, Problem};
use crate::model::run_result::RunResult;
use crate::runs::{NewRun, Run, RunStep};
use crate::site_context::SiteContext;
use crate::sites::TargetSite;

/// One request of a batch.
pub trait BatchItem: Send {
    /// Result of the request.
    type Report: Serialize + Send;
    /// Operation of the request.
    const OPERATION: &'static Operation;

    /// Returns the content of its record.
    fn intended(&self) -> Intended;

    /// Sends the request, and records its outcome.
    fn send(
        self,
        execution: &mut Execution<'_>,
    ) -> impl Future<Output = Result<Response<Self::Report, Self::Report>, Problem>> + Send;

    /// Returns whether the batch continues after this result.
    fn lets_the_next_follow(_: &Self::Report) -> bool {
        true
    }

    /// Returns the outcome of this result, as its record has it.
    fn outcome(report: &Self::Report) -> Outcome;
}

/// Checks that a list is not empty and contains no change twice.
///
/// # Errors
/// - [`Problem::Form`] if the list is empty.
/// - [`Problem::Unexpected`] if a change occurs twice.
pub fn check_no_duplicates<'a, C, N: Hash + Eq>(
    changes: &'a [C],
    name: impl Fn(&'a C) -> N,
) -> Result<(), Problem> {
    if changes.is_empty() {
        return Err(Problem::form("changes", FieldError::Required));
    }
    let mut seen = HashSet::new();
    match changes.iter().all(|change| seen.insert(name(change))) {
        true => Ok(()),
        false => Err(Problem::Unexpected { message: "the same change stands twice in the list".to_owned() }),
    }
}

/// Sends the changes one at a time, and returns the result of each.
///
/// Continues after a change that was rejected, whose token was rejected and renewed, or whose precondition is not met.
/// Stops at any other error, and marks the remaining changes as not sent. Errors after the first request are part of the
/// result.
///
/// # Errors
/// - [`Problem::ReadOnly`] if the site was locked meanwhile.
/// - [`Problem::SignIn`] if the user signed in or out meanwhile.
/// - Those of [`Execution::admit`] and [`Execution::connect`].
pub async fn send<C: BatchItem>(
    context: &SiteContext,
    target: &Target,
    run: impl Into<NewRun>,
    changes: Vec<C>,
) -> Result<RunResult<BatchResult<C::Report>>, Problem> {
    let (site, run) = Execution::admit(context, C::OPERATION, target, run)?;
    send_admitted(context, site, run, changes).await
}

/// Sends the changes in an admitted run, as [`send`] does.
pub(crate) async fn send_admitted<C: BatchItem>(
    context: &SiteContext,
    site: TargetSite,
    run: Run,
    changes: Vec<C>,
) -> Result<RunResult<BatchResult<C::Report>>, Problem> {
    let began = Instant::now();
    let total = changes.len();
    let mut parts = Vec::new();
    let mut stopped = false;
    let mut not_sent = None;
    for change in changes {
        // If Stop was pressed before the first request, go on: `connect` then records that it was not sent.
        stopped = run.is_stopped() && !parts.is_empty();
        if stopped {
            break;
        }
        run.step(RunStep::Batch { done: count(parts.len()), total: count(total) });
        let intended = change.intended();
        run.mark_as_batch(intended.name, count(total));
        let execution = match context.check_may_continue(C::OPERATION, &site, &run) {
            Ok(()) => {
                Execution::connect::<()>(context, C::OPERATION, site.clone(), run.clone(), Some(intended))
                    .await
            }
            Err(problem) => Err(problem),
        };
        let mut execution = match execution {
            Ok(Response::Received(execution)) => execution.one_of_several(),
            Ok(Response::Missing(end)) => {
                stopped = true;
                if let RunResult::NotSent { record, .. } = end {
                    not_sent = record;
                }
                break;
            }
            // Nothing was sent: return the error instead of a report.
            Err(problem) if parts.is_empty() => return Err(problem),
            Err(problem) => {
                parts.push(BatchItemResult::Rejected { problem });
                break;
            }
        };
        let part = match change.send(&mut execution).await {
            Ok(Response::Received(report)) => {
                BatchItemResult::Done { record: execution.record_id(), outcome: C::outcome(&report), report }
            }
            Ok(Response::Missing(RunResult::Unknown { record, problem, .. })) => {
                BatchItemResult::Unknown { record, problem }
            }
            Ok(Response::Missing(RunResult::NotSent { record, .. })) => {
                stopped = true;
                not_sent = record;
                BatchItemResult::NotSent
            }
            Ok(Response::Missing(_)) => {
                BatchItemResult::Unknown { record: execution.record_id(), problem: None }
            }
            Err(problem) => BatchItemResult::Rejected { problem },
        };
        let goes_on = match &part {
            BatchItemResult::Done { report, .. } => C::lets_the_next_follow(report),
            BatchItemResult::Rejected { problem } => {
                use Problem::{PreconditionFailed, Rejected, TokenRenewed};
                matches!(problem, Rejected { .. } | PreconditionFailed { .. } | TokenRenewed)
            }
            BatchItemResult::Unknown { .. } | BatchItemResult::NotSent => false,
        };
        parts.push(part);
        run.clear_outcome();
        if !goes_on {
            break;
        }
    }
    if stopped && parts.iter().all(|part| matches!(part, BatchItemResult::NotSent)) {
        run.outcome(Outcome::NotSent, not_sent.clone());
        return Ok(RunResult::NotSent { record: not_sent, backup: None });
    }
    parts.resize_with(total, || BatchItemResult::NotSent);
    let outcome = outcome(&parts);
    run.outcome(outcome, None);
    let took = u32::try_from(began.elapsed().as_millis()).unwrap_or(u32::MAX);
    let report = BatchResult { stopped, outcome, parts };
    Ok(RunResult::Done { record: None, at: Millis::now(), took, report })
}

/// Returns the outcome of the whole batch.
fn outcome<T>(parts: &[BatchItemResult<T>]) -> Outcome {
    let outcomes: Vec<_> = parts
        .iter()
        .map(|part| match part {
            BatchItemResult::Done { outcome, .. } => *outcome,
            BatchItemResult::Unknown { .. } => Outcome::Unknown,
            BatchItemResult::Rejected { .. } | BatchItemResult::NotSent => Outcome::Failed,
        })
        .collect();
    if outcomes.contains(&Outcome::Unknown) {
        Outcome::Unknown
    } else if outcomes.iter().all(|outcome| *outcome == Outcome::Succeeded) {
        Outcome::Succeeded
    } else if outcomes.iter().all(|outcome| *outcome == Outcome::Failed) {
        Outcome::Failed
    } else {
        Outcome::Warnings
    }
}
