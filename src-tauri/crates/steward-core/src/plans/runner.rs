//! One start of the runner by the scheduler of the system: every plan that is due runs, one after the other, and again if it
//! reached no site. Alerts are decided after the run of each plan, and for those that are not due.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::alerts::state::{AlertStore, OpenAlert};
use super::alerts::when::{decide, standing};
use super::due::{Due, Progress, due};
use super::plan::{BackupPlan, runs_by_schedule};
use super::set::{PartFault, PartState, SetPart, Verdict, fault_of};
use super::store::{LastRun, PlanProgress, ProgressStore, RunnerState};
use crate::model::acceptance::{AcceptanceLine, SessionEnd};
use crate::model::numbers::Millis;

/// End of a run, as far as the schedule needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunEnd {
    /// Verdict of the set.
    pub verdict: Verdict,
    /// Fault of a part that failed; `None` if none did.
    pub fault: Option<PartFault>,
    /// Folder of the set; `None` if there is none.
    pub folder: Option<String>,
    /// Reason why there is no set; empty if there is one.
    pub note: String,
    /// Parts as the run left them; none if it did not begin.
    pub parts: Vec<SetPart>,
    /// Line of the acceptance list that kept the plan from running; `None` if none did.
    pub refused: Option<AcceptanceLine>,
    /// First end of a session of its parts; `None` if a password is saved for each, or if it is not known.
    pub session_end: Option<SessionEnd>,
    /// Whether nothing was sent, for example because there is no network. Such a run is repeated.
    pub sent_nothing: bool,
}

impl RunEnd {
    /// Returns the end of a run that failed before a request left.
    pub(crate) const fn without_set() -> Self {
        Self {
            verdict: Verdict::Failed,
            fault: None,
            folder: None,
            note: String::new(),
            parts: Vec::new(),
            refused: None,
            session_end: None,
            sent_nothing: true,
        }
    }

    /// Returns the end of a run whose parts all failed before anything was sent.
    pub(crate) fn unsent(parts: Vec<SetPart>) -> Self {
        let notes = parts.iter().filter_map(|part| match &part.state {
            PartState::Failed { note, .. } => Some(note.as_str()),
            _ => None,
        });
        let note = notes.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(" · ");
        Self { fault: fault_of(&parts), note, parts, ..Self::without_set() }
    }
}

/// Time, and the runs themselves. A test has a clock of its own, and runs without a site.
pub trait Host {
    /// Returns the current time.
    fn now(&self) -> Timestamp;
    /// Returns the time zone of the schedules.
    fn zone(&self) -> TimeZone;
    /// Runs a plan. `scheduled` is the time of its schedule; `None` if a user requested the run. `is_repetition` is whether
    /// an earlier run for this time sent nothing.
    fn run(
        &self,
        plan: &BackupPlan,
        scheduled: Option<Timestamp>,
        is_repetition: bool,
    ) -> impl Future<Output = RunEnd> + Send;
    /// Sends an alert about a plan, and returns whether all channels of the plan got it.
    fn tell(
        &self,
        plan: &BackupPlan,
        progress: &PlanProgress,
        alert: &OpenAlert,
    ) -> impl Future<Output = bool> + Send;
    /// Waits before plans that reached no site are run again, and returns whether they may be.
    fn pause(&self, pause: Duration) -> impl Future<Output = bool> + Send;
    /// Returns whether no other run may begin.
    fn is_stopped(&self) -> bool;
}

/// Pauses after which a plan that reached no site is run again: 30 minutes in all, for a computer that has just woken up.
/// Then the next start runs it again.
const PAUSES: [Duration; 5] = [
    Duration::from_mins(1),
    Duration::from_mins(2),
    Duration::from_mins(4),
    Duration::from_mins(8),
    Duration::from_mins(15),
];

/// Runs the plans that are due, and returns the worst verdict of their last runs; `None` if none was due. `plans` returns
/// them as they are saved then: a user might change them during a pause.
///
/// The time of the start is written first: it shows that the scheduler works, whatever becomes of the runs.
pub async fn run_due_plans(
    host: &impl Host,
    store: &ProgressStore,
    alerts: &AlertStore,
    plans: impl Fn() -> Vec<BackupPlan>,
) -> Option<Verdict> {
    store.change(|state| state.last_start = Some(Millis::from(host.now())));
    let mut verdicts = HashMap::new();
    let mut pauses = PAUSES.into_iter();
    loop {
        let plans = plans();
        alerts.forget_others(&plans);
        let mut is_without_connection = false;
        for plan in plans.iter().filter(|plan| runs_by_schedule(plan)) {
            if host.is_stopped() {
                break;
            }
            if let Some(end) = run_if_due(host, store, plan).await {
                is_without_connection |= end.sent_nothing && end.fault == Some(PartFault::Connection);
                verdicts.insert(plan.id.clone(), end.verdict);
            }
            tell(host, store, alerts, plan).await;
        }
        match pauses.next().filter(|_| is_without_connection) {
            Some(pause) if host.pause(pause).await => {}
            _ => return verdicts.into_values().max(),
        }
    }
}

