//! One start of the runner by the scheduler of the system: every plan that is due runs, one after the other, and again
//! if it reached no site. Alerts are decided after the run of each plan, and for those that are not due.
//!
//! A night passes through these files in this order: [`cut_off`], [`copied`], [`sets`], [`due`], [`prepare`], [`attempt`],
//! [`keeping`], [`attempt_record`] and [`store`], [`tell`]. None of them calls one before it.

use std::collections::HashMap;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use steward_core::model::ids::Target;
use steward_core::model::numbers::Millis;
use steward_core::runs::RunId;
use tokio::sync::watch;

use super::alerts::send::RunBeat;
use super::alerts::state::OpenAlert;
use super::attempt::{self, Attempt};
use super::attempt_end::AttemptEnd;
use super::attempt_record::{self, RunRecord};
use super::awake;
use super::copied;
use super::cut_off;
use super::data_files;
use super::due;
use super::exchange;
use super::host::Host;
use super::keeping;
use super::not_removed::WhyNotRemoved;
use super::plan::{BackupPlan, runs_by_schedule};
use super::prepare::prepare;
use super::services::{Opened, RunnerFiles, Services};
use super::set::{PartFault, Verdict};
use super::set_verification;
use super::sets;
use super::store::{self, PlanProgress};
use super::tell::{self, tell};

/// Pauses after which a plan that reached no site is run again: 30 minutes in all, for a computer that has just woken
/// up. Then the next start runs it again.
const PAUSES: [Duration; 5] = [
    Duration::from_mins(1),
    Duration::from_mins(2),
    Duration::from_mins(4),
    Duration::from_mins(8),
    Duration::from_mins(15),
];

/// Runs the plans that are due, and returns the worst verdict of their last runs; `None` if none was due. A plan that
/// did not run now, but whose last failure is told only now, counts as failed: its runner was perhaps killed before it
/// told it. `plans` is called again before each plan, because a user might change it during the hours of another one.
///
/// The time of the start is written first: it shows that the scheduler works, however the runs end.
pub(crate) async fn run(
    host: &impl Host,
    files: &RunnerFiles,
    plans: impl Fn() -> Vec<BackupPlan>,
) -> Option<Verdict> {
    let started = host.now();
    files.progress.change(|state| state.last_start = Some(Millis::from(started)));
    let mut verdicts = HashMap::new();
    let mut pauses = PAUSES.into_iter();
    let mut is_first = true;
    loop {
        let listed = plans();
        // If the plans cannot be read, the alerts about them are kept.
        if !data_files::are_plans_unknown(&files.data_folder) {
            files.alerts.forget_others(&listed);
        }
        let mut is_without_connection = false;
        for BackupPlan { id, .. } in listed {
            if host.is_stopped() {
                break;
            }
            let saved = plans().into_iter().find(|plan| plan.id == id);
            let Some(plan) = &saved else { continue };
            let is_finished = cut_off::finish(host, files, plan).await;
            if is_first {
                copied::verify_again(host, files, plan).await;
                sets::look_before_runs(&files.progress, plan, host.now()).await;
            }
            if !runs_by_schedule(plan) {
                continue;
            }
            // Told before the next run, which might end well.
            if is_finished {
                tell(host, files, plan).await;
                let last = files.progress.read(|state| state.of(plan).last);
                verdicts.extend(last.map(|last| (plan.id.clone(), last.verdict)));
            }
            let mut ran = None;
            if let Some(attempt) = due::next(&files.progress, plan, (started, host.now()), &host.zone()) {
                let (end, run) = run_once(host, files, plan, attempt).await;
                is_without_connection |= end.sent_nothing && end.fault.is_some_and(PartFault::passes_soon);
                verdicts.insert(plan.id.clone(), end.verdict);
                ran = run.map(|run| (end, run));
            }
            if tell(host, files, plan).await {
                verdicts.entry(plan.id.clone()).or_insert(Verdict::Failed);
            }
            beat(host, plan, ran).await;
        }
        is_first = false;
        match pauses.next().filter(|_| is_without_connection) {
            Some(pause) if host.pause(pause).await => {}
            _ => return verdicts.into_values().max(),
        }
    }
}

/// Runs a plan now, at the request of a user.
pub(crate) async fn run_now(host: &impl Host, files: &RunnerFiles, plan: &BackupPlan) -> Verdict {
    if cut_off::finish(host, files, plan).await && runs_by_schedule(plan) {
        tell(host, files, plan).await;
    }
    let (end, run) = run_once(host, files, plan, Attempt::REQUESTED).await;
    // A user who runs a paused plan sees how it ends.
    if runs_by_schedule(plan) {
        tell(host, files, plan).await;
    }
    let verdict = end.verdict;
    beat(host, plan, run.map(|run| (end, run))).await;
    verdict
}

/// Sends the heartbeats of a run that ended. A receiver that does not respond takes minutes: the end is written, and its
/// alert decided before, because the runner might be killed, and another one might tell the same meanwhile.
async fn beat(host: &impl Host, plan: &BackupPlan, ran: Option<(AttemptEnd, String)>) {
    if let Some((end, run)) = ran {
        host.beat(plan, &run, &end).await;
    }
}

