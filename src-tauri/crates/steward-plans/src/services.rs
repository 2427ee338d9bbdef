//! What a runner opens for the first plan that is due: the history, the keyring and the sites.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use steward_core::access::Access;
use steward_core::access::checked_facts::CheckedFacts;
use steward_core::access::recorded_secrets::RecordedSecrets;
use steward_core::files::dialogs::{Choice, Dialogs, Title};
use steward_core::files::selected_paths::SelectedPaths;
use steward_core::history::record::History;
use steward_core::model::problem::Problem;
use steward_core::model::retry_policy::RetryPolicy;
use steward_core::operations;
use steward_core::runs::{RunRegistry, RunsListener};
use steward_core::settings::policy::Policy;
use steward_core::settings::preferences::PreferencesStore;
use steward_core::site_context::SiteContext;
use steward_core::sites::Sites;
use steward_core::sites::read_only::ReadOnlyLocks;
use steward_core::transfers::Transfers;
use steward_core::transfers::upload::UploadStore;
use steward_journal::Journal;
use steward_vault::SecretStore;
use url::Url;

use crate::alerts::channel::AlertSettings;
use crate::alerts::desktop::Desktop;
use crate::alerts::send::AlertSender;

/// What only a due plan needs.
pub struct Opening {
    /// Policy of the organization.
    pub policy: Policy,
    /// Keyring.
    pub vault: Arc<dyn SecretStore>,
    /// Shows alerts.
    pub desktop: Arc<dyn Desktop>,
}

/// The history, the keyring and the sites.
pub(crate) struct Opened {
    pub(crate) context: SiteContext,
    pub(crate) transfers: Transfers,
    pub(crate) preferences: PreferencesStore,
    desktop: Arc<dyn Desktop>,
}

impl Opened {
    pub(crate) fn new(
        data_folder: &Path,
        (sites, journal): (Sites, Journal),
        opening: Opening,
        listener: RunsListener,
    ) -> Self {
        let Opening { policy, vault, desktop } = opening;
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
        Self { context, transfers, preferences, desktop }
    }

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
