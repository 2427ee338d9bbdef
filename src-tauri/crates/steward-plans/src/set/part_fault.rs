//! Why a part of a set failed, by what has to be done.

use serde::{Deserialize, Serialize};
use steward_core::model::export_verification::ArchiveFault;
use steward_core::model::persistence::Persistence;
use steward_core::model::problem::Problem;

use crate::acceptance_line::{LineAbout, PlanSession};

/// Reason why a part failed. There is one for each action that helps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", content = "archive", rename_all = "camelCase")]
pub enum PartFault {
    /// A user has to sign in.
    SignIn,
    /// The keyring is locked or absent.
    Keyring,
    /// There is no connection to the site, which might be temporary.
    Connection,
    /// The connection requires an action of a user: a certificate, client certificate or address is not accepted, or
    /// the proxy requires credentials.
    NotTrusted,
    /// The site rejected the export.
    Rejected,
    /// A file or folder of this computer cannot be written, for example because the disk is full.
    Disk,
    /// The file was not downloaded, but is stored on the server.
    Download,
    /// The downloaded file is not complete.
    Archive(ArchiveFault),
    /// The portal did not return the path of its export.
    NoFile,
    /// The set of the run no longer exists, or its `set.json` cannot be read.
    SetGone,
    /// The site or server is no longer saved, or does not support the export.
    NotOffered,
    /// Any other reason.
    Other,
}

impl PartFault {
    /// Returns the fault of a part whose export ended with a problem; `None` if it is skipped, because the site is
    /// busy.
    pub(crate) fn of(problem: &Problem) -> Option<Self> {
        Some(match problem {
            Problem::Busy { .. } => return None,
            Problem::NotRenewed { cause }
            | Problem::ImportFailed { cause, .. }
            | Problem::WebhooksWereInactive { cause, .. }
            | Problem::SafetyBackupFailed { cause: Some(cause), .. } => return Self::of(cause),
            Problem::SignIn { .. } => Self::SignIn,
            Problem::Keyring { .. } => Self::Keyring,
            Problem::Unreachable { .. }
            | Problem::ProxyRefused { .. }
            | Problem::NoResponse { .. }
            | Problem::Certificate { .. }
            | Problem::UnconfirmedAddress { .. }
            | Problem::ClientCertificate { .. }
            | Problem::Redirected { .. } => match problem.persistence() {
                Persistence::Temporary => Self::Connection,
                Persistence::Persistent | Persistence::Permanent => Self::NotTrusted,
            },
            // The run has tried again with the renewed token.
            Problem::TokenRenewed | Problem::Rejected { .. } | Problem::InFront { .. } => Self::Rejected,
            Problem::File { .. } | Problem::NotRecorded { .. } => Self::Disk,
            Problem::TooOld { .. } | Problem::NotOffered { .. } | Problem::NoAddress { .. } => {
                Self::NotOffered
            }
            Problem::Form { .. }
            | Problem::Unreadable { .. }
            | Problem::NoDialog { .. }
            | Problem::ExtensionNotAllowed { .. }
            | Problem::ReadOnly { .. }
            | Problem::PlanNotAccepted
            | Problem::SafetyBackupFailed { cause: None, .. }
            | Problem::WebhooksNotDeactivated { .. }
            | Problem::SafetyBackupMissing { .. }
            | Problem::PreconditionFailed { .. }
            | Problem::Unexpected { .. } => Self::Other,
        })
    }

    /// Returns whether another attempt within minutes might succeed.
    pub(crate) fn passes_soon(self) -> bool {
        self.persistence() == Persistence::Temporary
    }

    /// Returns whether it may pass, as the [problem](Problem::persistence) that it was made of.
    pub(crate) const fn persistence(self) -> Persistence {
        match self {
            Self::Connection => Persistence::Temporary,
            Self::Keyring | Self::NotTrusted | Self::Disk => Persistence::Persistent,
            Self::SignIn
            | Self::Rejected
            | Self::Download
            | Self::Archive(_)
            | Self::NoFile
            | Self::SetGone
            | Self::NotOffered
            | Self::Other => Persistence::Permanent,
        }
    }

    pub(super) const fn as_text(self) -> &'static str {
        match self {
            Self::SignIn => "a user has to sign in",
            Self::Keyring => "the keyring is locked or absent",
            Self::Connection => "no connection to the site",
            Self::NotTrusted => "a certificate, an address or the proxy is not accepted",
            Self::Rejected => "the site rejected the export",
            Self::Disk => "a file cannot be written",
            Self::Download => "the file was not downloaded",
            Self::Archive(ArchiveFault::Unread) => "the file cannot be read",
            Self::Archive(ArchiveFault::Empty) => "the file is empty",
            Self::Archive(ArchiveFault::NoArchive) => "the file does not begin like an archive",
            Self::Archive(ArchiveFault::Cut) => "the end of the file, or something before it, is missing",
            Self::Archive(ArchiveFault::NoEntries) => "the archive has no entries",
            Self::Archive(ArchiveFault::Changed) => "the file differs from what was received",
            Self::Archive(ArchiveFault::Earlier) => "the file has the content of an earlier export",
            Self::Archive(ArchiveFault::Damaged) => "an entry of the archive is damaged",
            Self::Archive(ArchiveFault::Implausible) => "the archive is not a plausible export",
            Self::NoFile => "the portal named no file of its export",
            Self::SetGone => "the backup set is gone, or cannot be read",
            Self::NotOffered => "no longer saved, or without this export",
            Self::Other => "another reason",
        }
    }

    /// Returns the key of its text in an alert.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::SignIn => "alert.fault.signIn",
            Self::Keyring => "alert.fault.keyring",
            Self::Connection => "alert.fault.connection",
            Self::NotTrusted => "alert.fault.notTrusted",
            Self::Rejected => "alert.fault.rejected",
            Self::Disk => "alert.fault.disk",
            Self::Download => "alert.fault.download",
            Self::Archive(ArchiveFault::Unread) => "alert.fault.unread",
            Self::Archive(ArchiveFault::Empty) => "alert.fault.empty",
            Self::Archive(ArchiveFault::NoArchive) => "alert.fault.noArchive",
            Self::Archive(ArchiveFault::Cut) => "alert.fault.cut",
            Self::Archive(ArchiveFault::NoEntries) => "alert.fault.noEntries",
            Self::Archive(ArchiveFault::Changed) => "alert.fault.changed",
            Self::Archive(ArchiveFault::Earlier) => "alert.fault.earlier",
            Self::Archive(ArchiveFault::Damaged) => "alert.fault.damaged",
            Self::Archive(ArchiveFault::Implausible) => "alert.fault.implausible",
            Self::NoFile => "alert.fault.noFile",
            Self::SetGone => "alert.fault.setGone",
            Self::NotOffered => "alert.fault.notOffered",
            Self::Other => "alert.fault.other",
        }
    }

    /// Returns the fault of a run that a line of the acceptance list kept from beginning.
    pub(crate) const fn of_obstacle(about: &LineAbout) -> Self {
        match about {
            LineAbout::Session { session: PlanSession::Keyring { .. }, .. } => Self::Keyring,
            LineAbout::Session { .. } => Self::SignIn,
            LineAbout::Versions { .. } => Self::NotOffered,
            LineAbout::Folder { .. } | LineAbout::Space { .. } | LineAbout::Synchronized { .. } => Self::Disk,
            LineAbout::TokenLife { .. } | LineAbout::OnlyExports { .. } => Self::Other,
        }
    }
}
