//! One run of a backup plan: each part is exported, one after the other, by the operation that the form uses.
//!
//! `set.json` is written before the first part and after each one, so that a run that is killed leaves a set that says
//! how far it came.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use steward_client::operations::export_server::ExportServer;
use steward_core::files::{self, open_regular};
use steward_core::history::open_imports::has_open_portal_import;
use steward_core::inventory::portal::PortalInventory;
use steward_core::inventory::stored;
use steward_core::model::export_verification::{ArchiveFault, ExportVerification};
use steward_core::model::ids::{RecordId, ServerId, SiteId, Target};
use steward_core::model::numbers::{Bytes, Millis};
use steward_core::model::operation::{Component, OperationKey};
use steward_core::model::problem::{self, Problem};
use steward_core::model::run_result::RunResult;
use steward_core::model::saved_file::{SaveResult, SavedFile};
use steward_core::operations::export_portal::{
    self, ExportPortalForm, PortalExportDestination, PortalExportReport,
};
use steward_core::operations::export_server::{self, ServerExportReport};
use steward_core::runs::{RunId, carry_out};
use steward_core::site_context::SiteContext;
use steward_core::sites::Site;
use steward_core::transfers::export_verification::{self, add_to, note_earlier};
use steward_core::transfers::file_verification::FileVerification;
use steward_core::transfers::{Transfers, upload};
use tokio::sync::watch;

use super::account_key;
use super::drive::{LOOK, within};
use super::mark;
use super::plan::{BackupPlan, PlanPart, PortalStore};
use super::set::{self, BackupSet, PartFault, PartState, PortalFile, SetFile, SetPart, SkipReason};

/// Longest export of a part. A site that responds later is not waited for: the other parts wait meanwhile.
pub(super) const LONGEST_EXPORT: Duration = Duration::from_hours(24);

/// Warning about an export whose inventory could not be written: its record has the inventory, but the search of sets
/// does not find it.
const NO_INVENTORY: &str = "the inventory could not be written beside the export";

/// A run of a plan that is to begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Attempt {
    /// Time of the schedule that it is for; `None` if a user requested it.
    pub(crate) scheduled: Option<Timestamp>,
    /// Whether an earlier run for this time sent nothing.
    pub(crate) is_repetition: bool,
}

impl Attempt {
    /// A run that a user requested: it changes no schedule, and repeats no run.
    pub(crate) const REQUESTED: Self = Self { scheduled: None, is_repetition: false };
}

/// A set and the folder that it is in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct StoredSet {
    /// Path of the folder with `set.json` and the files of the set.
    pub folder: PathBuf,
    /// Content of its `set.json`.
    pub set: BackupSet,
}

/// Runs a plan, and returns the set that it left. `scheduled` is the time of the schedule that it runs for; `None` if a
/// user started it. After `stop` is set, the current part ends as Stop ends it, and the others are skipped.
///
/// A part that fails does not fail the run: the set has its reason.
///
/// # Errors
/// - [`Problem::Unexpected`] if the site is not saved.
/// - [`Problem::File`] if the folder of the set cannot be created. Then nothing was sent.
pub async fn run(
    context: &SiteContext,
    transfers: &Transfers,
    plan: &BackupPlan,
    scheduled: Option<Millis>,
    stop: &watch::Receiver<bool>,
) -> Result<StoredSet, Problem> {
    let site = context.access.sites.get(&plan.site)?;
    let parts = plan.parts.iter().map(|part| SetPart::waiting(part, &site)).collect();
    let set = BackupSet::begun(
        (plan.id.clone(), plan.name.clone()),
        (site.id.clone(), site.name.clone()),
        scheduled,
        parts,
    );
    let mut stored = begin(plan, set).await?;
    for (index, part) in plan.parts.iter().enumerate() {
        let place = place_of(&stored, index, &site).await;
        let entry = &mut stored.set.parts[index];
        if let Ok(place) = &place {
            let names = [Some(place.clone()), entry.server.as_ref().map(|_| stored::beside(place))];
            // The set names the files before they exist, so that a runner that is killed leaves no file that no set names.
            entry.files = names.iter().flatten().filter_map(|path| SetFile::to_be_written(path)).collect();
        }
        entry.state = PartState::Running;
        stored.write().await;
        // The next part reads the token from the keyring again: in the window, a user might have signed out, or in as
        // another one.
        context.access.forget_connection(&site.id);
        // Not borrowed in the condition: the borrow would block the sender until the export ends.
        let is_stopped = *stop.borrow();
        let done = if is_stopped {
            Part::in_state(PartState::Skipped { reason: SkipReason::Stopped })
        } else {
            match (has_open_portal_import(&context.history, &site.id).await, place) {
                (Ok(false), Ok(place)) => {
                    let running = Running { context, transfers, place: &place };
                    running.export(plan, part, &site, stop.clone()).await
                }
                (Ok(true), _) => Part::in_state(PartState::Skipped { reason: SkipReason::PortalImport }),
                (Err(problem), _) | (_, Err(problem)) => Part::in_state(PartState::failed(&problem)),
            }
        };
        let Part { state, record, files, portal_file, usual_size, warnings, .. } = done;
        let entry = &mut stored.set.parts[index];
        let ended = Some(Millis::now());
        *entry = SetPart { state, ended, record, files, portal_file, usual_size, warnings, ..entry.clone() };
        stored.write().await;
    }
    stored.set.ended = Some(Millis::now());
    stored.write().await;
    Ok(stored)
}

