//! Outcome check of a request without a response.
//!
//! [`check`] reads the current state of the site and suggests an outcome, and [`settle`] stores the outcome that the
//! user sets. No request of a check has an effect.

use std::path::{Component, Path, PathBuf, Prefix};
use std::sync::Arc;

use jiff::Timestamp;
use serde::Serialize;
use steward_client::listing::{self, ServiceList};
use steward_client::webhooks::ServiceWebhooks;
use steward_client::{ClientError, Endpoint, is_this_computer};
use steward_journal::{Intent, Outcome, OutcomeResolution};
use url::Url;

use crate::files;
use crate::files::archive_check;
use crate::files::selected_paths::SelectedPaths;
use crate::history::parameters;
use crate::history::record::History;
use crate::history::record_target::target_of;
use crate::model::history_key::{DEACTIVATE_ONE, REACTIVATE, UPLOAD};
use crate::model::ids::{RecordId, SiteId};
use crate::model::numbers::{Bytes, Millis};
use crate::model::operation;
use crate::model::operation::OperationKey;
use crate::model::problem::{FieldError, PreconditionFailure, Problem};
use crate::operations::refresh_invitation::unsaved_invitations::UnsavedInvitations;
use crate::operations::refresh_invitation::{self, UnsavedInvitationId};
use crate::runs;
use crate::site_context::SiteContext;
use crate::sites::TargetSite;
use crate::transfers::upload::upload_name;

/// Result of an outcome check.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct OutcomeCheck {
    /// Facts, in display order.
    pub facts: Vec<CheckFact>,
    /// Outcome that the facts suggest.
    pub suggestion: Suggestion,
}

/// Outcome that the facts of a check suggest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Suggestion {
    /// The request was processed.
    Done,
    /// The request was not processed.
    NotDone,
    /// The facts are not conclusive. The request might still be in progress.
    Unclear,
}

impl Suggestion {
    const fn opposite(self) -> Self {
        match self {
            Self::Done => Self::NotDone,
            Self::NotDone => Self::Done,
            Self::Unclear => Self::Unclear,
        }
    }
}

/// A fact of an outcome check. The text is in the window's message catalog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum CheckFact {
    /// The app is still waiting for a response.
    StillWaiting,
    /// The site responds.
    SiteAnswers {
        /// Version of the component; `null` if it is not known.
        version: Option<String>,
    },
    /// The site does not respond.
    SiteSilent {
        /// Error of the request.
        problem: Problem,
    },
    /// A server upload is newer than the request.
    NewUpload {
        /// Name of the uploaded file.
        name: String,
        /// Time of the upload, as returned by the server.
        date: String,
    },
    /// No server upload is newer than the request.
    NoNewUpload,
    /// A server upload has a date that cannot be read.
    UploadOfUnknownAge {
        /// Name of the uploaded file.
        name: String,
        /// Date, as returned by the server.
        date: String,
    },
    /// A file that this computer can read is newer than the request.
    FileHere {
        /// Path of the file.
        path: String,
        /// Current size of the file.
        size: Bytes,
        /// Whether it is a complete archive.
        whole: bool,
    },
    /// This computer can read the folder, and there is no such file.
    FileNotHere {
        /// Path of the file or folder.
        path: String,
    },
    /// This computer cannot read the folder.
    FolderNotHere {
        /// Path on the machine of the site.
        path: String,
    },
    /// The files were found in a folder of this computer, and the site is on another one, where the path can be another
    /// folder.
    FolderOfThisComputer {
        /// Path of the folder.
        path: String,
    },
    /// Current number of services.
    Services {
        /// Number of services of all types.
        count: u32,
    },
    /// Current webhooks of a service.
    Webhooks {
        /// Path of the service.
        service: String,
        /// Names of the active webhooks.
        active: Vec<String>,
        /// Names of the other webhooks.
        silent: Vec<String>,
    },
    /// Current contact of the participant.
    Contact {
        /// First name, as returned by the portal.
        firstname: String,
        /// Last name, as returned by the portal.
        lastname: String,
        /// Email address, as returned by the portal.
        email: String,
        /// Whether it equals the contact that was sent.
        as_sent: bool,
    },
    /// The participant does not exist any more.
    NoParticipant,
    /// Current invitation.
    Invitation {
        /// Time of expiration; `null` if the portal does not return it.
        expiration: Option<Millis>,
        /// Whether the expiration matches that of the refresh.
        refreshed: bool,
        /// Unsaved invitation with its content; `null` if the portal does not return the content.
        kept: Option<UnsavedInvitationId>,
    },
    /// A check could not be completed.
    NotSeen {
        /// Error of the check.
        problem: Problem,
    },
}

