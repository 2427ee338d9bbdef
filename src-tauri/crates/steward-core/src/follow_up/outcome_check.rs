//! Finding out what became of a request whose answer was lost: facts that can be read now, and what they suggest.
//! Nothing here sends anything that has an effect; the person concludes.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::Serialize;
use steward_client::webhooks::ServiceWebhooks;
use steward_client::{Area, ClientError, listing};
use steward_journal::{Intent, Outcome, Settlement};

use crate::files;
use crate::files::archive_check;
use crate::history::recorded_requests;
use crate::history::same_site::must_be_here;
use crate::host::Host;
use crate::model::history_key::RESTORE;
use crate::model::history_key::UPLOAD;
use crate::model::ids::SiteId;
use crate::model::numbers::{Bytes, Millis};
use crate::model::operation;
use crate::model::operation::Key;
use crate::model::problem::{Fault, Problem};
use crate::model::run_result::RecordId;
use crate::operations::refresh_invitation::{self, KeptFile};
use crate::sites::Site;

/// What can be seen now.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct OutcomeCheck {
    /// In the order to show them.
    pub facts: Vec<CheckFact>,
    /// What they suggest.
    pub suggestion: Suggestion,
}

/// What the facts suggest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Suggestion {
    /// It was done.
    Done,
    /// It was not done.
    NotDone,
    /// The facts do not say. It may still be running.
    Unclear,
}

/// One thing that can be seen now. The words are in the window's message catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum CheckFact {
    /// This program is still waiting for an answer of the site.
    StillWaiting,
    /// The site answers.
    SiteAnswers {
        /// The version of the area that was asked, as far as it is known.
        version: Option<String>,
    },
    /// The site does not answer.
    SiteSilent {
        /// Why.
        problem: Problem,
    },
    /// A stored upload that is younger than the request.
    NewUpload {
        /// Its name.
        name: String,
        /// When it came, as the server writes it.
        date: String,
    },
    /// No stored upload is younger than the request.
    NoNewUpload,
    /// A stored export whose date cannot be read.
    UploadOfUnknownAge {
        /// Its name.
        name: String,
        /// Its date, as the server writes it.
        date: String,
    },
    /// A file that this computer can see and that is younger than the request.
    FileHere {
        /// Where.
        path: String,
        /// Its size now.
        size: Bytes,
        /// Whether it is a whole archive.
        whole: bool,
    },
    /// No such file where this computer can see it.
    FileNotHere {
        /// The file or the folder.
        path: String,
    },
    /// A folder that only the site can see.
    FolderNotHere {
        /// Its path, as the site sees it.
        path: String,
    },
    /// How many services the server has now.
    Services {
        /// Of any type.
        count: u32,
    },
    /// The webhooks of a service now.
    Webhooks {
        /// Path of the service.
        service: String,
        /// Names of those that are active.
        active: Vec<String>,
        /// Names of those that are not.
        silent: Vec<String>,
    },
    /// The contact that the portal has now.
    Contact {
        /// First name.
        firstname: String,
        /// Last name.
        lastname: String,
        /// E-mail address.
        email: String,
        /// Whether this is what was sent.
        as_sent: bool,
    },
    /// The participant is no longer there.
    NoParticipant,
    /// The invitation now.
    Invitation {
        /// When it runs out.
        expiration: Option<Millis>,
        /// Whether that is as late as a refresh would have made it.
        refreshed: bool,
        /// Its content, in hand, to be saved; `null` when the portal does not hand it out.
        kept: Option<KeptFile>,
    },
    /// Something that could not be looked at.
    NotSeen {
        /// Why.
        problem: Problem,
    },
}

/// What a person concluded, as the window shows it.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SettlementView {
    /// How the person knows; may be empty.
    pub note: String,
    /// Who.
    pub by: String,
    /// When.
    pub at: Millis,
}

/// The specification: the current time plus 72 hours. What a refresh may lack of it, for the road and for clocks.
const REFRESHED: i64 = (72 * 60 - 10) * 60 * 1000;