/// Returns the name of a server that is no longer saved, from the newest set of the plan that has one.
fn name_in_sets(plan: &BackupPlan, server: &ServerId) -> Option<String> {
    let folders = std::fs::read_dir(&plan.folder).ok()?.flatten();
    let sets = folders.filter_map(|folder| BackupSet::read(&folder.path()).ok());
    let mut sets: Vec<_> = sets.filter(|set| set.plan == plan.id).collect();
    sets.sort_by_key(|set| set.started);
    let parts = sets.into_iter().flat_map(|set| set.parts);
    let names = parts.filter(|part| part.server.as_ref() == Some(server)).map(|part| part.name);
    // The newest name that is not the identifier: of equal keys, `max_by_key` returns the last.
    names.max_by_key(|name| *name != server.0)
}

/// Marks the folder of a plan, creates that of a set, and writes the set to it.
async fn begin(plan: &BackupPlan, mut set: BackupSet) -> Result<StoredSet, Problem> {
    let (in_folder, plan) = (plan.folder.clone(), plan.clone());
    within(LOOK, &in_folder, move || {
        for part in &mut set.parts {
            let unnamed = part.server.as_ref().filter(|server| server.0 == part.name);
            if let Some(name) = unnamed.and_then(|server| name_in_sets(&plan, server)) {
                part.name = name;
            }
        }
        let created = mark::write(&plan).and_then(|()| set::create_folder(&plan.folder, set.started));
        let folder;
        (folder, set.folder_name) = created.map_err(|error| Problem::file(&plan.folder, &error))?;
        if let Err(error) = set.write(&folder) {
            // The run is repeated, and a folder without `set.json` belongs to no plan: no later run would remove it.
            if let Err(error) = std::fs::remove_dir(&folder) {
                tracing::warn!(%error, folder = %folder.display(), "the folder of a set that was not begun is kept");
            }
            return Err(Problem::file(&folder, &error));
        }
        Ok(StoredSet { folder, set })
    })
    .await?
}

impl StoredSet {
    /// Returns the folder of the plan that it is in.
    pub(crate) fn of_plan(&self) -> &Path {
        self.folder.parent().unwrap_or(&self.folder)
    }

    /// Writes `set.json`. A failure is logged: the next part writes it again, and the run of the plan calls
    /// [`must_be_written`](Self::must_be_written) at last.
    async fn write(&self) {
        let (folder, set) = (self.folder.clone(), self.set.clone());
        let writing = move || set.write(&folder).map_err(|error| Problem::file(&folder, &error));
        let written = within(LOOK, self.of_plan(), writing);
        if let Err(problem) | Ok(Err(problem)) = written.await {
            tracing::error!(?problem, "a backup set could not be written");
        }
    }

