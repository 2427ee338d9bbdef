//! Temporary files in the folder of their destination.
//!
//! [`beside`] creates one, and [`put_in_place`] renames it once it is complete.

use std::path::Path;
use std::time::{Duration, SystemTime};

use tempfile::{NamedTempFile, PersistError};

use super::flush::{flush, is_rejected};

/// Prefix of the names of temporary files.
const PREFIX: &str = ".site-steward-";
const SUFFIX: &str = ".part";

/// Age of a temporary file after which its process has ended: a transfer writes to its file continuously.
const LEFT_BEHIND: Duration = Duration::from_secs(24 * 60 * 60);

/// Creates a temporary file in the folder of `path`, readable by the user only.
///
/// It is deleted when it is dropped. Temporary files of processes that were killed are deleted here.
///
/// # Errors
/// The error of the system if the file cannot be created.
pub(super) fn beside(path: &Path) -> std::io::Result<NamedTempFile> {
    let folder = folder_of(path);
    let file = tempfile::Builder::new().prefix(PREFIX).suffix(SUFFIX).tempfile_in(folder)?;
    clean_up(folder);
    Ok(file)
}

/// Renames a complete file to `path`, and replaces an existing file.
///
/// # Errors
/// The error of the system if the file cannot be renamed.
pub(super) fn put_in_place(file: NamedTempFile, path: &Path) -> std::io::Result<()> {
    file.persist(path).map_err(|error| error.error)?;
    keep_name(path);
    Ok(())
}

/// Renames a complete file to `path`, unless that exists.
///
/// # Errors
/// The error of the system, with the temporary file, if `path` exists or the file cannot be renamed.
pub(super) fn put_in_free_place(file: NamedTempFile, path: &Path) -> Result<(), PersistError> {
    match file.persist_noclobber(path) {
        Err(rejected) if is_rejected(&rejected.error) => put_in_reserved_place(rejected.file, path)?,
        renamed => drop(renamed?),
    }
    keep_name(path);
    Ok(())
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
fn keep_name(path: &Path) {
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

/// Deletes temporary files that are left over. Errors are ignored.
fn clean_up(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // Do not follow links: they might lead to a file of the user.
        let Ok(about) = entry.metadata() else { continue };
        let is_ours = name.starts_with(PREFIX) && name.ends_with(SUFFIX) && about.is_file();
        let age = about.modified().ok().and_then(|then| SystemTime::now().duration_since(then).ok());
        if is_ours && age.is_some_and(|age| age > LEFT_BEHIND) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn what_a_killed_program_left_is_removed_after_a_day_and_nothing_else_is() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let two_days_ago = SystemTime::now() - 2 * LEFT_BEHIND;
        for (name, time) in [
            (".site-steward-old.part", two_days_ago),
            (".site-steward-new.part", SystemTime::now()),
            (".somebody-else.part", two_days_ago),
            (".site-steward-notes", two_days_ago),
        ] {
            std::fs::File::create(at(name)).unwrap().set_modified(time).unwrap();
        }
        std::fs::create_dir(at(".site-steward-folder.part")).unwrap();

        let file = beside(&at("export.agssite")).unwrap();

        let is_there = |name: &str| at(name).exists();
        assert!(!is_there(".site-steward-old.part"));
        assert!(is_there(".site-steward-new.part"), "a transfer of another window may be under way");
        assert!(is_there(".somebody-else.part") && is_there(".site-steward-notes"));
        assert!(is_there(".site-steward-folder.part"));
        assert!(file.path().exists());
    }
}
