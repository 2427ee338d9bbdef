//! The file of an export that the history records, after the export: whether it is still there, and what it has.
//!
//! The window names a record, never a path. A path is read if this app wrote the file there, or under the conditions of
//! [`SelectedPaths::show`] if the site did.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use steward_journal::StoredRecord;

use super::export_verification;
use super::file_verification::FileVerification;
use crate::files::data_folder::practice_exports;
use crate::files::selected_paths::SelectedPaths;
use crate::files::{on_own_thread, open_regular};
use crate::history::record_target::target_of;
use crate::model::export_verification::{ArchiveFault, ExportVerification};
use crate::model::ids::{RecordId, SiteId};
use crate::model::numbers::Bytes;
use crate::model::operation::{Component, OperationKey};
use crate::model::problem::Problem;
use crate::model::run_result::RunResult;
use crate::model::saved_file::SavedFile;
use crate::runs::NewRun;
use crate::site_context::SiteContext;

/// Exports whose files can be read here.
const EXPORTS: [OperationKey; 2] = [OperationKey::ExportServer, OperationKey::ExportPortal];

/// File of an export in the history, at its path on this computer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RecordedExport {
    /// Path that the export was written to.
    pub path: String,
    /// Size of the file; `null` if the file no longer exists.
    pub size: Option<Bytes>,
}

/// Result of verifying the file of an export in the history again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum RecordedVerification {
    /// The file was read.
    Read {
        /// Result of the verification.
        verification: ExportVerification,
        /// Whether the file was compared with the SHA-256 in the history. If the site wrote the file, the history has
        /// none.
        is_compared: bool,
    },
    /// The file no longer exists at the path.
    Gone,
}

impl RecordedVerification {
    /// Writes to the record whether its file is still complete. Leaves out a file that the site wrote, because its
    /// SHA-256 is not recorded, and one that could not be read: a disk can fail once.
    async fn note(&self, context: &SiteContext, record: &StoredRecord) {
        let (verification, size) = match self {
            Self::Read { verification, .. } if verification.fault == Some(ArchiveFault::Unread) => return,
            Self::Read { verification, .. } => (Some(verification), verification.size),
            Self::Gone => (None, Bytes(0)),
        };
        let is_whole = verification.is_some_and(|verification| verification.fault.is_none());
        let id = RecordId(record.id.clone());
        if is_whole == record.facts.unverified_entries.is_some() {
            let Some(now) = verification else { return };
            if export_verification::is_of_noted_file(&context.history, &id, now).await {
                return;
            }
        }
        if let (Some(path), Some(sha256)) = (record.facts.path.clone(), record.facts.sha256.clone()) {
            let file = SavedFile { path, size, sha256 };
            export_verification::add_to(context, &id, &file, verification).await;
        }
    }
}

/// Returns the file of a recorded export, if it was written where this app can read it; `None` otherwise. Nothing is sent.
///
/// # Errors
/// - [`Problem::Unexpected`] if the history cannot be read.
/// - [`Problem::File`] if the file cannot be read.
pub async fn recorded_export(
    context: &SiteContext,
    dialogs: &Arc<SelectedPaths>,
    data_folder: &Path,
    record: RecordId,
) -> Result<Option<RecordedExport>, Problem> {
    let record = read(context, record).await?;
    let Some(place) = Place::of(&record, practice_exports(data_folder)) else { return Ok(None) };
    let shown = place.path.display().to_string();
    match place.open(dialogs).await {
        Ok(Some((_, size))) => Ok(Some(RecordedExport { path: shown, size: Some(size) })),
        Ok(None) => Ok(Some(RecordedExport { path: shown, size: None })),
        // The file is on the machine of the site.
        Err(Problem::Unexpected { .. }) => Ok(None),
        Err(problem) => Err(problem),
    }
}

