//! Checks that a file is a complete ZIP archive.
//!
//! [`entries`] reads the two ends of a file, which is all that is downloaded of a server upload. [`read`] reads a file on this
//! disk completely, and compares each entry with its checksum.

use std::cell::RefCell;
use std::fs::{File, Metadata};
use std::io::{BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

use sha2::{Digest as _, Sha256};
use steward_client::FileEnds;
use zip::ZipArchive;
use zip::result::ZipError;

use super::archive_entry::{Entry, number};
use super::archive_view::{ArchiveView, Directory, Shared};
use super::export_kind::Recognized;
use super::hash::{read_to_end, shown};
use super::{IsAbandoned, abandoned, open_regular};
use crate::model::export_verification::ArchiveFault;
use crate::model::numbers::Millis;
use crate::model::saved_file::SavedFile;

/// An archive on this disk whose entries were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerifiedArchive {
    /// Number of names of entries.
    pub(crate) entries: u64,
    /// Number of entries that were not read: their compression or encryption is not supported, or another entry has the same
    /// name. The library reads only the last one of a name, and what an import reads is not known.
    pub unverified: u64,
    /// Whether the archive is an export, by the names of its entries.
    pub recognized: Recognized,
}

const LOCAL: &[u8] = b"PK\x03\x04";
const END: &[u8] = b"PK\x05\x06";
const END_64: &[u8] = b"PK\x06\x06";
const END_64_LOCATOR: &[u8] = b"PK\x06\x07";
/// Bytes of the record at the end, without its comment.
const END_LENGTH: usize = 22;
const LOCATOR_LENGTH: usize = 20;
/// Bytes of an entry of the directory, without its name.
const ENTRY_LENGTH: u64 = 46;
/// Size of the last part of a file that is read, in bytes: the end record with the longest comment.
const TAIL: u64 = 22 + 65_535;

/// Returns the number of entries of an archive, by its directory.
pub(crate) fn entries(ends: &FileEnds) -> Result<u64, ArchiveFault> {
    directory(ends).map(|directory| directory.entries)
}

/// Returns the directory of an archive. Fails if the directory is not inside the file, because bytes are missing then.
pub(crate) fn directory(ends: &FileEnds) -> Result<Directory, ArchiveFault> {
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
    // The directory must be inside the file, and long enough for its number of entries.
    if offset.checked_add(size).is_none_or(|end| end > limit) || size < count.saturating_mul(ENTRY_LENGTH) {
        return Err(ArchiveFault::Cut);
    }
    if count == 0 {
        Err(ArchiveFault::NoEntries)
    } else {
        Ok(Directory { entries: count, begins: offset, size })
    }
}

/// A file on this disk that was read completely.
#[derive(Debug)]
pub struct ReadFile {
    /// Size, in bytes.
    pub(crate) size: u64,
    /// Time of the last change of the file, read before its content; `None` if the file system does not store it.
    pub(crate) modified_at: Option<Millis>,
    /// SHA-256 of its content, in lower-case hexadecimal.
    pub(crate) sha256: String,
    /// The verified archive, or the reason why the file is not a complete one.
    pub(crate) archive: Result<VerifiedArchive, ArchiveFault>,
}

impl ReadFile {
    /// Sets the result to [`ArchiveFault::Changed`] if the file differs from what was received. A file without a
    /// directory of entries keeps its more specific fault.
    pub fn compared_with(self, sha256: &str) -> Self {
        let has_directory = !matches!(
            self.archive,
            Err(ArchiveFault::Empty | ArchiveFault::NoArchive | ArchiveFault::Cut | ArchiveFault::NoEntries)
        );
        match has_directory && self.sha256 != sha256 {
            true => Self { archive: Err(ArchiveFault::Changed), ..self },
            false => self,
        }
    }
}

/// Verifies that the file at `path` on this computer is unchanged since it was received, and compares each entry with its checksum.
///
/// # Errors
/// Those of [`read`]. The inner result is that of [`ReadFile::compared_with`].
pub fn verify(
    path: &Path,
    file: &SavedFile,
    is_abandoned: IsAbandoned<'_>,
) -> std::io::Result<Result<VerifiedArchive, ArchiveFault>> {
    Ok(read(open_regular(path)?, is_abandoned, &|_| ())?.compared_with(&file.sha256).archive)
}

