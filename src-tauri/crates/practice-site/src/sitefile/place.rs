//! The folder that an export is written to.

use super::writer::Unwritten;
use crate::app::Folders;
use crate::clock::file_timestamp;
use crate::wire::Refusal;
use anyhow::Context as _;
use jiff::Zoned;
use std::fs::File;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::NamedTempFile;

/// Tries for a name that is not taken: one second each.
const TRIES: u32 = 10;
const PREFIX: &str = ".export-";
const SUFFIX: &str = ".part";

/// A folder that was there when the export began.
pub(crate) struct Place {
    folder: PathBuf,
    /// Where notes of unfinished files are kept.
    notes: PathBuf,
}

/// A file that is being written, gone again unless it is published. A note tells the next start of the site about
/// it, in case this one is killed.
pub(crate) struct Unfinished {
    file: NamedTempFile,
    _note: NamedTempFile,
}

impl Unfinished {
    pub(crate) fn as_file(&self) -> &File {
        self.file.as_file()
    }
}

impl Place {
    pub(crate) fn at(location: &str, folders: &Folders) -> Result<Place, Refusal> {
        let place = Place::inside(PathBuf::from(location), folders);
        // The site clears its own folders: an export among them would be gone after the next start.
        let real = |folder: &Path| std::fs::canonicalize(folder).ok();
        let own = real(&folders.root);
        if real(&place.folder).zip(own).is_some_and(|(folder, own)| folder.starts_with(own)) {
            return Err(place.unable_to_write());
        }
        // A relative path would mean the folder this program happens to run in, which the caller cannot know.
        if place.folder.is_absolute() && place.folder.is_dir() {
            Ok(place)
        } else {
            Err(place.unable_to_write())
        }
    }

    /// A folder of the site's own.
    pub(crate) fn inside(folder: PathBuf, folders: &Folders) -> Place {
        Place { folder, notes: folders.unfinished.clone() }
    }

    /// Whether a file can be written here. Writes one and takes it away again.
    pub(crate) fn probe(&self) -> Result<(), Refusal> {
        let probe = self.begin()?;
        let mut file = probe.as_file();
        file.write_all(b"probe").and_then(|()| file.sync_all()).map_err(|cause| self.failed(&cause))
    }

    /// A file under a name of its own.
    pub(crate) fn begin(&self) -> Result<Unfinished, Refusal> {
        let mut note = None;
        let file = tempfile::Builder::new().prefix(PREFIX).suffix(SUFFIX).make_in(&self.folder, |path| {
            // The note comes first: a kill between the two leaves a note without a file, which harms nobody.
            note = Some(note_down(&self.notes, path)?);
            create_private(path)
        });
        match (file, note) {
            (Ok(file), Some(note)) => Ok(Unfinished { file, _note: note }),
            _ => Err(self.unable_to_write()),
        }
    }

    /// Gives the finished file its name, `<timestamp>.<extension>`. A file that has the name already is left
    /// alone: the next second's is taken.
    pub(crate) fn publish(&self, unfinished: Unfinished, extension: &str) -> Result<PathBuf, Refusal> {
        unfinished.as_file().sync_all().map_err(|cause| self.failed(&cause))?;
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
        Err(Refusal::failed(format!("No free name for the export in {}.", self.folder.display())))
    }

    /// The specification's words for operation 1 with `validate`; its details are null.
    pub(crate) fn unable_to_write(&self) -> Refusal {
        Refusal::failed(format!(
            "Unable to write to the location {}; the location must be accessible and writable.",
            self.folder.display()
        ))
    }

    /// An archive could not be written here.
    pub(crate) fn unwritten(&self, why: Unwritten) -> Refusal {
        match why {
            Unwritten::Target(cause) => self.failed(&cause),
            Unwritten::Content(refusal) => refusal,
        }
    }

    /// Writing began and could not be ended.
    pub(crate) fn failed(&self, cause: &io::Error) -> Refusal {
        let folder = self.folder.display();
        let message = match cause.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => format!(
                "There is no room for the export in {folder}. Nothing was left there: make room, or name another folder."
            ),
            _ => format!("The export could not be completed in {folder}. Nothing was left there."),
        };
        Refusal::failed(message).with_detail(cause.to_string())
    }
}

/// Removes the half file that a note of a killed site speaks of, and the note.
pub(crate) fn remove_unfinished(note: &Path) -> anyhow::Result<()> {
    let file = PathBuf::from(std::fs::read_to_string(note).unwrap_or_default());
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    // A note is not trusted further than to the names that this site gives.
    if name.starts_with(PREFIX) && name.ends_with(SUFFIX) {
        match std::fs::remove_file(&file) {
            Ok(()) => tracing::info!("removed an export that was cut off: {}", file.display()),
            Err(gone) if gone.kind() == ErrorKind::NotFound => {}
            Err(cause) => tracing::warn!("an export that was cut off stays at {}: {cause}", file.display()),
        }
    }
    std::fs::remove_file(note).with_context(|| format!("cannot remove {}", note.display()))
}

fn note_down(notes: &Path, file: &Path) -> io::Result<NamedTempFile> {
    let mut note = NamedTempFile::new_in(notes)?;
    note.write_all(file.to_string_lossy().as_bytes())?;
    Ok(note)
}

/// Exports hold password hashes and keys.
fn create_private(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// A new name is only on the disk when its folder is.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
