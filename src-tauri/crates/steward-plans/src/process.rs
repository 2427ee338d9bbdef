//! The runner of backup plans: a process without a window, which the scheduler of the system starts.
//!
//! It reads the files of the window, and writes the history, the progress of the plans, and their sets (ADR 0050). The
//! history, the keyring and the sites are opened for the first plan that is due: most starts have none.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use steward_core::files::data_folder::DataFolder;
use steward_core::files::in_background;
use steward_core::forwarding::Forwarding;
use steward_core::model::numbers::Millis;
use steward_core::model::problem::{self, Problem};
use steward_core::runs::RunsListener;
use steward_core::settings::policy::PlansRule;
use steward_core::settings::preferences::PreferencesStore;
use steward_core::site_context::SiteContext;
use steward_core::start;
use steward_core::transfers::Transfers;
use steward_core::unreadable;
use tokio::sync::{OnceCell, watch};

use crate::acceptance::{judge, obstacle, session_end};
use crate::acceptance_facts;
use crate::alerts::fault::AlertFault;
use crate::alerts::message::AlertMessage;
use crate::alerts::send::{self, RunBeat, desktop_channel};
use crate::alerts::settings::AlertChannels;
use crate::alerts::state::{AlertStore, OpenAlert, about_files};
use crate::alerts::when::{Standing, Trouble, decide};
use crate::attempt::{self, StoredSet};
use crate::attempt_end::AttemptEnd;
use crate::attempt_record::RunRecord;
use crate::cut_off;
use crate::data_files;
use crate::exchange::{self, RunningFile};
use crate::keeping;
use crate::night::{self, Host};
use crate::plan::{BackupPlan, PlanId, runs_by_schedule};
use crate::rules;
use crate::services::Opened;
use crate::set::{self, PartFault, Verdict};
use crate::sign_of_life;
use crate::store::{self, PlanProgress, PlanStore, ProgressStore};

pub use crate::services::Opening;

/// Exit code of a runner: every plan that was due is as expected, or none was due.
pub const WELL: u8 = 0;
/// Exit code of a runner: a plan failed, or its outcome is unknown.
pub const FAILED: u8 = 1;
/// Exit code of a runner: not possible now, for example because the site is busy.
pub const NOT_NOW: u8 = 75;
/// Exit code of a runner: there is no such plan, the program cannot start, or a file of it that decides what is due cannot be read.
pub const INVALID: u8 = 78;

/// Longest time that a runner forwards the audit trail: a log server that does not answer must not hold up the next start.
const FORWARDING: Duration = Duration::from_mins(5);

/// The runner, in a locked data folder.
pub struct PlanRunner {
    plans: PlanStore,
    progress: ProgressStore,
    alerts: AlertStore,
    /// Creates what the services need, once.
    services: OnceCell<Result<Opened, String>>,
    open: Open,
    stop: watch::Receiver<bool>,
    running: Arc<RunningFile>,
    /// Whether another runner uses the data folder, too.
    is_beside: bool,
    held: DataFolder,
}

/// Returns what only a due plan needs.
type Open = Box<dyn Fn() -> anyhow::Result<Opening> + Send + Sync>;

/// A run of a plan.
struct OneRun<'a> {
    plan: &'a BackupPlan,
    /// Time of the schedule; `None` if a user requested the run.
    scheduled: Option<Timestamp>,
    /// Whether an earlier run for this time sent nothing.
    is_repetition: bool,
    /// Identifier for heartbeats.
    id: String,
    record: RunRecord,
}

impl PlanRunner {
    /// Creates the runner. `open` is called for the first plan that is due. After `stop` is set, the current part ends, and
    /// no other begins.
    pub fn new(
        held: DataFolder,
        open: impl Fn() -> anyhow::Result<Opening> + Send + Sync + 'static,
        stop: watch::Receiver<bool>,
    ) -> Self {
        let (progress, alerts) = (store::progress(held.path()), AlertStore::open(held.path()));
        Self::with(progress, alerts, false, (held, Box::new(open), stop))
    }

    /// Creates the runner beside another one, which holds the data folder. It runs no plan, and only tells what is wrong.
    pub fn beside(
        held: DataFolder,
        open: impl Fn() -> anyhow::Result<Opening> + Send + Sync + 'static,
        stop: watch::Receiver<bool>,
    ) -> Self {
        let (progress, alerts) =
            (store::progress_read_only(held.path()), AlertStore::open_beside(held.path()));
        Self::with(progress, alerts, true, (held, Box::new(open), stop))
    }