    /// Returns the set as its files are now. The file of the portal is looked for in `seen_at`, as of
    /// [`BackupPlan::portal_seen_at`].
    pub(crate) fn checked(self, seen_at: Option<&Path>) -> Self {
        Self { set: self.set.as_found_in(&self.folder, seen_at), ..self }
    }

    /// Writes `set.json` unless it has this content. The file decides which sets are kept, and what can be restored.
    ///
    /// # Errors
    /// [`Problem::File`] if it cannot be written.
    pub(crate) async fn must_be_written(&self) -> Result<(), Problem> {
        let Self { folder, set } = self.clone();
        within(LOOK, self.of_plan(), move || match BackupSet::read(&folder) {
            Ok(written) if written == set => Ok(()),
            _ => set.write(&folder).map_err(|error| Problem::file(&folder.join(set::FILE), &error)),
        })
        .await?
    }
}

/// Result of a part.
struct Part {
    state: PartState,
    record: Option<RecordId>,
    files: Vec<SetFile>,
    portal_file: Option<PortalFile>,
    usual_size: Option<Bytes>,
    warnings: Option<Vec<String>>,
    /// Whether nothing was done because the token was rejected, and the next request has another one.
    has_another_token: bool,
}

impl Part {
    const fn in_state(state: PartState) -> Self {
        Self {
            state,
            record: None,
            files: Vec::new(),
            portal_file: None,
            usual_size: None,
            warnings: None,
            has_another_token: false,
        }
    }
}

/// Returns the path of the file that a part adds to the set: the export of a server, or the inventory of the portal.
///
/// # Errors
/// [`Problem::File`] if the drive does not respond.
async fn place_of(stored: &StoredSet, index: usize, site: &Site) -> Result<PathBuf, Problem> {
    let (folder, part) = (stored.folder.clone(), &stored.set.parts[index]);
    if part.server.is_none() {
        return Ok(folder.join(files::safe_name(&format!("{} portal", site.name), "inventory.json")));
    }
    let name = files::dated_name(&part.name, Millis::now(), "agssite");
    within(LOOK, stored.of_plan(), move || files::free_place(&folder, &name)).await
}

/// Services and settings that a running part uses.
#[derive(Clone, Copy)]
struct Running<'a> {
    context: &'a SiteContext,
    transfers: &'a Transfers,
    /// As of [`place_of`].
    place: &'a Path,
}

