//! The deactivation log: deactivated services, and the reactivation of exactly the webhooks that were active before.
//!
//! [`entries`] lists the entries, [`restore`] reactivates the webhooks of one, and [`settle`] marks one as resolved.

use std::collections::HashSet;
use std::future::Future;

use serde::{Deserialize, Serialize};
use steward_client::webhooks::{ServiceWebhook, ServiceWebhooks};
use steward_client::{ClientError, Endpoint};
use steward_journal::{DeactivatedWebhook, Deactivation, DeactivationState, NewDeactivation, Outcome};

use crate::execution::{Execution, Intended, Response};
use crate::history::record::History;
use crate::history::same_site::must_be_here;
use crate::model::history_key::HistoryAction;
use crate::model::history_key::REACTIVATE;
use crate::model::ids::SiteId;
use crate::model::numbers::Millis;
use crate::model::operation::{Component, Operation};
use crate::model::problem::{PreconditionFailure, Problem, words};
use crate::model::run_result::{RecordId, RunResult};
use crate::runs::RunId;
use crate::site_context::SiteContext;

/// Identifier of an entry of the deactivation log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct DeactivationId(pub String);

/// An entry of the deactivation log, as shown in the window.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DeactivationView {
    /// Identifier of the entry.
    pub id: DeactivationId,
    /// Site of the service.
    pub site: SiteId,
    /// Path of the service.
    pub service: String,
    /// Time of the deactivation.
    pub deactivated_at: Millis,
    /// Name of the user who deactivated it.
    pub by: String,
    /// Reason; may be empty.
    pub why: String,
    /// Whether the response to the deactivation was received.
    pub known: bool,
    /// Names of the webhooks that were active; `null` if the site did not return them.
    pub active: Option<Vec<String>>,
    /// Time of the reminder; `null` for none.
    pub remind_at: Option<Millis>,
    /// Time of the reactivation, or when it was marked as resolved; `null` if the entry is open.
    pub restored_at: Option<Millis>,
    /// Name of the user who reactivated or resolved it; `null` if the entry is open.
    pub restored_by: Option<String>,
    /// Whether a user marked it as resolved, without a request.
    pub by_hand: bool,
}

/// Result of a reactivation.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ReactivationReport {
    /// Path of the service.
    pub service: String,
    /// Results for all webhooks that were active.
    pub webhooks: Vec<ReactivatedWebhook>,
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
    /// It was reactivated.
    Activated,
    /// It was active already; nothing was sent.
    WasActive,
    /// It was deleted meanwhile; nothing was sent.
    Gone,
    /// The site rejected the request.
    Refused {
        /// Reason.
        problem: Problem,
    },
}

/// Returns the entries of a site, or of all sites, newest first.
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be read.
pub async fn entries(history: &History, site: Option<&SiteId>) -> Result<Vec<DeactivationView>, Problem> {
    let site = site.map(|site| site.0.clone());
    let entries = history.journal(move |journal| journal.deactivations(site.as_deref())).await?;
    Ok(entries.into_iter().map(view).collect())
}

/// Adds a service with its active webhooks to the log, on disk. Returns the identifier of the entry.
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be written.
pub(crate) async fn intend(
    history: &History,
    execution: &Execution<'_>,
    service: &str,
    why: &str,
    active: Option<Vec<ServiceWebhook>>,
) -> Result<String, Problem> {
    // If the state of a webhook is not known, neither is the list of active ones, and without identifiers of their own
    // one would be activated for all.
    let active = active.filter(|webhooks| {
        let mut ids = HashSet::from([""]);
        webhooks.iter().all(|webhook| webhook.active.is_some() && ids.insert(&webhook.id))
    });
    let active = active.map(|webhooks| {
        let active = webhooks.into_iter().filter(|webhook| webhook.active == Some(true));
        active
            .map(|webhook| DeactivatedWebhook {
                origin: webhook.receiver,
                id: webhook.id,
                name: webhook.name,
            })
            .collect()
    });
    let deactivation = NewDeactivation {
        record: execution.record_id().map(|record| record.0).unwrap_or_default(),
        site: execution.site.id.0.clone(),
        service: service.to_owned(),
        deactivated_at: Millis::now().0,
        by: execution.known.username_at(Component::Server).to_owned(),
        why: why.to_owned(),
        active,
    };
    history.journal(move |journal| journal.begin_deactivation(&deactivation)).await
}

/// Marks an entry as deactivated, after the response of the site.
pub(crate) async fn answered(history: &History, entry: String) {
    history.write_until_done(move |journal| journal.confirm_deactivation(&entry)).await;
}

/// Removes an entry, after the site rejected the request.
pub(crate) async fn refused(history: &History, entry: String) {
    history.write_until_done(move |journal| journal.discard_deactivation(&entry)).await;
}

/// Marks the last entry of a record as unknown, after a missing response.
pub(crate) async fn lost(history: &History, record: Option<RecordId>) {
    let Some(record) = record else { return };
    told(history.journal(move |journal| journal.mark_deactivation_unknown(&record.0))).await;
}