    fn with(
        progress: ProgressStore,
        alerts: AlertStore,
        is_beside: bool,
        (held, open, stop): (DataFolder, Open, watch::Receiver<bool>),
    ) -> Self {
        Self {
            plans: store::plans_read_only(held.path()),
            progress,
            alerts,
            services: OnceCell::new(),
            open,
            stop,
            running: Arc::new(RunningFile::in_data_folder(held.path())),
            is_beside,
            held,
        }
    }

    /// Gives signs of life while this runner works, and calls `end` if its work stands still for too long.
    ///
    /// # Errors
    /// An error of the system.
    pub fn give_signs(&self, end: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
        sign_of_life::give(self.held.path(), self.running.work(), sign_of_life::Limits::default(), end)
    }

    /// Tells what is wrong with the plans while another runner holds the data folder, and returns the exit code.
    pub async fn tell_beside(&self) -> u8 {
        let mut code = WELL;
        for plan in self.plans.get().iter().filter(|plan| runs_by_schedule(plan)) {
            if night::tell_beside(self, &self.progress, &self.alerts, plan).await {
                code = FAILED;
            }
        }
        code
    }

    /// Runs all plans that are due, then those that a user asked for, and returns the exit code.
    pub async fn run_due_plans(&self) -> u8 {
        let is_readable = self.tell_unreadable().await;
        let plans = || store::plans_read_only(self.held.path()).get();
        let mut worst = night::run_due_plans(self, &self.progress, &self.alerts, plans).await;
        while !self.is_stopped()
            && let Some(id) = exchange::take_request(self.held.path())
        {
            // Saved after this process began, perhaps.
            let plans = store::plans_read_only(self.held.path()).get();
            if let Some(plan) = plans.into_iter().find(|plan| plan.id == id) {
                let verdict = night::run_now(self, &self.progress, &self.alerts, &plan).await;
                worst = worst.max(Some(verdict));
            }
        }
        self.forward().await;
        exit_code(worst, is_readable)
    }

    /// Runs one plan now, and returns the exit code.
    pub async fn run_plan(&self, id: &PlanId) -> u8 {
        let is_readable = self.tell_unreadable().await;
        let Some(plan) = self.plans.get().into_iter().find(|plan| plan.id == *id) else {
            tracing::error!(plan = id.0, "there is no such plan");
            return INVALID;
        };
        let verdict = night::run_now(self, &self.progress, &self.alerts, &plan).await;
        self.forward().await;
        exit_code(Some(verdict), is_readable)
    }

    /// Tells of files that decide what happens by itself and cannot be read, at once and then once a day, and returns whether
    /// there are none. Which plan has which alerts might not be known: all channels are told.
    async fn tell_unreadable(&self) -> bool {
        let unreadable = unreadable::deciding(self.held.path(), data_files::FILES);
        if unreadable.is_empty() {
            self.alerts.forget_files();
            return true;
        }
        let names: BTreeSet<_> =
            unreadable.iter().map(|one| unreadable::name_of(one, data_files::FILES)).collect();
        let names = names.into_iter().collect::<Vec<_>>().join(", ");
        tracing::error!(names, "files of the program cannot be read");
        let (about, now) = (about_files(), self.now());
        let standing = Standing::Troubled(Trouble::Unreadable);
        let Some(open) = self.alerts.open_after(&about, now, |told| decide(told, standing, now)) else {
            return false;
        };
        let message = AlertMessage::of_files(&names, &open);
        let services = match self.services().await {
            Ok(services) => services,
            Err(error) => {
                self.tell_at_desk(&about, &open, &message, &error).await;
                return false;
            }
        };
        let recorded = services
            .context
            .history
            .journal(move |journal| unreadable::record(journal, data_files::FILES, &unreadable));
        if let Err(problem) = recorded.await {
            tracing::error!(?problem, "files that cannot be read were not written to the audit trail");
        }
        let settings = AlertChannels::read(self.held.path());
        let channels: Vec<_> = settings.channels.iter().map(|channel| channel.id.clone()).collect();
        if services.sender(&settings).send(&self.alerts, (&about, &channels), &open, message).await {
            self.alerts.close(&about, &open);
        }
        false
    }

    /// Shows an alert by the desktop alone, once: without the sites or the history, which `error` is about, no other channel works.
    async fn tell_at_desk(&self, about: &PlanId, open: &OpenAlert, message: &AlertMessage, error: &str) {
        tracing::error!(error, plan = about.0, "an alert is shown by the desktop alone");
        if open.channels.get(&desktop_channel()) == Some(&None) {
            return;
        }
        let fault = match (self.open)() {
            Ok(Opening { policy, desktop, .. }) => {
                let settings = AlertChannels::read(self.held.path());
                send::show(&policy, &settings, &*desktop, message).await.err()
            }
            Err(error) => Some(AlertFault::NoDesktop { said: format!("{error:#}") }),
        };
        self.alerts.note(about, &desktop_channel(), fault);
    }