/// Reads a file completely, for its hash and for the checksums of its entries. Entries in the order of the directory,
/// as archives are usually written, are read only once. `count_read` receives the number of bytes of each read that
/// were not read before; their sum is the size of the file.
///
/// # Errors
/// The error of the system if the file cannot be read. Other faults are in the result: those of [`entries`],
/// [`ArchiveFault::Implausible`] if the file cannot be an export, and [`ArchiveFault::Damaged`] if an entry cannot be
/// read, does not match its size or checksum, or differs from what the directory states.
pub fn read(
    mut open: File,
    is_abandoned: IsAbandoned<'_>,
    count_read: &dyn Fn(u64),
) -> std::io::Result<ReadFile> {
    let modified_at = modified_at(&open.metadata()?);
    let ends = ends_of(&mut open)?;
    let mut file = Hashed { file: open, at: 0, hashed: 0, hash: Sha256::new(), count_read };
    file.rewind()?;
    let file = RefCell::new(file);
    let archive = match directory(&ends) {
        Err(fault) => Err(fault),
        Ok(directory) if directory.entries > EXPORTS.entries => Err(ArchiveFault::Implausible),
        Ok(directory) => {
            let entries = directory.entries;
            match readable_entries(&file, directory, ends.length, &EXPORTS, is_abandoned) {
                Ok(read) => read.map(|Readable { names, readable, recognized }| VerifiedArchive {
                    entries: names,
                    unverified: entries.saturating_sub(readable),
                    recognized,
                }),
                Err(error) if is_abandoned() => return Err(error),
                // Only errors of the system have a number: decoders and checksums report damage.
                Err(error) if error.raw_os_error().is_some() => return Err(error),
                Err(_) => Err(ArchiveFault::Damaged),
            }
        }
    };
    let (size, sha256) = file.into_inner().finish(is_abandoned)?;
    Ok(ReadFile { size, modified_at, sha256, archive })
}

/// Returns the time of the last change of a file; `None` if the file system does not store it.
#[must_use]
pub fn modified_at(file: &Metadata) -> Option<Millis> {
    let at = jiff::Timestamp::try_from(file.modified().ok()?).ok()?;
    Some(Millis(at.as_millisecond()))
}

/// A file that is hashed while it is read. Each byte is hashed once, when a read reaches it in the order of the file.
struct Hashed<'a> {
    file: File,
    /// Place of the next read.
    at: u64,
    /// Place up to which the file is hashed.
    hashed: u64,
    hash: Sha256,
    count_read: &'a dyn Fn(u64),
}

impl Hashed<'_> {
    /// Reads what was not hashed yet, and returns the size of the file and its hash.
    fn finish(mut self, is_abandoned: IsAbandoned<'_>) -> std::io::Result<(u64, String)> {
        self.seek(SeekFrom::Start(self.hashed))?;
        read_to_end(&mut self, is_abandoned, |_| Ok(()))?;
        Ok((self.hashed, shown(self.hash)))
    }
}

impl Read for Hashed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.file.read(buffer)?;
        let end = self.at + read as u64;
        let known = self.hashed.checked_sub(self.at).and_then(|known| usize::try_from(known).ok());
        if let Some(new) = known.and_then(|known| buffer[..read].get(known..)) {
            self.hash.update(new);
            self.hashed = end.max(self.hashed);
            (self.count_read)(new.len() as u64);
        }
        self.at = end;
        Ok(read)
    }
}

impl Seek for Hashed<'_> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.at = self.file.seek(to)?;
        Ok(self.at)
    }
}

/// Limits of what an archive may expand to. They bound the time of the check: nothing of the content is kept.
struct Limits {
    /// Bytes that every archive may expand to.
    always: u64,
    /// Factor of its own size up to which an archive may expand, if that is more than `always`.
    ratio: u64,
    /// Bytes that no content may exceed.
    total: u64,
    /// Entries of an archive. The library keeps all of them in memory.
    entries: u64,
}

