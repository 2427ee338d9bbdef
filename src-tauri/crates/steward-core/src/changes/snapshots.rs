//! Snapshots of all sites: taken and listed.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use anyhow::ensure;
use steward_changes::{Cause, Gap, Kind, NewSnapshot, PrintKey, Store, StoreError, StoredSnapshot};
use steward_journal::Outcome;
use steward_journal::trail::Event;
use steward_vault::{Secret, SecretStore};

use super::recorded::Recorded;
use super::view::{SnapshotId, SnapshotView, SnapshotsView, VolatileView};
use super::{learning, reading, unexpected};
use crate::files::{self, database, in_background, in_place, known_files};
use crate::history::record::History;
use crate::model::ids::{PRACTICE, SiteId};
use crate::model::numbers::Millis;
use crate::model::operation::Impact;
use crate::model::problem::Problem;
use crate::runs::{EndedRun, busy};
use crate::site_context::SiteContext;
use crate::sites::Site;
use crate::sites::site_data::SiteData;

/// Name in the keyring of the key for prints of secrets, which tell whether a secret changed.
const PRINT_KEY: &str = "changes-print-key";

/// Interval at which a running snapshot checks whether it was stopped.
const LOOK: Duration = Duration::from_millis(250);

/// The same interval in the runner, which reads the lock files of other processes each time.
const LOOK_OF_RUNNER: Duration = Duration::from_secs(5);

/// Age in milliseconds up to which an existing snapshot serves as the one before an import.
const FRESH: i64 = 60 * 60 * 1000;

/// Reason of a snapshot that a user stopped.
pub const STOPPED: &str = "a user stopped it";

/// Sites of which a snapshot is being taken, each with the reason to stop it, if any.
type InProgress = HashMap<SiteId, Option<&'static str>>;

/// Snapshots of all sites.
pub struct Snapshots {
    file: PathBuf,
    /// Opened at the start if there is a file, otherwise when it is needed first. `None` if it can be neither opened nor set aside.
    store: OnceLock<Option<Arc<Store>>>,
    taking: Mutex<InProgress>,
    /// Whether this is the runner of backup plans, which leaves a file that cannot be read to the window.
    is_of_runner: bool,
}

impl Snapshots {
    /// Opens the snapshots. A file that cannot be read is renamed, with its write-ahead log, and a new one begins.
    #[must_use]
    pub fn open(file: PathBuf) -> Self {
        // Only a missing file is a loss. Anything else in its place is set aside when it is opened.
        if file.symlink_metadata().is_err() {
            files::note_loss(&file);
        }
        let snapshots = Self::of(file, false);
        if snapshots.file.symlink_metadata().is_ok() {
            snapshots.opened();
        }
        snapshots
    }

    /// Opens the snapshots in the process that runs backup plans. A file that cannot be read is left to the window.
    #[must_use]
    pub fn open_for_runner(file: PathBuf) -> Self {
        Self::of(file, true)
    }

    fn of(file: PathBuf, is_of_runner: bool) -> Self {
        let (store, taking) = (OnceLock::new(), Mutex::default());
        Self { file, store, taking, is_of_runner }
    }

    fn opened(&self) -> Option<&Arc<Store>> {
        let open = || {
            if !self.is_of_runner {
                database::make_room_beside(&self.file);
            }
            let store = open_file(&self.file).or_else(|error| {
                tracing::warn!(error = format!("{error:#}"), file = %self.file.display(), "cannot read the snapshots");
                if self.is_of_runner {
                    return Err(error);
                }
                database::set_aside(&self.file)?;
                known_files::forget(&self.file)?;
                open_file(&self.file)
            });
            match store {
                Ok(Some(store)) => {
                    known_files::note(&self.file);
                    Some(Arc::new(store))
                }
                Ok(None) => None,
                Err(error) => {
                    tracing::warn!(error = format!("{error:#}"), "there are no snapshots");
                    None
                }
            }
        };
        self.store.get_or_init(|| in_place(open)).as_ref()
    }

    /// Returns the snapshots of a site, and its volatile fields. Sends nothing.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if they cannot be read.
    pub async fn view(&self, history: &History, site: &SiteId) -> Result<SnapshotsView, Problem> {
        let of = site.0.clone();
        let (snapshots, volatile) =
            self.read(move |store| Ok((store.snapshots(&of)?, store.volatile(&of)?))).await?;
        let missing = match site.0.as_str() {
            // A reset of the practice site removes its snapshots, but not the entries of the audit trail.
            PRACTICE => Vec::new(),
            of => Recorded::read(history).await.missing(of, &snapshots, Millis::now()),
        };
        let snapshots = snapshots.into_iter().map(|one| SnapshotView {
            id: SnapshotId(one.id),
            at: Millis(one.at),
            cause: one.cause,
            sha256: one.sha256,
            failure: one.failure,
        });
        let volatile = volatile.into_iter().map(|one| VolatileView {
            resource_kind: one.kind,
            field: shown_path(&one.field),
            learned_at: Millis(one.learned_at),
            is_compared: one.is_compared,
        });
        Ok(SnapshotsView {
            snapshots: snapshots.collect(),
            missing,
            is_taking: self.taking().contains_key(site),
            volatile: volatile.collect(),
        })
    }

