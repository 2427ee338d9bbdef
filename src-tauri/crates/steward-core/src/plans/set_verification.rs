//! Verification of an export in a set once more: its file might have been damaged on the disk since its run.
//!
//! The result becomes the state of the part, by which sets are kept and offered for an import.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use super::plan::{BackupPlan, PlanId};
use super::removal;
use super::run::StoredSet;
use super::set::{BackupSet, PartFault, PartState, Verdict};
use super::sets;
use crate::files::archive_check::{self, VerifiedArchive};
use crate::files::{in_background, on_own_thread};
use crate::model::export_verification::ArchiveFault;
use crate::model::ids::ServerId;
use crate::model::numbers::{Bytes, count};
use crate::model::problem::Problem;
use crate::model::saved_file::SavedFile;

/// Progress of a verification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SetVerificationProgress {
    /// Plan.
    pub plan: PlanId,
    /// Name of the folder of the set.
    pub set: String,
    /// Server whose export is verified.
    pub server: ServerId,
    /// Bytes that were read.
    pub done: Bytes,
    /// Bytes that are read at most: the file is read for its hash, and again for its entries.
    pub total: Bytes,
}

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
    /// The file is not complete, or was changed.
    Faulty {
        /// Reason.
        fault: ArchiveFault,
    },
    /// It was stopped. Nothing is known.
    Stopped,
}

/// Verification of an export in a set: one at a time.
#[derive(Default)]
pub struct SetVerification {
    running: Mutex<Option<SetVerificationProgress>>,
    done: AtomicU64,
    is_stopped: AtomicBool,
}

impl SetVerification {
    /// Returns the progress of the verification that is running; `None` if none is.
    #[must_use]
    pub fn progress(&self) -> Option<SetVerificationProgress> {
        let running = self.running().clone()?;
        let done = Bytes(self.done.load(Ordering::Relaxed).min(running.total.0));
        Some(SetVerificationProgress { done, ..running })
    }

    /// Stops the verification that is running.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Verifies the export of a server in a set, and writes what it is to the set.
    ///
    /// # Errors
    /// - [`Problem::Unexpected`] if there is no such set or file, its run has not ended, or another verification is running.
    /// - [`Problem::File`] if the file cannot be read, or its state not be written.
    pub async fn verify(
        self: &Arc<Self>,
        data_folder: &Path,
        plan: &BackupPlan,
        set: &str,
        server: &ServerId,
    ) -> Result<SetFileVerification, Problem> {
        let stored = sets::find(plan, set).await?;
        if stored.set.verdict() == Verdict::Running {
            return Err(unexpected("the run of this set has not ended"));
        }
        let part = stored.set.parts.iter().find(|part| part.server.as_ref() == Some(server));
        let file = part.and_then(sets::export_file).cloned();
        let file = file.ok_or_else(|| unexpected("the set has no export of this server"))?;
        let path = stored.folder.join(&file.name);
        let saved = SavedFile { path: path.display().to_string(), size: file.size, sha256: file.sha256 };
        let (plan, total) = (plan.id.clone(), Bytes(file.size.0.saturating_mul(2)));
        let running = SetVerificationProgress {
            plan,
            set: set.to_owned(),
            server: server.clone(),
            done: Bytes(0),
            total,
        };
        let begun = self.begin(running).ok_or_else(|| unexpected("another file is being verified"))?;
        let (this, read) = (self.clone(), path.clone());
        let verified = on_own_thread("set verification", move |is_abandoned| {
            let is_abandoned = || is_abandoned() || this.is_stopped.load(Ordering::Relaxed);
            let count_read = |bytes| {
                this.done.fetch_add(bytes, Ordering::Relaxed);
            };
            archive_check::verify_counted(&read, &saved, &is_abandoned, &count_read)
        });
        let result = match verified.await.and_then(|read| read) {
            Ok(verified) => verified,
            Err(_) if self.is_stopped.load(Ordering::Relaxed) => return Ok(SetFileVerification::Stopped),
            Err(error) => return Err(Problem::file(&path, &error)),
        };
        drop(begun);
        write(data_folder, stored, server, result).await?;
        Ok(match result {
            Ok(VerifiedArchive { unverified: 0, .. }) => SetFileVerification::Verified,
            Ok(VerifiedArchive { unverified, .. }) => {
                let unverified_entries = count(usize::try_from(unverified).unwrap_or(usize::MAX));
                SetFileVerification::PartlyVerified { unverified_entries }
            }
            Err(fault) => SetFileVerification::Faulty { fault },
        })
    }

    /// Begins a verification, which ends when the result is dropped; `None` while another one is running.
    fn begin(self: &Arc<Self>, running: SetVerificationProgress) -> Option<Begun> {
        let mut now = self.running();
        if now.is_some() {
            return None;
        }
        *now = Some(running);
        self.done.store(0, Ordering::Relaxed);
        self.is_stopped.store(false, Ordering::Relaxed);
        Some(Begun(self.clone()))
    }

    fn running(&self) -> MutexGuard<'_, Option<SetVerificationProgress>> {
        // Assigned as a whole.
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A verification that is running.
struct Begun(Arc<SetVerification>);

impl Drop for Begun {
    fn drop(&mut self) {
        *self.0.running() = None;
    }
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
            Ok(VerifiedArchive { unverified: 0, .. }) => PartState::VerifiedHere,
            Ok(_) => PartState::OnSite { size },
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
