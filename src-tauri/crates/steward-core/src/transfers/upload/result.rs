//! Results of uploads, and what identifies an upload to resume.

use serde::{Deserialize, Serialize};
use steward_client::ClientError;

use crate::history::note::Note;
use crate::model::numbers::Bytes;
use crate::model::problem::Problem;

/// Identifier of a server upload, complete or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct UploadId(pub String);

/// An upload that is not complete, and can be resumed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UnfinishedUpload {
    /// Identifier of the upload.
    pub item: UploadId,
    /// Path of the local file.
    pub path: String,
    /// Size of the file.
    pub size: Bytes,
    /// Bytes that the server has received.
    pub done: Bytes,
}

/// Result of an upload. A closed dialog and Stop are results, not problems.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum UploadEnd {
    /// The server stored the file.
    Uploaded {
        /// Identifier for an import.
        item: UploadId,
        /// File name.
        name: String,
        /// Size of the file.
        size: Bytes,
    },
    /// The user closed the dialog. Nothing was sent.
    Dismissed,
    /// The user pressed Stop.
    Stopped {
        /// Upload to resume; `null` if there is none.
        unfinished: Option<UnfinishedUpload>,
    },
    /// The upload failed.
    Failed {
        /// Reason.
        problem: Problem,
        /// Upload to resume; `null` if there is none.
        unfinished: Option<UnfinishedUpload>,
        /// Whether smaller parts might succeed, because a web server or a proxy rejected the request for its length.
        too_long: bool,
    },
    /// The request that registers or completes the upload was sent without a response, and the file was not found on
    /// the server.
    Unknown {
        /// Reason why no response was received; `null` after Stop.
        problem: Option<Problem>,
        /// Upload to resume, unless the server has the file; `null` if there is none.
        unfinished: Option<UnfinishedUpload>,
    },
}

/// Reason why an upload did not succeed.
pub(super) enum Fault {
    /// The file cannot be read, or changed meanwhile.
    Here(std::io::Error),
    /// The server or the connection failed, and the server does not have the file.
    There(ClientError),
    /// No response was received to the request that registers or completes it. The server might have an upload.
    Unseen(ClientError),
    /// The server confirmed the upload, and stored something else.
    Stored(Problem),
    /// The site became read-only, was removed, or lost its sign-in. The next request was not sent.
    NoLonger(Problem),
    /// The user pressed Stop.
    Stopped,
}

impl Fault {
    /// Returns the reason for the history.
    pub(super) fn note(&self) -> Note {
        match self {
            Self::Here(error) => error.to_string().into(),
            Self::There(error) | Self::Unseen(error) => Note::of_client(error),
            Self::Stored(problem) | Self::NoLonger(problem) => Note::of(problem),
            Self::Stopped => "stopped by the user".to_owned().into(),
        }
    }
}

impl From<ClientError> for Fault {
    fn from(error: ClientError) -> Self {
        Self::There(error)
    }
}