impl Running<'_> {
    /// Returns the folder of the plan.
    fn of_plan(&self) -> &Path {
        self.place.ancestors().nth(2).unwrap_or(self.place)
    }

    /// Exports one part, and stops its run when `stop` is set.
    async fn export(
        self,
        plan: &BackupPlan,
        part: &PlanPart,
        site: &Site,
        mut stop: watch::Receiver<bool>,
    ) -> Part {
        let id = RunId(uuid::Uuid::new_v4().to_string());
        let stopped = stop.clone();
        let exporting = async {
            let exported = self.attempt(plan, part, (site, &id), &stopped).await;
            let is_stopped = *stopped.borrow();
            // The token was renewed meanwhile, so that a second attempt can succeed.
            if exported.has_another_token && !is_stopped {
                return self.attempt(plan, part, (site, &id), &stopped).await;
            }
            exported
        };
        tokio::pin!(exporting);
        tokio::select! {
            biased;
            part = &mut exporting => return part,
            // Without a sender, nothing stops the export. The borrow that `wait_for` returns is dropped, because it
            // would block the sender.
            Ok(()) = async { stop.wait_for(|is_set| *is_set).await.map(drop) } => {}
            () = tokio::time::sleep(LONGEST_EXPORT) => {
                tracing::error!(site = site.id.0, "an export of a backup plan does not end, and is stopped");
            }
        }
        self.context.runs.stop(&id);
        exporting.await
    }

    /// Exports one part once.
    async fn attempt(
        self,
        plan: &BackupPlan,
        part: &PlanPart,
        (site, id): (&Site, &RunId),
        stopped: &watch::Receiver<bool>,
    ) -> Part {
        let exported = match part {
            PlanPart::Portal { location, seen_at, store } => {
                match self.destination(plan, location, store.as_ref()).await {
                    Ok(target) => Box::pin(self.portal(site, id, target, seen_at.as_deref(), stopped)).await,
                    Err(problem) => Err(problem),
                }
            }
            PlanPart::Server { server } => {
                let target = Target { site: site.id.clone(), server: Some(server.clone()) };
                Box::pin(self.server(&target, id, plan.delete_stored)).await
            }
        };
        exported.unwrap_or_else(|problem| Part::in_state(PartState::failed(&problem)))
    }

    /// Exports a server, and deletes its stored file if the plan requires that and the copy was verified.
    async fn server(self, target: &Target, id: &RunId, delete_stored: bool) -> Result<Part, Problem> {
        let Self { context, transfers, place } = self;
        let Ok(shown) = context.access.sites.at(target) else {
            let note = "the server is no longer saved".to_owned();
            return Ok(Part::in_state(PartState::Failed { fault: PartFault::NotOffered, note }));
        };
        let export = ExportServer { location: String::new() };
        let ended = carry_out(id.clone(), |run| {
            export_server::export_to(context, transfers, &shown, run, export, Some(place.to_owned()))
        });
        let (record, report) = match ended.await {
            RunResult::Done { record, report, .. } => (record, report),
            other => return Ok(ended_without_success(other)),
        };
        let state = state_of(&report);
        let mut files = Vec::new();
        if let Some(SaveResult::Saved { file }) = &report.saving {
            let modified_at = report.verification.as_ref().and_then(|verified| verified.modified_at);
            files.extend(SetFile::saved(file).map(|file| SetFile { modified_at, ..file }));
            let inventory = stored::beside(place);
            let read = within(LOOK, self.of_plan(), move || SetFile::of(&inventory));
            files.extend(read.await.ok().flatten());
        }
        let warning = report.inventory_unwritten.map(|said| format!("{NO_INVENTORY}: {said}"));
        // Another administrator might have stored the file that the server named.
        let may_delete = delete_stored && report.is_new == Some(true);
        if let (true, PartState::VerifiedHere, Some(location)) =
            (may_delete, &state, report.outcome.location())
        {
            // A failure is only logged: the set is complete, and the history has the reason.
            if let Err(problem) = Box::pin(upload::delete_exported(context, target, location)).await {
                tracing::warn!(?problem, "the stored file of a backup was not deleted from the server");
            }
        }
        let usual_size = report.verification.as_ref().and_then(ExportVerification::usual_if_much_smaller);
        let warnings = warnings_of(report.outcome.warnings(), warning);
        Ok(Part { record, files, usual_size, warnings, ..Part::in_state(state) })
    }

    /// Returns the destination of the portal, with the key of its storage account from the keyring.
    async fn destination(
        self,
        plan: &BackupPlan,
        location: &str,
        store: Option<&PortalStore>,
    ) -> Result<PortalExportDestination, Problem> {
        let location = location.to_owned();
        Ok(match store.cloned() {
            None => PortalExportDestination::Folder { location },
            Some(PortalStore::Bucket { bucket, region }) => {
                PortalExportDestination::Bucket { location, bucket, region }
            }
            Some(PortalStore::Blob { container, account_name, account_endpoint }) => {
                let key = account_key::read(self.context.access.vault(), &plan.id).await?;
                let key = key.ok_or_else(|| Problem::Unexpected {
                    message: "the keyring does not have the key of the storage account: enter it in the plan"
                        .to_owned(),
                })?;
                let account_key = key.expose().clone();
                PortalExportDestination::Blob {
                    location,
                    container,
                    account_name,
                    account_key,
                    account_endpoint,
                }
            }
        })
    }

    /// Exports the portal. The file stays where the portal wrote it; if that folder is seen from here, it is verified.
    async fn portal(
        self,
        site: &Site,
        id: &RunId,
        target: PortalExportDestination,
        seen_at: Option<&Path>,
        stopped: &watch::Receiver<bool>,
    ) -> Result<Part, Problem> {
        // Only in a folder is the file known by the name that the export requested: in a bucket or container, the portal
        // chooses another one.
        let is_folder = matches!(target, PortalExportDestination::Folder { .. });
        let form = ExportPortalForm { target, check_only: false };
        let ended = carry_out(id.clone(), |run| export_portal::perform(self.context, &site.id, run, form));
        let (record, report) = match ended.await {
            RunResult::Done { record, report, .. } => (record, report),
            other => return Ok(ended_without_success(other)),
        };
        let PortalExportReport { outcome, inventory, is_earlier, .. } = report;
        let mut part = match (seen_at, outcome.location()) {
            (_, Some(written)) if is_folder && is_earlier => {
                let note = format!("the portal named the file of an earlier export: {written}");
                let fault = PartFault::Archive(ArchiveFault::Earlier);
                Part::in_state(PartState::Failed { fault, note })
            }
            (Some(folder), Some(written)) => {
                self.seen(site, id, record.as_ref(), (folder, written), stopped).await
            }
            (None, Some(_)) => Part::in_state(PartState::OnSite { size: None }),
            (_, None) => {
                let note = "the portal named no file of its export".to_owned();
                Part::in_state(PartState::Failed { fault: PartFault::NoFile, note })
            }
        };
        let mut warning = None;
        if let Some(inventory) = inventory {
            match self.portal_inventory(inventory).await {
                Ok(file) => part.files.push(file),
                Err(problem) => {
                    warning = Some(format!("{NO_INVENTORY}: {}", problem::as_text(&problem)));
                }
            }
        }
        Ok(Part { record, warnings: warnings_of(outcome.warnings(), warning), ..part })
    }

    /// Reads the file that a portal wrote to `written`, in the folder where it is seen from this computer, and adds its
    /// size, hash, and verification to the record of its export. Stop leaves it unread.
    async fn seen(
        self,
        site: &Site,
        id: &RunId,
        record: Option<&RecordId>,
        (folder, written): (&Path, &str),
        stopped: &watch::Receiver<bool>,
    ) -> Part {
        let name = written.rsplit(['/', '\\']).next().unwrap_or_default();
        // The name comes from the site: on Windows, `C:name` would lead out of the folder.
        if !set::is_plain(name) {
            return Part::in_state(PartState::OnSite { size: None });
        }
        let path = folder.join(name);
        let read = read_portal_file(self.context, &site.id, id.clone(), &path, stopped).await;
        let (file, mut verification) = match read {
            Ok(Some(read)) => read,
            Ok(None) => return Part::in_state(PartState::OnSite { size: None }),
            // The export succeeded, but its file is not where the plan expects it.
            Err(problem @ Problem::File { .. }) => {
                let (fault, note) = (PartFault::Archive(ArchiveFault::Unread), problem::as_text(&problem));
                return Part::in_state(PartState::Failed { fault, note });
            }
            Err(problem) => return Part::in_state(PartState::failed(&problem)),
        };
        if let Some(record) = record {
            note_earlier(&self.context.history, &mut verification, &file.sha256, Some(record)).await;
            add_to(self.context, record, &file, Some(&verification)).await;
        }
        let portal_file = PortalFile {
            name: name.to_owned(),
            folder: folder.display().to_string(),
            size: file.size,
            sha256: file.sha256,
            modified_at: verification.modified_at,
        };
        Part {
            portal_file: Some(portal_file),
            usual_size: verification.usual_if_much_smaller(),
            ..Part::in_state(PartState::of_file(&verification))
        }
    }

    /// Writes the inventory of the portal beside the other files of the set.
    async fn portal_inventory(self, inventory: PortalInventory) -> Result<SetFile, Problem> {
        let to = self.place.to_owned();
        within(LOOK, self.of_plan(), move || {
            let bytes = serde_json::to_vec(&inventory).map_err(std::io::Error::from);
            let written = bytes.and_then(|bytes| files::write_whole(&to, &bytes));
            let read = written.and_then(|()| SetFile::of(&to).ok_or_else(|| ErrorKind::NotFound.into()));
            read.map_err(|error| Problem::file(&to, &error))
        })
        .await?
    }
}

