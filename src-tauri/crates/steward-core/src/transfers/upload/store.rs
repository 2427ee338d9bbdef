//! What is known of uploads that are not complete, so that they can go on after a restart.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use super::{UnfinishedUpload, UploadId};
use crate::files;
use crate::model::ids::{ServerId, SiteId};
use crate::model::numbers::Bytes;
use crate::sites::Site;

/// An upload in parts that was begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unfinished {
    /// The site it goes to.
    pub site: SiteId,
    /// The server of the site that it goes to; not known of what an earlier version of this program began.
    #[serde(default)]
    pub server: Option<ServerId>,
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
            Some(Ok(begun)) => sensible(begun),
            Some(Err(error)) => {
                tracing::warn!(%error, "the uploads that were begun cannot be read");
                Vec::new()
            }
            None => Vec::new(),
        };
        Self { file, begun: Mutex::new(begun) }
    }

    fn of(&self, site: &SiteId) -> Vec<Unfinished> {
        self.begun().iter().filter(|one| &one.site == site).cloned().collect()
    }

    /// Those that go to the chosen server of a site.
    pub(super) fn here(&self, site: &Site) -> Vec<Unfinished> {
        let chosen = site.server().map(|server| &server.id);
        let mut begun = self.of(&site.id);
        begun.retain(|one| one.server.is_none() || one.server.as_ref() == chosen);
        begun
    }

    pub(super) fn find(&self, site: &Site, item: &UploadId) -> Option<Unfinished> {
        self.here(site).into_iter().find(|one| &one.item == item)
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

    /// Forgets what was begun on a site that is removed.
    pub(crate) fn forget_all_of(&self, site: &SiteId) {
        let mut begun = self.begun();
        begun.retain(|one| &one.site != site);
        self.write(&begun);
    }

    /// An upload goes on without its note, if it must: it is only of use after a restart.
    fn write(&self, begun: &[Unfinished]) {
        let written = serde_json::to_vec_pretty(begun)
            .map_err(std::io::Error::other)
            .and_then(|bytes| files::write_whole(&self.file, &bytes));
        if let Err(error) = written {
            tracing::warn!(%error, "how far an upload is could not be written down");
        }
    }

    fn begun(&self) -> MutexGuard<'_, Vec<Unfinished>> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A file may be edited, or damaged and still be JSON; an upload in parts of nothing would have no end.
fn sensible(begun: Vec<Unfinished>) -> Vec<Unfinished> {
    let is_one = |one: &Unfinished| {
        let done = one.part_size.checked_mul(u64::from(one.parts));
        one.part_size > 0 && done.is_some_and(|done| done < one.length.saturating_add(one.part_size))
    };
    begun.into_iter().filter(is_one).collect()
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
            server: Some(ServerId("s".to_owned())),
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
        assert_eq!(book.find(&Site::example("a"), &upload.item), Some(upload.clone()));
        assert_eq!(book.find(&Site::example("b"), &upload.item), None);
        let mut other = Site::example("a");
        other.servers[0].id = ServerId("other".to_owned());
        assert_eq!(book.find(&other, &upload.item), None);
        assert_eq!(Unfinished { parts: 3, ..upload.clone() }.view().done, Bytes(25));

        book.forget(&upload.item);
        assert!(UploadBook::open(file.clone()).of(&site("a")).is_empty());

        UploadBook::open(file.clone()).note(&upload);
        UploadBook::open(file.clone()).forget_all_of(&site("a"));
        assert!(!std::fs::read_to_string(&file).unwrap().contains("city.agssite"), "nor its path");

        for (part_size, parts) in [(0, 0), (u64::MAX, 2), (10, 4)] {
            UploadBook::open(file.clone()).note(&Unfinished { part_size, parts, ..upload.clone() });
            assert!(UploadBook::open(file.clone()).of(&site("a")).is_empty(), "{part_size} {parts}");
        }

        std::fs::write(&file, "half a fi").unwrap();
        assert!(UploadBook::open(file).of(&site("a")).is_empty());
    }
}
