//! What an alert tells, and its texts in the language of the app.

use jiff::tz::TimeZone;
use serde::Serialize;
use steward_core::model::expiry::Expiry;
use steward_core::model::ids::SiteId;
use steward_core::model::localized_text::Texts;
use steward_core::model::numbers::Millis;
use steward_core::sites::Site;

use super::changed_text::ChangedNight;
use super::expiry_text;
use super::night::{SiteNight, local, with_warnings};
use super::state::OpenAlert;
use super::when::{AlertAbout, Trouble};
use crate::not_removed::NotRemoved;
use crate::plan::{BackupPlan, PlanId};
use crate::set::{PartFault, PartState, SkipReason};
use crate::store::{LastRun, PlanProgress};

/// Longest reason of a part in a message with a limited length, in characters.
const LONGEST_REASON: usize = 300;

/// How much of an alert is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// The whole alert.
    Whole,
    /// At most this many entries of its list, with shortened reasons.
    Parts(usize),
}

/// An alert.
#[derive(Debug, Clone)]
pub struct AlertMessage {
    /// Identifier, the same each time it is sent.
    pub id: String,
    /// What it is about.
    pub about: AlertAbout,
    /// When it was due.
    pub at: Millis,
    /// Plan.
    pub plan: PlanId,
    /// Name of the plan.
    pub plan_name: String,
    /// Site.
    pub site: SiteId,
    /// Name of the site.
    pub site_name: String,
    /// Name of this computer.
    pub computer: String,
    /// When the last verified set began; `None` without one.
    pub verified: Option<Millis>,
    /// Parts of the last verified set whose export ended with warnings of the site, if that is the last set.
    pub warned: Vec<String>,
    /// Parts of the last set that are not verified here.
    pub parts: Vec<AlertPart>,
    /// What expires, in the order in which it does.
    pub expires: Vec<AlertExpiry>,
    /// Sites whose plans ran as expected.
    pub sites: Vec<SiteNight>,
    /// What changed on the site.
    pub changed: Option<ChangedNight>,
    /// Sets that no rule keeps and that could not be removed, if it is about them.
    pub not_removed: Vec<NotRemoved>,
    /// Reason why there is no set, for programs; names of the files in an alert about files. Empty if there is a set.
    pub note: String,
    /// Key of the text of that reason; `None` if the parts have reasons of their own, or there is a set.
    pub(super) no_set: Option<&'static str>,
    /// Newest entry of the audit trail as one line; empty if there is none.
    pub head: String,
}

/// A part of the last set that is not verified on this computer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AlertPart {
    /// Name of the server or portal.
    pub name: String,
    /// Its state.
    pub state: PartState,
}

impl AlertPart {
    const fn is_skipped(&self) -> bool {
        matches!(self.state, PartState::Skipped { .. })
    }
}

/// Something that expires.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AlertExpiry {
    /// Name of what expires, and its time, in the language of the app.
    pub text: String,
    /// What stops then, in the language of the app.
    pub stops: String,
    /// Day in the time zone of the site; in UTC if it reports none.
    pub day: String,
    /// When it expires, in UTC.
    pub expires_at: String,
}

impl AlertMessage {
    /// Creates the message of a plan.
    #[must_use]
    pub fn of_plan(
        plan: &BackupPlan,
        progress: &PlanProgress,
        site_name: String,
        (id, about, at): (String, AlertAbout, Millis),
    ) -> Self {
        let last = progress.last.as_ref();
        let unverified = last.into_iter().flat_map(|last| last.parts.clone());
        let unverified = unverified.filter(|part| part.state != PartState::VerifiedHere);
        let parts: Vec<_> = unverified.map(|part| AlertPart { name: part.name, state: part.state }).collect();
        let verified = last.filter(|last| progress.verified == Some(last.at));
        let warned = verified.into_iter().flat_map(|last| &last.parts).filter(|part| part.warnings.is_some());
        let is_of_sets = about == AlertAbout::Trouble(Trouble::NotRemoved);
        Self {
            id,
            about,
            at,
            plan: plan.id.clone(),
            plan_name: plan.name.clone(),
            site: plan.site.clone(),
            site_name,
            computer: String::new(),
            verified: progress.verified,
            warned: warned.map(|part| part.name.clone()).collect(),
            no_set: last.filter(|_| parts.is_empty()).and_then(no_set_of),
            parts,
            expires: Vec::new(),
            sites: Vec::new(),
            changed: None,
            not_removed: if is_of_sets { progress.not_removed.clone() } else { Vec::new() },
            note: last.map(|last| last.note.clone()).unwrap_or_default(),
            head: String::new(),
        }
    }

