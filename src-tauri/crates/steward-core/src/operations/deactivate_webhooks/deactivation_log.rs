//! Services whose webhooks are silent, and the way back: exactly those that were active before.

use std::future::Future;

use serde::{Deserialize, Serialize};
use steward_client::webhooks::{ServiceWebhook, ServiceWebhooks};
use steward_client::{Area, ClientError};
use steward_journal::redact::MASK;
use steward_journal::{Outcome, Request, Silence, SilenceState, SilencedWebhook, Silencing};

use crate::execution::{Answer, History, Task};
use crate::history::same_site::must_be_here;
use crate::host::Host;
use crate::model::history_key::HistoryAct;
use crate::model::history_key::RESTORE;
use crate::model::ids::SiteId;
use crate::model::numbers::Millis;
use crate::model::operation::Key;
use crate::model::problem::{Declined, Problem};
use crate::model::run_result::{Ended, RecordId};
use crate::runs::RunId;

/// Identifier of an entry of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct SilenceId(pub String);

/// An entry of the ledger, as the window shows it.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SilenceView {
    /// Identifier.
    pub id: SilenceId,
    /// The site.
    pub site: SiteId,
    /// Path of the service.
    pub service: String,
    /// When it was silenced.
    pub silenced_at: Millis,
    /// By whom.
    pub by: String,
    /// Why; may be empty.
    pub why: String,
    /// Whether the answer to the deactivation is known.
    pub known: bool,
    /// Names of the webhooks that were active; `null` when the site did not tell.
    pub active: Option<Vec<String>>,
    /// When to remind of it.
    pub remind_at: Option<Millis>,
    /// When everything was active again.
    pub restored_at: Option<Millis>,
    /// Who made it active again.
    pub restored_by: Option<String>,
    /// Whether a person said so, and this program did nothing.
    pub by_hand: bool,
}

/// What came of a restoration.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RestoreReport {
    /// Path of the service.
    pub service: String,
    /// One for each webhook that was active.
    pub webhooks: Vec<RestoredWebhook>,
    /// Whether the history and the ledger say so. Where they could not be written, the entry stays open.
    pub recorded: bool,
}

/// One webhook.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RestoredWebhook {
    /// Its name.
    pub name: String,
    /// What became of it.
    pub end: RestoreEnd,
}

/// What became of a webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum RestoreEnd {
    /// It is active again.
    Activated,
    /// It was active already; nothing was sent.
    WasActive,
    /// It was deleted meanwhile; nothing was sent.
    Gone,
    /// The site refused.
    Refused {
        /// Why.
        problem: Problem,
    },
}

/// The ledger of a site, or of all, newest first.
pub async fn ledger(host: &Host, site: Option<&SiteId>) -> Result<Vec<SilenceView>, Problem> {
    let site = site.map(|site| site.0.clone());
    let entries = host.journal(move |journal| journal.silences(site.as_deref())).await?;
    Ok(entries.into_iter().map(view).collect())
}

/// Enters a service, with what is active now. It is on disk when this returns.
pub(crate) async fn intend(
    host: &Host,
    task: &Task<'_>,
    service: &str,
    why: &str,
    active: Option<Vec<ServiceWebhook>>,
) -> Result<String, Problem> {
    let active = active.map(|webhooks| {
        let active = webhooks.into_iter().filter(|webhook| webhook.active == Some(true));
        active
            .map(|webhook| SilencedWebhook { origin: webhook.receiver, id: webhook.id, name: webhook.name })
            .collect()
    });
    let silencing = Silencing {
        record: task.record().map(|record| record.0).unwrap_or_default(),
        site: task.site.id.0.clone(),
        service: service.to_owned(),
        silenced_at: Millis::now().0,
        by: task.known.username.clone(),
        why: why.to_owned(),
        active,
    };
    host.journal(move |journal| journal.intend_silence(&silencing)).await
}

/// The site said that the service is silent.
pub(crate) async fn answered(host: &Host, entry: String) {
    told(host.journal(move |journal| journal.silence_answered(&entry))).await;
}

/// The site refused: the service was never silent.
pub(crate) async fn refused(host: &Host, entry: String) {
    told(host.journal(move |journal| journal.silence_refused(&entry))).await;
}