    /// Forwards what the runs and alerts of this process added to the audit trail, and what was left from before. Without them
    /// nothing was opened, and nothing is new. What does not arrive in time follows later.
    async fn forward(&self) {
        let Some(Ok(services)) = self.services.get() else { return };
        let forwarding = Forwarding::open(self.held.path());
        // Read again: a user might have changed the log server during a backup.
        let file = self.held.path().join("preferences.json");
        let preferences = PreferencesStore::open_read_only(&file, services.preferences.policy.clone());
        let mut stop = self.stop.clone();
        let forwarded = async {
            tokio::select! {
                biased;
                // Forwarding is left when the runner is told to stop: the system kills a process that goes on.
                Ok(()) = async { stop.wait_for(|is_set| *is_set).await.map(drop) } => {}
                _ = forwarding.forward_new(&preferences, &services.context) => {}
            }
        };
        if tokio::time::timeout(FORWARDING, forwarded).await.is_err() {
            tracing::warn!("the audit trail was not forwarded in time; the next start goes on");
        }
    }

    async fn services(&self) -> Result<&Opened, String> {
        let opened = self.services.get_or_init(async || {
            let opening = (self.open)().map_err(|error| format!("{error:#}"))?;
            let running = self.running.clone();
            let listener: RunsListener = Box::new(move |runs| running.follow(&runs));
            let folder = self.held.path();
            // Entries of the other runner, which might still wait, are left alone.
            let open = if self.is_beside { start::open_beside_runner } else { start::open_for_runner };
            let required = open(folder).map_err(|error| format!("{error:#}"))?;
            Ok(Opened::new(folder, required, opening, listener))
        });
        opened.await.as_ref().map_err(Clone::clone)
    }

    /// Sends the heartbeats of a plan that has some.
    async fn beat(&self, services: &Opened, plan: &BackupPlan, beat: RunBeat, run: &str) {
        if plan.alerts.is_empty() {
            return;
        }
        let settings = AlertChannels::read(self.held.path());
        services.sender(&settings).beat(&self.alerts, plan, beat, run).await;
    }

    /// Returns a plan as the window saved it last; `None` if it was deleted, or has another folder.
    fn saved_now(&self, plan: &BackupPlan) -> Option<BackupPlan> {
        let plans = store::plans_read_only(self.held.path()).get();
        plans.into_iter().find(|now| now.id == plan.id && now.folder == plan.folder)
    }

    /// Tells that a run begins: the history, the audit trail, and who listens to its heartbeats. Once, before anything is sent.
    async fn begin(&self, services: &Opened, run: &mut OneRun<'_>) {
        if run.record.begin(&services.context).await {
            self.beat(services, run.plan, RunBeat::Start, &run.id).await;
        }
    }

