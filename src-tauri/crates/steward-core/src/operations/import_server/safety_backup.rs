//! Safety backup before a server import.
//!
//! `SafetyBackupOptions::pack` exports the server site and verifies the archive. If a step fails, the import is not
//! sent.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use steward_client::operations::Remarks;
use steward_client::operations::export_server::ExportServer;
use steward_client::{Endpoint, WholeFile, listing, stored_id};
use steward_journal::{Facts, Outcome};

use crate::execution::{Execution, Intended, Response};
use crate::files::archive_check::{self, VerifiedArchive};
use crate::files::on_own_thread;
use crate::history::imports::{INACTIVE_IN_BACKUP, PURPOSE, SAFETY_BACKUP};
use crate::history::note::Note;
use crate::history::parameters::DESTINATION;
use crate::inventory::{Inventory, stored};
use crate::model::export_outcome::facts_at;
use crate::model::export_verification::{ArchiveFault, ExportVerification};
use crate::model::ids::{RecordId, SiteId};
use crate::model::import_report::SafetyBackup;
use crate::model::numbers::{Bytes, Millis};
use crate::model::operation::{Component, Operation, OperationKey};
use crate::model::problem::{Problem, SafetyBackupStep};
use crate::model::run_result::RunResult;
use crate::model::saved_file::{SaveResult, SavedFile};
use crate::runs::{Run, RunStep};
use crate::site_context::SiteContext;
use crate::sites::TargetSite;
use crate::transfers::Transfers;
use crate::transfers::earlier_file::names_earlier;
use crate::transfers::export_download;
use crate::transfers::export_verification::{is_of_earlier_export, small};
use crate::transfers::stored_file::{hash_of_ends, with_file};
use crate::transfers::uploads_before::UploadsBefore;

/// Operation that makes the safety backup.
const OPERATION: Operation = Operation::of(OperationKey::ExportServer);

/// Options of a safety backup.
#[derive(Debug, Clone, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SafetyBackupOptions {
    /// Whether the backup is also downloaded to this computer.
    pub also_here: bool,
}

/// Result of a safety backup.
pub(crate) enum SafetyBackupResult {
    /// The backup is complete. With the inventory of the server that was taken with it.
    Ready(Box<(SafetyBackup, Inventory)>),
    /// The user pressed Stop. Record of the export, if its request was sent.
    Stopped(Option<RecordId>),
}

/// Import that a safety backup is created for.
pub(crate) struct BackupContext {
    /// Location of the file that is imported afterwards.
    pub(crate) imported: String,
    /// Record of the deactivation whose webhooks are inactive in the backup; `None` for none.
    pub(crate) inactive: Option<String>,
}

/// Properties of a verified export.
struct Verified {
    upload: String,
    size: u64,
    /// SHA-256 of the ends of the stored file; `None` if the server does not return them alone.
    ends: Option<String>,
    entries: u64,
    unverified_entries: Option<u32>,
    is_recognized: Option<bool>,
    saved: Option<SavedFile>,
}

/// Free space from which on a copy of a safety backup is offered, in bytes. The size of an export is not known before
/// it is made; exports of large server sites have a few gigabytes.
const ROOM_FOR_A_COPY: u64 = 10_000_000_000;

/// Returns whether this computer has room for a copy of a safety backup, on the disk of the user's data.
#[must_use]
pub fn has_room_for_copy(data_folder: &Path) -> bool {
    fs4::available_space(data_folder).is_ok_and(|free| free >= ROOM_FOR_A_COPY)
}

