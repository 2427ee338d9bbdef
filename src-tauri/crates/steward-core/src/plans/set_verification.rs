//! Verification of an export in a set once more: its file might have been damaged on the disk since its run.
//!
//! The result becomes the state of the part, by which sets are kept and offered for an import.

use std::path::Path;

use serde::Serialize;

use super::plan::BackupPlan;
use super::removal;
use super::run::StoredSet;
use super::set::{BackupSet, PartFault, PartState, Verdict};
use super::sets;
use crate::files::archive_check::{self, VerifiedArchive};
use crate::files::{in_background, on_own_thread};
use crate::model::export_verification::ArchiveFault;
use crate::model::ids::{ServerId, Target};
use crate::model::operation::{Component, OperationKey};
use crate::model::problem::Problem;
use crate::model::run_result::RunResult;
use crate::model::saved_file::SavedFile;
use crate::runs::NewRun;
use crate::site_context::SiteContext;
use crate::transfers::export_verification::small;
use crate::transfers::file_verification::FileVerification;

/// Result of a verification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SetFileVerification {
    /// The file is as it was downloaded, and every entry matches its checksum.
    Verified,
    /// The same, but for entries whose compression or encryption is not supported.
    PartlyVerified {
        /// Number of entries that were not verified.
        unverified_entries: u32,
    },
    /// The file is as it was downloaded, and is not recognized as an export of a server.
    NotRecognized,
    /// The file is not complete, or was changed.
    Faulty {
        /// Reason.
        fault: ArchiveFault,
    },
}

/// Verifies the export of a server in a set, and writes what it is to the set.
///
/// # Errors
/// - [`Problem::Unexpected`] if there is no such set or file, its run has not ended, or the site is not saved.
/// - [`Problem::File`] if the file cannot be read, or its state not be written.
pub async fn verify(
    context: &SiteContext,
    data_folder: &Path,
    plan: &BackupPlan,
    set: &str,
    target: &Target,
    run: impl Into<NewRun>,
) -> Result<RunResult<SetFileVerification>, Problem> {
    let stored = sets::find(plan, set).await?;
    if stored.set.verdict() == Verdict::Running {
        return Err(unexpected("the run of this set has not ended"));
    }
    let is_of_plan = target.site == plan.site;
    let server = target.server.clone().filter(|_| is_of_plan);
    let part = server.and_then(|server| {
        let part = stored.set.parts.iter().find(|part| part.server.as_ref() == Some(&server))?;
        Some((server, sets::export_file(part)?.clone()))
    });
    let (server, file) = part.ok_or_else(|| unexpected("the set has no export of this server"))?;
    let path = stored.folder.join(&file.name);
    let saved = SavedFile { path: path.display().to_string(), size: file.size, sha256: file.sha256 };
    let (run, _) = FileVerification::begin(context, target, OperationKey::ExportServer, run)?;
    run.ended(async {
        let (read, counts) = (path.clone(), run.counts(file.size));
        let verified = on_own_thread("set verification", move |is_abandoned| {
            archive_check::verify_counted(&read, &saved, is_abandoned, &counts)
        });
        let result = verified.await.and_then(|read| read).map_err(|error| Problem::file(&path, &error))?;
        write(data_folder, stored, &server, result).await?;
        Ok(match result {
            Ok(archive) if !archive.recognized.is_of(Component::Server) => SetFileVerification::NotRecognized,
            Ok(archive) => match small(archive.unverified) {
                0 => SetFileVerification::Verified,
                unverified_entries => SetFileVerification::PartlyVerified { unverified_entries },
            },
            Err(fault) => SetFileVerification::Faulty { fault },
        })
    })
    .await
}

/// Writes the result to the set, unless it is as before.
async fn write(
    data_folder: &Path,
    StoredSet { folder, .. }: StoredSet,
    server: &ServerId,
    result: Result<VerifiedArchive, ArchiveFault>,
) -> Result<(), Problem> {
    let (data_folder, server) = (data_folder.to_owned(), server.clone());
    in_background(move || {
        let cannot = |error| Problem::file(&folder, &error);
        let _lock = removal::lock_sets(&data_folder).map_err(cannot)?;
        // Read here: the user might have pinned it, or the runner have removed it, while the file was read.
        let mut set = BackupSet::read(&folder)
            .map_err(|error| unexpected(&format!("{}: {error}", folder.display())))?;
        let Some(part) = set.parts.iter_mut().find(|part| part.server.as_ref() == Some(&server)) else {
            return Ok(());
        };
        let size = sets::export_file(part).map(|file| file.size);
        let state = match result {
            Ok(archive) if archive.unverified > 0 => PartState::OnSite { size },
            Ok(archive) if archive.recognized.is_of(Component::Server) => PartState::VerifiedHere,
            Ok(_) => PartState::Unrecognized { size },
            Err(fault) => PartState::Failed { fault: PartFault::Archive(fault), note: String::new() },
        };
        if part.state == state {
            return Ok(());
        }
        part.state = state;
        set.write(&folder).map_err(cannot)
    })
    .await?
}

fn unexpected(message: &str) -> Problem {
    Problem::Unexpected { message: message.to_owned() }
}