/// Returns the warnings that are kept of an export: those of the site, if it warned, and one of the app.
fn warnings_of(of_site: Option<&[String]>, of_app: Option<String>) -> Option<Vec<String>> {
    let kept = of_site.map(set::kept);
    if of_app.is_none() { kept } else { Some(kept.into_iter().flatten().chain(of_app).collect()) }
}

/// Returns the state of a server export with its download and verification.
fn state_of(report: &ServerExportReport) -> PartState {
    let verification = report.verification.as_ref();
    match (&report.saving, verification) {
        (Some(SaveResult::Failed { problem }), _) => {
            let is_of_disk = matches!(problem, Problem::File { .. });
            let fault = if is_of_disk { PartFault::Disk } else { PartFault::Download };
            PartState::Failed { fault, note: problem::as_text(problem) }
        }
        (Some(SaveResult::Saved { .. }), Some(verification)) => PartState::of_file(verification),
        // Stop skips the verification, or the download.
        (Some(SaveResult::Saved { file }), None) => PartState::OnSite { size: Some(file.size) },
        (Some(SaveResult::Dismissed) | None, _) => PartState::OnSite { size: None },
    }
}

/// Returns the state of an export that was not successful.
fn ended_without_success<T>(ended: RunResult<T>) -> Part {
    match ended {
        RunResult::Unknown { record, .. } => Part { record, ..Part::in_state(PartState::Unknown) },
        RunResult::NotSent { record, .. } => {
            Part { record, ..Part::in_state(PartState::Skipped { reason: SkipReason::Stopped }) }
        }
        RunResult::Failed { problem, record, .. } => {
            let has_another_token = problem == Problem::TokenRenewed;
            Part { record, has_another_token, ..Part::in_state(PartState::failed(&problem)) }
        }
        // Not reached: callers handle `Done`, and a plan opens no dialog.
        RunResult::Done { .. } | RunResult::Dismissed => {
            Part::in_state(PartState::Skipped { reason: SkipReason::Stopped })
        }
    }
}

