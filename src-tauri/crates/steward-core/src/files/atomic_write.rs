//! Writes bytes in memory to a file, atomically.
//!
//! [`save`] replaces a file, and [`save_new`] never does. Both return a [`SaveResult`].

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::flush::flush;
use super::hash::saved;
use super::names::numbered;
use super::temporary;
use crate::model::problem::Problem;
use crate::model::saved_file::SaveResult;

/// Writes `bytes` to `path`, readable by the user only. Replaces an existing file once the new one is complete.
///
/// # Errors
/// The error of the system if the file cannot be written.
pub fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = temporary::beside(path)?;
    file.write_all(bytes)?;
    flush(file.as_file())?;
    // The caller still has the bytes: the temporary file of a failed attempt is not needed.
    Ok(temporary::put_in_place(file, path)?)
}

/// Replaces a file by one that `fill` writes to a temporary path, readable by the user only. Calls `clear` when the new
/// file is complete, right before it is renamed to `path`, and returns its result.
pub(crate) fn replace<T, E: From<std::io::Error>>(
    path: &Path,
    fill: impl FnOnce(&Path) -> Result<(), E>,
    clear: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    let file = temporary::beside(path)?;
    // On Windows, a locked file cannot be written through another handle. An error only means that the file was not
    // locked.
    if cfg!(windows) {
        let _ = file.as_file().unlock();
    }
    fill(file.path())?;
    flush(file.as_file())?;
    let cleared = clear()?;
    temporary::put_in_place(file, path).map_err(std::io::Error::from)?;
    Ok(cleared)
}

/// Writes `bytes` to `path`, and returns the result.
pub fn save(path: &Path, bytes: &[u8]) -> SaveResult {
    if let Err(error) = write_whole(path, bytes) {
        return SaveResult::Failed { problem: Problem::file(path, &error) };
    }
    let mut hash = Sha256::new();
    hash.update(bytes);
    SaveResult::Saved { file: saved(path, bytes.len() as u64, hash) }
}

/// Limit of numbered files with the same name.
const MOST_OF_A_NAME: u32 = 1000;

/// Writes `bytes` into `folder` as `name`, or as a name with a number if that exists, and returns the result.
///
/// Existing files are not changed.
pub fn save_new(folder: &Path, name: &str, bytes: &[u8]) -> SaveResult {
    let mut hash = Sha256::new();
    hash.update(bytes);
    match write_new(folder, name, bytes) {
        Ok(path) => SaveResult::Saved { file: saved(&path, bytes.len() as u64, hash) },
        Err(error) => SaveResult::Failed { problem: Problem::file(&folder.join(name), &error) },
    }
}

fn write_new(folder: &Path, name: &str, bytes: &[u8]) -> std::io::Result<PathBuf> {
    let mut path = folder.join(name);
    let mut file = temporary::beside(&path)?;
    file.write_all(bytes)?;
    flush(file.as_file())?;
    for number in 2..MOST_OF_A_NAME {
        match temporary::put_in_free_place(file, &path) {
            Ok(()) => return Ok(path),
            Err(taken) if taken.error.kind() == ErrorKind::AlreadyExists => file = taken.file,
            Err(other) => return Err(other.error),
        }
        path = folder.join(numbered(name, number));
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// Checks that a file can be created in a folder, and deletes it again.
///
/// # Errors
/// The error of the system if no file can be created.
pub fn can_write_in(folder: &Path) -> std::io::Result<()> {
    temporary::beside(&folder.join("file")).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::numbers::Bytes;

    #[test]
    fn a_file_that_was_there_is_untouched_when_the_new_one_cannot_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("taken");
        std::fs::create_dir(&place).unwrap();
        std::fs::write(place.join("inside"), "kept").unwrap();

        assert!(matches!(save(&place, b"new"), SaveResult::Failed { .. }));

        assert_eq!(std::fs::read_to_string(place.join("inside")).unwrap(), "kept");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
    }

    #[test]
    fn a_saved_file_is_whole_private_and_described() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.invite");
        std::fs::write(&path, "a longer file that was here before").unwrap();

        let SaveResult::Saved { file } = save(&path, b"abc") else { panic!("not saved") };

        assert_eq!(std::fs::read(&path).unwrap(), b"abc");
        assert_eq!(file.size, Bytes(3));
        assert_eq!(file.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn a_new_file_takes_nobodys_place() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.invite"), "theirs").unwrap();

        let names: Vec<String> = (0..2)
            .map(|_| match save_new(folder.path(), "a.invite", b"ours") {
                SaveResult::Saved { file } => {
                    Path::new(&file.path).file_name().unwrap().to_string_lossy().into_owned()
                }
                other => panic!("{other:?}"),
            })
            .collect();

        assert_eq!(names, ["a (2).invite", "a (3).invite"]);
        assert_eq!(std::fs::read(folder.path().join("a.invite")).unwrap(), b"theirs");
        assert_eq!(std::fs::read(folder.path().join("a (3).invite")).unwrap(), b"ours");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3, "no temporary file is left");
    }
}