/// An outcome that a user set, as shown in the window.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct OutcomeResolutionView {
    /// Reason; may be empty.
    pub note: String,
    /// Name of the user.
    pub by: String,
    /// Time when it was set.
    pub at: Millis,
}

/// Validity after a refresh, in milliseconds: 72 hours, by the specification.
const VALID: i64 = 72 * 60 * 60 * 1000;
/// Tolerance for the duration of the request and for clocks, in milliseconds.
const SLACK: i64 = 10 * 60 * 1000;
const REFRESHED: i64 = VALID - SLACK;
/// Difference between the clocks above which the portal's stored times use another clock, in milliseconds.
const ANOTHER_CLOCK: i64 = 60 * 60 * 1000;

/// Resolution of file times in milliseconds: file systems count in seconds, some in steps of two.
const COARSE: i64 = 2_000;

/// Limit of the files of a folder that are listed.
const MOST_FILES: usize = 5;

/// Checks the outcome of a record.
///
/// A site that does not respond is a fact, not an error.
///
/// # Errors
/// - [`Problem::PreconditionFailed`] if the site no longer has the server of the record.
/// - [`Problem::SignIn`] if there is no valid session.
/// - [`Problem::Unexpected`] if the journal cannot be read, there is no such record, or its site is not saved.
/// - Those of [`Access::portal`] or [`Access::server`].
pub async fn check(
    context: &SiteContext,
    unsaved: &Arc<UnsavedInvitations>,
    selected: &SelectedPaths,
    record: &RecordId,
) -> Result<OutcomeCheck, Problem> {
    let id = record.0.clone();
    let whole = context.history.journal(move |journal| journal.whole(&id)).await?.record;
    let site = context.access.sites.at(&target_of(&whole.intent))?;
    let mut facts = Vec::new();
    let running =
        context.history.is_open(record) || context.runs.all().into_iter().any(|run| run.site == site.id);
    if whole.outcome == Outcome::Sent && running {
        facts.push(CheckFact::StillWaiting);
    }
    let look = Look { context, unsaved, selected, site: &site, intent: &whole.intent };
    let suggestion = match look.answers(&mut facts).await? {
        None => Suggestion::Unclear,
        Some(endpoint) => look.by_operation(&endpoint, &mut facts).await,
    };
    // While the app is waiting, a missing trace does not mean that the request failed.
    let suggestion = match suggestion {
        Suggestion::NotDone if facts.contains(&CheckFact::StillWaiting) => Suggestion::Unclear,
        other => other,
    };
    Ok(OutcomeCheck { facts, suggestion })
}

/// Stores the outcome that a user sets for a record without a response. The record itself does not change. `Unknown`
/// settles it too, and can be replaced later.
///
/// # Errors
/// - [`Problem::Form`] if the outcome is neither a final one nor `Unknown`.
/// - [`Problem::Busy`] if the operation is still running.
/// - [`Problem::PreconditionFailed`] with `StillWaiting` if another action of the record has not ended.
/// - [`Problem::Unexpected`] if the journal cannot be read or written.
pub async fn resolve(
    context: &SiteContext,
    record: RecordId,
    outcome: Outcome,
    note: &str,
) -> Result<(), Problem> {
    if !outcome.has_response() && outcome != Outcome::Unknown {
        return Err(Problem::form("outcome", FieldError::Required));
    }
    let id = record.0.clone();
    let whole = context.history.journal(move |journal| journal.whole(&id)).await?.record;
    let site = SiteId(whole.intent.site.clone());
    if whole.outcome == Outcome::Sent
        && let Some(run) = context.runs.all().into_iter().find(|run| run.site == site)
    {
        return Err(runs::busy(&run));
    }
    // An action without a run, for example a sign-in.
    if context.history.is_open(&record) {
        return Err(Problem::precondition_failed(PreconditionFailure::StillWaiting));
    }
    let by = match context.access.sites.get(&site) {
        Ok(site) => context.access.signed_in_user(&site).await,
        Err(_) => String::new(),
    };
    let resolution = OutcomeResolution { outcome, note: note.trim().to_owned(), by, at: Millis::now().0 };
    context.history.journal(move |journal| journal.set_outcome(&record.0, &resolution)).await
}

