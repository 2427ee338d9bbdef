//! Reactivation of exactly the webhooks that were active before a deactivation.
//!
//! [`reactivate`] reactivates those of one entry of the deactivation log, [`reactivate_one`] a single one of them, and
//! [`reactivate_several`] those of several entries in one batch. `reactivate_record` reactivates those of one deactivation after an import.

use std::collections::HashSet;

use serde::Serialize;
use steward_client::ClientError;
use steward_client::webhooks::{ServiceWebhook, ServiceWebhooks};
use steward_journal::{
    DeactivatedWebhook, Deactivation, DeactivationState, Facts, Outcome, ReactivationCounts,
};

use super::deactivation_log::{DeactivationId, note_active, write_after_response};
use crate::batch::result::{BatchItemResult, BatchResult};
use crate::batch::{self, BatchItem};
use crate::execution::{Execution, Intended, Response, Waited};
use crate::history::imports::DEACTIVATION;
use crate::history::note::Note;
use crate::history::record::History;
use crate::history::record_target::must_be_here;
use crate::model::checked::LoggedWebhook;
use crate::model::history_key::{HistoryAction, REACTIVATE};
use crate::model::ids::{RecordId, SiteId, Target};
use crate::model::numbers::{Millis, count};
use crate::model::operation::{Component, Operation, OperationKey};
use crate::model::persistence::Persistence;
use crate::model::problem::{PreconditionFailure, Problem, as_text};
use crate::model::run_result::RunResult;
use crate::runs::{NewRun, Run};
use crate::site_context::{Refusal, SiteContext};
use crate::sites::TargetSite;

/// Operation whose requirements a reactivation has too.
const OPERATION: Operation = Operation::of(OperationKey::DeactivateWebhooks);

/// Result of a reactivation.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ReactivationReport {
    /// Path of the service.
    pub service: String,
    /// Result for each webhook that was active before the deactivation.
    pub webhooks: Vec<ReactivatedWebhook>,
    /// Outcome, as stored in the history.
    pub outcome: Outcome,
    /// Number of webhooks by result, as stored in the history.
    pub counts: ReactivationCounts,
    /// Whether the history and the deactivation log were written. If not, the entry remains open.
    pub recorded: bool,
}

/// Result for one webhook.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ReactivatedWebhook {
    /// Name of the webhook.
    pub name: String,
    /// Result.
    pub end: ReactivationEnd,
}

/// Result of the reactivation of a webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ReactivationEnd {
    /// The webhook was reactivated.
    Activated,
    /// The webhook was already active; nothing was sent.
    WasActive,
    /// The webhook was deleted meanwhile; nothing was sent.
    Gone,
    /// The request was rejected, or could not be sent.
    Rejected {
        /// Reason.
        problem: Problem,
    },
    /// No response was received, and the list of webhooks does not show that it is active.
    Unknown {
        /// Error in place of the response; `null` after Stop.
        problem: Option<Problem>,
    },
    /// The request was not sent: the user pressed Stop, or the requests before it failed.
    NotSent,
}

/// Reactivates exactly the webhooks that were active before a deactivation.
///
/// # Errors
/// - [`Problem::PreconditionFailed`] if the entry is closed, its active webhooks are not known, or it belongs to
///   another server of the site than this one.
/// - [`Problem::Rejected`] or another error of the client if the server does not list its webhooks.
/// - [`Problem::Unexpected`] if the journal cannot be read.
/// - Those of [`Execution::admit`], [`Execution::connect`] and [`Access::server`](crate::access::Access::server).
pub async fn reactivate(
    context: &SiteContext,
    target: &Target,
    run: impl Into<NewRun>,
    entry: DeactivationId,
) -> Result<RunResult<ReactivationReport>, Problem> {
    let entry = Entry::read(&context.history, &target.site, entry).await?;
    reactivate_entry(context, target, run, entry).await
}

