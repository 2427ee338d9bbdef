//! The runner of backup plans: a process without a window, which the scheduler of the system starts.
//!
//! It reads the files of the window, and writes the history, the progress of the plans, and their sets (ADR 0050). The
//! history, the keyring and the sites are opened for the first plan that is due: most starts have none.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use steward_core::files::data_folder::{DataFolder, DataFolderError};
use steward_core::files::in_place;
use steward_core::forwarding::Forwarding;
use steward_core::model::numbers::Millis;
use steward_core::settings::preferences::PreferencesStore;
use tokio::sync::watch;

use crate::all_well;
use crate::changes;
use crate::exchange::{self, RunningFile};
use crate::expiries;
use crate::host::Host as _;
use crate::night;
use crate::plan::{PlanId, runs_by_schedule};
use crate::services::Services;
use crate::set::Verdict;
use crate::sign_of_life;
use crate::tell;

pub use crate::services::Opening;
pub use crate::sign_of_life::Watch;

/// Exit code of a runner: every plan that was due is as expected, or none was due.
pub const WELL: u8 = 0;
/// Exit code of a runner: a plan failed, or its outcome is unknown.
pub const FAILED: u8 = 1;
/// Exit code of a runner: not possible now, for example because the site is busy.
pub const NOT_NOW: u8 = 75;
/// Exit code of a runner: there is no such plan, the program cannot start, or a file of it that decides what is due
/// cannot be read.
pub const INVALID: u8 = 78;

/// Longest time that a runner forwards the audit trail: a log server that does not answer must not hold up the next
/// start.
const FORWARDING: Duration = Duration::from_mins(5);

/// Time after which entries that a log server did not get are forwarded again, although nothing is due.
const FORWARDED_AGAIN: Duration = Duration::from_mins(50);

/// Longest time that a run which a user asked for waits for a log server to confirm what is on its way.
const CONFIRMING: Duration = Duration::from_secs(5);

/// The runner, in a locked data folder.
pub struct PlanRunner(Services);

impl PlanRunner {
    /// Creates the runner. `open` is called for the first plan that is due. After `stop` is set, the current part ends,
    /// and no other begins.
    pub fn new(
        held: DataFolder,
        open: impl Fn() -> anyhow::Result<Opening> + Send + Sync + 'static,
        stop: watch::Receiver<bool>,
    ) -> Self {
        Self(Services::new(held, Box::new(open), stop, false))
    }

    /// Creates the runner beside another one, which holds the data folder. It runs no plan, and only tells what is
    /// wrong.
    pub fn beside(
        held: DataFolder,
        open: impl Fn() -> anyhow::Result<Opening> + Send + Sync + 'static,
        stop: watch::Receiver<bool>,
    ) -> Self {
        Self(Services::new(held, Box::new(open), stop, true))
    }

    /// Shows a watch that the work goes on, and gives signs of life while there is one.
    ///
    /// # Errors
    /// An error of the system.
    pub fn watched(mut self, watch: &Watch) -> std::io::Result<Self> {
        let data_folder = &self.0.files.data_folder;
        watch.work().steps();
        sign_of_life::give(data_folder, watch.work())?;
        self.0.running = Arc::new(RunningFile::in_data_folder(data_folder).watched(watch.work()));
        Ok(self)
    }

    /// Tells what is wrong with the plans while another runner holds the data folder, and returns the exit code.
    pub async fn tell_beside(&self) -> u8 {
        let Self(services) = self;
        let mut code = WELL;
        for plan in services.plans().iter().filter(|plan| runs_by_schedule(plan)) {
            if tell::beside(services, &services.files, plan).await {
                code = FAILED;
            }
        }
        code
    }

    /// Runs all plans that are due, then those that a user asked for, and returns the exit code.
    pub async fn run_due_plans(&self) -> u8 {
        let Self(services) = self;
        let is_readable = tell::unreadable(services, services).await;
        let began = Millis::from(services.now());
        let worst = night::run(services, &services.files, || services.plans()).await;
        expiries::tell(services, services.now()).await;
        if is_readable {
            all_well::tell(services, services.now()).await;
        }
        exit_code(self.run_requested(worst, began).await, is_readable)
    }

