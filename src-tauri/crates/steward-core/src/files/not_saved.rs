//! Reasons why a download failed.

use std::path::{Path, PathBuf};

use steward_client::{ClientError, Stage};

use crate::model::ids::SiteId;
use crate::model::problem::Problem;

/// Reason why a download failed.
#[derive(Debug)]
pub enum NotSaved {
    /// The file could not be written on this computer.
    Here(std::io::Error),
    /// The file is complete, and could not be renamed.
    Unnamed {
        /// Error of the last attempt.
        error: std::io::Error,
        /// Path of the complete file, in the same folder.
        kept: PathBuf,
    },
    /// The site or the connection failed.
    There(ClientError),
    /// The announced length was received, and the file is empty or no complete archive.
    Half,
    /// The file ended at the same byte before its announced length, at the last two attempts.
    Short {
        /// Announced length, in bytes.
        announced: u64,
        /// Received length, in bytes.
        received: u64,
    },
}

impl NotSaved {
    /// Converts the reason to a problem of the file `path` and `site`.
    pub(crate) fn problem(&self, path: &Path, site: &SiteId) -> Problem {
        match self {
            Self::Here(error) => Problem::file(path, error),
            Self::Unnamed { error, kept } => Problem::File {
                path: path.display().to_string(),
                message: error.to_string(),
                kept: Some(kept.display().to_string()),
                full: None,
            },
            Self::There(error) => Problem::from_client(error, site),
            Self::Short { announced, received } => Problem::Unreachable {
                stage: Stage::Short,
                message: format!("received {received} bytes instead of {announced}"),
            },
            Self::Half => Problem::Unreachable {
                stage: Stage::Read,
                message: "the file is empty, or does not end where its archive ends".to_owned(),
            },
        }
    }
}
