//! The data descriptor of an entry: its checksum and sizes once more, after its content.
//!
//! An archive that is written as a stream has a descriptor after each entry, because sizes and checksum are not known
//! before. Programs that read the archive as a stream use the descriptors in place of the directory, so this app
//! compares both. The library cannot: it requires a signature, and also infers 64-bit sizes from the offset of the
//! entry, which Java does not when it writes descriptors.

use std::io::{Read, Result, Seek, SeekFrom};

use zip::read::ZipFile;

const SIGNATURE: &[u8] = b"PK\x07\x08";
/// Bytes of the longest form.
const LONGEST: u64 = 24;

/// Data descriptor that an entry must have according to the directory.
pub(super) struct Descriptor {
    /// Place in the file, in bytes.
    at: u64,
    crc32: u32,
    compressed: u64,
    size: u64,
}

impl Descriptor {
    /// Returns the descriptor that an entry must have; `None` if its flags say that it has none.
    pub(super) fn of<R: Read>(entry: &ZipFile<'_, R>) -> Option<Self> {
        let at = entry.data_start()?.checked_add(entry.compressed_size())?;
        let has_one = entry.flags().is_using_data_descriptor();
        has_one.then(|| Self {
            at,
            crc32: entry.crc32(),
            compressed: entry.compressed_size(),
            size: entry.size(),
        })
    }

    /// Returns whether the file has the descriptor at its place, in one of its forms: with or without a signature, and
    /// with sizes of 32 or 64 bits.
    pub(super) fn is_in(&self, file: &mut (impl Read + Seek)) -> Result<bool> {
        let mut found = Vec::new();
        file.seek(SeekFrom::Start(self.at))?;
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