    /// Runs one plan now, then those that a user asked for meanwhile, and returns the exit code.
    pub async fn run_plan(&self, id: &PlanId) -> u8 {
        let Self(services) = self;
        let is_readable = tell::unreadable(services, services).await;
        let Some(plan) = services.plans().into_iter().find(|plan| plan.id == *id) else {
            tracing::error!(plan = id.0, "there is no such plan");
            return INVALID;
        };
        let began = Millis::from(services.now());
        let verdict = night::run_now(services, &services.files, &plan).await;
        exit_code(self.run_requested(Some(verdict), began).await, is_readable)
    }

    /// Runs the plans that a user asked for, takes a snapshot of each site whose plan ran since `began`, and forwards
    /// the audit trail, until there is no request left: starts beside this one leave requests to it. Returns the worst
    /// verdict, with that of the runs before.
    async fn run_requested(&self, mut worst: Option<Verdict>, mut began: Millis) -> Option<Verdict> {
        let Self(services) = self;
        let request = || match services.is_stopped() {
            false => exchange::take_request(&services.files.data_folder),
            true => None,
        };
        let mut requested = request();
        loop {
            while let Some((id, at)) = requested {
                // The plan might have been saved after this process began.
                let plan = services.plans().into_iter().find(|plan| plan.id == id);
                if let Some(plan) = plan.filter(|_| !self.has_run_since(&id, at)) {
                    let verdict = night::run_now(services, &services.files, &plan).await;
                    worst = worst.max(Some(verdict));
                }
                requested = request();
            }
            let now = Millis::from(services.now());
            changes::after_runs(services, began).await;
            began = now;
            self.forward().await;
            requested = request();
            if requested.is_none() {
                return worst;
            }
        }
    }

    /// Returns whether a run of a plan began after a user asked for one, and ended as expected: the request is met.
    fn has_run_since(&self, plan: &PlanId, requested: Millis) -> bool {
        let Self(services) = self;
        let last = services.files.progress.read(|state| state.plans.get(plan)?.last.clone());
        // A run in the future began by a clock that was ahead.
        let until = Millis::from(services.now());
        last.is_some_and(|last| last.verdict == Verdict::AsExpected && (requested..=until).contains(&last.at))
    }

    /// Forwards the entries of the audit trail that the runs and alerts of this process added, and those that an
    /// earlier start could not forward. Without either, nothing is opened. What does not arrive in time is noted, so
    /// that the next start forwards it.
    async fn forward(&self) {
        let Self(services) = self;
        let data_folder = &services.files.data_folder;
        let waiting_since = in_place(|| exchange::waiting_since(data_folder));
        // A runner might be started each minute, and does not try each time. `elapsed` fails if the clock was set back.
        let is_due = waiting_since.is_some_and(|at| at.elapsed().map_or(true, |age| age >= FORWARDED_AGAIN));
        if services.if_opened().await.is_none() && !is_due {
            return;
        }
        let Ok(opened) = services.opened().await else { return };
        let forwarding = Forwarding::open(data_folder);
        if waiting_since.is_some() {
            forwarding.is_known_to_fail();
        }
        // Read again: a user might have changed the log server during a backup.
        let file = data_folder.join("preferences.json");
        let preferences = PreferencesStore::open_read_only(&file, opened.preferences.policy.clone());
        // Noted first, in case the runner is killed meanwhile.
        if preferences.log_server().is_on() {
            in_place(|| exchange::note_waiting(data_folder));
        }
        let forwarded = async {
            tokio::select! {
                biased;
                // Forwarding ends when the runner is told to stop: the system kills a process that goes on.
                () = services.stopped() => false,
                // A requested run goes first, and forwarding continues after it. The pause lets the log server confirm
                // entries that were sent, which would be sent again otherwise.
                () = async {
                    exchange::run_requested(data_folder).await;
                    tokio::time::sleep(CONFIRMING).await;
                } => false,
                is_all = forwarding.forward_new(&preferences, &opened.context, || {
                    exchange::is_run_requested(data_folder)
                }) => is_all,
            }
        };
        match tokio::time::timeout(FORWARDING, forwarded).await {
            Ok(true) => in_place(|| exchange::note_forwarded(data_folder)),
            Ok(false) => {}
            Err(_) => tracing::warn!("the audit trail was not forwarded in time; the next start goes on"),
        }
    }
}

/// Tells by the desktop, once a day, that the data folder cannot be used, for example because its disk is mounted to be
/// read only.
pub async fn tell_unusable(data_folder: &Path, opening: &Opening, error: &DataFolderError) {
    tell::unusable(data_folder, opening, error).await;
}

/// Returns the exit code. Unreadable files are never a success: another plan might have been due by them.
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
