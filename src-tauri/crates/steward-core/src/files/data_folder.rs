//! The data folder of the program, which one process uses at a time.
//!
//! [`place`] chooses the folder, and [`DataFolder::take`] locks it. The single instance of the window is per session of
//! a user. On a host with several sessions, a second process would treat the requests of the first one as lost, and
//! overwrite its files.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;

/// The file that is locked while the program runs.
const LOCK: &str = "in-use.lock";

/// Time to wait for the lock: a restarted program begins before the old process has ended.
const LOCK_TIMEOUT: Duration = Duration::from_secs(3);

/// A data folder that is locked for this process.
pub struct DataFolder {
    path: PathBuf,
    /// The system releases the lock when the process ends. `None` if the file system does not support locks.
    _lock: Option<File>,
}

impl DataFolder {
    /// Locks a folder for this process. Creates it if it does not exist.
    ///
    /// # Errors
    /// - The folder or its lock file cannot be created.
    /// - Another process has locked it for more than 3 seconds.
    pub fn take(path: &Path) -> anyhow::Result<Self> {
        let cannot = || format!("the data folder {} cannot be used", path.display());
        std::fs::create_dir_all(path).with_context(cannot)?;
        let file = File::options().create(true).append(true).open(path.join(LOCK)).with_context(cannot)?;
        let begun = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { path: path.to_owned(), _lock: Some(file) }),
                Err(TryLockError::WouldBlock) if begun.elapsed() < LOCK_TIMEOUT => {
                    std::thread::sleep(Duration::from_millis(50));
                }
                Err(TryLockError::WouldBlock) => anyhow::bail!(
                    "Site Steward is already running for you, perhaps in another session on this computer. Two copies \
                     would overwrite each other's data in {}. Close the other one, and start this one again.",
                    path.display()
                ),
                // Some network file systems do not support locks. Continue without one.
                Err(TryLockError::Error(error)) => {
                    tracing::warn!(%error, "the data folder cannot be locked");
                    return Ok(Self { path: path.to_owned(), _lock: None });
                }
            }
        }
    }

    /// Returns the path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Returns the data folder, given the roaming and the local folder of the system. The data of a user stays on the
/// computer.
#[must_use]
pub fn place(roaming: &Path, local: &Path) -> PathBuf {
    match roaming == local {
        true => local.to_owned(),
        // On Windows, the web view keeps its own files in the folder above.
        false => local.join("data"),
    }
}

/// Returns the folder on this computer that exports of the practice site go to.
#[must_use]
pub fn practice_exports(data_folder: &Path) -> PathBuf {
    data_folder.join("practice-exports")
}
