//! What is known of uploads that are not complete, so that they can go on after a restart.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use super::{UnfinishedUpload, UploadId};
use crate::saving;
use crate::sites::SiteId;
use crate::views::numbers::Bytes;

/// An upload in parts that was begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unfinished {
    /// The site it goes to.
    pub site: SiteId,
    /// What the server knows it by.
    pub item: UploadId,
    /// The file on this computer.
    pub path: PathBuf,
    /// Its length in bytes.
    pub length: u64,
    /// When it was changed last, in nanoseconds since 1970.
    pub modified: i128,
    /// Bytes in a part.
    pub part_size: u64,
    /// How many parts, from the first on, the server has.
    pub parts: u32,
}

impl Unfinished {
    pub(super) fn view(&self) -> UnfinishedUpload {
        let done = (self.part_size * u64::from(self.parts)).min(self.length);
        UnfinishedUpload {
            item: self.item.clone(),
            path: self.path.display().to_string(),
            size: Bytes(self.length),
            done: Bytes(done),
        }
    }
}

/// The uploads that were begun, kept in a file that only this person can read.
pub struct UploadBook {
    file: PathBuf,
    begun: Mutex<Vec<Unfinished>>,
}

impl UploadBook {
    /// Reads what was begun. A file that cannot be read costs the convenience of going on, and nothing else.
    #[must_use]
    pub fn open(file: PathBuf) -> Self {
        let read = std::fs::read(&file).ok().map(|bytes| serde_json::from_slice(&bytes));
        let begun = match read {
            Some(Ok(begun)) => begun,
            Some(Err(error)) => {
                tracing::warn!(%error, "the uploads that were begun cannot be read");
                Vec::new()
            }
            None => Vec::new(),
        };
        Self { file, begun: Mutex::new(begun) }
    }

    pub(super) fn of(&self, site: &SiteId) -> Vec<Unfinished> {
        self.begun().iter().filter(|one| &one.site == site).cloned().collect()
    }

    pub(super) fn find(&self, site: &SiteId, item: &UploadId) -> Option<Unfinished> {
        self.begun().iter().find(|one| &one.site == site && &one.item == item).cloned()
    }

    /// Keeps how far an upload is.
    pub(super) fn note(&self, upload: &Unfinished) {
        let mut begun = self.begun();
        begun.retain(|one| one.item != upload.item);
        begun.push(upload.clone());
        self.write(&begun);
    }

    pub(super) fn forget(&self, item: &UploadId) {
        let mut begun = self.begun();
        begun.retain(|one| &one.item != item);
        self.write(&begun);
    }

    /// An upload goes on without its note, if it must: it is only of use after a restart.
    fn write(&self, begun: &[Unfinished]) {
        let written = serde_json::to_vec_pretty(begun)
            .map_err(std::io::Error::other)
            .and_then(|bytes| saving::write_whole(&self.file, &bytes));
        if let Err(error) = written {
            tracing::warn!(%error, "how far an upload is could not be written down");
        }
    }

    fn begun(&self) -> MutexGuard<'_, Vec<Unfinished>> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_begun_is_known_after_a_restart_and_to_its_own_site_only() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("uploads.json");
        let site = |name: &str| SiteId(name.to_owned());
        let upload = Unfinished {
            site: site("a"),
            item: UploadId("i1".to_owned()),
            path: "/home/sam/city.agssite".into(),
            length: 25,
            modified: 1_700_000_000_123_456_789,
            part_size: 10,
            parts: 2,
        };
        UploadBook::open(file.clone()).note(&Unfinished { parts: 1, ..upload.clone() });
        UploadBook::open(file.clone()).note(&upload);

        let book = UploadBook::open(file.clone());
        assert_eq!(book.of(&site("a")), std::slice::from_ref(&upload));
        assert_eq!(book.find(&site("b"), &upload.item), None);
        assert_eq!(Unfinished { parts: 3, ..upload.clone() }.view().done, Bytes(25));

        book.forget(&upload.item);
        assert!(UploadBook::open(file.clone()).of(&site("a")).is_empty());

        std::fs::write(&file, "half a fi").unwrap();
        assert!(UploadBook::open(file).of(&site("a")).is_empty());
    }
}
