//! Whether a site is back: what a check found of it, as shown in the window and stored in the history.

use serde::{Deserialize, Serialize};

use crate::model::ids::{RecordId, SiteId};
use crate::model::numbers::Millis;

/// State of the whole site, of a line of its check, or of a part of a line, from the best to the worst. A site has the
/// state of its worst line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ProofState {
    /// As it should be.
    Done,
    /// Not as it should be, and an action of a user is required.
    Wrong,
    /// Could not be read.
    NotKnown,
    /// Not as it should be yet, but it can change without an action of a user.
    NotYet,
}

/// What a line is about, in the order of lines with the same state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ProofAbout {
    /// Search index of the portal.
    SearchIndex,
    /// Federated servers, as validated by the portal.
    Federation,
    /// Services that are set to run.
    Services,
    /// Items without a service, and services without an item.
    Orphans,
    /// Whether portal and servers respond, with the versions from before the import.
    Answers,
    /// Whether the site issues a token.
    SignIn,
    /// Data store items.
    DataStores,
    /// Imported content, compared with the export.
    Content,
}

/// Result of a check of a site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SiteProof {
    /// Time of the check.
    pub checked_at: Millis,
    /// State of the site.
    pub state: ProofState,
    /// Lines, the worst first.
    pub lines: Vec<ProofLine>,
    /// Distinct versions of portal and servers.
    pub versions: Vec<String>,
    /// Whether all versions are those from before the import; `false` also if those are not known.
    pub is_as_before: bool,
    /// Entries of the search index; `null` if the site has none, or did not return them.
    pub index: Option<IndexedEntries>,
    /// Time when the site issued a token; `null` if none is known. The name avoids *token*, because the history masks
    /// such fields.
    pub issued_at: Option<Millis>,
    /// Time from the start of the import until the site was back, in milliseconds; `null` if it is not back, or there
    /// was no import.
    #[specta(type = Option<specta_typescript::Number>)]
    pub recovery_time: Option<i64>,
    /// Whether `recovery_time` is only an upper limit, because no check shortly before found that the site was not
    /// back.
    #[serde(default)]
    pub is_at_most: bool,
}

/// Entries in the search index of a portal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct IndexedEntries {
    /// Items.
    pub items: u32,
    /// Users.
    pub users: u32,
    /// Groups.
    pub groups: u32,
}

/// One line of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ProofLine {
    /// What the line is about.
    pub about: ProofAbout,
    /// State: that of its worst part.
    pub state: ProofState,
    /// Number of items in the index, running services, servers, or data store items that are as they should be.
    pub done: u32,
    /// Number of all of these.
    pub of: u32,
    /// Parts that are not as they should be, or that have a warning, the worst first; at most 100.
    pub open: Vec<OpenPart>,
    /// Number of further such parts.
    pub more: u32,
}

/// Part of a line that is not as it should be, or that has a warning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct OpenPart {
    /// State of the part.
    pub state: ProofState,
    /// Name of the server; `null` for the portal, and on a site with one server.
    pub server: Option<String>,
    /// Name: a service, an item, a folder, or an index; may be empty.
    pub name: String,
    /// Reason.
    pub why: WhyOpen,
}

/// Reason why a part of a line is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum WhyOpen {
    /// No user is signed in.
    SignIn,
    /// The site did not return it.
    NotReturned {
        /// Reason, as returned by the site or the library.
        message: String,
        /// Whether the reason might disappear without an action of a user.
        may_pass: bool,
    },
    /// The version differs from the one before the import.
    OtherVersion {
        /// Version before.
        before: String,
        /// Version now.
        now: String,
    },
    /// No token can be obtained without a user.
    NoRenewal,
    /// Its URL leads to the same server as that of another one: it was not read.
    SameServer {
        /// Name of the other server.
        other: String,
    },
    /// The service is set to run, and does not.
    NotRunning {
        /// State, as the server returns it.
        state: String,
    },
    /// The server does not return the states of services.
    StatesUnknown {
        /// Number of services.
        count: u32,
    },
    /// The server does not list the services of the folder.
    FolderUnlisted,
    /// The search index is behind the database.
    Behind {
        /// Entries in the index.
        indexed: u32,
        /// Entries in the database.
        total: u32,
        /// Time until the index is complete at the pace so far, in seconds; `null` if the pace is not known.
        left: Option<u32>,
    },
    /// The search index is behind the database, and does not grow.
    StandsStill {
        /// Entries in the index.
        indexed: u32,
        /// Entries in the database.
        total: u32,
        /// Time since which it does not grow.
        since: Millis,
    },
    /// The federated server or data store item is not valid, by the response of the site.
    Invalid {
        /// Reason, as returned by the site; may be empty.
        message: String,
    },
    /// The federated server or data store item is valid, and the site returned a warning.
    Warned {
        /// Warning, as returned by the site.
        message: String,
    },
    /// The portal lists servers that its validation does not include.
    ServersMissing {
        /// Number of servers.
        count: u32,
    },
    /// The portal does not list the server, although the server accepted a token of the portal.
    NotFederated,
    /// The line is checked only after another line is done.
    WaitsFor {
        /// The other line.
        about: ProofAbout,
    },
    /// The service of an item is on no server.
    NoService {
        /// Identifier of the item.
        item: String,
    },
    /// No item belongs to a service.
    NoItem,
    /// A service of the export is not on the server.
    NotImported,
    /// A number differs from the expected one.
    Counted {
        /// Number now.
        found: u32,
        /// Number in the export; the number before the import if the export is not known.
        expected: u32,
    },
    /// Not all data store items were validated, because there are too many.
    NotValidated {
        /// Number of items.
        count: u32,
    },
}

/// Last check of a site, and the wait until the site is back after an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SiteProofView {
    /// Site.
    pub site: SiteId,
    /// Import after which the site is checked; `null` if it is checked without one.
    pub import: Option<RecordId>,
    /// Time when that import was started.
    pub import_started_at: Option<Millis>,
    /// Time when that import ended.
    pub import_ended_at: Option<Millis>,
    /// Whether the app continues to check the site until it is back.
    pub is_waiting: bool,
    /// Time of the next check; `null` if there is none.
    pub next_at: Option<Millis>,
    /// Result of the last check; `null` before the first.
    pub proof: Option<SiteProof>,
    /// Time of the last import that began after that check, with any outcome; `null` if there is none. The check then
    /// describes the site before that import.
    pub unknown_import_at: Option<Millis>,
}

impl SiteProof {
    /// Returns the line about something; `None` if the site has nothing of the kind.
    #[must_use]
    pub fn line(&self, about: ProofAbout) -> Option<&ProofLine> {
        self.lines.iter().find(|line| line.about == about)
    }
}

#[cfg(test)]
impl SiteProof {
    /// A check that found these lines, and nothing else.
    pub(crate) const fn example(state: ProofState, lines: Vec<ProofLine>) -> Self {
        Self {
            checked_at: Millis(0),
            state,
            lines,
            versions: Vec::new(),
            is_as_before: false,
            index: None,
            issued_at: None,
            recovery_time: None,
            is_at_most: false,
        }
    }
}