/// Clocks of file systems count in whole seconds, some in two.
const COARSE: i64 = 2_000;

/// Files of a folder that are named.
const MOST_FILES: usize = 5;

/// Looks at what became of a record.
pub async fn check(host: &Host, record: &RecordId) -> Result<OutcomeCheck, Problem> {
    let id = record.0.clone();
    let whole = host.journal(move |journal| journal.whole(&id)).await?.record;
    let site = host.sites.get(&SiteId(whole.intent.site.clone()))?;
    must_be_here(&site, &whole.intent)?;
    let mut facts = Vec::new();
    let running = host.runs.all().into_iter().any(|run| run.site == site.id);
    if whole.outcome == Outcome::Sent && running {
        facts.push(CheckFact::StillWaiting);
    }
    let look = Look { host, site: &site, intent: &whole.intent };
    let suggestion = match look.answers(&mut facts).await? {
        None => Suggestion::Unclear,
        Some(area) => look.by_operation(&area, &mut facts).await,
    };
    // While we wait ourselves, nothing that is not there yet says that it will not be.
    let suggestion = match suggestion {
        Suggestion::NotDone if facts.contains(&CheckFact::StillWaiting) => Suggestion::Unclear,
        other => other,
    };
    Ok(OutcomeCheck { facts, suggestion })
}

/// Writes down what a person found out about a record whose answer was lost. Its own facts stay.
pub async fn settle(host: &Host, record: RecordId, outcome: Outcome, note: &str) -> Result<(), Problem> {
    if !outcome.is_answered() {
        return Err(Problem::form("outcome", Fault::Required));
    }
    let id = record.0.clone();
    let whole = host.journal(move |journal| journal.whole(&id)).await?.record;
    let site = SiteId(whole.intent.site.clone());
    if whole.outcome == Outcome::Sent
        && let Some(run) = host.runs.all().into_iter().find(|run| run.site == site)
    {
        return Err(Problem::Busy { operation: run.operation, started_at: run.started_at });
    }
    let by = host.sites.get(&site).ok().and_then(|site| site.username).unwrap_or(whole.intent.username);
    let settlement = Settlement { outcome, note: note.trim().to_owned(), by, at: Millis::now().0 };
    host.journal(move |journal| journal.settle(&record.0, &settlement)).await
}

/// What a person concluded about a record; `None` when nobody had to.
pub async fn settlement(host: &Host, record: RecordId) -> Result<Option<SettlementView>, Problem> {
    let settled = host.journal(move |journal| journal.settlement(&record.0)).await?;
    Ok(settled.map(|settled| SettlementView { note: settled.note, by: settled.by, at: Millis(settled.at) }))
}

struct Look<'a> {
    host: &'a Host,
    site: &'a Site,
    intent: &'a Intent,
}

