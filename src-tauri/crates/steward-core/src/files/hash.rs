//! Reading to the end, and SHA-256 of what was read.

use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::own_thread::{IsAbandoned, abandoned};
use crate::model::numbers::Bytes;
use crate::model::saved_file::SavedFile;

/// Returns path, size, and checksum of a complete file.
pub(super) fn saved(path: &Path, size: u64, hash: Sha256) -> SavedFile {
    SavedFile { path: path.display().to_string(), size: Bytes(size), sha256: shown(hash) }
}

/// Reads a file that was just written, and returns its path, size, and checksum.
///
/// # Errors
/// The error of the system if the file cannot be read.
pub fn hash_of(path: &Path) -> std::io::Result<SavedFile> {
    let (size, hash) = hash_rest(&mut super::open_regular(path)?, &|| false)?;
    Ok(saved(path, size, hash))
}

/// Bytes that are read at a time.
const PIECE: usize = 1 << 20;

/// Reads a file from its current position to its end, and returns the number of bytes and their hash.
pub(super) fn hash_rest(
    file: &mut impl Read,
    is_abandoned: IsAbandoned<'_>,
) -> std::io::Result<(u64, Sha256)> {
    let mut hash = Sha256::new();
    let size = read_to_end(file, is_abandoned, |piece| {
        hash.update(piece);
        Ok(())
    })?;
    Ok((size, hash))
}

/// Reads to the end, passes each piece to `take`, and returns the number of bytes. Ends early if it is abandoned.
pub(crate) fn read_to_end(
    from: &mut impl Read,
    is_abandoned: IsAbandoned<'_>,
    mut take: impl FnMut(&[u8]) -> std::io::Result<()>,
) -> std::io::Result<u64> {
    let (mut size, mut piece) = (0, vec![0; PIECE]);
    loop {
        if is_abandoned() {
            return Err(abandoned());
        }
        let read = from.read(&mut piece)?;
        if read == 0 {
            return Ok(size);
        }
        take(&piece[..read])?;
        size += read as u64;
    }
}

/// Returns the SHA-256 of bytes in lower-case hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    shown(Sha256::new_with_prefix(bytes))
}

/// Returns a hash in lower-case hexadecimal.
pub(crate) fn shown(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