impl SafetyBackupOptions {
    /// Exports the server and verifies the export, in the run of the import, so that Stop applies to both.
    ///
    /// # Errors
    /// - [`Problem::SafetyBackupFailed`] if the backup failed or is not usable. Then nothing may be imported.
    /// - Those of [`Execution::connect`].
    pub(crate) async fn pack(
        context: &SiteContext,
        transfers: &Transfers,
        site: TargetSite,
        run: &Run,
        place: Option<PathBuf>,
        BackupContext { imported, inactive }: BackupContext,
    ) -> Result<SafetyBackupResult, Problem> {
        run.step(RunStep::Securing);
        // If the program ends meanwhile, this parameter shows that an import was planned.
        let mut parameters = vec![("location", String::new()), (PURPOSE, SAFETY_BACKUP.to_owned())];
        parameters.extend(place.iter().map(|place| (DESTINATION, place.display().to_string())));
        // The import might not be sent, and the backup be imported by hand.
        parameters.extend(inactive.map(|record| (INACTIVE_IN_BACKUP, record)));
        let id = site.id.clone();
        let export = ExportServer { location: String::new() };
        let intended = Intended::to(&OPERATION, parameters, export.request());
        let execution =
            match Execution::connect::<()>(context, &OPERATION, site, run.clone(), Some(intended)).await? {
                Response::Received(execution) => execution,
                Response::Missing(_) => return Ok(SafetyBackupResult::Stopped(None)),
            };
        let looking = Box::pin(UploadsBefore::read(&execution.endpoint));
        let Some(before) = run.unless_stopped(looking).await else {
            execution.not_sent::<()>(String::new()).await;
            return Ok(SafetyBackupResult::Stopped(None));
        };
        let reply = match execution.change::<_, (), _>(|permit| export.send(permit)).await {
            Ok(Response::Received(reply)) => reply,
            Ok(Response::Missing(RunResult::Unknown { problem: Some(problem), .. })) => {
                return Err(failed(SafetyBackupStep::Unknown, Some(problem)));
            }
            Err(problem) => return Err(failed(SafetyBackupStep::Export, Some(problem))),
            Ok(Response::Missing(RunResult::NotSent { .. })) => return Ok(SafetyBackupResult::Stopped(None)),
            Ok(Response::Missing(_)) => return Ok(SafetyBackupResult::Stopped(execution.record_id())),
        };
        let outcome = if reply.warns() { Outcome::Warnings } else { Outcome::Succeeded };
        let on_server = facts_at(&reply.location);
        execution.set_facts(on_server.clone());
        execution.conclude(outcome, Note::written(&reply.location), None).await;
        let record = execution.record_id();
        let is_earlier = {
            let location = &reply.location;
            let known = names_earlier(context, &execution.site, location, record.as_ref());
            before.has(location) == Some(true)
                || stored_id(location).is_some_and(|upload| upload == imported)
                || Box::pin(known).await?
        };
        if is_earlier {
            let problem = not_whole(ArchiveFault::Earlier);
            execution.conclude(Outcome::Failed, Note::of(&problem), None).await;
            return Err(problem);
        }
        let verified = async {
            let verified =
                verify(transfers, &execution.endpoint, &reply.location, place.clone(), run, &id).await?;
            let own = execution.record_id();
            match verified.as_ref().and_then(|verified| verified.saved.as_ref()) {
                Some(file) if is_of_earlier_export(&context.history, &file.sha256, own.as_ref()).await => {
                    Err(not_whole(ArchiveFault::Earlier))
                }
                _ => Ok(verified),
            }
        };
        // On the heap: both together would be too large for the stack of an import.
        let inventory = Box::pin(Inventory::take(&execution.endpoint, execution.server_version()));
        let both = Box::pin(async { tokio::join!(verified, inventory) });
        let (verified, inventory) = match run.unless_stopped(both).await {
            Some((Ok(Some(verified)), inventory)) => (verified, inventory),
            None | Some((Ok(None), _)) => {
                if place.is_some() {
                    execution.conclude(Outcome::Warnings, Note::written(&reply.location), None).await;
                }
                return Ok(SafetyBackupResult::Stopped(record));
            }
            Some((Err(problem), _)) => {
                // The site returned success, and the result cannot be imported. If only the copy failed, or the export
                // could not be read, it might be complete.
                let could_look = !matches!(
                    problem,
                    Problem::SafetyBackupFailed {
                        step: SafetyBackupStep::Download | SafetyBackupStep::Archive(ArchiveFault::Unread),
                        ..
                    }
                );
                let outcome = if could_look { Outcome::Failed } else { Outcome::Warnings };
                execution.conclude(outcome, Note::of(&problem), None).await;
                return Err(problem);
            }
        };
        let note = match &verified.saved {
            Some(file) => Note::path(&file.path),
            None => Note::written(&reply.location),
        };
        let entries = small(verified.entries);
        let Verified { unverified_entries, is_recognized, .. } = verified;
        // Without a copy on this computer, only the ends of the file were read.
        let verification =
            verified.saved.as_ref().zip(unverified_entries).map(|(file, unverified_entries)| {
                let (size, is_recognized) = (file.size, is_recognized.unwrap_or_default());
                let usual_size = None;
                ExportVerification {
                    size,
                    entries,
                    unverified_entries,
                    is_recognized,
                    fault: None,
                    usual_size,
                    modified_at: None,
                }
            });
        let report = stored::report(Some(&inventory), verification.as_ref());
        let on_server =
            Facts { upload_size: Some(verified.size), upload_ends: verified.ends.clone(), ..on_server };
        execution.set_facts(match &verified.saved {
            Some(file) => with_file(on_server, file, verification.as_ref()),
            None => on_server,
        });
        execution.conclude(outcome, note, report).await;
        let inventory_unwritten = match place.as_deref().zip(verified.saved.as_ref()) {
            Some((place, file)) => stored::save_beside(place, file, &inventory).await,
            None => None,
        };
        run.clear_outcome();
        let location = reply.location.clone();
        let Remarks { messages: warnings, further } = reply.remarks();
        let backup = SafetyBackup {
            upload: verified.upload,
            location,
            size: Bytes(verified.size),
            entries,
            unverified_entries,
            is_recognized,
            warnings,
            further,
            saved: verified.saved,
            inventory_unwritten,
            record,
            taken_at: Millis::now(),
        };
        Ok(SafetyBackupResult::Ready(Box::new((backup, inventory))))
    }
}