    /// Creates a message that tests a channel.
    #[must_use]
    pub fn test() -> Self {
        Self::without_plan(uuid::Uuid::new_v4().to_string(), AlertAbout::Test, Millis::now())
    }

    /// Creates the message of files that cannot be read.
    #[must_use]
    pub fn of_files(files: &str, alert: &OpenAlert) -> Self {
        let OpenAlert { id, about, at, .. } = alert.clone();
        Self { note: files.to_owned(), ..Self::without_plan(id, about, at) }
    }

    /// Creates the message of a data folder that cannot be used.
    #[must_use]
    pub(crate) fn of_data_folder() -> Self {
        let about = AlertAbout::Trouble(Trouble::NoDataFolder);
        Self::without_plan(uuid::Uuid::new_v4().to_string(), about, Millis::now())
    }

    /// Creates the message of what expires on a site.
    #[must_use]
    pub fn of_expiries(site: &Site, expiries: &[Expiry], alert: &OpenAlert, texts: &Texts) -> Self {
        let OpenAlert { id, about, at, .. } = alert.clone();
        let expiry = |one: &Expiry| AlertExpiry {
            text: expiry_text::text(site, one, texts),
            stops: expiry_text::stops(one, texts),
            day: one.day.clone(),
            expires_at: one.at.timestamp().to_string(),
        };
        Self {
            site: site.id.clone(),
            site_name: site.name.clone(),
            expires: expiries.iter().map(expiry).collect(),
            ..Self::without_plan(id, about, at)
        }
    }

    /// Creates the message of a night that went well at all sites.
    #[must_use]
    pub(crate) fn of_night(sites: Vec<SiteNight>, alert: &OpenAlert) -> Self {
        let OpenAlert { id, about, at, .. } = alert.clone();
        Self { sites, ..Self::without_plan(id, about, at) }
    }

    /// Creates the message of what changed on a site.
    #[must_use]
    pub(crate) fn of_changes(site: &Site, changed: ChangedNight, alert: &OpenAlert) -> Self {
        let OpenAlert { id, about, at, .. } = alert.clone();
        Self {
            site: site.id.clone(),
            site_name: site.name.clone(),
            changed: Some(changed),
            ..Self::without_plan(id, about, at)
        }
    }

    fn without_plan(id: String, about: AlertAbout, at: Millis) -> Self {
        Self {
            id,
            about,
            at,
            plan: PlanId(String::new()),
            plan_name: String::new(),
            site: SiteId(String::new()),
            site_name: String::new(),
            computer: String::new(),
            verified: None,
            warned: Vec::new(),
            parts: Vec::new(),
            expires: Vec::new(),
            sites: Vec::new(),
            changed: None,
            not_removed: Vec::new(),
            note: String::new(),
            no_set: None,
            head: String::new(),
        }
    }