/// Runs a plan, and writes its beginning and its end. Returns its identifier for heartbeats with it, as of
/// [`Host::run`].
async fn run_once(
    host: &impl Host,
    files: &RunnerFiles,
    plan: &BackupPlan,
    attempt: Attempt,
) -> (AttemptEnd, Option<String>) {
    let began = host.now();
    let (end, run) = match store::begin(&files.progress, plan, attempt, began) {
        Ok(()) => host.run(plan, attempt).await,
        Err(end) => (*end, None),
    };
    (store::end(&files.progress, plan, attempt, (began, Some(host.now())), end).await, run)
}

/// Runs a plan at its site, and records the run.
async fn run_at_site(
    services: &Services,
    plan: &BackupPlan,
    attempt: Attempt,
) -> (AttemptEnd, Option<String>) {
    let opened = match services.opened_for_run().await {
        Ok(opened) => opened,
        Err(note) => {
            tracing::error!(plan = plan.id.0, note, "a backup plan cannot run");
            return (AttemptEnd { fault: Some(PartFault::Other), note, ..AttemptEnd::without_set() }, None);
        }
    };
    let scheduled = attempt.scheduled.unwrap_or_else(|| services.now());
    let mut record = RunRecord::new(&opened.context, plan, scheduled);
    // A repetition is recorded once the site responds: there might be one each minute, for days.
    if !attempt.is_repetition {
        record.begin(services, &opened, plan).await;
    }
    let ended = Box::pin(run_and_keep(services, &opened, plan, attempt, &mut record)).await;
    let end = ended.unwrap_or_else(|end| *end);
    let run = record.end(&opened.context, plan, &end).await;
    tracing::info!(plan = plan.id.0, verdict = ?end.verdict, note = end.note, "a backup plan ran");
    (end, run)
}

/// Runs a plan, and removes the sets that its rules do not keep once the new one takes their place.
///
/// # Errors
/// The end of a run that did not begin.
async fn run_and_keep(
    services: &Services,
    opened: &Opened,
    plan: &BackupPlan,
    attempt: Attempt,
    record: &mut RunRecord,
) -> Result<AttemptEnd, Box<AttemptEnd>> {
    let session_end = prepare(services, opened, plan, attempt, record).await?;
    let Opened { context, transfers, .. } = opened;
    let (stop, stopped) = watch::channel(false);
    let run = attempt::run(context, transfers, plan, attempt.scheduled.map(Millis::from), &stopped);
    let awake = awake::keep();
    let stored = services.running.while_it_runs(&plan.id, (run, stop), &services.stop).await?;
    drop(awake);
    let data_folder = services.files.data_folder.as_path();
    let now = (services.now(), &services.zone());
    Ok(keeping::keep((context, data_folder), plan, stored, session_end, now).await?)
}

impl Host for Services {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn zone(&self) -> TimeZone {
        TimeZone::system()
    }

    /// A user who asks for a plan does not wait: the next start of the runner repeats the others.
    async fn pause(&self, pause: Duration) -> bool {
        tokio::select! {
            biased;
            () = self.stopped() => false,
            () = exchange::run_requested(&self.files.data_folder) => false,
            () = tokio::time::sleep(pause) => true,
        }
    }

    fn is_stopped(&self) -> bool {
        *self.stop.borrow()
    }

    async fn run(&self, plan: &BackupPlan, attempt: Attempt) -> (AttemptEnd, Option<String>) {
        run_at_site(self, plan, attempt).await
    }

    async fn beat(&self, plan: &BackupPlan, run: &str, end: &AttemptEnd) {
        if let Ok(opened) = self.opened().await {
            let is_as_expected = end.verdict == Verdict::AsExpected;
            attempt_record::beat(self, &opened, plan, RunBeat::End { is_as_expected }, run).await;
        }
    }

    async fn record_cut_off(&self, plan: &BackupPlan, end: &AttemptEnd, times: (Millis, Option<Millis>)) {
        let Ok(opened) = self.opened().await else { return };
        if RunRecord::tell_cut_off(&opened.context, plan, end, times).await && times.1.is_some() {
            let id = uuid::Uuid::new_v4().to_string();
            self.beat(plan, &id, end).await;
        }
    }

    async fn remove_others(&self, plan: &BackupPlan) -> Option<Vec<(String, WhyNotRemoved)>> {
        let opened = self.opened().await.ok()?;
        let now = (self.now(), &self.zone());
        Some(keeping::left_after_removal((&opened.context, &self.files.data_folder), plan, now).await)
    }

    async fn verify_again(&self, plan: &BackupPlan, set: &str, target: &Target) {
        let Ok(opened) = self.opened().await else { return };
        let (data_folder, run) = (&self.files.data_folder, RunId(uuid::Uuid::new_v4().to_string()));
        let verifying = set_verification::verify(&opened.context, data_folder, plan, set, target, run);
        match Box::pin(verifying).await {
            Ok(verified) => {
                tracing::info!(plan = plan.id.0, set, ?verified, "a copied export was verified again")
            }
            Err(problem) => {
                tracing::warn!(?problem, plan = plan.id.0, set, "a copied export was not verified again")
            }
        }
    }

    async fn send(&self, plan: &BackupPlan, progress: &PlanProgress, alert: &OpenAlert) -> bool {
        tell::by_channels(self, plan, progress, alert).await
    }
}

#[cfg(test)]
mod tests;
