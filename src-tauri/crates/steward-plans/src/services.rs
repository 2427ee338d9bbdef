//! What a runner uses: the files that it writes; and the history, the keyring and the sites, which are opened for the
//! first plan that is due: most starts have none.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use steward_core::access::Access;
use steward_core::access::checked_facts::CheckedFacts;
use steward_core::access::recorded_secrets::RecordedSecrets;
use steward_core::files::data_folder::{CHECKED_FACTS, DataFolder, SITES};
use steward_core::files::dialogs::{Choice, Dialogs, Title};
use steward_core::files::selected_paths::SelectedPaths;
use steward_core::history::record::History;
use steward_core::model::problem::Problem;
use steward_core::model::retry_policy::RetryPolicy;
use steward_core::operations;
use steward_core::runs::{RunRegistry, RunsListener};
use steward_core::settings::policy::Policy;
use steward_core::settings::preferences::PreferencesStore;
use steward_core::site_context::{Readings, SiteContext};
use steward_core::sites::Sites;
use steward_core::sites::read_only::ReadOnlyLocks;
use steward_core::start;
use steward_core::transfers::Transfers;
use steward_core::transfers::upload::UploadStore;
use steward_vault::SecretStore;
use tokio::sync::{Mutex, watch};
use url::Url;

use crate::alerts::channel::AlertSettings;
use crate::alerts::desktop::Desktop;
use crate::alerts::send::AlertSender;
use crate::alerts::state::AlertStore;
use crate::exchange::RunningFile;
use crate::plan::BackupPlan;
use crate::store::{self, ProgressStore};

/// Services of a runner, in a locked data folder.
pub(crate) struct Services {
    pub(crate) files: RunnerFiles,
    /// The run of a plan as the window sees it.
    pub(crate) running: Arc<RunningFile>,
    /// Set when this process is told to end.
    pub(crate) stop: watch::Receiver<bool>,
    /// Creates what the services need.
    pub(crate) open: Open,
    opened: Mutex<Option<Arc<Opened>>>,
    /// Whether another runner uses the data folder, too.
    is_beside: bool,
    _held: DataFolder,
}

/// Files of a data folder that only a runner writes.
pub(crate) struct RunnerFiles {
    pub(crate) data_folder: PathBuf,
    /// Progress of the plans.
    pub(crate) progress: ProgressStore,
    /// Alerts that were sent so far.
    pub(crate) alerts: AlertStore,
}

/// Creates what is only needed once a plan is due.
pub(crate) type Open = Box<dyn Fn() -> anyhow::Result<Opening> + Send + Sync>;

/// Services that are opened once a plan is due.
pub struct Opening {
    /// Policy of the organization.
    pub policy: Policy,
    /// Keyring.
    pub vault: Arc<dyn SecretStore>,
    /// Shows alerts.
    pub desktop: Arc<dyn Desktop>,
    /// Folder outside of the data folder for notes while that cannot be written. Only this user can write to it, and
    /// the system may empty it.
    pub runtime_folder: PathBuf,
}

/// The history, the keyring and the sites.
pub(crate) struct Opened {
    pub(crate) context: SiteContext,
    pub(crate) transfers: Transfers,
    pub(crate) preferences: PreferencesStore,
    desktop: Arc<dyn Desktop>,
}

impl Services {
    /// Returns the services of a runner. One that `is_beside` another, which holds the data folder, only tells what is
    /// wrong.
    pub(crate) fn new(held: DataFolder, open: Open, stop: watch::Receiver<bool>, is_beside: bool) -> Self {
        let data_folder = held.path().to_owned();
        let (progress, alerts) = if is_beside {
            (store::progress_read_only(&data_folder), AlertStore::open_beside(&data_folder))
        } else {
            (store::progress(&data_folder), AlertStore::open(&data_folder))
        };
        Self {
            running: Arc::new(RunningFile::in_data_folder(&data_folder)),
            files: RunnerFiles { data_folder, progress, alerts },
            stop,
            open,
            opened: Mutex::default(),
            is_beside,
            _held: held,
        }
    }

    /// Returns the plans as the window saved them last.
    pub(crate) fn plans(&self) -> Vec<BackupPlan> {
        store::plans_read_only(&self.files.data_folder).get()
    }

