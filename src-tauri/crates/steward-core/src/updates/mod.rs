//! Updates of the program, which a user checks for, and which the organization can disable (`docs/adr/0025`).
//!
//! [`Updates::look`] checks for an update, and [`Updates::install`] installs it. Files are downloaded over the
//! program's own connection. The shell verifies the signature and installs the file.

mod fetch;
mod source;
mod view;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use url::Url;

pub use source::UpdateSource;
pub use view::{Release, UpdateFault, UpdateMethod, UpdateStage, UpdateView};

use crate::access::Access;
use crate::model::numbers::Bytes;
use crate::model::problem::as_text;
use crate::operations::refresh_invitation::unsaved_invitations::UnsavedInvitations;
use crate::runs::{RunRegistry, RunView};
use crate::settings::policy::Policy;
use crate::site_context::SiteContext;

/// Parses the release description, which is not signed.
pub type Reader = Box<dyn Fn(serde_json::Value) -> Result<Option<Offer>, UpdateFault> + Send + Sync>;
/// Verifies the signature of an installer, and installs it.
pub type Install = Arc<dyn Fn(&[u8]) -> Result<(), UpdateFault> + Send + Sync>;
/// Callback that receives every change.
pub type UpdateListener = Box<dyn Fn(UpdateView) + Send + Sync>;

/// Returns whether the practice site is running, which only a user stops.
pub type PracticeRuns<'a> = &'a (dyn Fn() -> bool + Sync);

/// Update that the source of updates offers.
#[derive(Clone)]
pub struct Offer {
    /// Description of the release.
    pub release: Release,
    /// Installer; `None` if the program cannot install it itself.
    pub package: Option<Package>,
}

/// An installer for this system.
#[derive(Clone)]
pub struct Package {
    /// URL of the installer.
    pub address: Url,
    /// Function that verifies and installs it.
    pub install: Install,
}

/// Shortest time between two progress updates, which would be unreadable if more frequent.
const QUIET: Duration = Duration::from_millis(100);

/// State of the update.
pub struct Updates {
    asking: Option<(Url, Reader)>,
    state: Mutex<State>,
    listener: UpdateListener,
}

struct State {
    stage: UpdateStage,
    fault: Option<UpdateFault>,
    package: Option<Package>,
    stop: watch::Sender<bool>,
    told: Instant,
}

impl Updates {
    /// Creates the state. `asking` is the URL of the release description and its parser; `None` in a build without
    /// them.
    #[must_use]
    pub fn new(asking: Option<(Url, Reader)>, listener: UpdateListener) -> Self {
        let state = State {
            stage: UpdateStage::NotLooked,
            fault: None,
            package: None,
            stop: watch::Sender::new(false),
            told: Instant::now(),
        };
        Self { asking, state: Mutex::new(state), listener }
    }

    /// Returns the state without a request.
    #[must_use]
    pub fn now(&self, policy: &Policy) -> UpdateView {
        match self.may_ask(policy) {
            Ok(_) => self.state().view(),
            Err(stage) => UpdateView { stage, fault: None },
        }
    }

    /// Checks for an update.
    pub async fn look(&self, policy: &Policy, context: &SiteContext) -> UpdateView {
        let Ok((address, read)) = self.may_ask_now(policy, context).await else { return self.now(policy) };
        if self.state().is_under_way() {
            return self.now(policy);
        }
        let found = match self.offered(&context.access, address).await {
            Ok(offered) => read(offered),
            Err(fault) => Err(fault),
        };
        self.change(|state| {
            // The user might have begun to install the earlier result meanwhile.
            if state.is_under_way() {
                return;
            }
            (state.stage, state.package, state.fault) = match found {
                Ok(None) => (UpdateStage::UpToDate, None, None),
                Ok(Some(Offer { release, package })) => {
                    let way = if package.is_some() { UpdateMethod::Here } else { UpdateMethod::Elsewhere };
                    (UpdateStage::Newer { release, way }, package, None)
                }
                Err(fault) => (UpdateStage::NotLooked, None, Some(fault)),
            };
        });
        self.now(policy)
    }

    /// Downloads and installs the update that was found last. Nothing changes until its signature is verified.
    pub async fn install(
        &self,
        policy: &Policy,
        context: &SiteContext,
        unsaved: &UnsavedInvitations,
        practice_runs: PracticeRuns<'_>,
        version: &str,
    ) -> UpdateView {
        if self.may_ask_now(policy, context).await.is_err() {
            return self.now(policy);
        }
        let busy = what_runs(&context.runs, unsaved, practice_runs);
        let begun = self.change(|state| state.begin(version, busy));
        if let Some((release, package, stopped)) = begun {
            let fault = self.bring(context, unsaved, practice_runs, &release, package, stopped).await.err();
            self.change(|state| match fault {
                None => state.stage = UpdateStage::Installed { release },
                Some(why) => {
                    state.stage = UpdateStage::Newer { release, way: UpdateMethod::Here };
                    state.fault = why;
                }
            });
        }
        self.now(policy)
    }

    /// Stops a download and discards it.
    pub fn stop(&self) {
        self.state().stop.send_replace(true);
    }