/// Verifies the export; `None` if the user stopped its download.
async fn verify(
    transfers: &Transfers,
    server: &Endpoint,
    location: &str,
    place: Option<PathBuf>,
    run: &Run,
    site: &SiteId,
) -> Result<Option<Verified>, Problem> {
    let rejected = |step| move |error| failed(step, Some(Problem::from_client(&error, site)));
    let upload = stored_id(location).ok_or_else(|| failed(SafetyBackupStep::NotStored, None))?;
    let uploads =
        listing::uploads(server).await.map_err(rejected(SafetyBackupStep::Archive(ArchiveFault::Unread)))?;
    if !uploads.iter().any(|stored| stored.id == upload) {
        return Err(failed(SafetyBackupStep::NotStored, None));
    }
    let Some(place) = place else {
        run.step(RunStep::Verifying);
        let ends = server
            .peek_stored(location, transfers.retry_policy.stalled, WholeFile::Read)
            .await
            .map_err(rejected(SafetyBackupStep::Archive(ArchiveFault::Unread)))?;
        return Ok(Some(Verified {
            upload,
            size: ends.length,
            ends: Some(hash_of_ends(&ends)),
            entries: archive_check::entries(&ends).map_err(not_whole)?,
            unverified_entries: None,
            is_recognized: None,
            saved: None,
        }));
    };
    let file =
        match export_download::download(&transfers.retry_policy, server, location, &place, run, site).await {
            SaveResult::Saved { file } => file,
            SaveResult::Failed { problem } => return Err(failed(SafetyBackupStep::Download, Some(problem))),
            SaveResult::Dismissed => return Ok(None),
        };
    run.step(RunStep::Verifying);
    let (looked_at, path) = (file.clone(), place.clone());
    let archive = on_own_thread("backup verification", move |is_abandoned| {
        archive_check::verify(&path, &looked_at, is_abandoned)
    });
    let archive = archive.await;
    let archive: VerifiedArchive = archive
        .map_err(|error| Problem::Unexpected { message: error.to_string() })?
        .map_err(|error| {
            failed(SafetyBackupStep::Archive(ArchiveFault::Unread), Some(Problem::file(&place, &error)))
        })?
        .map_err(not_whole)?;
    let ends = server.peek_stored(location, transfers.retry_policy.stalled, WholeFile::Refuse).await.ok();
    Ok(Some(Verified {
        upload,
        size: file.size.0,
        ends: ends.as_ref().map(hash_of_ends),
        entries: archive.entries,
        unverified_entries: Some(small(archive.unverified)),
        is_recognized: Some(archive.recognized.is_of(Component::Server)),
        saved: Some(file),
    }))
}

fn not_whole(fault: ArchiveFault) -> Problem {
    failed(SafetyBackupStep::Archive(fault), None)
}

fn failed(step: SafetyBackupStep, cause: Option<Problem>) -> Problem {
    Problem::SafetyBackupFailed { step, cause: cause.map(Box::new) }
}
