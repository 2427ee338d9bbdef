//! Deactivation of the webhooks of services, one request per service.
//!
//! `deactivate_services` is the entry point. Invariant: before a request is sent, the service and its active
//! webhooks, if the server lists them, are in the [deactivation log](super::deactivation_log): webhooks that are not in
//! the log cannot be reactivated.

use serde::Serialize;
use steward_client::ClientError;
use steward_client::operations::deactivate_webhooks::DeactivateWebhooks;
use steward_client::webhooks::{ServiceWebhook, ServiceWebhooks};
use steward_journal::{Facts, Outcome, Report};

use super::deactivation_log::{self, note_active};
use crate::execution::{Execution, Intended, Response, Waited};
use crate::history::note::Note;
use crate::model::checked::LoggedWebhook;
use crate::model::ids::RecordId;
use crate::model::operation::{Operation, OperationKey};
use crate::model::problem::{PreconditionFailure, Problem};
use crate::model::run_result::RunResult;
use crate::runs::{Run, RunStep};
use crate::site_context::{Refusal, SiteContext};
use crate::sites::TargetSite;

const OPERATION: Operation = Operation::of(OperationKey::DeactivateWebhooks);

/// Result by service.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DeactivateReport {
    /// Services, in the order of the form.
    pub services: Vec<DeactivatedService>,
}

/// Result for one service.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DeactivatedService {
    /// Path of the service.
    pub service: String,
    /// Reason why its webhooks were not deactivated; `null` if they were, or if the request was not sent because the
    /// run had ended.
    pub problem: Option<Problem>,
    /// Whether its request was not sent.
    pub not_sent: bool,
}

impl DeactivatedService {
    const fn is_deactivated(&self) -> bool {
        self.problem.is_none() && !self.not_sent
    }
}

/// Rule for a service whose webhooks cannot be deactivated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Otherwise {
    /// The next service follows. Webhooks that the server does not list are deactivated too.
    Continue,
    /// The run ends: its webhooks must all be inactive, and must all be known to be reactivated.
    End,
}

/// Result of the request for one service.
enum NewDeactivation {
    Deactivated,
    /// The site confirmed the request, and still lists some of the webhooks as active.
    InPart(Problem),
    /// The site rejected the request, or did not carry it out.
    Rejected(Problem),
    /// The request was not sent, for a reason that concerns this service.
    NotSent(Problem),
    /// The request was not sent, and that of the next service must not be sent either. `None` after Stop.
    Ended(Option<Problem>),
    /// The site might have processed the request. `None` after Stop.
    Lost(Option<Problem>),
}

/// Deactivates the webhooks of services in an admitted run. `why` is the reason for the deactivation log, and `report`
/// is stored with the record. Returns the record too, also if its outcome could not be written: the entries of the log name it.
///
/// A missing response ends the operation as unknown. Services after it are not sent, nor are those after an error that
/// concerns all of them: a lost connection, sign-in, or unlock.
///
/// # Errors
/// - The problem of the first service if no service was deactivated. With [`Otherwise::End`], this is no error if some of its
///   webhooks were deactivated.
/// - Those of [`Execution::connect`].
pub(crate) async fn deactivate_services(
    context: &SiteContext,
    site: TargetSite,
    run: Run,
    services: Vec<String>,
    why: &str,
    otherwise: Otherwise,
    report: Option<Report>,
) -> Result<(Option<RecordId>, RunResult<DeactivateReport>), Problem> {
    // One parameter each: a name can contain a comma.
    let mut parameters: Vec<_> = services.iter().map(|service| ("service", service.clone())).collect();
    parameters.extend(Some(("why", why.to_owned())).filter(|(_, why)| !why.is_empty()));
    let requests: Vec<_> = services.iter().map(|service| request(service).request()).collect();
    let intended = Intended::with(&OPERATION, parameters, move |_| requests.clone());
    let execution = match Execution::connect(context, &OPERATION, site, run, Some(intended)).await? {
        Response::Received(execution) => execution,
        Response::Missing(end) => return Ok((None, end)),
    };
    let ended = one_by_one(&execution, services, why, otherwise, report).await?;
    Ok((execution.intent_id(), ended))
}