    /// Returns whether the program can restart now with the installed version.
    pub fn may_restart(
        &self,
        runs: &RunRegistry,
        unsaved: &UnsavedInvitations,
        practice_runs: PracticeRuns<'_>,
    ) -> bool {
        let busy = what_runs(runs, unsaved, practice_runs);
        self.change(|state| {
            state.fault = busy.or_else(|| {
                let is_installed = matches!(state.stage, UpdateStage::Installed { .. });
                (!is_installed).then_some(UpdateFault::NotOffered)
            });
            state.fault.is_none()
        })
    }

    /// Returns the source of updates, or the reason why there is none.
    fn may_ask(&self, policy: &Policy) -> Result<(&Url, &Reader), UpdateStage> {
        match &self.asking {
            None => Err(UpdateStage::NoKey),
            Some(_) if !policy.updates => Err(UpdateStage::Forbidden),
            Some((address, read)) => Ok((address, read)),
        }
    }

    /// Returns the same for a request of the user, and adds an event to the audit trail if the policy forbids it.
    async fn may_ask_now(
        &self,
        policy: &Policy,
        context: &SiteContext,
    ) -> Result<(&Url, &Reader), UpdateStage> {
        let source = self.may_ask(policy);
        if matches!(source, Err(UpdateStage::Forbidden)) {
            context.history.refused_by_policy("update", None).await;
        }
        source
    }

    async fn offered(&self, access: &Access, address: &Url) -> Result<serde_json::Value, UpdateFault> {
        fetch::text(&connection(access).await?, address.clone()).await
    }

    /// Downloads and installs an update. `Err(None)` means that the user stopped it.
    async fn bring(
        &self,
        context: &SiteContext,
        unsaved: &UnsavedInvitations,
        practice_runs: PracticeRuns<'_>,
        release: &Release,
        package: Package,
        mut stopped: watch::Receiver<bool>,
    ) -> Result<(), Option<UpdateFault>> {
        let http = connection(&context.access).await.map_err(Some)?;
        let moved = |done, total: Option<u64>| self.moved(release, done, total);
        let bytes = tokio::select! {
            // Nothing is installed after Stop.
            biased;
            _ = stopped.wait_for(|stopped| *stopped) => return Err(None),
            bytes = fetch::package(&http, package.address, moved) => bytes.map_err(Some)?,
        };
        // Operations might have begun during the download. On Windows, the installer ends this program.
        if let Some(busy) = what_runs(&context.runs, unsaved, practice_runs) {
            return Err(Some(busy));
        }
        self.change(|state| state.stage = UpdateStage::Installing { release: release.clone() });
        let install = package.install;
        let installed = tokio::task::spawn_blocking(move || install(&bytes)).await;
        installed.map_err(|error| Some(UpdateFault::NotInstalled { said: error.to_string() }))?.map_err(Some)
    }

    fn moved(&self, release: &Release, done: u64, total: Option<u64>) {
        let mut state = self.state();
        state.stage =
            UpdateStage::Downloading { release: release.clone(), done: Bytes(done), total: total.map(Bytes) };
        if state.told.elapsed() >= QUIET {
            state.told = Instant::now();
            let view = state.view();
            drop(state);
            (self.listener)(view);
        }
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.state();
        let made = change(&mut state);
        let view = state.view();
        drop(state);
        (self.listener)(view);
        made
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn view(&self) -> UpdateView {
        UpdateView { stage: self.stage.clone(), fault: self.fault.clone() }
    }

    /// Returns whether an update is being installed: from the first byte until the restart.
    const fn is_under_way(&self) -> bool {
        use UpdateStage::{Downloading, Installed, Installing};
        matches!(self.stage, Downloading { .. } | Installing { .. } | Installed { .. })
    }

    fn begin(
        &mut self,
        version: &str,
        busy: Option<UpdateFault>,
    ) -> Option<(Release, Package, watch::Receiver<bool>)> {
        if self.is_under_way() {
            return None;
        }
        let found = match (&self.stage, &self.package) {
            (UpdateStage::Newer { release, .. }, Some(package)) if release.version == version => {
                Some((release.clone(), package.clone()))
            }
            _ => None,
        };
        self.fault = busy.or_else(|| found.is_none().then_some(UpdateFault::NotOffered));
        if self.fault.is_some() {
            return None;
        }
        let (release, package) = found?;
        self.stop = watch::Sender::new(false);
        self.stage = UpdateStage::Downloading { release: release.clone(), done: Bytes(0), total: None };
        Some((release, package, self.stop.subscribe()))
    }
}

/// Returns the connection of the program, with its proxy and certificate authorities.
async fn connection(access: &Access) -> Result<steward_client::Http, UpdateFault> {
    let http = access.connections.of_the_program().await;
    http.map_err(|problem| UpdateFault::Unreachable { said: as_text(&problem) })
}

/// Returns what an installation or restart would interrupt or lose; `None` if nothing.
fn what_runs(
    runs: &RunRegistry,
    unsaved: &UnsavedInvitations,
    practice_runs: PracticeRuns<'_>,
) -> Option<UpdateFault> {
    if let Some(run) = runs.all().into_iter().next() {
        let RunView { operation, act, site_name, .. } = run;
        return Some(UpdateFault::OperationRuns { operation, act, site_name });
    }
    if unsaved.only_in_memory() > 0 {
        return Some(UpdateFault::InvitationsUnsaved);
    }
    practice_runs().then_some(UpdateFault::PracticeRuns)
}
