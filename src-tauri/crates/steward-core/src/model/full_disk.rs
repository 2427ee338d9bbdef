//! Recognizes an error of a full disk, and names the disk.

use std::error::Error;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::Serialize;

/// A disk without room, or without room for this account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FullDisk {
    /// Name of the disk: the drive or share on Windows, the mount point on other systems.
    pub disk: String,
    /// Folder that was written to.
    pub folder: String,
    /// Whether the disk has free space, but the account has used up its quota.
    pub is_quota: bool,
}

impl FullDisk {
    /// Returns the disk of `path` if writing there failed because it is full; `None` for other errors.
    pub(crate) fn of(path: &Path, error: &(dyn Error + 'static)) -> Option<Self> {
        let is_quota = reason(error)?;
        let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
        Some(Self { disk: disk_of(folder), folder: folder.display().to_string(), is_quota })
    }
}

/// Returns whether a full disk is due to a quota; `None` if the error is not that of a full disk. Also examines wrapped
/// errors.
fn reason(error: &(dyn Error + 'static)) -> Option<bool> {
    let own = error.downcast_ref::<std::io::Error>().and_then(|error| {
        let of_kind = match error.kind() {
            ErrorKind::StorageFull => Some(false),
            ErrorKind::QuotaExceeded => Some(true),
            // Windows has a second number for a full disk, which the standard library does not know.
            _ if cfg!(windows) && error.raw_os_error() == Some(ERROR_HANDLE_DISK_FULL) => Some(false),
            _ => None,
        };
        of_kind.or_else(|| reason(error.get_ref()?))
    });
    // SQLite reports a full disk only by this message.
    let said = || error.to_string().ends_with("database or disk is full").then_some(false);
    own.or_else(|| reason(error.source()?)).or_else(said)
}

const ERROR_HANDLE_DISK_FULL: i32 = 39;

/// Returns where the file system of a folder is mounted.
#[cfg(unix)]
fn disk_of(folder: &Path) -> String {
    use std::os::unix::fs::MetadataExt as _;

    let Ok(mut at) = existing(folder).canonicalize() else { return folder.display().to_string() };
    let device = |path: &Path| path.metadata().ok().map(|known| known.dev());
    let own = device(&at);
    while let Some(parent) = at.parent().map(Path::to_owned)
        && device(&parent) == own
    {
        at = parent;
    }
    at.display().to_string()
}

/// Returns the drive or the share of a folder.
#[cfg(not(unix))]
fn disk_of(folder: &Path) -> String {
    use std::path::{Component, Prefix};

    let whole = std::path::absolute(folder).unwrap_or_else(|_| existing(folder));
    match whole.components().next() {
        Some(Component::Prefix(prefix)) => match prefix.kind() {
            Prefix::Disk(letter) | Prefix::VerbatimDisk(letter) => format!("{}:", char::from(letter)),
            Prefix::UNC(server, share) | Prefix::VerbatimUNC(server, share) => {
                format!(r"\\{}\{}", server.display(), share.display())
            }
            _ => prefix.as_os_str().display().to_string(),
        },
        _ => whole.display().to_string(),
    }
}

/// Returns the folder, or the nearest one above it that exists.
fn existing(folder: &Path) -> PathBuf {
    folder.ancestors().find(|path| path.exists()).unwrap_or(folder).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    #[test]
    fn a_full_disk_is_recognized_in_every_error_and_nothing_else_is_taken_for_one() {
        let place = std::env::temp_dir();
        let kind = |kind: ErrorKind| io::Error::from(kind);
        let is_quota = |error: &(dyn Error + 'static)| FullDisk::of(&place, error).map(|full| full.is_quota);
        #[cfg(unix)]
        let numbers = [(28, Some(false)), (13, None), (2, None), (5, None), (30, None)];
        #[cfg(windows)]
        let numbers = [(112, Some(false)), (39, Some(false)), (1295, Some(true)), (5, None), (2, None)];
        for (number, expected) in numbers {
            assert_eq!(is_quota(&io::Error::from_raw_os_error(number)), expected, "{number}");
        }
        #[cfg(target_os = "linux")]
        assert_eq!(is_quota(&io::Error::from_raw_os_error(122)), Some(true));
        for (error, expected) in [
            (kind(ErrorKind::StorageFull), Some(false)),
            (kind(ErrorKind::QuotaExceeded), Some(true)),
            (io::Error::new(ErrorKind::StorageFull, "no room"), Some(false)),
            (io::Error::other(kind(ErrorKind::StorageFull)), Some(false)),
            (io::Error::other(io::Error::other(kind(ErrorKind::QuotaExceeded))), Some(true)),
            (io::Error::other("database or disk is full"), Some(false)),
            (io::Error::other("the disk is full of surprises"), None),
            (kind(ErrorKind::PermissionDenied), None),
            (kind(ErrorKind::FileTooLarge), None),
        ] {
            assert_eq!(is_quota(&error), expected, "{error:?}");
        }
        let wrapped =
            anyhow::Error::from(kind(ErrorKind::StorageFull)).context("the table could not be written");
        assert_eq!(is_quota(wrapped.as_ref()), Some(false));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_disk_and_the_folder_have_their_names() {
        let full = io::Error::from(ErrorKind::StorageFull);
        let shared = FullDisk::of(Path::new("/proc/self/none/export.agssite"), &full).unwrap();
        assert_eq!((shared.disk.as_str(), shared.folder.as_str()), ("/proc", "/proc/self/none"));
        let root = FullDisk::of(Path::new("/export.agssite"), &full).unwrap();
        assert_eq!((root.disk.as_str(), root.folder.as_str()), ("/", "/"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_really_full_device_says_is_recognized() {
        use std::io::Write as _;
        let mut device = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let error = device.write_all(b"x").unwrap_err();
        assert!(FullDisk::of(Path::new("/dev/full"), &error).is_some(), "{error:?}");
    }

    #[cfg(windows)]
    #[test]
    fn a_drive_and_a_share_have_their_names() {
        for (path, disk) in [
            (r"D:\exports\a.agssite", "D:"),
            (r"\\nas\gis\exports\a.agssite", r"\\nas\gis"),
            (r"\\?\D:\exports\a.agssite", "D:"),
            (r"\\?\UNC\nas\gis\a.agssite", r"\\nas\gis"),
        ] {
            let full = FullDisk::of(Path::new(path), &io::Error::from(ErrorKind::StorageFull)).unwrap();
            assert_eq!(full.disk, disk, "{path}");
        }
    }
}
