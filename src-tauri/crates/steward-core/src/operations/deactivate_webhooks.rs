//! 4 Deactivation of all webhooks of services.

pub mod deactivation_log;

use serde::{Deserialize, Serialize};
use steward_client::ClientError;
use steward_client::operations::deactivate_webhooks::DeactivateWebhooks;
use steward_client::webhooks::ServiceWebhooks;
use steward_journal::Outcome;

use crate::execution::{Answer, Heard, History, Task};
use crate::host::Host;
use crate::model::ids::SiteId;
use crate::model::operation::Operation;
use crate::model::problem::{self, Fault, Problem};
use crate::model::run_result::Ended;
use crate::runs::{RunId, RunStep};
use crate::sites::confirmation;

/// Its descriptor.
pub const OPERATION: Operation = Operation::DEACTIVATE_WEBHOOKS;

/// What the person fills in.
#[derive(Debug, Clone, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DeactivateWebhooksForm {
    /// Paths of services, as in `Hosted/Hydrants.FeatureServer`.
    pub services: Vec<String>,
    /// Why, for the ledger; may be empty.
    pub why: String,
    /// The name of the site, typed; only production sites want it.
    pub confirmation: String,
}

/// What came of it, service by service.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DeactivateReport {
    /// In the order they were asked for.
    pub services: Vec<DeactivatedService>,
}

/// One service.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DeactivatedService {
    /// Its path.
    pub service: String,
    /// Why its webhooks are not silent; `null` when they are, and when its request was not sent.
    pub problem: Option<Problem>,
    /// Whether the user pressed Stop before its request was sent.
    pub not_sent: bool,
}

/// How the request of one service ended.
enum Silencing {
    Silent,
    Refused(Problem),
    NotSent,
    /// The site may have done it. `None` after a Stop.
    Lost(Option<Problem>),
}

/// The operation itself: one request per service.
pub async fn perform(
    host: &Host,
    site: &SiteId,
    run: RunId,
    form: DeactivateWebhooksForm,
) -> Result<Ended<DeactivateReport>, Problem> {
    if form.services.is_empty() {
        return Err(Problem::form("services", Fault::Required));
    }
    confirmation::check(&form.confirmation, confirmation::for_deactivation(&host.sites.get(site)?))?;
    // One by one: a name may have a comma in it.
    let mut parameters: Vec<_> = form.services.iter().map(|service| ("service", service.clone())).collect();
    parameters.extend(Some(("why", form.why.trim().to_owned())).filter(|(_, why)| !why.is_empty()));
    let task = match Task::begin(host, &OPERATION, site, run, History::Record(parameters)).await? {
        Answer::Came(task) => task,
        Answer::Lost(end) => return Ok(end),
    };
    let total = u32::try_from(form.services.len()).unwrap_or(u32::MAX);
    let mut services = Vec::new();
    for (done, service) in (0..).zip(form.services) {
        let end = if task.run.is_stopped() {
            Silencing::NotSent
        } else {
            task.run.step(RunStep::Services { done, total });
            silence(host, &task, &service, form.why.trim()).await
        };
        let (problem, not_sent) = match end {
            Silencing::Silent => (None, false),
            Silencing::Refused(problem) => (Some(problem), false),
            Silencing::NotSent => (None, true),
            Silencing::Lost(problem) => {
                let end = task.lost(problem).await;
                deactivation_log::lost(host, task.record()).await;
                return Ok(end);
            }
        };
        services.push(DeactivatedService { service, problem, not_sent });
    }
    if services.iter().all(|one| one.not_sent) {
        return Ok(task.not_sent().await);
    }

    let silent: Vec<_> = services.iter().filter(|one| one.problem.is_none() && !one.not_sent).collect();
    let names = silent.iter().map(|one| one.service.as_str()).collect::<Vec<_>>().join(", ");
    let refused = services.iter().filter_map(|one| {
        one.problem.as_ref().map(|problem| format!("{}: {}", one.service, problem::words(problem)))
    });
    let note: Vec<String> =
        Some(names).filter(|names| !names.is_empty()).into_iter().chain(refused).collect();
    let note = note.join(" · ");
    let outcome = match silent.len() {
        0 => Outcome::Failed,
        some if some < services.len() => Outcome::Warnings,
        _ => Outcome::Succeeded,
    };
    task.conclude(outcome, note, None).await;
    match services.first() {
        // Nothing was silenced: that is a refusal, not a report.
        Some(DeactivatedService { problem: Some(problem), .. }) if outcome == Outcome::Failed => {
            Err(problem.clone())
        }
        _ => Ok(task.done(DeactivateReport { services })),
    }
}

/// One service: what is active now goes into the ledger, then the request leaves. A lost answer says nothing about the
/// service, and the whole ends as unknown, not as refused.
async fn silence(host: &Host, task: &Task<'_>, service: &str, why: &str) -> Silencing {
    // The site locks itself, or is marked read-only, while a long list is under way.
    if let Err(problem) = host.sites.get(&task.site.id).and_then(|site| host.may_write(&site)) {
        return Silencing::Refused(problem);
    }
    let listed = task.run.unless_stopped(ServiceWebhooks::at(service).list(&task.area)).await;
    // A server that refuses to tell, or tells without a list, which webhooks are active can silence them all the same. One that only did not
    // answer is asked again by whoever tries again: what is not in the ledger now cannot be restored.
    let active = match listed {
        None => return Silencing::NotSent,
        Some(Ok(active)) => Some(active),
        Some(Err(ClientError::Refused { .. } | ClientError::Unreadable { raw: None, .. })) => None,
        Some(Err(error)) => return Silencing::Refused(Problem::from_client(&error, &task.site.id)),
    };
    let entry = match deactivation_log::intend(host, task, service, why, active).await {
        Ok(entry) => entry,
        Err(problem) => return Silencing::Refused(problem),
    };
    let error = match task.unless_stopped(request(service).send(&task.area)).await {
        Heard::Ended(Ok(())) => {
            deactivation_log::answered(host, entry).await;
            return Silencing::Silent;
        }
        Heard::Ended(Err(error)) => error,
        Heard::UnderWay => return Silencing::Lost(None),
        Heard::NotSent => {
            deactivation_log::refused(host, entry).await;
            return Silencing::NotSent;
        }
    };
    let problem = Problem::from_client(&error, &task.site.id);
    if error.may_have_taken_effect() {
        task.heard_error(&error);
        return Silencing::Lost(Some(problem));
    }
    deactivation_log::refused(host, entry).await;
    Silencing::Refused(problem)
}

fn request(path: &str) -> DeactivateWebhooks {
    let (folder, service) = path.rsplit_once('/').unwrap_or(("", path));
    DeactivateWebhooks { folder: folder.to_owned(), service: service.to_owned() }
}
