//! The data descriptor of an entry: its checksum and sizes once more, after its content.
//!
//! An archive that is written as a stream has one after each entry, because they are not known before it. Who reads it as a stream
//! believes them, and not the directory. The library reads them only with a signature, and tells 64-bit ones by the place of
//! the entry too, which those of Java are not by.

use std::io::{Read, Result, Seek, SeekFrom};

use zip::read::ZipFile;

const SIGNATURE: &[u8] = b"PK\x07\x08";
/// Bytes of the longest form.
const LONGEST: u64 = 24;

/// Data descriptor as it must be by the directory.
pub(super) struct Descriptor {
    /// Place in the file, in bytes.
    at: u64,
    crc32: u32,
    compressed: u64,
    size: u64,
}

impl Descriptor {
    /// Returns the one that an entry must have; `None` if it has none by its flags.
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

    /// Returns whether the file has it there, in one of its forms: with a signature or without, and with sizes of 32 or 64 bits.
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