/// Limits of exports. A false alarm rejects a backup, and a long check can be stopped, so no real export may exceed them:
/// deflate, which servers use, reaches 1,032 times at most, other methods reach that only with content that is all the
/// same, and the largest known exports have some 100 GB and 500,000 entries.
const EXPORTS: Limits =
    Limits { always: 10_000_000_000, ratio: 1_032, total: 4_000_000_000_000, entries: 4_000_000 };

impl Limits {
    /// Returns how many bytes an archive of `length` bytes may expand to.
    fn of(&self, length: u64) -> u64 {
        length.saturating_mul(self.ratio).max(self.always).min(self.total)
    }
}

/// Entries that were read.
#[derive(Debug, PartialEq, Eq)]
struct Readable {
    /// Number of different names.
    names: u64,
    /// Number of those that match their checksums.
    readable: u64,
    /// Whether the archive is an export, by the names so far.
    recognized: Recognized,
}

/// Reads all entries to their ends, where the library compares their checksums, and counts them. What the directory states of an
/// entry is compared with what stands there. The inner result is
/// [`ArchiveFault::Implausible`] if entries share bytes, expand to more than the limits, or have names that lead out of the
/// folder that they are extracted to.
fn readable_entries(
    file: &RefCell<impl Read + Seek>,
    directory: Directory,
    length: u64,
    limits: &Limits,
    is_abandoned: IsAbandoned<'_>,
) -> std::io::Result<Result<Readable, ArchiveFault>> {
    let view = || ArchiveView::of(Shared(file), directory);
    let mut beside = view();
    let mut archive = ZipArchive::new(BufReader::new(view())).map_err(io_error)?;
    if archive.has_overlapping_entries().map_err(io_error)? {
        return Ok(Err(ArchiveFault::Implausible));
    }
    if archive.file_names().flatten().any(|name| leads_out(&name)) {
        return Ok(Err(ArchiveFault::Implausible));
    }
    let (mut readable, mut left) = (0, limits.of(length));
    for index in 0..archive.len() {
        if is_abandoned() {
            return Err(abandoned());
        }
        let entry = match archive.by_index(index).map_err(io_error) {
            Ok(entry) => entry,
            Err(error) if error.kind() == ErrorKind::Unsupported => continue,
            Err(error) => return Err(error),
        };
        let (size, stated) = (entry.size(), Entry::of(&entry));
        let Some(rest) = left.checked_sub(size) else { return Ok(Err(ArchiveFault::Implausible)) };
        left = rest;
        // Read one byte more than declared: the library checks the checksum only at the end, and an entry that is
        // longer than declared is not read further.
        let read = read_to_end(&mut entry.take(size.saturating_add(1)), is_abandoned, |_| Ok(()));
        match read {
            Ok(read) if read == size => readable += 1,
            Ok(_) => return Err(ErrorKind::InvalidData.into()),
            Err(error) if error.kind() == ErrorKind::Unsupported => continue,
            Err(error) => return Err(error),
        }
        if !stated.is_in(&mut beside)? {
            return Err(ErrorKind::InvalidData.into());
        }
    }
    let recognized = Recognized::by(archive.file_names().flatten());
    Ok(Ok(Readable { names: archive.len() as u64, readable, recognized }))
}

/// Returns whether a name of an entry leads out of the folder that an archive is extracted to, on any system.
fn leads_out(name: &str) -> bool {
    let has_drive = matches!(name.as_bytes(), [drive, b':', ..] if drive.is_ascii_alphabetic());
    has_drive || name.starts_with(['/', '\\']) || name.split(['/', '\\']).any(|part| part == "..")
}

/// Converts an error of the library. An error of the system stays unchanged.
fn io_error(error: ZipError) -> std::io::Error {
    match error {
        ZipError::Io(error) => error,
        other => other.into(),
    }
}

/// Returns whether a file on this computer is a complete archive. `false` if it cannot be read.
pub(crate) fn is_whole(path: &Path) -> bool {
    let ends = open_regular(path).and_then(|mut file| ends_of(&mut file));
    ends.is_ok_and(|ends| entries(&ends).is_ok())
}

