//! Newer versions of the program itself: looked for when a person asks, never otherwise, and never where the organisation
//! forbids it (ADR 25). Fetched by our own client, the way that every request of the program goes; judged and installed by
//! Tauri's updater.

mod fetch;
mod source;
mod view;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use url::Url;

pub use source::Source;
pub use view::{Release, UpdateFault, UpdateStage, UpdateView, UpdateWay};

use crate::host::Host;
use crate::model::numbers::Bytes;
use crate::model::problem::words;

/// Reads what is offered; what it says is not signed.
pub type Reader = Box<dyn Fn(serde_json::Value) -> Result<Option<Offer>, UpdateFault> + Send + Sync>;
/// Judges the signature of an installer, and puts it in the place of this program.
pub type Install = Arc<dyn Fn(&[u8]) -> Result<(), UpdateFault> + Send + Sync>;
/// Told of every change.
pub type Listener = Box<dyn Fn(UpdateView) + Send + Sync>;

/// Returns whether the practice site runs in this program. Stopping it takes a user.
pub type PracticeRuns<'a> = &'a (dyn Fn() -> bool + Sync);

/// A newer version.
#[derive(Clone)]
pub struct Offer {
    /// Which.
    pub release: Release,
    /// How it comes here; `None` where the program may not bring it itself.
    pub package: Option<Package>,
}

/// An installer for this system.
#[derive(Clone)]
pub struct Package {
    /// Where it is.
    pub address: Url,
    /// What is done with it.
    pub install: Install,
}

/// Progress is told at most so often; a person cannot read faster.
const QUIET: Duration = Duration::from_millis(100);

/// How it stands with newer versions.
pub struct Updates {
    asking: Option<(Url, Reader)>,
    held: Mutex<Held>,
    listener: Listener,
}

struct Held {
    stage: UpdateStage,
    fault: Option<UpdateFault>,
    package: Option<Package>,
    stop: watch::Sender<bool>,
    told: Instant,
}

impl Updates {
    /// `asking` is whom to ask, and who reads the answer; `None` in a build that was given nobody.
    #[must_use]
    pub fn new(asking: Option<(Url, Reader)>, listener: Listener) -> Self {
        let held = Held {
            stage: UpdateStage::NotLooked,
            fault: None,
            package: None,
            stop: watch::Sender::new(false),
            told: Instant::now(),
        };
        Self { asking, held: Mutex::new(held), listener }
    }

    /// How it stands. Asks nobody.
    #[must_use]
    pub fn now(&self, host: &Host) -> UpdateView {
        match self.may_ask(host) {
            Ok(_) => self.held().view(),
            Err(stage) => UpdateView { stage, fault: None },
        }
    }

    /// Looks for a newer version.
    pub async fn look(&self, host: &Host) -> UpdateView {
        let Ok((address, read)) = self.may_ask(host) else { return self.now(host) };
        if self.held().is_under_way() {
            return self.now(host);
        }
        let found = match self.offered(host, address).await {
            Ok(offered) => read(offered),
            Err(fault) => Err(fault),
        };
        self.change(|held| {
            // Meanwhile somebody may have begun to install what was found before.
            if held.is_under_way() {
                return;
            }
            (held.stage, held.package, held.fault) = match found {
                Ok(None) => (UpdateStage::UpToDate, None, None),
                Ok(Some(Offer { release, package })) => {
                    let way = if package.is_some() { UpdateWay::Here } else { UpdateWay::Elsewhere };
                    (UpdateStage::Newer { release, way }, package, None)
                }
                Err(fault) => (UpdateStage::NotLooked, None, Some(fault)),
            };
        });
        self.now(host)
    }

    /// Brings what was found last and puts it in the place of this program. Until its signature is judged nothing changes.
    pub async fn install(&self, host: &Host, practice_runs: PracticeRuns<'_>, version: &str) -> UpdateView {
        if self.may_ask(host).is_err() {
            return self.now(host);
        }
        let busy = runs(host, practice_runs);
        let begun = self.change(|held| held.begin(version, busy));
        if let Some((release, package, stopped)) = begun {
            let fault = self.bring(host, practice_runs, &release, package, stopped).await.err();
            self.change(|held| match fault {
                None => held.stage = UpdateStage::Installed { release },
                Some(why) => {
                    held.stage = UpdateStage::Newer { release, way: UpdateWay::Here };
                    held.fault = why;
                }
            });
        }
        self.now(host)
    }

