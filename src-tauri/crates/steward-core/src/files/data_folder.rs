//! Where this program keeps its files, and that one copy of it uses them at a time.
//!
//! The single instance of the window is one for each session of a person. On a host with several sessions, a second copy
//! would take what the first one has sent for lost, and write over what it wrote.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;

/// The file that is locked while the program runs.
const LOCK: &str = "in-use.lock";

/// A program that starts itself again waits so long for the one before to end.
const PATIENCE: Duration = Duration::from_secs(3);

/// A data folder that no other copy of the program uses.
pub struct DataFolder {
    path: PathBuf,
    /// The system unlocks it when the program ends, whatever ends it.
    _lock: Option<File>,
}

impl DataFolder {
    /// Takes a folder for this copy of the program, making it when it is not there.
    ///
    /// # Errors
    /// When it cannot be made, or another copy has it.
    pub fn take(path: &Path) -> anyhow::Result<Self> {
        let cannot = || format!("the data folder {} cannot be used", path.display());
        std::fs::create_dir_all(path).with_context(cannot)?;
        let file = File::options().create(true).append(true).open(path.join(LOCK)).with_context(cannot)?;
        let begun = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { path: path.to_owned(), _lock: Some(file) }),
                Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(50));
                }
                Err(TryLockError::WouldBlock) => anyhow::bail!(
                    "Site Steward is already running for you, perhaps in another session on this computer. Two copies \
                     would overwrite each other's data in {}. Close the other one, and start this one again.",
                    path.display()
                ),
                // Some file systems of networks know no locks; without one it is as it was before.
                Err(TryLockError::Error(error)) => {
                    tracing::warn!(%error, "the data folder cannot be locked");
                    return Ok(Self { path: path.to_owned(), _lock: None });
                }
            }
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The folder for the program's files, where the system has one that roams from computer to computer with a person and
/// one that does not. What an earlier version kept in the first is copied to the second, once, and stays
/// there for the person's other computers: without it they would begin with nothing. Where it could not be copied, it is
/// used where it is, and why is said.
#[must_use]
pub fn place(roaming: &Path, local: &Path) -> (PathBuf, Option<io::Error>) {
    if roaming == local {
        return (local.to_owned(), None);
    }
    // The web view keeps its own files in the folder above.
    let own = local.join("data");
    if own.exists() || !roaming.exists() {
        return (own, None);
    }
    match copied(roaming, &own) {
        Ok(()) => (own, None),
        Err(error) => (roaming.to_owned(), Some(error)),
    }
}

/// All of it or nothing: the folder has its new name only when it is whole.
fn copied(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::create_dir_all(to.parent().unwrap_or(to))?;
    let unfinished = to.with_extension("unfinished");
    match std::fs::remove_dir_all(&unfinished) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    copy(from, &unfinished)?;
    std::fs::rename(&unfinished, to)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::create_dir(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let there = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &there)?;
        } else {
            std::fs::copy(entry.path(), &there)?;
            File::options().write(true).open(&there)?.sync_all()?;
        }
    }
    Ok(())
}
/// Returns the folder on this computer that exports of the practice site go to.
#[must_use]
pub fn practice_exports(data_folder: &Path) -> PathBuf {
    data_folder.join("practice-exports")
}
