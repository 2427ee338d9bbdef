//! A backup set: the folder that one run of a plan leaves, with `set.json`, the downloaded exports, and their
//! inventories.
//!
//! `set.json` names every file of the set with size and SHA-256. Other files in the folder are not the app's, and stay.

#![deny(clippy::wildcard_enum_match_arm)]

mod file;
mod part;
mod part_fault;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use steward_core::files;
use steward_core::model::export_verification::ArchiveFault;
use steward_core::model::ids::SiteId;
use steward_core::model::numbers::{Bytes, Millis};
use steward_journal::Workstation;

use super::plan::PlanId;
use super::retention::{SetFacts, SetState};

pub use file::{PortalFile, SetFile};
pub(super) use file::{is_gone, is_plain, strange};
pub use part::export_file;
pub use part::{Expected, PartState, SetPart, SkipReason, Verdict};
pub(crate) use part::{fault_of, kept};
pub use part_fault::PartFault;

/// Name of the file that describes a set.
pub const FILE: &str = "set.json";

/// Value of `program`: other programs have files of this name too.
const PROGRAM: &str = "site-steward";

/// Limit of a `set.json`, in bytes: more than one with a thousand parts.
const LARGEST: u64 = 4 * 1024 * 1024;

/// A backup set: the content of its `set.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct BackupSet {
    /// Name of the program that wrote it: this app.
    pub program: String,
    /// Name that the folder of the set had originally. In a folder with another name, the set is a copy. Empty if a
    /// version before the first release wrote it.
    #[serde(default)]
    pub folder_name: String,
    /// Plan that the set belongs to.
    pub plan: PlanId,
    /// Name of the plan at that time.
    pub plan_name: String,
    /// Site.
    pub site: SiteId,
    /// Name of the site at that time.
    pub site_name: String,
    /// Time of the schedule that the run was due at; `null` if a user started it.
    pub scheduled: Option<Millis>,
    /// Computer that ran it; empty if an earlier version wrote the set.
    #[serde(default)]
    pub computer: String,
    /// Time when the run began.
    pub started: Millis,
    /// Time when the run ended; `null` if it has not ended. Of a run that was cut off, the last time that is known of
    /// it: when its last part ended, or when it began.
    pub ended: Option<Millis>,
    /// Parts, in the order of the plan.
    pub parts: Vec<SetPart>,
    /// Whether the user pinned the set, so that no rule removes it.
    pub is_pinned: bool,
}

/// Reason why the folder of a set is left as it is.
#[derive(Debug, thiserror::Error)]
pub enum NotASet {
    /// The folder has no `set.json`.
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
            folder_name: String::new(),
            plan,
            plan_name,
            site,
            site_name,
            scheduled,
            computer: Workstation::this().computer.clone(),
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
        // A file that cannot be decoded is of a newer version if it names this program, otherwise of another one.
        let set: Self = files::decode(&bytes).map_err(|error| match is_ours(&bytes) {
            true => NotASet::Unreadable(error),
            false => NotASet::Foreign,
        })?;
        if set.program != PROGRAM {
            return Err(NotASet::Foreign);
        }
        // The app writes only plain names. A path could lead out of the folder.
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

    /// Returns whether `folder` is another one than its run created: a user copied or renamed that.
    pub(super) fn is_copy_in(&self, folder: &Path) -> bool {
        !self.folder_name.is_empty() && folder.file_name() != Some(OsStr::new(&self.folder_name))
    }

