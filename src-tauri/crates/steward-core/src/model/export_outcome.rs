//! Result of a portal export or a server export.

use serde::Serialize;
use steward_client::operations::ExportReply;

/// Result of an export, by the specification. `success with warning` is neither an error nor a plain success: it has
/// its own variant, so that no component can forget it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "status", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ExportOutcome {
    /// `validate` was set, and the destination can be written. No file was written.
    Checked,
    /// As `checked`, and the site returned warnings.
    CheckedWithWarnings {
        /// Warnings of the site; empty if it returned none besides the status.
        messages: Vec<String>,
    },
    /// The file was written.
    Written {
        /// Path of the file, or URL of the server upload; empty if the site returned none.
        location: String,
    },
    /// The file was written, and the site returned warnings.
    WrittenWithWarnings {
        /// Path of the file, or URL of the server upload; empty if the site returned none.
        location: String,
        /// Warnings of the site; empty if it returned none besides the status.
        messages: Vec<String>,
    },
}

impl ExportOutcome {
    /// Returns the result of a check that wrote no file.
    pub(crate) fn of_check(reply: ExportReply) -> Self {
        if reply.warns() { Self::CheckedWithWarnings { messages: reply.messages } } else { Self::Checked }
    }

    /// Returns whether a file was written.
    pub(crate) const fn is_written(&self) -> bool {
        matches!(self, Self::Written { .. } | Self::WrittenWithWarnings { .. })
    }

    /// Returns the path of the file, or the URL of the server upload; `None` if no file was written, or the site returned
    /// none.
    pub(crate) fn location(&self) -> Option<&str> {
        match self {
            Self::Written { location } | Self::WrittenWithWarnings { location, .. } => {
                Some(location.as_str()).filter(|location| !location.is_empty())
            }
            Self::Checked | Self::CheckedWithWarnings { .. } => None,
        }
    }

    /// Returns the result of an export that wrote a file.
    pub(crate) fn of(reply: ExportReply) -> Self {
        if reply.warns() {
            Self::WrittenWithWarnings { location: reply.location, messages: reply.messages }
        } else {
            Self::Written { location: reply.location }
        }
    }
}

/// Content that a server export does not include, by the specification. The text is in the window's message catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ExcludedItem {
    /// Cache tiles and tiling schemes.
    CacheTiles,
    /// Service data that was not copied to the server when publishing.
    ServiceData,
    /// Log messages.
    Logs,
    /// Name and password of the primary site administrator.
    PrimaryAdministrator,
    /// Statistics.
    Statistics,
    /// Configurations of web adaptors.
    WebAdaptors,
}

impl ExcludedItem {
    /// All items, in the order of the checklist after an import.
    pub const ALL: [Self; 6] = [
        Self::CacheTiles,
        Self::ServiceData,
        Self::Logs,
        Self::PrimaryAdministrator,
        Self::Statistics,
        Self::WebAdaptors,
    ];
}