    /// Runs a plan, and removes the sets that its rules do not keep once the new one is as expected.
    async fn run_and_keep(&self, services: &Opened, run: &mut OneRun<'_>) -> Result<AttemptEnd, Problem> {
        let Opened { context, transfers, .. } = services;
        let plan = run.plan;
        if rules::allowed(&services.preferences.policy, &context.history, plan).await.is_err() {
            let note = "the policy of the organization does not allow it".to_owned();
            let end = AttemptEnd { fault: Some(PartFault::NotOffered), note, ..AttemptEnd::without_set() };
            return Ok(AttemptEnd { sent_nothing: false, ..end });
        }
        let policy = &services.preferences.policy;
        let sets_in = self.progress.read(|state| state.plans.get(&plan.id)?.sets_in.clone());
        let facts = acceptance_facts::before_run(context, policy, plan, sets_in.as_deref()).await?;
        if let Some(line) = obstacle(judge(&facts)) {
            let fault = Some(PartFault::of_obstacle(&line.about));
            let note = line.about.as_text().to_owned();
            return Ok(AttemptEnd { fault, note, refused: Some(line), ..AttemptEnd::without_set() });
        }
        if run.is_repetition
            && let Some(parts) = attempt::still_waiting(context, plan).await
        {
            return Ok(AttemptEnd::unsent(parts));
        }
        self.begin(services, run).await;
        // Sets of runners that were killed. Without this, one stays without an end if its folder was absent at the next start.
        if let Err(problem) = self.end_all_cut_off(plan).await {
            tracing::warn!(?problem, "backup sets without an end could not be ended");
        }
        let scheduled = run.scheduled.map(Millis::from);
        let stored = self.run_until_stopped(context, transfers, plan, scheduled).await?;
        let (verdict, fault) = (stored.set.verdict(), stored.set.fault());
        if stored.set.sent_nothing() {
            let (data_folder, empty) = (self.held.path().to_owned(), stored.clone());
            let discarded = in_background(move || keeping::discard(&data_folder, &empty)).await?;
            if let Err(error) = discarded {
                tracing::warn!(%error, folder = %stored.folder.display(), "an empty backup set is kept");
            }
            return Ok(AttemptEnd::unsent(stored.set.parts));
        }
        // Without it, the set is none, and nothing is removed for it.
        if let Err(problem) = stored.must_be_written().await {
            tracing::error!(?problem, "a backup set could not be written at its end");
            return Ok(AttemptEnd {
                fault: Some(PartFault::Disk),
                folder: Some(stored.folder.display().to_string()),
                note: format!("{}: {}", set::FILE, problem::as_text(&problem)),
                parts: stored.set.parts.clone(),
                sent_nothing: false,
                unwritten: Some(stored),
                ..AttemptEnd::without_set()
            });
        }
        // As it is now: a run takes hours, and its rules might have been changed.
        let now = self.saved_now(plan);
        if stored.set.takes_the_place_of_others()
            && let Some(plan) = &now
        {
            match keeping::remove_others(context, self.held.path(), plan, self.now(), &self.zone()).await {
                Ok(removal) => {
                    for (folder, why) in removal.failed {
                        tracing::warn!(folder = %folder.display(), why, "a backup set is kept although no rule does");
                    }
                }
                Err(problem) => tracing::warn!(?problem, "no backup set is removed"),
            }
        }
        let folder = Some(stored.folder.display().to_string());
        let (note, parts) = (String::new(), stored.set.parts);
        let (refused, session_end) = (None, session_end(&facts.parts));
        let (sent_nothing, unwritten) = (false, None);
        Ok(AttemptEnd { verdict, fault, folder, note, parts, refused, session_end, sent_nothing, unwritten })
    }
}

impl PlanRunner {
    /// Ends the sets of a plan that a runner left without an end. This process holds the lock of the runner, and begins none
    /// meanwhile.
    async fn end_all_cut_off(&self, plan: &BackupPlan) -> Result<(), Problem> {
        let (data_folder, plan) = (self.held.path().to_owned(), plan.clone());
        let ended = in_background(move || {
            cut_off::end_all(&data_folder, &plan).map_err(|error| Problem::file(&plan.folder, &error))
        });
        ended.await?
    }

    /// Runs a plan until it ends, this process is told to end, or a user stops this run.
    async fn run_until_stopped(
        &self,
        context: &SiteContext,
        transfers: &Transfers,
        plan: &BackupPlan,
        scheduled: Option<Millis>,
    ) -> Result<StoredSet, Problem> {
        let (stop, stopped) = watch::channel(false);
        let mut of_process = self.stop.clone();
        let _awake = crate::awake::keep();
        self.running.begin(&plan.id);
        let running = async {
            let mut running = Box::pin(attempt::run(context, transfers, plan, scheduled, &stopped));
            tokio::select! {
                biased;
                ran = &mut running => ran,
                () = exchange::either(&self.running, &mut of_process, &stop) => running.await,
            }
        };
        let ran = tokio::select! {
            biased;
            ran = running => ran,
            never = self.running.keep_written() => match never {},
        };
        self.running.end();
        ran
    }
}

impl Host for PlanRunner {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn zone(&self) -> TimeZone {
        TimeZone::system()
    }

