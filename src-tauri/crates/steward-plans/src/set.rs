//! A backup set: the folder that one run of a plan leaves, with `set.json`, the downloaded exports, and their inventories.
//!
//! `set.json` names every file of the set with size and SHA-256. What it does not name is not the app's, and stays.

#![deny(clippy::wildcard_enum_match_arm)]

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};
use steward_core::files;
use steward_core::model::export_verification::{ArchiveFault, ExportVerification};
use steward_core::model::ids::{RecordId, ServerId, SiteId};
use steward_core::model::numbers::{Bytes, Millis};
use steward_core::model::persistence::Persistence;
use steward_core::model::problem::{self, Problem};
use steward_core::model::saved_file::SavedFile;
use steward_core::sites::Site;

use super::acceptance_line::{LineAbout, PlanSession};
use super::plan::{PlanId, PlanPart};
use super::retention::{SetFacts, SetState};

/// Name of the file that describes a set.
pub const FILE: &str = "set.json";

/// Limit of the warnings that are kept of a part, in bytes: `set.json` stays readable whatever a site returns.
const KEPT_WARNINGS: usize = 16 * 1024;

/// Value of `program`: other programs have files of this name too.
const PROGRAM: &str = "site-steward";

/// Limit of a `set.json`, in bytes: more than one with a thousand parts.
const LARGEST: u64 = 4 * 1024 * 1024;

/// Content of `set.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct BackupSet {
    /// Name of this program.
    pub program: String,
    /// Plan that it belongs to.
    pub plan: PlanId,
    /// Name of the plan at that time.
    pub plan_name: String,
    /// Site.
    pub site: SiteId,
    /// Name of the site at that time.
    pub site_name: String,
    /// Time of the schedule that the run was for; `null` if a user started it.
    pub scheduled: Option<Millis>,
    /// When the run began.
    pub started: Millis,
    /// When the run ended; `null` if it has not.
    pub ended: Option<Millis>,
    /// Parts, in the order of the plan.
    pub parts: Vec<SetPart>,
    /// Whether the user pinned it: no rule removes it.
    pub is_pinned: bool,
}

/// A part of a set: the portal or a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SetPart {
    /// Server; `null` for the portal.
    pub server: Option<ServerId>,
    /// Name of the server or portal at that time.
    pub name: String,
    /// What the plan expects of it.
    pub expected: Expected,
    /// State that it reached.
    pub state: PartState,
    /// Record of its export in the history; `null` if it has none.
    pub record: Option<RecordId>,
    /// Files of the part in the folder of the set.
    pub files: Vec<SetFile>,
    /// Export of the portal, which stays in the folder that the portal wrote it to; `null` of a server, and if this computer does
    /// not see the file.
    pub portal_file: Option<PortalFile>,
    /// Usual size of earlier exports, if its file is much smaller; `null` otherwise.
    pub usual_size: Option<Bytes>,
    /// Warnings of the site about the export; empty if it named none, and left out if it did not warn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warnings: Option<Vec<String>>,
}

/// A file of a set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SetFile {
    /// Name in the folder of the set.
    pub name: String,
    /// Size of the file.
    pub size: Bytes,
    /// SHA-256 of its content, in lower-case hexadecimal.
    pub sha256: String,
}

/// Export file of a portal, as it was read on this computer. No rule removes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PortalFile {
    /// Name of the file.
    pub name: String,
    /// Folder of this computer that it was read in.
    pub folder: String,
    /// Size of the file.
    pub size: Bytes,
    /// SHA-256 of its content, in lower-case hexadecimal.
    pub sha256: String,
}

/// What a plan expects of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Expected {
    /// Every entry of its file was verified on this computer.
    VerifiedHere,
    /// Its file is where the site wrote it. It cannot be checked from this computer.
    OnSite,
}

/// State of a part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PartState {
    /// Its export has not begun.
    Waiting,
    /// Its export runs, or the program ended during it.
    Running,
    /// Every entry of its file was verified on this computer.
    VerifiedHere,
    /// The site wrote its file, which was not verified on this computer.
    OnSite {
        /// Size of the file; `null` if it is not known.
        size: Option<Bytes>,
    },
    /// Its file is complete and undamaged, but not recognized as an export: it is not called verified.
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

