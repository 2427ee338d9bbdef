//! Files of a database: its own, and those that SQLite keeps beside it.

use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

use super::data_folder::make_room;

/// Ends of the names of the files that SQLite keeps beside a database.
const BESIDE: [&str; 3] = ["-journal", "-wal", "-shm"];

/// Moves what is in the place of a file beside a database and is no file: SQLite would wait for a pipe, or refuse the database, which is
/// another file.
pub(crate) fn make_room_beside(database: &Path) {
    for end in BESIDE {
        if let Err(error) = make_room(&with(database, end), Path::is_file) {
            tracing::warn!(%error, file = %database.display(), "what is beside a database was not moved");
        }
    }
}

/// Makes sure that SQLite waits for none of the files of a database: each is a file, or missing.
///
/// # Errors
/// That one is something else.
pub(crate) fn must_be_files(database: &Path) -> Result<()> {
    let is_file = |end: &str| with(database, end).metadata().map_or(true, |known| known.is_file());
    match [""].into_iter().chain(BESIDE).all(is_file) {
        true => Ok(()),
        false => Err(Error::new(ErrorKind::InvalidInput, "not a regular file")),
    }
}

/// Renames a database and the files beside it. Returns the new path; `None` if there is no file.
///
/// # Errors
/// The error of the system.
pub(crate) fn set_aside(database: &Path) -> Result<Option<PathBuf>> {
    // A link that leads nowhere is a file too.
    let aside = match database.symlink_metadata() {
        Ok(_) => Some(super::set_aside(database)?),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    for end in BESIDE {
        // A log of another file would be merged into the new one.
        let log = with(database, end);
        match &aside {
            _ if log.symlink_metadata().is_err() => {}
            Some(aside) => std::fs::rename(log, with(aside, end))?,
            None => drop(super::set_aside(&log)?),
        }
    }
    Ok(aside)
}

fn with(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}