impl Look<'_> {
    /// Whether the site answers, and the area to go on asking.
    async fn answers(&self, facts: &mut Vec<CheckFact>) -> Result<Option<Area>, Problem> {
        let portal = Key::named(&self.intent.operation)
            .is_some_and(|key| key.operation().area == operation::Area::Portal);
        let area =
            if portal { self.host.portal(self.site).await? } else { self.host.server(self.site).await? };
        match self.host.ask_who(self.site).await {
            Ok(known) => {
                let version = if portal { known.portal_version } else { known.server_version };
                facts.push(CheckFact::SiteAnswers { version: version.map(|version| version.to_string()) });
                Ok(Some(area))
            }
            // The person can do something about that, here and now.
            Err(problem @ Problem::SignIn { .. }) => Err(problem),
            Err(problem) => {
                facts.push(CheckFact::SiteSilent { problem });
                Ok(None)
            }
        }
    }

    async fn by_operation(&self, area: &Area, facts: &mut Vec<CheckFact>) -> Suggestion {
        let seen = match Key::named(&self.intent.operation) {
            Some(Key::ExportPortal) => Ok(self.files(facts).await),
            Some(Key::ExportServer) if self.given("location").is_empty() => self.uploads(area, facts).await,
            Some(Key::ExportServer) => Ok(self.files(facts).await),
            Some(Key::ImportServer) => self.services(area, facts).await,
            Some(Key::DeactivateWebhooks) => self.webhooks(area, facts).await,
            Some(Key::UpdateParticipant) => self.contact(area, facts).await,
            Some(Key::RefreshInvitation) => self.invitation(area, facts).await,
            None if self.intent.operation == RESTORE => self.restored(area, facts).await,
            None if self.intent.operation == UPLOAD => self.uploads(area, facts).await,
            Some(Key::FindItems) | None => Ok(Suggestion::Unclear),
        };
        seen.unwrap_or_else(|error| {
            facts.push(CheckFact::NotSeen { problem: Problem::from_client(&error, &self.site.id) });
            Suggestion::Unclear
        })
    }

    /// Uploads that came since, by the server's clock: both the dates and the request's moment are read by it.
    async fn uploads(&self, server: &Area, facts: &mut Vec<CheckFact>) -> Result<Suggestion, ClientError> {
        let began = self.by_their_clock(server).await;
        let before = facts.len();
        let mut ours = 0;
        for upload in listing::uploads(server).await? {
            let (name, date) = (upload.name, upload.date);
            match moment(&date) {
                Some(came) if came >= began => {
                    ours += usize::from(self.may_have_made(Path::new(&name)));
                    facts.push(CheckFact::NewUpload { name, date });
                }
                Some(_) => {}
                None => facts.push(CheckFact::UploadOfUnknownAge { name, date }),
            }
        }
        let saved = self.given("savedAs");
        if !saved.is_empty() {
            facts.push(file(&PathBuf::from(saved)).await);
        }
        let is_upload = |fact: &CheckFact| {
            matches!(fact, CheckFact::NewUpload { .. } | CheckFact::UploadOfUnknownAge { .. })
        };
        if !facts[before..].iter().any(is_upload) {
            facts.push(CheckFact::NoNewUpload);
        }
        Ok(done_if(ours == 1))
    }

    /// When the request left, as the site's clock showed it, to its whole second.
    async fn by_their_clock(&self, area: &Area) -> i64 {
        let ours = Timestamp::from_millisecond(self.intent.started_at).unwrap_or(Timestamp::UNIX_EPOCH);
        // A site that names no time is taken to have ours.
        let theirs = match area.clock().await {
            Ok(Some(clock)) => clock.at(ours),
            _ => ours,
        };
        theirs.as_millisecond() - COARSE
    }

    /// Files in the folder that was named, where this computer sees the same folder.
    async fn files(&self, facts: &mut Vec<CheckFact>) -> Suggestion {
        let location = self.given("location").to_owned();
        let (folder, since) = (PathBuf::from(&location), self.intent.started_at - COARSE);
        let found = tokio::task::spawn_blocking(move || younger_files(&folder, since)).await;
        let Ok(Some(files)) = found else {
            facts.push(CheckFact::FolderNotHere { path: location });
            return Suggestion::Unclear;
        };
        if files.is_empty() {
            facts.push(CheckFact::FileNotHere { path: location });
            return Suggestion::Unclear;
        }
        let mut ours = 0;
        for path in files {
            let fact = file(&path).await;
            let is_whole = matches!(fact, CheckFact::FileHere { whole: true, .. });
            ours += usize::from(is_whole && self.may_have_made(&path));
            facts.push(fact);
        }
        done_if(ours == 1)
    }

    /// Returns whether a file has the name of what was uploaded, or the type of what was exported. Others may write
    /// beside it.
    fn may_have_made(&self, file: &Path) -> bool {
        let is_of_type =
            |wanted: &str| file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted));
        match Key::named(&self.intent.operation) {
            Some(Key::ExportPortal) => is_of_type("portalsite"),
            Some(Key::ExportServer) => is_of_type("agssite"),
            _ => file.file_name() == Path::new(self.given("file")).file_name(),
        }
    }

    async fn services(&self, server: &Area, facts: &mut Vec<CheckFact>) -> Result<Suggestion, ClientError> {
        let count = listing::service_count(server).await?;
        facts.push(CheckFact::Services { count });
        // A server in the middle of an import answers with a part of its services.
        Ok(Suggestion::Unclear)
    }

    async fn webhooks(&self, server: &Area, facts: &mut Vec<CheckFact>) -> Result<Suggestion, ClientError> {
        let (mut loud, mut silent) = (false, false);
        for service in recorded_requests::several(&self.intent.parameters, "service") {
            match webhooks_of(server, service, facts).await? {
                Some(any_active) => {
                    loud |= any_active;
                    silent |= !any_active;
                }
                None => return Ok(Suggestion::Unclear),
            }
        }
        Ok(match (loud, silent) {
            (false, true) => Suggestion::Done,
            (true, false) => Suggestion::NotDone,
            _ => Suggestion::Unclear,
        })
    }

    async fn restored(&self, server: &Area, facts: &mut Vec<CheckFact>) -> Result<Suggestion, ClientError> {
        webhooks_of(server, self.given("service"), facts).await?;
        let Some(CheckFact::Webhooks { active, silent, .. }) = facts.last() else {
            return Ok(Suggestion::Unclear);
        };
        let meant: Vec<_> =
            recorded_requests::several(&self.intent.parameters, "webhook").map(ToOwned::to_owned).collect();
        if meant.iter().all(|name| active.contains(name)) {
            return Ok(Suggestion::Done);
        }
        Ok(if meant.iter().all(|name| silent.contains(name)) {
            Suggestion::NotDone
        } else {
            Suggestion::Unclear
        })
    }

    async fn contact(&self, portal: &Area, facts: &mut Vec<CheckFact>) -> Result<Suggestion, ClientError> {
        let portal_id = self.host.known(self.site).await.map(|known| known.portal_id).unwrap_or_default();
        let participants = listing::participants(portal, &portal_id).await?;
        let found = participants.into_iter().find(|one| {
            one.collaboration_id == self.given("collaborationId")
                && one.portal_id == self.given("participantId")
        });
        let Some(found) = found else {
            facts.push(CheckFact::NoParticipant);
            return Ok(Suggestion::Unclear);
        };
        let is_told = ![&found.contact_firstname, &found.contact_lastname, &found.contact_email_address]
            .into_iter()
            .all(String::is_empty);
        let as_sent = found.contact_firstname == self.given("contactFirstname").trim()
            && found.contact_lastname == self.given("contactLastname").trim()
            && found.contact_email_address == self.given("contactEmailAddress").trim();
        facts.push(CheckFact::Contact {
            firstname: found.contact_firstname,
            lastname: found.contact_lastname,
            email: found.contact_email_address,
            as_sent,
        });
        Ok(match (as_sent, is_told) {
            (true, _) => Suggestion::Done,
            (false, true) => Suggestion::NotDone,
            (false, false) => Suggestion::Unclear,
        })
    }

    async fn invitation(&self, portal: &Area, facts: &mut Vec<CheckFact>) -> Result<Suggestion, ClientError> {
        let portal_id = self.host.known(self.site).await.map(|known| known.portal_id).unwrap_or_default();
        let (collaboration, id) = (self.given("collaborationId"), self.given("invitationId"));
        let found = listing::invitation(portal, &portal_id, collaboration, id).await?;
        let began = self.by_their_clock(portal).await;
        let is_told = found.expiration.is_some();
        let refreshed = found.expiration.is_some_and(|expiration| expiration >= began + REFRESHED);
        // A refresh that was done and whose answer was lost: the invitation itself is what was lost with it.
        let kept = if refreshed && !found.content.is_empty() {
            let file_name = files::safe_name("collaboration.invite", "invite");
            let content = found.content.into_bytes();
            refresh_invitation::keep(self.host, &self.site.id, &file_name, content).await.ok()
        } else {
            None
        };
        facts.push(CheckFact::Invitation { expiration: found.expiration.map(Millis), refreshed, kept });
        Ok(match (refreshed, is_told) {
            (true, _) => Suggestion::Done,
            (false, true) => Suggestion::NotDone,
            (false, false) => Suggestion::Unclear,
        })
    }

    fn given(&self, name: &str) -> &str {
        let found = self.intent.parameters.iter().find(|(given, _)| given == name);
        found.map(|(_, value)| value.as_str()).unwrap_or_default()
    }
}

