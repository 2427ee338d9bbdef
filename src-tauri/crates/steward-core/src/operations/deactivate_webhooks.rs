//! Operation 4: webhook deactivation.
//!
//! [`perform`] sends one request per service. The active webhooks of each service are stored in the
//! [`deactivation_log`] first, so that exactly these can be reactivated by [`reactivation`]. [`single`] deactivates one
//! webhook of a service.

pub mod deactivation_log;
pub mod reactivation;
pub mod single;

use serde::{Deserialize, Serialize};
use steward_client::ClientError;
use steward_client::operations::deactivate_webhooks::DeactivateWebhooks;
use steward_client::webhooks::ServiceWebhooks;
use steward_journal::Outcome;

use crate::execution::{Execution, Intended, Response, Waited};
use crate::model::ids::SiteId;
use crate::model::operation::Operation;
use crate::model::problem::{self, FieldError, Problem};
use crate::model::run_result::RunResult;
use crate::runs::{RunId, RunStep};
use crate::site_context::SiteContext;
use crate::sites::confirmation;

/// Descriptor of the operation.
pub const OPERATION: Operation = Operation::DEACTIVATE_WEBHOOKS;

/// Form of the operation.
#[derive(Debug, Clone, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DeactivateWebhooksForm {
    /// Paths of services, for example `Hosted/Hydrants.FeatureServer`.
    pub services: Vec<String>,
    /// Reason for the deactivation log; may be empty.
    pub why: String,
    /// Name of the site, as typed; only required for production sites.
    pub confirmation: String,
}

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
    /// Reason why its webhooks were not deactivated; `null` if they were, or if the request was not sent.
    pub problem: Option<Problem>,
    /// Whether the user pressed Stop before its request was sent.
    pub not_sent: bool,
}

impl DeactivatedService {
    const fn is_deactivated(&self) -> bool {
        self.problem.is_none() && !self.not_sent
    }
}

/// Result of the request for one service.
enum NewDeactivation {
    Silent,
    Rejected(Problem),
    NotSent,
    /// The site might have processed the request. `None` after Stop.
    Lost(Option<Problem>),
}

/// Deactivates the webhooks of services, one request per service.
///
/// A missing response ends the operation as unknown. Services after it are not sent.
///
/// # Errors
/// - [`Problem::Form`] if no service is selected, or the site name is not confirmed.
/// - The problem of the first service if no webhook was deactivated.
/// - Those of [`Execution::begin`].
pub async fn perform(
    context: &SiteContext,
    site: &SiteId,
    run: RunId,
    form: DeactivateWebhooksForm,
) -> Result<RunResult<DeactivateReport>, Problem> {
    if form.services.is_empty() {
        return Err(Problem::form("services", FieldError::Required));
    }
    confirmation::check(
        &form.confirmation,
        confirmation::for_deactivation(&context.access.sites.get(site)?),
    )?;
    // One parameter each: a name can contain a comma.
    let mut parameters: Vec<_> = form.services.iter().map(|service| ("service", service.clone())).collect();
    parameters.extend(Some(("why", form.why.trim().to_owned())).filter(|(_, why)| !why.is_empty()));
    let requests: Vec<_> = form.services.iter().map(|service| request(service).request()).collect();
    let intended = Intended::with(&OPERATION, parameters, move |_| requests.clone());
    let execution = match Execution::begin(context, &OPERATION, site, run, intended).await? {
        Response::Received(execution) => execution,
        Response::Missing(end) => return Ok(end),
    };
    let total = u32::try_from(form.services.len()).unwrap_or(u32::MAX);
    let mut services = Vec::new();
    let mut left = form.services.into_iter();
    for done in 0.. {
        let Some(service) = left.next() else { break };
        let end = if execution.run.is_stopped() {
            NewDeactivation::NotSent
        } else {
            execution.run.step(RunStep::Services { done, total });
            deactivate(context, &execution, &service, form.why.trim()).await
        };
        let (problem, not_sent) = match end {
            NewDeactivation::Silent => (None, false),
            NewDeactivation::Rejected(problem) => (Some(problem), false),
            NewDeactivation::NotSent => (None, true),
            NewDeactivation::Lost(problem) => {
                let end = execution.lost_with(problem, |why| lost_note(&services, &service, why, left)).await;
                deactivation_log::lost(&context.history, execution.record_id()).await;
                return Ok(end);
            }
        };
        services.push(DeactivatedService { service, problem, not_sent });
    }
    if services.iter().all(|one| one.not_sent) {
        return Ok(execution.not_sent().await);
    }

    let deactivated = services.iter().filter(|one| one.is_deactivated()).count();
    let note = notes(&services).join(" · ");
    let outcome = match deactivated {
        0 => Outcome::Failed,
        some if some < services.len() => Outcome::Warnings,
        _ => Outcome::Succeeded,
    };
    execution.conclude(outcome, note, None).await;
    match services.first() {
        // Nothing was deactivated: return the error instead of a report.
        Some(DeactivatedService { problem: Some(problem), .. }) if outcome == Outcome::Failed => {
            Err(problem.clone())
        }
        _ => Ok(execution.done(DeactivateReport { services })),
    }
}

