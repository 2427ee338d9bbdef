//! What came of an export, of a portal or of a server.

use serde::Serialize;
use steward_client::operations::ExportReply;

/// The export result of the specification. `success with warning` is not an error and not plain success: it
/// has its own variant, so that no component can forget it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "status", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ExportOutcome {
    /// `validate` was set and the place is usable. Nothing was written.
    Checked,
    /// The file was written.
    Written {
        /// Path of the file, or the address of the stored file.
        location: String,
    },
    /// The file was written, and the site has something to say about it.
    WrittenWithWarnings {
        /// Path of the file, or the address of the stored file.
        location: String,
        /// The site's warnings.
        messages: Vec<String>,
    },
}

impl ExportOutcome {
    /// A written export, as the site described it.
    pub(crate) fn of(reply: ExportReply) -> Self {
        if reply.warns() {
            Self::WrittenWithWarnings { location: reply.location, messages: reply.messages }
        } else {
            Self::Written { location: reply.location }
        }
    }
}

/// What a server export does not contain, by the specification. The words are in the window's message catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum LeftOut {
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

impl LeftOut {
    /// All of it: a checklist for whoever imports.
    pub const ALL: [Self; 6] = [
        Self::CacheTiles,
        Self::ServiceData,
        Self::Logs,
        Self::PrimaryAdministrator,
        Self::Statistics,
        Self::WebAdaptors,
    ];
}
