//! Files and folders of the data folder that earlier versions stored under another name.
//!
//! [`file`] and [`folder`] return the path to use, and rename what is there under the old name first. A rename is
//! complete or absent, so that a crash leaves one of the two names. What is stored under the new name is never
//! overwritten.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the path of a file that was named `old`, and is named `new` since.
///
/// If the file cannot be renamed, the path with the old name is returned, and the next start tries again.
pub(crate) fn file(data_folder: &Path, old: &str, new: &str) -> PathBuf {
    let (before, now) = (data_folder.join(old), data_folder.join(new));
    if now.exists() || !before.exists() {
        return now;
    }
    match fs::rename(&before, &now) {
        Ok(()) => now,
        Err(error) => {
            tracing::warn!(%error, old, new, "cannot rename a file of an earlier version");
            before
        }
    }
}

/// Returns the path of a folder that was named `old`, and is named `new` since.
///
/// If both exist, an earlier version was used again in between: its files are moved into the new folder.
pub(crate) fn folder(data_folder: &Path, old: &str, new: &str) -> PathBuf {
    let (before, now) = (data_folder.join(old), file(data_folder, old, new));
    if now != before
        && let Ok(entries) = fs::read_dir(&before)
    {
        for entry in entries.filter_map(Result::ok) {
            file_into(&entry.path(), &now.join(entry.file_name()));
        }
        // It is kept if a file could not be moved.
        let _ = fs::remove_dir(&before);
    }
    now
}

fn file_into(from: &Path, to: &Path) {
    if to.exists() {
        return;
    }
    if let Err(error) = fs::rename(from, to) {
        tracing::warn!(%error, file = %from.display(), "cannot move a file of an earlier version");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &Path) -> String {
        fs::read_to_string(path).unwrap()
    }

    #[test]
    fn a_file_is_renamed_once_and_the_new_name_has_precedence() {
        let data = tempfile::tempdir().unwrap();
        let (old, new) = (data.path().join("old.json"), data.path().join("new.json"));
        assert_eq!(file(data.path(), "old.json", "new.json"), new);
        assert!(!new.exists(), "nothing was there");

        fs::write(&old, "before").unwrap();
        assert_eq!(file(data.path(), "old.json", "new.json"), new);
        assert_eq!((read(&new), old.exists()), ("before".to_owned(), false));

        fs::write(&old, "older").unwrap();
        assert_eq!(file(data.path(), "old.json", "new.json"), new);
        assert_eq!((read(&new), read(&old)), ("before".to_owned(), "older".to_owned()));
    }

    #[test]
    fn a_file_that_cannot_be_renamed_is_used_under_its_old_name() {
        let data = tempfile::tempdir().unwrap();
        let old = data.path().join("old.json");
        fs::write(&old, "before").unwrap();

        assert_eq!(file(data.path(), "old.json", "missing/new.json"), old);

        assert_eq!(read(&old), "before");
    }

    #[test]
    fn files_of_both_folders_are_in_the_new_one_and_none_is_overwritten() {
        let data = tempfile::tempdir().unwrap();
        let (old, new) = (data.path().join("old"), data.path().join("new"));
        for (folder, content) in [(&old, "old"), (&new, "new")] {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("both.json"), content).unwrap();
        }
        fs::write(old.join("one.json"), "old").unwrap();

        assert_eq!(folder(data.path(), "old", "new"), new);

        assert_eq!((read(&new.join("both.json")), read(&new.join("one.json"))), ("new".into(), "old".into()));
        assert_eq!(read(&old.join("both.json")), "old", "it is not deleted");
        fs::remove_file(old.join("both.json")).unwrap();
        folder(data.path(), "old", "new");
        assert!(!old.exists());
    }
}