/// Reason why a part failed, by what has to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", content = "archive", rename_all = "camelCase")]
pub enum PartFault {
    /// A user has to sign in.
    SignIn,
    /// The keyring is locked or absent.
    Keyring,
    /// No connection to the site, which might be there again soon.
    Connection,
    /// The connection needs a user: a certificate, client certificate or address is not accepted, or the proxy requires credentials.
    NotTrusted,
    /// The site rejected the export.
    Rejected,
    /// A file or folder of this computer cannot be written, for example because the disk is full.
    Disk,
    /// The file was not downloaded. It is on the server.
    Download,
    /// The downloaded file is not complete.
    Archive(ArchiveFault),
    /// The site or server is no longer saved, or does not support the export.
    NotOffered,
    /// Any other reason.
    Other,
}

/// Reason why a part was skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum SkipReason {
    /// Another operation ran on the site, here or on another computer.
    Busy,
    /// The run was stopped.
    Stopped,
    /// An import of the portal runs, or its outcome is unknown: the site might be half replaced.
    PortalImport,
}

/// Verdict of a set: its worst part, compared with what the plan expects.
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

/// Reason why the folder of a set is left as it is.
#[derive(Debug, thiserror::Error)]
pub enum NotASet {
    /// It has no `set.json`.
    #[error("the folder has no {FILE}")]
    None,
    /// Its `set.json` is one of another program.
    #[error("its {FILE} is one of another program")]
    Foreign,
    /// Its `set.json` cannot be read, or was written by a newer version.
    #[error("its {FILE} cannot be read")]
    Unreadable(#[source] anyhow::Error),
}

impl BackupSet {
    /// Returns a set whose parts have not begun.
    pub(crate) fn begun(
        (plan, plan_name): (PlanId, String),
        (site, site_name): (SiteId, String),
        scheduled: Option<Millis>,
        parts: Vec<SetPart>,
    ) -> Self {
        Self {
            program: PROGRAM.to_owned(),
            plan,
            plan_name,
            site,
            site_name,
            scheduled,
            started: Millis::now(),
            ended: None,
            parts,
            is_pinned: false,
        }
    }

    /// Reads the set in a folder.
    ///
    /// # Errors
    /// [`NotASet`] if the folder has none that this version reads. Such a folder is never changed.
    pub fn read(folder: &Path) -> Result<Self, NotASet> {
        Self::read_file(&folder.join(FILE))
    }

    /// Reads the description of a set from a file.
    pub(super) fn read_file(file: &Path) -> Result<Self, NotASet> {
        let bytes = match files::read_whole(file, LARGEST) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(NotASet::None),
            Err(error) => return Err(NotASet::Unreadable(error.into())),
        };
        // A program that has no format of this kind is another one.
        let set: Self = files::decode(&bytes).map_err(|error| match is_ours(&bytes) {
            true => NotASet::Unreadable(error),
            false => NotASet::Foreign,
        })?;
        if set.program != PROGRAM {
            return Err(NotASet::Foreign);
        }
        // The app writes no other names. One of these would lead out of the folder.
        let names = set.parts.iter().flat_map(|part| {
            let files = part.files.iter().map(|file| &file.name);
            files.chain(part.portal_file.iter().map(|file| &file.name))
        });
        match names.into_iter().find(|name| !is_plain(name)) {
            Some(name) => Err(NotASet::Unreadable(anyhow::anyhow!("{name:?} is no name of a file"))),
            None => Ok(set),
        }
    }

    /// Writes `set.json` to the folder of the set.
    ///
    /// # Errors
    /// An error of the disk. The former `set.json` is then unchanged.
    pub fn write(&self, folder: &Path) -> std::io::Result<()> {
        files::write_whole(&folder.join(FILE), &files::encode(self)?)
    }

