//! The file beside the one that is meant, until it is whole.

use std::path::Path;
use std::time::{Duration, SystemTime};

use tempfile::NamedTempFile;

/// What tells our temporary files from everybody else's.
const PREFIX: &str = ".site-steward-";
const SUFFIX: &str = ".part";

/// Whoever wrote one that is older was killed: a transfer touches its file all the time.
const LEFT_BEHIND: Duration = Duration::from_secs(24 * 60 * 60);

/// A file beside `path`, readable by this person only. It is removed when it is dropped; those of programs that
/// were killed are removed on this occasion.
pub(super) fn beside(path: &Path) -> std::io::Result<NamedTempFile> {
    let folder = folder_of(path);
    let file = tempfile::Builder::new().prefix(PREFIX).suffix(SUFFIX).tempfile_in(folder)?;
    clean_up(folder);
    Ok(file)
}

/// Gives a whole file its name.
pub(super) fn put_in_place(file: NamedTempFile, path: &Path) -> std::io::Result<()> {
    file.persist(path).map_err(|error| error.error)?;
    keep_name(path);
    Ok(())
}

/// The same, where no file has the name; where one has, the whole file comes back and the other stays as it is.
pub(super) fn put_in_free_place(file: NamedTempFile, path: &Path) -> Result<(), tempfile::PersistError> {
    file.persist_noclobber(path)?;
    keep_name(path);
    Ok(())
}

/// The new name itself must survive a power cut. The file is there by now: a folder that may be written to and not read
/// cannot be synchronised, which undoes nothing. Windows keeps no such promise for folders.
fn keep_name(path: &Path) {
    let synchronise = || std::fs::File::open(folder_of(path))?.sync_all();
    if cfg!(unix)
        && let Err(error) = synchronise()
    {
        tracing::warn!(%error, "a folder was not synchronised");
    }
}

pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// What cannot be read or removed stays: it is in nobody's way.
fn clean_up(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // Not through a link: it might lead to somebody's work.
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