/// Deactivates the webhooks of services, as [`deactivate_services`] does.
async fn one_by_one(
    execution: &Execution<'_>,
    services: Vec<String>,
    why: &str,
    otherwise: Otherwise,
    report: Option<Report>,
) -> Result<RunResult<DeactivateReport>, Problem> {
    let context = execution.context;
    let total = u32::try_from(services.len()).unwrap_or(u32::MAX);
    let mut ends = Vec::new();
    let (mut has_ended, mut in_part) = (false, false);
    let mut left = services.into_iter();
    for done in 0.. {
        let Some(service) = left.next() else { break };
        let end = if has_ended || execution.run.is_stopped() {
            NewDeactivation::Ended(None)
        } else {
            execution.run.step(RunStep::Services { done, total });
            deactivate(context, execution, &service, why, otherwise).await
        };
        in_part |= matches!(end, NewDeactivation::InPart(_));
        has_ended = match &end {
            NewDeactivation::Deactivated => false,
            NewDeactivation::InPart(_) | NewDeactivation::Rejected(_) | NewDeactivation::NotSent(_) => {
                otherwise == Otherwise::End
            }
            NewDeactivation::Ended(_) | NewDeactivation::Lost(_) => true,
        };
        let (problem, not_sent) = match end {
            NewDeactivation::Deactivated => (None, false),
            NewDeactivation::InPart(problem) | NewDeactivation::Rejected(problem) => (Some(problem), false),
            NewDeactivation::NotSent(problem) => (Some(problem), true),
            NewDeactivation::Ended(problem) => (problem, true),
            NewDeactivation::Lost(problem) => {
                execution.set_facts(facts(&ends));
                let end =
                    execution.lost_with(problem, |reason| lost_note(&ends, &service, reason, left)).await;
                deactivation_log::lost(&context.history, execution.intent_id()).await;
                return Ok(end);
            }
        };
        ends.push(DeactivatedService { service, problem, not_sent });
    }
    let first_problem = ends.iter().find_map(|one| one.problem.clone());
    if ends.iter().all(|one| one.not_sent) {
        return execution.refused(first_problem.map_or(Refusal::Stopped, Refusal::Because)).await;
    }

    let deactivated = ends.iter().filter(|one| one.is_deactivated()).count();
    let outcome = match deactivated {
        // With `Otherwise::End`, the caller gets a report, and reactivates the webhooks that were deactivated.
        0 if !(in_part && otherwise == Otherwise::End) => Outcome::Failed,
        some if some < ends.len() => Outcome::Warnings,
        _ => Outcome::Succeeded,
    };
    execution.set_facts(facts(&ends));
    execution.conclude(outcome, note(&ends), report).await;
    match first_problem {
        // No service was deactivated: return the error instead of a report.
        Some(problem) if outcome == Outcome::Failed => Err(problem),
        _ => Ok(execution.done(DeactivateReport { services: ends })),
    }
}

/// Returns the services that were deactivated, for the record.
fn facts(services: &[DeactivatedService]) -> Facts {
    let deactivated = services.iter().filter(|one| one.is_deactivated());
    Facts { deactivated: deactivated.map(|one| one.service.clone()).collect(), ..Facts::default() }
}

/// Returns the note: the services that were deactivated, and each of the others with its reason.
fn note(services: &[DeactivatedService]) -> Note {
    let deactivated: Vec<_> =
        services.iter().filter(|one| one.is_deactivated()).map(|one| one.service.as_str()).collect();
    let others = services.iter().filter_map(|one| {
        let why = one.problem.as_ref().map(Note::of);
        let why = why.or_else(|| one.not_sent.then(not_sent_note));
        why.map(|why| why.about(&one.service))
    });
    let deactivated = (!deactivated.is_empty()).then(|| Note::names(deactivated.join(", ")));
    deactivated.into_iter().chain(others).collect()
}

/// Returns the note after the response for `service` is missing: the services before it, and those that were not sent.
fn lost_note(
    before: &[DeactivatedService],
    service: &str,
    why: Note,
    not_sent: impl ExactSizeIterator<Item = String>,
) -> Note {
    if before.is_empty() && not_sent.len() == 0 {
        return why;
    }
    let why = if why.is_empty() { Note::no_response("no response".to_owned()) } else { why };
    let not_sent: Note = not_sent.map(|service| not_sent_note().about(&service)).collect();
    note(before).and(why.about(service)).and(not_sent)
}

fn not_sent_note() -> Note {
    "not sent".to_owned().into()
}

