//! What the ZIP library may read of an archive: everything up to the end of its directory.
//!
//! The library looks for a directory by itself. It would find another one in a comment, search all of the file for its
//! beginning, and allocate as many entries as that one declares.

use std::cell::RefCell;
use std::io::{Error, Read, Result, Seek, SeekFrom};

/// Directory of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Directory {
    /// Number of entries.
    pub(crate) entries: u64,
    /// Place in the file where it begins, in bytes.
    pub(crate) begins: u64,
    /// Its length, in bytes.
    pub(crate) size: u64,
}

/// Content of an archive up to the end of its directory, followed by end records of this app that state where it is.
pub(super) struct ArchiveView<R> {
    content: R,
    /// Place where the directory ends and the records begin, in bytes.
    end: u64,
    records: Vec<u8>,
    at: u64,
}

impl<R: Read + Seek> ArchiveView<R> {
    /// Limits `content` to an archive with this directory.
    pub(super) fn of(content: R, directory: Directory) -> Self {
        let end = directory.begins + directory.size;
        Self { content, end, records: records(directory, end), at: 0 }
    }
}

/// Returns the end record in its 64-bit form, its locator, and the 32-bit record that refers to them.
fn records(Directory { entries, begins, size }: Directory, end: u64) -> Vec<u8> {
    let number = |number: u64| number.to_le_bytes();
    [
        &b"PK\x06\x06"[..],
        // Length of the rest, the versions of the format, and the numbers of the disks.
        &number(44),
        &[45, 0, 45, 0],
        &[0; 8],
        &number(entries),
        &number(entries),
        &number(size),
        &number(begins),
        b"PK\x06\x07\0\0\0\0",
        &number(end),
        &[1, 0, 0, 0],
        b"PK\x05\x06\0\0\0\0",
        &[0xFF; 12],
        &[0, 0],
    ]
    .concat()
}

impl<R: Read + Seek> Read for ArchiveView<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let read = match self.end.checked_sub(self.at) {
            Some(left @ 1..) => {
                self.content.seek(SeekFrom::Start(self.at))?;
                self.content.by_ref().take(left).read(buffer)?
            }
            _ => {
                let within = usize::try_from(self.at - self.end).map_err(Error::other)?;
                self.records.get(within..).unwrap_or_default().read(buffer)?
            }
        };
        self.at += read as u64;
        Ok(read)
    }
}

impl<R> Seek for ArchiveView<R> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => (self.end + self.records.len() as u64).checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or_else(|| Error::other("before the beginning of the file"))?;
        Ok(self.at)
    }
}

/// A file that several views read in turn. Each view seeks before it reads.
pub(super) struct Shared<'a, R>(pub(super) &'a RefCell<R>);

impl<R: Read> Read for Shared<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.0.borrow_mut().read(buffer)
    }
}

impl<R: Seek> Seek for Shared<'_, R> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        self.0.borrow_mut().seek(to)
    }
}
