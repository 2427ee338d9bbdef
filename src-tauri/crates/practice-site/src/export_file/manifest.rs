//! `manifest.json`, the last entry of every archive: lists the other entries with size and hash.

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(super) const MANIFEST: &str = "manifest.json";
pub(super) const PORTAL_FORMAT: &str = "practice-site portal export";
pub(super) const SERVER_FORMAT: &str = "practice-site server export";
/// Increases if older versions cannot read the archive.
pub(super) const FORMAT_VERSION: u32 = 1;

#[derive(Serialize)]
pub(super) struct Manifest {
    pub(super) format: String,
    pub(super) version: u32,
    pub(super) created: i64,
    pub(super) counts: Value,
    pub(super) entries: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) size: u64,
    pub(super) sha256: String,
}

/// Fields of the manifest that an import requires. Other fields are ignored.
#[derive(Deserialize)]
pub(super) struct ReadManifest {
    pub(super) format: String,
    pub(super) version: u32,
    pub(super) entries: Vec<Entry>,
}
