//! Files that a user dropped onto the window, or opened with the program.
//!
//! [`Dropped`] limits which files the page of the window can read.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

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
}
