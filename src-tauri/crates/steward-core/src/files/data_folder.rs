//! The data folder of the program, which one window uses at a time, and one runner of backup plans beside it.
//!
//! [`place`] chooses the folder, and [`DataFolder::take`] locks it. The single instance of the window is per session of
//! a user. On a host with several sessions, a second process would treat the requests of the first one as lost, and
//! overwrite its files.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::open_to_append;

/// The saved sites.
pub const SITES: &str = "sites.json";

/// The history.
pub(crate) const JOURNAL: &str = "journal.db";

/// The backup plans.
pub const PLANS: &str = "plans.json";

/// Name of the file with what the components returned when they were checked last.
pub const CHECKED_FACTS: &str = "checked-facts.json";

/// Last check of each site whether it is back. The window writes it.
pub const SITE_PROOFS: &str = "site-proofs.json";

/// Name of the database of snapshots.
pub const CHANGES: &str = "changes.db";

/// The file that is locked while the window is open.
const LOCK: &str = "in-use.lock";

/// The file that is locked while the runner of backup plans runs.
const RUNNER_LOCK: &str = "runner.lock";

/// The file that is locked while overdue plans are reported beside a runner that might hang.
const BESIDE_LOCK: &str = "runner-beside.lock";

/// Time to wait for the lock: a restarted program begins before the old process has ended.
const LOCK_TIMEOUT: Duration = Duration::from_secs(3);

/// Longest wait for a lock that is usually held for a moment: after that time, its holder or the disk hangs.
const MOMENT: Duration = Duration::from_secs(10);

/// Pause between two attempts to lock a file.
const PAUSE: Duration = Duration::from_millis(20);

/// Reason why a data folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataFolderError {
    /// Another process has locked it.
    #[error(
        "Site Steward is already running for you, perhaps in another session on this computer. Two copies would overwrite \
         each other's data in {path}. Close the other one, and start this one again."
    )]
    InUse {
        /// Path of the folder.
        path: PathBuf,
    },
    /// The folder or its lock file cannot be created.
    #[error("the data folder {path} cannot be used")]
    Unusable {
        /// Path of the folder.
        path: PathBuf,
        /// Error of the system.
        #[source]
        source: std::io::Error,
    },
}

/// A data folder that is locked for this process.
pub struct DataFolder {
    path: PathBuf,
    _lock: HeldLock,
}

impl DataFolder {
    /// Locks a folder for this process. Creates it if it does not exist. Only its owner can use it and what it contains.
    ///
    /// # Errors
    /// - [`DataFolderError::Unusable`] if the folder or its lock file cannot be created.
    /// - [`DataFolderError::InUse`] if another process has locked it for more than 3 seconds.
    pub fn take(path: &Path) -> Result<Self, DataFolderError> {
        Self::take_as(path, LOCK, make_private)
    }

    /// Locks a folder for the runner of backup plans, beside the window.
    ///
    /// # Errors
    /// - [`DataFolderError::Unusable`] if the folder or its lock file cannot be created.
    /// - [`DataFolderError::InUse`] if another runner has locked it for more than 3 seconds. The window, too, holds
    ///   this lock for a moment when it starts; without the wait, a runner would take the window for another runner,
    ///   and end.
    pub fn take_for_runner(path: &Path) -> Result<Self, DataFolderError> {
        // Close only the folder, so that other users cannot enter it. The window closes the files inside; a runner
        // starts too often for that.
        Self::take_as(path, RUNNER_LOCK, make_folder_private)
    }

    /// Locks a folder for a start of the runner while another runner uses it.
    ///
    /// # Errors
    /// - [`DataFolderError::Unusable`] if the lock file cannot be created.
    /// - [`DataFolderError::InUse`] if another such start has locked it.
    pub fn take_beside_runner(path: &Path) -> Result<Self, DataFolderError> {
        Self::lock(path, BESIDE_LOCK, Duration::ZERO)
    }

    /// Returns the lock of the runner if no runner uses a folder; none begins while it is held. Opens no other file,
    /// because the window calls this every other second.
    pub fn without_runner(path: &Path) -> Option<Self> {
        Self::lock(path, RUNNER_LOCK, Duration::ZERO).ok()
    }

    fn take_as(path: &Path, lock: &str, close: fn(&Path)) -> Result<Self, DataFolderError> {
        let cannot = |source| DataFolderError::Unusable { path: path.to_owned(), source };
        create_private(path).map_err(cannot)?;
        close(path);
        Self::lock(path, lock, LOCK_TIMEOUT)
    }

    fn lock(path: &Path, lock: &str, timeout: Duration) -> Result<Self, DataFolderError> {
        let cannot = |source| DataFolderError::Unusable { path: path.to_owned(), source };
        let lock = path.join(lock);
        let file = open_lock(&lock).map_err(cannot)?;
        match lock_within(file, timeout) {
            Some(_lock) => Ok(Self { path: path.to_owned(), _lock }),
            None => Err(DataFolderError::InUse { path: path.to_owned() }),
        }
    }

