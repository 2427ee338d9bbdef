//! Files that a user dropped onto the window, or opened with the program.
//!
//! [`usable`] returns the use of a file, and [`Dropped`] limits which files the page of the window can read.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;

/// A file that was dragged onto the window, or opened with the app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DroppedFile {
    /// Path of the file.
    pub path: String,
    /// File name.
    pub name: String,
    /// Use of the file.
    pub kind: DroppedKind,
}

/// Use of a dropped file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum DroppedKind {
    /// A server export, for an import.
    SiteFile,
    /// A contacts file.
    ContactsFile,
    /// A portal export. It cannot be sent from this computer: the window explains that an import names its path on the
    /// portal.
    PortalFile,
    /// An invitation. It cannot be used in the app, and the window explains where it can.
    Invitation,
}

/// Returns the use of dragged files; `None` unless it is one file of a known type.
pub fn usable(paths: &[PathBuf]) -> Option<DroppedFile> {
    let [path] = paths else { return None };
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    let kind = match ending.as_str() {
        "agssite" => DroppedKind::SiteFile,
        "csv" => DroppedKind::ContactsFile,
        "portalsite" => DroppedKind::PortalFile,
        "invite" => DroppedKind::Invitation,
        _ => return None,
    };
    let name = path.file_name()?.to_string_lossy().into_owned();
    Some(DroppedFile { path: path.display().to_string(), name, kind })
}

/// Files that were dropped or opened since the program started.
///
/// A file named by the page of the window is read only if it is in this list. Otherwise the page could read any file.
#[derive(Debug, Default)]
pub struct Dropped {
    files: Mutex<Vec<PathBuf>>,
}

impl Dropped {
    /// Returns the file that the window shows as `shown`, if the user dropped or opened it. A path that is not Unicode
    /// is shown with replacement characters; of several with the same text, the last one counts.
    #[must_use]
    pub fn find(&self, shown: &str) -> Option<PathBuf> {
        self.files().iter().rev().find(|known| known.display().to_string() == shown).cloned()
    }

    /// Adds a file that the user dropped or opened.
    pub fn remember(&self, path: &Path) {
        let mut files = self.files();
        files.retain(|known| known != path);
        files.push(path.to_owned());
    }

    fn files(&self) -> MutexGuard<'_, Vec<PathBuf>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_dropped_is_known() {
        let dropped = Dropped::default();
        dropped.remember(Path::new("/home/sam/contacts.csv"));

        assert_eq!(dropped.find("/home/sam/contacts.csv"), Some(PathBuf::from("/home/sam/contacts.csv")));
        assert_eq!(dropped.find("/home/sam/.ssh/id_ed25519"), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_whose_name_is_not_unicode_is_found_by_what_the_window_shows() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"/home/sam/Stra\xDFen.agssite"));
        let dropped = Dropped::default();
        dropped.remember(path);

        let file = usable(&[path.to_owned()]).unwrap();

        assert_eq!(file.kind, DroppedKind::SiteFile);
        assert_eq!(dropped.find(&file.path).as_deref(), Some(path));
    }

    fn kind(names: &[&str]) -> Option<DroppedKind> {
        let paths: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
        usable(&paths).map(|file| file.kind)
    }

    #[test]
    fn one_file_of_a_known_kind_is_taken_and_nothing_else() {
        assert_eq!(kind(&["/home/sam/Nov-20.AGSSITE"]), Some(DroppedKind::SiteFile));
        assert_eq!(kind(&["/home/sam/contacts.csv"]), Some(DroppedKind::ContactsFile));
        assert_eq!(kind(&["/home/sam/Nov-20.portalsite"]), Some(DroppedKind::PortalFile));
        assert_eq!(kind(&["/home/sam/museum.invite"]), Some(DroppedKind::Invitation));
        assert_eq!(kind(&["/home/sam/a.csv", "/home/sam/b.csv"]), None);
        assert_eq!(kind(&["/home/sam/csv"]), None);
        assert_eq!(kind(&["/home/sam/report.pdf"]), None);
        assert_eq!(kind(&[]), None);
    }
}
