//! Stored state of unfinished uploads, so that they can be resumed after a restart.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::result::{UnfinishedUpload, UploadId};
use crate::files::JsonStore;
use crate::model::ids::{ServerId, SiteId, Target};
use crate::model::numbers::Bytes;
use crate::sites::site_data::SiteData;

/// An unfinished upload in parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unfinished {
    /// Site that receives it.
    pub site: SiteId,
    /// Server of the site that receives it; `None` if the site has no server.
    pub server: Option<ServerId>,
    /// Identifier of the upload.
    pub item: UploadId,
    /// Path of the local file.
    #[serde(with = "any_path")]
    pub path: PathBuf,
    /// Length of the file, in bytes.
    pub length: u64,
    /// Time of the last change of the file, in nanoseconds since 1970.
    pub modified: i128,
    /// Size of a part, in bytes.
    pub part_size: u64,
    /// Number of parts that the server has received, from the first on.
    pub parts: u32,
    /// SHA-256 of their content; `None` if there are none, or an earlier version of this app sent them.
    #[serde(default)]
    pub sha256: Option<String>,
}

/// A path as text, or in the units of the system if it is not Unicode: serde rejects such a path, and the file would
/// not be written.
mod any_path {
    use std::ffi::OsString;
    use std::path::{Path, PathBuf};

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum AnyPath {
        Text(String),
        Units(OsString),
    }

    pub(super) fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        match path.to_str() {
            Some(text) => text.serialize(to),
            None => path.as_os_str().serialize(to),
        }
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<PathBuf, D::Error> {
        Ok(match AnyPath::deserialize(from)? {
            AnyPath::Text(text) => text.into(),
            AnyPath::Units(units) => units.into(),
        })
    }
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

    /// Returns the server that receives it. Two servers can choose the same identifier for an upload.
    fn target(&self) -> Target {
        Target { site: self.site.clone(), server: self.server.clone() }
    }

    fn is_to(&self, target: &Target) -> bool {
        self.target() == *target
    }

    /// Returns whether the numbers are consistent: the file might have been edited, and an upload with parts of 0 bytes
    /// would never end.
    fn is_plausible(&self) -> bool {
        let done = self.part_size.checked_mul(u64::from(self.parts));
        self.part_size > 0 && done.is_some_and(|done| done < self.length.saturating_add(self.part_size))
    }
}

/// Unfinished uploads. Without their file, they cannot be resumed after a restart.
pub struct UploadStore(JsonStore<Vec<Unfinished>>);

impl UploadStore {
    /// Reads the stored uploads.
    #[must_use]
    pub fn open(file: PathBuf) -> Self {
        Self(JsonStore::open(file))
    }

    /// Reads the stored uploads, which another process writes.
    pub fn open_read_only(file: PathBuf) -> Self {
        Self(JsonStore::open_read_only(file))
    }

    /// Returns the uploads to a server.
    pub(super) fn of(&self, target: &Target) -> Vec<Unfinished> {
        self.0.read(|begun| {
            let of_server = begun.iter().filter(|one| one.is_to(target) && one.is_plausible());
            of_server.cloned().collect()
        })
    }

    pub(super) fn find(&self, target: &Target, item: &UploadId) -> Option<Unfinished> {
        self.of(target).into_iter().find(|one| &one.item == item)
    }

    /// Stores the progress of an upload.
    pub(super) fn note(&self, upload: &Unfinished) {
        self.0.change(|begun| {
            begun.retain(|one| !(one.target() == upload.target() && one.item == upload.item));
            begun.push(upload.clone());
        });
    }

    /// Removes an upload to a server.
    pub(super) fn forget(&self, target: &Target, item: &UploadId) {
        self.0.change(|begun| begun.retain(|one| !(one.is_to(target) && &one.item == item)));
    }
}

impl SiteData for UploadStore {
    fn site_removed(&self, site: &SiteId) {
        self.0.change(|begun| begun.retain(|one| &one.site != site));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_file_whose_name_is_not_unicode_is_known_after_a_restart() {
        use std::os::unix::ffi::OsStringExt;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("uploads.json");
        let upload = Unfinished {
            site: SiteId("a".to_owned()),
            server: None,
            item: UploadId("i1".to_owned()),
            path: std::ffi::OsString::from_vec(b"/home/sam/Stra\xDFen.agssite".to_vec()).into(),
            length: 25,
            modified: 1,
            part_size: 10,
            parts: 1,
            sha256: None,
        };

        UploadStore::open(file.clone()).note(&upload);

        assert_eq!(UploadStore::open(file).of(&upload.target()), [upload]);
    }

    #[test]
    fn what_was_begun_is_known_after_a_restart_and_to_its_own_site_only() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("uploads.json");
        let site = |name: &str| SiteId(name.to_owned());
        let server = |name: &str| Some(ServerId(name.to_owned()));
        let target = |name: &str| Target { site: site(name), server: server("s") };
        let upload = Unfinished {
            site: site("a"),
            server: server("s"),
            item: UploadId("i1".to_owned()),
            path: "/home/sam/city.agssite".into(),
            length: 25,
            modified: 1_700_000_000_123_456_789,
            part_size: 10,
            parts: 2,
            sha256: Some("e3b0".to_owned()),
        };
        UploadStore::open(file.clone()).note(&Unfinished { parts: 1, ..upload.clone() });
        UploadStore::open(file.clone()).note(&upload);

        let book = UploadStore::open(file.clone());
        assert_eq!(book.of(&target("a")), std::slice::from_ref(&upload));
        assert_eq!(book.find(&target("a"), &upload.item), Some(upload.clone()));
        assert_eq!(book.find(&target("b"), &upload.item), None);
        let other = Target { server: server("other"), ..target("a") };
        assert_eq!(book.find(&other, &upload.item), None);
        assert_eq!(Unfinished { parts: 3, ..upload.clone() }.view().done, Bytes(25));

        let of_b = Unfinished { site: site("b"), ..upload.clone() };
        book.note(&of_b);
        assert_eq!(
            book.of(&target("a")),
            std::slice::from_ref(&upload),
            "another server chose the same identifier"
        );
        book.forget(&target("a"), &upload.item);
        assert_eq!(book.of(&target("b")), [of_b]);
        book.forget(&target("b"), &upload.item);
        assert!(UploadStore::open(file.clone()).of(&target("a")).is_empty());

        UploadStore::open(file.clone()).note(&upload);
        UploadStore::open(file.clone()).site_removed(&site("a"));
        assert!(!std::fs::read_to_string(&file).unwrap().contains("city.agssite"), "nor its path");

        for (part_size, parts) in [(0, 0), (u64::MAX, 2), (10, 4)] {
            UploadStore::open(file.clone()).note(&Unfinished { part_size, parts, ..upload.clone() });
            assert!(UploadStore::open(file.clone()).of(&target("a")).is_empty(), "{part_size} {parts}");
        }

        std::fs::write(&file, "half a fi").unwrap();
        assert!(UploadStore::open(file).of(&target("a")).is_empty());
    }
}
