//! State of an update, as shown in the window.

use serde::Serialize;
use steward_client::is_invisible;

use crate::model::history_key::HistoryAction;
use crate::model::numbers::{Bytes, Millis};
use crate::model::operation::OperationKey;

/// State of an update.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UpdateView {
    /// Current stage.
    pub stage: UpdateStage,
    /// Error; `null` if there is none. Nothing was changed.
    pub fault: Option<UpdateFault>,
}

/// Stage of an update.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum UpdateStage {
    /// This build has no source of updates.
    NoKey,
    /// Updates are disabled by the organization.
    Forbidden,
    /// No check was made since the program started.
    NotLooked,
    /// There is no update.
    UpToDate,
    /// An update is available.
    Newer {
        /// Release that can be installed.
        release: Release,
        /// Method that can install it on this computer.
        way: UpdateMethod,
    },
    /// The update is being downloaded.
    Downloading {
        /// Release that is being downloaded.
        release: Release,
        /// Number of bytes received.
        done: Bytes,
        /// Length of the installer, in bytes; `null` if the server does not return it.
        total: Option<Bytes>,
    },
    /// The update is being installed.
    Installing {
        /// Release that is being installed.
        release: Release,
    },
    /// The update was installed, and starts with the next start of the app.
    Installed {
        /// Release that starts with the next start of the app.
        release: Release,
    },
}

/// Installation method of an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum UpdateMethod {
    /// The app installs it.
    Here,
    /// The package manager of the system or an administrator installs it.
    Elsewhere,
}

/// A release, as described by its source. The description is not signed, and only shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Release {
    /// Version number.
    pub version: String,
    /// Release date; `null` if it is not known.
    pub date: Option<Millis>,
    /// Release notes; may be empty.
    pub notes: String,
}

/// Reason why an update failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum UpdateFault {
    /// The source of updates cannot be reached.
    Unreachable {
        /// Message of the library.
        said: String,
    },
    /// The release description is invalid.
    NotUnderstood {
        /// Reason, as returned by the parser.
        said: String,
    },
    /// There is no installer for this system.
    NotForThisSystem,
    /// The download was interrupted.
    Cut {
        /// Message of the library.
        said: String,
    },
    /// The installer is not signed with the key of this app, for this version.
    NotOurs {
        /// Error of the signature.
        said: String,
    },
    /// The update could not be installed.
    NotInstalled {
        /// Message of the system.
        said: String,
    },
    /// The requested version is not the one that was found last.
    NotOffered,
    /// An operation is running.
    OperationRuns {
        /// Operation that is running.
        operation: OperationKey,
        /// Action in place of the operation, for an action that is not an operation; `null` otherwise.
        act: Option<HistoryAction>,
        /// Name of the site.
        site_name: String,
    },
    /// A refreshed invitation is neither saved nor on disk, and would be lost.
    InvitationsUnsaved,
    /// The practice site is running.
    PracticeRuns,
}

/// Limit of the release notes, in characters.
const MOST_NOTES: usize = 4_000;
/// Limit of a version number, in bytes.
const MOST_VERSION: usize = 40;

impl Release {
    /// Returns a release with readable notes; `None` if the version number is too long.
    #[must_use]
    pub fn described(version: &str, date: Option<Millis>, notes: &str) -> Option<Self> {
        let is_short = version.len() <= MOST_VERSION;
        is_short.then(|| Self { version: version.to_owned(), date, notes: readable(notes) })
    }
}

/// Returns a text without invisible characters and direction marks, up to the limit.
fn readable(text: &str) -> String {
    let is_unseen = |letter: &char| (letter.is_control() && *letter != '\n') || is_invisible(*letter);
    let mut letters = text.chars().filter(|letter| !is_unseen(letter));
    let mut shown: String = letters.by_ref().take(MOST_NOTES).collect();
    if letters.next().is_some() {
        shown.push('…');
    }
    shown.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_shown_without_what_cannot_be_seen_and_not_for_ever() {
        let notes = |text: &str| Release::described("1.0.0", None, text).unwrap().notes;
        assert_eq!(notes("One\r\n\u{202e}owt\u{7}\u{1b}[31m<b>three</b>\n"), "One\nowt[31m<b>three</b>");
        assert_eq!(notes(&"é".repeat(5_000)).chars().count(), MOST_NOTES + 1);
        assert_eq!(notes(&"a".repeat(MOST_NOTES)).len(), MOST_NOTES);
    }

    #[test]
    fn a_number_that_nobody_could_read_is_none() {
        let long = format!("2.0.0-{}", "a".repeat(100));
        assert_eq!(Release::described(&long, None, ""), None);
        assert!(Release::described("2.0.0-rc.1+linux", None, "").is_some());
    }
}
