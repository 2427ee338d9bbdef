//! Files of the audit trail that verify without the program: envelopes, bodies, how many there are, the head, and scripts.

use std::io::{self, Seek, Write};

use sha2::{Digest, Sha256};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::journal::{Journal, JournalError};
use crate::trail::export::{BODIES, CONTENTS, ENVELOPES, Entry, SCRIPTS, Selection};

/// Reason why files of the audit trail cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum TrailFilesError {
    /// The ZIP library returned an error.
    #[error("the archive could not be written")]
    Archive(#[from] zip::result::ZipError),
    /// A file cannot be written.
    #[error("a file of the audit trail could not be written")]
    File(#[from] io::Error),
    /// The trail cannot be read.
    #[error("the audit trail cannot be read")]
    Journal(#[from] JournalError),
}

/// Writes the audit trail with the bodies of a selection as a ZIP file, and returns `to`.
///
/// # Errors
///
/// - [`TrailFilesError::Archive`] if an entry of the ZIP file cannot be started or completed.
/// - [`TrailFilesError::File`] if the content of an entry cannot be written.
/// - [`TrailFilesError::Journal`] if the trail cannot be read.
pub fn archive<W: Write + Seek>(
    to: W,
    journal: &Journal,
    selection: &Selection,
) -> Result<W, TrailFilesError> {
    let mut archive = ZipWriter::new(to);
    add(&mut archive, journal, selection, SimpleFileOptions::default())?;
    Ok(archive.finish()?)
}

/// Adds the audit trail to an archive that has the records of the selection, and returns the lines of `SHA256SUMS.txt`. The scripts
/// look at the folder that they are in, and at those in it.
pub(crate) fn add<W: Write + Seek>(
    archive: &mut ZipWriter<W>,
    journal: &Journal,
    selection: &Selection,
    options: SimpleFileOptions,
) -> Result<String, TrailFilesError> {
    let head = journal.trail_status()?.head;
    // Entries that are appended meanwhile are left out.
    let through = head.as_ref().map_or(0, |head| head.entry);
    let head = head.map(|head| format!("{head}\n")).unwrap_or_default();
    let mut sums = String::new();
    let texts =
        SCRIPTS.into_iter().chain([("README.txt", include_str!("trail/README.txt")), ("head.txt", &head)]);
    for (name, text) in texts {
        let mut file = Hashed::begin(archive, name, options)?;
        file.write_all(text.as_bytes())?;
        sums += &file.sum();
    }
    let mut counts = [0_u64; 2];
    for (name, count) in [ENVELOPES, BODIES].into_iter().zip(&mut counts) {
        let line_of = |entry: &Entry| match name {
            ENVELOPES => Some(entry.envelope.clone()),
            _ => entry.body.clone(),
        };
        let mut file = Hashed::begin(archive, name, options)?;
        journal.read_trail(selection, through, |entry| match line_of(entry) {
            Some(line) => {
                *count += 1;
                writeln!(file, "{line}").map_err(TrailFilesError::File)
            }
            None => Ok(()),
        })?;
        sums += &file.sum();
    }
    let [entries, bodies] = counts;
    let missing = journal.missing_bodies(through)?;
    let records = selection.records.len();
    let mut file = Hashed::begin(archive, CONTENTS, options)?;
    write!(file, "entries {entries}\nbodies {bodies}\nmissing {missing}\nrecords {records}\n")?;
    Ok(sums + &file.sum())
}

/// File of an archive whose hash is computed while it is written.
struct Hashed<'a, W: Write + Seek> {
    archive: &'a mut ZipWriter<W>,
    name: &'static str,
    hash: Sha256,
}

impl<'a, W: Write + Seek> Hashed<'a, W> {
    fn begin(
        archive: &'a mut ZipWriter<W>,
        name: &'static str,
        options: SimpleFileOptions,
    ) -> zip::result::ZipResult<Self> {
        archive.start_file(name, options.large_file(true))?;
        Ok(Self { archive, name, hash: Sha256::new() })
    }

    /// Returns the line of the file for `sha256sum --check`.
    fn sum(self) -> String {
        let hash: String = self.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{hash}  {}\n", self.name)
    }
}

impl<W: Write + Seek> Write for Hashed<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.archive.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.archive.flush()
    }
}