    /// Takes a snapshot of a site, and returns all. One that fails, or that an import or a user ends, is listed with the reason.
    /// Does nothing while one is being taken.
    ///
    /// # Errors
    /// - [`Problem::Busy`] while an import of the site runs, for a snapshot that a user takes.
    /// - [`Problem::Unexpected`] if the site is not saved, or the snapshots cannot be read or written.
    pub async fn take(
        &self,
        context: &SiteContext,
        site: &SiteId,
        cause: Cause,
    ) -> Result<SnapshotsView, Problem> {
        let saved = context.access.sites.get(site)?;
        if let Some(run) = context.running_import(&saved).filter(|_| cause == Cause::Manual) {
            return Err(busy(&run));
        }
        self.take_if_free(context, &saved, cause).await?;
        self.view(&context.history, site).await
    }

    /// Takes a snapshot after a run that exported or imported, in the background of everything else.
    pub async fn after_run(&self, context: &SiteContext, run: &EndedRun) {
        let cause = match run.operation.descriptor().impact {
            Impact::WritesCopy => Cause::Export,
            Impact::Replaces => Cause::Import,
            Impact::Changes | Impact::None => return,
        };
        let has_succeeded =
            run.act.is_none() && matches!(run.outcome, Outcome::Succeeded | Outcome::Warnings);
        if has_succeeded && let Err(problem) = self.take(context, &run.site, cause).await {
            tracing::warn!(?problem, "no snapshot was taken after a run");
        }
    }

    /// Takes a snapshot while a user fills in the form of an import, unless there is one of the last hour. The import does not wait for it:
    /// its beginning ends a snapshot that is being taken.
    ///
    /// # Errors
    /// Those of [`take`](Self::take).
    pub async fn before_import(&self, context: &SiteContext, site: &SiteId) -> Result<(), Problem> {
        let of = site.0.clone();
        let all = self.read(move |store| store.snapshots(&of)).await?;
        let is_fresh = |one: &&StoredSnapshot| one.failure.is_empty() && Millis::now().0 - one.at < FRESH;
        if !all.iter().any(|one| is_fresh(&one))
            && context.running_import(&context.access.sites.get(site)?).is_none()
        {
            self.take(context, site, Cause::Import).await?;
        }
        Ok(())
    }

    async fn take_if_free(&self, context: &SiteContext, site: &Site, cause: Cause) -> Result<(), Problem> {
        if let Entry::Vacant(free) = self.taking().entry(site.id.clone()) {
            free.insert(None);
        } else {
            return Ok(());
        }
        let _until_the_end = Taking { all: &self.taking, site: &site.id };
        let at = Millis::now();
        // On the heap: it is the future of many requests.
        let taken = Box::pin(self.read_and_put(context, site, cause, at));
        let failure = tokio::select! {
            biased;
            reason = self.until_ended(context, site, cause) => Some(reason.to_owned()),
            taken = taken => taken?.err(),
        };
        match failure {
            None => Ok(()),
            Some(failure) => {
                let of = site.id.0.clone();
                self.read(move |store| store.put_failure(&of, at.0, cause, &failure)).await
            }
        }
    }

    /// Ends the snapshot that is being taken of a site, for a reason. The earlier ones stay.
    pub fn stop(&self, site: &SiteId, why: &'static str) {
        if let Some(reason) = self.taking().get_mut(site) {
            *reason = Some(why);
        }
    }

    /// Reads a site and stores the snapshot. Returns why nothing was read.
    async fn read_and_put(
        &self,
        context: &SiteContext,
        site: &Site,
        cause: Cause,
        at: Millis,
    ) -> Result<Result<(), String>, Problem> {
        let store = self.store()?;
        let key = print_key(context.access.vault()).await;
        let known = learning::Known::of(&store, &site.id).await?;
        let mut read = reading::read(&context.access, site, key.as_ref(), &known.apart).await;
        if read.resources.is_empty() {
            let reason = read.gaps.into_iter().next().map(|gap| gap.reason);
            return Ok(Err(reason.unwrap_or_else(|| "the site has no portal and no server".to_owned())));
        }
        if key.is_none() {
            let (kind, reason) = (Kind::Security, "the keyring was not available".to_owned());
            read.gaps.push(Gap { kind, place: String::new(), name: "secrets".to_owned(), reason });
        }
        let read = learning::learn(&store, &site.id, read, &known, key.as_ref()).await?;
        // A site that was removed meanwhile leaves nothing.
        context.access.sites.get(&site.id)?;
        let new = NewSnapshot {
            site: site.id.0.clone(),
            at: at.0,
            ended_at: Millis::now().0,
            cause,
            resources: read.resources,
            gaps: read.gaps,
            places: read.places,
        };
        let (snapshot, sha256) = self.read(move |store| store.put(&new)).await?;
        let (site, site_name) = (site.id.0.clone(), site.name.clone());
        let event = Event::SnapshotTaken { site, site_name, snapshot, sha256 };
        context.history.append(event).await;
        Ok(Ok(()))
    }