    /// Returns the name of what it is about, for programs.
    #[must_use]
    pub const fn event(&self) -> &'static str {
        match self.about {
            AlertAbout::Trouble(Trouble::Failed) => "plan.failed",
            AlertAbout::Trouble(Trouble::Unknown) => "plan.unknown",
            AlertAbout::Trouble(Trouble::Overdue) => "plan.overdue",
            AlertAbout::Trouble(Trouble::KeyringLocked) => "plan.keyringLocked",
            AlertAbout::Trouble(Trouble::SignIn) => "plan.signIn",
            AlertAbout::Trouble(Trouble::NotRemoved) => "plan.setsNotRemoved",
            AlertAbout::Trouble(Trouble::Unreadable | Trouble::NoDataFolder) => "file.unreadable",
            AlertAbout::Recovered => "plan.recovered",
            AlertAbout::Expires => "site.expires",
            AlertAbout::AllWell => "plans.well",
            AlertAbout::Changed => "site.changed",
            AlertAbout::Test => "test",
        }
    }

    const fn is_of_plan(&self) -> bool {
        match self.about {
            AlertAbout::Test
            | AlertAbout::Expires
            | AlertAbout::AllWell
            | AlertAbout::Changed
            | AlertAbout::Trouble(Trouble::Unreadable | Trouble::NoDataFolder) => false,
            AlertAbout::Trouble(_) | AlertAbout::Recovered => true,
        }
    }

    /// Returns the title, for example the subject of a mail.
    #[must_use]
    pub fn title(&self, texts: &Texts) -> String {
        let key = match self.about {
            AlertAbout::Trouble(Trouble::Failed) => "alert.title.failed",
            AlertAbout::Trouble(Trouble::Unknown) => "alert.title.unknown",
            AlertAbout::Trouble(Trouble::Overdue) => "alert.title.overdue",
            AlertAbout::Trouble(Trouble::KeyringLocked) => "alert.title.keyringLocked",
            AlertAbout::Trouble(Trouble::SignIn) => "alert.title.signIn",
            AlertAbout::Trouble(Trouble::NotRemoved) => "alert.title.notRemoved",
            AlertAbout::Trouble(Trouble::Unreadable) => "alert.title.unreadable",
            AlertAbout::Trouble(Trouble::NoDataFolder) => "alert.title.noDataFolder",
            AlertAbout::Recovered => "alert.title.recovered",
            AlertAbout::Expires => "alert.title.expires",
            AlertAbout::AllWell => "alert.title.allWell",
            AlertAbout::Changed => "alert.title.changed",
            AlertAbout::Test => "alert.title.test",
        };
        // The list is sorted by time, so that the first entry expires next.
        let what = self.expires.first().map(|one| one.text.as_str()).unwrap_or_default();
        let title = texts.say(key, &[("plan", &self.plan_name), ("site", &self.site_name), ("what", what)]);
        // The name of a site that is no longer saved might not be known.
        match self.is_of_plan() && !self.site_name.is_empty() {
            true => texts.say("alert.title.of", &[("title", &title), ("site", &self.site_name)]),
            false => title,
        }
    }

    /// Returns the lines below the title: what is to be done, and the facts.
    #[must_use]
    pub fn lines(&self, texts: &Texts, zone: &TimeZone, detail: Detail) -> Vec<String> {
        let advice = match self.about {
            AlertAbout::Trouble(Trouble::KeyringLocked) => "alert.do.keyringLocked",
            AlertAbout::Trouble(Trouble::SignIn) => "alert.do.signIn",
            AlertAbout::Trouble(Trouble::NotRemoved) => "alert.do.notRemoved",
            // The plan ran, and its parts have the reason why they were not exported.
            AlertAbout::Trouble(Trouble::Overdue) if self.parts.iter().any(AlertPart::is_skipped) => {
                "alert.do.look"
            }
            AlertAbout::Trouble(Trouble::Overdue) => "alert.do.overdue",
            AlertAbout::Trouble(Trouble::Unreadable) => "alert.do.unreadable",
            AlertAbout::Trouble(Trouble::NoDataFolder) => "alert.do.noDataFolder",
            AlertAbout::Trouble(_) => "alert.do.look",
            AlertAbout::Recovered => "alert.do.recovered",
            AlertAbout::Expires => "alert.do.expires",
            AlertAbout::AllWell => "alert.do.allWell",
            AlertAbout::Changed => "alert.do.changed",
            AlertAbout::Test => "alert.do.test",
        };
        let most = match detail {
            Detail::Whole => usize::MAX,
            Detail::Parts(most) => most,
        };
        let shortened = |said: &str| match detail {
            Detail::Parts(_) if said.chars().count() > LONGEST_REASON => {
                said.chars().take(LONGEST_REASON).chain(['…']).collect()
            }
            Detail::Whole | Detail::Parts(_) => said.to_owned(),
        };
        let mut lines = vec![texts.say(advice, &[])];
        lines.extend(self.sites.iter().take(most).flat_map(|one| one.lines(texts, zone)));
        if let Some(changed) = &self.changed {
            lines.insert(0, changed.headline(texts, zone));
            lines.extend(changed.lines(most));
        }
        lines.extend(
            self.expires.iter().take(most).map(|one| {
                texts.say("alert.expires.then", &[("sentence", &one.text), ("stops", &one.stops)])
            }),
        );
        lines.extend(self.parts.iter().take(most).map(|part| {
            let why = match &part.state {
                // Only a message of the site is quoted. Other notes are in English, and a translated text takes their
                // place.
                PartState::Failed { fault: PartFault::Rejected, note } if !note.is_empty() => {
                    texts.say("alert.fault.rejectedSaid", &[("said", &shortened(note))])
                }
                state => state.failure().map_or_else(String::new, |(fault, _)| texts.say(fault.key(), &[])),
            };
            let key = match &part.state {
                PartState::Failed { .. } => "failedBecause",
                PartState::OnSite { .. } => "onSite",
                PartState::Unrecognized { .. } => "unrecognized",
                PartState::Skipped { reason: SkipReason::Busy } => "busy",
                PartState::Skipped { reason: SkipReason::Stopped } => "stopped",
                PartState::Skipped { reason: SkipReason::PortalImport } => "portalImport",
                PartState::Waiting => "skipped",
                PartState::Running | PartState::VerifiedHere | PartState::Unknown => "unknown",
            };
            texts.say(&format!("alert.part.{key}"), &[("part", &part.name), ("why", &why)])
        }));
        lines.extend(self.not_removed.iter().take(most).map(|NotRemoved { name, why, .. }| {
            let why = texts.say(&format!("alert.notRemoved.{}", why.name()), &[]);
            texts.say("alert.notRemoved.set", &[("set", name), ("why", &why)])
        }));
        let more = self.longest_list().saturating_sub(most);
        if more > 0 {
            lines.push(texts.say("alert.part.more", &[("count", &more.to_string())]));
        }
        if let Some(key) = self.no_set {
            lines.push(texts.say(key, &[]));
        }
        if self.about == AlertAbout::Trouble(Trouble::Unreadable) {
            lines.push(self.note.clone());
        }
        if self.is_of_plan() {
            let verified = self.verified.map_or_else(
                || texts.say("alert.neverVerified", &[]),
                |at| texts.say("alert.verified", &[("at", &local(at, zone))]),
            );
            lines.push(with_warnings(verified, &self.warned, texts));
        }
        lines.push(texts.say("alert.from", &[("computer", &self.computer), ("at", &local(self.at, zone))]));
        if !self.head.is_empty() {
            lines.push(texts.say("alert.head", &[("head", &self.head)]));
        }
        lines
    }

    /// Returns the number of entries of its list: parts, expirations, sites, sets, or changes. A message has only one
    /// of them.
    pub(super) fn longest_list(&self) -> usize {
        let changes = self.changed.as_ref().map_or(0, |changed| changed.changes.len());
        let lists = [self.parts.len(), self.expires.len(), self.sites.len(), self.not_removed.len(), changes];
        lists.into_iter().fold(0, usize::max)
    }
}

