//! A part of a set: what a plan expects of it, and the state that it reached.

use serde::{Deserialize, Serialize};
use steward_core::model::export_verification::ExportVerification;
use steward_core::model::ids::{RecordId, ServerId};
use steward_core::model::numbers::{Bytes, Millis};
use steward_core::model::persistence::Persistence;
use steward_core::model::problem::{self, Problem};
use steward_core::sites::Site;

use super::file::{PortalFile, SetFile};
use super::part_fault::PartFault;
use crate::plan::PlanPart;

/// Limit of the warnings that are kept of a part, in bytes: `set.json` stays readable whatever a site returns.
const KEPT_WARNINGS: usize = 16 * 1024;

/// A part of a set: the portal or a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SetPart {
    /// Server; `null` for the portal.
    pub server: Option<ServerId>,
    /// Name of the server or portal at that time.
    pub name: String,
    /// State that the plan expects.
    pub expected: Expected,
    /// State that it reached.
    pub state: PartState,
    /// When its export ended; `null` if it has not, or an earlier version wrote the set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Millis>,
    /// Record of its export in the history; `null` if it has none.
    pub record: Option<RecordId>,
    /// Files of the part in the folder of the set.
    pub files: Vec<SetFile>,
    /// Export file of the portal, which stays in the folder that the portal wrote it to; `null` for a server, and if
    /// this computer cannot access the file.
    pub portal_file: Option<PortalFile>,
    /// Usual size of earlier exports if the file is much smaller; `null` otherwise.
    pub usual_size: Option<Bytes>,
    /// Warnings about the export, by the site or by the app; empty if the site returned a warning without text, and
    /// left out if there is no warning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warnings: Option<Vec<String>>,
}

/// State of a part that a plan expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Expected {
    /// Every entry of its file was verified on this computer.
    VerifiedHere,
    /// The site wrote its file to a place that this computer cannot access.
    OnSite,
}

/// State of a part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PartState {
    /// The export has not begun.
    Waiting,
    /// The export is running, or the app ended while it was.
    Running,
    /// Every entry of its file was verified on this computer.
    VerifiedHere,
    /// The site wrote the file, which was not verified on this computer.
    OnSite {
        /// Size of the file; `null` if it is not known.
        size: Option<Bytes>,
    },
    /// The file is complete and undamaged, but not recognized as an export, so that it does not count as verified.
    Unrecognized {
        /// Size of the file; `null` if it is not known.
        size: Option<Bytes>,
    },
    /// The export failed, or its file is not complete.
    Failed {
        /// Reason.
        fault: PartFault,
        /// Reason as text, for files and for the details.
        note: String,
    },
    /// The request was sent, and no response was received: the site might still be exporting.
    Unknown,
    /// Nothing was sent.
    Skipped {
        /// Reason.
        reason: SkipReason,
    },
}

/// Reason why a part was skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum SkipReason {
    /// Another operation was running on the site, on this or on another computer.
    Busy,
    /// A user stopped the run.
    Stopped,
    /// An import of the portal is running or has an unknown outcome, so that the site might be replaced in part.
    PortalImport,
}

/// Verdict on a set: that on its worst part, compared with what the plan expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(rename = "SetVerdict", rename_all = "camelCase")]
pub enum Verdict {
    /// Each part is as the plan expects.
    AsExpected,
    /// The run has not ended.
    Running,
    /// A part was skipped.
    Skipped,
    /// The outcome of a part is unknown.
    Unknown,
    /// A part failed, or is not verified although the plan expects it.
    Failed,
}

/// Returns the export of a server among the files of its part; `None` if it has none.
#[must_use]
pub fn export_file(part: &SetPart) -> Option<&SetFile> {
    part.files.iter().find(|file| file.is_export())
}

/// Returns the first warnings of a site. The last text has the number of the others.
pub(crate) fn kept(warnings: &[String]) -> Vec<String> {
    let mut size = 0;
    let fits = |text: &&String| {
        size += text.len();
        size <= KEPT_WARNINGS
    };
    let mut kept: Vec<_> = warnings.iter().take_while(fits).cloned().collect();
    if kept.len() < warnings.len() {
        kept.push(format!("+{}", warnings.len() - kept.len()));
    }
    kept
}

#[cfg(test)]
impl SetPart {
    /// Returns a part for tests.
    pub(crate) fn example(state: PartState) -> Self {
        Self {
            server: None,
            name: "Portal".to_owned(),
            expected: Expected::VerifiedHere,
            state,
            ended: None,
            record: None,
            files: Vec::new(),
            portal_file: None,
            usual_size: None,
            warnings: None,
        }
    }
}

impl SetPart {
    /// Returns the SHA-256 of its export; `None` if it was not read on this computer.
    pub(crate) fn content(&self) -> Option<&str> {
        let portal = self.portal_file.as_ref().map(|file| file.sha256.as_str());
        export_file(self).map(|file| file.sha256.as_str()).or(portal)
    }

    /// Returns a part that has not begun.
    pub(crate) fn waiting(part: &PlanPart, site: &Site) -> Self {
        let (server, name, expected) = match part {
            PlanPart::Portal { seen_at: Some(_), .. } => (None, site.name.clone(), Expected::VerifiedHere),
            PlanPart::Portal { seen_at: None, .. } => (None, site.name.clone(), Expected::OnSite),
            PlanPart::Server { server } => {
                let name = site.name_of_server(server).unwrap_or_else(|| server.0.clone());
                (Some(server.clone()), name, Expected::VerifiedHere)
            }
        };
        Self {
            server,
            name,
            expected,
            state: PartState::Waiting,
            ended: None,
            record: None,
            files: Vec::new(),
            portal_file: None,
            usual_size: None,
            warnings: None,
        }
    }

