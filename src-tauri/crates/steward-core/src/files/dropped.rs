//! Files that a user dropped onto the window.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The files that were dropped, or opened with the program, since the program began. A file that the window names is
/// read only if it is one of these: otherwise its page could ask for any.
#[derive(Debug, Default)]
pub struct Dropped {
    files: Mutex<Vec<PathBuf>>,
}

impl Dropped {
    /// Whether a person dropped or opened this file.
    #[must_use]
    pub fn knows(&self, path: &Path) -> bool {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).iter().any(|known| known == path)
    }

    /// A person dropped or opened this file.
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