/// Reactivates one webhook of an entry. The entry stays open while another one of it is not active.
///
/// # Errors
/// - [`Problem::Unexpected`] if the entry does not have the webhook.
/// - Those of [`reactivate`].
pub async fn reactivate_one(
    context: &SiteContext,
    target: &Target,
    run: impl Into<NewRun>,
    entry: DeactivationId,
    webhook: &str,
) -> Result<RunResult<ReactivationReport>, Problem> {
    let entry = Entry::read(&context.history, &target.site, entry).await?.only(webhook)?;
    reactivate_entry(context, target, run, entry).await
}

async fn reactivate_entry(
    context: &SiteContext,
    target: &Target,
    run: impl Into<NewRun>,
    entry: Entry,
) -> Result<RunResult<ReactivationReport>, Problem> {
    let act = Some(HistoryAction::ReactivateWebhooks);
    let (saved, run) = Execution::admit_as(context, &OPERATION, act, target, run)?;
    let unknown = Some(intended(vec![("service", entry.service.clone())]));
    let mut execution = match Execution::connect(context, &OPERATION, saved, run, unknown).await? {
        Response::Received(execution) => execution.one_of_several(),
        Response::Missing(end) => return Ok(end),
    };
    match entry.send(&mut execution).await? {
        Response::Received(report) => Ok(execution.done(report)),
        Response::Missing(end) => Ok(end),
    }
}

/// Reactivates the webhooks of several entries in one run. Each entry has its own record.
///
/// # Errors
/// - [`Problem::Form`] if the list is empty.
/// - [`Problem::PreconditionFailed`] if an entry is closed, or its active webhooks are not known. Nothing was sent.
/// - [`Problem::Unexpected`] if the list contains an entry twice, or the journal cannot be read.
/// - Those of [`batch::send`].
pub async fn reactivate_several(
    context: &SiteContext,
    target: &Target,
    run: impl Into<NewRun>,
    entries: Vec<DeactivationId>,
) -> Result<RunResult<BatchResult<ReactivationReport>>, Problem> {
    batch::check_no_duplicates(&entries, |entry| &entry.0)?;
    let mut open = Vec::new();
    for entry in entries {
        open.push(Entry::read(&context.history, &target.site, entry).await?);
    }
    let act = Some(HistoryAction::ReactivateWebhooks);
    let (saved, run) = Execution::admit_as(context, &OPERATION, act, target, run)?;
    batch::send_admitted(context, saved, run, open).await
}

/// Webhooks of a service that were active before a deactivation, and the result of their reactivation.
pub(crate) struct ReactivatedService {
    pub(crate) service: String,
    /// Time of the deactivation.
    pub(crate) deactivated_at: Millis,
    /// Whether the site confirmed it.
    pub(crate) is_confirmed: bool,
    /// Names of the webhooks that were active; `None` if they are not known.
    pub(crate) was_active: Option<Vec<String>>,
    /// Result of each; the reason if none was reactivated.
    pub(crate) end: Result<ReactivationReport, String>,
    /// Whether the server did not respond, and no request to it has an unknown outcome: another attempt sends nothing twice.
    pub(crate) is_held_up: bool,
}

