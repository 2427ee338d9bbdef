//! Pointer file at `location`, for content in object storage: location, size and hash of the object.

use crate::regular_file;
use serde::{Deserialize, Serialize};
use std::io::Read as _;
use std::path::Path;

const FORMAT: &str = "practice-site export pointer";
/// Maximum size of a pointer file, in bytes.
const LONGEST: u64 = 64 * 1024;

/// Location of object storage in a pointer file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "store", rename_all = "camelCase")]
pub(crate) enum StoreLocation {
    /// Amazon S3 bucket.
    Bucket { bucket: String, region: String },
    /// Azure blob container, by its URL.
    Container { container: String },
}

/// Location and identity of the content of an export. Contains no credential.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Pointer {
    format: String,
    version: u32,
    #[serde(flatten)]
    pub(super) store_location: StoreLocation,
    pub(super) object: String,
    pub(super) size: u64,
    pub(super) sha256: String,
}

impl Pointer {
    pub(super) fn new(store_location: StoreLocation, object: String, size: u64, sha256: String) -> Pointer {
        Pointer { format: FORMAT.to_owned(), version: 1, store_location, object, size, sha256 }
    }

    /// Reads a pointer. `None` if the file is not a pointer file, for example an archive.
    pub(crate) fn read(file: &Path) -> Option<Pointer> {
        let mut text = String::new();
        regular_file::open(file).ok()?.take(LONGEST).read_to_string(&mut text).ok()?;
        let pointer: Pointer = serde_json::from_str(&text).ok()?;
        (pointer.format == FORMAT && pointer.version == 1).then_some(pointer)
    }
}
