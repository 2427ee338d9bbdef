//! The facts of an outcome check.

use serde::Serialize;

use crate::model::ids::UnsavedInvitationId;
use crate::model::numbers::{Bytes, Millis};
use crate::model::problem::Problem;

/// A fact of an outcome check. The text is in the window's message catalog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum CheckFact {
    /// The app is still waiting for a response.
    StillWaiting,
    /// The site responds.
    SiteAnswers {
        /// Version of the component; `null` if it is not known.
        version: Option<String>,
    },
    /// The site does not respond.
    SiteSilent {
        /// Error of the request.
        problem: Problem,
    },
    /// A server upload is newer than the request.
    NewUpload {
        /// Name of the uploaded file.
        name: String,
        /// Time of the upload, as returned by the server.
        date: String,
    },
    /// A server upload is newer than the request, and not complete.
    IncompleteUpload {
        /// Name of the uploaded file.
        name: String,
        /// Time of the upload, as returned by the server.
        date: String,
    },
    /// No server upload is newer than the request.
    NoNewUpload,
    /// A server upload has a date that cannot be read.
    UploadOfUnknownAge {
        /// Name of the uploaded file.
        name: String,
        /// Date, as returned by the server.
        date: String,
    },
    /// The server does not have the upload any more.
    UploadGone,
    /// The server still has the upload.
    UploadThere {
        /// Name of the uploaded file; may be empty.
        name: String,
    },
    /// A file that this computer can read is newer than the request.
    FileHere {
        /// Path of the file.
        path: String,
        /// Current size of the file.
        size: Bytes,
        /// Whether it is a complete archive.
        whole: bool,
    },
    /// This computer can read the folder, and there is no such file.
    FileNotHere {
        /// Path of the file or folder.
        path: String,
    },
    /// This computer cannot read the folder.
    FolderNotHere {
        /// Path on the machine of the site.
        path: String,
    },
    /// The files were found in a folder of this computer, but the site is on another computer, where the same path can
    /// be another folder.
    FolderOfThisComputer {
        /// Path of the folder.
        path: String,
    },
    /// Current number of services.
    Services {
        /// Number of services of all types.
        count: u32,
    },
    /// Current content of a portal. A number is `null` if the portal did not return it.
    PortalContent {
        /// Number of items.
        items: Option<u32>,
        /// Number of users.
        users: Option<u32>,
        /// Number of groups.
        groups: Option<u32>,
    },
    /// Current webhooks of a service.
    Webhooks {
        /// Path of the service.
        service: String,
        /// Names of the active webhooks.
        active: Vec<String>,
        /// Names of the other webhooks.
        silent: Vec<String>,
    },
    /// Current contact of the participant.
    Contact {
        /// First name, as returned by the portal.
        firstname: String,
        /// Last name, as returned by the portal.
        lastname: String,
        /// Email address, as returned by the portal.
        email: String,
        /// Whether it equals the contact that was sent.
        as_sent: bool,
    },
    /// The participant does not exist any more.
    NoParticipant,
    /// Current invitation.
    Invitation {
        /// Time of expiration; `null` if the portal does not return it.
        expiration: Option<Millis>,
        /// Whether the expiration matches that of the refresh.
        refreshed: bool,
        /// Unsaved invitation with its content; `null` if the portal does not return the content.
        kept: Option<UnsavedInvitationId>,
    },
    /// A check could not be completed.
    NotSeen {
        /// Error of the check.
        problem: Problem,
    },
}
