//! A line of the acceptance list of a backup plan: what has to be so before it runs without a user.
//! [`acceptance`](super::acceptance) judges it.

use serde::{Deserialize, Serialize};
use steward_core::model::ids::ServerId;
use steward_core::model::keyring_state::KeyringState;
use steward_core::model::numbers::{Bytes, Millis};
use steward_core::model::unavailable_reason::UnavailableReason;

use super::mark;

/// Line of the acceptance list of a plan: a requirement, and whether it is met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct AcceptanceLine {
    /// Whether the requirement is met.
    pub state: LineState,
    /// Requirement, with the facts that are known.
    pub about: LineAbout,
    /// Action of a user that would help; `null` if there is none.
    pub remedy: Option<Remedy>,
}

/// Whether a requirement is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum LineState {
    /// The requirement is met.
    Met,
    /// The requirement is met now, but might not be during a run. The plan runs.
    Warning,
    /// The requirement is not met. The plan does not run.
    NotMet,
    /// It is not known whether the requirement is met. The plan runs.
    NotKnown,
}

/// Requirement of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum LineAbout {
    /// The tokens of these parts are renewed without a user.
    Session {
        /// Parts; `null` for the portal.
        parts: Vec<Option<ServerId>>,
        /// Session of these parts.
        session: PlanSession,
    },
    /// The versions of these parts support the export.
    Versions {
        /// Parts; `null` for the portal.
        parts: Vec<Option<ServerId>>,
        /// Reason why they do not support it; `null` if they do, or if the version is not known.
        reason: Option<UnavailableReason>,
    },
    /// The token of a part lasts longer than its export. Only for versions that end an export when its token expires.
    TokenLife {
        /// Server; `null` for the portal.
        server: Option<ServerId>,
        /// Duration of the longest export so far, in seconds; `null` if there was none.
        longest: Option<u32>,
        /// Lifetime of the token, in seconds.
        life: u32,
    },
    /// Sets can be written to the folder.
    Folder {
        /// Reason why they cannot; `null` if they can.
        fault: Option<FolderFault>,
    },
    /// The folder has room for another set.
    Space {
        /// Free space; `null` if the system does not return it.
        free: Option<Bytes>,
        /// Space that a set needs; `null` before the first set.
        needed: Option<Bytes>,
    },
    /// No other program synchronizes the folder.
    Synchronized {
        /// Name of the synchronized folder.
        name: String,
    },
    /// The plan does not change the site, except for files that stay there.
    OnlyExports {
        /// Whether the site is read-only.
        is_read_only: bool,
        /// Whether the portal's files stay in the folder that the portal writes them to.
        keeps_portal_files: bool,
        /// Whether the uploads stay on their servers.
        keeps_uploads: bool,
    },
}

impl LineAbout {
    /// Returns why a plan does not run as a text, for its record and its alerts.
    pub(crate) fn as_text(&self) -> String {
        let text = match self {
            Self::Session { session: PlanSession::Keyring { keyring: KeyringState::Absent }, .. } => {
                "there is no keyring"
            }
            Self::Session { session: PlanSession::Keyring { .. }, .. } => "the keyring cannot be read",
            Self::Session { session: PlanSession::SignedOut, .. } => "no user is signed in",
            Self::Session { .. } => "no session that lasts without a user",
            Self::Versions { .. } => "an export is not available at a part",
            Self::TokenLife { .. } => "the token of a part might expire during its export",
            Self::Folder { fault: Some(FolderFault::NotChosen) } => "no folder is chosen for the sets",
            Self::Folder { fault: Some(FolderFault::Missing) } => "the folder for the sets is not there",
            Self::Folder { fault: Some(FolderFault::NotAllowed) } => {
                "the policy of the organization does not allow the folder for the sets"
            }
            Self::Folder { fault: Some(FolderFault::NotMarked) } => mark::IS_ANOTHER,
            Self::Folder { fault: Some(FolderFault::NotWritable { message }) } => {
                return format!("no set can be written to the folder: {message}");
            }
            Self::Folder { fault: None } => "sets can be written to the folder",
            Self::Space { .. } => "another set might not have room in the folder",
            Self::Synchronized { .. } => "another program synchronizes the folder",
            Self::OnlyExports { .. } => "the plan leaves exports on the site",
        };
        text.to_owned()
    }
}