/// Returns the key of the text for the reason why a run left no set; `None` if it left one.
fn no_set_of(LastRun { note, refused, fault, .. }: &LastRun) -> Option<&'static str> {
    Some(match (refused, fault) {
        _ if note.is_empty() => return None,
        (Some(line), _) => line.about.key(),
        (None, Some(fault)) => fault.key(),
        (None, None) => "alert.fault.cutOff",
    })
}

#[cfg(test)]
mod tests {
    use steward_core::model::export_verification::ArchiveFault;
    use steward_core::model::keyring_state::KeyringState;

    use super::*;
    use crate::acceptance_line::{AcceptanceLine, FolderFault, LineAbout, LineState, PlanSession};
    use crate::not_removed::WhyNotRemoved;
    use crate::set::{SetPart, Verdict};

    #[test]
    fn an_alert_about_a_plan_that_is_skipped_says_why_and_not_to_look_whether_the_computer_is_on() {
        for (state, text) in [
            (
                PartState::Skipped { reason: SkipReason::PortalImport },
                "gisapp01: not exported, because the outcome of a portal import is unknown. Set it in the history.",
            ),
            (
                PartState::Skipped { reason: SkipReason::Busy },
                "gisapp01: not exported, because another operation ran on the site",
            ),
            (PartState::Waiting, "gisapp01: not exported"),
        ] {
            let is_skipped = matches!(state, PartState::Skipped { .. });
            let part = AlertPart { name: "gisapp01".to_owned(), state };
            let about = AlertAbout::Trouble(Trouble::Overdue);
            let message = AlertMessage { about, parts: vec![part], ..AlertMessage::test() };
            let texts = Texts::of("en");
            let lines = message.lines(&texts, &TimeZone::UTC, Detail::Whole);
            assert_eq!(lines[1], text);
            assert_eq!(lines[0] == texts.say("alert.do.look", &[]), is_skipped, "{}", lines[0]);
        }
    }

