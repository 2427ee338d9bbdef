//! A file of a set, and the export file of a portal.

use std::fs::Metadata;
use std::io::ErrorKind;
use std::path::{Component, Path};

use serde::{Deserialize, Serialize};
use steward_core::files;
use steward_core::files::archive_check::modified_at;
use steward_core::model::export_verification::is_same_file;
use steward_core::model::numbers::{Bytes, Millis};
use steward_core::model::saved_file::SavedFile;

/// A file of a set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SetFile {
    /// Name in the folder of the set.
    pub name: String,
    /// Size of the file.
    pub size: Bytes,
    /// SHA-256 of its content, in lower-case hexadecimal.
    pub sha256: String,
    /// Time of its last change when it was verified; `None` if it is no export, or an earlier version wrote the set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[specta(skip)]
    pub modified_at: Option<Millis>,
}

/// Export file of a portal, as read on this computer. It is outside of the set, and no rule removes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PortalFile {
    /// Name of the file.
    pub name: String,
    /// Folder of this computer in which it was read.
    pub folder: String,
    /// Size of the file.
    pub size: Bytes,
    /// SHA-256 of its content, in lower-case hexadecimal.
    pub sha256: String,
    /// As of [`SetFile::modified_at`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[specta(skip)]
    pub modified_at: Option<Millis>,
}

impl SetFile {
    /// Returns a file that is to be written: what is in it is not known yet.
    pub(crate) fn to_be_written(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_owned();
        Some(Self { name, size: Bytes(0), sha256: String::new(), modified_at: None })
    }

    /// Reads a file; `None` if there is none.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        files::hash_of(path).ok().and_then(|file| Self::saved(&file))
    }

    /// Returns the entry of a file that was read.
    pub(crate) fn saved(file: &SavedFile) -> Option<Self> {
        let name = Path::new(&file.path).file_name()?.to_str()?.to_owned();
        Some(Self { name, size: file.size, sha256: file.sha256.clone(), modified_at: None })
    }

    /// Returns whether it is the export of a server.
    pub(super) fn is_export(&self) -> bool {
        Path::new(&self.name).extension().is_some_and(|end| end == "agssite")
    }

    /// Returns whether the name is one in the folder of the set, and no path.
    pub(crate) fn is_plain(&self) -> bool {
        is_plain(&self.name)
    }

    /// Checks that it is as it was written: a plain file in the folder of the set, of its size and time.
    pub(crate) fn check(&self, folder: &Path) -> std::io::Result<()> {
        if !self.is_plain() {
            return Err(strange(Path::new(&self.name), "is not in the folder of the set"));
        }
        let path = folder.join(&self.name);
        let named =
            |error: std::io::Error| std::io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        let found = std::fs::symlink_metadata(&path).map_err(named)?;
        check(&found, &path, (self.size, self.modified_at))
    }

    /// Returns whether it might be a copy: a plain file of its size, but with another time.
    pub(super) fn might_be_copied(&self, folder: &Path) -> bool {
        let found = std::fs::symlink_metadata(folder.join(&self.name));
        self.is_plain() && found.is_ok_and(|found| has_another_time(&found, (self.size, self.modified_at)))
    }
}

impl PortalFile {
    /// Checks that the file is as it was read, where the plan sees it. It passes if the plan has another folder now, or
    /// the file cannot be seen, because its network drive might not be connected.
    pub(crate) fn check(&self, seen_at: &Path) -> std::io::Result<()> {
        if Path::new(&self.folder) != seen_at {
            return Ok(());
        }
        let path = seen_at.join(&self.name);
        match std::fs::metadata(&path) {
            Ok(found) => check(&found, &path, (self.size, self.modified_at)),
            Err(error) if is_gone(&path, error.kind()) => {
                Err(std::io::Error::new(error.kind(), format!("{}: {error}", path.display())))
            }
            Err(_) => Ok(()),
        }
    }

    /// As [`SetFile::might_be_copied`], where the plan sees it.
    pub(super) fn might_be_copied(&self, seen_at: &Path) -> bool {
        let found = std::fs::metadata(seen_at.join(&self.name));
        Path::new(&self.folder) == seen_at
            && found.is_ok_and(|found| has_another_time(&found, (self.size, self.modified_at)))
    }
}

/// Checks that a file is a plain one of the size and time that it had.
fn check(found: &Metadata, path: &Path, (size, at): (Bytes, Option<Millis>)) -> std::io::Result<()> {
    if !found.is_file() {
        return Err(strange(path, "is not a plain file"));
    }
    if !is_same_file((size.0, at), (found.len(), modified_at(found))) {
        return Err(strange(path, "has another size than when it was saved, or was changed since"));
    }
    Ok(())
}

/// Returns whether a file has the size that it had, but another time.
fn has_another_time(found: &Metadata, (size, at): (Bytes, Option<Millis>)) -> bool {
    let is_same = |at| is_same_file((size.0, at), (found.len(), modified_at(found)));
    found.is_file() && is_same(None) && !is_same(at)
}

/// Returns whether the export of a portal is no longer where the plan sees it, by the error of its file. An empty
/// folder shows nothing: it might be the mount point of a drive that is not connected.
pub(crate) fn is_gone(path: &Path, error: ErrorKind) -> bool {
    let others = || path.parent()?.read_dir().ok()?.next();
    error == ErrorKind::NotFound && others().is_some()
}

/// Returns an error about a file of a set that is not as it was written.
pub(crate) fn strange(path: &Path, what: &str) -> std::io::Error {
    std::io::Error::new(std::io::ErrorKind::InvalidData, format!("{} {what}", path.display()))
}

/// Returns whether a text is a name in a folder, and no path.
pub(crate) fn is_plain(name: &str) -> bool {
    let mut components = Path::new(name).components();
    matches!((components.next(), components.next()), (Some(Component::Normal(_)), None))
}