    /// Stops a download. What was fetched of it is forgotten.
    pub fn stop(&self) {
        self.held().stop.send_replace(true);
    }

    /// Whether the program may be started anew now, for the version that was installed.
    pub fn may_restart(&self, host: &Host, practice_runs: PracticeRuns<'_>) -> bool {
        let busy = runs(host, practice_runs);
        self.change(|held| {
            held.fault = busy.or_else(|| {
                let is_installed = matches!(held.stage, UpdateStage::Installed { .. });
                (!is_installed).then_some(UpdateFault::NotOffered)
            });
            held.fault.is_none()
        })
    }

    /// Whom to ask, or why nobody.
    fn may_ask(&self, host: &Host) -> Result<(&Url, &Reader), UpdateStage> {
        match &self.asking {
            None => Err(UpdateStage::NoKey),
            Some(_) if !host.preferences.policy.updates => Err(UpdateStage::Forbidden),
            Some((address, read)) => Ok((address, read)),
        }
    }

    async fn offered(&self, host: &Host, address: &Url) -> Result<serde_json::Value, UpdateFault> {
        fetch::text(&way(host).await?, address.clone()).await
    }

    /// Fetches and installs. An error without a fault is a person who stopped it.
    async fn bring(
        &self,
        host: &Host,
        practice_runs: PracticeRuns<'_>,
        release: &Release,
        package: Package,
        mut stopped: watch::Receiver<bool>,
    ) -> Result<(), Option<UpdateFault>> {
        let way = way(host).await.map_err(Some)?;
        let moved = |done, total: Option<u64>| self.moved(release, done, total);
        let bytes = tokio::select! {
            _ = stopped.wait_for(|stopped| *stopped) => return Err(None),
            bytes = fetch::package(&way, package.address, moved) => bytes.map_err(Some)?,
        };
        // On Windows the installer ends this program.
        if let Some(busy) = runs(host, practice_runs) {
            return Err(Some(busy));
        }
        self.change(|held| held.stage = UpdateStage::Installing { release: release.clone() });
        let install = package.install;
        let installed = tokio::task::spawn_blocking(move || install(&bytes)).await;
        installed.map_err(|error| Some(UpdateFault::NotInstalled { said: error.to_string() }))?.map_err(Some)
    }

    fn moved(&self, release: &Release, done: u64, total: Option<u64>) {
        let mut held = self.held();
        held.stage =
            UpdateStage::Downloading { release: release.clone(), done: Bytes(done), total: total.map(Bytes) };
        if held.told.elapsed() >= QUIET {
            held.told = Instant::now();
            let view = held.view();
            drop(held);
            (self.listener)(view);
        }
    }

    fn change<T>(&self, change: impl FnOnce(&mut Held) -> T) -> T {
        let mut held = self.held();
        let made = change(&mut held);
        let view = held.view();
        drop(held);
        (self.listener)(view);
        made
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    fn view(&self) -> UpdateView {
        UpdateView { stage: self.stage.clone(), fault: self.fault.clone() }
    }

    /// From the first byte until the program is started anew nothing else is looked for.
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

/// The way that the program itself takes: its proxy, its authorities.
async fn way(host: &Host) -> Result<steward_client::Http, UpdateFault> {
    let way = host.connections.of_the_program().await;
    way.map_err(|problem| UpdateFault::Unreachable { said: words(&problem) })
}

/// What an installer must not end, nor a restart.
fn runs(host: &Host, practice_runs: PracticeRuns<'_>) -> Option<UpdateFault> {
    if let Some(run) = host.runs.all().into_iter().next() {
        return Some(UpdateFault::OperationRuns { operation: run.operation, site_name: run.site_name });
    }
    practice_runs().then_some(UpdateFault::PracticeRuns)
}