/// Reads the file of a recorded export of a site completely, and compares it with the record and its entries with their
/// checksums. Nothing is sent, and other operations can run meanwhile.
///
/// # Errors
/// - [`Problem::Unexpected`] if the history cannot be read, the site is not saved, or the file is not one of
///   [`recorded_export`].
/// - [`Problem::File`] if the file cannot be opened.
pub async fn verify_recorded_export(
    context: &SiteContext,
    dialogs: &Arc<SelectedPaths>,
    data_folder: &Path,
    site: &SiteId,
    run: impl Into<NewRun>,
    record: RecordId,
) -> Result<RunResult<RecordedVerification>, Problem> {
    let record = read(context, record).await?;
    let place = Place::of(&record, practice_exports(data_folder)).ok_or_else(elsewhere)?;
    if record.intent.site != site.0 {
        return Err(elsewhere());
    }
    let (run, site) = FileVerification::begin(context, &target_of(&record.intent), place.operation, run)?;
    let sha256 = record.facts.sha256.clone();
    let (is_compared, operation) = (sha256.is_some(), place.operation);
    run.ended(async {
        let found = match place.open(dialogs).await? {
            Some((file, size)) => {
                let counts = run.counts(size);
                let component = match operation {
                    OperationKey::ExportPortal => Component::Portal,
                    _ => Component::Server,
                };
                let read =
                    export_verification::read(context, (&site, component), move || Ok(file), sha256, counts);
                let verification = match read.await {
                    Ok((sha256, mut verification)) => {
                        let (history, own) = (&context.history, RecordId(record.id.clone()));
                        export_verification::note_earlier(history, &mut verification, &sha256, Some(&own))
                            .await;
                        verification
                    }
                    Err(error) => export_verification::unread(size, &error),
                };
                RecordedVerification::Read { verification, is_compared }
            }
            None => RecordedVerification::Gone,
        };
        found.note(context, &record).await;
        Ok(found)
    })
    .await
}

/// Opens the file of a recorded export, and returns its path.
///
/// # Errors
/// - [`Problem::Unexpected`] if the history cannot be read, or the file is not one of [`recorded_export`].
/// - [`Problem::File`] if it cannot be read, also if it is not there any more.
pub(super) async fn open_recorded(
    context: &SiteContext,
    dialogs: &Arc<SelectedPaths>,
    data_folder: &Path,
    record: RecordId,
) -> Result<(PathBuf, File), Problem> {
    let record = read(context, record).await?;
    let place = Place::of(&record, practice_exports(data_folder)).ok_or_else(elsewhere)?;
    let path = place.path.clone();
    match place.open(dialogs).await? {
        Some((file, _)) => Ok((path, file)),
        None => Err(Problem::file(&path, &ErrorKind::NotFound.into())),
    }
}

async fn read(context: &SiteContext, record: RecordId) -> Result<StoredRecord, Problem> {
    context.history.journal(move |journal| journal.record(&record.0)).await
}

fn elsewhere() -> Problem {
    Problem::Unexpected { message: "this record has no file on this computer".to_owned() }
}

/// Where the file of a record was written.
struct Place {
    operation: OperationKey,
    path: PathBuf,
    /// Folder below which files of the site may be read; `None` if this app wrote the file.
    of_site_below: Option<PathBuf>,
}

impl Place {
    fn of(record: &StoredRecord, ours: PathBuf) -> Option<Self> {
        let operation = EXPORTS.into_iter().find(|one| one.name() == record.intent.operation)?;
        if let Some(path) = &record.facts.path {
            return Some(Self { operation, path: path.into(), of_site_below: None });
        }
        let path = record.facts.site_path.as_ref()?;
        Some(Self { operation, path: path.into(), of_site_below: Some(ours) })
    }

    /// Opens the file, and returns its size; `None` if there is none.
    async fn open(self, dialogs: &Arc<SelectedPaths>) -> Result<Option<(File, Bytes)>, Problem> {
        let dialogs = dialogs.clone();
        let opened = on_own_thread("recorded export", move |_| {
            let Self { path, of_site_below, .. } = self;
            let opened = match of_site_below {
                Some(ours) => dialogs.read(&path, &ours),
                None => open_regular(&path).map_err(|error| Problem::file(&path, &error)),
            };
            let file = match opened {
                Err(Problem::File { .. }) if is_gone(&path) => return Ok(None),
                opened => opened?,
            };
            let length = file.metadata().map_err(|error| Problem::file(&path, &error))?.len();
            Ok(Some((file, Bytes(length))))
        });
        opened.await.map_err(|error| Problem::Unexpected { message: error.to_string() })?
    }
}

/// Returns whether there is no file at a path although its folder exists: without the folder, a drive might not be
/// connected. Only for paths that the app may read.
pub fn is_gone(path: &Path) -> bool {
    path.parent().is_some_and(Path::is_dir) && path.try_exists().is_ok_and(|exists| !exists)
}
