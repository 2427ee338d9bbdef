//! Whether a file is a whole ZIP archive, seen at its two ends.

use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use sha2::{Digest, Sha256};
use steward_client::Ends;

use crate::model::saved_file::SavedFile;

/// What is wrong with a file that should be an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArchiveFault {
    /// It has no content.
    Empty,
    /// It does not begin like an archive.
    NoArchive,
    /// Its end, or something before it, is missing.
    Cut,
    /// It is an archive with nothing in it.
    NoEntries,
    /// It is on this computer, and not what was received.
    Changed,
}

const LOCAL: &[u8] = b"PK\x03\x04";
const END: &[u8] = b"PK\x05\x06";
const END_64: &[u8] = b"PK\x06\x06";
const END_64_LOCATOR: &[u8] = b"PK\x06\x07";
/// Bytes of the record at the end, without its comment.
const END_LENGTH: usize = 22;
const LOCATOR_LENGTH: usize = 20;
/// Bytes of the last part of a file that are looked at.
const TAIL: u64 = 22 + 65_535;

/// How many entries an archive has, by its own directory. The directory must lie inside the file: where bytes are
/// missing it does not.
pub(crate) fn entries(ends: &Ends) -> Result<u64, ArchiveFault> {
    if ends.length == 0 {
        return Err(ArchiveFault::Empty);
    }
    if ends.head.starts_with(END) {
        return Err(ArchiveFault::NoEntries);
    }
    if !ends.head.starts_with(LOCAL) {
        return Err(ArchiveFault::NoArchive);
    }
    let tail = ends.tail.as_slice();
    if tail.len() as u64 > ends.length {
        return Err(ArchiveFault::Cut);
    }
    let end = end_record(tail).ok_or(ArchiveFault::Cut)?;
    let place = |offset: usize| ends.length - (tail.len() - offset) as u64;
    let read = |at, bytes| number(tail, at, bytes).ok_or(ArchiveFault::Cut);
    let (mut count, mut size, mut offset) = (read(end + 10, 2)?, read(end + 12, 4)?, read(end + 16, 4)?);
    let mut limit = place(end);
    if count == 0xFFFF || size == 0xFFFF_FFFF || offset == 0xFFFF_FFFF {
        let locator = end.checked_sub(LOCATOR_LENGTH).ok_or(ArchiveFault::Cut)?;
        if !tail[locator..].starts_with(END_64_LOCATOR) {
            return Err(ArchiveFault::Cut);
        }
        let before = ends.length - tail.len() as u64;
        let at = read(locator + 8, 8)?.checked_sub(before).ok_or(ArchiveFault::Cut)?;
        let at = usize::try_from(at).map_err(|_| ArchiveFault::Cut)?;
        if !tail.get(at..).is_some_and(|record| record.starts_with(END_64)) {
            return Err(ArchiveFault::Cut);
        }
        (count, size, offset) = (read(at + 32, 8)?, read(at + 40, 8)?, read(at + 48, 8)?);
        limit = place(at);
    }
    if offset.checked_add(size).is_none_or(|end| end > limit) {
        return Err(ArchiveFault::Cut);
    }
    if count == 0 { Err(ArchiveFault::NoEntries) } else { Ok(count) }
}

/// The same of a file on this computer, which must also be what was received, byte by byte.
///
/// # Errors
/// Outside when the file cannot be read, inside when it is no whole archive.
pub(crate) fn entries_of(file: &SavedFile) -> std::io::Result<Result<u64, ArchiveFault>> {
    let mut open = std::fs::File::open(Path::new(&file.path))?;
    let ends = ends_of(&mut open)?;
    let (length, found) = (ends.length, entries(&ends));
    if found.is_ok() && (length != file.size.0 || hash(&mut open)? != file.sha256) {
        return Ok(Err(ArchiveFault::Changed));
    }
    Ok(found)
}

/// Whether a file on this computer is a whole archive.
pub(crate) fn is_whole(path: &Path) -> bool {
    let ends = std::fs::File::open(path).and_then(|mut file| ends_of(&mut file));
    ends.is_ok_and(|ends| entries(&ends).is_ok())
}

/// Both ends of a file.
pub(crate) fn ends_of(file: &mut std::fs::File) -> std::io::Result<Ends> {
    let length = file.seek(SeekFrom::End(0))?;
    file.rewind()?;
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    file.by_ref().take(LOCAL.len() as u64).read_to_end(&mut head)?;
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    file.read_to_end(&mut tail)?;
    Ok(Ends { length, head, tail })
}

fn hash(file: &mut std::fs::File) -> std::io::Result<String> {
    file.seek(SeekFrom::Start(0))?;
    let (mut hash, mut piece) = (Sha256::new(), vec![0; 1 << 20]);
    loop {
        let read = file.read(&mut piece)?;
        if read == 0 {
            return Ok(crate::files::shown(hash));
        }
        hash.update(&piece[..read]);
    }
}

/// Where the last record begins: its comment must reach exactly to the end of the file.
fn end_record(tail: &[u8]) -> Option<usize> {
    (0..=tail.len().checked_sub(END_LENGTH)?).rev().find(|at| {
        tail[*at..].starts_with(END)
            && number(tail, at + 20, 2) == Some((tail.len() - at - END_LENGTH) as u64)
    })
}

/// A whole number of at most eight bytes, the smallest first.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let bytes = bytes.get(at..at + length)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An archive with one entry, `a`, that holds `b`, stored.
    fn archive() -> Vec<u8> {
        let common = b"\x14\x00\x00\x00\x00\x00\x00\x00\x00\x00\xf9\xef\xbe\x71\x01\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00";
        let local = [LOCAL, common, b"a", b"b"].concat();
        let central = [b"PK\x01\x02\x14\x00", &common[..], &[0; 14], b"a"].concat();
        let size = u32::try_from(central.len()).unwrap().to_le_bytes();
        let offset = u32::try_from(local.len()).unwrap().to_le_bytes();
        let end = [END, &[0, 0, 0, 0, 1, 0, 1, 0], &size, &offset, &[0, 0]].concat();
        [local, central, end].concat()
    }

    fn ends(file: &[u8]) -> Ends {
        let head = file.iter().copied().take(4).collect();
        Ends { length: file.len() as u64, head, tail: file.to_vec() }
    }

    #[test]
    fn a_whole_archive_has_its_entries_and_one_that_was_cut_anywhere_is_noticed() {
        let whole = archive();
        assert_eq!(entries(&ends(&whole)), Ok(1));
        for length in 0..whole.len() {
            assert!(entries(&ends(&whole[..length])).is_err(), "cut after {length} bytes");
        }
        for missing in 4..whole.len() {
            let holed = [&whole[..missing], &whole[missing + 1..]].concat();
            assert!(entries(&ends(&holed)).is_err(), "without byte {missing}");
        }
    }

    #[test]
    fn what_is_no_archive_is_named() {
        assert_eq!(entries(&ends(b"")), Err(ArchiveFault::Empty));
        assert_eq!(entries(&ends(b"{\"error\":{}}")), Err(ArchiveFault::NoArchive));
        let nothing = [END, &[0; 18]].concat();
        assert_eq!(entries(&ends(&nothing)), Err(ArchiveFault::NoEntries));
    }
}
