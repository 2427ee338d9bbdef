//! One request after the other, in one run: a record for each, Stop between two of them, and none sent twice.

pub mod result;

use std::collections::HashSet;
use std::hash::Hash;
use std::time::Instant;

use serde::Serialize;
use steward_journal::Outcome;

use crate::batch::result::{Part, Several};
use crate::execution::{Answer, History, Task};
use crate::host::Host;
use crate::model::ids::SiteId;
use crate::model::numbers::Millis;
use crate::model::operation::{Area, Operation};
use crate::model::problem::{Fault, Problem};
use crate::model::run_result::Ended;
use crate::runs::{RunId, RunStep};
use crate::sites::Site;

/// One of several changes of one kind.
pub trait Change: Send {
    /// What came of it.
    type Report: Serialize + Send;
    /// The operation it is.
    const OPERATION: &'static Operation;

    /// As the history keeps them.
    fn parameters(&self) -> Vec<(&'static str, String)>;

    /// Sends it and writes down how it ended.
    fn send(
        self,
        task: &Task<'_>,
    ) -> impl Future<Output = Result<Answer<Self::Report, Self::Report>, Problem>> + Send;

    /// Whether the next may follow on one that was done.
    fn lets_the_next_follow(_: &Self::Report) -> bool {
        true
    }
}

/// Refuses an empty list, and one that would send the same change twice.
pub fn no_two_alike<'a, C, N: Hash + Eq>(changes: &'a [C], name: impl Fn(&'a C) -> N) -> Result<(), Problem> {
    if changes.is_empty() {
        return Err(Problem::form("changes", Fault::Required));
    }
    let mut seen = HashSet::new();
    match changes.iter().all(|change| seen.insert(name(change))) {
        true => Ok(()),
        false => Err(Problem::Unexpected { message: "the same change stands twice in the list".to_owned() }),
    }
}

/// Sends them. A refusal of one says nothing about the next; anything else that goes wrong ends the run, and what was
/// not sent then is told apart from what was.
pub async fn send<C: Change>(
    host: &Host,
    site: &SiteId,
    run: RunId,
    changes: Vec<C>,
) -> Result<Ended<Several<C::Report>>, Problem> {
    let began = Instant::now();
    let total = changes.len();
    let (site, run) = Task::admit(host, C::OPERATION, site, run)?;
    let begun_as = host.turn(&site, C::OPERATION.area);
    let mut parts = Vec::new();
    let mut stopped = false;
    let mut not_sent = None;
    for change in changes {
        // Before the first of them, its own record says that it was not sent.
        stopped = run.is_stopped() && !parts.is_empty();
        if stopped {
            break;
        }
        run.step(RunStep::Several { done: count(parts.len()), total: count(total) });
        let history = History::Record(change.parameters());
        let task = match may_go_on(host, &site, C::OPERATION.area, begun_as) {
            Ok(()) => Task::within::<()>(host, C::OPERATION, site.clone(), run.clone(), history).await,
            Err(problem) => Err(problem),
        };
        let task = match task {
            Ok(Answer::Came(task)) => task.one_of_several(),
            Ok(Answer::Lost(end)) => {
                stopped = true;
                if let Ended::NotSent { record, .. } = end {
                    not_sent = record;
                }
                break;
            }
            // Nothing was sent at all: that is a refusal, not a report.
            Err(problem) if parts.is_empty() => return Err(problem),
            Err(problem) => {
                parts.push(Part::Refused { problem });
                break;
            }
        };
        let part = match change.send(&task).await {
            Ok(Answer::Came(report)) => Part::Done { record: task.record(), report },
            Ok(Answer::Lost(Ended::Unknown { record, problem, .. })) => Part::Unknown { record, problem },
            Ok(Answer::Lost(Ended::NotSent { record, .. })) => {
                stopped = true;
                not_sent = record;
                Part::NotSent
            }
            Ok(Answer::Lost(_)) => Part::Unknown { record: task.record(), problem: None },
            Err(problem) => Part::Refused { problem },
        };
        let goes_on = match &part {
            Part::Done { report, .. } => C::lets_the_next_follow(report),
            Part::Refused { problem } => matches!(problem, Problem::Refused { .. }),
            Part::Unknown { .. } | Part::NotSent => false,
        };
        parts.push(part);
        run.goes_on();
        if !goes_on {
            break;
        }
    }
    if stopped && parts.iter().all(|part| matches!(part, Part::NotSent)) {
        run.outcome(Outcome::NotSent.into(), not_sent.clone());
        return Ok(Ended::NotSent { record: not_sent, backup: None });
    }
    run.goes_on();
    parts.resize_with(total, || Part::NotSent);
    let took = u32::try_from(began.elapsed().as_millis()).unwrap_or(u32::MAX);
    Ok(Ended::Done { record: None, at: Millis::now(), took, report: Several { stopped, parts } })
}

/// An unlocked site locks itself, or is marked read-only, while a long list is under way.
fn may_go_on(host: &Host, site: &Site, area: Area, begun_as: u64) -> Result<(), Problem> {
    host.may_write(&host.sites.get(&site.id)?)?;
    host.is_still_signed_in(site, area, begun_as)
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