/// Writes to the log after a response. A failure is only logged: it must not hide the response, and the entry remains
/// unchanged. Returns whether it was written.
async fn told(writing: impl Future<Output = Result<(), Problem>>) -> bool {
    let written = writing.await;
    if let Err(problem) = &written {
        tracing::error!(?problem, "cannot write the deactivation log");
    }
    written.is_ok()
}

/// Reactivates exactly the webhooks that were active before a deactivation.
///
/// # Errors
/// - [`Problem::PreconditionFailed`] if the entry is closed, its active webhooks are not known, or it belongs to another server
///   of the site than the current one.
/// - [`Problem::Refused`] or another error of the client if the server does not list its webhooks.
/// - [`Problem::Unexpected`] if the journal cannot be read.
/// - Those of [`Execution::admit`], [`Execution::within`], [`Execution::send`] and [`Access::server`].
pub async fn restore(
    context: &SiteContext,
    site: &SiteId,
    run: RunId,
    entry: DeactivationId,
) -> Result<RunResult<ReactivationReport>, Problem> {
    let id = entry.0.clone();
    let deactivation = context.history.journal(move |journal| journal.deactivation(&id)).await?;
    if deactivation.resolved_at.is_some() {
        return Err(Problem::precondition_failed(PreconditionFailure::RestoredAlready));
    }
    let was_active = deactivation.intent.active.filter(|_| deactivation.intent.site == site.0);
    let was_active = was_active.ok_or(Problem::precondition_failed(PreconditionFailure::ActiveUnknown))?;
    let operation = &Operation::DEACTIVATE_WEBHOOKS;
    let act = Some(HistoryAction::ReactivateWebhooks);
    let (saved, run) = Execution::admit_as(context, operation, act, site, run)?;
    let record = deactivation.intent.record.clone();
    // A deleted record does not name the server.
    if let Ok(deactivated) = context.history.journal(move |journal| journal.whole(&record)).await {
        must_be_here(&saved, &deactivated.record.intent)?;
    }
    let service = ServiceWebhooks::at(&deactivation.intent.service);
    let listed = async {
        let server = context.access.server(&saved).await?;
        service.list(&server).await.map_err(|error| Problem::from_client(&error, site))
    };
    let Some(listed) = run.unless_stopped(listed).await else {
        let parameters = vec![("service", deactivation.intent.service.clone())];
        let intended = Intended { name: REACTIVATE, parameters, requests: Box::new(|_| Vec::new()) };
        return Ok(
            Execution::not_begun(context, operation, &saved, &run, Some(intended), String::new()).await
        );
    };
    let now = listed?;
    let plan = Plan::of(&was_active, &now);

    let mut parameters = vec![("service", deactivation.intent.service.clone())];
    parameters.extend(plan.names().into_iter().map(|name| ("webhook", name.to_owned())));
    let requests: Vec<_> = plan.to_activate().map(|webhook| service.activation(webhook)).collect();
    let intended = Intended { name: REACTIVATE, parameters, requests: Box::new(move |_| requests.clone()) };
    let execution = match Execution::within(context, operation, saved, run, intended).await? {
        Response::Received(execution) => execution,
        Response::Missing(end) => return Ok(end),
    };
    let ends = match execution.send(plan.carry_out(&service, &execution.endpoint, site)).await? {
        Response::Received(ends) => ends,
        Response::Missing(end) => return Ok(end),
    };
    let refused = ends.iter().filter(|one| matches!(one.end, ReactivationEnd::Refused { .. })).count();
    let gone = ends.iter().filter(|one| matches!(one.end, ReactivationEnd::Gone)).count();
    let outcome = match (refused, gone) {
        (0, 0) => Outcome::Succeeded,
        (all, _) if all == ends.len() => Outcome::Failed,
        _ => Outcome::Warnings,
    };
    execution.conclude(outcome, note(&deactivation.intent.service, &ends), None).await;
    let in_log = refused > 0 || {
        let (by, at) = (execution.known.username_at(Component::Server).to_owned(), Millis::now().0);
        told(context.history.journal(move |journal| journal.mark_reactivated(&entry.0, &by, at))).await
    };
    let recorded = in_log && execution.record_id().is_some();
    Ok(execution.done(ReactivationReport { service: deactivation.intent.service, webhooks: ends, recorded }))
}

/// Returns the note of a reactivation: the service, and each webhook that is not active with its reason.
fn note(service: &str, ends: &[ReactivatedWebhook]) -> String {
    let failed = ends.iter().filter_map(|one| match &one.end {
        ReactivationEnd::Activated | ReactivationEnd::WasActive => None,
        ReactivationEnd::Gone => Some(format!("{}: no longer exists", one.name)),
        ReactivationEnd::Refused { problem } => Some(format!("{}: {}", one.name, words(problem))),
    });
    std::iter::once(service.to_owned()).chain(failed).collect::<Vec<_>>().join(" · ")
}

