//! The runner of backup plans: a process without a window, which the scheduler of the system starts.
//!
//! It reads the files of the window, and writes the history, the progress of the plans, and their sets (ADR 0050). The
//! history, the keyring and the sites are opened for the first plan that is due: most starts have none.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use steward_journal::{Journal, Process};
use steward_vault::SecretStore;
use tokio::sync::{OnceCell, watch};
use url::Url;

use crate::access::Access;
use crate::access::checked_facts::CheckedFacts;
use crate::access::recorded_secrets::RecordedSecrets;
use crate::files::data_folder::{DataFolder, JOURNAL, SITES};
use crate::files::dialogs::{Choice, Dialogs, Title};
use crate::files::selected_paths::SelectedPaths;
use crate::history::record::History;
use crate::model::numbers::Millis;
use crate::model::problem::{self, Problem};
use crate::model::retry_policy::RetryPolicy;
use crate::operations;
use crate::plans::keeping;
use crate::plans::plan::{BackupPlan, PlanId};
use crate::plans::run::{self, StoredSet};
use crate::plans::runner::{self, Host, RunEnd};
use crate::plans::set::{PartState, Verdict};
use crate::plans::store::{self, PlanStore, ProgressStore};
use crate::runs::{RunRegistry, RunsListener};
use crate::settings::policy::Policy;
use crate::settings::preferences::PreferencesStore;
use crate::site_context::SiteContext;
use crate::sites::Sites;
use crate::sites::read_only::ReadOnlyLocks;
use crate::transfers::Transfers;
use crate::transfers::upload::UploadStore;

/// Exit code of a runner: every plan that was due is as expected, or none was due.
pub const WELL: u8 = 0;
/// Exit code of a runner: a plan failed, or its outcome is unknown.
pub const FAILED: u8 = 1;
/// Exit code of a runner: not possible now, for example because the site is busy.
pub const NOT_NOW: u8 = 75;
/// Exit code of a runner: there is no such plan, or the program cannot start.
pub const INVALID: u8 = 78;

/// The runner, in a locked data folder.
pub struct PlanRunner {
    plans: PlanStore,
    progress: ProgressStore,
    /// Creates what the services need, once.
    services: OnceCell<Result<Services, String>>,
    open: Box<dyn Fn() -> anyhow::Result<Opening> + Send + Sync>,
    stop: watch::Receiver<bool>,
    held: DataFolder,
}

/// What only a due plan needs.
pub struct Opening {
    /// Policy of the organization.
    pub policy: Policy,
    /// Keyring.
    pub vault: Arc<dyn SecretStore>,
    /// Receives the progress of each run.
    pub listener: RunsListener,
}

struct Services {
    context: SiteContext,
    transfers: Transfers,
}

impl PlanRunner {
    /// Creates the runner. `open` is called for the first plan that is due. After `stop` is set, the current part ends, and
    /// no other begins.
    pub fn new(
        held: DataFolder,
        open: impl Fn() -> anyhow::Result<Opening> + Send + Sync + 'static,
        stop: watch::Receiver<bool>,
    ) -> Self {
        Self {
            plans: store::plans_read_only(held.path()),
            progress: store::progress(held.path()),
            services: OnceCell::new(),
            open: Box::new(open),
            stop,
            held,
        }
    }

    /// Runs all plans that are due, and returns the exit code.
    pub async fn run_due_plans(&self) -> u8 {
        exit_code(runner::run_due_plans(self, &self.progress, &self.plans.get()).await)
    }

    /// Runs one plan now, and returns the exit code.
    pub async fn run_plan(&self, id: &PlanId) -> u8 {
        let Some(plan) = self.plans.get().into_iter().find(|plan| plan.id == *id) else {
            tracing::error!(plan = id.0, "there is no such plan");
            return INVALID;
        };
        exit_code(Some(runner::run_now(self, &self.progress, &plan).await))
    }

    async fn services(&self) -> Result<&Services, String> {
        let opened = self.services.get_or_init(async || {
            let opening = (self.open)().map_err(|error| format!("{error:#}"))?;
            Services::open(self.held.path(), opening).map_err(|error| format!("{error:#}"))
        });
        opened.await.as_ref().map_err(Clone::clone)
    }

    /// Returns a plan as the window saved it last; `None` if it was deleted, or has another folder.
    fn saved_now(&self, plan: &BackupPlan) -> Option<BackupPlan> {
        let plans = store::plans_read_only(self.held.path()).get();
        plans.into_iter().find(|now| now.id == plan.id && now.folder == plan.folder)
    }