/// Returns the beginning and the end of a file.
pub(crate) fn ends_of(file: &mut File) -> std::io::Result<FileEnds> {
    let length = file.seek(SeekFrom::End(0))?;
    file.rewind()?;
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    file.by_ref().take(LOCAL.len() as u64).read_to_end(&mut head)?;
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    file.read_to_end(&mut tail)?;
    Ok(FileEnds { length, head, tail })
}

/// Returns the offset of the end record. Its comment must reach exactly to the end of the file.
fn end_record(tail: &[u8]) -> Option<usize> {
    (0..=tail.len().checked_sub(END_LENGTH)?).rev().find(|at| {
        tail[*at..].starts_with(END)
            && number(tail, at + 20, 2) == Some((tail.len() - at - END_LENGTH) as u64)
    })
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write as _};

    use zip::write::SimpleFileOptions;
    use zip::{CompressionMethod, ZipWriter};

    use super::*;
    use crate::model::saved_file::SaveResult;

    /// Returns an archive with one stored entry, `a`, with the content `b`.
    fn archive() -> Vec<u8> {
        let common = b"\x14\x00\x00\x00\x00\x00\x00\x00\x00\x00\xf9\xef\xbe\x71\x01\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00";
        let local = [LOCAL, common, b"a", b"b"].concat();
        let central = [b"PK\x01\x02\x14\x00", &common[..], &[0; 14], b"a"].concat();
        let size = u32::try_from(central.len()).unwrap().to_le_bytes();
        let offset = u32::try_from(local.len()).unwrap().to_le_bytes();
        let end = [END, &[0, 0, 0, 0, 1, 0, 1, 0], &size, &offset, &[0, 0]].concat();
        [local, central, end].concat()
    }

    fn ends(file: &[u8]) -> FileEnds {
        let head = file.iter().copied().take(4).collect();
        FileEnds { length: file.len() as u64, head, tail: file.to_vec() }
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
    fn a_directory_that_is_too_short_for_its_entries_is_cut() {
        let mut short = archive();
        let count = short.len() - END_LENGTH + 10;
        short[count] = 200;
        assert_eq!(entries(&ends(&short)), Err(ArchiveFault::Cut));
    }

    #[test]
    fn what_is_no_archive_is_named() {
        assert_eq!(entries(&ends(b"")), Err(ArchiveFault::Empty));
        assert_eq!(entries(&ends(b"{\"error\":{}}")), Err(ArchiveFault::NoArchive));
        let nothing = [END, &[0; 18]].concat();
        assert_eq!(entries(&ends(&nothing)), Err(ArchiveFault::NoEntries));
    }

    const METHODS: [CompressionMethod; 3] =
        [CompressionMethod::Stored, CompressionMethod::Deflated, CompressionMethod::Zstd];

    /// Returns an archive with one entry of each method, and the offset of the data of each.
    fn archive_of_each_method() -> (Vec<u8>, Vec<usize>) {
        // Incompressible, so that a changed byte of the data is a changed byte of the entry.
        let incompressible: Vec<u8> = (0..8_u8).flat_map(|number| Sha256::digest([number])).collect();
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for method in METHODS {
            let options = SimpleFileOptions::default().compression_method(method);
            writer.start_file(method.to_string(), options).unwrap();
            writer.write_all(&incompressible).unwrap();
        }
        let mut archive = ZipArchive::new(writer.finish().unwrap()).unwrap();
        let starts = (0..METHODS.len()).map(|index| {
            let entry = archive.by_index_raw(index).unwrap();
            usize::try_from(entry.data_start().unwrap()).unwrap()
        });
        let starts = starts.collect();
        (archive.into_inner().into_inner(), starts)
    }

    fn verified(bytes: &[u8]) -> Result<VerifiedArchive, ArchiveFault> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("city.agssite");
        let SaveResult::Saved { file } = crate::files::save(&path, bytes) else { panic!("not saved") };
        verify(&path, &file, &|| false).unwrap()
    }

    #[test]
    fn an_entry_of_any_method_that_differs_from_its_checksum_is_damage() {
        let (whole, starts) = archive_of_each_method();
        assert_eq!(
            verified(&whole),
            Ok(VerifiedArchive { entries: 3, unverified: 0, recognized: Recognized::default() })
        );
        for (method, start) in METHODS.iter().zip(starts) {
            let mut damaged = whole.clone();
            damaged[start + 128] ^= 1;
            assert!(entries(&ends(&damaged)).is_ok(), "its ends tell nothing");
            assert_eq!(verified(&damaged), Err(ArchiveFault::Damaged), "{method}");
        }
    }

    #[test]
    fn an_entry_of_a_method_that_is_not_supported_is_counted_and_no_damage() {
        let (mut archive, _) = archive_of_each_method();
        // Change the method of the first entry, before the entry and in the directory.
        let directory = archive.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
        for place in [8, directory + 10] {
            archive[place..place + 2].copy_from_slice(&12_u16.to_le_bytes());
        }

        assert_eq!(
            verified(&archive),
            Ok(VerifiedArchive { entries: 3, unverified: 1, recognized: Recognized::default() })
        );
    }

    /// Archives entries of these sizes, which contain nothing but zeros.
    fn zeros(method: CompressionMethod, sizes: &[usize]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (number, size) in sizes.iter().enumerate() {
            let options = SimpleFileOptions::default().compression_method(method);
            writer.start_file(number.to_string(), options).unwrap();
            writer.write_all(&vec![0; *size]).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    /// Offsets of the records of the directory.
    fn directory_of(archive: &[u8]) -> Vec<usize> {
        let all = archive.windows(4).enumerate().filter(|(_, bytes)| *bytes == b"PK\x01\x02");
        all.map(|(at, _)| at).collect()
    }

    #[test]
    fn content_that_compresses_as_well_as_deflate_can_is_whole() {
        let archive = zeros(CompressionMethod::Deflated, &[1 << 26]);
        assert!(archive.len() * 1_000 < 1 << 26, "{}", archive.len());

        assert_eq!(
            verified(&archive),
            Ok(VerifiedArchive { entries: 1, unverified: 0, recognized: Recognized::default() })
        );
    }

    #[test]
    fn another_directory_in_the_comment_is_not_read() {
        let intact = archive();
        let [record] = directory_of(&intact)[..] else { panic!("one entry") };
        let mut archive = intact.clone();
        // The checksum in the directory that servers read.
        archive[record + 16] ^= 1;
        let mut other = intact[record..].to_vec();
        let end = other.len() - END_LENGTH;
        other[end + 16..end + 20].copy_from_slice(&u32::try_from(archive.len()).unwrap().to_le_bytes());
        other.push(b'.');
        let length_of_comment = archive.len() - 2;
        archive.truncate(length_of_comment);
        archive.extend(u16::try_from(other.len()).unwrap().to_le_bytes());
        archive.extend(&other);

        assert_eq!(verified(&archive), Err(ArchiveFault::Damaged));
    }

    #[test]
    fn entries_that_share_bytes_are_no_export() {
        let mut archive = zeros(CompressionMethod::Deflated, &[1 << 20, 1 << 20]);
        let [first, second] = directory_of(&archive)[..] else { panic!("two entries") };
        // The second entry begins where the first one does.
        archive.copy_within(first + 42..first + 46, second + 42);

        assert_eq!(verified(&archive), Err(ArchiveFault::Implausible));
    }

    #[test]
    fn two_entries_of_one_name_are_one_entry_that_is_not_wholly_verified() {
        let mut archive = zeros(CompressionMethod::Stored, &[10, 10, 20]);
        let [_, second, third] = directory_of(&archive)[..] else { panic!("three entries") };
        // Change the name of the second entry, before the entry and in the directory.
        let local = archive.windows(4).enumerate().filter(|(_, bytes)| *bytes == LOCAL).nth(1).unwrap().0;
        for place in [local + 30, second + 46] {
            archive[place] = b'2';
        }
        assert_eq!(archive[third + 46], b'2');

        assert_eq!(
            verified(&archive),
            Ok(VerifiedArchive { entries: 2, unverified: 1, recognized: Recognized::default() })
        );
    }

    #[test]
    fn an_archive_expands_up_to_the_limits_and_no_further() {
        let archive = zeros(CompressionMethod::Zstd, &[100_000, 100_000]);
        let length = archive.len() as u64;
        assert!(length < 1_000, "{length}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.agssite");
        std::fs::write(&path, &archive).unwrap();
        let read = |always, ratio, total| {
            let limits = Limits { always, ratio, total, entries: 2 };
            let mut file = File::open(&path).unwrap();
            let directory = directory(&ends_of(&mut file).unwrap()).unwrap();
            readable_entries(&RefCell::new(file), directory, length, &limits, &|| false).unwrap()
        };

        let both = Ok(Readable { names: 2, readable: 2, recognized: Recognized::default() });
        assert_eq!(read(200_000, 1, 200_000), both);
        assert_eq!(read(0, 200_000 / length + 1, 200_000), both);
        assert_eq!(read(199_999, 1, 200_000), Err(ArchiveFault::Implausible), "its size and the ratio");
        assert_eq!(read(200_000, 1, 199_999), Err(ArchiveFault::Implausible), "the total");
    }

    #[test]
    fn an_entry_that_is_not_as_long_as_it_declares_is_damage() {
        for declared in [1_u32, 1 << 21] {
            let mut archive = zeros(CompressionMethod::Deflated, &[1 << 20]);
            let record = directory_of(&archive)[0];
            archive[record + 24..record + 28].copy_from_slice(&declared.to_le_bytes());

            assert_eq!(verified(&archive), Err(ArchiveFault::Damaged), "{declared}");
        }
    }

    #[test]
    fn an_abandoned_check_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("city.agssite");
        let archive = zeros(CompressionMethod::Deflated, &[1 << 26]);
        let SaveResult::Saved { file } = crate::files::save(&path, &archive) else { panic!("not saved") };
        // After the pieces of the hash, and some of the entry.
        for steps in [0, 1, 5] {
            let asked = std::cell::Cell::new(0);
            let is_abandoned = || asked.replace(asked.get() + 1) >= steps;

            assert!(verify(&path, &file, &is_abandoned).is_err(), "after {steps}");
            assert!(asked.get() <= steps + 2, "it went on: {} of {steps}", asked.get());
        }
    }

    #[test]
    fn a_file_is_read_once_for_its_hash_and_its_entries() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("city.agssite");
        let whole = zeros(CompressionMethod::Stored, &[3 << 20, 5, 2 << 20]);
        let mut damaged = whole.clone();
        damaged[100] ^= 1;
        // The directory names its entries in another order than they are in the file.
        let mut turned = whole.clone();
        let [first, second, third] = directory_of(&whole)[..] else { panic!("three entries") };
        let end = whole.len() - END_LENGTH;
        turned[first..end]
            .copy_from_slice(&[&whole[third..end], &whole[second..third], &whole[first..second]].concat());
        for (what, bytes, is_whole) in
            [("whole", &whole, true), ("damaged", &damaged, false), ("turned", &turned, true)]
        {
            std::fs::write(&path, bytes).unwrap();
            let counted = std::cell::Cell::new(0);
            let file = File::open(&path).unwrap();
            let read = read(file, &|| false, &|read| counted.set(counted.get() + read)).unwrap();
            assert_eq!(read.sha256, crate::files::sha256(bytes), "{what}");
            assert_eq!((read.size, counted.get()), (bytes.len() as u64, bytes.len() as u64), "{what}");
            assert_eq!(read.archive.is_ok(), is_whole, "{what}: {:?}", read.archive);
        }
    }

    #[test]
    fn a_copy_that_is_not_what_was_received_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("city.agssite");
        let SaveResult::Saved { file } = crate::files::save(&path, &archive()) else { panic!("not saved") };
        std::fs::write(&path, archive_of_each_method().0).unwrap();

        assert_eq!(verify(&path, &file, &|| false).unwrap(), Err(ArchiveFault::Changed));
    }

    /// Writes an archive as a stream, as servers do: its entries are followed by their checksums and sizes.
    fn streamed(names: &[&str]) -> Vec<u8> {
        let mut writer = ZipWriter::new_stream(Vec::new());
        for name in names {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(name.repeat(40).as_bytes()).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    /// Offsets of the records before the entries.
    fn local_of(archive: &[u8]) -> Vec<usize> {
        let all = archive.windows(4).enumerate().filter(|(_, bytes)| *bytes == LOCAL);
        all.map(|(at, _)| at).collect()
    }

    #[test]
    fn another_time_of_the_last_change_before_an_entry_is_no_damage() {
        let mut archive = streamed(&["services/a.json"]);
        let local = local_of(&archive)[0];
        archive[local + 10] ^= 2;
        assert!(verified(&archive).is_ok_and(|archive| archive.unverified == 0));
    }

    #[test]
    fn an_entry_with_sizes_of_64_bits_is_compared_by_them() {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default().large_file(true);
        writer.start_file("services/a.json", options).unwrap();
        writer.write_all(b"{}").unwrap();
        let whole = writer.finish().unwrap().into_inner();
        assert!(verified(&whole).is_ok_and(|archive| archive.unverified == 0));
        let local = local_of(&whole)[0];
        assert_eq!(whole[local + 22..local + 26], [0xFF; 4]);
        let mut damaged = whole;
        damaged[local + 30 + "services/a.json".len() + 4] ^= 1;
        assert_eq!(verified(&damaged), Err(ArchiveFault::Damaged));
    }

    /// Offset of the record after the first entry.
    fn descriptor_of(archive: &[u8]) -> usize {
        archive.windows(4).position(|bytes| bytes == b"PK\x07\x08").unwrap()
    }

    #[test]
    fn an_entry_that_is_described_otherwise_in_the_directory_is_damage() {
        let whole = streamed(&["services/a.json", "services/b.json"]);
        assert!(verified(&whole).is_ok_and(|archive| archive.unverified == 0));
        let (local, directory) = (local_of(&whole)[0], directory_of(&whole)[0]);
        let descriptor = descriptor_of(&whole);
        for (what, at, bytes) in [
            ("its name", local + 31, &b"E"[..]),
            ("its name leads elsewhere", local + 30, b"../../../etc"),
            ("its method is another one", local + 8, &[0, 0]),
            ("its method is unknown", local + 8, &[99, 0]),
            ("it is encrypted", local + 6, &[9, 0]),
            ("nothing follows it", local + 6, &[0, 0]),
            ("its checksum", local + 14, &[1]),
            ("its compressed size", local + 18, &[1]),
            ("its size", local + 22, &[1]),
            ("the checksum after it", descriptor + 5, &[whole[descriptor + 5] ^ 1]),
            ("the compressed size after it", descriptor + 9, &[whole[descriptor + 9] ^ 1]),
            ("the size after it", descriptor + 13, &[whole[descriptor + 13] ^ 1]),
            ("its name in the directory", directory + 47, b"E"),
        ] {
            let mut damaged = whole.clone();
            damaged[at..at + bytes.len()].copy_from_slice(bytes);
            assert_eq!(verified(&damaged), Err(ArchiveFault::Damaged), "{what}");
        }
    }

    #[test]
    fn checksums_after_an_entry_are_read_in_each_form_that_servers_write() {
        let short = streamed(&["services/a.json"]);
        let at = descriptor_of(&short);
        let wide = |at: usize| [&short[at..at + 4], &[0; 4]].concat();
        let long = [&short[at..at + 8], &wide(at + 8), &wide(at + 12)].concat();
        for descriptor in [&short[at + 4..at + 16], &long, &long[4..]] {
            let mut archive = [&short[..at], descriptor, &short[at + 16..]].concat();
            // The directory begins later.
            let end = archive.len() - END_LENGTH;
            let begins = u32::try_from(at + descriptor.len()).unwrap();
            archive[end + 16..end + 20].copy_from_slice(&begins.to_le_bytes());

            let whole = verified(&archive);

            assert!(whole.is_ok_and(|archive| archive.unverified == 0), "{descriptor:?}");
        }
    }

    #[test]
    fn a_name_that_leads_out_of_the_folder_is_in_no_export() {
        for name in
            ["../etc", "services/../../etc", "services/..", "/etc/passwd", "..\\etc", "\\etc", "C:etc"]
        {
            assert_eq!(verified(&streamed(&[name])), Err(ArchiveFault::Implausible), "{name}");
        }
        for name in ["services/", "a..b", "services/..a", "services/a:b.json", "./a"] {
            assert!(verified(&streamed(&[name])).is_ok(), "{name}");
        }
    }
}