/// The answer to the last request of a deactivation is lost.
pub(crate) async fn lost(host: &Host, record: Option<RecordId>) {
    let Some(record) = record else { return };
    told(host.journal(move |journal| journal.silence_lost(&record.0))).await;
}

/// The site has answered: a disk that refuses now must not keep that from the person. The entry stays as it was.
/// Returns whether it was written.
async fn told(writing: impl Future<Output = Result<(), Problem>>) -> bool {
    let written = writing.await;
    if let Err(problem) = &written {
        tracing::error!(?problem, "the ledger of silenced services could not be written");
    }
    written.is_ok()
}

/// Activates exactly the webhooks that were active before a deactivation.
pub async fn restore(
    host: &Host,
    site: &SiteId,
    run: RunId,
    entry: SilenceId,
) -> Result<Ended<RestoreReport>, Problem> {
    let id = entry.0.clone();
    let silence = host.journal(move |journal| journal.silence(&id)).await?;
    if silence.restored_at.is_some() {
        return Err(Problem::declined(Declined::RestoredAlready));
    }
    let was_active = silence.silencing.active.filter(|_| silence.silencing.site == site.0);
    let was_active = was_active.ok_or(Problem::declined(Declined::ActiveUnknown))?;
    let operation = Key::DeactivateWebhooks.operation();
    let (saved, run) = Task::admit(host, operation, site, run)?;
    run.is_act(HistoryAct::RestoreWebhooks);
    let record = silence.silencing.record.clone();
    // A record that is gone says nothing of where it was.
    if let Ok(silenced) = host.journal(move |journal| journal.whole(&record)).await {
        must_be_here(&saved, &silenced.record.intent)?;
    }
    let service = ServiceWebhooks::at(&silence.silencing.service);
    let listed = async {
        let server = host.server(&saved).await?;
        let now = service.list(&server).await.map_err(|error| Problem::from_client(&error, site))?;
        Ok::<_, Problem>((server, now))
    };
    let Some(listed) = run.unless_stopped(listed).await else {
        let act = History::Act(RESTORE, vec![("service", silence.silencing.service.clone())], Vec::new());
        return Ok(Task::stopped_early(host, operation, &saved, &run, act).await);
    };
    let (server, now) = listed?;
    let plan = Plan::of(&was_active, &now);

    let mut parameters = vec![("service", silence.silencing.service.clone())];
    parameters.extend(plan.names().into_iter().map(|name| ("webhook", name.to_owned())));
    let act = History::Act(RESTORE, parameters, plan.requests(&service, &server));
    let task = match Task::within(host, operation, saved, run, act).await? {
        Answer::Came(task) => task,
        Answer::Lost(end) => return Ok(end),
    };
    let ends = match task.answer(plan.carry_out(&service, &task.area, site)).await? {
        Answer::Came(ends) => ends,
        Answer::Lost(end) => return Ok(end),
    };
    let refused = ends.iter().filter(|one| matches!(one.end, RestoreEnd::Refused { .. })).count();
    let outcome = match refused {
        0 => Outcome::Succeeded,
        all if all == ends.len() => Outcome::Failed,
        _ => Outcome::Warnings,
    };
    task.conclude(outcome, silence.silencing.service.clone(), None).await;
    let in_ledger = refused > 0 || {
        let (by, at) = (task.known.username.clone(), Millis::now().0);
        told(host.journal(move |journal| journal.silence_restored(&entry.0, &by, at))).await
    };
    let recorded = in_ledger && task.record().is_some();
    Ok(task.done(RestoreReport { service: silence.silencing.service, webhooks: ends, recorded }))
}

/// When to remind of an entry; `None` for never.
pub async fn remind(host: &Host, entry: SilenceId, at: Option<Millis>) -> Result<(), Problem> {
    host.journal(move |journal| journal.remind_of_silence(&entry.0, at.map(|at| at.0))).await
}

