//! Files on this computer: complete or absent, and what was there before is untouched until the new one is whole.

mod disk;
mod names;
mod temporary;
mod transfer;
mod whole;

pub(crate) use names::dated_name;
pub use names::safe_name;
pub(crate) use names::visible;
pub use transfer::{NotSaved, download};
pub use whole::{can_write_in, save, save_new, write_whole};

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::views::numbers::Bytes;
use crate::views::saved_file::SavedFile;

fn saved(path: &Path, size: u64, hash: Sha256) -> SavedFile {
    SavedFile { path: path.display().to_string(), size: Bytes(size), sha256: shown(hash) }
}

/// A hash as [`SavedFile`] shows it.
pub(crate) fn shown(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