    /// Completes with the reason when the snapshot is stopped, or an import of the site begins.
    async fn until_ended(&self, context: &SiteContext, site: &Site, cause: Cause) -> &'static str {
        tokio::select! {
            biased;
            _ = context.when_an_import_runs(site) => "an import of the site ran",
            why = self.until_stopped(context, site, cause) => why,
        }
    }

    /// Completes when the snapshot is stopped. The runner of backup plans cannot tell an import of the window from
    /// other operations that change the site, and stops for each of them.
    async fn until_stopped(&self, context: &SiteContext, site: &Site, cause: Cause) -> &'static str {
        loop {
            if cause == Cause::Plan && context.runs.none_at(site).is_err() {
                return "another operation ran on the site";
            }
            if let Some(why) = self.taking().get(&site.id).copied().flatten() {
                return why;
            }
            tokio::time::sleep(if cause == Cause::Plan { LOOK_OF_RUNNER } else { LOOK }).await;
        }
    }

    /// Has a volatile field compared, or sets it apart again. `field` is a path as it is shown.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if it cannot be written.
    pub async fn set_compared(
        &self,
        site: &SiteId,
        kind: Kind,
        field: String,
        is_compared: bool,
    ) -> Result<(), Problem> {
        let of = site.0.clone();
        self.read(move |store| {
            let all = store.volatile(&of)?;
            for one in all.iter().filter(|one| one.kind == kind && shown_path(&one.field) == field) {
                store.set_compared(&of, kind, &one.field, is_compared)?;
            }
            Ok(())
        })
        .await
    }

    pub(super) fn store(&self) -> Result<Arc<Store>, Problem> {
        let missing =
            || Problem::Unexpected { message: "the file of the snapshots cannot be opened".to_owned() };
        self.opened().cloned().ok_or_else(missing)
    }

    pub(super) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Problem> {
        let store = self.store()?;
        in_background(move || work(&store)).await?.map_err(|error| unexpected(&error))
    }

    fn taking(&self) -> MutexGuard<'_, InProgress> {
        locked(&self.taking)
    }
}

impl SiteData for Snapshots {
    fn site_removed(&self, site: &SiteId) {
        let Some(Some(store)) = self.store.get() else { return };
        if let Err(error) = in_place(|| store.forget(&site.0)) {
            tracing::warn!(%error, "the snapshots of a site that was removed are kept");
        }
    }
}

/// Checks whether the file can be read, without creating it.
///
/// # Errors
/// Those of [`open_file`], unless the file is intact.
pub(crate) fn check(file: &Path) -> anyhow::Result<()> {
    if file.symlink_metadata().is_err() {
        return Ok(());
    }
    open_file(file).map(drop)
}

/// Opens the file, or creates it if there never was one. `None` if it is intact, but cannot be used now.
///
/// # Errors
/// An error of [`Store::open`]; another one if the file is missing or empty although it was written before, or is not a
/// file.
fn open_file(file: &Path) -> anyhow::Result<Option<Store>> {
    database::must_be_files(file)?;
    let is_empty = file.metadata().map_or(true, |known| known.len() == 0);
    ensure!(!is_empty || !known_files::is_known(file), "the file has no content");
    match Store::open(file) {
        Err(error) if error.is_of_the_moment() => {
            tracing::warn!(%error, file = %file.display(), "the snapshots cannot be used now");
            Ok(None)
        }
        opened => Ok(Some(opened?)),
    }
}

/// Removes a site from those in progress when the snapshot ends, however it ends.
struct Taking<'a> {
    all: &'a Mutex<InProgress>,
    site: &'a SiteId,
}

impl Drop for Taking<'_> {
    fn drop(&mut self) {
        locked(self.all).remove(self.site);
    }
}

fn locked<T>(all: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic leaves no partial change: there are only single inserts and removals.
    all.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the key for prints of secrets, and creates it at first. `None` without a keyring: then secrets are not
/// compared.
async fn print_key(vault: &dyn SecretStore) -> Option<PrintKey> {
    let known = vault.get(PRINT_KEY).await.ok()?;
    let secret = match known {
        Some(secret) => secret,
        None => {
            let text = format!("{}{}", uuid::Uuid::new_v4(), uuid::Uuid::new_v4());
            vault.set(PRINT_KEY, Secret::new(text.clone())).await.ok()?;
            Secret::new(text)
        }
    };
    PrintKey::of(secret.expose()).ok()
}

/// Returns a path for people: blanks around the slashes, and names of elements without their brackets.
pub(super) fn shown_path(path: &str) -> String {
    let part = |part: &str| part.replace("~1", "/");
    path.split('/').map(part).collect::<Vec<_>>().join(" / ")
}