impl LineAbout {
    /// Returns the key of the text of an alert about a plan that did not run because of it.
    pub(crate) const fn key(&self) -> &'static str {
        match self {
            Self::Session { session: PlanSession::Keyring { .. }, .. } => "alert.fault.keyring",
            Self::Session { session: PlanSession::SignedOut, .. } => "alert.fault.signIn",
            Self::Session { .. } => "alert.line.session",
            Self::Versions { .. } => "alert.fault.notOffered",
            Self::TokenLife { .. } => "alert.line.tokenLife",
            Self::Folder { fault: Some(FolderFault::NotChosen) } => "alert.line.noFolder",
            Self::Folder { fault: Some(FolderFault::Missing) } => "alert.line.folderMissing",
            Self::Folder { fault: Some(FolderFault::NotAllowed) } => "alert.line.folderNotAllowed",
            Self::Folder { fault: Some(FolderFault::NotMarked) } => "alert.line.folderNotMarked",
            Self::Folder { fault: Some(FolderFault::NotWritable { .. }) } => "alert.line.folderNotWritable",
            Self::Space { .. } => "alert.line.space",
            // These lines are never `NotMet`, so that no alert is about them.
            Self::Folder { fault: None } | Self::Synchronized { .. } | Self::OnlyExports { .. } => {
                "alert.fault.other"
            }
        }
    }
}

/// Session of a part, as far as the keyring and the last check show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PlanSession {
    /// A saved password renews the token.
    Password,
    /// A refresh token renews the token until the refresh token expires.
    RefreshToken {
        /// Time when the refresh token expires; `null` if the portal did not return it.
        ends: Option<Millis>,
    },
    /// Nothing renews the token.
    BareToken {
        /// Time when the token expires; `null` if the site did not return it.
        ends: Option<Millis>,
    },
    /// No user is signed in.
    SignedOut,
    /// The server would use the session of the portal, but it was not checked whether the portal lists the server.
    NotChecked,
    /// The keyring could not be read.
    Keyring {
        /// Its state.
        keyring: KeyringState,
    },
}

/// Time when the session of a part ends, so that a user has to sign in again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SessionEnd {
    /// Server to sign in at; `null` for the portal.
    pub server: Option<ServerId>,
    /// Time when it ends.
    pub ends: Millis,
}

/// Reason why no set can be written to the folder of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum FolderFault {
    /// No folder is chosen.
    NotChosen,
    /// The folder does not exist, for example because a network drive is not connected.
    Missing,
    /// The system does not allow the app to write to the folder.
    NotWritable {
        /// Message of the system.
        message: String,
    },
    /// The policy of the organization does not allow the folder.
    NotAllowed,
    /// The mark of the plan is missing in the folder, so that it is not the folder with its sets, for example because a
    /// network drive is not connected.
    NotMarked,
}

/// Action of a user that helps with a requirement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Remedy {
    /// Sign in and save the password.
    SignIn {
        /// Server; `null` for the portal.
        server: Option<ServerId>,
    },
    /// Check the site.
    CheckSite,
    /// Unlock the keyring.
    UnlockKeyring,
    /// Remove parts from the plan.
    ClearParts,
    /// Choose another folder.
    ChooseFolder,
    /// Free this much space, or choose another folder.
    FreeSpace {
        /// Missing space.
        lacking: Bytes,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn why_a_plan_does_not_run_is_the_reason_of_its_line() {
        let session = |session| LineAbout::Session { parts: vec![None], session };
        let keyring = |keyring| session(PlanSession::Keyring { keyring });
        let folder = |fault| LineAbout::Folder { fault: Some(fault) };
        let message = "Read-only file system (os error 30)".to_owned();
        for (about, expected) in [
            (keyring(KeyringState::Absent), "there is no keyring"),
            (keyring(KeyringState::Locked), "the keyring cannot be read"),
            (session(PlanSession::SignedOut), "no user is signed in"),
            (folder(FolderFault::Missing), "the folder for the sets is not there"),
            (
                folder(FolderFault::NotMarked),
                "the folder for the sets is another one than before: the mark of the plan is not in it",
            ),
            (
                folder(FolderFault::NotWritable { message }),
                "no set can be written to the folder: Read-only file system (os error 30)",
            ),
        ] {
            assert_eq!(about.as_text(), expected);
        }
    }
}
