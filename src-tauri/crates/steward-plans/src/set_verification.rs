//! Verification of an export in a set once more: its file might have been damaged on the disk since its run.
//!
//! The result becomes the state of the part, by which sets are kept and offered for an import, and of the plan if it is
//! the last set.

use std::path::{Path, PathBuf};

use serde::Serialize;
use steward_core::files::data_folder::DataFolder;
use steward_core::files::{in_background, open_regular};
use steward_core::model::export_verification::ArchiveFault;
use steward_core::model::ids::{ServerId, Target};
use steward_core::model::numbers::Millis;
use steward_core::model::operation::{Component, OperationKey};
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::model::saved_file::SavedFile;
use steward_core::runs::NewRun;
use steward_core::site_context::SiteContext;
use steward_core::transfers::export_verification;
use steward_core::transfers::file_verification::FileVerification;

use super::attempt::StoredSet;
use super::plan::BackupPlan;
use super::removal;
use super::set::{self, PartFault, PartState, SetPart};
use super::sets;

/// Result of verifying a file of a set again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SetFileVerification {
    /// The file has the content that its run read, and every entry matches its checksum.
    Verified,
    /// The file has that content, but some entries could not be verified: their compression or encryption is not
    /// supported.
    PartlyVerified {
        /// Number of entries that were not verified.
        unverified_entries: u32,
    },
    /// The file has that content, but is not recognized as an export.
    NotRecognized,
    /// The file is not complete, or was changed.
    Faulty {
        /// Reason.
        fault: ArchiveFault,
    },
}

/// Verifies the export of a server or portal of a set, and writes the result to the set and to the record of the
/// export. The file of a portal is read in the folder that the plan has for it now.
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
    if stored.set.ended.is_none() && DataFolder::without_runner(data_folder).is_none() {
        return Err(unexpected(removal::RUNS));
    }
    let is_of_plan = target.site == plan.site;
    let mut parts = stored.set.parts.iter().filter(|part| is_of_plan && part.server == target.server);
    let part = parts.next().ok_or_else(|| unexpected("the set has no such part"))?;
    let file = file_of(plan, &stored, part)
        .ok_or_else(|| unexpected("the set has no export of this part that is seen from this computer"))?;
    let (operation, component) = match part.server {
        Some(_) => (OperationKey::ExportServer, Component::Server),
        None => (OperationKey::ExportPortal, Component::Portal),
    };
    let (run, site) = FileVerification::begin(context, target, operation, run)?;
    run.ended(async {
        let path = Path::new(&file.path);
        let (opened, expected) = (path.to_owned(), Some(file.sha256.clone()));
        let counts = run.counts(file.size);
        let read = export_verification::read(
            context,
            (&site, component),
            move || open_regular(&opened),
            expected,
            counts,
        );
        let (sha256, mut verification) = match read.await {
            Ok(read) => read,
            Err(error) if part.server.is_none() && is_gone(path, &error).await? => {
                // The set keeps its state, because it is whole again as soon as the file is back.
                note_last(data_folder, plan).await;
                return Ok(SetFileVerification::Faulty { fault: ArchiveFault::Unread });
            }
            Err(error) => return Err(Problem::file(path, &error)),
        };
        if let Some(record) = &part.record {
            export_verification::note_earlier(&context.history, &mut verification, &sha256, Some(record))
                .await;
        }
        // If the run found that the file has the content of an earlier export, that stays so: the history of this
        // computer might not have the earlier one.
        let earlier = ArchiveFault::Earlier;
        let was_earlier = part.state.failure().is_some_and(|(fault, _)| fault == PartFault::Archive(earlier));
        if was_earlier && verification.fault.is_none() {
            verification.fault = Some(earlier);
        }
        let state = PartState::of_file(&verification);
        let found = (state.clone(), verification.modified_at.filter(|_| verification.fault.is_none()));
        let has_changed = write(data_folder, &stored, target.server.as_ref(), found).await?;
        if let Some(record) = &part.record
            && (has_changed
                || !export_verification::is_of_noted_file(&context.history, record, &verification).await)
        {
            export_verification::add_to(context, record, &file, Some(&verification)).await;
        }
        note_last(data_folder, plan).await;
        Ok(match verification.fault {
            Some(fault) => SetFileVerification::Faulty { fault },
            None if state == PartState::VerifiedHere => SetFileVerification::Verified,
            None if !verification.is_recognized => SetFileVerification::NotRecognized,
            None => {
                SetFileVerification::PartlyVerified { unverified_entries: verification.unverified_entries }
            }
        })
    })
    .await
}

/// Notes whether the last set has changed. A failure is logged: the result is written, and the next look at the sets notes
/// it.
async fn note_last(data_folder: &Path, plan: &BackupPlan) {
    if let Err(problem) = sets::look(data_folder, plan).await {
        tracing::warn!(?problem, plan = plan.id.0, "what became of the last set is not noted");
    }
}

/// Returns whether the export of a portal is gone, as of [`set::is_gone`].
async fn is_gone(path: &Path, error: &std::io::Error) -> Result<bool, Problem> {
    let (path, kind) = (path.to_owned(), error.kind());
    in_background(move || set::is_gone(&path, kind)).await
}

/// Returns the export of a part as a file of this computer, as its run wrote it; `None` if there is none.
pub(super) fn file_of(plan: &BackupPlan, stored: &StoredSet, part: &SetPart) -> Option<SavedFile> {
    let saved = |path: PathBuf, size, sha256: &str| SavedFile {
        path: path.display().to_string(),
        size,
        sha256: sha256.to_owned(),
    };
    if part.server.is_some() {
        let file = set::export_file(part)?;
        return Some(saved(stored.folder.join(&file.name), file.size, &file.sha256));
    }
    let file = part.portal_file.as_ref()?;
    // Not the folder that `set.json` names: a user who can write to the folder of the set could have the app open any
    // path.
    Some(saved(plan.portal_seen_at()?.join(&file.name), file.size, &file.sha256))
}

/// Writes the state of a part to its set, with the time of the last change of an export that has no fault. Returns whether
/// the state has changed.
async fn write(
    data_folder: &Path,
    StoredSet { folder, .. }: &StoredSet,
    server: Option<&ServerId>,
    (state, modified_at): (PartState, Option<Millis>),
) -> Result<bool, Problem> {
    let (folder, data_folder, server) = (folder.clone(), data_folder.to_owned(), server.cloned());
    in_background(move || {
        removal::change_ended(&data_folder, &folder, |set| {
            for part in set.parts.iter_mut().filter(|part| part.server == server) {
                part.state = state.clone();
                if modified_at.is_some() {
                    part.is_verified_as_of(modified_at);
                }
            }
        })
    })
    .await?
}

fn unexpected(message: &str) -> Problem {
    Problem::Unexpected { message: message.to_owned() }
}
