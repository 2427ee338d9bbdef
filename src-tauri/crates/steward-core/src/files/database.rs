//! Files of a database: its own, and those that SQLite keeps beside it.

use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

use super::data_folder::make_room;

/// Ends of the names of the files that SQLite keeps beside a database.
const BESIDE: [&str; 3] = ["-journal", "-wal", "-shm"];

/// Moves whatever is not a file from the paths of the files beside a database: SQLite would wait for a pipe, or reject
/// the database, although that is intact.
pub(crate) fn make_room_beside(database: &Path) {
    for end in BESIDE {
        if let Err(error) = make_room(&with(database, end), Path::is_file) {
            tracing::warn!(%error, file = %database.display(), "what is beside a database was not moved");
        }
    }
}

/// Checks that each file of a database is a regular file or missing: SQLite would wait for a pipe, for example.
///
/// # Errors
/// [`ErrorKind::InvalidInput`] if one is something else.
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
    // Set aside a broken link as well.
    let aside = match database.symlink_metadata() {
        Ok(_) => Some(super::set_aside(database)?),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    for end in BESIDE {
        // Move its log along: SQLite would merge it into the new database.
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