/// Names the webhooks of a service; returns whether any is active, `None` when the server does not tell.
async fn webhooks_of(
    server: &Area,
    service: &str,
    facts: &mut Vec<CheckFact>,
) -> Result<Option<bool>, ClientError> {
    let all = ServiceWebhooks::at(service).list(server).await?;
    let names = |active: bool| {
        let some = all.iter().filter(move |webhook| webhook.active == Some(active));
        some.map(|webhook| webhook.name.clone()).collect::<Vec<_>>()
    };
    let (active, silent) = (names(true), names(false));
    let is_told = all.iter().all(|webhook| webhook.active.is_some());
    let any = (is_told || !active.is_empty()).then_some(!active.is_empty());
    facts.push(CheckFact::Webhooks { service: service.to_owned(), active, silent });
    Ok(any)
}

const fn done_if(is_seen: bool) -> Suggestion {
    if is_seen { Suggestion::Done } else { Suggestion::Unclear }
}

/// The youngest files of a folder; `None` when this computer does not see it.
fn younger_files(folder: &Path, since: i64) -> Option<Vec<PathBuf>> {
    if !folder.is_absolute() {
        return None;
    }
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .ok()?
        .flatten()
        .filter_map(|entry| {
            let metadata = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
            let changed = Timestamp::try_from(metadata.modified().ok()?).ok()?.as_millisecond();
            (changed >= since).then(|| (changed, entry.path()))
        })
        .collect();
    files.sort();
    files.reverse();
    Some(files.into_iter().take(MOST_FILES).map(|(_, path)| path).collect())
}

