//! Files that are opened with the app, at its start or while it is running.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use tauri::{AppHandle, Manager};
use tauri_specta::Event;

use steward_app::steward::Steward;
use steward_core::files::dropped::{DroppedFile, usable};

/// Event: a file was opened with the app. The window then requests the file with a command.
#[derive(Debug, Clone, Serialize, specta::Type, tauri_specta::Event)]
pub struct FileOpened;

/// A file that was opened with the app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct OpenedFile {
    /// File and its use; `null` if it cannot be used.
    pub file: Option<DroppedFile>,
}

/// The file that was opened and not requested yet. The page requests it, because a file named at the start is known
/// before the page is loaded.
#[derive(Debug, Default)]
pub struct Opened {
    waiting: Mutex<Option<OpenedFile>>,
}

impl Opened {
    /// Returns the file, once.
    #[must_use]
    pub fn take(&self) -> Option<OpenedFile> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn put(&self, opened: OpenedFile) {
        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = Some(opened);
    }
}

/// Handles the arguments of a start in `folder`. The first one is the program.
pub fn started_with(app: &AppHandle, words: &[impl AsRef<OsStr>], folder: &Path) {
    store(app, &named(words, folder));
}

/// Stores opened files for the window, and notifies it.
pub(super) fn store(app: &AppHandle, paths: &[PathBuf]) {
    if paths.is_empty() {
        return;
    }
    let file = usable(paths);
    if file.is_some()
        && let Some(steward) = app.try_state::<Steward>()
    {
        paths.iter().for_each(|path| steward.dialogs.dropped.remember(path));
    }
    app.state::<Opened>().put(OpenedFile { file });
    if let Err(error) = FileOpened.emit(app) {
        tracing::warn!(%error, "the window was not told of a file");
    }
}

/// Returns the files among the arguments. An argument that begins like an option is none; `./-odd.agssite` is one.
fn named(words: &[impl AsRef<OsStr>], folder: &Path) -> Vec<PathBuf> {
    let words = words.iter().skip(1).map(AsRef::as_ref);
    let files = words.filter(|word| word.as_encoded_bytes().first().is_some_and(|first| *first != b'-'));
    files.map(|file| folder.join(file)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named_by(words: &[&str]) -> Vec<PathBuf> {
        named(words, Path::new("/home/sam"))
    }

    #[test]
    fn a_start_names_files_from_where_it_happens() {
        assert_eq!(
            named_by(&["site-steward", "Nov-20.agssite"]),
            [PathBuf::from("/home/sam/Nov-20.agssite")]
        );
        assert_eq!(named_by(&["site-steward", "/srv/a.invite"]), [PathBuf::from("/srv/a.invite")]);
    }

    #[test]
    fn a_start_without_files_names_none() {
        assert!(named_by(&["site-steward"]).is_empty());
        assert!(named_by(&["/opt/a.agssite", "--verbose", ""]).is_empty());
        assert!(named_by(&[]).is_empty());
    }

    #[test]
    fn what_was_opened_is_handed_over_once_and_the_last_one_counts() {
        let opened = Opened::default();
        assert_eq!(opened.take(), None);

        opened.put(OpenedFile { file: None });
        let last = OpenedFile { file: usable(&[PathBuf::from("/home/sam/Nov-20.agssite")]) };
        opened.put(last.clone());
        assert_eq!(opened.take(), Some(last));
        assert_eq!(opened.take(), None);
    }
}
