//! A file that this program saved.

use serde::{Deserialize, Serialize};

use crate::model::numbers::Bytes;
use crate::model::problem::Problem;

/// A file that is complete on this computer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SavedFile {
    /// Where it is.
    pub path: String,
    /// Its size.
    pub size: Bytes,
    /// SHA-256 of its content, in lower-case hexadecimal.
    pub sha256: String,
}

/// What became of a file that should be saved on this computer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Saving {
    /// It is complete on disk.
    Saved {
        /// Where and what.
        file: SavedFile,
    },
    /// The dialog was closed. The content is still in hand and can be saved again.
    Dismissed,
    /// It could not be saved. The content is still in hand and can be saved again.
    Failed {
        /// Why.
        problem: Problem,
    },
}
