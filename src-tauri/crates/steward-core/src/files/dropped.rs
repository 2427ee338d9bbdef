//! Files that a user dropped onto the window, or opened with the program.
//!
//! [`usable`] returns the use of a file, and [`Dropped`] limits which files the page of the window can read.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

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
    /// A portal export, which cannot be used here. The window explains this.
    PortalFile,
    /// An invitation, which cannot be used here either.
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
    // A path that is not valid Unicode cannot be returned by the window.
    Some(DroppedFile { path: path.to_str()?.to_owned(), name, kind })
}

/// Files that were dropped or opened since the program started.
///
/// A file named by the page of the window is read only if it is in this list. Otherwise the page could read any file.
#[derive(Debug, Default)]
pub struct Dropped {
    files: Mutex<Vec<PathBuf>>,
}

impl Dropped {
    /// Returns whether the user dropped or opened this file.
    #[must_use]
    pub fn knows(&self, path: &Path) -> bool {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).iter().any(|known| known == path)
    }

    /// Adds a file that the user dropped or opened.
    pub fn remember(&self, path: &Path) {
        if !self.knows(path) {
            self.files.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_dropped_is_known() {
        let dropped = Dropped::default();
        dropped.remember(Path::new("/home/sam/contacts.csv"));

        assert!(dropped.knows(Path::new("/home/sam/contacts.csv")));
        assert!(!dropped.knows(Path::new("/home/sam/.ssh/id_ed25519")));
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
