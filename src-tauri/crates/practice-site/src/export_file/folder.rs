//! Destination folder of an export.
//!
//! [`ExportFolder::begin`] creates a hidden file, [`ExportFolder::publish`] renames it when it is complete. Invariant: a
//! file with the final name is always complete.

use super::flush::flush;
use super::writer::WriteError;
use crate::clock::file_timestamp;
use crate::folders::Folders;
use crate::regular_file;
use crate::wire::ApiError;
use anyhow::Context as _;
use jiff::Zoned;
use std::fs::File;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::NamedTempFile;

/// Maximum number of attempts for a free file name, one per second.
const TRIES: u32 = 10;
const PREFIX: &str = ".export-";
const SUFFIX: &str = ".part";

/// Existing folder that an export is written to.
pub(crate) struct ExportFolder {
    folder: PathBuf,
    /// Folder for records of incomplete files.
    notes: PathBuf,
}

/// Incomplete export file, deleted unless it is published. A record allows the next startup to delete it if this
/// process is killed.
pub(crate) struct Unfinished {
    file: NamedTempFile,
    _note: NamedTempFile,
}

impl Unfinished {
    pub(crate) fn as_file(&self) -> &File {
        self.file.as_file()
    }
}

impl ExportFolder {
    /// Returns the folder at `location`.
    pub(crate) fn at(location: &str, folders: &Folders) -> Result<ExportFolder, ApiError> {
        let destination = ExportFolder::inside(PathBuf::from(location), folders);
        // The site empties its own folders at startup, and an export in one of them would be lost.
        let real = |folder: &Path| std::fs::canonicalize(folder).ok();
        let own = real(&folders.root);
        if real(&destination.folder).zip(own).is_some_and(|(folder, own)| folder.starts_with(own)) {
            return Err(destination.unable_to_write());
        }
        // A relative path would depend on the working directory of this process.
        if destination.folder.is_absolute() && destination.folder.is_dir() {
            Ok(destination)
        } else {
            Err(destination.unable_to_write())
        }
    }

    /// Creates a destination inside a folder of the site, without the checks for user-supplied paths.
    pub(crate) fn inside(folder: PathBuf, folders: &Folders) -> ExportFolder {
        ExportFolder { folder, notes: folders.unfinished.clone() }
    }

    /// Checks whether a file can be written, by writing and deleting one.
    pub(crate) fn probe(&self) -> Result<(), ApiError> {
        let probe = self.begin()?;
        let mut file = probe.as_file();
        file.write_all(b"probe").and_then(|()| flush(file)).map_err(|cause| self.failed(&cause))
    }

    /// Creates a file with a temporary name.
    pub(crate) fn begin(&self) -> Result<Unfinished, ApiError> {
        let mut note = None;
        let file = tempfile::Builder::new().prefix(PREFIX).suffix(SUFFIX).make_in(&self.folder, |path| {
            // Write the record first: if the process is killed between the two, a record without a file is harmless.
            note = Some(note_down(&self.notes, path)?);
            create_private(path)
        });
        match (file, note) {
            (Ok(file), Some(note)) => Ok(Unfinished { file, _note: note }),
            _ => Err(self.unable_to_write()),
        }
    }

    /// Renames the complete file to `<timestamp>.<extension>` and returns its path. Does not overwrite: if the name is
    /// taken, the timestamp of the next second is used.
    pub(crate) fn publish(&self, unfinished: Unfinished, extension: &str) -> Result<PathBuf, ApiError> {
        flush(unfinished.as_file()).map_err(|cause| self.failed(&cause))?;
        let Unfinished { mut file, _note } = unfinished;
        for _ in 0..TRIES {
            let target = self.folder.join(format!("{}.{extension}", file_timestamp(&Zoned::now())));
            match file.persist_noclobber(&target) {
                Ok(_) => {
                    sync_folder(&self.folder).map_err(|cause| self.failed(&cause))?;
                    return Ok(target);
                }
                Err(taken) if taken.error.kind() == ErrorKind::AlreadyExists => {
                    file = taken.file;
                    std::thread::sleep(Duration::from_secs(1));
                }
                Err(other) => return Err(self.failed(&other.error)),
            }
        }
        Err(ApiError::failed(format!("No free name for the export in {}.", self.folder.display())))
    }

    /// Returns the error of the specification for operation 1 with `validate`; its details are null.
    pub(crate) fn unable_to_write(&self) -> ApiError {
        ApiError::failed(format!(
            "Unable to write to the location {}; the location must be accessible and writable.",
            self.folder.display()
        ))
    }

    /// Converts an error of writing an archive into this folder.
    pub(crate) fn write_error(&self, why: WriteError) -> ApiError {
        match why {
            WriteError::Target(cause) => self.failed(&cause),
            WriteError::Content(rejection) => rejection,
        }
    }

    /// Returns the error for a write that failed after it started.
    pub(crate) fn failed(&self, cause: &io::Error) -> ApiError {
        let folder = self.folder.display();
        let message = match cause.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => format!(
                "There is no room for the export in {folder}. Nothing was left there: make room, or name another folder."
            ),
            _ => format!("The export could not be completed in {folder}. Nothing was left there."),
        };
        ApiError::failed(message).with_detail(cause.to_string())
    }
}

/// Deletes the incomplete exports of a killed process, in any folder, and their records.
pub(crate) fn remove_unfinished(folders: &Folders) -> anyhow::Result<()> {
    for note in std::fs::read_dir(&folders.unfinished)? {
        remove_noted(&note?.path())?;
    }
    Ok(())
}

/// Deletes the incomplete file that a record names, and the record.
fn remove_noted(note: &Path) -> anyhow::Result<()> {
    let file = PathBuf::from(regular_file::read(note).unwrap_or_default());
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    // Delete only files with the names that this site creates: the record might have been modified.
    if name.starts_with(PREFIX) && name.ends_with(SUFFIX) {
        match std::fs::remove_file(&file) {
            Ok(()) => tracing::info!("removed an incomplete export: {}", file.display()),
            Err(gone) if gone.kind() == ErrorKind::NotFound => {}
            Err(cause) => tracing::warn!("cannot remove the incomplete export {}: {cause}", file.display()),
        }
    }
    std::fs::remove_file(note).with_context(|| format!("cannot remove {}", note.display()))
}

fn note_down(notes: &Path, file: &Path) -> io::Result<NamedTempFile> {
    let mut note = NamedTempFile::new_in(notes)?;
    note.write_all(file.to_string_lossy().as_bytes())?;
    Ok(note)
}

/// Creates a file for the current user only (mode 0600 on Unix): exports contain password hashes and keys.
fn create_private(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Flushes a folder: a new file name is durable only after that.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { flush(&File::open(folder)?) } else { Ok(()) }
}
