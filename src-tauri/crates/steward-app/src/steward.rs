//! Composition of the program: opens the services, and passes to each what it needs.
//!
//! [`Steward::open_under`] opens everything in a data folder. The desktop shell and the tests own a [`Steward`]; no
//! function of this crate takes one.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use steward_core::access::Access;
use steward_core::access::checked_facts::CheckedFacts;
use steward_core::access::recorded_secrets::RecordedSecrets;
use steward_core::actions::preferences::{SetAside, SetAsideData};
use steward_core::changes::snapshots::Snapshots;
use steward_core::diagnostics::Diagnosed;
use steward_core::files::data_folder::{CHANGES, CHECKED_FACTS, DataFolder, SITE_PROOFS};
use steward_core::files::dialogs::Dialogs;
use steward_core::files::in_background;
use steward_core::files::selected_paths::SelectedPaths;
use steward_core::follow_up::reminders::Announced;
use steward_core::forwarding::Forwarding;
use steward_core::history::guided_tour::GuidedTour;
use steward_core::history::record::History;
use steward_core::history::trail::TrailVerification;
use steward_core::model::localized_text::UiLanguage;
use steward_core::model::numbers::count;
use steward_core::model::problem::Problem;
use steward_core::model::retry_policy::RetryPolicy;
use steward_core::operations;
use steward_core::operations::find_items::item_search::ItemSearches;
use steward_core::operations::refresh_invitation::InvitationFiles;
use steward_core::operations::refresh_invitation::unsaved_invitations::UnsavedInvitations;
use steward_core::operations::update_participant::contacts_file::ContactsBatches;
use steward_core::proof::watch::Proofs;
use steward_core::runs::RunRegistry;
use steward_core::settings::policy::Policy;
use steward_core::settings::preferences::PreferencesStore;
use steward_core::site_context::{Readings, SiteContext};
use steward_core::sites::read_only::ReadOnlyLocks;
use steward_core::start::RequiredFiles;
use steward_core::transfers::Transfers;
use steward_core::transfers::upload::UploadStore;
use steward_core::unreadable;
use steward_plans::alerts::settings::AlertChannels;
use steward_plans::data_files::FILES;
use steward_plans::rehearsal::begun::Rehearsals;
use steward_plans::saved::SavedPlans;
use steward_vault::SecretStore;

use crate::overview::Overviews;

/// All services of the program. The desktop shell creates one; a test creates one with a temporary folder, an in-memory
/// keyring, and scripted dialogs.
pub struct Steward {
    /// Sites, history, runs, and read-only locks.
    pub context: SiteContext,
    /// Preferences of the user, and the policy of the organization.
    pub preferences: PreferencesStore,
    /// The system's dialogs, and the paths that the user selected.
    pub dialogs: Arc<SelectedPaths>,
    /// Downloads and uploads.
    pub transfers: Transfers,
    /// Results of data store item searches, their recent filters, and the last validations of the items.
    pub item_searches: Arc<ItemSearches>,
    /// Results of the last contacts files.
    pub contacts_batches: Arc<ContactsBatches>,
    /// Refreshed invitations, and where they are saved.
    pub invitation_files: InvitationFiles,
    /// Reminders that a notification was shown for.
    pub announced: Announced,
    /// Checks whether sites are back, after an import or at the request of a user.
    pub proofs: Arc<Proofs>,
    /// Snapshots of the configuration of sites.
    pub snapshots: Arc<Snapshots>,
    /// Forwarding of the audit trail to a log server.
    pub forwarding: Forwarding,
    /// Channels for the alerts of backup plans.
    pub alerts: AlertChannels,
    /// Verification of the whole audit trail.
    pub verification: Arc<TrailVerification>,
    /// Backup plans.
    pub plans: SavedPlans,
    /// Rehearsals that were begun.
    pub rehearsals: Arc<Rehearsals>,
    /// Progress of the guided tour.
    pub tour: Arc<GuidedTour>,
    /// Language of the window.
    pub language: UiLanguage,
    /// Data folder of the program.
    pub data_folder: PathBuf,
    /// Data that this start set aside or changed as a whole, until a user marks it as resolved.
    at_start: Mutex<Vec<SetAside>>,
    /// What this start could not read.
    unreadable_at_start: Vec<SetAside>,
    /// The last field, so that everything above is written before another process can use the folder.
    _held: DataFolder,
}

