//! Snapshots of all sites: taken, listed, compared, and saved.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use anyhow::Context as _;
use serde::Serialize;
use steward_changes::{
    Accepted, Cause, Comparison, FieldDifference, Gap, Key, Kind, NewSnapshot, PrintKey, Store, StoreError,
    StoredSnapshot, between, compare,
};
use steward_client::shown;
use steward_journal::trail::Event;
use steward_journal::{Outcome, Workstation};
use steward_vault::{Secret, SecretStore};

use super::by_app::Acts;
use super::view::{
    AcceptedView, ComparisonView, DifferenceView, EqualView, FieldView, NotComparedView, SnapshotId,
    SnapshotView, SnapshotsView, VolatileView,
};
use super::{file, learning, reading, unexpected};
use crate::files::dialogs::Title;
use crate::files::selected_paths::SelectedPaths;
use crate::files::{self, in_background, in_place};
use crate::history::ReportFormat;
use crate::model::ids::SiteId;
use crate::model::localized_text::UiLanguage;
use crate::model::numbers::{Millis, count};
use crate::model::operation::OperationKey;
use crate::model::problem::{FieldError, Problem};
use crate::model::saved_file::SaveResult;
use crate::runs::{EndedRun, busy};
use crate::site_context::SiteContext;
use crate::sites::Site;
use crate::sites::site_data::SiteData;

/// Name in the keyring of the key by which changed secrets are told apart.
const PRINT_KEY: &str = "changes-print-key";

/// Time between two looks at whether an import began, or the reading was stopped.
const LOOK: Duration = Duration::from_millis(250);

/// Longest reason of an acceptance, in bytes.
const LONGEST_REASON: usize = 500;

/// Snapshots of all sites.
pub struct Snapshots {
    file: PathBuf,
    /// Opened at the start if there is a file, otherwise when it is needed first. `None` if it can be neither opened nor set aside.
    store: OnceLock<Option<Arc<Store>>>,
    /// Sites of which a snapshot is being taken, and whether a user stopped it.
    taking: Mutex<HashMap<SiteId, bool>>,
}

impl Snapshots {
    /// Opens the snapshots. A file that cannot be read is renamed, with its write-ahead log, and a new one begins.
    #[must_use]
    pub fn open(file: PathBuf) -> Self {
        let snapshots = Self { file, store: OnceLock::new(), taking: Mutex::default() };
        if snapshots.file.symlink_metadata().is_ok() {
            snapshots.opened();
        }
        snapshots
    }

    fn opened(&self) -> Option<&Arc<Store>> {
        let open = || {
            let store = Store::open(&self.file).or_else(|error| {
                tracing::warn!(%error, file = %self.file.display(), "cannot read the snapshots");
                set_aside(&self.file)?;
                anyhow::Ok(Store::open(&self.file)?)
            });
            let store = store.inspect_err(|error| {
                tracing::warn!(error = format!("{error:#}"), "there are no snapshots");
            });
            store.ok().map(Arc::new)
        };
        self.store.get_or_init(|| in_place(open)).as_ref()
    }

    /// Returns the snapshots of a site, and its volatile fields. Sends nothing.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if they cannot be read.
    pub async fn view(&self, site: &SiteId) -> Result<SnapshotsView, Problem> {
        let of = site.0.clone();
        let (snapshots, volatile) =
            self.read(move |store| Ok((store.snapshots(&of)?, store.volatile(&of)?))).await?;
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
        self.view(site).await
    }

    /// Takes a snapshot after a run that exported, in the background of everything else.
    pub async fn after_run(&self, context: &SiteContext, run: &EndedRun) {
        let is_export = matches!(run.operation, OperationKey::ExportPortal | OperationKey::ExportServer)
            && run.act.is_none()
            && matches!(run.outcome, Outcome::Succeeded | Outcome::Warnings);
        if is_export && let Err(problem) = self.take(context, &run.site, Cause::Export).await {
            tracing::warn!(?problem, "no snapshot was taken after an export");
        }
    }

