//! What stands at an entry of an archive, which must be what the directory states: readers differ in which of both they believe.
//!
//! Before the content are its name and how it is stored, and its checksum and sizes. An archive that is written as a stream has those
//! after the content instead, in a data descriptor. The library compares no descriptor, and takes another time of the last change for
//! a contradiction: Java writes both times from one object, which a program may change in between, and no import depends on them.

use std::io::{Error, Read, Result, Seek, SeekFrom};

use zip::read::ZipFile;

const SIGNATURE: &[u8] = b"PK\x07\x08";
/// Bytes of the longest form of a data descriptor.
const LONGEST: u64 = 24;
/// Flags of an entry that change how it is read: encrypted, and followed by a data descriptor.
const FLAGS: u8 = 0b1001;
/// Size that stands for one of 64 bits, in the extra field of this number.
const WIDE: (u64, u64) = (0xFFFF_FFFF, 1);

/// Entry as the directory states it.
pub(super) struct Entry {
    /// Place in the file, in bytes.
    at: u64,
    /// Place of its record in the directory.
    listed_at: u64,
    has_descriptor: bool,
    crc32: u32,
    compressed: u64,
    size: u64,
}

impl Entry {
    pub(super) fn of<R: Read>(entry: &ZipFile<'_, R>) -> Self {
        Self {
            at: entry.header_start(),
            listed_at: entry.central_header_start(),
            has_descriptor: entry.flags().is_using_data_descriptor(),
            crc32: entry.crc32(),
            compressed: entry.compressed_size(),
            size: entry.size(),
        }
    }

    /// Returns whether the file has it as stated.
    pub(super) fn is_in(&self, file: &mut (impl Read + Seek)) -> Result<bool> {
        let (listed, listed_name, _) = record::<46>(file, self.listed_at, 28)?;
        let (head, name, extra) = record::<30>(file, self.at, 26)?;
        // The library has the name of an extra field in place of the one that is there. Flags and method follow each other.
        let [is_listed, is_here] = [&listed[8..12], &head[6..10]].map(|of| (of[0] & FLAGS, of[2], of[3]));
        let sizes = [14, 18, 22].map(|at| number(&head, at, 4).unwrap_or_default());
        let is_stated = (is_listed, listed_name) == (is_here, name) && self.has_sizes(sizes, &extra);
        if !is_stated || !self.has_descriptor {
            return Ok(is_stated);
        }
        // The extra fields end where the content begins.
        file.seek(SeekFrom::Current(i64::try_from(self.compressed).map_err(Error::other)?))?;
        self.is_described(file)
    }

    /// Returns whether checksum and sizes before the content are those of the directory, or are left to the data descriptor.
    fn has_sizes(&self, [crc32, compressed, size]: [u64; 3], extra: &[u8]) -> bool {
        let mut wide = wide_sizes(extra);
        let [size, compressed] =
            [size, compressed].map(|one| if one == WIDE.0 { wide.next().unwrap_or(one) } else { one });
        let stated = [(crc32, u64::from(self.crc32)), (compressed, self.compressed), (size, self.size)];
        stated.iter().all(|(here, stated)| here == stated || self.has_descriptor && *here == 0)
    }

    /// Returns whether the file has its data descriptor there, in one of its forms: with a signature or without, and with sizes of 32
    /// or 64 bits.
    fn is_described(&self, file: &mut impl Read) -> Result<bool> {
        let mut found = Vec::new();
        file.take(LONGEST).read_to_end(&mut found)?;
        let crc32 = &self.crc32.to_le_bytes()[..];
        let long = [crc32, &self.compressed.to_le_bytes(), &self.size.to_le_bytes()].concat();
        let short = match (u32::try_from(self.compressed), u32::try_from(self.size)) {
            (Ok(compressed), Ok(size)) => {
                Some([crc32, &compressed.to_le_bytes(), &size.to_le_bytes()].concat())
            }
            _ => None,
        };
        let found = [Some(found.as_slice()), found.strip_prefix(SIGNATURE)];
        let is_there = |form: &[u8]| found.iter().flatten().any(|found| found.starts_with(form));
        Ok(is_there(&long) || short.is_some_and(|short| is_there(&short)))
    }
}

/// Returns the record at a place: its fields, its name, and its extra fields. `lengths` is where it has the lengths of both.
fn record<const FIELDS: usize>(
    file: &mut (impl Read + Seek),
    at: u64,
    lengths: usize,
) -> Result<([u8; FIELDS], Vec<u8>, Vec<u8>)> {
    let mut fields = [0; FIELDS];
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut fields)?;
    let [of_name, of_extra] = [0, 2].map(|by| number(&fields, lengths + by, 2).unwrap_or_default());
    let (mut name, mut extra) = (Vec::new(), Vec::new());
    file.by_ref().take(of_name).read_to_end(&mut name)?;
    file.by_ref().take(of_extra).read_to_end(&mut extra)?;
    Ok((fields, name, extra))
}

/// Returns the sizes of 64 bits in the extra fields of an entry: of the content, and of what is stored of it.
fn wide_sizes(mut extra: &[u8]) -> impl Iterator<Item = u64> {
    let mut found = Vec::new();
    while let (Some(kind), Some(length)) = (number(extra, 0, 2), number(extra, 2, 2)) {
        let end = 4 + length as usize;
        if kind == WIDE.1 {
            found.extend([4, 12].into_iter().filter_map(|at| number(extra.get(..end)?, at, 8)));
        }
        extra = extra.get(end..).unwrap_or_default();
    }
    found.into_iter()
}

/// Reads a little-endian number of at most 8 bytes; `None` past the end of `bytes`.
pub(super) fn number(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let bytes = bytes.get(at..at + length)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}
