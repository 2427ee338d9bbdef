//! Sequential parts of an upload in one file.
//!
//! Parts that arrive in sequence are appended to one file, which becomes the upload at the commit: no byte is written
//! twice. A repeated part, or one out of sequence, has its own file.
//!
//! ```text
//! parts/in-order      parts, starting with the first
//! parts/ends          one line per part: end offset and checksum
//! ```
//!
//! Nothing is flushed to disk before the commit. The checksums then show whether a power failure lost a part; such a
//! part counts as not arrived.

use crate::regular_file;
use crc32fast::Hasher;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tokio::sync::OwnedMutexGuard;

/// Size of a read buffer, in bytes.
const BUFFER: usize = 256 * 1024;
/// Length of a line in `ends`, in bytes: 20 digits, a space, 8 digits of the checksum, and a line feed.
const LINE: u64 = 30;

/// Parts that arrived in sequence.
pub(super) struct SequentialParts {
    folder: PathBuf,
    parts: Vec<Part>,
}

struct Part {
    end: u64,
    checksum: u32,
}

impl SequentialParts {
    /// Reads the parts in this folder. A missing file means no parts.
    pub(super) fn open(folder: &Path) -> io::Result<SequentialParts> {
        let mut in_order = SequentialParts { folder: folder.to_owned(), parts: Vec::new() };
        match regular_file::read(&in_order.ends()) {
            Ok(lines) => in_order.parts = lines.lines().map_while(read_line).collect(),
            Err(none) if none.kind() == io::ErrorKind::NotFound => {}
            Err(cause) => return Err(cause),
        }
        Ok(in_order)
    }

    fn ends(&self) -> PathBuf {
        self.folder.join("ends")
    }

    /// Returns the path of the file with all parts.
    pub(super) fn path(&self) -> PathBuf {
        self.folder.join("in-order")
    }

    /// Returns the number of parts.
    pub(super) fn count(&self) -> usize {
        self.parts.len()
    }

    fn end_of(&self, count: usize) -> u64 {
        count.checked_sub(1).and_then(|last| self.parts.get(last)).map_or(0, |part| part.end)
    }

    /// Starts the next part after the others, and removes the data of a failed attempt.
    pub(super) fn append(self, turn: OwnedMutexGuard<()>) -> io::Result<Appending> {
        let mut file = File::options().create(true).truncate(false).write(true).open(self.path())?;
        let end = self.end_of(self.count());
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        Ok(Appending { in_order: self, file, end, checksum: Hasher::new(), _turn: turn })
    }

    /// Copies a part and returns whether its checksum matches. A missing file counts as a mismatch.
    pub(super) fn copy(&self, number: usize, target: &mut impl Write) -> io::Result<bool> {
        let from = self.end_of(number - 1);
        let Some(part) = self.parts.get(number - 1) else { return Ok(false) };
        let mut file = match File::open(self.path()) {
            Ok(file) => file,
            Err(none) if none.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(cause) => return Err(cause),
        };
        file.seek(SeekFrom::Start(from))?;
        let mut rest = file.take(part.end - from);
        let (mut buffer, mut checksum) = (vec![0; BUFFER], Hasher::new());
        loop {
            let read = rest.read(&mut buffer)?;
            if read == 0 {
                return Ok(rest.limit() == 0 && checksum.finalize() == part.checksum);
            }
            checksum.update(&buffer[..read]);
            target.write_all(&buffer[..read])?;
        }
    }

    /// Truncates the file after the last part and flushes it to disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        let file = File::options().write(true).open(self.path())?;
        file.set_len(self.end_of(self.count()))?;
        file.sync_all()
    }
}

/// Next part while it arrives. If it is dropped before [`Appending::keep`], it does not count.
pub(super) struct Appending {
    in_order: SequentialParts,
    file: File,
    end: u64,
    checksum: Hasher,
    /// Lock: only one part can be the next.
    _turn: OwnedMutexGuard<()>,
}

impl Appending {
    /// Returns the number of the part.
    pub(super) fn number(&self) -> usize {
        self.in_order.count() + 1
    }

    /// Completes the part, which counts from now on.
    pub(super) fn keep(self) -> io::Result<()> {
        let mut ends = File::options().create(true).truncate(false).write(true).open(self.in_order.ends())?;
        // Remove an incomplete line first.
        let before = LINE * self.in_order.count() as u64;
        ends.set_len(before)?;
        ends.seek(SeekFrom::Start(before))?;
        ends.write_all(line(self.end, self.checksum.finalize()).as_bytes())
    }
}

impl Write for Appending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.checksum.update(&bytes[..written]);
        self.end += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn line(end: u64, checksum: u32) -> String {
    format!("{end:020} {checksum:08x}\n")
}

fn read_line(line: &str) -> Option<Part> {
    let (end, checksum) = line.split_once(' ')?;
    Some(Part { end: end.parse().ok()?, checksum: u32::from_str_radix(checksum, 16).ok()? })
}