/// Deactivates the webhooks of one service: stores the active webhooks in the deactivation log, then sends the request.
async fn deactivate(
    context: &SiteContext,
    execution: &Execution<'_>,
    service: &str,
    why: &str,
    otherwise: Otherwise,
) -> NewDeactivation {
    let problem_of = |error: &ClientError| Problem::from_client(error, &execution.site.id);
    let listed = execution.run.unless_stopped(ServiceWebhooks::at(service).list(&execution.endpoint)).await;
    // A server that rejects the list, or returns none, can still deactivate the webhooks. After a missing response, the
    // request is not sent: webhooks that are not in the log cannot be reactivated.
    let active = match listed {
        None => return NewDeactivation::Ended(None),
        Some(Ok(active)) if otherwise == Otherwise::End && !deactivation_log::is_known(&active) => {
            return NewDeactivation::NotSent(Problem::precondition_failed(
                PreconditionFailure::ActiveUnknown,
            ));
        }
        Some(Ok(active)) => match not_reactivated(service, &active) {
            Some(problem) => return NewDeactivation::NotSent(problem),
            None => Some(active),
        },
        Some(Err(error)) if !error.is_of_one_resource() => {
            return NewDeactivation::Ended(Some(problem_of(&error)));
        }
        Some(Err(ClientError::Rejected { .. } | ClientError::Unreadable { raw: None, .. }))
            if otherwise == Otherwise::Continue =>
        {
            None
        }
        Some(Err(error)) => return NewDeactivation::NotSent(problem_of(&error)),
    };
    let were_active: Vec<String> = active
        .iter()
        .flatten()
        .filter(|webhook| webhook.active == Some(true))
        .map(|webhook| webhook.id.clone())
        .collect();
    let entry = match deactivation_log::intend(&context.history, execution, service, why, active).await {
        Ok(entry) => entry,
        Err(problem) => return NewDeactivation::Ended(Some(problem)),
    };
    let sent = match execution.permit().await {
        Ok(permit) => execution.unless_stopped(request(service).send(permit)).await,
        Err(refusal) => {
            deactivation_log::rejected(&context.history, entry).await;
            return NewDeactivation::Ended(refusal.problem());
        }
    };
    let error = match sent {
        Waited::Ended(Ok(())) => {
            deactivation_log::answered(&context.history, entry.clone()).await;
            let problem = Problem::precondition_failed(PreconditionFailure::StillActive);
            return match still_active(execution, service, &entry, &were_active).await {
                0 => NewDeactivation::Deactivated,
                some if some < were_active.len() => NewDeactivation::InPart(problem),
                _ => NewDeactivation::Rejected(problem),
            };
        }
        Waited::Ended(Err(error)) => error,
        Waited::UnderWay => return NewDeactivation::Lost(None),
        Waited::NotSent => {
            deactivation_log::rejected(&context.history, entry).await;
            return NewDeactivation::Ended(None);
        }
    };
    let problem = problem_of(&error);
    let is_rejected = matches!(error, ClientError::Rejected { .. });
    let is_inactive = |webhook: &ServiceWebhook| webhook.active == Some(false);
    if error.may_have_taken_effect()
        || (is_rejected && as_listed(execution, service, &were_active).await.iter().any(is_inactive))
    {
        execution.record_error(&error);
        return NewDeactivation::Lost(Some(problem));
    }
    deactivation_log::rejected(&context.history, entry).await;
    match error {
        ClientError::TokenRenewed => NewDeactivation::Rejected(problem),
        error if error.is_of_one_resource() => NewDeactivation::Rejected(problem),
        _ => NewDeactivation::Ended(Some(problem)),
    }
}

/// Returns the number of these webhooks that the server still lists as active after it confirmed their deactivation, and notes
/// them for the entry of the log: they are not to be reactivated.
pub(crate) async fn still_active(
    execution: &Execution<'_>,
    service: &str,
    entry: &str,
    were_active: &[String],
) -> usize {
    let now = as_listed(execution, service, were_active).await.into_iter();
    let active = now.filter(|webhook| webhook.active == Some(true));
    let active: Vec<_> = active.map(|webhook| LoggedWebhook { id: webhook.id, name: webhook.name }).collect();
    let number = active.len();
    note_active(execution.context, &execution.site, entry, active);
    number
}

/// Returns these webhooks as the server lists them now: it can carry out a request and then reject it, or confirm one that it
/// did not carry out.
async fn as_listed(execution: &Execution<'_>, service: &str, were_active: &[String]) -> Vec<ServiceWebhook> {
    if were_active.is_empty() {
        return Vec::new();
    }
    let listed = execution.run.unless_stopped(ServiceWebhooks::at(service).list(&execution.endpoint)).await;
    let mut now = listed.and_then(Result::ok).unwrap_or_default();
    now.retain(|webhook| were_active.contains(&webhook.id));
    now
}

/// Returns why the active webhooks of a service could not be reactivated: one cannot be edited, and activating all would
/// activate others.
fn not_reactivated(service: &str, webhooks: &[ServiceWebhook]) -> Option<Problem> {
    if webhooks.iter().all(|webhook| webhook.active == Some(true)) {
        return None;
    }
    let service = ServiceWebhooks::at(service);
    let mut active = webhooks.iter().filter(|webhook| webhook.active == Some(true));
    active
        .find_map(|webhook| service.edit::<true>(webhook).err().map(|field| Problem::hidden(webhook, field)))
}

pub(crate) fn request(path: &str) -> DeactivateWebhooks {
    let (folder, service) = path.rsplit_once('/').unwrap_or(("", path));
    DeactivateWebhooks { folder: folder.to_owned(), service: service.to_owned() }
}