/// Runs a plan if it is due, and writes how far it has come.
async fn run_if_due(host: &impl Host, store: &ProgressStore, plan: &BackupPlan) -> Option<RunEnd> {
    let now = host.now();
    let known = store.read(|state| progress(state, plan));
    if known.verified.is_some_and(|verified| verified.timestamp() > now) {
        // The clock was ahead. Otherwise the plan would not be overdue before that time.
        change(store, plan, |progress| progress.verified = Some(Millis::from(now)));
    }
    // One that was enabled again missed nothing before. A later time is of a clock that was set back since.
    let since = Some(plan.since.timestamp()).filter(|since| *since <= now).unwrap_or(Timestamp::MIN);
    let from = Progress {
        handled: known.handled.timestamp().max(since),
        repeat: known.repeat.map(Millis::timestamp).filter(|repeat| *repeat >= since),
    };
    match due(&plan.schedule, from, now, &host.zone()) {
        Due::NotYet => {}
        Due::ClockSetBack => {
            tracing::warn!(plan = plan.id.0, "the clock was set back; the schedule continues from now");
            change(store, plan, |progress| (progress.handled, progress.repeat) = (Millis::from(now), None));
        }
        Due::Skip { scheduled } => change(store, plan, |progress| {
            progress.handled = Millis::from(scheduled);
            (progress.left_out, progress.repeat) = (Some(Millis::from(scheduled)), None);
        }),
        Due::Run { scheduled, .. } => {
            // Before the run: one that is killed is not started again by the next start of the runner.
            change(store, plan, |progress| {
                (progress.handled, progress.repeat) = (Millis::from(scheduled), None);
            });
            let is_repetition = from.repeat == Some(scheduled);
            let end = host.run(plan, Some(scheduled), is_repetition).await;
            record(store, plan, now, Some(scheduled), is_repetition, end.clone());
            return Some(end);
        }
    }
    None
}

/// Runs a plan now, at the request of a user. Its schedule is not changed, and it repeats no run.
pub async fn run_now(
    host: &impl Host,
    store: &ProgressStore,
    alerts: &AlertStore,
    plan: &BackupPlan,
) -> Verdict {
    let now = host.now();
    let end = host.run(plan, None, false).await;
    let verdict = end.verdict;
    record(store, plan, now, None, false, end);
    // A user who runs a paused plan sees how it ends.
    if runs_by_schedule(plan) {
        tell(host, store, alerts, plan).await;
    }
    verdict
}

/// Sends the alert that is due, or the one before that did not reach all its channels.
async fn tell(host: &impl Host, store: &ProgressStore, alerts: &AlertStore, plan: &BackupPlan) {
    let now = host.now();
    let progress = store.read(|state| progress(state, plan));
    let standing = standing(plan, &progress, now, &host.zone());
    let open = alerts.open_after(&plan.id, now, |told| decide(told, standing, now));
    if let Some(open) = open
        && host.tell(plan, &progress, &open).await
    {
        alerts.close(&plan.id, &open);
    }
}

/// Writes the end of a run. `scheduled` is repeated if nothing was sent.
fn record(
    store: &ProgressStore,
    plan: &BackupPlan,
    began: Timestamp,
    scheduled: Option<Timestamp>,
    is_repetition: bool,
    end: RunEnd,
) {
    let RunEnd { verdict, fault, folder, note, parts, refused, session_end, sent_nothing } = end;
    change(store, plan, |progress| {
        if sent_nothing {
            progress.repeat = scheduled.map(Millis::from).or(progress.repeat);
        }
        if verdict == Verdict::AsExpected {
            progress.verified = Some(Millis::from(began));
        }
        // A user who has seen a failure sees it again only when another follows.
        let at = match &progress.last {
            Some(last) if is_repetition && sent_nothing && last.fault == fault => last.at,
            _ => Millis::from(began),
        };
        progress.last = Some(LastRun { at, verdict, fault, folder, note, parts, refused, session_end });
    });
}

/// Returns the progress of a plan. One that never ran has missed nothing before it was enabled.
pub(super) fn progress(state: &RunnerState, plan: &BackupPlan) -> PlanProgress {
    state.plans.get(&plan.id).cloned().unwrap_or(PlanProgress {
        handled: plan.since,
        repeat: None,
        last: None,
        verified: None,
        left_out: None,
    })
}

fn change(store: &ProgressStore, plan: &BackupPlan, change: impl FnOnce(&mut PlanProgress)) {
    store.change(|state| {
        let mut changed = progress(state, plan);
        change(&mut changed);
        state.plans.insert(plan.id.clone(), changed);
    });
}

#[cfg(test)]
mod tests;