    async fn run(&self, plan: &BackupPlan, scheduled: Option<Timestamp>, is_repetition: bool) -> AttemptEnd {
        let services = match self.services().await {
            Ok(services) => services,
            Err(note) => {
                tracing::error!(plan = plan.id.0, note, "a backup plan cannot run");
                return AttemptEnd { fault: Some(PartFault::Other), note, ..AttemptEnd::without_set() };
            }
        };
        let context = &services.context;
        let record = RunRecord::new(context, plan, scheduled.unwrap_or_else(|| self.now()));
        let id = uuid::Uuid::new_v4().to_string();
        let mut run = OneRun { plan, scheduled, is_repetition, id, record };
        // Of a repetition, once the site responds: it might be repeated each minute, for days.
        if !is_repetition {
            self.begin(services, &mut run).await;
        }
        let ended = Box::pin(self.run_and_keep(services, &mut run)).await;
        let end = ended.unwrap_or_else(|problem| AttemptEnd {
            fault: PartFault::of(&problem).or(Some(PartFault::Other)),
            note: problem::as_text(&problem),
            ..AttemptEnd::without_set()
        });
        let OneRun { id, record, .. } = run;
        if record.has_begun() || !end.sent_nothing {
            record.end(context, plan, &end).await;
            let is_as_expected = end.verdict == Verdict::AsExpected;
            self.beat(services, plan, RunBeat::End { is_as_expected }, &id).await;
        }
        tracing::info!(plan = plan.id.0, verdict = ?end.verdict, note = end.note, "a backup plan ran");
        end
    }

    async fn end_cut_off(&self, plan: &BackupPlan, began: Millis) -> AttemptEnd {
        let ended = self.end_all_cut_off(plan).await;
        let sets = keeping::read(plan).await.map(|folder| folder.sets).unwrap_or_default();
        let end = AttemptEnd { verdict: Verdict::Unknown, sent_nothing: false, ..AttemptEnd::without_set() };
        let end = match (ended, sets.into_iter().find(|stored| stored.set.started >= began)) {
            (Err(problem), _) => AttemptEnd { note: problem::as_text(&problem), ..end },
            (Ok(()), None) => AttemptEnd { note: "the runner ended before this run did".to_owned(), ..end },
            (Ok(()), Some(StoredSet { folder, set })) => AttemptEnd {
                verdict: set.verdict(),
                fault: set.fault(),
                folder: Some(folder.display().to_string()),
                parts: set.parts,
                ..end
            },
        };
        tracing::error!(plan = plan.id.0, verdict = ?end.verdict, note = end.note, "a run was cut off");
        if let Ok(Opened { context, .. }) = self.services().await {
            RunRecord::tell_end(context, plan, &end).await;
        }
        end
    }

    async fn write_set(&self, StoredSet { folder, set }: &StoredSet) -> bool {
        let (data_folder, folder, set) = (self.held.path().to_owned(), folder.clone(), set.clone());
        let written = in_background(move || {
            keeping::write_late(&data_folder, &folder, set).map_err(|error| Problem::file(&folder, &error))
        });
        match written.await {
            Ok(Ok(())) => true,
            Err(problem) | Ok(Err(problem)) => {
                tracing::warn!(?problem, "a backup set is still to be written");
                false
            }
        }
    }

    async fn tell(&self, plan: &BackupPlan, progress: &PlanProgress, alert: &OpenAlert) -> bool {
        let services = match self.services().await {
            Ok(services) => services,
            Err(error) => {
                let about = (alert.id.clone(), alert.about, alert.at);
                let message = AlertMessage::of_plan(plan, progress, plan.site.0.clone(), about);
                self.tell_at_desk(&plan.id, alert, &message, &error).await;
                return false;
            }
        };
        // What the organization forbids ends without an alert: nobody at this computer can change it.
        if services.preferences.policy.plans_rule() == PlansRule::Forbidden {
            return true;
        }
        let site = services.context.access.sites.get(&plan.site);
        let site_name = site.map_or_else(|_| plan.site.0.clone(), |site| site.name);
        let message =
            AlertMessage::of_plan(plan, progress, site_name, (alert.id.clone(), alert.about, alert.at));
        let settings = AlertChannels::read(self.held.path());
        services.sender(&settings).send(&self.alerts, (&plan.id, &plan.alerts), alert, message).await
    }

    /// A user who asks for a plan does not wait: the next start of the runner repeats the others.
    async fn pause(&self, pause: Duration) -> bool {
        let mut stop = self.stop.clone();
        let stopped = async { stop.wait_for(|is_set| *is_set).await.map(drop) };
        tokio::select! {
            biased;
            Ok(()) = stopped => false,
            () = exchange::run_requested(self.held.path()) => false,
            () = tokio::time::sleep(pause) => true,
        }
    }

    fn is_stopped(&self) -> bool {
        *self.stop.borrow()
    }
}

/// What cannot be read is never a success: it might say that something else was due.
const fn exit_code(worst: Option<Verdict>, is_readable: bool) -> u8 {
    match worst {
        None | Some(Verdict::AsExpected) => {
            if is_readable {
                WELL
            } else {
                INVALID
            }
        }
        Some(Verdict::Skipped) => NOT_NOW,
        Some(Verdict::Running | Verdict::Unknown | Verdict::Failed) => FAILED,
    }
}