/// Reads the file of a portal export on this computer completely, in a run that shows its progress. `None` if it was
/// stopped.
async fn read_portal_file(
    context: &SiteContext,
    site: &SiteId,
    id: RunId,
    path: &Path,
    stopped: &watch::Receiver<bool>,
) -> Result<Option<(SavedFile, ExportVerification)>, Problem> {
    let cannot = |error| Problem::file(path, &error);
    let looked_at = path.to_owned();
    let folder = path.parent().unwrap_or(path);
    let found = within(LOOK, folder, move || std::fs::metadata(&looked_at)).await?.map_err(cannot)?;
    let target = Target::portal(site.clone());
    let (run, portal) = FileVerification::begin(context, &target, OperationKey::ExportPortal, id)?;
    // A stop before the run began found no run to end.
    if *stopped.borrow() {
        return Ok(None);
    }
    let (opened, counts) = (path.to_owned(), run.counts(Bytes(found.len())));
    let reading = export_verification::read(
        context,
        (&portal, Component::Portal),
        move || open_regular(&opened),
        None,
        counts,
    );
    let ended = run.ended(async { reading.await.map_err(cannot) }).await?;
    let RunResult::Done { report: (sha256, verification), .. } = ended else { return Ok(None) };
    let file = SavedFile { path: path.display().to_string(), size: verification.size, sha256 };
    Ok(Some((file, verification)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_is_no_longer_saved_has_the_name_of_the_newest_set_with_its_name() {
        let server = ServerId("x1".to_owned());
        for sets in [[("Former", 1), ("Latest", 2), ("x1", 3)], [("x1", 3), ("Latest", 2), ("Former", 1)]] {
            let folder = tempfile::tempdir().unwrap();
            let plan = BackupPlan { folder: folder.path().to_owned(), ..BackupPlan::example() };
            for (name, started) in sets {
                let (server, example) = (Some(server.clone()), SetPart::example(PartState::Waiting));
                let part = SetPart { server, name: name.to_owned(), ..example };
                let (of_plan, site) = ((plan.id.clone(), String::new()), (plan.site.clone(), String::new()));
                let begun = BackupSet::begun(of_plan, site, None, vec![part]);
                let set = BackupSet { started: Millis(started), ended: Some(Millis(started)), ..begun };
                let of_set = folder.path().join(name);
                std::fs::create_dir(&of_set).unwrap();
                set.write(&of_set).unwrap();
            }
            assert_eq!(name_in_sets(&plan, &server).as_deref(), Some("Latest"));
        }
    }
}