    /// Returns the history, the keyring and the sites. They are opened once, and the sites again before each run.
    ///
    /// # Errors
    /// Why they cannot be opened, as a text.
    pub(crate) async fn opened(&self) -> Result<Arc<Opened>, String> {
        match self.if_opened().await {
            Some(opened) => Ok(opened),
            None => self.opened_for_run().await,
        }
    }

    /// Returns the history, the keyring and the sites, with what the window saved since: a runner works for hours, in
    /// which a user adds a site, signs in, or changes the proxy.
    ///
    /// # Errors
    /// Those of [`opened`](Self::opened).
    pub(crate) async fn opened_for_run(&self) -> Result<Arc<Opened>, String> {
        let mut opened = self.opened.lock().await;
        let again = self.open_again(opened.as_deref()).map_err(|error| format!("{error:#}"))?;
        Ok(Arc::clone(opened.insert(Arc::new(again))))
    }

    fn open_again(&self, before: Option<&Opened>) -> anyhow::Result<Opened> {
        let opening = (self.open)()?;
        let folder = &self.files.data_folder;
        // History entries of the other runner, which might still wait for a response, are left alone.
        let open = if self.is_beside { start::open_beside_runner } else { start::open_for_runner };
        let (sites, history) = match before {
            Some(before) => {
                let file = folder.join(SITES);
                // Without the file, there would be no sites, and each plan would fail as one of a removed site.
                anyhow::ensure!(file.exists(), "the saved sites in {} are missing", file.display());
                (Sites::open_read_only(&file)?, before.context.history.clone())
            }
            None => {
                let (sites, journal) = open(folder)?;
                (sites, History::new(journal, operations::summary))
            }
        };
        let running = self.running.clone();
        Ok(Opened::new(folder, sites, history, opening, Box::new(move |runs| running.follow(&runs))))
    }

    /// Returns the history, the keyring and the sites if they were opened.
    pub(crate) async fn if_opened(&self) -> Option<Arc<Opened>> {
        self.opened.lock().await.clone()
    }

    /// Ends when this process is told to end.
    pub(crate) async fn stopped(&self) {
        let mut stop = self.stop.clone();
        if stop.wait_for(|is_set| *is_set).await.is_err() {
            // Without a sender, nothing stops it.
            std::future::pending::<()>().await;
        }
    }
}

impl Opened {
    fn new(
        data_folder: &Path,
        sites: Sites,
        history: History,
        opening: Opening,
        listener: RunsListener,
    ) -> Self {
        let Opening { policy, vault, desktop, runtime_folder: _ } = opening;
        let preferences = PreferencesStore::open_read_only(&data_folder.join("preferences.json"), policy);
        let checked = CheckedFacts::open_read_only(data_folder.join(CHECKED_FACTS));
        let uploads = Arc::new(UploadStore::open_read_only(data_folder.join("uploads.json")));
        let vault: Arc<dyn SecretStore> = Arc::new(RecordedSecrets::new(vault, history.clone()));
        let access = Access::new(sites, vault, &preferences, checked, vec![uploads.clone()]);
        let runs = RunRegistry::new(listener);
        runs.lock_between_processes(&data_folder.join("locks"));
        let context = SiteContext {
            access,
            history,
            runs,
            locks: ReadOnlyLocks::default(),
            readings: Readings::default(),
        };
        let dialogs = Arc::new(SelectedPaths::new(Arc::new(NoDialogs), data_folder));
        let (retry_policy, server_restart) = (RetryPolicy::default(), RetryPolicy::of_restart());
        let transfers = Transfers { dialogs, uploads, retry_policy, server_restart };
        Self { context, transfers, preferences, desktop }
    }

    /// Returns what sends alerts and heartbeats.
    pub(crate) fn sender<'a>(&'a self, settings: &'a AlertSettings) -> AlertSender<'a> {
        let SiteContext { access, history, .. } = &self.context;
        AlertSender {
            access,
            history,
            policy: &self.preferences.policy,
            settings,
            desktop: &*self.desktop,
            retry_policy: self.transfers.retry_policy,
        }
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