    /// Returns the path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Moves what occupies the path of a file or folder of the app and does not belong there, such as a broken link.
/// Otherwise, backup plans might never run, and no alert could be sent.
///
/// # Errors
/// The error of the system.
pub(crate) fn make_room(path: &Path, belongs: fn(&Path) -> bool) -> std::io::Result<()> {
    if belongs(path) || path.symlink_metadata().is_err() {
        return Ok(());
    }
    let mut moved = path.as_os_str().to_owned();
    moved.push(".moved");
    std::fs::rename(path, moved)
}

/// Locks a file on which others hold a lock only for a moment, and waits up to 10 seconds for them.
///
/// # Errors
/// An error of the disk: the file or its folder cannot be created. [`ErrorKind::TimedOut`] if another process holds the lock.
pub fn wait_for_lock(path: &Path) -> std::io::Result<HeldLock> {
    create_private(super::temporary::folder_of(path))?;
    let file = open_lock(path)?;
    let held = || {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        std::io::Error::new(ErrorKind::TimedOut, format!("another process keeps the file {name} locked"))
    };
    lock_within(file, MOMENT).ok_or_else(held)
}

/// Opens a lock file. Anything else at its path is moved, because it must not prevent the work that requires the lock.
fn open_lock(path: &Path) -> std::io::Result<File> {
    make_room(path, Path::is_file)?;
    open_to_append(path)
}

/// Locks a file; `None` if another process has it locked for longer than `timeout`.
fn lock_within(file: File, timeout: Duration) -> Option<HeldLock> {
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Some(HeldLock(Some(file))),
            Err(TryLockError::WouldBlock) if begun.elapsed() < timeout => std::thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => return None,
            Err(TryLockError::Error(error)) => {
                tracing::warn!(%error, "a file cannot be locked");
                return Some(HeldLock(None));
            }
        }
    }
}

/// A locked file. The lock ends when it is dropped, or when the process ends. `None` on a file system without locks, such as
/// some network shares.
#[must_use]
pub struct HeldLock(Option<File>);

impl Drop for HeldLock {
    fn drop(&mut self) {
        // A process that is just being started has a copy of the open file until it runs its own program. If the file were
        // only closed, it would be locked until then, and what needs the lock next would fail.
        if let Some(Err(error)) = self.0.as_ref().map(File::unlock) {
            tracing::warn!(%error, "a file cannot be unlocked");
        }
    }
}

/// Locks a file; `None` if another process has it locked.
///
/// # Errors
/// An error of the disk: the file cannot be created.
pub(crate) fn try_lock(path: &Path) -> std::io::Result<Option<HeldLock>> {
    Ok(lock_within(open_lock(path)?, Duration::ZERO))
}

/// Creates a folder, for its owner only. On Windows, the folder gets the permissions of the one that it is in: in a
/// profile, only its user and administrators have access.
///
/// # Errors
/// The error of the system.
pub fn create_private(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Removes the permissions of others from a folder and everything in it: another user could lock the lock file. Folders
/// inside get back the permissions of their owner, because one that cannot be listed would look empty. A failure is
/// only logged: the folder might belong to another user, who shares it.
#[cfg(unix)]
fn make_private(path: &Path) {
    // The data folder itself can be a link to another disk. Links in it are not followed.
    let mut waiting = vec![(path.to_owned(), std::fs::metadata(path))];
    while let Some((inside, known)) = waiting.pop() {
        let narrowed = known.and_then(|known| {
            if known.is_symlink() {
                return Ok(());
            }
            narrow(&inside, &known, inside != path)?;
            if known.is_dir() {
                let below = std::fs::read_dir(&inside)?.flatten().map(|entry| entry.path());
                waiting.extend(below.map(|below| (below.clone(), std::fs::symlink_metadata(&below))));
            }
            Ok(())
        });
        log_unless(narrowed, &inside);
    }
}

/// Removes the permissions of others from a folder, and restores those of the owner on the folders in it. A failure is
/// only logged.
#[cfg(unix)]
fn make_folder_private(path: &Path) {
    log_unless(std::fs::metadata(path).and_then(|known| narrow(path, &known, false)), path);
    for inside in std::fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()) {
        let known = std::fs::symlink_metadata(&inside);
        let narrowed =
            known.and_then(|known| if known.is_dir() { narrow(&inside, &known, true) } else { Ok(()) });
        log_unless(narrowed, &inside);
    }
}

#[cfg(unix)]
fn narrow(path: &Path, known: &std::fs::Metadata, is_inside: bool) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mut permissions = known.permissions();
    let own = if known.is_dir() && is_inside { 0o700 } else { permissions.mode() & 0o700 };
    if permissions.mode() & 0o777 == own {
        return Ok(());
    }
    permissions.set_mode(own);
    std::fs::set_permissions(path, permissions)
}