async fn file(path: &Path) -> CheckFact {
    let looked_at = path.to_owned();
    let found = tokio::task::spawn_blocking(move || {
        let length = std::fs::metadata(&looked_at).ok().filter(std::fs::Metadata::is_file)?.len();
        Some((length, archive_check::is_whole(&looked_at)))
    })
    .await;
    let path = path.display().to_string();
    match found {
        Ok(Some((length, whole))) => CheckFact::FileHere { path, size: Bytes(length), whole },
        _ => CheckFact::FileNotHere { path },
    }
}

/// A server's date: milliseconds since 1970, a text with its zone, or the vendor's form of Java's dates in UTC.
fn moment(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Ok(millis) = text.parse() {
        return Some(millis);
    }
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Some(moment.as_millisecond());
    }
    let text = text.replacen(" GMT ", " UTC ", 1);
    let date = jiff::civil::DateTime::strptime("%a %b %d %H:%M:%S UTC %Y", &text).ok()?;
    Some(date.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_millisecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dates_of_servers_are_read_and_an_odd_one_is_of_no_age() {
        assert_eq!(moment("1764000000000"), Some(1_764_000_000_000));
        assert_eq!(moment("Mon Nov 24 16:00:00 UTC 2025"), Some(1_764_000_000_000));
        assert_eq!(moment("Mon Nov 24 16:00:00 GMT 2025"), Some(1_764_000_000_000));
        assert_eq!(moment("2025-11-24T16:00:00Z"), Some(1_764_000_000_000));
        assert_eq!(moment("Mon Nov 24 16:00:00 MEZ 2025"), None);
        assert_eq!(moment("yesterday"), None);
    }
}
