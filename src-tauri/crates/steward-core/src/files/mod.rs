//! Files on this computer.
//!
//! A file is complete or absent: what was there before is unchanged until the new file is complete. [`download`] writes
//! server uploads, [`save`] writes bytes, [`JsonStore`] stores values, and [`dialogs`] lets the user choose paths.

pub(crate) mod archive_check;
pub(crate) mod archive_contents;
mod atomic_write;
mod background;
pub(crate) mod before_release;
pub mod data_folder;
pub mod dialogs;
mod disk;
mod download_file;
pub mod dropped;
mod facts;
mod flush;
mod json_store;
mod names;
pub mod selected_paths;
mod temporary;

pub use atomic_write::{can_write_in, save, save_new, write_whole};
pub(crate) use background::in_background;
pub use download_file::{NotSaved, download};
pub use facts::file_facts;
pub(crate) use flush::flush;
pub use json_store::JsonStore;
pub(crate) use json_store::{decode, encode};
pub(crate) use names::dated_name;
pub use names::safe_name;
pub(crate) use names::visible;

use std::fs::File;
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
fn hash_rest(file: &mut File) -> std::io::Result<(u64, Sha256)> {
    let (mut size, mut hash, mut piece) = (0, Sha256::new(), vec![0; PIECE]);
    loop {
        let read = file.read(&mut piece)?;
        if read == 0 {
            return Ok((size, hash));
        }
        hash.update(&piece[..read]);
        size += read as u64;
    }
}

/// Returns a hash in lower-case hexadecimal.
pub(crate) fn shown(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
