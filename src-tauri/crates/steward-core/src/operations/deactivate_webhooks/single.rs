//! Deactivation of a single webhook, by editing it: the specification deactivates all webhooks of a service at once,
//! and shows no request for one.

use serde::{Deserialize, Serialize};
use steward_client::webhooks::{ServiceWebhook, ServiceWebhooks};
use steward_journal::Outcome;

use super::OPERATION;
use crate::execution::{Execution, Intended, Response};
use crate::history::note::Note;
use crate::model::history_key::{DEACTIVATE_ONE, HistoryAction};
use crate::model::ids::Target;
use crate::model::problem::{PreconditionFailure, Problem};
use crate::model::run_result::RunResult;
use crate::runs::NewRun;
use crate::site_context::{Refusal, SiteContext};
use crate::sites::confirmation;
use crate::webhooks::deactivation::still_active;
use crate::webhooks::deactivation_log;

/// Form of the deactivation of a single webhook.
#[derive(Debug, Clone, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DeactivateWebhookForm {
    /// Path of the service, for example `Hosted/Hydrants.FeatureServer`.
    pub service: String,
    /// Identifier of the webhook.
    pub webhook: String,
    /// Reason for the deactivation log; may be empty.
    pub why: String,
    /// Name of the site, as typed; only required for production sites.
    pub confirmation: String,
}

/// Webhook that was deactivated.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DeactivateWebhookReport {
    /// Path of the service.
    pub service: String,
    /// Name of the webhook.
    pub webhook: String,
}

/// Deactivates one webhook of a service. The webhook is stored in the deactivation log first.
///
/// # Errors
/// - [`Problem::Form`] if the site name is not confirmed.
/// - [`Problem::PreconditionFailed`] if the webhook is not active, the service does not have it, or the site masks its
///   receiver. Nothing was sent.
/// - [`Problem::Rejected`] or another error of the client if the server does not list its webhooks.
/// - [`Problem::Unexpected`] if the history or the deactivation log cannot be written. Nothing was sent.
/// - Those of [`Execution::admit`], [`Execution::connect`], [`Execution::change`] and
///   [`Access::server`](crate::access::Access::server).
pub async fn perform(
    context: &SiteContext,
    target: &Target,
    run: impl Into<NewRun>,
    form: DeactivateWebhookForm,
) -> Result<RunResult<DeactivateWebhookReport>, Problem> {
    let saved = context.access.sites.get(&target.site)?;
    confirmation::check(&form.confirmation, confirmation::for_deactivation(&saved))?;
    let act = Some(HistoryAction::DeactivateWebhook);
    let (saved, run) = Execution::admit_as(context, &OPERATION, act, target, run.into().because(&form.why))?;
    let service = ServiceWebhooks::at(&form.service);
    let listed = async {
        let server = context.access.server(&saved).await?;
        service.list(&server).await.map_err(|error| Problem::from_client(&error, &target.site))
    };
    let mut parameters = vec![("service", form.service.clone())];
    let Some(listed) = run.unless_stopped(listed).await else {
        let intended = Intended { name: DEACTIVATE_ONE, parameters, requests: Box::new(|_| Vec::new()) };
        return Ok(
            Execution::end_unsent(context, &OPERATION, &saved, &run, Some(intended), String::new()).await
        );
    };
    let webhook = active_one(listed?, &form.webhook)
        .ok_or(Problem::precondition_failed(PreconditionFailure::WebhookNotActive))?;
    let why = form.why.trim();
    parameters.push(("webhook", webhook.name.clone()));
    parameters.extend(Some(("why", why.to_owned())).filter(|(_, why)| !why.is_empty()));
    let edit = service.edit::<false>(&webhook).map_err(|field| Problem::hidden(&webhook, field))?;
    let request = edit.request().clone();
    let intended =
        Intended { name: DEACTIVATE_ONE, parameters, requests: Box::new(move |_| vec![request.clone()]) };
    let execution = match Execution::connect(context, &OPERATION, saved, run, Some(intended)).await? {
        Response::Received(execution) => execution,
        Response::Missing(end) => return Ok(end),
    };
    let (history, only) = (&context.history, Some(vec![webhook.clone()]));
    let entry = match deactivation_log::intend(history, &execution, &form.service, why, only).await {
        Ok(entry) => entry,
        Err(problem) => return execution.refused(Refusal::Because(problem)).await,
    };
    match execution.change(|permit| edit.send(permit)).await {
        Ok(Response::Received(())) => {}
        Ok(Response::Missing(end)) => {
            match end {
                RunResult::NotSent { .. } => deactivation_log::rejected(history, entry).await,
                _ => deactivation_log::lost(history, execution.intent_id()).await,
            }
            return Ok(end);
        }
        Err(problem) => {
            deactivation_log::rejected(history, entry).await;
            return Err(problem);
        }
    }
    deactivation_log::answered(history, entry.clone()).await;
    execution.conclude(Outcome::Succeeded, format!("{}: {}", form.service, webhook.name), None).await;
    if still_active(&execution, &form.service, &entry, std::slice::from_ref(&webhook.id)).await > 0 {
        let problem = Problem::precondition_failed(PreconditionFailure::StillActive);
        execution.conclude(Outcome::Failed, Note::of(&problem), None).await;
        return Err(problem);
    }
    Ok(execution.done(DeactivateWebhookReport { service: form.service, webhook: webhook.name }))
}

/// Returns the active webhook with an identifier that no other webhook of the service has.
fn active_one(webhooks: Vec<ServiceWebhook>, id: &str) -> Option<ServiceWebhook> {
    let mut found = webhooks.into_iter().filter(|webhook| webhook.id == id && !id.is_empty());
    let webhook = found.next().filter(|webhook| webhook.active == Some(true))?;
    found.next().is_none().then_some(webhook)
}
