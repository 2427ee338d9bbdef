//! Locks of endpoints between the processes of the app: the window, and the runner of backup plans (ADR 0049).
//!
//! Each endpoint has a file that its holder keeps locked. The system releases it when the process ends, however it ends. A
//! second file has what the holder does: on Windows, others cannot read a locked file.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::files::data_folder::HeldLock;
use crate::files::{self, data_folder};
use crate::model::history_key::HistoryAction;
use crate::model::numbers::Millis;
use crate::model::operation::OperationKey;
use crate::model::problem::Problem;
use crate::sites::endpoints::NormalizedEndpoint;

/// Limit of the file about the work of a holder, in bytes.
const LARGEST: u64 = 64 * 1024;

/// Folder of the lock files.
pub(super) struct LockFiles(PathBuf);

/// Work of the holder of a lock: the content of [`Problem::Busy`].
#[derive(Serialize, Deserialize)]
struct Holder {
    site_name: String,
    operation: OperationKey,
    act: Option<HistoryAction>,
    started_at: Millis,
}

impl LockFiles {
    pub(super) fn in_folder(folder: &Path) -> Self {
        Self(folder.to_owned())
    }

    /// Locks an endpoint. `busy` is the problem that other processes return while it is locked.
    ///
    /// # Errors
    /// - [`Problem::Busy`] of another process that holds the lock.
    /// - [`Problem::File`] if the lock file cannot be created.
    pub(super) fn take(&self, endpoint: &NormalizedEndpoint, busy: &Problem) -> Result<HeldLock, Problem> {
        let gate = self.gate()?;
        let locked = self.lock(endpoint)?;
        drop(gate);
        if let Some(holder) = Holder::of(busy) {
            let beside = self.path(endpoint, "json");
            let written = files::encode(&holder).map_err(std::io::Error::from);
            if let Err(error) = written.and_then(|bytes| files::write_whole(&beside, &bytes)) {
                tracing::warn!(%error, "other processes are not told what runs on a site");
            }
        }
        Ok(locked)
    }

    /// Checks that no other process holds an endpoint.
    ///
    /// # Errors
    /// Those of [`take`](Self::take).
    pub(super) fn is_free(&self, endpoint: &NormalizedEndpoint) -> Result<(), Problem> {
        let _gate = self.gate()?;
        self.lock(endpoint).map(drop)
    }

    /// Waits until no other process takes a lock or looks at one, for some seconds at most. To look at a lock, a process
    /// takes it for a moment. Without the gate, another process that takes the lock in that moment would find the site busy.
    fn gate(&self) -> Result<HeldLock, Problem> {
        let path = self.0.join("gate");
        data_folder::wait_for_lock(&path).map_err(|error| Problem::file(&path, &error))
    }

    fn lock(&self, endpoint: &NormalizedEndpoint) -> Result<HeldLock, Problem> {
        let path = self.path(endpoint, "lock");
        let cannot = |error| Problem::file(&path, &error);
        data_folder::create_private(&self.0).map_err(cannot)?;
        data_folder::try_lock(&path).map_err(cannot)?.ok_or_else(|| self.holder(endpoint))
    }

    /// Returns what the process that holds an endpoint does.
    fn holder(&self, endpoint: &NormalizedEndpoint) -> Problem {
        let read = files::read_whole(&self.path(endpoint, "json"), LARGEST).map_err(anyhow::Error::from);
        match read.and_then(|bytes| files::decode::<Holder>(&bytes)) {
            Ok(Holder { site_name, operation, act, started_at }) => {
                Problem::Busy { site_name, operation, act, started_at }
            }
            // The holder has not written its file yet, or the file is damaged. It is probably the runner of backup
            // plans, which exports.
            Err(_) => Problem::Busy {
                site_name: endpoint.to_string(),
                operation: OperationKey::ExportServer,
                act: None,
                started_at: Millis::now(),
            },
        }
    }

    fn path(&self, endpoint: &NormalizedEndpoint, extension: &str) -> PathBuf {
        let name = files::sha256(endpoint.to_string().as_bytes());
        self.0.join(format!("{}.{extension}", &name[..32]))
    }
}

impl Holder {
    fn of(busy: &Problem) -> Option<Self> {
        let Problem::Busy { site_name, operation, act, started_at } = busy else { return None };
        Some(Self { site_name: site_name.clone(), operation: *operation, act: *act, started_at: *started_at })
    }
}