/// Reactivates the webhooks that a deactivation deactivated, in an admitted run: of all services, or `only` of some. An entry of
/// the log is reactivated even if it is closed. Returns the result for each service.
pub(crate) async fn reactivate_record(
    context: &SiteContext,
    site: TargetSite,
    run: Run,
    record: RecordId,
    only: Option<&HashSet<String>>,
) -> Result<Vec<ReactivatedService>, Problem> {
    let id = site.id.0.clone();
    let entries = context.history.journal(move |journal| journal.deactivations(Some(&id))).await?;
    // The log is sorted newest first.
    let is_meant = |entry: &Deactivation| {
        entry.intent.record == record.0 && only.is_none_or(|only| only.contains(&entry.intent.service))
    };
    let of_record: Vec<_> = entries.into_iter().filter(is_meant).rev().collect();
    if of_record.is_empty() {
        let message = "the deactivation log has no entry of this deactivation".to_owned();
        return Err(Problem::Unexpected { message });
    }
    let unknown = as_text(&Problem::precondition_failed(PreconditionFailure::ActiveUnknown));
    let mut services = Vec::new();
    let mut open = Vec::new();
    for entry in of_record {
        let service = entry.intent.service.clone();
        let deactivated_at = Millis(entry.intent.deactivated_at);
        let is_confirmed = entry.state == DeactivationState::Deactivated;
        let entry = Entry::of(entry);
        let names = |entry: &Entry| entry.was_active.iter().map(|was| was.name.clone()).collect();
        services.push(ReactivatedService {
            service,
            deactivated_at,
            is_confirmed,
            was_active: entry.as_ref().map(names),
            end: Err(if entry.is_some() { "not sent".to_owned() } else { unknown.clone() }),
            is_held_up: false,
        });
        open.extend(entry);
    }
    let ended = batch::send_admitted(context, site, run.clone(), open).await;
    let parts = match ended {
        Ok(RunResult::Done { report, .. }) => report.parts,
        Ok(_) => Vec::new(),
        Err(problem) => vec![BatchItemResult::Rejected { problem }],
    };
    let is_down = parts.iter().any(is_held_up) && !run.is_stopped();
    let known = services.iter_mut().filter(|service| service.was_active.is_some());
    let parts = parts.into_iter().chain(std::iter::repeat_with(|| BatchItemResult::NotSent));
    for (service, part) in known.zip(parts) {
        service.is_held_up = is_down && (is_held_up(&part) || matches!(part, BatchItemResult::NotSent));
        service.end = match part {
            BatchItemResult::Done { report, .. } => Ok(report),
            BatchItemResult::Rejected { problem }
            | BatchItemResult::Unknown { problem: Some(problem), .. } => Err(as_text(&problem)),
            BatchItemResult::Unknown { problem: None, .. } => Err("no response".to_owned()),
            BatchItemResult::NotSent => continue,
        };
    }
    Ok(services)
}

/// Returns whether the server did not respond to one of the requests for a service, and none has an unknown outcome.
fn is_held_up(part: &BatchItemResult<ReactivationReport>) -> bool {
    match part {
        BatchItemResult::Done { report, .. } => {
            let is_down = |one: &ReactivatedWebhook| match &one.end {
                ReactivationEnd::Rejected { problem } => does_not_respond(problem),
                _ => false,
            };
            let is_unknown = |one: &ReactivatedWebhook| matches!(one.end, ReactivationEnd::Unknown { .. });
            report.webhooks.iter().any(is_down) && !report.webhooks.iter().any(is_unknown)
        }
        BatchItemResult::Rejected { problem } => does_not_respond(problem),
        BatchItemResult::Unknown { .. } | BatchItemResult::NotSent => false,
    }
}

/// Returns whether a server did not respond itself, as while its web server restarts: no connection, or a page or error of what is
/// in front of it.
pub(crate) fn does_not_respond(problem: &Problem) -> bool {
    match problem {
        Problem::NotRenewed { cause } => does_not_respond(cause),
        Problem::InFront { .. } | Problem::Unreadable { .. } => true,
        Problem::Rejected { code, .. } => matches!(code, Some(502..=504)),
        Problem::Unreachable { .. } | Problem::NoResponse { .. } | Problem::ProxyRefused { .. } => {
            problem.persistence() == Persistence::Temporary
        }
        Problem::Form { .. }
        | Problem::SignIn { .. }
        | Problem::TokenRenewed
        | Problem::Keyring { .. }
        | Problem::Busy { .. }
        | Problem::TooOld { .. }
        | Problem::NotOffered { .. }
        | Problem::Certificate { .. }
        | Problem::UnconfirmedAddress { .. }
        | Problem::ClientCertificate { .. }
        | Problem::Redirected { .. }
        | Problem::NoAddress { .. }
        | Problem::NoDialog { .. }
        | Problem::File { .. }
        | Problem::ExtensionNotAllowed { .. }
        | Problem::ReadOnly { .. }
        | Problem::PlanNotAccepted
        | Problem::SafetyBackupFailed { .. }
        | Problem::WebhooksNotDeactivated { .. }
        | Problem::ImportFailed { .. }
        | Problem::WebhooksWereInactive { .. }
        | Problem::SafetyBackupMissing { .. }
        | Problem::PreconditionFailed { .. }
        | Problem::NotRecorded { .. }
        | Problem::Unexpected { .. } => false,
    }
}

