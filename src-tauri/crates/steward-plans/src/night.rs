//! One start of the runner by the scheduler of the system: every plan that is due runs, one after the other, and again if it
//! reached no site. Alerts are decided after the run of each plan, and for those that are not due.

use std::collections::HashMap;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use steward_core::model::numbers::Millis;
use steward_core::model::problem;

use super::alerts::state::{AlertStore, OpenAlert};
use super::alerts::when::{AlertAbout, Standing, decide, standing};
use super::attempt::StoredSet;
use super::attempt_end::AttemptEnd;
use super::due::{Due, Progress, due};
use super::plan::{BackupPlan, runs_by_schedule};
use super::set::{PartFault, PartState, SetPart, Verdict};
use super::store::{LastRun, PlanProgress, ProgressStore, RunnerState};

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
    ) -> impl Future<Output = AttemptEnd> + Send;
    /// Returns the end of a run that began at a time, in a runner that ended before it. Its set is ended, too.
    fn end_cut_off(&self, plan: &BackupPlan, began: Millis) -> impl Future<Output = AttemptEnd> + Send;
    /// Writes a set that could not be written when its run ended, and returns whether it is written.
    fn write_set(&self, stored: &StoredSet) -> impl Future<Output = bool> + Send;
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

/// Runs the plans that are due, and returns the worst verdict of their last runs; `None` if none was due. Where nothing ran, and a
/// trouble is told, it is a failure: the runner that met it was perhaps killed before it ended. `plans` returns the plans as they
/// are saved then: a user might change them during a pause.
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
        for plan in &plans {
            if host.is_stopped() {
                break;
            }
            let is_finished = finish(host, store, plan).await;
            if !runs_by_schedule(plan) {
                continue;
            }
            // Before its next run, which might end well.
            if is_finished {
                tell(host, store, alerts, plan).await;
                let last = store.read(|state| progress(state, plan).last);
                verdicts.extend(last.map(|last| (plan.id.clone(), last.verdict)));
            }
            if let Some(end) = run_if_due(host, store, plan).await {
                is_without_connection |= end.sent_nothing && end.fault.is_some_and(PartFault::passes_soon);
                verdicts.insert(plan.id.clone(), end.verdict);
            }
            if tell(host, store, alerts, plan).await {
                verdicts.entry(plan.id.clone()).or_insert(Verdict::Failed);
            }
        }
        match pauses.next().filter(|_| is_without_connection) {
            Some(pause) if host.pause(pause).await => {}
            _ => return verdicts.into_values().max(),
        }
    }
}

/// Finishes what an earlier runner left of a plan: a run that it was killed in, and a set that it could not write. Returns
/// whether there was something.
async fn finish(host: &impl Host, store: &ProgressStore, plan: &BackupPlan) -> bool {
    let PlanProgress { begun, unwritten, .. } = store.read(|state| progress(state, plan));
    if let Some(began) = begun {
        let end = host.end_cut_off(plan, began).await;
        record(host, store, plan, began.timestamp(), None, false, end);
    }
    let Some(stored) = unwritten else { return begun.is_some() };
    if host.write_set(&stored).await {
        let StoredSet { folder, set } = stored;
        let folder = folder.display().to_string();
        change(store, plan, |progress| {
            progress.unwritten = None;
            if let Some(last) = &mut progress.last
                && last.folder.as_ref() == Some(&folder)
            {
                (last.verdict, last.fault, last.note) = (set.verdict(), set.fault(), String::new());
                if last.verdict == Verdict::AsExpected {
                    progress.verified = Some(last.at);
                }
            }
        });
    }
    true
}

