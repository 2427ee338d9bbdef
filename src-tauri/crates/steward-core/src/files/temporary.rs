//! Temporary files in the folder of their destination.
//!
//! [`beside`] creates one, and [`put_in_place`] renames it once it is complete.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::{NamedTempFile, PersistError};

use super::flush::{flush, is_rejected};

/// Prefix of the names of temporary files.
const PREFIX: &str = ".site-steward-";
const SUFFIX: &str = ".part";

/// Age of a temporary file after which it might be one that a killed process left behind. A file that is younger might
/// not be locked yet.
const LEFT_BEHIND: Duration = Duration::from_secs(24 * 60 * 60);

/// Pauses between the attempts to rename a complete file. On Windows, a file that a virus scanner or another program
/// has open cannot be renamed or replaced; elsewhere, a share can be away for a moment.
const PAUSES: [Duration; 5] = [
    Duration::from_millis(100),
    Duration::from_millis(200),
    Duration::from_millis(400),
    Duration::from_millis(800),
    Duration::from_millis(1600),
];

/// Creates a temporary file in the folder of `path`, readable by the user only.
///
/// It is deleted when it is dropped, and locked until then. Temporary files of processes that were killed are deleted here:
/// those that are old and that no process has locked. The age alone does not show it, because a clock can jump while
/// another process writes.
pub(super) fn beside(path: &Path) -> std::io::Result<NamedTempFile> {
    let folder = folder_of(path);
    let file = tempfile::Builder::new().prefix(PREFIX).suffix(SUFFIX).tempfile_in(folder)?;
    // Not every file system supports locks. Nothing is deleted there.
    let _ = file.as_file().try_lock();
    clean_up(folder);
    Ok(file)
}

/// Renames a complete file to `path`, and replaces an existing file. Tries again for 3 seconds.
pub(super) fn put_in_place(file: NamedTempFile, path: &Path) -> Result<(), PersistError> {
    persistently(file, |file| file.persist(path), std::thread::sleep)?;
    keep_name(path);
    Ok(())
}

/// Renames a complete file to `path`, unless that exists. Tries again for 3 seconds.
pub(super) fn put_in_free_place(file: NamedTempFile, path: &Path) -> Result<(), PersistError> {
    match persistently(file, |file| file.persist_noclobber(path), std::thread::sleep) {
        Err(rejected) if is_rejected(&rejected.error) => put_in_reserved_place(rejected.file, path)?,
        renamed => renamed?,
    }
    keep_name(path);
    Ok(())
}

/// Keeps a complete file that could not be renamed, and returns its path. It is read-only, which tells it from a file
/// that a killed process left behind.
pub(super) fn keep(mut file: NamedTempFile) -> PathBuf {
    file.disable_cleanup(true);
    let read_only = file.as_file().metadata().and_then(|about| {
        let mut permissions = about.permissions();
        permissions.set_readonly(true);
        file.as_file().set_permissions(permissions)
    });
    if let Err(error) = read_only {
        tracing::warn!(%error, "a file that is kept could not be made read-only");
    }
    file.path().to_owned()
}

/// Renames a file with `rename`, and tries again after each pause.
fn persistently(
    mut file: NamedTempFile,
    rename: impl Fn(NamedTempFile) -> Result<File, PersistError>,
    mut pause: impl FnMut(Duration),
) -> Result<(), PersistError> {
    for time in PAUSES {
        match rename(file) {
            Err(rejected) if may_pass(&rejected.error) => file = rejected.file,
            end => return end.map(drop),
        }
        pause(time);
    }
    rename(file).map(drop)
}

/// Returns whether another attempt can succeed: not if the name is taken, or the file system does not support the call.
fn may_pass(error: &std::io::Error) -> bool {
    !matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::IsADirectory) && !is_rejected(error)
}