/// A person says that the webhooks of a service are as they should be: activated by hand, or not wanted any more.
/// Nothing is sent.
pub async fn settle(host: &Host, site: &SiteId, entry: SilenceId) -> Result<(), Problem> {
    let id = entry.0.clone();
    let silence = host.journal(move |journal| journal.silence(&id)).await?;
    if silence.restored_at.is_some() {
        return Err(Problem::declined(Declined::RestoredAlready));
    }
    let by = host.sites.get(site)?.username.unwrap_or_default();
    if silence.silencing.site != site.0 {
        let message = format!("{} was not silenced on this site", silence.silencing.service);
        return Err(Problem::Unexpected { message });
    }
    let at = Millis::now().0;
    host.journal(move |journal| journal.silence_settled(&entry.0, &by, at)).await
}

/// What has to be done for each webhook that was active, and what the service has besides.
struct Plan<'a> {
    steps: Vec<(&'a SilencedWebhook, Option<&'a ServiceWebhook>)>,
    /// Whether activating all of them activates no other.
    all_were_active: bool,
}

impl<'a> Plan<'a> {
    fn of(was_active: &'a [SilencedWebhook], now: &'a [ServiceWebhook]) -> Self {
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

    /// What is about to be sent, as the history keeps it: without addresses of receivers and keys.
    fn requests(&self, service: &ServiceWebhooks, server: &Area) -> Vec<Request> {
        self.to_activate()
            .map(|webhook| {
                let (path, form) = service.activation(webhook);
                let path: Vec<&str> = path.iter().map(String::as_str).collect();
                let mask = |(name, value): (String, String)| match name.as_str() {
                    "hookUrl" | "signatureKey" => (name, MASK.to_owned()),
                    _ => (name, value),
                };
                let rest = [("f", "json"), ("token", MASK)];
                let rest = rest.map(|(name, value)| (name.to_owned(), value.to_owned()));
                Request {
                    method: "POST".to_owned(),
                    address: server.address(&path).to_string(),
                    form: form.into_iter().map(mask).chain(rest).collect(),
                }
            })
            .collect()
    }

    async fn carry_out(
        &self,
        service: &ServiceWebhooks,
        server: &Area,
        site: &SiteId,
    ) -> Result<Vec<RestoredWebhook>, ClientError> {
        let mut ends = Vec::new();
        let mut activated_all = false;
        for (was, now) in &self.steps {
            let end = match now {
                None => RestoreEnd::Gone,
                Some(webhook) if webhook.active == Some(true) => RestoreEnd::WasActive,
                Some(_) if activated_all => RestoreEnd::Activated,
                Some(webhook) => match service.activate(server, webhook).await {
                    Ok(()) => RestoreEnd::Activated,
                    Err(error) if error.may_have_taken_effect() => return Err(error),
                    // A site that cannot edit may still activate all; only where no other is among them.
                    Err(error) if self.all_were_active && offers_no_edit(&error) => {
                        match service.activate_all(server).await {
                            Ok(()) => {
                                activated_all = true;
                                RestoreEnd::Activated
                            }
                            Err(error) if error.may_have_taken_effect() => return Err(error),
                            Err(error) => refusal(&error, site),
                        }
                    }
                    Err(error) => refusal(&error, site),
                },
            };
            ends.push(RestoredWebhook { name: was.name.clone(), end });
        }
        Ok(ends)
    }
}

/// The webhook was there a moment ago: what is not found is the way to edit it.
const fn offers_no_edit(error: &ClientError) -> bool {
    matches!(error, ClientError::Refused { code: 404 | 405 | 501, .. })
}

fn refusal(error: &ClientError, site: &SiteId) -> RestoreEnd {
    RestoreEnd::Refused { problem: Problem::from_client(error, site) }
}

fn view(entry: Silence) -> SilenceView {
    let silencing = entry.silencing;
    SilenceView {
        id: SilenceId(entry.id),
        site: SiteId(silencing.site),
        service: silencing.service,
        silenced_at: Millis(silencing.silenced_at),
        by: silencing.by,
        why: silencing.why,
        known: matches!(entry.state, SilenceState::Silenced | SilenceState::ByHand),
        by_hand: entry.state == SilenceState::ByHand,
        active: silencing.active.map(|active| active.into_iter().map(|webhook| webhook.name).collect()),
        remind_at: entry.remind_at.map(Millis),
        restored_at: entry.restored_at.map(Millis),
        restored_by: entry.restored_by,
    }
}