/// Returns the outcome that a user set for a record; `None` if there is none.
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be read.
pub async fn resolution(
    history: &History,
    record: RecordId,
) -> Result<Option<OutcomeResolutionView>, Problem> {
    let settled = history.journal(move |journal| journal.outcome_resolution(&record.0)).await?;
    Ok(settled.map(|settled| OutcomeResolutionView {
        note: settled.note,
        by: settled.by,
        at: Millis(settled.at),
    }))
}

/// Converts a time to the clock of the site. Returns it unchanged if the site does not return its time.
async fn at_theirs(endpoint: &Endpoint, ours: Timestamp) -> Timestamp {
    match endpoint.clock().await {
        Ok(Some(clock)) => clock.at(ours),
        _ => ours,
    }
}

struct Look<'a> {
    context: &'a SiteContext,
    unsaved: &'a Arc<UnsavedInvitations>,
    selected: &'a SelectedPaths,
    site: &'a TargetSite,
    intent: &'a Intent,
}

impl Look<'_> {
    /// Checks whether the site responds, and returns the endpoint for further requests.
    async fn answers(&self, facts: &mut Vec<CheckFact>) -> Result<Option<Endpoint>, Problem> {
        let portal = OperationKey::named(&self.intent.operation)
            .is_some_and(|key| operation::Operation::of(key).component == operation::Component::Portal);
        let endpoint = if portal {
            self.context.access.portal(self.site).await?
        } else {
            self.context.access.server(self.site).await?
        };
        match self.context.access.ask_who(self.site).await {
            Ok(known) => {
                let version = if portal { known.portal_version } else { known.server_version };
                facts.push(CheckFact::SiteAnswers { version: version.map(|version| version.to_string()) });
                Ok(Some(endpoint))
            }
            // The user can sign in and repeat the check.
            Err(problem @ Problem::SignIn { .. }) => Err(problem),
            Err(problem) => {
                facts.push(CheckFact::SiteSilent { problem });
                Ok(None)
            }
        }
    }

    async fn by_operation(&self, endpoint: &Endpoint, facts: &mut Vec<CheckFact>) -> Suggestion {
        let seen = match OperationKey::named(&self.intent.operation) {
            Some(OperationKey::ExportPortal) => Ok(self.files(endpoint, facts).await),
            Some(OperationKey::ExportServer) if self.given("location").is_empty() => {
                self.uploads(endpoint, facts).await
            }
            Some(OperationKey::ExportServer) => Ok(self.files(endpoint, facts).await),
            Some(OperationKey::ImportServer) => self.services(endpoint, facts).await,
            Some(OperationKey::DeactivateWebhooks) => self.webhooks(endpoint, facts).await,
            Some(OperationKey::UpdateParticipant) => self.contact(endpoint, facts).await,
            Some(OperationKey::RefreshInvitation) => self.invitation(endpoint, facts).await,
            None if self.intent.operation == REACTIVATE => self.restored(endpoint, facts).await,
            None if self.intent.operation == DEACTIVATE_ONE => {
                self.restored(endpoint, facts).await.map(Suggestion::opposite)
            }
            None if self.intent.operation == UPLOAD => self.uploads(endpoint, facts).await,
            Some(OperationKey::FindItems) | None => Ok(Suggestion::Unclear),
        };
        seen.unwrap_or_else(|error| {
            facts.push(CheckFact::NotSeen { problem: Problem::from_client(&error, &self.site.id) });
            Suggestion::Unclear
        })
    }

    /// Lists newer uploads by the clock of the server, which sets their dates.
    async fn uploads(
        &self,
        server: &Endpoint,
        facts: &mut Vec<CheckFact>,
    ) -> Result<Suggestion, ClientError> {
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
        let destination = self.given(parameters::DESTINATION);
        if !destination.is_empty() {
            facts.push(file(&PathBuf::from(destination)).await);
        }
        let is_upload = |fact: &CheckFact| {
            matches!(fact, CheckFact::NewUpload { .. } | CheckFact::UploadOfUnknownAge { .. })
        };
        if !facts[before..].iter().any(is_upload) {
            facts.push(CheckFact::NoNewUpload);
        }
        Ok(done_if(ours == 1))
    }

    /// Returns the time of the request by the clock of the site, in milliseconds, less the resolution of file times.
    async fn by_their_clock(&self, endpoint: &Endpoint) -> i64 {
        let ours = Timestamp::from_millisecond(self.intent.started_at).unwrap_or(Timestamp::UNIX_EPOCH);
        at_theirs(endpoint, ours).await.as_millisecond() - COARSE
    }

    /// Lists newer files in the destination folder, if this computer can read it.
    async fn files(&self, endpoint: &Endpoint, facts: &mut Vec<CheckFact>) -> Suggestion {
        let location = self.given("location").to_owned();
        let (folder, since) = (PathBuf::from(&location), self.intent.started_at - COARSE);
        // The page of the window typed it, and to read a share signs in to the computer that it names.
        let may_look = is_of_this_computer(&folder) || self.selected.was_chosen(&folder);
        let look = move || may_look.then(|| younger_files(&folder, since)).flatten();
        let Ok(Some(files)) = tokio::task::spawn_blocking(look).await else {
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
        if !is_same_folder_here(&location, endpoint.root()) {
            facts.push(CheckFact::FolderOfThisComputer { path: location });
            return Suggestion::Unclear;
        }
        done_if(ours == 1)
    }

    /// Returns whether a file has the name of the upload, or the type of the export. Other programs might write to the
    /// same folder.
    fn may_have_made(&self, file: &Path) -> bool {
        let is_of_type =
            |wanted: &str| file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted));
        match OperationKey::named(&self.intent.operation) {
            Some(OperationKey::ExportPortal) => is_of_type("portalsite"),
            Some(OperationKey::ExportServer) => is_of_type("agssite"),
            _ => file.file_name() == Path::new(&upload_name(Path::new(self.given("file")))).file_name(),
        }
    }

    async fn services(
        &self,
        server: &Endpoint,
        facts: &mut Vec<CheckFact>,
    ) -> Result<Suggestion, ClientError> {
        let count = ServiceList::read(server).await?.count()?;
        facts.push(CheckFact::Services { count });
        // During an import, a server returns only some of its services.
        Ok(Suggestion::Unclear)
    }

    async fn webhooks(
        &self,
        server: &Endpoint,
        facts: &mut Vec<CheckFact>,
    ) -> Result<Suggestion, ClientError> {
        let (mut active, mut deactivated) = (false, false);
        for service in parameters::several(&self.intent.parameters, "service") {
            match webhooks_of(server, service, facts).await? {
                Some(any_active) => {
                    active |= any_active;
                    deactivated |= !any_active;
                }
                None => return Ok(Suggestion::Unclear),
            }
        }
        Ok(match (active, deactivated) {
            (false, true) => Suggestion::Done,
            (true, false) => Suggestion::NotDone,
            _ => Suggestion::Unclear,
        })
    }

    async fn restored(
        &self,
        server: &Endpoint,
        facts: &mut Vec<CheckFact>,
    ) -> Result<Suggestion, ClientError> {
        webhooks_of(server, self.given("service"), facts).await?;
        let Some(CheckFact::Webhooks { active, silent, .. }) = facts.last() else {
            return Ok(Suggestion::Unclear);
        };
        let meant: Vec<_> =
            parameters::several(&self.intent.parameters, "webhook").map(ToOwned::to_owned).collect();
        // Two webhooks can have one name.
        if meant.iter().all(|name| active.contains(name) && !silent.contains(name)) {
            return Ok(Suggestion::Done);
        }
        Ok(if meant.iter().all(|name| silent.contains(name) && !active.contains(name)) {
            Suggestion::NotDone
        } else {
            Suggestion::Unclear
        })
    }

    async fn contact(
        &self,
        portal: &Endpoint,
        facts: &mut Vec<CheckFact>,
    ) -> Result<Suggestion, ClientError> {
        let portal_id =
            self.context.access.known(self.site).await.map(|known| known.portal_id).unwrap_or_default();
        let participants = listing::participants(portal, &portal_id).await?;
        // Of a list in part, one that it does not have may be there.
        let is_complete = participants.iter().all(|one| one.gap.is_none());
        let found = participants.into_iter().find(|one| {
            one.collaboration_id == self.given("collaborationId")
                && one.portal_id == self.given("participantId")
        });
        let Some(found) = found else {
            facts.extend(is_complete.then_some(CheckFact::NoParticipant));
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

    async fn invitation(
        &self,
        portal: &Endpoint,
        facts: &mut Vec<CheckFact>,
    ) -> Result<Suggestion, ClientError> {
        let portal_id =
            self.context.access.known(self.site).await.map(|known| known.portal_id).unwrap_or_default();
        let (collaboration, id) = (self.given("collaborationId"), self.given("invitationId"));
        let found = listing::invitation(portal, &portal_id, collaboration, id).await?;
        let began = self.by_their_clock(portal).await;
        let now = Timestamp::now();
        let their_now = at_theirs(portal, now).await.as_millisecond();
        // An invitation that is valid for longer than a refresh allows was not refreshed by this request.
        let could_be = began + REFRESHED..=their_now + (VALID + SLACK);
        let refreshed = found.expiration.is_some_and(|expiration| could_be.contains(&expiration));
        // If a gateway with another clock is in front of the portal, its times cannot be compared.
        let is_comparable = (their_now - now.as_millisecond()).abs() < ANOTHER_CLOCK;
        let is_older =
            is_comparable && found.expiration.is_some_and(|expiration| expiration < began + REFRESHED);
        // The response of the refresh, which is missing, contained the invitation: store its content now.
        let kept = if refreshed && !found.content.is_empty() {
            let file_name = files::safe_name("collaboration.invite", "invite");
            let content = found.content.into_bytes();
            // Each check of the outcome finds the same invitation.
            let stored = self.unsaved.of(&self.site.id).into_iter().find(|(_, one)| *one.content == content);
            match stored {
                Some((handle, _)) => Some(UnsavedInvitationId(handle)),
                None => refresh_invitation::keep(self.unsaved, &self.site.id, &file_name, content).await.ok(),
            }
        } else {
            None
        };
        facts.push(CheckFact::Invitation { expiration: found.expiration.map(Millis), refreshed, kept });
        Ok(match (refreshed, is_older) {
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

/// Lists the webhooks of a service. Returns whether any is active; `None` if the server does not return their state.
async fn webhooks_of(
    server: &Endpoint,
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

/// Returns the newest files of a folder; `None` if this computer cannot read it.
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

/// Returns whether a path begins with a drive, where paths begin with one: others name a computer or a device.
fn is_of_this_computer(path: &Path) -> bool {
    match path.components().next() {
        Some(Component::Prefix(prefix)) => {
            matches!(prefix.kind(), Prefix::Disk(_) | Prefix::VerbatimDisk(_))
        }
        _ => true,
    }
}

/// Returns whether the path of a folder names the same folder on this computer and on the machine of a site: the site
/// is on this computer, or the path names a computer itself, as `\\server\share` does on Windows.
fn is_same_folder_here(folder: &str, site: &Url) -> bool {
    let is_share = match Path::new(folder).components().next() {
        Some(Component::Prefix(prefix)) => matches!(prefix.kind(), Prefix::UNC(..) | Prefix::VerbatimUNC(..)),
        _ => false,
    };
    is_share || is_this_computer(site)
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

/// Parses a date of a server: milliseconds since 1970, a timestamp with its zone, or the format of Java dates in UTC.
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
    fn a_folder_of_this_computer_is_that_of_a_site_on_it_and_no_sign_of_what_a_site_elsewhere_wrote() {
        let is_same = |folder: &str, site: &str| is_same_folder_here(folder, &site.parse().unwrap());

        assert!(is_same("/backups", "http://127.0.0.1:7080/portal"));
        assert!(!is_same("/backups", "https://gis.example.org/portal"));
        assert!(!is_same(r"C:\backups", "https://gis.example.org/portal"));
        assert_eq!(is_same(r"\\nas\backups", "https://gis.example.org/portal"), cfg!(windows));
    }

    #[test]
    fn a_share_that_was_typed_is_not_looked_at_by_itself() {
        for share in [r"\\nas\backups", r"\\?\UNC\nas\backups", r"\\.\pipe\backups", "//nas/backups"] {
            assert_eq!(is_of_this_computer(Path::new(share)), cfg!(not(windows)), "{share}");
        }
        for here in [r"C:\backups", r"\\?\C:\backups", "/backups"] {
            assert!(is_of_this_computer(Path::new(here)), "{here}");
        }
    }

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