    /// Returns the verdict.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        // No run leaves a set without a part, and it would be none to import.
        let parts = self.parts.iter().map(SetPart::verdict);
        if self.ended.is_none() {
            return parts.max().map_or(Verdict::Failed, |worst| worst.max(Verdict::Running));
        }
        // The program ended during the run, or before it came to a part.
        let parts = parts.map(|part| if part == Verdict::Running { Verdict::Unknown } else { part });
        parts.max().unwrap_or(Verdict::Failed)
    }

    /// Ends a set whose runner ended before its run did: what it exported then is unknown.
    pub(crate) fn end_cut_off(&mut self) {
        for part in self.parts.iter_mut().filter(|part| part.state == PartState::Running) {
            part.state = PartState::Unknown;
        }
        self.ended = Some(Millis::now());
    }

    /// The same in the folder of the set, where the runner was perhaps killed after it had written a file: those that are complete
    /// are the set's, and are read; the others are removed.
    pub(crate) fn end_cut_off_in(&mut self, folder: &Path) {
        files::remove_left_behind(folder);
        for part in self.parts.iter_mut().filter(|part| part.state == PartState::Running) {
            part.files = part.files.iter().filter_map(|file| SetFile::of(&folder.join(&file.name))).collect();
        }
        self.end_cut_off();
    }

    /// Returns the set as its files in `folder` are now, without reading them: an export that is gone, or has another size, is no copy
    /// any more, whatever `set.json` says. Files of a part that runs are not there yet.
    pub(crate) fn as_found_in(&self, folder: &Path) -> Self {
        let mut found = self.clone();
        for part in &mut found.parts {
            let export = export_file(part).filter(|_| part.has_copy());
            if let Some(Err(error)) = export.map(|file| file.check(folder)) {
                let is_changed = error.kind() == std::io::ErrorKind::InvalidData;
                let fault = if is_changed { ArchiveFault::Changed } else { ArchiveFault::Unread };
                part.state = PartState::Failed { fault: PartFault::Archive(fault), note: error.to_string() };
            }
            if part.state == PartState::Running {
                part.files.clear();
            }
        }
        found
    }

    /// Returns whether it is as the plan expects, with every file recognized as an export.
    pub(crate) fn is_verified(&self) -> bool {
        self.verdict() == Verdict::AsExpected && self.parts.iter().all(SetPart::is_recognized)
    }

    /// Returns the SHA-256 of each of its exports.
    pub(super) fn contents(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(SetPart::content)
    }

    /// Returns whether nothing was sent for any part, for reasons that may pass. Nothing is known of the site then.
    #[must_use]
    pub fn sent_nothing(&self) -> bool {
        self.parts.iter().all(|part| part.state.may_pass())
    }

    /// Returns whether sets that no rule keeps may be removed after it: it is as expected, or has a copy of a part.
    pub(crate) fn takes_the_place_of_others(&self) -> bool {
        self.verdict() == Verdict::AsExpected || self.parts.iter().any(SetPart::has_copy)
    }

    /// Returns the fault of a part that failed: the one that a user has to mend, if there is one.
    #[must_use]
    pub fn fault(&self) -> Option<PartFault> {
        fault_of(&self.parts)
    }

    /// Returns the size of its files on this computer.
    pub(crate) fn size(&self) -> Bytes {
        Bytes::sum(self.parts.iter().flat_map(|part| &part.files).map(|file| file.size))
    }

    /// Returns what the rules for keeping sets need. `name` is the folder; `rehearsed` when one of its files was last
    /// imported into a site for tests.
    pub(crate) fn facts(&self, name: String, rehearsed: Option<Millis>) -> SetFacts {
        let verifiable = || self.parts.iter().filter(|part| part.expected == Expected::VerifiedHere);
        let state = match self.ended {
            None => SetState::Running,
            Some(_) if self.is_verified() => SetState::Counts,
            // One that is not recognized takes the place of no verified set, which would be removed for it.
            Some(_) => SetState::Incomplete,
        };
        let names = |is_so: fn(&SetPart) -> bool| -> BTreeSet<String> {
            let parts = verifiable().filter(|part| is_so(part));
            parts.map(|part| part.server.as_ref().map_or_else(String::new, |one| one.0.clone())).collect()
        };
        let verified_parts = names(|part| part.state == PartState::VerifiedHere);
        let copied_parts = names(SetPart::has_copy);
        let (at, rehearsed) = (self.started.timestamp(), rehearsed.map(Millis::timestamp));
        SetFacts { name, at, state, verified_parts, copied_parts, is_pinned: self.is_pinned, rehearsed }
    }
}

impl SetFile {
    /// Returns a file that is to be written: what is in it is not known yet.
    pub(crate) fn to_be_written(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_owned();
        Some(Self { name, size: Bytes(0), sha256: String::new() })
    }