/// Creates `path` first and then replaces it, for network shares on macOS, which reject a rename that must not replace.
///
/// If the app is killed between the two, an empty file is left.
fn put_in_reserved_place(file: NamedTempFile, path: &Path) -> Result<(), PersistError> {
    if let Err(error) = std::fs::File::create_new(path) {
        return Err(PersistError { error, file });
    }
    file.persist(path).map(drop).inspect_err(|_| {
        let _ = std::fs::remove_file(path);
    })
}

/// Syncs the folder of a new file, so that its name survives a power failure.
///
/// A failure is logged only: the file exists, and a folder without read permission cannot be synced. Windows does not
/// support this.
pub fn keep_name(path: &Path) {
    let synchronise = || flush(&std::fs::File::open(folder_of(path))?);
    if cfg!(unix)
        && let Err(error) = synchronise()
    {
        tracing::warn!(%error, "a folder was not synchronised");
    }
}

pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Deletes temporary files of processes that have ended, in a folder where no other process writes. Errors are ignored.
pub fn remove_left_behind(folder: &Path) {
    remove_older(folder, Duration::ZERO);
}

/// Deletes temporary files that are left over. Errors are ignored.
fn clean_up(folder: &Path) {
    remove_older(folder, LEFT_BEHIND);
}

/// Deletes temporary files that are older than `than` and not locked by a process. Zero means any age.
fn remove_older(folder: &Path, than: Duration) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // Do not follow links: they might lead to a file of the user.
        let Ok(about) = entry.metadata() else { continue };
        let is_kept = about.permissions().readonly();
        // SQLite keeps these files beside the copy of a database that it is writing.
        let is_beside = |part: &str| part.ends_with(SUFFIX) && !folder.join(part).exists();
        let of_copy = ["-journal", "-wal", "-shm"].into_iter().find_map(|end| name.strip_suffix(end));
        let is_left_of_ours = name.ends_with(SUFFIX) || of_copy.is_some_and(is_beside);
        let is_ours = name.starts_with(PREFIX) && is_left_of_ours && about.is_file() && !is_kept;
        let age = about.modified().ok().and_then(|then| SystemTime::now().duration_since(then).ok());
        let is_old = than.is_zero() || age.is_some_and(|age| age > than);
        let is_left = || {
            let file = File::options().read(true).write(true).open(entry.path());
            file.is_ok_and(|file| file.try_lock().is_ok())
        };
        if is_ours && is_old && is_left() {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_renamed_at_first_is_renamed_after_a_pause_or_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (share, away) = (folder.path().join("share"), folder.path().join("away"));
        let path = share.join("city.agssite");
        let new = || {
            std::fs::create_dir_all(&share).unwrap();
            std::fs::write(&path, "before").unwrap();
            let file = beside(&path).unwrap();
            std::fs::write(file.path(), "complete").unwrap();
            std::fs::rename(&share, &away).unwrap();
            file
        };

        for replacing in [true, false] {
            let mut pauses = 0;
            let comes_back = |_| {
                pauses += 1;
                if pauses == 3 {
                    std::fs::rename(&away, &share).unwrap();
                    if !replacing {
                        std::fs::remove_file(&path).unwrap();
                    }
                }
            };
            let renamed = match replacing {
                true => persistently(new(), |file| file.persist(&path), comes_back),
                false => persistently(new(), |file| file.persist_noclobber(&path), comes_back),
            };

            assert!(renamed.is_ok(), "{renamed:?}");
            assert_eq!(pauses, 3);
            assert_eq!(std::fs::read_to_string(&path).unwrap(), "complete");
            assert_eq!(std::fs::read_dir(&share).unwrap().count(), 1, "no temporary file is left");
        }

        let mut paused = Duration::ZERO;
        let rejected = persistently(new(), |file| file.persist(&path), |time| paused += time).unwrap_err();
        assert!(paused > Duration::from_secs(3), "{paused:?}");
        std::fs::rename(&away, &share).unwrap();
        let kept = keep(rejected.file);
        assert_eq!(std::fs::read_to_string(kept).unwrap(), "complete");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "before");
    }

    #[test]
    fn a_name_that_is_taken_is_tried_once() {
        let folder = tempfile::tempdir().unwrap();
        let (of_a_file, of_a_folder) = (folder.path().join("file"), folder.path().join("folder"));
        std::fs::write(&of_a_file, "theirs").unwrap();
        std::fs::create_dir(&of_a_folder).unwrap();
        let once = |_| panic!("tried again");

        let file = beside(&of_a_file).unwrap();
        let file = persistently(file, |file| file.persist_noclobber(&of_a_file), once).unwrap_err().file;
        // Windows does not tell a folder from a file that is open.
        if cfg!(unix) {
            assert!(persistently(file, |file| file.persist(&of_a_folder), once).is_err());
        }
    }

    #[test]
    fn a_place_that_is_reserved_first_takes_the_file_and_one_that_is_taken_keeps_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let (free, taken) = (folder.path().join("free.invite"), folder.path().join("taken.invite"));
        std::fs::write(&taken, "kept").unwrap();
        let new = || {
            let file = beside(&free).unwrap();
            std::fs::write(file.path(), "new").unwrap();
            file
        };

        put_in_reserved_place(new(), &free).unwrap();
        let rejected = put_in_reserved_place(new(), &taken).unwrap_err();

        assert_eq!(rejected.error.kind(), std::io::ErrorKind::AlreadyExists);
        drop(rejected);
        assert_eq!(std::fs::read_to_string(free).unwrap(), "new");
        assert_eq!(std::fs::read_to_string(taken).unwrap(), "kept");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "no temporary file is left");
    }

    #[test]
    fn a_clock_that_jumps_deletes_no_file_that_is_being_written() {
        let folder = tempfile::tempdir().unwrap();
        let mut written = beside(&folder.path().join("city.agssite")).unwrap();
        std::io::Write::write_all(&mut written, b"half").unwrap();
        written.as_file().set_modified(SystemTime::now() - 2 * LEFT_BEHIND).unwrap();

        drop(beside(&folder.path().join("other.agssite")).unwrap());

        assert!(written.path().exists());
        put_in_place(written, &folder.path().join("city.agssite")).unwrap();
        assert_eq!(std::fs::read_to_string(folder.path().join("city.agssite")).unwrap(), "half");
    }

    #[test]
    fn what_a_killed_program_left_is_removed_after_a_day_and_nothing_else_is() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let two_days_ago = SystemTime::now() - 2 * LEFT_BEHIND;
        for (name, time) in [
            (".site-steward-old.part", two_days_ago),
            (".site-steward-new.part", SystemTime::now()),
            (".somebody-else.part", two_days_ago),
            (".site-steward-notes", two_days_ago),
            (".site-steward-cut-off.part-journal", two_days_ago),
            (".site-steward-cut-off.part-wal", two_days_ago),
            (".site-steward-cut-off.part-shm", two_days_ago),
            (".site-steward-new.part-journal", two_days_ago),
        ] {
            std::fs::File::create(at(name)).unwrap().set_modified(time).unwrap();
        }
        let complete = beside(&at("city.agssite")).unwrap();
        complete.as_file().set_modified(two_days_ago).unwrap();
        let kept = keep(complete);
        std::fs::create_dir(at(".site-steward-folder.part")).unwrap();

        let file = beside(&at("export.agssite")).unwrap();

        let is_there = |name: &str| at(name).exists();
        assert!(!is_there(".site-steward-old.part"));
        for end in ["journal", "wal", "shm"] {
            assert!(
                !is_there(&format!(".site-steward-cut-off.part-{end}")),
                "{end} of a copy that was cut off"
            );
        }
        assert!(is_there(".site-steward-new.part-journal"), "SQLite might need it");
        assert!(is_there(".site-steward-new.part"), "a transfer of another window may be under way");
        assert!(is_there(".somebody-else.part") && is_there(".site-steward-notes"));
        assert!(is_there(".site-steward-folder.part"));
        assert!(kept.exists(), "a complete file that could not be renamed");
        assert!(file.path().exists());
    }
}
