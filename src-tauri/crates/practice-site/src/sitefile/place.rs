//! The folder that an export is written to.

use crate::clock::file_timestamp;
use crate::wire::Refusal;
use jiff::Zoned;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::NamedTempFile;

/// Tries for a name that is not taken: one second each.
const TRIES: u32 = 10;

/// A folder that was there when the export began.
pub(crate) struct Place(PathBuf);

impl Place {
    pub(crate) fn at(location: &str) -> Result<Place, Refusal> {
        let folder = PathBuf::from(location);
        // A relative path would mean the folder this program happens to run in, which the caller cannot know.
        if folder.is_absolute() && folder.is_dir() {
            Ok(Place(folder))
        } else {
            Err(unable_to_write(&folder))
        }
    }

    /// Whether a file can be written here. Writes one and takes it away again.
    pub(crate) fn probe(&self) -> Result<(), Refusal> {
        let probe = self.begin()?;
        probe.close().map_err(|_| unable_to_write(&self.0))
    }

    /// A file under a name of its own, gone again unless it is published.
    pub(crate) fn begin(&self) -> Result<NamedTempFile, Refusal> {
        tempfile::Builder::new()
            .prefix(".export-")
            .suffix(".part")
            .tempfile_in(&self.0)
            .map_err(|_| unable_to_write(&self.0))
    }

    /// Gives the finished file its name, `<timestamp>.<extension>`. A file that has the name already is left
    /// alone: the next second's is taken.
    pub(crate) fn publish(&self, file: NamedTempFile, extension: &str) -> Result<PathBuf, Refusal> {
        let failed = |cause: &std::io::Error| {
            Refusal::failed(format!("The export could not be completed in {}.", self.0.display()))
                .with_detail(cause.to_string())
        };
        file.as_file().sync_all().map_err(|cause| failed(&cause))?;
        let mut file = file;
        for _ in 0..TRIES {
            let target = self.0.join(format!("{}.{extension}", file_timestamp(&Zoned::now())));
            match file.persist_noclobber(&target) {
                Ok(_) => {
                    sync_folder(&self.0).map_err(|cause| failed(&cause))?;
                    return Ok(target);
                }
                Err(taken) if taken.error.kind() == ErrorKind::AlreadyExists => {
                    file = taken.file;
                    std::thread::sleep(Duration::from_secs(1));
                }
                Err(other) => return Err(failed(&other.error)),
            }
        }
        Err(Refusal::failed(format!("No free name for the export in {}.", self.0.display())))
    }
}

/// The specification's words for operation 1 with `validate`; its details are null.
fn unable_to_write(folder: &Path) -> Refusal {
    Refusal::failed(format!(
        "Unable to write to the location {}; the location must be accessible and writable.",
        folder.display()
    ))
}

/// A new name is only on the disk when its folder is.
fn sync_folder(folder: &Path) -> std::io::Result<()> {
    if cfg!(unix) { std::fs::File::open(folder)?.sync_all() } else { Ok(()) }
}