/// Runs a plan if it is due, and writes how far it has come.
async fn run_if_due(host: &impl Host, store: &ProgressStore, plan: &BackupPlan) -> Option<AttemptEnd> {
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
        Due::Run { scheduled } => {
            let is_repetition = from.repeat == Some(scheduled);
            // Before the run: one that is killed is not started again by the next start of the runner.
            let begun = begin(store, plan, |progress| {
                (progress.handled, progress.repeat) = (Millis::from(scheduled), None);
                progress.begun = Some(Millis::from(now));
            });
            let end = match begun {
                Ok(()) => host.run(plan, Some(scheduled), is_repetition).await,
                Err(end) => *end,
            };
            return Some(record(host, store, plan, now, Some(scheduled), is_repetition, end));
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
    if finish(host, store, plan).await && runs_by_schedule(plan) {
        tell(host, store, alerts, plan).await;
    }
    let begun = begin(store, plan, |progress| progress.begun = Some(Millis::from(now)));
    let end = match begun {
        Ok(()) => host.run(plan, None, false).await,
        Err(end) => *end,
    };
    let verdict = record(host, store, plan, now, None, false, end).verdict;
    // A user who runs a paused plan sees how it ends.
    if runs_by_schedule(plan) {
        tell(host, store, alerts, plan).await;
    }
    verdict
}

/// Tells what is wrong with a plan while another runner holds the data folder, and returns whether something is. That one might
/// hang, and then tells nothing. An end of the trouble is left to it.
pub(crate) async fn tell_beside(
    host: &impl Host,
    store: &ProgressStore,
    alerts: &AlertStore,
    plan: &BackupPlan,
) -> bool {
    let progress = store.read(|state| progress(state, plan));
    let is_wrong = matches!(standing(plan, &progress, host.now(), &host.zone()), Standing::Troubled(_));
    if is_wrong {
        tell(host, store, alerts, plan).await;
    }
    is_wrong
}

/// Sends the alert that is due, or the one before that did not reach all its channels. Returns whether it is about a trouble.
async fn tell(host: &impl Host, store: &ProgressStore, alerts: &AlertStore, plan: &BackupPlan) -> bool {
    let now = host.now();
    let progress = store.read(|state| progress(state, plan));
    let standing = standing(plan, &progress, now, &host.zone());
    let open = alerts.open_after(&plan.id, now, |told| decide(told, standing, now));
    let Some(open) = open else { return false };
    if host.tell(plan, &progress, &open).await {
        alerts.close(&plan.id, &open);
    }
    matches!(open.about, AlertAbout::Trouble(_))
}

/// Writes that a run begins. Where that cannot be written, the end of the run is returned, and nothing may be sent: the next
/// start would not know of it, and begin it again.
fn begin(
    store: &ProgressStore,
    plan: &BackupPlan,
    begins: impl FnOnce(&mut PlanProgress),
) -> Result<(), Box<AttemptEnd>> {
    let written = store.try_change(|state| {
        let mut changed = progress(state, plan);
        begins(&mut changed);
        state.plans.insert(plan.id.clone(), changed);
        Ok(())
    });
    written.map_err(|problem| {
        Box::new(AttemptEnd { note: problem::as_text(&problem), ..AttemptEnd::on_full_disk() })
    })
}

/// Writes the end of a run, and returns it. `scheduled` is repeated if nothing was sent. One that cannot be written is a
/// failure, although the set might be as expected.
fn record(
    host: &impl Host,
    store: &ProgressStore,
    plan: &BackupPlan,
    began: Timestamp,
    scheduled: Option<Timestamp>,
    is_repetition: bool,
    end: AttemptEnd,
) -> AttemptEnd {
    // None if the clock was set back meanwhile.
    let took = u32::try_from(host.now().duration_since(began).as_secs()).ok();
    let write = |end: &AttemptEnd| {
        store.try_change(|state| {
            let mut changed = progress(state, plan);
            ended(&mut changed, plan, (began, took), scheduled, is_repetition, end.clone());
            state.plans.insert(plan.id.clone(), changed);
            Ok(())
        })
    };
    let Err(problem) = write(&end) else { return end };
    tracing::error!(?problem, plan = plan.id.0, "the end of a run could not be written");
    let (verdict, fault) = (end.verdict.max(Verdict::Failed), end.fault.or(Some(PartFault::Disk)));
    let end = AttemptEnd { verdict, fault, note: problem::as_text(&problem), ..end };
    // For the alert of this process. The next one finds a run that has not ended.
    change(store, plan, |progress| {
        ended(progress, plan, (began, took), scheduled, is_repetition, end.clone());
    });
    end
}

fn ended(
    progress: &mut PlanProgress,
    plan: &BackupPlan,
    (began, took): (Timestamp, Option<u32>),
    scheduled: Option<Timestamp>,
    is_repetition: bool,
    end: AttemptEnd,
) {
    let AttemptEnd { verdict, fault, folder, note, parts, refused, session_end, sent_nothing, unwritten } =
        end;
    progress.begun = None;
    progress.unwritten = unwritten.or(progress.unwritten.take());
    if folder.is_some() {
        progress.sets_in = Some(plan.folder.clone());
    }
    if sent_nothing {
        progress.repeat = scheduled.map(Millis::from).or(progress.repeat);
    }
    // A set whose file is not recognized as an export fails no plan, and is none that was verified.
    let is_another = |part: &SetPart| matches!(part.state, PartState::Unrecognized { .. });
    if verdict == Verdict::AsExpected && !parts.iter().any(is_another) {
        progress.verified = Some(Millis::from(began));
    }
    // A user who has seen a failure sees it again only when another follows.
    let at = match &progress.last {
        Some(last) if is_repetition && sent_nothing && last.fault == fault => last.at,
        _ => Millis::from(began),
    };
    progress.last = Some(LastRun { at, took, verdict, fault, folder, note, parts, refused, session_end });
}

/// Returns the progress of a plan. One that never ran has missed nothing before it was enabled.
pub(super) fn progress(state: &RunnerState, plan: &BackupPlan) -> PlanProgress {
    state.plans.get(&plan.id).cloned().unwrap_or_else(|| PlanProgress::since(plan.since))
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