    /// Returns the verdict.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        // A set without parts is a failure: no run leaves one, and there is nothing to import.
        let parts = self.parts.iter().map(SetPart::verdict);
        if self.ended.is_none() {
            return parts.max().map_or(Verdict::Failed, |worst| worst.max(Verdict::Running));
        }
        // The program ended during the run, or before it came to a part.
        let parts = parts.map(|part| if part == Verdict::Running { Verdict::Unknown } else { part });
        parts.max().unwrap_or(Verdict::Failed)
    }

    /// Ends a set whose runner ended before its run did: what it exported then is unknown. The end of the last part is
    /// the last time that is known of the run.
    pub(crate) fn end_cut_off(&mut self) {
        for part in self.parts.iter_mut().filter(|part| part.state == PartState::Running) {
            part.state = PartState::Unknown;
        }
        self.ended = self.parts.iter().filter_map(|part| part.ended).max().or(Some(self.started));
    }

    /// Ends such a set in its folder: files that the runner had completed belong to the set, and are read; the others
    /// are removed.
    pub(crate) fn end_cut_off_in(&mut self, folder: &Path) {
        files::remove_left_behind(folder);
        for part in self.parts.iter_mut().filter(|part| part.state == PartState::Running) {
            part.files = part.files.iter().filter_map(|file| SetFile::of(&folder.join(&file.name))).collect();
        }
        self.end_cut_off();
    }

    /// Returns the set as its files are now: those in `folder`, and that of the portal in `seen_at`. They are not read.
    /// An export that is gone, or has another size, is no copy any more, whatever `set.json` has. Files of a part that
    /// runs are not there yet.
    pub(crate) fn as_found_in(&self, folder: &Path, seen_at: Option<&Path>) -> Self {
        let mut found = self.clone();
        for part in &mut found.parts {
            let checked = match part.server {
                _ if !part.has_copy() => None,
                Some(_) => export_file(part).map(|file| file.check(folder)),
                None => part.portal_file.as_ref().zip(seen_at).map(|(file, seen_at)| file.check(seen_at)),
            };
            if let Some(Err(error)) = checked {
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

    /// Returns the parts whose export might be a copy, by the time of its file in `folder` or `seen_at`. Such a part
    /// has no copy in [`as_found_in`](Self::as_found_in) until its file is read again.
    pub(crate) fn might_be_copied(
        &self,
        folder: &Path,
        seen_at: Option<&Path>,
    ) -> impl Iterator<Item = &SetPart> {
        self.parts.iter().filter(move |part| match part.server {
            _ if !part.has_copy() => false,
            Some(_) => export_file(part).is_some_and(|file| file.might_be_copied(folder)),
            None => {
                let file = part.portal_file.as_ref().zip(seen_at);
                file.is_some_and(|(file, seen_at)| file.might_be_copied(seen_at))
            }
        })
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
    /// imported into a test site.
    pub(crate) fn facts(&self, name: String, rehearsed: Option<Millis>) -> SetFacts {
        let verifiable = || self.parts.iter().filter(|part| part.expected == Expected::VerifiedHere);
        let state = match self.ended {
            None => SetState::Running,
            Some(_) if self.is_verified() => SetState::Counts,
            // A set with an unrecognized file does not count: a verified set would be removed for it.
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
    let text = files::as_utf8(bytes);
    // A file that a damaged disk cut off still has the name.
    let is_named = |_| String::from_utf8_lossy(&text).contains(PROGRAM);
    serde_json::from_slice(&text).map_or_else(is_named, |file: Content| file.content.program == PROGRAM)
}

/// Creates the folder of a set in that of its plan, and returns it with its name: the time at which the run began, with
/// a number if it is taken. The folder of the plan is not created: without its network drive, it would be on another
/// disk.
///
/// # Errors
/// An error of the disk.
pub(crate) fn create_folder(plan: &Path, started: Millis) -> std::io::Result<(PathBuf, String)> {
    let name = files::time_in_name(started);
    let names = (2..1000).map(|number| format!("{name} ({number})"));
    for name in [name.clone()].into_iter().chain(names) {
        match std::fs::create_dir(plan.join(&name)) {
            Ok(()) => return Ok((plan.join(&name), name)),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(std::io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use steward_client::{CertificateProblem, CertificateReason, ProxyRefusal, Stage};
    use steward_core::model::ids::ServerId;
    use steward_core::model::keyring_state::KeyringState;
    use steward_core::model::operation::{Component, OperationKey};
    use steward_core::model::problem::{
        FieldError, NotRecordedReason, PreconditionFailure, Problem, SafetyBackupStep,
    };
    use steward_core::model::unavailable_reason::UnavailableReason;

    use super::*;

    fn part(expected: Expected, state: PartState) -> SetPart {
        SetPart { expected, ..SetPart::example(state) }
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

    /// The number of a kind of problem, and how many kinds there are: a new one does not compile without it.
    const fn kind_of(problem: &Problem) -> (usize, usize) {
        let number = match problem {
            Problem::Form { .. } => 0,
            Problem::Rejected { .. } => 1,
            Problem::InFront { .. } => 2,
            Problem::SignIn { .. } => 3,
            Problem::TokenRenewed => 4,
            Problem::NotRenewed { .. } => 5,
            Problem::Unreachable { .. } => 6,
            Problem::ProxyRefused { .. } => 7,
            Problem::NoResponse { .. } => 8,
            Problem::Unreadable { .. } => 9,
            Problem::Keyring { .. } => 10,
            Problem::Busy { .. } => 11,
            Problem::TooOld { .. } => 12,
            Problem::NotOffered { .. } => 13,
            Problem::Certificate { .. } => 14,
            Problem::UnconfirmedAddress { .. } => 15,
            Problem::ClientCertificate { .. } => 16,
            Problem::Redirected { .. } => 17,
            Problem::NoAddress { .. } => 18,
            Problem::NoDialog { .. } => 19,
            Problem::File { .. } => 20,
            Problem::ExtensionNotAllowed { .. } => 21,
            Problem::ReadOnly { .. } => 22,
            Problem::PlanNotAccepted => 23,
            Problem::SafetyBackupFailed { .. } => 24,
            Problem::WebhooksNotDeactivated { .. } => 25,
            Problem::ImportFailed { .. } => 26,
            Problem::WebhooksWereInactive { .. } => 27,
            Problem::SafetyBackupMissing { .. } => 28,
            Problem::PreconditionFailed { .. } => 29,
            Problem::NotRecorded { .. } => 30,
            Problem::Unexpected { .. } => 31,
        };
        (number, 32)
    }

    /// Problems of every kind, each with its fault.
    fn problems_and_faults() -> Vec<(Problem, PartFault)> {
        let text = String::new;
        let (site, site_name) = (SiteId(text()), text());
        let unreachable = |stage| Problem::Unreachable { stage, message: text() };
        let refused = |status| {
            let (proxy, target) = ("http://proxy".to_owned(), "gis".to_owned());
            Problem::ProxyRefused { refusal: ProxyRefusal { proxy, target, status, schemes: Vec::new() } }
        };
        let certificate = CertificateProblem {
            server: text(),
            origin: None,
            subject: text(),
            issuer: text(),
            names: Vec::new(),
            not_before: text(),
            not_after: text(),
            fingerprint: "AB".to_owned(),
            chain: Vec::new(),
            reason: CertificateReason::Expired,
            also: Vec::new(),
            accepted_before: Some("CD".to_owned()),
        };
        let file = || Problem::file(Path::new("a"), &std::io::ErrorKind::NotFound.into());
        let cause = || Box::new(file());
        let (record, webhooks) = (None, Box::default());
        let reason = UnavailableReason::TooOld { needs: text(), has: text() };
        vec![
            (unreachable(Stage::Connect), PartFault::Connection),
            (unreachable(Stage::TlsSuites), PartFault::NotTrusted),
            (refused(Some(502)), PartFault::Connection),
            (refused(Some(407)), PartFault::NotTrusted),
            (Problem::NoResponse { message: text() }, PartFault::Connection),
            (
                Problem::Certificate { site: site.clone(), certificate: Box::new(certificate) },
                PartFault::NotTrusted,
            ),
            (Problem::ClientCertificate { alert: text() }, PartFault::NotTrusted),
            (
                Problem::UnconfirmedAddress { site: site.clone(), addresses: Vec::new() },
                PartFault::NotTrusted,
            ),
            (Problem::Redirected { to: text() }, PartFault::NotTrusted),
            (Problem::sign_in(&site), PartFault::SignIn),
            (Problem::Keyring { state: KeyringState::Locked, message: text() }, PartFault::Keyring),
            (Problem::InFront { message: text() }, PartFault::Rejected),
            (Problem::Rejected { code: None, message: text(), details: Vec::new() }, PartFault::Rejected),
            (Problem::TokenRenewed, PartFault::Rejected),
            (file(), PartFault::Disk),
            (
                Problem::NotRecorded { reason: NotRecordedReason::DiskFull, full: None, message: text() },
                PartFault::Disk,
            ),
            (Problem::NotRenewed { cause: cause() }, PartFault::Disk),
            (Problem::ImportFailed { cause: cause(), record, can_undo: false }, PartFault::Disk),
            (Problem::WebhooksWereInactive { cause: cause(), webhooks }, PartFault::Disk),
            (
                Problem::SafetyBackupFailed { step: SafetyBackupStep::Export, cause: Some(cause()) },
                PartFault::Disk,
            ),
            (Problem::SafetyBackupFailed { step: SafetyBackupStep::Export, cause: None }, PartFault::Other),
            (Problem::TooOld { needs: text(), has: text() }, PartFault::NotOffered),
            (Problem::NotOffered { reason }, PartFault::NotOffered),
            (Problem::NoAddress { component: Component::Portal }, PartFault::NotOffered),
            (Problem::form("name", FieldError::Required), PartFault::Other),
            (Problem::Unreadable { expected: text(), excerpt: text() }, PartFault::Other),
            (Problem::NoDialog { message: text() }, PartFault::Other),
            (Problem::ExtensionNotAllowed { extension: text(), allowed: Vec::new() }, PartFault::Other),
            (Problem::ReadOnly { site, site_name }, PartFault::Other),
            (Problem::PlanNotAccepted, PartFault::Other),
            (Problem::WebhooksNotDeactivated { message: text() }, PartFault::Other),
            (Problem::SafetyBackupMissing { local: None }, PartFault::Other),
            (
                Problem::PreconditionFailed { why: PreconditionFailure::OtherServer { server: text() } },
                PartFault::Other,
            ),
            (Problem::Unexpected { message: text() }, PartFault::Other),
        ]
    }

    #[test]
    fn a_fault_may_pass_if_its_problem_may() {
        let busy = Problem::Busy {
            site_name: String::new(),
            operation: OperationKey::ExportPortal,
            act: None,
            started_at: Millis(0),
        };
        assert_eq!(PartFault::of(&busy), None, "it is skipped");
        let mut kinds = BTreeSet::from([kind_of(&busy).0]);
        for (problem, fault) in problems_and_faults() {
            assert_eq!(PartFault::of(&problem), Some(fault), "{problem:?}");
            assert_eq!(fault.persistence(), problem.persistence(), "{problem:?}");
            let renewed = Problem::NotRenewed { cause: Box::new(problem.clone()) };
            assert_eq!(PartFault::of(&renewed), Some(fault), "{problem:?}");
            kinds.insert(kind_of(&problem).0);
        }
        assert_eq!(kinds.len(), kind_of(&busy).1, "one of each kind");
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
        let file = SetFile {
            name: "a.agssite".to_owned(),
            size: Bytes(7),
            sha256: "00".to_owned(),
            modified_at: None,
        };
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
            (format!(r#"{{"format":1,"content":{}"#, &ours[..ours.len() / 2]), false),
        ] {
            std::fs::write(folder.path().join(FILE), &content).unwrap();
            assert_eq!(matches!(read(), NotASet::Foreign), is_foreign, "{content}");
        }
        std::fs::remove_file(folder.path().join(FILE)).unwrap();
        std::fs::create_dir(folder.path().join(FILE)).unwrap();
        assert!(matches!(read(), NotASet::Unreadable(_)));
    }

    #[test]
    fn a_set_whose_description_an_editor_saved_with_a_byte_order_mark_is_read_and_stays_ours_if_it_is_damaged()
     {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(FILE);
        let written = set(vec![part(Expected::OnSite, PartState::Unknown)]);
        written.write(folder.path()).unwrap();
        let saved = format!("\u{feff}{}", std::fs::read_to_string(&file).unwrap());
        std::fs::write(&file, &saved).unwrap();
        assert_eq!(BackupSet::read(folder.path()).unwrap(), written);
        std::fs::write(&file, saved.replacen("\"parts\"", "\"part\"", 1)).unwrap();
        let read = BackupSet::read(folder.path());
        assert!(matches!(read, Err(NotASet::Unreadable(_))), "{read:?}");
    }

    #[test]
    fn a_set_with_a_file_outside_its_folder_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let elsewhere = folder.path().join("a.agssite").display().to_string();
        for name in ["../a.agssite", "a/b.agssite", "./a.agssite", "..", "", &elsewhere] {
            let file =
                SetFile { name: name.to_owned(), size: Bytes(7), sha256: String::new(), modified_at: None };
            let of_file =
                SetPart { files: vec![file], ..part(Expected::VerifiedHere, PartState::VerifiedHere) };
            let (folder_name, size, sha256) = (String::new(), Bytes(7), String::new());
            let portal_file =
                PortalFile { name: name.to_owned(), folder: folder_name, size, sha256, modified_at: None };
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
    fn an_export_that_was_changed_since_it_was_verified_is_no_copy_although_its_size_is_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let (name, of_portal) = ("a.agssite".to_owned(), folder.path().display().to_string());
        let path = folder.path().join(&name);
        std::fs::write(&path, "7 bytes").unwrap();
        let at = files::archive_check::modified_at(&path.metadata().unwrap());
        let (size, sha256) = (Bytes(7), String::new());
        let file = SetFile { name: name.clone(), size, sha256: sha256.clone(), modified_at: at };
        let portal_file = PortalFile { name, folder: of_portal, size, sha256, modified_at: at };
        let verified = || part(Expected::VerifiedHere, PartState::VerifiedHere);
        let server = SetPart { server: Some(ServerId("a".to_owned())), files: vec![file], ..verified() };
        let portal = SetPart { portal_file: Some(portal_file), ..verified() };
        let sets = [server, portal].map(|part| set(vec![part]));
        let faults = |sets: &[BackupSet; 2]| {
            [0, 1].map(|one| sets[one].as_found_in(folder.path(), Some(folder.path())).fault())
        };
        assert_eq!(faults(&sets), [None; 2]);

        let later = path.metadata().unwrap().modified().unwrap() + std::time::Duration::from_secs(10);
        std::fs::File::options().append(true).open(&path).unwrap().set_modified(later).unwrap();

        assert_eq!(faults(&sets), [Some(PartFault::Archive(ArchiveFault::Changed)); 2]);
        let verified_again = sets.map(|mut set| {
            set.parts[0].is_verified_as_of(files::archive_check::modified_at(&path.metadata().unwrap()));
            set
        });
        assert_eq!(faults(&verified_again), [None; 2]);
    }

    #[test]
    fn a_portal_export_that_is_gone_or_has_another_size_is_no_copy_and_one_that_cannot_be_seen_stays_one() {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let seen_at = folder.path().join("exports");
        std::fs::create_dir(&seen_at).unwrap();
        let (name, of_portal) = ("a.portalsite".to_owned(), seen_at.display().to_string());
        let file =
            PortalFile { name, folder: of_portal, size: Bytes(7), sha256: String::new(), modified_at: None };
        let verified = part(Expected::VerifiedHere, PartState::VerifiedHere);
        let set = set(vec![SetPart { portal_file: Some(file), ..verified }]);
        let fault = |seen_at: Option<&Path>| set.as_found_in(folder.path(), seen_at).fault();
        let archive = |fault| Some(PartFault::Archive(fault));

        assert_eq!(fault(Some(&seen_at)), None, "an empty folder might be a mount point");
        let path = seen_at.join("a.portalsite");
        std::fs::write(&path, "7 bytes").unwrap();
        assert_eq!(fault(Some(&seen_at)), None);
        std::fs::write(&path, "6 byte").unwrap();
        assert_eq!(fault(Some(&seen_at)), archive(ArchiveFault::Changed));
        std::fs::rename(&path, seen_at.join("another")).unwrap();
        assert_eq!(fault(Some(&seen_at)), archive(ArchiveFault::Unread));
        assert!(!set.as_found_in(folder.path(), Some(&seen_at)).is_verified());
        assert_eq!(fault(None), None, "its folder is not seen");
        std::fs::write(other.path().join("another"), "").unwrap();
        assert_eq!(fault(Some(other.path())), None, "it was read in another folder");
        std::fs::remove_dir_all(&seen_at).unwrap();
        assert_eq!(fault(Some(&seen_at)), None);
    }

    #[test]
    fn sizes_that_no_disk_has_are_added_without_an_overflow() {
        let file = SetFile {
            name: "a.agssite".to_owned(),
            size: Bytes(u64::MAX),
            sha256: String::new(),
            modified_at: None,
        };
        let files = vec![file.clone(), file];
        let huge = set(vec![SetPart { files, ..part(Expected::VerifiedHere, PartState::VerifiedHere) }]);
        assert_eq!(huge.size(), Bytes(u64::MAX));
    }

    #[test]
    fn two_runs_that_begin_in_one_second_have_two_folders() {
        let plan = tempfile::tempdir().unwrap();
        let (first, _) = create_folder(plan.path(), Millis(0)).unwrap();
        let (second, name) = create_folder(plan.path(), Millis(0)).unwrap();
        assert_ne!(first, second);
        assert!(second.is_dir() && second.ends_with(name));
    }
}