    /// Reads a file; `None` if there is none.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        files::hash_of(path).ok().and_then(|file| Self::saved(&file))
    }

    /// Returns the entry of a file that was read.
    pub(crate) fn saved(file: &SavedFile) -> Option<Self> {
        let name = Path::new(&file.path).file_name()?.to_str()?.to_owned();
        Some(Self { name, size: file.size, sha256: file.sha256.clone() })
    }

    /// Returns whether the name is one in the folder of the set, and no path.
    pub(super) fn is_plain(&self) -> bool {
        is_plain(&self.name)
    }

    /// Checks that it is as it was written: a plain file of its size, in the folder of the set.
    pub(super) fn check(&self, folder: &Path) -> std::io::Result<()> {
        if !self.is_plain() {
            return Err(strange(Path::new(&self.name), "is not in the folder of the set"));
        }
        let path = folder.join(&self.name);
        let named =
            |error: std::io::Error| std::io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        let found = std::fs::symlink_metadata(&path).map_err(named)?;
        if !found.is_file() {
            return Err(strange(&path, "is not a plain file"));
        }
        if found.len() != self.size.0 {
            return Err(strange(&path, "has another size than when it was saved"));
        }
        Ok(())
    }
}

/// Returns the export of a server among the files of its part; `None` if it has none.
pub(super) fn export_file(part: &SetPart) -> Option<&SetFile> {
    part.files.iter().find(|file| Path::new(&file.name).extension().is_some_and(|end| end == "agssite"))
}

/// Returns an error about a file of a set that is not as it was written.
pub(super) fn strange(path: &Path, what: &str) -> std::io::Error {
    std::io::Error::new(std::io::ErrorKind::InvalidData, format!("{} {what}", path.display()))
}

/// Returns whether a text is a name in a folder, and no path.
pub(super) fn is_plain(name: &str) -> bool {
    let mut components = Path::new(name).components();
    matches!((components.next(), components.next()), (Some(Component::Normal(_)), None))
}

/// Returns the first warnings of a site. The last text says how many are not kept.
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