    /// Runs a plan, and removes the sets that its rules do not keep once the new one is as expected.
    async fn run_and_keep(&self, plan: &BackupPlan, scheduled: Timestamp) -> Result<RunEnd, Problem> {
        let services = self.services().await.map_err(|message| Problem::Unexpected { message })?;
        let Services { context, transfers } = services;
        let scheduled = Some(Millis::from(scheduled));
        let stored = run::run(context, transfers, plan, scheduled, &self.stop).await?;
        let verdict = stored.set.verdict();
        if stored.set.sent_nothing() {
            let note = discard(&stored);
            return Ok(RunEnd { verdict, folder: None, note, parts: Vec::new(), sent_nothing: true });
        }
        // As it is now: a run takes hours, and its rules might have been changed.
        let now = self.saved_now(plan);
        if verdict == Verdict::AsExpected
            && let Some(plan) = &now
        {
            match keeping::remove_others(context, plan, self.now(), &self.zone()).await {
                Ok(removal) => {
                    for (folder, why) in removal.failed {
                        tracing::warn!(folder = %folder.display(), why, "a backup set is kept although no rule does");
                    }
                }
                Err(problem) => tracing::warn!(?problem, "no backup set is removed"),
            }
        }
        let folder = Some(stored.folder.display().to_string());
        Ok(RunEnd { verdict, folder, note: String::new(), parts: stored.set.parts, sent_nothing: false })
    }
}

impl Host for PlanRunner {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn zone(&self) -> TimeZone {
        TimeZone::system()
    }

    async fn run(&self, plan: &BackupPlan, scheduled: Timestamp) -> RunEnd {
        let ended = Box::pin(self.run_and_keep(plan, scheduled)).await;
        let end = ended.unwrap_or_else(|problem| RunEnd {
            verdict: Verdict::Failed,
            folder: None,
            note: problem::as_text(&problem),
            parts: Vec::new(),
            sent_nothing: true,
        });
        tracing::info!(plan = plan.id.0, verdict = ?end.verdict, note = end.note, "a backup plan ran");
        end
    }

    fn is_stopped(&self) -> bool {
        *self.stop.borrow()
    }
}

impl Services {
    fn open(data_folder: &Path, opening: Opening) -> anyhow::Result<Self> {
        let Opening { policy, vault, listener } = opening;
        let sites = Sites::open_read_only(&data_folder.join(SITES))?;
        let journal = Journal::open_as(&data_folder.join(JOURNAL), Process::Runner)?;
        let history = History::new(journal, operations::summary);
        let preferences = PreferencesStore::open_read_only(&data_folder.join("preferences.json"), policy);
        let checked = CheckedFacts::open_read_only(data_folder.join("checked-facts.json"));
        let uploads = Arc::new(UploadStore::open_read_only(data_folder.join("uploads.json")));
        let vault: Arc<dyn SecretStore> = Arc::new(RecordedSecrets::new(vault, history.clone()));
        let access = Access::new(sites, vault, &preferences, checked, vec![uploads.clone()]);
        let runs = RunRegistry::new(listener);
        runs.lock_between_processes(&data_folder.join("locks"));
        let context = SiteContext { access, history, runs, locks: ReadOnlyLocks::default() };
        let dialogs = Arc::new(SelectedPaths::new(Arc::new(NoDialogs)));
        let transfers = Transfers { dialogs, uploads, retry_policy: RetryPolicy::default() };
        Ok(Self { context, transfers })
    }
}

/// Removes the folder of a set whose run sent nothing, and returns why it did not.
fn discard(stored: &StoredSet) -> String {
    if let Err(error) = keeping::discard(stored) {
        tracing::warn!(%error, folder = %stored.folder.display(), "an empty backup set is kept");
    }
    let notes = stored.set.parts.iter().filter_map(|part| match &part.state {
        PartState::Failed { note, .. } => Some(note.as_str()),
        _ => None,
    });
    notes.collect::<std::collections::BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(" · ")
}

const fn exit_code(worst: Option<Verdict>) -> u8 {
    match worst {
        None | Some(Verdict::AsExpected) => WELL,
        Some(Verdict::Skipped) => NOT_NOW,
        Some(Verdict::Running | Verdict::Unknown | Verdict::Failed) => FAILED,
    }
}

/// Dialogs of a process without a window.
struct NoDialogs;

impl NoDialogs {
    fn problem() -> Problem {
        Problem::NoDialog { message: "a backup plan runs without a user".to_owned() }
    }

    fn none() -> Choice<'static> {
        Box::pin(std::future::ready(Err::<Option<PathBuf>, _>(Self::problem())))
    }
}

impl Dialogs for NoDialogs {
    fn save_file<'a>(&'a self, _: Title, _: &'a str) -> Choice<'a> {
        Self::none()
    }

    fn open_file(&self, _: Title) -> Choice<'_> {
        Self::none()
    }

    fn choose_folder(&self, _: Title) -> Choice<'_> {
        Self::none()
    }

    fn open_page(&self, _: &Url) -> Result<(), Problem> {
        Err(Self::problem())
    }
}