/// Returns the parts of the note in the history: the services that were deactivated, and each of the others with its
/// reason.
fn notes(services: &[DeactivatedService]) -> Vec<String> {
    let deactivated: Vec<_> =
        services.iter().filter(|one| one.is_deactivated()).map(|one| one.service.as_str()).collect();
    let rejected = services.iter().filter_map(|one| {
        let why = one.problem.as_ref().map(problem::words);
        let why = why.or_else(|| one.not_sent.then(|| "not sent".to_owned()));
        why.map(|why| format!("{}: {why}", one.service))
    });
    Some(deactivated.join(", ")).filter(|names| !names.is_empty()).into_iter().chain(rejected).collect()
}

/// Returns the note after the response for `service` is missing: the services before it, and those that were not sent.
fn lost_note(
    before: &[DeactivatedService],
    service: &str,
    why: String,
    not_sent: impl ExactSizeIterator<Item = String>,
) -> String {
    if before.is_empty() && not_sent.len() == 0 {
        return why;
    }
    let why = if why.is_empty() { "no response".to_owned() } else { why };
    let mut note = notes(before);
    note.push(format!("{service}: {why}"));
    note.extend(not_sent.map(|service| format!("{service}: not sent")));
    note.join(" · ")
}

/// Deactivates the webhooks of one service: stores the active webhooks in the deactivation log, then sends the request.
/// A missing response ends the operation as unknown.
async fn deactivate(
    context: &SiteContext,
    execution: &Execution<'_>,
    service: &str,
    why: &str,
) -> NewDeactivation {
    // The site might be locked, become read-only, or lose its sign-in during a long list.
    if let Err(problem) = context.may_go_on(&OPERATION, &execution.site, &execution.run) {
        return NewDeactivation::Rejected(problem);
    }
    let listed = execution.run.unless_stopped(ServiceWebhooks::at(service).list(&execution.endpoint)).await;
    // A server that rejects the list, or returns none, can still deactivate the webhooks. After a missing response, the
    // request is not sent: webhooks that are not in the log cannot be reactivated.
    let active = match listed {
        None => return NewDeactivation::NotSent,
        Some(Ok(active)) => Some(active),
        // 498, 499: the list was rejected for the token, which says nothing about the list.
        Some(Err(error @ ClientError::Rejected { code: 498 | 499, .. })) => {
            return NewDeactivation::Rejected(Problem::from_client(&error, &execution.site.id));
        }
        Some(Err(ClientError::Rejected { .. } | ClientError::Unreadable { raw: None, .. })) => None,
        Some(Err(error)) => {
            return NewDeactivation::Rejected(Problem::from_client(&error, &execution.site.id));
        }
    };
    let entry = match deactivation_log::intend(&context.history, execution, service, why, active).await {
        Ok(entry) => entry,
        Err(problem) => return NewDeactivation::Rejected(problem),
    };
    let error = match execution.unless_stopped(request(service).send(&execution.endpoint)).await {
        Waited::Ended(Ok(())) => {
            deactivation_log::answered(&context.history, entry).await;
            return NewDeactivation::Silent;
        }
        Waited::Ended(Err(error)) => error,
        Waited::UnderWay => return NewDeactivation::Lost(None),
        Waited::NotSent => {
            deactivation_log::rejected(&context.history, entry).await;
            return NewDeactivation::NotSent;
        }
    };
    let problem = Problem::from_client(&error, &execution.site.id);
    if error.may_have_taken_effect() {
        execution.record_error(&error);
        return NewDeactivation::Lost(Some(problem));
    }
    deactivation_log::rejected(&context.history, entry).await;
    NewDeactivation::Rejected(problem)
}

pub(crate) fn request(path: &str) -> DeactivateWebhooks {
    let (folder, service) = path.rsplit_once('/').unwrap_or(("", path));
    DeactivateWebhooks { folder: folder.to_owned(), service: service.to_owned() }
}
