//! Files that were saved on this computer.

use serde::{Deserialize, Serialize};

use crate::model::numbers::Bytes;
use crate::model::problem::Problem;

/// A file that is complete on this computer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SavedFile {
    /// Path of the file.
    pub path: String,
    /// Size of the file.
    pub size: Bytes,
    /// SHA-256 of its content, in lower-case hexadecimal.
    pub sha256: String,
}

/// Result of saving a file on this computer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SaveResult {
    /// The file is complete on disk.
    Saved {
        /// Path, size, and checksum.
        file: SavedFile,
    },
    /// The user closed the dialog. The content is still in memory and can be saved again.
    Dismissed,
    /// The file could not be saved. The content is still in memory and can be saved again.
    Failed {
        /// Reason why it could not be saved.
        problem: Problem,
    },
}