impl SetPart {
    /// Returns the SHA-256 of its export; `None` if it was not read on this computer.
    pub(super) fn content(&self) -> Option<&str> {
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

    /// Returns whether its file is not known to be another one than an export.
    pub(crate) const fn is_recognized(&self) -> bool {
        !matches!(self.state, PartState::Unrecognized { .. })
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
            // An export whose entries have other names would fail each night.
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

impl PartFault {
    /// Returns the fault of a part whose export ended with a problem; `None` if it is skipped, because the site is busy.
    pub(crate) fn of(problem: &Problem) -> Option<Self> {
        Some(match problem {
            Problem::Busy { .. } => return None,
            Problem::NotRenewed { cause } => return Self::of(cause),
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
            | Problem::SafetyBackupFailed { .. }
            | Problem::WebhooksNotDeactivated { .. }
            | Problem::ImportFailed { .. }
            | Problem::WebhooksWereInactive { .. }
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
            | Self::NotOffered
            | Self::Other => Persistence::Permanent,
        }
    }

    const fn as_text(self) -> &'static str {
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
            Self::Archive(ArchiveFault::Implausible) => "the archive is larger than any export",
            Self::NotOffered => "no longer saved, or without this export",
            Self::Other => "another reason",
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

    /// Returns the fault of a part that failed, and the text that words it: the note, if there is one.
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

    /// Returns whether a part failed before its export was sent, for a reason that may pass without a change of the plan or a
    /// sign-in: there is no connection yet, or the keyring is still locked. A disk or a download fails after the export.
    pub(crate) fn may_pass(&self) -> bool {
        let Some((fault, _)) = self.failure() else { return false };
        let is_after_export = matches!(fault, PartFault::Disk | PartFault::Download);
        !is_after_export && fault.persistence() != Persistence::Permanent
    }

    /// Returns the state of a part whose export ended with a problem.
    pub(crate) fn failed(problem: &Problem) -> Self {
        match PartFault::of(problem) {
            Some(fault) => Self::Failed { fault, note: problem::as_text(problem) },
            None => Self::Skipped { reason: SkipReason::Busy },
        }
    }
}

/// Returns the fault of a part that failed: the one that a user has to mend, if there is one.
pub(super) fn fault_of(parts: &[SetPart]) -> Option<PartFault> {
    let faults = parts.iter().filter_map(|part| part.state.failure()).map(|(fault, _)| fault);
    faults.min_by_key(|fault| match fault {
        PartFault::SignIn => 0,
        PartFault::Keyring => 1,
        PartFault::NotTrusted => 2,
        PartFault::Rejected
        | PartFault::Disk
        | PartFault::Download
        | PartFault::Archive(_)
        | PartFault::NotOffered
        | PartFault::Other => 3,
        // Others of the site failed for another reason, which is the one to tell.
        PartFault::Connection => 4,
    })
}

/// Returns whether the content of a file names this program, in whatever format.
fn is_ours(bytes: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Named {
        program: String,
    }
    #[derive(Deserialize)]
    struct Content {
        content: Named,
    }
    serde_json::from_slice(bytes).is_ok_and(|file: Content| file.content.program == PROGRAM)
}

/// Creates the folder of a set in that of its plan: the time at which the run began, with a number if it is taken. The
/// folder of the plan is not created: without its network drive, it would be on another disk.
///
/// # Errors
/// An error of the disk.
pub(crate) fn create_folder(plan: &Path, started: Millis) -> std::io::Result<PathBuf> {
    let name = files::time_in_name(started);
    let names = (2..1000).map(|number| format!("{name} ({number})"));
    for name in [name.clone()].into_iter().chain(names) {
        match std::fs::create_dir(plan.join(&name)) {
            Ok(()) => return Ok(plan.join(name)),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(std::io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use steward_client::{ProxyRefusal, Stage};

    use super::*;

    fn part(expected: Expected, state: PartState) -> SetPart {
        SetPart {
            server: None,
            name: "Portal".to_owned(),
            expected,
            state,
            record: None,
            files: Vec::new(),
            portal_file: None,
            usual_size: None,
            warnings: None,
        }
    }

    fn set(parts: Vec<SetPart>) -> BackupSet {
        let plan = (PlanId("p".to_owned()), "Every night".to_owned());
        let site = (SiteId("s".to_owned()), "City GIS".to_owned());
        BackupSet { ended: Some(Millis(2)), ..BackupSet::begun(plan, site, None, parts) }
    }

    fn failed(fault: PartFault) -> PartState {
        PartState::Failed { fault, note: String::new() }
    }

    #[test]
    fn the_verdict_is_that_of_the_worst_part_by_what_the_plan_expects() {
        use Expected::{OnSite, VerifiedHere};
        let on_site = || PartState::OnSite { size: None };
        let skipped = || PartState::Skipped { reason: SkipReason::Busy };
        for (expected, state, verdict) in [
            (VerifiedHere, PartState::VerifiedHere, Verdict::AsExpected),
            (OnSite, PartState::VerifiedHere, Verdict::AsExpected),
            (OnSite, on_site(), Verdict::AsExpected),
            (VerifiedHere, on_site(), Verdict::Failed),
            (VerifiedHere, PartState::Unrecognized { size: None }, Verdict::AsExpected),
            (OnSite, failed(PartFault::Rejected), Verdict::Failed),
            (VerifiedHere, PartState::Unknown, Verdict::Unknown),
            (VerifiedHere, skipped(), Verdict::Skipped),
            // The program ended in the middle.
            (VerifiedHere, PartState::Running, Verdict::Unknown),
            (VerifiedHere, PartState::Waiting, Verdict::Unknown),
        ] {
            let well = part(VerifiedHere, PartState::VerifiedHere);
            let set = set(vec![well, part(expected, state.clone())]);
            assert_eq!(set.verdict(), verdict, "{expected:?} {state:?}");
        }
        let cut_off = [PartState::Waiting, skipped()].map(|state| part(VerifiedHere, state));
        assert_eq!(set(cut_off.into()).verdict(), Verdict::Unknown, "it did not come to a part");
        let all = [skipped(), PartState::Unknown, failed(PartFault::Disk)];
        let worst = set(all.into_iter().map(|state| part(VerifiedHere, state)).collect());
        assert_eq!(worst.verdict(), Verdict::Failed);
        let running = BackupSet { ended: None, ..set(vec![part(VerifiedHere, PartState::VerifiedHere)]) };
        assert_eq!(running.verdict(), Verdict::Running);
    }

    #[test]
    fn a_set_whose_export_was_done_sent_something_whatever_failed_afterwards() {
        let sent_nothing = |fault| set(vec![part(Expected::VerifiedHere, failed(fault))]).sent_nothing();
        assert!(sent_nothing(PartFault::Connection) && sent_nothing(PartFault::Keyring));
        assert!(!sent_nothing(PartFault::Disk) && !sent_nothing(PartFault::Download));
    }

    #[test]
    fn a_fault_may_pass_if_its_problem_may() {
        let unreachable = |stage| Problem::Unreachable { stage, message: String::new() };
        let refused = |status| {
            let (proxy, target) = ("http://proxy".to_owned(), "gis".to_owned());
            Problem::ProxyRefused { refusal: ProxyRefusal { proxy, target, status, schemes: Vec::new() } }
        };
        for (problem, fault) in [
            (unreachable(Stage::Connect), PartFault::Connection),
            (unreachable(Stage::TlsSuites), PartFault::NotTrusted),
            (refused(Some(502)), PartFault::Connection),
            (refused(Some(407)), PartFault::NotTrusted),
            (Problem::NoResponse { message: String::new() }, PartFault::Connection),
            (Problem::ClientCertificate { alert: String::new() }, PartFault::NotTrusted),
            (
                Problem::UnconfirmedAddress { site: SiteId(String::new()), addresses: Vec::new() },
                PartFault::NotTrusted,
            ),
            (Problem::Redirected { to: String::new() }, PartFault::NotTrusted),
            (Problem::sign_in(&SiteId(String::new())), PartFault::SignIn),
            (Problem::InFront { message: String::new() }, PartFault::Rejected),
            (Problem::file(Path::new("a"), &std::io::ErrorKind::NotFound.into()), PartFault::Disk),
            (Problem::Unexpected { message: String::new() }, PartFault::Other),
        ] {
            assert_eq!(PartFault::of(&problem), Some(fault), "{problem:?}");
            assert_eq!(fault.persistence(), problem.persistence(), "{problem:?}");
            let renewed = Problem::NotRenewed { cause: Box::new(problem.clone()) };
            assert_eq!(PartFault::of(&renewed), Some(fault), "{problem:?}");
        }
    }

    #[test]
    fn a_set_counts_for_its_rules_only_if_each_part_is_as_expected() {
        use Expected::{OnSite, VerifiedHere};
        let state = |parts: Vec<SetPart>| set(parts).facts(String::new(), None).state;
        let well = || part(VerifiedHere, PartState::VerifiedHere);
        let portal = || part(OnSite, PartState::OnSite { size: None });
        assert_eq!(state(vec![well(), portal()]), SetState::Counts);
        assert_eq!(state(vec![well(), part(VerifiedHere, PartState::Unknown)]), SetState::Incomplete);
        assert_eq!(state(vec![well(), part(OnSite, failed(PartFault::Rejected))]), SetState::Incomplete);
        let damaged = || part(VerifiedHere, failed(PartFault::Archive(ArchiveFault::Damaged)));
        assert_eq!(state(vec![well(), damaged()]), SetState::Incomplete);
        let running = BackupSet { ended: None, ..set(vec![well()]) };
        assert_eq!(running.facts(String::new(), None).state, SetState::Running);
    }

    #[test]
    fn an_export_that_is_not_recognized_fails_no_plan_and_replaces_no_verified_copy() {
        let unrecognized = PartState::Unrecognized { size: Some(Bytes(7)) };
        let set = set(vec![part(Expected::VerifiedHere, unrecognized)]);
        assert_eq!(set.verdict(), Verdict::AsExpected);
        let facts = set.facts(String::new(), None);
        assert_eq!(facts.state, SetState::Incomplete, "no verified set is removed for it");
        assert!(facts.verified_parts.is_empty(), "the newest verified copy stays");
    }

    #[test]
    fn a_set_without_a_part_does_not_count() {
        let empty = set(Vec::new());
        assert_eq!(empty.verdict(), Verdict::Failed);
        assert_eq!(empty.facts(String::new(), None).state, SetState::Incomplete);
    }

    #[test]
    fn a_set_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let file = SetFile { name: "a.agssite".to_owned(), size: Bytes(7), sha256: "00".to_owned() };
        let mut written =
            set(vec![part(Expected::VerifiedHere, failed(PartFault::Archive(ArchiveFault::Cut)))]);
        written.parts[0].files.push(file);
        written.write(folder.path()).unwrap();
        assert_eq!(BackupSet::read(folder.path()).unwrap(), written);
    }

    #[test]
    fn a_set_of_another_program_or_version_is_told_apart_from_ours() {
        let folder = tempfile::tempdir().unwrap();
        let read = || BackupSet::read(folder.path()).unwrap_err();
        assert!(matches!(read(), NotASet::None));
        let ours = serde_json::to_string(&set(Vec::new())).unwrap();
        let theirs = ours.replace(PROGRAM, "another-program");
        for (content, is_foreign) in [
            ("{}".to_owned(), true),
            ("not json".to_owned(), true),
            (r#"{"name":"cards","cards":[]}"#.to_owned(), true),
            (format!(r#"{{"format":1,"content":{theirs}}}"#), true),
            (format!(r#"{{"format":2,"content":{ours}}}"#), false),
            (r#"{"format":1,"content":{"program":"site-steward"}}"#.to_owned(), false),
        ] {
            std::fs::write(folder.path().join(FILE), &content).unwrap();
            assert_eq!(matches!(read(), NotASet::Foreign), is_foreign, "{content}");
        }
        std::fs::remove_file(folder.path().join(FILE)).unwrap();
        std::fs::create_dir(folder.path().join(FILE)).unwrap();
        assert!(matches!(read(), NotASet::Unreadable(_)));
    }

    #[test]
    fn a_set_with_a_file_outside_its_folder_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let elsewhere = folder.path().join("a.agssite").display().to_string();
        for name in ["../a.agssite", "a/b.agssite", "./a.agssite", "..", "", &elsewhere] {
            let file = SetFile { name: name.to_owned(), size: Bytes(7), sha256: String::new() };
            let of_file =
                SetPart { files: vec![file], ..part(Expected::VerifiedHere, PartState::VerifiedHere) };
            let (folder_name, size, sha256) = (String::new(), Bytes(7), String::new());
            let portal_file = PortalFile { name: name.to_owned(), folder: folder_name, size, sha256 };
            let of_portal = SetPart {
                portal_file: Some(portal_file),
                ..part(Expected::VerifiedHere, PartState::VerifiedHere)
            };
            for part in [of_file, of_portal] {
                set(vec![part]).write(folder.path()).unwrap();
                let read = BackupSet::read(folder.path());
                assert!(matches!(read, Err(NotASet::Unreadable(_))), "{name:?}: {read:?}");
            }
        }
    }

    #[test]
    fn a_set_stays_readable_whatever_a_site_warns_of_and_one_without_warnings_does_not_name_them() {
        let folder = tempfile::tempdir().unwrap();
        let countless: Vec<_> = (0..1_000).map(|number| format!("{number:08192}")).collect();
        let warned = |warnings: &[String]| SetPart {
            warnings: Some(kept(warnings)),
            ..part(Expected::OnSite, PartState::OnSite { size: None })
        };
        let few = ["one".to_owned(), "two".to_owned()];
        let whole = set(vec![warned(&countless), warned(&few), warned(&[])]);
        whole.write(folder.path()).unwrap();
        let read = BackupSet::read(folder.path()).unwrap();
        assert_eq!(read, whole);
        let [of_countless, of_few, of_none] = &read.parts[..] else { panic!("{read:?}") };
        let last = of_countless.warnings.iter().flatten().next_back();
        assert_eq!(last.map(String::as_str), Some("+998"));
        assert_eq!(
            (of_few.warnings.as_deref(), of_none.warnings.as_deref()),
            (Some(&few[..]), Some(&[][..]))
        );

        let plain = set(vec![part(Expected::OnSite, PartState::OnSite { size: None })]);
        plain.write(folder.path()).unwrap();
        let written = std::fs::read_to_string(folder.path().join(FILE)).unwrap();
        assert!(!written.contains("warnings"), "{written}");
        assert_eq!(BackupSet::read(folder.path()).unwrap(), plain);
    }

    #[test]
    fn sizes_that_no_disk_has_are_added_without_an_overflow() {
        let file = SetFile { name: "a.agssite".to_owned(), size: Bytes(u64::MAX), sha256: String::new() };
        let files = vec![file.clone(), file];
        let huge = set(vec![SetPart { files, ..part(Expected::VerifiedHere, PartState::VerifiedHere) }]);
        assert_eq!(huge.size(), Bytes(u64::MAX));
    }

    #[test]
    fn two_runs_that_begin_in_one_second_have_two_folders() {
        let plan = tempfile::tempdir().unwrap();
        let first = create_folder(plan.path(), Millis(0)).unwrap();
        let second = create_folder(plan.path(), Millis(0)).unwrap();
        assert_ne!(first, second);
        assert!(second.is_dir());
    }
}