impl Steward {
    /// Returns what the overviews of sites are put together from.
    #[must_use]
    pub fn overviews(&self) -> Overviews<'_> {
        Overviews {
            context: &self.context,
            unsaved: &self.invitation_files.unsaved,
            plans: &self.plans,
            proofs: &self.proofs,
        }
    }

    /// Opens a data folder without a policy. Creates it if it does not exist.
    ///
    /// # Errors
    /// Those of [`DataFolder::take`] and [`open_under`](Self::open_under).
    pub fn open(
        data_folder: &Path,
        vault: Arc<dyn SecretStore>,
        dialogs: Arc<dyn Dialogs>,
        runs: RunRegistry,
    ) -> anyhow::Result<Self> {
        Self::open_under(Policy::default(), DataFolder::take(data_folder)?, vault, dialogs, runs)
    }

    /// Opens a locked data folder under the policy of an organization.
    ///
    /// # Errors
    /// Those of [`RequiredFiles::open`].
    pub fn open_under(
        policy: Policy,
        held: DataFolder,
        vault: Arc<dyn SecretStore>,
        dialogs: Arc<dyn Dialogs>,
        runs: RunRegistry,
    ) -> anyhow::Result<Self> {
        let required = RequiredFiles::open(&held)?;
        Ok(Self::with(required, policy, held, vault, dialogs, runs))
    }

    /// Opens the other files of a data folder. All of them are optional.
    pub fn with(
        required: RequiredFiles,
        policy: Policy,
        held: DataFolder,
        vault: Arc<dyn SecretStore>,
        dialogs: Arc<dyn Dialogs>,
        runs: RunRegistry,
    ) -> Self {
        let RequiredFiles { sites, journal, before_release, renumbered } = required;
        let data_folder = held.path().to_owned();
        runs.lock_between_processes(&data_folder.join("locks"));
        let preferences = PreferencesStore::open(&data_folder.join("preferences.json"), policy);
        let dialogs = Arc::new(SelectedPaths::new(dialogs, &data_folder));
        let uploads = Arc::new(UploadStore::open(data_folder.join("uploads.json")));
        let item_searches = Arc::new(ItemSearches::open(
            data_folder.join("item-filters.json"),
            data_folder.join("item-validations.json"),
        ));
        let contacts_batches = Arc::new(ContactsBatches::default());
        let unsaved = Arc::new(UnsavedInvitations::open(data_folder.join("unsaved-invitations")));
        let tour = Arc::new(GuidedTour::open(data_folder.join("guided-tour.json")));
        let announced = Announced::open(data_folder.join("announced-reminders.json"));
        let proofs = Arc::new(Proofs::open(data_folder.join(SITE_PROOFS), item_searches.validations.clone()));
        let snapshots = Arc::new(Snapshots::open(data_folder.join(CHANGES)));
        let forwarding = Forwarding::open(&data_folder);
        let alerts = AlertChannels::open(&data_folder);
        let plans = SavedPlans::open(&data_folder);
        let rehearsals = Arc::new(Rehearsals::open(&data_folder));
        let checked = CheckedFacts::open(data_folder.join(CHECKED_FACTS));
        let at_start = [
            (SetAsideData::BeforeRelease, before_release.as_deref()),
            (SetAsideData::EqualSites, renumbered.as_deref()),
        ];
        let at_start =
            at_start.into_iter().filter_map(|(what, path)| Some(SetAside::at(what, path?))).collect();
        unreadable::open_early(&data_folder);
        let unreadable_at_start = unreadable::list(&data_folder, FILES);
        if let Err(error) = unreadable::record(&journal, FILES, &unreadable_at_start) {
            tracing::error!(%error, "files that cannot be read were not written to the audit trail");
        }
        let history = History::new(journal, operations::summary);
        history.start(&preferences.policy.sha256());
        let vault: Arc<dyn SecretStore> = Arc::new(RecordedSecrets::new(vault, history.clone()));
        let access = Access::new(
            sites,
            vault,
            &preferences,
            checked,
            vec![
                uploads.clone(),
                item_searches.clone(),
                contacts_batches.clone(),
                unsaved.clone(),
                proofs.clone(),
                snapshots.clone(),
                rehearsals.clone(),
            ],
        );
        let context = SiteContext {
            access,
            history,
            runs,
            locks: ReadOnlyLocks::default(),
            readings: Readings::default(),
        };
        plans.complete_change(&context);
        Self {
            context,
            preferences,
            transfers: Transfers {
                dialogs: dialogs.clone(),
                uploads,
                retry_policy: RetryPolicy::default(),
                server_restart: RetryPolicy::of_restart(),
            },
            item_searches,
            contacts_batches,
            invitation_files: InvitationFiles { unsaved, dialogs: dialogs.clone(), tour: tour.clone() },
            dialogs,
            announced,
            proofs,
            snapshots,
            forwarding,
            alerts,
            plans,
            rehearsals,
            verification: Arc::default(),
            tour,
            language: UiLanguage::default(),
            data_folder,
            at_start: Mutex::new(at_start),
            unreadable_at_start,
            _held: held,
        }
    }

    /// Returns what could not be read, or was changed, until a user marks it as resolved. Reads many files, in the
    /// background.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if its thread fails.
    pub async fn set_aside(&self) -> Result<Vec<SetAside>, Problem> {
        let data_folder = self.data_folder.clone();
        let unreadable = in_background(move || unreadable::list(&data_folder, FILES)).await?;
        Ok(self.with_changed(unreadable))
    }

    /// Returns what [`set_aside`](Self::set_aside) returned at the start, without reading a file again.
    #[must_use]
    pub fn set_aside_at_start(&self) -> Vec<SetAside> {
        self.with_changed(self.unreadable_at_start.clone())
    }

    fn with_changed(&self, unreadable: Vec<SetAside>) -> Vec<SetAside> {
        let at_start = self.at_start.lock().unwrap_or_else(PoisonError::into_inner).clone();
        at_start.into_iter().chain(unreadable).collect()
    }

    /// Marks something of [`set_aside`](Self::set_aside) as resolved, and returns the others.
    ///
    /// # Errors
    /// Those of [`unreadable::resolve`].
    pub async fn resolve_set_aside(&self, file: &SetAside) -> Result<Vec<SetAside>, Problem> {
        self.at_start.lock().unwrap_or_else(PoisonError::into_inner).retain(|one| one != file);
        let left = unreadable::resolve(&self.data_folder, FILES, &self.context.history, file).await?;
        Ok(self.with_changed(left))
    }

    /// Returns what the diagnostics read.
    #[must_use]
    pub fn diagnosed(&self) -> Diagnosed<'_> {
        Diagnosed { context: &self.context, policy: &self.preferences.policy, data_folder: &self.data_folder }
    }

    /// Returns what would be lost if the window was closed; `None` if nothing would be.
    #[must_use]
    pub fn unfinished(&self) -> Option<Unfinished> {
        let runs = count(self.context.runs.all().len());
        let unsaved_invitations = count(self.invitation_files.unsaved.only_in_memory());
        (runs > 0 || unsaved_invitations > 0).then_some(Unfinished { runs, unsaved_invitations })
    }
}

/// Work that is lost if the window is closed.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Unfinished {
    /// Number of running operations.
    pub runs: u32,
    /// Number of unsaved invitations that could not be written to disk.
    pub unsaved_invitations: u32,
}
