//! `manifest.json`, the last entry of every archive: what the others are, and how they hash.

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(super) const MANIFEST: &str = "manifest.json";
pub(super) const PORTAL_FORMAT: &str = "practice-site portal export";
pub(super) const SERVER_FORMAT: &str = "practice-site server export";
/// Goes up when an older site could not read the archive any more.
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

/// The manifest as far as an import needs it. Whatever else stands there is skipped, not kept.
#[derive(Deserialize)]
pub(super) struct ReadManifest {
    pub(super) format: String,
    pub(super) version: u32,
    pub(super) entries: Vec<Entry>,
}
