//! A line of the acceptance list of a backup plan: what has to be so before it runs without a user.
//! [`acceptance`](super::acceptance) judges it.

use serde::{Deserialize, Serialize};
use steward_core::model::ids::ServerId;
use steward_core::model::keyring_state::KeyringState;
use steward_core::model::numbers::{Bytes, Millis};
use steward_core::model::unavailable_reason::UnavailableReason;

use super::mark;

/// A line of the acceptance list of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct AcceptanceLine {
    /// Whether its condition is met.
    pub state: LineState,
    /// Its condition, with what is known of it.
    pub about: LineAbout,
    /// What a user does about it; `null` if there is nothing to do.
    pub remedy: Option<Remedy>,
}

/// State of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum LineState {
    /// The condition is met.
    Met,
    /// The condition is met, but might not stay so. The plan runs.
    Warning,
    /// The condition is not met. The plan does not run.
    NotMet,
    /// It is not known whether the condition is met. The plan runs.
    NotKnown,
}

/// What a line is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum LineAbout {
    /// How the tokens of parts are renewed.
    Session {
        /// Parts; `null` for the portal.
        parts: Vec<Option<ServerId>>,
        /// Their session.
        session: PlanSession,
    },
    /// Whether the versions of parts have their export.
    Versions {
        /// Parts; `null` for the portal.
        parts: Vec<Option<ServerId>>,
        /// Reason why they do not have it; `null` if they have it, or if the version is not known.
        reason: Option<UnavailableReason>,
    },
    /// Whether the token of a part outlasts its export. Only for versions that end an export when its token expires.
    TokenLife {
        /// Server; `null` for the portal.
        server: Option<ServerId>,
        /// Duration of the longest earlier export, in seconds; `null` if there was none.
        longest: Option<u32>,
        /// Life of the token, in seconds.
        life: u32,
    },
    /// Whether sets can be written to the folder.
    Folder {
        /// Reason why they cannot; `null` if they can.
        fault: Option<FolderFault>,
    },
    /// Whether another set has room in the folder.
    Space {
        /// Free space; `null` if the system does not return it.
        free: Option<Bytes>,
        /// Space for a set; `null` before the first one.
        needed: Option<Bytes>,
    },
    /// Another program synchronizes the folder.
    Synchronized {
        /// Name of the folder that it synchronizes.
        name: String,
    },
    /// Files that the plan leaves on the site. It changes nothing else there.
    OnlyExports {
        /// Whether the site is read-only.
        is_read_only: bool,
        /// Whether each file of the portal stays in the folder that the portal writes it to.
        keeps_portal_files: bool,
        /// Whether each upload stays on its server.
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
    /// A refresh token renews the token, until it ends itself.
    RefreshToken {
        /// When it ends; `null` if the portal did not return it.
        ends: Option<Millis>,
    },
    /// Nothing renews the token.
    BareToken {
        /// When it ends; `null` if the site did not return it.
        ends: Option<Millis>,
    },
    /// No user is signed in.
    SignedOut,
    /// The session would be that of the portal. Whether the portal lists the server was not checked.
    NotChecked,
    /// The keyring could not be read.
    Keyring {
        /// Its state.
        keyring: KeyringState,
    },
}

/// End of the session of a plan, after which a user has to sign in again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SessionEnd {
    /// Server to sign in at; `null` for the portal.
    pub server: Option<ServerId>,
    /// When it ends.
    pub ends: Millis,
}

/// Reason why no set can be written to a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum FolderFault {
    /// None is chosen.
    NotChosen,
    /// It is not there, for example because a network drive is not connected.
    Missing,
    /// The system does not allow it.
    NotWritable {
        /// Message of the system.
        message: String,
    },
    /// The policy of the organization does not allow it.
    NotAllowed,
    /// It is not the one with the sets of the plan: its mark is not there, for example because a network drive is not
    /// connected.
    NotMarked,
}

/// What a user does about a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Remedy {
    /// Sign in, and save the password.
    SignIn {
        /// Server; `null` for the portal.
        server: Option<ServerId>,
    },
    /// Check the site.
    CheckSite,
    /// Unlock the keyring.
    UnlockKeyring,
    /// Clear the parts.
    ClearParts,
    /// Choose another folder.
    ChooseFolder,
    /// Free this much space, or choose another folder.
    FreeSpace {
        /// Space that is lacking.
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
