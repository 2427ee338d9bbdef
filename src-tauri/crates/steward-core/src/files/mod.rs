//! Files on this computer.
//!
//! A file is complete or absent: what was there before is unchanged until the new file is complete. [`download`] writes
//! server uploads, [`save`] writes bytes, [`JsonStore`] stores values, and [`dialogs`] lets the user choose paths.

pub(crate) mod archive_check;
pub(crate) mod archive_contents;
mod atomic_write;
mod background;
pub(crate) mod before_release;
pub(crate) mod daily_copies;
pub mod data_folder;
pub mod dialogs;
mod disk;
mod download_file;
pub mod dropped;
mod facts;
mod flush;
mod json_store;
mod list_separator;
mod names;
mod own_thread;
mod read;
pub mod selected_paths;
mod temporary;

pub(crate) use atomic_write::replace;
pub use atomic_write::{can_write_in, save, save_new, write_whole};
pub(crate) use background::in_background;
pub use download_file::{NotSaved, download};
pub use facts::file_facts;
pub(crate) use flush::flush;
pub use json_store::JsonStore;
pub(crate) use json_store::{Newer, decode, encode, set_aside};
pub(crate) use list_separator::list_separator;
pub(crate) use names::dated_name;
pub use names::safe_name;
pub(crate) use names::visible;
pub(crate) use own_thread::{IsAbandoned, abandoned, on_own_thread};
pub(crate) use read::{open_regular, open_to_append, read_whole};

use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::model::numbers::Bytes;
use crate::model::saved_file::SavedFile;

fn saved(path: &Path, size: u64, hash: Sha256) -> SavedFile {
    SavedFile { path: path.display().to_string(), size: Bytes(size), sha256: shown(hash) }
}

/// Bytes that are read at a time.
const PIECE: usize = 1 << 20;

/// Reads a file from its current position to its end, and returns the number of bytes and their hash.
fn hash_rest(file: &mut impl Read, is_abandoned: IsAbandoned<'_>) -> std::io::Result<(u64, Sha256)> {
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

/// Returns a hash in lower-case hexadecimal.
pub(crate) fn shown(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
