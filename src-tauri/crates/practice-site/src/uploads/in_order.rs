//! The parts that come in order lie one behind the other in one file, which is the upload once it is committed: no
//! byte of it is written twice. A part that comes again, or out of order, has a file of its own.
//!
//! ```text
//! parts/in-order   parts, from the first on
//! parts/ends       for each of them a line: where it ends, and its checksum
//! ```
//!
//! Nothing of it is certain to be on the disk before the commit. What a power cut took is found out then, by the
//! checksums: the part has not arrived.

use crc32fast::Hasher;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tokio::sync::OwnedMutexGuard;

/// What is read at a time.
const BUFFER: usize = 256 * 1024;
/// Of a line in `ends`: 20 digits, 8 digits of the checksum, a space and the end of the line.
const LINE: u64 = 30;

/// What has come in order.
pub(super) struct InOrder {
    folder: PathBuf,
    parts: Vec<Part>,
}

struct Part {
    end: u64,
    checksum: u32,
}

impl InOrder {
    /// Of the upload whose parts are in this folder.
    pub(super) fn open(folder: &Path) -> io::Result<InOrder> {
        let mut in_order = InOrder { folder: folder.to_owned(), parts: Vec::new() };
        match std::fs::read_to_string(in_order.ends()) {
            Ok(lines) => in_order.parts = lines.lines().map_while(read_line).collect(),
            Err(none) if none.kind() == io::ErrorKind::NotFound => {}
            Err(cause) => return Err(cause),
        }
        Ok(in_order)
    }

    fn ends(&self) -> PathBuf {
        self.folder.join("ends")
    }

    /// The file with all of them.
    pub(super) fn path(&self) -> PathBuf {
        self.folder.join("in-order")
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.parts.len()
    }

    fn end_of(&self, count: usize) -> u64 {
        count.checked_sub(1).and_then(|last| self.parts.get(last)).map_or(0, |part| part.end)
    }

    /// Begins the next part, behind the others. What an attempt that failed left there goes.
    pub(super) fn append(self, turn: OwnedMutexGuard<()>) -> io::Result<Appending> {
        let mut file = File::options().create(true).truncate(false).write(true).open(self.path())?;
        let end = self.end_of(self.count());
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        Ok(Appending { in_order: self, file, end, checksum: Hasher::new(), _turn: turn })
    }

    /// Copies a part, and answers whether it is what had come.
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

    /// Brings all of it to the disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        let file = File::options().write(true).open(self.path())?;
        file.set_len(self.end_of(self.count()))?;
        file.sync_all()
    }
}

/// The next part while it comes. One that does not come to its end leaves nothing that counts.
pub(super) struct Appending {
    in_order: InOrder,
    file: File,
    end: u64,
    checksum: Hasher,
    /// Only one part can be the next.
    _turn: OwnedMutexGuard<()>,
}

impl Appending {
    /// The number that it has.
    pub(super) fn number(&self) -> usize {
        self.in_order.count() + 1
    }

    /// It has come to its end, and counts from now on.
    pub(super) fn keep(self) -> io::Result<()> {
        let mut ends = File::options().create(true).truncate(false).write(true).open(self.in_order.ends())?;
        // A line that was cut off goes.
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