    /// Messages of every fault, of a part and of a run without a set, and of every line of the acceptance list.
    fn of_every_reason() -> Vec<(String, AlertMessage)> {
        let archive = [
            ArchiveFault::Unread,
            ArchiveFault::Empty,
            ArchiveFault::NoArchive,
            ArchiveFault::Cut,
            ArchiveFault::NoEntries,
            ArchiveFault::Changed,
            ArchiveFault::Earlier,
            ArchiveFault::Damaged,
            ArchiveFault::Implausible,
        ];
        let faults = [
            PartFault::SignIn,
            PartFault::Keyring,
            PartFault::Connection,
            PartFault::NotTrusted,
            PartFault::Rejected,
            PartFault::Disk,
            PartFault::Download,
            PartFault::NoFile,
            PartFault::SetGone,
            PartFault::NotOffered,
            PartFault::Other,
        ];
        let (plan, note) = (BackupPlan::example(), "permission denied (os error 13)".to_owned());
        let of_plan = |last: LastRun| {
            let about = (String::new(), AlertAbout::Trouble(Trouble::Failed), Millis(0));
            let progress = PlanProgress { last: Some(last), ..PlanProgress::since(Millis(0)) };
            AlertMessage::of_plan(&plan, &progress, "City GIS".to_owned(), about)
        };
        let run = |fault, refused: Option<LineAbout>| LastRun {
            at: Millis(0),
            took: None,
            verdict: Verdict::Failed,
            fault,
            folder: None,
            note: note.clone(),
            parts: Vec::new(),
            refused: refused.map(|about| AcceptanceLine { state: LineState::NotMet, about, remedy: None }),
            session_end: None,
        };
        let mut all = vec![("cut off".to_owned(), of_plan(run(None, None)))];
        for fault in faults.into_iter().chain(archive.map(PartFault::Archive)) {
            let note = if fault == PartFault::Rejected { String::new() } else { note.clone() };
            let part = SetPart::example(PartState::Failed { fault, note });
            all.push((format!("{fault:?}"), of_plan(LastRun { parts: vec![part], ..run(None, None) })));
            all.push((format!("{fault:?} without a set"), of_plan(run(Some(fault), None))));
        }
        let folders = [
            FolderFault::NotChosen,
            FolderFault::Missing,
            FolderFault::NotAllowed,
            FolderFault::NotMarked,
            FolderFault::NotWritable { message: note.clone() },
        ];
        let sessions = [
            PlanSession::SignedOut,
            PlanSession::BareToken { ends: None },
            PlanSession::Keyring { keyring: KeyringState::Absent },
        ];
        let lines = folders.into_iter().map(|fault| LineAbout::Folder { fault: Some(fault) });
        let lines =
            lines.chain(sessions.map(|session| LineAbout::Session { parts: Vec::new(), session })).chain([
                LineAbout::Versions { parts: Vec::new(), reason: None },
                LineAbout::TokenLife { server: None, longest: None, life: 1 },
                LineAbout::Space { free: None, needed: None },
            ]);
        for line in lines {
            all.push((format!("{line:?}"), of_plan(run(Some(PartFault::Other), Some(line)))));
        }
        let whys = [
            WhyNotRemoved::NotAllowed,
            WhyNotRemoved::InUse,
            WhyNotRemoved::Changed,
            WhyNotRemoved::Other { said: note.clone() },
        ];
        for why in whys {
            let set = NotRemoved { name: "2026-11-29 02-00-00".to_owned(), since: Millis(0), why };
            let progress = PlanProgress { not_removed: vec![set.clone()], ..PlanProgress::since(Millis(0)) };
            let about = (String::new(), AlertAbout::Trouble(Trouble::NotRemoved), Millis(0));
            let message = AlertMessage::of_plan(&plan, &progress, "City GIS".to_owned(), about);
            all.push((format!("{set:?}"), message));
        }
        all
    }

