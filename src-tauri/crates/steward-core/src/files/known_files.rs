//! Marks of the files of the data folder that were written once. A missing file with a mark was lost; without a mark,
//! it was never written.
//!
//! Each mark is an empty file in [`FOLDER`]. Only its existence counts, so that it cannot be damaged or misread.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::data_folder::{create_private, make_room};
use super::open_to_append;
use super::temporary::folder_of;

/// Folder of the marks, beside the files.
pub(crate) const FOLDER: &str = "known-files";

/// Marks a file as written. A failure is only logged: then its loss is not noticed.
pub(crate) fn note(file: &Path) {
    let mark = mark_of(file);
    let folder = folder_of(&mark);
    if can_be_listed(folder) && is_there(&mark) {
        return;
    }
    let add = || create_private(folder).and_then(|()| open_to_append(&mark)).map(drop);
    // A file in place of the folder would hide each later loss; a folder that cannot be listed would make each file a
    // lost one.
    let is_of_another =
        |error: ErrorKind| matches!(error, ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem);
    let noted = make_room(folder, can_be_listed).and_then(|()| match add() {
        Err(error) if is_of_another(error.kind()) => take_over(folder).and_then(|()| add()),
        added => added,
    });
    if let Err(error) = noted {
        tracing::warn!(%error, file = %file.display(), "that a file was written could not be noted");
    }
}

fn can_be_listed(folder: &Path) -> bool {
    folder.read_dir().is_ok()
}

/// Moves a folder that another account owns, and marks the same files in a new one.
fn take_over(folder: &Path) -> std::io::Result<()> {
    let marks: Vec<_> = folder.read_dir()?.flatten().map(|entry| folder.join(entry.file_name())).collect();
    make_room(folder, |_| false)?;
    create_private(folder)?;
    marks.iter().try_for_each(|mark| open_to_append(mark).map(drop))
}

/// Returns whether a file was written once.
pub(crate) fn is_known(file: &Path) -> bool {
    is_there(&mark_of(file))
}

/// Returns whether a file is missing although it was written once.
pub(crate) fn is_lost(file: &Path) -> bool {
    // A broken link counts as missing.
    is_known(file) && matches!(file.metadata(), Err(error) if error.kind() == ErrorKind::NotFound)
}

/// Removes the mark of a file, which then counts as never written.
///
/// # Errors
/// An error of the disk.
pub(crate) fn forget(file: &Path) -> std::io::Result<()> {
    let mark = mark_of(file);
    // A folder might have been put in its place.
    let removed = if mark.is_dir() { std::fs::remove_dir_all(&mark) } else { std::fs::remove_file(&mark) };
    match removed {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn mark_of(file: &Path) -> PathBuf {
    folder_of(file).join(FOLDER).join(file.file_name().unwrap_or_default())
}

/// Returns whether a mark exists, also if that cannot be determined: otherwise, a lost file would look like one that
/// was never written.
fn is_there(path: &Path) -> bool {
    let gone = [ErrorKind::NotFound, ErrorKind::NotADirectory];
    !matches!(path.symlink_metadata(), Err(error) if gone.contains(&error.kind()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_written_once_and_is_gone_is_lost_until_it_is_forgotten() {
        let data = tempfile::tempdir().unwrap();
        let file = data.path().join("plans.json");
        assert!(!is_known(&file) && !is_lost(&file), "a new data folder");

        std::fs::write(&file, "[]").unwrap();
        note(&file);
        assert!(is_known(&file) && !is_lost(&file));
        std::fs::remove_file(&file).unwrap();
        assert!(is_lost(&file));
        forget(&file).unwrap();
        assert!(!is_lost(&file));
    }

    #[test]
    fn a_file_in_the_place_of_the_folder_of_the_marks_is_moved() {
        let data = tempfile::tempdir().unwrap();
        let file = data.path().join("plans.json");
        std::fs::write(data.path().join(FOLDER), "").unwrap();

        note(&file);

        assert!(is_lost(&file));
    }

    #[test]
    #[cfg(unix)]
    fn a_folder_of_the_marks_that_cannot_be_read_is_moved() {
        let data = tempfile::tempdir().unwrap();
        let (file, never) = (data.path().join("plans.json"), data.path().join("alerts.json"));
        std::os::unix::fs::symlink(FOLDER, data.path().join(FOLDER)).unwrap();
        assert!(is_lost(&never), "that is not known");

        note(&file);

        assert!(is_lost(&file) && !is_lost(&never));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_folder_of_the_marks_that_another_account_owns_is_moved_and_what_it_marks_is_still_known() {
        let data = tempfile::tempdir().unwrap();
        let of_system = Path::new("/sys/kernel");
        let marked = of_system.read_dir().unwrap().next().unwrap().unwrap().file_name();
        std::os::unix::fs::symlink(of_system, data.path().join(FOLDER)).unwrap();
        let file = data.path().join("plans.json");

        note(&file);

        assert!(is_lost(&file) && is_lost(&data.path().join(marked)));
    }

    #[test]
    fn whatever_takes_the_place_of_a_mark_is_still_the_mark() {
        let data = tempfile::tempdir().unwrap();
        let file = data.path().join("plans.json");
        let mark = data.path().join(FOLDER).join("plans.json");
        std::fs::create_dir_all(&mark).unwrap();
        assert!(is_lost(&file), "a folder");
        forget(&file).unwrap();
        std::fs::write(&mark, [0; 100]).unwrap();
        assert!(is_lost(&file), "other content");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("nowhere", &file).unwrap();
            assert!(is_lost(&file), "a link that leads nowhere");
        }
    }
}
