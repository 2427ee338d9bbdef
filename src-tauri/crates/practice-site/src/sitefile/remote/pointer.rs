//! The file at `location` when the content is in a store: where that is, and what it must hash to.

use super::Whereabouts;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

const FORMAT: &str = "practice-site export pointer";
/// Longer files are no pointers.
const LONGEST: u64 = 64 * 1024;

/// Leads from the export's folder to its content. Holds no credential.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Pointer {
    format: String,
    version: u32,
    #[serde(flatten)]
    pub(super) whereabouts: Whereabouts,
    pub(super) object: String,
    pub(super) size: u64,
    pub(super) sha256: String,
}

impl Pointer {
    pub(super) fn new(whereabouts: Whereabouts, object: String, size: u64, sha256: String) -> Pointer {
        Pointer { format: FORMAT.to_owned(), version: 1, whereabouts, object, size, sha256 }
    }

    /// The pointer in `file`, when it is one and not an archive.
    pub(crate) fn read(file: &Path) -> Option<Pointer> {
        let mut text = String::new();
        File::open(file).ok()?.take(LONGEST).read_to_string(&mut text).ok()?;
        let pointer: Pointer = serde_json::from_str(&text).ok()?;
        (pointer.format == FORMAT && pointer.version == 1).then_some(pointer)
    }
}