    async fn take_if_free(&self, context: &SiteContext, site: &Site, cause: Cause) -> Result<(), Problem> {
        if let Entry::Vacant(free) = self.taking().entry(site.id.clone()) {
            free.insert(false);
        } else {
            return Ok(());
        }
        let _until_the_end = Taking { all: &self.taking, site: &site.id };
        let at = Millis::now();
        // On the heap: it is the future of many requests.
        let taken = Box::pin(self.read_and_put(context, site, cause, at));
        let failure = tokio::select! {
            biased;
            reason = self.until_ended(context, site) => Some(reason.to_owned()),
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

    /// Ends the snapshot that is being taken of a site. The earlier ones stay.
    pub fn stop(&self, site: &SiteId) {
        if let Some(is_stopped) = self.taking().get_mut(site) {
            *is_stopped = true;
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
        let mut read = reading::read(&context.access, site, key.as_ref()).await;
        if read.resources.is_empty() {
            let reason = read.gaps.into_iter().next().map(|gap| gap.reason);
            return Ok(Err(reason.unwrap_or_else(|| "the site has no portal and no server".to_owned())));
        }
        learning::learn(&store, &site.id, &mut read, key.as_ref()).await?;
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
        let (_, sha256) = self.read(move |store| store.put(&new)).await?;
        let event = Event::SnapshotTaken { site: site.id.0.clone(), site_name: site.name.clone(), sha256 };
        context.history.append(event).await;
        Ok(Ok(()))
    }

    /// Completes when a user stops the snapshot, or an import of the site begins: nothing is requested meanwhile.
    async fn until_ended(&self, context: &SiteContext, site: &Site) -> &'static str {
        loop {
            if context.running_import(site).is_some() {
                return "an import of the site ran";
            }
            if self.taking().get(&site.id).copied().unwrap_or_default() {
                return "a user stopped it";
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Compares two snapshots of a site.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if they cannot be read.
    pub async fn compare(
        &self,
        context: &SiteContext,
        site: &SiteId,
        from: SnapshotId,
        to: SnapshotId,
    ) -> Result<ComparisonView, Problem> {
        Ok(self.compared(context, site, from, to).await?.0)
    }

    /// Compares two snapshots, and returns the differing fields of each resource in the same order.
    async fn compared(
        &self,
        context: &SiteContext,
        site: &SiteId,
        from: SnapshotId,
        to: SnapshotId,
    ) -> Result<(ComparisonView, Vec<Vec<FieldView>>), Problem> {
        let of = site.0.clone();
        let (compared, all, accepted) = self
            .read(move |store| {
                let [before, after] = [store.contents(&of, from.0)?, store.contents(&of, to.0)?];
                let compared = compare(&before, &after, |value| store.fields(value));
                let accepted = accepted(store, &of, &compared)?;
                Ok((compared, store.snapshots(&of)?, accepted))
            })
            .await?;
        let since = all.iter().filter(|one| one.id <= from.0.min(to.0)).map(|one| one.at).max();
        let acts = Acts::since(&context.history, site, Millis(since.unwrap_or_default())).await;
        let acts = acts.inspect_err(|problem| tracing::warn!(?problem, "the history is not read")).ok();
        let fields = compared.differences.iter().map(|one| one.fields.iter().map(field_view).collect());
        let fields = fields.collect();
        Ok((comparison_view(compared, &all, &accepted, acts.as_ref()), fields))
    }

    /// Returns the fields of a resource that differ between two snapshots.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if they cannot be read.
    pub async fn fields(
        &self,
        site: &SiteId,
        from: SnapshotId,
        to: SnapshotId,
        key: Key,
    ) -> Result<Vec<FieldView>, Problem> {
        let of = site.0.clone();
        self.read(move |store| {
            let value = |id: SnapshotId| -> Result<_, StoreError> {
                Ok(store.contents(&of, id.0)?.resources.get(&key).and_then(|held| held.value))
            };
            let fields = |value: Option<i64>| value.map(|value| store.fields(value).unwrap_or_default());
            let [before, after] = [fields(value(from)?), fields(value(to)?)];
            let fields = match (before, after) {
                (Some(before), Some(after)) => between(&before, &after).fields,
                _ => Vec::new(),
            };
            Ok(fields.iter().map(field_view).collect())
        })
        .await
    }

    /// Accepts that a resource is as it is in a snapshot, with a reason; or withdraws that, without one.
    ///
    /// # Errors
    /// [`Problem::Form`] if the reason is empty, [`Problem::NotRecorded`] if the audit trail cannot be written, and [`Problem::Unexpected`] if the snapshots cannot.
    pub async fn accept(
        &self,
        context: &SiteContext,
        site: &SiteId,
        key: Key,
        snapshot: SnapshotId,
        reason: Option<String>,
    ) -> Result<(), Problem> {
        let saved = context.access.sites.get(site)?;
        let mut reason = reason.map(|reason| steward_redact::text(shown(reason).trim()));
        if let Some(reason) = &mut reason {
            reason.truncate(reason.floor_char_boundary(LONGEST_REASON));
            if reason.is_empty() {
                return Err(Problem::Form { field: "reason".to_owned(), fault: FieldError::Required });
            }
        }
        let event = Event::DifferenceAccepted {
            site: site.0.clone(),
            site_name: saved.name,
            server: key.place.clone(),
            resource: format!("{} {}", key.kind.name(), key.name),
            reason: reason.clone().unwrap_or_default(),
        };
        context.history.must_append(&[event])?;
        let of = site.0.clone();
        self.read(move |store| {
            let held = store.contents(&of, snapshot.0)?.resources.get(&key).copied();
            let accepted = reason.map(|reason| Accepted {
                value: held.and_then(|held| held.value),
                reason,
                at: Millis::now().0,
                who: Workstation::this().user.clone(),
            });
            store.accept(&of, &key, accepted.as_ref())
        })
        .await
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

    /// Saves a comparison to a file that the user chooses.
    ///
    /// # Errors
    /// - [`Problem::NoDialog`] if the system cannot show a file dialog.
    /// - Those of [`compare`](Self::compare).
    #[expect(clippy::too_many_arguments, reason = "what is saved, where, and in which language")]
    pub async fn save(
        &self,
        context: &SiteContext,
        dialogs: &SelectedPaths,
        language: &UiLanguage,
        site: &SiteId,
        from: SnapshotId,
        to: SnapshotId,
        format: ReportFormat,
    ) -> Result<SaveResult, Problem> {
        let saved = context.access.sites.get(site)?;
        let extension = format.extension();
        let name = files::dated_name(&format!("{} changes", saved.name), Millis::now(), extension);
        let Some(path) = dialogs.save_file(Title::SaveTable, &name).await? else {
            return Ok(SaveResult::Dismissed);
        };
        let (comparison, fields) = self.compared(context, site, from, to).await?;
        let rows: Vec<_> = comparison.differences.iter().zip(fields).collect();
        let words = language.texts();
        let times = self.view(site).await?.snapshots;
        let time = |id: SnapshotId| {
            let found = times.iter().find(|one| one.id == id);
            found.map(|one| one.at.timestamp().to_string()).unwrap_or_default()
        };
        let [from, to] = [time(from), time(to)];
        let content = match format {
            ReportFormat::Html => {
                let values = [("site", saved.name.as_str()), ("from", from.as_str()), ("to", to.as_str())];
                let title = words.say("changesFile.title", &values);
                file::html(&comparison, &rows, &title, &words).into_bytes()
            }
            ReportFormat::Csv => {
                file::csv(&comparison, &rows, &words).context("the changes could not be written down")?
            }
            ReportFormat::Json => json(&saved.name, [&from, &to], &comparison, rows)?,
        };
        let result = in_background(move || files::save(&path, &content)).await?;
        if let SaveResult::Saved { file } = &result {
            let (what, about, sha256) = ("changes".to_owned(), String::new(), file.sha256.clone());
            context.history.append(Event::HistoryExported { what, about, sha256 }).await;
        }
        Ok(result)
    }

    fn store(&self) -> Result<Arc<Store>, Problem> {
        let missing =
            || Problem::Unexpected { message: "the file of the snapshots cannot be opened".to_owned() };
        self.opened().cloned().ok_or_else(missing)
    }

    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Problem> {
        let store = self.store()?;
        in_background(move || work(&store)).await?.map_err(|error| unexpected(&error))
    }

    fn taking(&self) -> MutexGuard<'_, HashMap<SiteId, bool>> {
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
/// An error of [`Store::open`].
pub(crate) fn check(file: &Path) -> anyhow::Result<()> {
    if file.symlink_metadata().is_ok() {
        Store::open(file)?;
    }
    Ok(())
}

fn set_aside(file: &Path) -> anyhow::Result<()> {
    let beside = |path: &Path, more: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(more);
        PathBuf::from(name)
    };
    let aside = files::set_aside(file)?;
    // Of another file, the log would be read as a part of the new one.
    for more in ["-wal", "-shm"] {
        let log = beside(file, more);
        if log.symlink_metadata().is_ok() {
            std::fs::rename(&log, beside(&aside, more))?;
        }
    }
    Ok(())
}

/// Ends with the taking of a snapshot, however that ends.
struct Taking<'a> {
    all: &'a Mutex<HashMap<SiteId, bool>>,
    site: &'a SiteId,
}

impl Drop for Taking<'_> {
    fn drop(&mut self) {
        locked(self.all).remove(self.site);
    }
}

fn locked(all: &Mutex<HashMap<SiteId, bool>>) -> MutexGuard<'_, HashMap<SiteId, bool>> {
    // Changed by single inserts and removals.
    all.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the key by which changed secrets are told apart, a new one at first. `None` without a keyring: then secrets are not
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

/// Returns the differences that are accepted: a user accepted the value as it is, apart from what became volatile since.
fn accepted(store: &Store, site: &str, compared: &Comparison) -> Result<BTreeMap<Key, Accepted>, StoreError> {
    let mut all = store.accepted(site)?;
    let now: BTreeMap<&Key, Option<i64>> =
        compared.differences.iter().map(|one| (&one.key, one.after)).collect();
    all.retain(|key, accepted| match (accepted.value, now.get(key)) {
        (_, None) => false,
        (Some(one), Some(Some(other))) if one != *other => {
            let [one, other] = [store.fields(one), store.fields(*other)];
            matches!((one, other), (Ok(one), Ok(other)) if between(&one, &other).fields.is_empty())
        }
        (one, Some(other)) => one == *other,
    });
    Ok(all)
}

fn comparison_view(
    compared: Comparison,
    all: &[StoredSnapshot],
    accepted: &BTreeMap<Key, Accepted>,
    acts: Option<&Acts>,
) -> ComparisonView {
    let mut places: BTreeMap<&str, &str> = BTreeMap::new();
    for snapshot in all.iter().rev() {
        places.extend(snapshot.places.iter().map(|(id, name)| (id.as_str(), name.as_str())));
    }
    let server = |place: &str| places.get(place).map(|name| (*name).to_owned());
    let taken = || all.iter().filter(|one| one.failure.is_empty());
    let differences = compared.differences.into_iter().map(|one| {
        let first = taken().find(|snapshot| snapshot.id == one.first_seen);
        let before = taken().find(|snapshot| snapshot.id < one.first_seen);
        let by = first.zip(acts).and_then(|(first, acts)| {
            acts.of(&one.key, Millis(before.map_or(0, |before| before.at)), Millis(first.ended_at))
        });
        DifferenceView {
            server: server(&one.key.place),
            change: one.change,
            first: one.fields.first().map(field_view),
            fields: count(one.fields.len()),
            first_seen: first.map(|first| Millis(first.at)),
            by,
            accepted: accepted.get(&one.key).map(|accepted| AcceptedView {
                reason: accepted.reason.clone(),
                at: Millis(accepted.at),
                who: accepted.who.clone(),
            }),
            key: one.key,
        }
    });
    let not_compared = compared.not_compared.into_iter().map(|Gap { kind, place, name, reason }| {
        NotComparedView { resource_kind: kind, server: server(&place), name, reason }
    });
    ComparisonView {
        differences: differences.collect(),
        not_compared: not_compared.collect(),
        equal: compared
            .equal
            .into_iter()
            .map(|(resource_kind, count)| EqualView { resource_kind, count })
            .collect(),
        unknown_secrets: compared.unknown_secrets,
        is_history_known: acts.is_some(),
    }
}

fn field_view(field: &FieldDifference) -> FieldView {
    FieldView {
        field: shown_path(&field.path),
        before: field.before.clone().map(shown),
        after: field.after.clone().map(shown),
        is_secret: field.is_secret,
        is_list: field.is_list,
    }
}

/// Returns a path for people: blanks around the slashes, and names of elements without their brackets.
fn shown_path(path: &str) -> String {
    let part = |part: &str| part.replace("~1", "/");
    path.split('/').map(part).collect::<Vec<_>>().join(" / ")
}

fn json(
    site: &str,
    [from, to]: [&str; 2],
    comparison: &ComparisonView,
    rows: Vec<file::Row<'_>>,
) -> Result<Vec<u8>, Problem> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Whole<'a> {
        site: &'a str,
        from: &'a str,
        to: &'a str,
        #[serde(flatten)]
        comparison: &'a ComparisonView,
        fields: Vec<(&'a Key, Vec<FieldView>)>,
    }
    let fields = rows.into_iter().map(|(one, fields)| (&one.key, fields)).collect();
    let whole = Whole { site, from, to, comparison, fields };
    Ok(serde_json::to_vec_pretty(&whole).context("the changes could not be written down")?)
}
