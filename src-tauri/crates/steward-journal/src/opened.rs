//! Whether an open journal is still the file at its path.

use std::path::{Path, PathBuf};

use rusqlite::ffi;

/// The database, and what SQLite keeps beside it while it is open.
const FILES: [&str; 3] = ["", "-wal", "-shm"];

/// The files of an open journal.
pub(crate) struct Opened(Vec<(PathBuf, Option<FileId>)>);

/// What identifies a file, whatever its name is.
type FileId = (u64, u64);

impl Opened {
    /// Returns the files of a journal that was just opened and read.
    pub(crate) fn of(path: &Path) -> Self {
        let file = |beside| {
            let mut name = path.as_os_str().to_owned();
            name.push(beside);
            let path = PathBuf::from(name);
            let id = id_of(&path);
            (path, id)
        };
        Self(FILES.into_iter().map(file).collect())
    }

    /// Returns an error if one of the files was replaced or removed: what is written to an open file without a name is gone when it is
    /// closed.
    pub(crate) fn is_in_place(&self) -> rusqlite::Result<()> {
        match self.0.iter().find(|(path, id)| id.is_some() && id_of(path) != *id) {
            Some((path, _)) => Err(rusqlite::Error::SqliteFailure(
                ffi::Error::new(ffi::SQLITE_READONLY_DBMOVED),
                Some(format!("{} was replaced or removed while the app had it open", path.display())),
            )),
            None => Ok(()),
        }
    }
}

#[cfg(unix)]
fn id_of(path: &Path) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(path).ok().map(|known| (known.dev(), known.ino()))
}

/// On Windows, no program can replace or remove a file that SQLite has open.
#[cfg(not(unix))]
fn id_of(_: &Path) -> Option<FileId> {
    None
}
