//! What an examination says.

use std::fmt::Display;
use std::path::Path;

use jiff::Timestamp;
use serde::Serialize;

use crate::model::numbers::{Bytes, Millis};

/// One part of what the program depends on.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Which part.
    pub check: Check,
    /// How it is.
    pub state: State,
    /// What was found, in order.
    pub facts: Vec<Fact>,
    /// What to do about it.
    pub advice: Option<Advice>,
}

/// A part of what the program depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the window's message catalogue has the words")]
pub enum Check {
    Program,
    Policy,
    Keyring,
    Dialogs,
    Proxy,
    Roots,
    Clock,
    Journal,
    Disk,
    Logs,
}

/// How a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum State {
    /// As it should be.
    Ok,
    /// It works, and could be better.
    Advice,
    /// Something does not work.
    Trouble,
}

/// One fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct Fact {
    /// What it is about.
    pub name: FactName,
    /// What was found.
    pub value: FactValue,
}

/// What was found, as far as possible so that the window says it in its language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum FactValue {
    /// A count, a path, a name, the words of a library: shown as it is. Never a secret.
    Said {
        /// It.
        text: String,
    },
    /// A file or a disk.
    Size {
        /// How large.
        bytes: Bytes,
    },
    /// How long something takes, or how far one clock is ahead of another.
    Span {
        /// Negative where it is behind.
        millis: Millis,
    },
    /// A day and a time.
    Moment {
        /// When.
        at: Millis,
    },
    /// Words of the catalogue.
    Words {
        /// Which.
        words: FactWords,
        /// The name or the path that they are about.
        about: String,
    },
}

/// What is said in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the window's message catalogue has the words")]
pub enum FactWords {
    Direct,
    DirectBySettings,
    ThisComputer,
    ThroughWithPassword,
    NoFileAt,
    Forbidden,
    Nothing,
}

/// What a fact is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the window's message catalogue has the words")]
pub enum FactName {
    Version,
    System,
    Desktop,
    Webview,
    Kind,
    AnsweredIn,
    Said,
    Shower,
    PortalVersion,
    Variables,
    Exceptions,
    WayToSite,
    SystemRoots,
    UnreadableRoots,
    CaFile,
    Authority,
    ValidUntil,
    Site,
    SiteTime,
    SiteAhead,
    Uncertainty,
    Folder,
    FreeSpace,
    Size,
    Files,
    Records,
    Damage,
    PolicyFile,
    Defaults,
    Locked,
    Updates,
    UnknownKey,
    BadValue,
}

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the window's message catalogue has the words")]
pub enum Advice {
    UnlockKeyring,
    KeyringIsSlow,
    InstallKeyring,
    KeyringRefuses,
    InstallDialogs,
    CheckProxy,
    InstallRoots,
    CaFileUnreadable,
    CaFileExpired,
    SetClock,
    SiteSilent,
    SiteWithoutClock,
    JournalDamaged,
    JournalUnreadable,
    DiskAlmostFull,
    DiskUnwritable,
    LogsUnwritable,
    PolicyFaulty,
    PolicyCaUnreadable,
}

impl Finding {
    pub(super) const fn new(check: Check) -> Self {
        Self { check, state: State::Ok, facts: Vec::new(), advice: None }
    }

    pub(super) fn fact(self, name: FactName, value: impl Display) -> Self {
        self.with(name, FactValue::Said { text: sieved(value) })
    }

    pub(super) fn size(self, name: FactName, bytes: u64) -> Self {
        self.with(name, FactValue::Size { bytes: Bytes(bytes) })
    }

    /// In milliseconds; what no number of them holds is as long as they can say.
    pub(super) fn span(self, name: FactName, millis: impl TryInto<i64>) -> Self {
        let millis = Millis(millis.try_into().unwrap_or(i64::MAX));
        self.with(name, FactValue::Span { millis })
    }

    pub(super) fn moment(self, name: FactName, at: Timestamp) -> Self {
        self.with(name, FactValue::Moment { at: Millis(at.as_millisecond()) })
    }

    pub(super) fn words(self, name: FactName, words: FactWords, about: impl Display) -> Self {
        self.with(name, FactValue::Words { words, about: sieved(about) })
    }

    /// The same said twice says no more: a portal and its server are often one address.
    fn with(mut self, name: FactName, value: FactValue) -> Self {
        let fact = Fact { name, value };
        if !self.facts.contains(&fact) {
            self.facts.push(fact);
        }
        self
    }

    pub(super) fn path(self, name: FactName, path: &Path) -> Self {
        self.fact(name, at_home(path, std::env::home_dir().as_deref()))
    }

    /// The worst that is said of a part is how it is.
    pub(super) fn say(mut self, state: State, advice: Advice) -> Self {
        if state > self.state {
            self.state = state;
            self.advice = Some(advice);
        }
        self
    }
}

/// What comes from a library or from the environment passes the same sieve as the journal.
fn sieved(value: impl Display) -> String {
    steward_journal::redact::text(&value.to_string())
}

/// A path without the person's name: what lies below the home begins with `~`.
fn at_home(path: &Path, home: Option<&Path>) -> String {
    match home.and_then(|home| path.strip_prefix(home).ok()) {
        Some(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
        Some(rest) => Path::new("~").join(rest).display().to_string(),
        None => path.display().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_below_the_home_does_not_tell_whose_it_is() {
        let home = Some(Path::new("/home/sam"));
        assert_eq!(
            at_home(Path::new("/home/sam/.local/share"), home),
            Path::new("~").join(".local/share").display().to_string()
        );
        assert_eq!(at_home(Path::new("/home/sam"), home), "~");
        assert_eq!(at_home(Path::new("/home/samantha"), home), "/home/samantha");
        assert_eq!(at_home(Path::new("/srv/gis"), home), "/srv/gis");
    }

    #[test]
    fn the_worst_that_is_said_stays() {
        let finding = Finding::new(Check::Disk)
            .say(State::Trouble, Advice::DiskUnwritable)
            .say(State::Advice, Advice::DiskAlmostFull);
        assert_eq!((finding.state, finding.advice), (State::Trouble, Some(Advice::DiskUnwritable)));
    }
}