/// Returns the content of a record before the requests are known.
fn intended(parameters: Vec<(&'static str, String)>) -> Intended {
    Intended { name: REACTIVATE, parameters, requests: Box::new(|_| Vec::new()) }
}

/// Returns the note of a reactivation: the service, and each webhook that is not active with its reason.
fn note(service: &str, ends: &[ReactivatedWebhook]) -> Note {
    let failed = ends.iter().filter_map(|one| {
        let why = match &one.end {
            ReactivationEnd::Activated | ReactivationEnd::WasActive => return None,
            ReactivationEnd::Gone => "no longer exists".to_owned().into(),
            ReactivationEnd::Rejected { problem } => Note::of(problem),
            ReactivationEnd::Unknown { problem } => {
                let why = problem.as_ref().map(|problem| format!(" ({})", as_text(problem)));
                Note::no_response(format!("no response{}", why.unwrap_or_default()))
            }
            ReactivationEnd::NotSent => "not sent".to_owned().into(),
        };
        Some(why.about(&one.name))
    });
    Note::names(service.to_owned()).and(failed.collect::<Note>())
}

/// Entry of the deactivation log whose webhooks can be reactivated.
struct Entry {
    id: DeactivationId,
    /// Record of the deactivation.
    record: String,
    /// Server of that record; empty if it is not known.
    server: String,
    /// URL of its request; empty if it is not known.
    sent_to: String,
    service: String,
    was_active: Vec<DeactivatedWebhook>,
    /// Webhooks of the entry that stay as they are.
    others: Vec<DeactivatedWebhook>,
}

impl Entry {
    /// Reads an entry of a site.
    async fn read(history: &History, site: &SiteId, entry: DeactivationId) -> Result<Self, Problem> {
        let id = entry.0.clone();
        let deactivation = history.journal(move |journal| journal.deactivation(&id)).await?;
        if deactivation.resolved_at.is_some() {
            return Err(Problem::precondition_failed(PreconditionFailure::RestoredAlready));
        }
        let ours = Some(deactivation).filter(|entry| entry.intent.site == site.0);
        ours.and_then(Self::of).ok_or(Problem::precondition_failed(PreconditionFailure::ActiveUnknown))
    }

    /// Returns the entry; `None` if its active webhooks are not known.
    fn of(entry: Deactivation) -> Option<Self> {
        let (id, intent) = (DeactivationId(entry.id), entry.intent);
        Some(Self {
            id,
            record: intent.record,
            server: entry.server.unwrap_or_default(),
            sent_to: entry.sent_to,
            service: intent.service,
            was_active: intent.active?,
            others: Vec::new(),
        })
    }

    /// Returns the entry with one of its webhooks to reactivate.
    fn only(self, webhook: &str) -> Result<Self, Problem> {
        let (was_active, others): (Vec<_>, _) =
            self.was_active.into_iter().partition(|was| was.id == webhook);
        if was_active.is_empty() {
            let message = format!("the entry of the deactivation log does not have the webhook {webhook}");
            return Err(Problem::Unexpected { message });
        }
        Ok(Self { was_active, others, ..self })
    }

    /// Compares the entry with the current webhooks of its service.
    ///
    /// # Errors
    /// - [`Problem::PreconditionFailed`] if it belongs to another server than this one, as it is saved now.
    /// - The same if the server does not have the service any more.
    /// - An error of the client if the server does not list the webhooks.
    async fn compared(self, execution: &Execution<'_>) -> Result<Reactivation, Problem> {
        let site = &execution.site;
        must_be_here(site, &self.server, &self.sent_to)?;
        let service = ServiceWebhooks::at(&self.service);
        let now = service.list(&execution.endpoint).await.map_err(|error| match error {
            // Another attempt has the same result until the service is published again.
            ClientError::Rejected { code: 404, .. } if !error.is_of_what_is_in_front() => {
                Problem::precondition_failed(PreconditionFailure::ServiceGone {
                    service: self.service.clone(),
                })
            }
            error => Problem::from_client(&error, &site.id),
        })?;
        Ok(Reactivation::of(self, service, &now))
    }
}

/// Reactivation of the webhooks of one service.
struct Reactivation {
    entry: DeactivationId,
    /// Record of the deactivation.
    deactivation: String,
    path: String,
    service: ServiceWebhooks,
    /// Each webhook that was active, and what it is now.
    steps: Vec<(DeactivatedWebhook, Option<ServiceWebhook>)>,
    /// Names of webhooks of the service that are not in the entry.
    others: HashSet<String>,
    /// Whether activating all webhooks of the service activates no others.
    all_were_active: bool,
    /// Whether the list has a webhook that cannot be read. A webhook of the entry that the list lacks might be this one, and not
    /// deleted.
    has_unreadable: bool,
    /// Whether the other webhooks of the entry are active or deleted, so that it can be closed.
    others_are_back: bool,
}

impl Reactivation {
    fn of(entry: Entry, service: ServiceWebhooks, now: &[ServiceWebhook]) -> Self {
        let all_were_active = now.iter().all(|webhook| {
            webhook.active == Some(true) || entry.was_active.iter().any(|was| was.id == webhook.id)
        });
        let has_unreadable = now.iter().any(|webhook| webhook.id.is_empty());
        let others_are_back = entry.others.iter().all(|was| {
            let now = now.iter().find(|webhook| webhook.id == was.id);
            now.map_or(!has_unreadable, |webhook| webhook.active == Some(true))
        });
        let is_other = |webhook: &&ServiceWebhook| {
            entry.was_active.iter().chain(&entry.others).all(|was| was.id != webhook.id)
        };
        let others = now.iter().filter(is_other).map(|webhook| webhook.name.clone()).collect();
        let steps = entry.was_active.into_iter().map(|was| {
            let now = now.iter().find(|webhook| webhook.id == was.id).cloned();
            (was, now)
        });
        Self {
            entry: entry.id,
            deactivation: entry.record,
            path: entry.service,
            service,
            steps: steps.collect(),
            others,
            all_were_active,
            has_unreadable,
            others_are_back,
        }
    }

    fn intended(&self) -> Intended {
        let mut parameters = vec![("service", self.path.clone())];
        parameters.extend(self.steps.iter().map(|(was, _)| ("webhook", was.name.clone())));
        parameters.push((DEACTIVATION, self.deactivation.clone()));
        let to_activate =
            self.steps.iter().filter_map(|(_, now)| now.as_ref()).filter(|now| now.active != Some(true));
        let edits = to_activate.filter_map(|webhook| self.service.edit::<true>(webhook).ok());
        let requests: Vec<_> = edits.map(|edit| edit.request().clone()).collect();
        Intended { name: REACTIVATE, parameters, requests: Box::new(move |_| requests.clone()) }
    }

    /// Sends the requests one after another, and records their outcome in the history and in the log. After Stop, the
    /// response to the current one is awaited.
    async fn carry_out<T>(
        self,
        execution: &Execution<'_>,
    ) -> Result<Response<ReactivationReport, T>, Problem> {
        execution.run.set_prepared();
        let mut ends = Vec::new();
        let (mut for_all, mut was_sent, mut has_ended) = (ForAll::NotSent, false, false);
        for (was, now) in &self.steps {
            let end = match now {
                None if self.has_unreadable => {
                    let why = PreconditionFailure::HiddenField {
                        webhook: was.name.clone(),
                        field: "id".to_owned(),
                    };
                    ReactivationEnd::Rejected { problem: Problem::precondition_failed(why) }
                }
                // A new webhook with the same name might not do the same as the one that was deactivated.
                None if self.others.contains(&was.name) => {
                    let why = PreconditionFailure::WebhookReplaced { webhook: was.name.clone() };
                    ReactivationEnd::Rejected { problem: Problem::precondition_failed(why) }
                }
                None => ReactivationEnd::Gone,
                Some(webhook) if webhook.active == Some(true) => ReactivationEnd::WasActive,
                Some(webhook) => match for_all.end_of(webhook) {
                    Some(end) => end,
                    None if has_ended => ReactivationEnd::NotSent,
                    None => match self.activate(execution, webhook).await {
                        Ok(activation) => {
                            was_sent = true;
                            (for_all, has_ended) = (activation.for_all, activation.is_last);
                            activation.end
                        }
                        Err(refusal) if !was_sent => {
                            return execution.refused(refusal).await.map(Response::Missing);
                        }
                        Err(refusal) => {
                            has_ended = true;
                            let rejected = |problem| ReactivationEnd::Rejected { problem };
                            refusal.problem().map_or(ReactivationEnd::NotSent, rejected)
                        }
                    },
                },
            };
            ends.push(ReactivatedWebhook { name: was.name.clone(), end });
        }
        self.look_again(execution, &mut ends).await;
        let is_active = |one: &ReactivatedWebhook| {
            matches!(one.end, ReactivationEnd::Activated | ReactivationEnd::WasActive)
        };
        let active = self.steps.iter().zip(&ends).filter(|(_, end)| is_active(end));
        let active = active.map(|((was, _), _)| LoggedWebhook { id: was.id.clone(), name: was.name.clone() });
        note_active(execution.context, &execution.site, &self.entry.0, active.collect());
        // If all are active or deleted, nothing was sent, and the intent is not written yet.
        execution.record().await?;
        let (outcome, counts) = (outcome(&ends), counts(&ends));
        execution.set_facts(Facts { reactivation: Some(counts), ..Facts::default() });
        execution.conclude(outcome, note(&self.path, &ends), None).await;
        let stays_open = !self.others_are_back || ends.iter().any(ReactivatedWebhook::stays_open);
        let in_log = stays_open || {
            let (by, at) = (execution.known.username_at(Component::Server).to_owned(), Millis::now().0);
            write_after_response(
                execution
                    .context
                    .history
                    .journal(move |journal| journal.mark_reactivated(&self.entry.0, &by, at)),
            )
            .await
        };
        let recorded = in_log && execution.record_id().is_some();
        let report = ReactivationReport { service: self.path, webhooks: ends, outcome, counts, recorded };
        Ok(Response::Received(report))
    }

    /// Reads the webhooks again after their activation. One that the server still lists as inactive was not
    /// reactivated, although the request was confirmed. If the list cannot be read or lacks it, the confirmation
    /// counts.
    async fn look_again(&self, execution: &Execution<'_>, ends: &mut [ReactivatedWebhook]) {
        if !ends.iter().any(|one| one.end == ReactivationEnd::Activated) {
            return;
        }
        let listed = execution.run.unless_stopped(self.service.list(&execution.endpoint)).await;
        let Some(Ok(now)) = listed else { return };
        for ((was, _), one) in self.steps.iter().zip(ends) {
            let is_inactive = now.iter().any(|now| now.id == was.id && now.active == Some(false));
            if is_inactive && one.end == ReactivationEnd::Activated {
                let problem = Problem::precondition_failed(PreconditionFailure::StillInactive);
                one.end = ReactivationEnd::Rejected { problem };
            }
        }
    }

    /// Activates one webhook. If the response is missing, the list of webhooks shows whether it is active.
    async fn activate(
        &self,
        execution: &Execution<'_>,
        webhook: &ServiceWebhook,
    ) -> Result<Activation, Refusal> {
        let unless_all = |end, is_last| Activation { end, for_all: ForAll::NotSent, is_last };
        let edit = self.service.edit::<true>(webhook).map_err(|field| Problem::hidden(webhook, field));
        let sent = match edit {
            Ok(edit) => Some(execution.unless_stopped(edit.send(execution.permit().await?)).await),
            Err(_) if self.all_were_active => None,
            Err(problem) => {
                return Ok(unless_all(ReactivationEnd::Rejected { problem }, false));
            }
        };
        let is_refused =
            |sent: &Waited<_>| matches!(sent, Waited::Ended(Err(error)) if offers_no_edit(error));
        // A site that rejects the edit might still activate all webhooks of the service, which is only correct if that
        // activates no others.
        let (sent, of_all) = match sent {
            Some(sent) if !(self.all_were_active && is_refused(&sent)) => (sent, false),
            _ => {
                let sending = self.service.activate_all(execution.permit().await?);
                (execution.unless_stopped(sending).await, true)
            }
        };
        let error = match sent {
            Waited::Ended(Ok(())) => {
                let for_all = if of_all { ForAll::Activated } else { ForAll::NotSent };
                return Ok(Activation { end: ReactivationEnd::Activated, for_all, is_last: false });
            }
            Waited::Ended(Err(error)) => error,
            Waited::UnderWay => return Ok(Activation::unanswered(webhook, of_all, Vec::new(), None)),
            Waited::NotSent => return Ok(unless_all(ReactivationEnd::NotSent, true)),
        };
        let problem = Problem::from_client(&error, &execution.site.id);
        if !error.may_have_taken_effect() {
            let is_last = !error.is_of_one_resource() && !matches!(error, ClientError::TokenRenewed);
            return Ok(unless_all(ReactivationEnd::Rejected { problem }, is_last));
        }
        execution.record_error(&error);
        let listed = execution.run.unless_stopped(self.service.list(&execution.endpoint)).await;
        let now = listed.and_then(Result::ok).unwrap_or_default().into_iter();
        let active = now.filter(|now| now.active == Some(true)).map(|now| now.id).collect();
        Ok(Activation::unanswered(webhook, of_all, active, Some(problem)))
    }
}

/// Result of the activation of one webhook.
struct Activation {
    end: ReactivationEnd,
    /// Consequence for the other webhooks of the service.
    for_all: ForAll,
    /// Whether no other request may follow: the outcome is unknown, or the error concerns every request.
    is_last: bool,
}

impl Activation {
    /// Returns the result of a request for one webhook, or for all of its service, whose response is missing. `active` are
    /// those that the server lists as active since.
    fn unanswered(
        webhook: &ServiceWebhook,
        of_all: bool,
        active: Vec<String>,
        problem: Option<Problem>,
    ) -> Self {
        let unanswered = ForAll::Unanswered { active, problem };
        let end = unanswered.end_of(webhook).unwrap_or(ReactivationEnd::NotSent);
        let is_last = matches!(end, ReactivationEnd::Unknown { .. });
        Self { end, for_all: if of_all { unanswered } else { ForAll::NotSent }, is_last }
    }
}

/// Request that activates all webhooks of a service.
enum ForAll {
    /// None was sent.
    NotSent,
    /// The site confirmed it.
    Activated,
    /// Its response is missing.
    Unanswered {
        /// Identifiers of the webhooks that are active since.
        active: Vec<String>,
        /// Error in place of the response; `None` after Stop.
        problem: Option<Problem>,
    },
}

impl ForAll {
    /// Returns what it did to a webhook; `None` if it was not sent.
    fn end_of(&self, webhook: &ServiceWebhook) -> Option<ReactivationEnd> {
        match self {
            Self::NotSent => None,
            Self::Unanswered { active, problem } if !active.contains(&webhook.id) => {
                Some(ReactivationEnd::Unknown { problem: problem.clone() })
            }
            Self::Activated | Self::Unanswered { .. } => Some(ReactivationEnd::Activated),
        }
    }
}

/// Returns the numbers of webhooks of a reactivation. They are counted here alone.
fn counts(ends: &[ReactivatedWebhook]) -> ReactivationCounts {
    let number = |is: fn(&ReactivationEnd) -> bool| count(ends.iter().filter(|one| is(&one.end)).count());
    ReactivationCounts {
        inactive: number(|end| !matches!(end, ReactivationEnd::WasActive)),
        reactivated: number(|end| matches!(end, ReactivationEnd::Activated)),
    }
}

/// Returns the outcome of a reactivation, for the history.
fn outcome(ends: &[ReactivatedWebhook]) -> Outcome {
    let all = |is: fn(&ReactivationEnd) -> bool| ends.iter().all(|one| is(&one.end));
    if ends.iter().any(|one| matches!(one.end, ReactivationEnd::Unknown { .. })) {
        Outcome::Unknown
    } else if all(|end| matches!(end, ReactivationEnd::Activated | ReactivationEnd::WasActive)) {
        Outcome::Succeeded
    } else if all(|end| matches!(end, ReactivationEnd::Rejected { .. } | ReactivationEnd::NotSent)) {
        Outcome::Failed
    } else {
        Outcome::Warnings
    }
}

impl BatchItem for Entry {
    type Report = ReactivationReport;
    const OPERATION: &'static Operation = &OPERATION;

    fn intended(&self) -> Intended {
        intended(vec![("service", self.service.clone())])
    }

    /// Compares the entry with its service at its turn: an edit sends the whole webhook, and an earlier entry of the
    /// batch can have activated it.
    async fn send(
        self,
        execution: &mut Execution<'_>,
    ) -> Result<Response<ReactivationReport, ReactivationReport>, Problem> {
        let refusal = match execution.run.unless_stopped(self.compared(execution)).await {
            Some(Ok(reactivation)) => {
                execution.intend(reactivation.intended());
                return reactivation.carry_out(execution).await;
            }
            Some(Err(problem)) => Refusal::Because(problem),
            None => Refusal::Stopped,
        };
        execution.refused(refusal).await.map(Response::Missing)
    }

    fn lets_the_next_follow(report: &ReactivationReport) -> bool {
        let is_last =
            |end: &ReactivationEnd| matches!(end, ReactivationEnd::Unknown { .. } | ReactivationEnd::NotSent);
        !report.webhooks.iter().any(|one| is_last(&one.end))
    }

    fn outcome(report: &ReactivationReport) -> Outcome {
        report.outcome
    }
}

impl ReactivatedWebhook {
    /// Returns whether the entry of the log stays open for it.
    const fn stays_open(&self) -> bool {
        match self.end {
            ReactivationEnd::Activated | ReactivationEnd::WasActive | ReactivationEnd::Gone => false,
            ReactivationEnd::Rejected { .. } | ReactivationEnd::Unknown { .. } | ReactivationEnd::NotSent => {
                true
            }
        }
    }
}

/// Returns whether the site does not support editing. The webhook exists, so a 404 refers to the edit operation.
const fn offers_no_edit(error: &ClientError) -> bool {
    matches!(error, ClientError::Rejected { code: 404 | 405 | 501, .. })
}