#[cfg(unix)]
fn log_unless(narrowed: std::io::Result<()>, path: &Path) {
    if let Err(error) = narrowed {
        tracing::warn!(%error, path = %path.display(), "others can use a file of the program");
    }
}

/// The profile of a user is theirs alone: what is created in it inherits its permissions.
#[cfg(not(unix))]
fn make_private(_: &Path) {}

#[cfg(not(unix))]
fn make_folder_private(_: &Path) {}

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

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_new_data_folder_and_its_lock_are_for_their_owner_only() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("new/data");

        let _held = DataFolder::take(&data).unwrap();

        assert_eq!((mode(&data), mode(&data.join(LOCK))), (0o700, 0o600));
    }

    #[test]
    fn a_runner_waits_for_a_window_that_starts() {
        let data = tempfile::tempdir().unwrap();
        let held = DataFolder::without_runner(data.path()).unwrap();
        assert!(DataFolder::without_runner(data.path()).is_none());
        let starting = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            drop(held);
        });
        assert!(DataFolder::take_for_runner(data.path()).is_ok());
        starting.join().unwrap();
    }

    #[test]
    fn a_runner_closes_the_data_folder_and_leaves_what_is_in_it_to_the_window() {
        let data = tempfile::tempdir().unwrap();
        let inside = data.path().join("sites.json");
        std::fs::write(&inside, "").unwrap();
        for (path, open) in [(data.path(), 0o755), (inside.as_path(), 0o644)] {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(open)).unwrap();
        }

        let _held = DataFolder::take_for_runner(data.path()).unwrap();

        assert_eq!((mode(data.path()), mode(&inside)), (0o700, 0o644));
    }

    #[test]
    fn a_folder_in_the_data_folder_that_its_owner_cannot_list_gets_back_the_permissions() {
        let data = tempfile::tempdir().unwrap();
        for (name, closed) in [("known-files", 0o000), ("unsaved-invitations", 0o300), ("copies", 0o577)] {
            std::fs::create_dir(data.path().join(name)).unwrap();
            std::fs::set_permissions(data.path().join(name), std::fs::Permissions::from_mode(closed))
                .unwrap();
        }

        let _held = DataFolder::take(data.path()).unwrap();

        for name in ["known-files", "unsaved-invitations", "copies"] {
            assert_eq!(mode(&data.path().join(name)), 0o700, "{name}");
        }
    }

    #[test]
    fn a_lock_ends_at_once_although_a_process_that_is_being_started_has_a_copy_of_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.lock");
        let held = wait_for_lock(&path).unwrap();
        let _copy = held.0.as_ref().unwrap().try_clone().unwrap();
        assert!(try_lock(&path).unwrap().is_none());

        drop(held);

        assert!(try_lock(&path).unwrap().is_some());
    }

    #[test]
    fn what_is_in_the_place_of_a_lock_is_moved() {
        let data = tempfile::tempdir().unwrap();
        for (lock, is_folder) in [("a.lock", true), ("b.lock", false)] {
            let lock = data.path().join(lock);
            match is_folder {
                true => std::fs::create_dir(&lock).unwrap(),
                false => assert!(std::process::Command::new("mkfifo").arg(&lock).status().unwrap().success()),
            }
            let held = if is_folder { try_lock(&lock).map(drop) } else { wait_for_lock(&lock).map(drop) };
            held.unwrap();
            assert!(lock.is_file());
        }
    }

    #[test]
    fn a_data_folder_that_others_could_use_is_closed_with_all_that_is_in_it() {
        let data = tempfile::tempdir().unwrap();
        let outside = tempfile::NamedTempFile::new().unwrap();
        std::fs::create_dir_all(data.path().join("practice/portal")).unwrap();
        for (name, open) in [("sites.json", 0o644), ("practice/portal/x.db", 0o666), ("kept.part", 0o444)] {
            std::fs::write(data.path().join(name), name).unwrap();
            std::fs::set_permissions(data.path().join(name), std::fs::Permissions::from_mode(open)).unwrap();
        }
        for folder in ["", "practice", "practice/portal"] {
            std::fs::set_permissions(data.path().join(folder), std::fs::Permissions::from_mode(0o755))
                .unwrap();
        }
        std::fs::set_permissions(outside.path(), std::fs::Permissions::from_mode(0o644)).unwrap();
        std::os::unix::fs::symlink(outside.path(), data.path().join("link")).unwrap();

        let _held = DataFolder::take(data.path()).unwrap();

        for (name, closed) in [
            ("", 0o700),
            ("practice", 0o700),
            ("practice/portal", 0o700),
            ("sites.json", 0o600),
            ("practice/portal/x.db", 0o600),
            ("kept.part", 0o400),
        ] {
            assert_eq!(mode(&data.path().join(name)), closed, "{name}");
        }
        assert_eq!(mode(outside.path()), 0o644, "what a link leads to is not the program's");
    }
}
