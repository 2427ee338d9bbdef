//! What the window shows of newer versions.

use serde::Serialize;

use crate::model::numbers::{Bytes, Millis};
use crate::model::operation::Key;

/// How it stands with newer versions of the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UpdateView {
    /// How far it is.
    pub stage: UpdateStage,
    /// Why it is no further; `null` when nothing went wrong. Nothing was changed then.
    pub fault: Option<UpdateFault>,
}

/// How far it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum UpdateStage {
    /// This build was given no key and no address, so there is nobody to ask.
    NoKey,
    /// The organisation does not want it.
    Forbidden,
    /// Nobody has looked since the program was started.
    NotLooked,
    /// There was none.
    UpToDate,
    /// There is one.
    Newer {
        /// Which.
        release: Release,
        /// Who can bring it here.
        way: UpdateWay,
    },
    /// It is coming.
    Downloading {
        /// Which.
        release: Release,
        /// Bytes that are here.
        done: Bytes,
        /// Bytes announced.
        total: Option<Bytes>,
    },
    /// It takes the place of this one now.
    Installing {
        /// Which.
        release: Release,
    },
    /// It begins with the next start.
    Installed {
        /// Which.
        release: Release,
    },
}

/// Who can bring a newer version here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum UpdateWay {
    /// The program itself.
    Here,
    /// Whatever installed it: the system's packages, or an administrator.
    Elsewhere,
}

/// A newer version, as whoever offers it describes it. None of this is signed: it is text to be shown and nothing more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Release {
    /// Its number.
    pub version: String,
    /// When it was made.
    pub date: Option<Millis>,
    /// What is new; may be empty.
    pub notes: String,
}

/// Why it went no further.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum UpdateFault {
    /// Who knows of newer versions could not be reached.
    Unreachable {
        /// The library's words.
        said: String,
    },
    /// What came does not say which version is the newest.
    NotUnderstood {
        /// What is wrong with it.
        said: String,
    },
    /// There is a newer version, and none for this system.
    NotForThisSystem,
    /// The download ended early.
    Cut {
        /// The library's words.
        said: String,
    },
    /// What came is not signed with the key of this program, for this version.
    NotOurs {
        /// What is wrong with the signature.
        said: String,
    },
    /// It could not take the place of this one.
    NotInstalled {
        /// The system's words.
        said: String,
    },
    /// What was to be installed is not what was found last.
    NotOffered,
    /// An operation is under way.
    OperationRuns {
        /// Which.
        operation: Key,
        /// On which site.
        site_name: String,
    },
    /// The practice site is running.
    PracticeRuns,
}

/// Texts of others are shown up to here.
const MOST_NOTES: usize = 4_000;
/// No version of ours is longer.
const MOST_VERSION: usize = 40;

impl Release {
    /// What may be shown of it. `None` when the number is none that anybody could read.
    #[must_use]
    pub fn described(version: &str, date: Option<Millis>, notes: &str) -> Option<Self> {
        let is_short = version.len() <= MOST_VERSION;
        is_short.then(|| Self { version: version.to_owned(), date, notes: readable(notes) })
    }
}

/// Without what cannot be seen, and what turns the direction of the text around it.
fn readable(text: &str) -> String {
    let is_unseen = |letter: &char| {
        (letter.is_control() && *letter != '\n')
            || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
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
