//! Result of a diagnostic check: state, facts, and advice.

use std::fmt::Display;
use std::path::Path;

use jiff::Timestamp;
use serde::Serialize;

use crate::model::numbers::{Bytes, Millis};

/// Result of one check.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct CheckResult {
    /// Check.
    pub check: Check,
    /// State.
    pub state: State,
    /// Facts, in display order.
    pub facts: Vec<Fact>,
    /// Advice; `null` if there is none.
    pub advice: Option<Advice>,
}

/// A diagnostic check.
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

/// State of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum State {
    /// No problem was found.
    Ok,
    /// No problem was found, but there is a recommendation.
    Advice,
    /// A problem was found.
    Trouble,
}

/// A named fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct Fact {
    /// Name of the fact.
    pub name: FactName,
    /// Value of the fact.
    pub value: FactValue,
}

/// Value of a fact, in a form that the window can localize.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum FactValue {
    /// A count, path, name, or message, shown unchanged. Never a secret.
    Said {
        /// Text.
        text: String,
    },
    /// A size.
    Size {
        /// Size, in bytes.
        bytes: Bytes,
    },
    /// A duration, or the difference between two clocks.
    Span {
        /// Duration in milliseconds; negative if the clock is behind.
        millis: Millis,
    },
    /// A date and time.
    Moment {
        /// Time.
        at: Millis,
    },
    /// A text of the message catalog.
    Words {
        /// Key of the text.
        words: FactWords,
        /// Name or path for its placeholder.
        about: String,
    },
}

/// Key of a text in the message catalog.
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
    Required,
    Nothing,
}

/// Name of a fact.
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
    DamagedAuthorities,
    ValidUntil,
    Site,
    SiteTime,
    SiteAhead,
    SiteBehind,
    Uncertainty,
    Folder,
    FreeSpace,
    Size,
    Files,
    Records,
    Damage,
    AuditTrailHead,
    PolicyFile,
    Defaults,
    Locked,
    Updates,
    Forwarding,
    ForwardingHosts,
    UnknownKey,
    BadValue,
}

/// Advice on how to fix a problem.
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
    CaFileDamaged,
    CaFileExpired,
    SetClock,
    SiteSilent,
    SiteWithoutClock,
    JournalDamaged,
    JournalUnreadable,
    NoCopyOfDay,
    DiskAlmostFull,
    DiskUnwritable,
    LogsUnwritable,
    PolicyFaulty,
    PolicyCaUnreadable,
}

impl CheckResult {
    pub(super) const fn new(check: Check) -> Self {
        Self { check, state: State::Ok, facts: Vec::new(), advice: None }
    }

    pub(super) fn fact(self, name: FactName, value: impl Display) -> Self {
        self.with(name, FactValue::Said { text: sieved(value) })
    }

    pub(super) fn size(self, name: FactName, bytes: u64) -> Self {
        self.with(name, FactValue::Size { bytes: Bytes(bytes) })
    }

    /// Adds a duration in milliseconds, limited to the range of an `i64`.
    pub(super) fn span(self, name: FactName, millis: impl TryInto<i64>) -> Self {
        let millis = Millis(millis.try_into().unwrap_or(i64::MAX));
        self.with(name, FactValue::Span { millis })
    }

    pub(super) fn moment(self, name: FactName, at: Timestamp) -> Self {
        self.with(name, FactValue::Moment { at: Millis(at.as_millisecond()) })
    }

    pub(super) fn wording(self, name: FactName, words: FactWords, about: impl Display) -> Self {
        self.with(name, FactValue::Words { words, about: sieved(about) })
    }

    /// Adds a fact, unless it exists already: a portal and its server often have one address.
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

    /// Sets the state and advice, unless a worse state is set.
    pub(super) fn say(mut self, state: State, advice: Advice) -> Self {
        if state > self.state {
            self.state = state;
            self.advice = Some(advice);
        }
        self
    }
}

/// Redacts a text of a library or of the environment, as in the journal.
fn sieved(value: impl Display) -> String {
    steward_redact::text(&value.to_string())
}

/// Returns a path with the home folder of the user replaced by `~`.
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
        let finding = CheckResult::new(Check::Disk)
            .say(State::Trouble, Advice::DiskUnwritable)
            .say(State::Advice, Advice::DiskAlmostFull);
        assert_eq!((finding.state, finding.advice), (State::Trouble, Some(Advice::DiskUnwritable)));
    }
}