    /// Returns whether its file is complete on this computer, as far as that can be verified.
    pub(crate) fn has_copy(&self) -> bool {
        let is_complete = matches!(
            self.state,
            PartState::VerifiedHere | PartState::Unrecognized { .. } | PartState::OnSite { .. }
        );
        is_complete && self.export_size().is_some()
    }

    /// Returns whether its file is not known to be something other than an export.
    pub(crate) const fn is_recognized(&self) -> bool {
        !matches!(self.state, PartState::Unrecognized { .. })
    }

    /// Notes when its export, which is verified now, was changed last.
    pub(crate) fn is_verified_as_of(&mut self, modified_at: Option<Millis>) {
        let of_server = self.files.iter_mut().find(|file| file.is_export()).map(|file| &mut file.modified_at);
        let of_portal = self.portal_file.as_mut().map(|file| &mut file.modified_at);
        of_server.into_iter().chain(of_portal).for_each(|at| *at = modified_at);
    }

    /// Returns the size of its export, as far as this computer sees it.
    pub(crate) fn export_size(&self) -> Option<Bytes> {
        match self.server {
            Some(_) => self.files.first().map(|file| file.size),
            None => self.portal_file.as_ref().map(|file| file.size),
        }
    }

    /// Returns the verdict of this part.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match (&self.state, self.expected) {
            // If an unrecognized file was a failure, an export whose entries have other names would fail each night.
            (PartState::VerifiedHere | PartState::Unrecognized { .. }, _)
            | (PartState::OnSite { .. }, Expected::OnSite) => Verdict::AsExpected,
            (PartState::OnSite { .. }, Expected::VerifiedHere) | (PartState::Failed { .. }, _) => {
                Verdict::Failed
            }
            (PartState::Waiting | PartState::Running, _) => Verdict::Running,
            (PartState::Unknown, _) => Verdict::Unknown,
            (PartState::Skipped { .. }, _) => Verdict::Skipped,
        }
    }
}

impl PartState {
    /// Returns the state of a part whose file was read on this computer.
    pub(crate) fn of_file(verification: &ExportVerification) -> Self {
        let size = Some(verification.size);
        match verification.fault {
            Some(fault) => Self::Failed { fault: PartFault::Archive(fault), note: String::new() },
            None if verification.is_verified() => Self::VerifiedHere,
            None if verification.is_another_archive() => Self::Unrecognized { size },
            None => Self::OnSite { size },
        }
    }

    /// Returns the fault of a part that failed, and its text: the note, if there is one.
    pub(crate) fn failure(&self) -> Option<(PartFault, &str)> {
        match self {
            Self::Failed { fault, note } if note.is_empty() => Some((*fault, fault.as_text())),
            Self::Failed { fault, note } => Some((*fault, note)),
            Self::Waiting
            | Self::Running
            | Self::VerifiedHere
            | Self::OnSite { .. }
            | Self::Unrecognized { .. }
            | Self::Unknown
            | Self::Skipped { .. } => None,
        }
    }

    /// Returns whether a part failed before its export was sent, for a reason that may pass without a change of the
    /// plan or a sign-in: there is no connection yet, or the keyring is still locked. A disk or a download fails after
    /// the export.
    pub(crate) fn may_pass(&self) -> bool {
        let Some((fault, _)) = self.failure() else { return false };
        let is_after_export = matches!(fault, PartFault::Disk | PartFault::Download);
        !is_after_export && fault.persistence() != Persistence::Permanent
    }

    /// Returns the state of a part whose export ended with a problem.
    pub(crate) fn failed(problem: &Problem) -> Self {
        match PartFault::of(problem) {
            // An alert quotes the note of a rejection as the words of the site.
            Some(fault @ PartFault::Rejected) => Self::Failed { fault, note: words_of_site(problem) },
            Some(fault) => Self::Failed { fault, note: problem::as_text(problem) },
            None => Self::Skipped { reason: SkipReason::Busy },
        }
    }
}

/// Returns the message of a site that rejected a request; empty if it returned none.
fn words_of_site(problem: &Problem) -> String {
    let problem = if let Problem::NotRenewed { cause } = problem { cause } else { problem };
    if let Problem::Rejected { message, .. } | Problem::InFront { message } = problem {
        return message.clone();
    }
    String::new()
}

/// Returns the fault of a part that failed: the one that a user has to mend, if there is one.
pub(crate) fn fault_of(parts: &[SetPart]) -> Option<PartFault> {
    let faults = parts.iter().filter_map(|part| part.state.failure()).map(|(fault, _)| fault);
    faults.min_by_key(|fault| match fault {
        PartFault::SignIn => 0,
        PartFault::Keyring => 1,
        PartFault::NotTrusted => 2,
        PartFault::Rejected
        | PartFault::Disk
        | PartFault::Download
        | PartFault::Archive(_)
        | PartFault::NoFile
        | PartFault::SetGone
        | PartFault::NotOffered
        | PartFault::Other => 3,
        // Last: if another part failed for another reason, the site responded, and that is the reason to tell.
        PartFault::Connection => 4,
    })
}