/// Sets the time of the reminder for an entry; `None` for none.
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be written.
pub async fn remind(history: &History, entry: DeactivationId, at: Option<Millis>) -> Result<(), Problem> {
    history.journal(move |journal| journal.set_deactivation_reminder(&entry.0, at.map(|at| at.0))).await
}

/// Marks an entry as resolved: its webhooks were activated on the server, or stay deactivated. Nothing is sent.
///
/// # Errors
/// - [`Problem::PreconditionFailed`] if the entry is closed.
/// - [`Problem::Unexpected`] if the entry belongs to another site, the site is not saved, or the journal cannot be
///   written.
pub async fn settle(context: &SiteContext, site: &SiteId, entry: DeactivationId) -> Result<(), Problem> {
    let id = entry.0.clone();
    let deactivation = context.history.journal(move |journal| journal.deactivation(&id)).await?;
    if deactivation.resolved_at.is_some() {
        return Err(Problem::precondition_failed(PreconditionFailure::RestoredAlready));
    }
    let site = &context.access.sites.get(site)?;
    if deactivation.intent.site != site.id.0 {
        let message = format!("{} was not deactivated on this site", deactivation.intent.service);
        return Err(Problem::Unexpected { message });
    }
    let (by, at) = (context.access.signed_in_user(site).await, Millis::now().0);
    context.history.journal(move |journal| journal.resolve_deactivation(&entry.0, &by, at)).await
}

/// Steps of a reactivation.
struct Plan<'a> {
    steps: Vec<(&'a DeactivatedWebhook, Option<&'a ServiceWebhook>)>,
    /// Whether activating all webhooks of the service activates no others.
    all_were_active: bool,
}

impl<'a> Plan<'a> {
    fn of(was_active: &'a [DeactivatedWebhook], now: &'a [ServiceWebhook]) -> Self {
        let steps =
            was_active.iter().map(|was| (was, now.iter().find(|webhook| webhook.id == was.id))).collect();
        let all_were_active = now
            .iter()
            .all(|webhook| webhook.active == Some(true) || was_active.iter().any(|was| was.id == webhook.id));
        Self { steps, all_were_active }
    }

    fn names(&self) -> Vec<&str> {
        self.steps.iter().map(|(was, _)| was.name.as_str()).collect()
    }

    fn to_activate(&self) -> impl Iterator<Item = &'a ServiceWebhook> {
        self.steps.iter().filter_map(|(_, now)| now.filter(|webhook| webhook.active != Some(true)))
    }

    async fn carry_out(
        &self,
        service: &ServiceWebhooks,
        server: &Endpoint,
        site: &SiteId,
    ) -> Result<Vec<ReactivatedWebhook>, ClientError> {
        let mut ends = Vec::new();
        let mut activated_all = false;
        for (was, now) in &self.steps {
            let end = match now {
                None => ReactivationEnd::Gone,
                Some(webhook) if webhook.active == Some(true) => ReactivationEnd::WasActive,
                Some(_) if activated_all => ReactivationEnd::Activated,
                Some(webhook) => match service.activate(server, webhook).await {
                    Ok(()) => ReactivationEnd::Activated,
                    Err(error) if error.may_have_taken_effect() => return Err(error),
                    // A site that cannot edit webhooks might still activate all of them, which is only correct if there
                    // are no others.
                    Err(error) if self.all_were_active && offers_no_edit(&error) => {
                        match service.activate_all(server).await {
                            Ok(()) => {
                                activated_all = true;
                                ReactivationEnd::Activated
                            }
                            Err(error) if error.may_have_taken_effect() => return Err(error),
                            Err(error) => refusal(&error, site),
                        }
                    }
                    Err(error) => refusal(&error, site),
                },
            };
            ends.push(ReactivatedWebhook { name: was.name.clone(), end });
        }
        Ok(ends)
    }
}

/// Returns whether the site does not support editing. The webhook exists, so a 404 refers to the edit operation.
const fn offers_no_edit(error: &ClientError) -> bool {
    matches!(error, ClientError::Refused { code: 404 | 405 | 501, .. })
}

fn refusal(error: &ClientError, site: &SiteId) -> ReactivationEnd {
    ReactivationEnd::Refused { problem: Problem::from_client(error, site) }
}

fn view(entry: Deactivation) -> DeactivationView {
    let intent = entry.intent;
    DeactivationView {
        id: DeactivationId(entry.id),
        site: SiteId(intent.site),
        service: intent.service,
        deactivated_at: Millis(intent.deactivated_at),
        by: intent.by,
        why: intent.why,
        known: matches!(entry.state, DeactivationState::Deactivated | DeactivationState::ResolvedByHand),
        by_hand: entry.state == DeactivationState::ResolvedByHand,
        active: intent.active.map(|active| active.into_iter().map(|webhook| webhook.name).collect()),
        remind_at: entry.remind_at.map(Millis),
        restored_at: entry.resolved_at.map(Millis),
        restored_by: entry.resolved_by,
    }
}