    #[test]
    fn every_reason_in_an_alert_is_in_the_language_of_the_alert_and_none_is_left_out() {
        for (what, message) in of_every_reason() {
            let said = |language| {
                let texts = Texts::of(language);
                let lines = message.lines(&texts, &TimeZone::UTC, Detail::Whole);
                (message.title(&texts), lines)
            };
            let (title, english) = said("en");
            assert!(english.len() >= 4, "advice, reason, last set, computer: {what}: {english:?}");
            for language in ["de", "es"] {
                let (translated, lines) = said(language);
                assert_ne!(translated, title, "{what}");
                // Leaves out the line with the time, which can be equal: *Computer* is both an English and a German
                // word.
                let of_reasons = lines.iter().zip(&english).filter(|(line, _)| !line.contains("1970-01-01"));
                for (line, english) in of_reasons {
                    assert_ne!(line, english, "{what} in {language}");
                    assert!(!line.contains("alert."), "a text is missing: {line}");
                    assert!(!line.contains("permission denied"), "{what} in {language}: {line}");
                }
                assert_eq!(lines.len(), english.len(), "{what}");
            }
        }
    }

    #[test]
    fn the_words_of_a_site_that_rejected_an_export_are_quoted_in_every_language() {
        let note = "Kein Platz auf D:".to_owned();
        let state = PartState::Failed { fault: PartFault::Rejected, note };
        let part = AlertPart { name: "gisapp01".to_owned(), state };
        let message = AlertMessage { parts: vec![part], ..AlertMessage::test() };
        for language in ["en", "de", "es"] {
            let lines = message.lines(&Texts::of(language), &TimeZone::UTC, Detail::Whole);
            assert!(lines[1].contains("Kein Platz auf D:"), "{lines:?}");
        }
    }

    #[test]
    fn an_alert_about_a_damaged_export_names_the_reason() {
        let fault = PartFault::Archive(ArchiveFault::Damaged);
        let state = PartState::Failed { fault, note: String::new() };
        let part = AlertPart { name: "gisapp01".to_owned(), state };
        let message = AlertMessage { parts: vec![part], ..AlertMessage::test() };
        let lines = message.lines(&Texts::of("en"), &TimeZone::UTC, Detail::Whole);
        assert_eq!(lines[1], "gisapp01: failed: an entry of the archive is damaged");
    }
}
