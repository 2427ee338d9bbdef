//! Quiet import: the webhooks of the server are deactivated before an import, and reactivated after it.
//!
//! Each end of a quiet import has the state of the webhooks: [`Quiet::end`] in the report, [`Quiet::end_after`] in
//! the problem and the note if nothing was imported, and [`stay_inactive`] in the note if it is not known what was
//! imported.
//!
//! The safety backup of a quiet import has the webhooks inactive: [`inactive_in`] recognizes the backup when it is
//! imported, and [`with_left_by_file`] names the webhooks.

use std::collections::{BTreeSet, HashSet};

use steward_journal::StoredRecord;

use crate::history::imports::INACTIVE_IN_BACKUP;
use crate::history::note::Note;
use crate::history::parameters::given;
use crate::history::record_target::in_all_sites;
use crate::inventory::{Inventory, InventoryPart, stored};
use crate::model::ids::RecordId;
use crate::model::numbers::Millis;
use crate::model::operation::OperationKey;
use crate::model::problem::{NotRecordedReason, Problem, as_text};
use crate::model::reactivated_webhooks::{InactiveTime, NotReactivated, ReactivatedWebhooks};
use crate::model::retry_policy::RetryPolicy;
use crate::model::run_result::RunResult;
use crate::runs::{Run, RunStep};
use crate::site_context::SiteContext;
use crate::sites::TargetSite;
use crate::transfers::stored_file::{records_of, succeeded_at};
use crate::webhooks::deactivation::{Otherwise, deactivate_services};
use crate::webhooks::deactivation_log;
use crate::webhooks::reactivation::{
    ReactivatedService, ReactivatedWebhook, ReactivationEnd, does_not_respond, reactivate_record,
};

/// Result of the beginning of a quiet import.
pub(super) enum Beginning {
    /// The webhooks are inactive.
    Quiet(Quiet),
    /// The user pressed Stop. What was deactivated by then, if anything was, is in the deactivation log.
    Stopped(Option<Quiet>),
}

/// Webhooks that are deactivated for the time of an import.
pub(super) struct Quiet {
    /// Record of their deactivation; `None` if no webhook was active.
    pub(super) record: Option<RecordId>,
    /// Inventory of the server from before the deactivation, which removes the failed deliveries; `None` in an undo.
    pub(super) before: Option<Inventory>,
    /// Attempts to reach the server after the import.
    pub(super) restart: RetryPolicy,
}

/// Further attempts of a reactivation that finds the server restarting: it can begin to restart some seconds after the import.
const FURTHER_ATTEMPTS: usize = 2;

impl Quiet {
    /// Takes the inventory, and deactivates the webhooks of every service that has active ones.
    ///
    /// # Errors
    /// - [`Problem::WebhooksNotDeactivated`] if the server does not list its webhooks, or one service rejected the
    ///   request or did not respond.
    /// - [`Problem::NotRecorded`] if the history cannot be written after the deactivation.
    /// - [`Problem::WebhooksWereInactive`] with one of these, if webhooks were deactivated before. They are active again, or are
    ///   in the deactivation log.
    /// - Those of [`Access::server`](crate::access::Access::server) and
    ///   [`Access::known`](crate::access::Access::known).
    pub(super) async fn begin(
        context: &SiteContext,
        site: &TargetSite,
        run: &Run,
        why: &str,
        restart: RetryPolicy,
    ) -> Result<Beginning, Problem> {
        run.step(RunStep::TakingInventory);
        let taking = Box::pin(async {
            let known = context.access.known(site).await?;
            let version = known.server_version.map(|version| version.to_string());
            let server = context.access.server(site).await?;
            Ok::<_, Problem>(Inventory::take(&server, version.unwrap_or_default()).await)
        });
        let Some(before) = run.unless_stopped(taking).await else {
            return Ok(Beginning::Stopped(None));
        };
        let before = before?;
        if let Some(missing) = before.missing.iter().find(|missing| missing.part == InventoryPart::Webhooks) {
            return Err(Problem::WebhooksNotDeactivated { message: missing.reason.clone() });
        }
        let services = with_active_webhooks(&before);
        if services.is_empty() {
            return Ok(Beginning::Quiet(Self { record: None, before: Some(before), restart }));
        }
        let report = stored::report(Some(&before), None);
        let deactivating =
            deactivate_services(context, site.clone(), run.clone(), services, why, Otherwise::End, report);
        let (record, problem) = match run.as_part(Box::pin(deactivating)).await {
            Ok((record, RunResult::Done { record: written, report, .. })) => {
                let not_deactivated = report.services.iter().find_map(|one| {
                    one.problem.as_ref().map(|problem| format!("{}: {}", one.service, as_text(problem)))
                });
                let not_deactivated =
                    not_deactivated.map(|message| Problem::WebhooksNotDeactivated { message });
                (record, not_deactivated.or_else(|| written.is_none().then(not_recorded)))
            }
            Ok((record, RunResult::Unknown { stopped: false, problem, .. })) => {
                let message = problem.as_ref().map(as_text).unwrap_or_default();
                (record, Some(Problem::WebhooksNotDeactivated { message }))
            }
            Ok((record, RunResult::Unknown { stopped: true, .. })) => {
                return Ok(Beginning::Stopped(Some(Self { record, before: Some(before), restart })));
            }
            Ok((_, RunResult::NotSent { .. } | RunResult::Dismissed)) => return Ok(Beginning::Stopped(None)),
            Err(problem) | Ok((_, RunResult::Failed { problem, .. })) => {
                return Err(Problem::WebhooksNotDeactivated { message: as_text(&problem) });
            }
        };
        let quiet = Self { record, before: Some(before), restart };
        match problem {
            None => Ok(Beginning::Quiet(quiet)),
            Some(problem) => Err(quiet.end_after(context, site, run, problem).await),
        }
    }

    /// Waits until the server responds after an import. Returns at once if no webhook is to be reactivated. Returns
    /// `false` if Stop ended the wait, or after the last attempt. Stop before the wait is shown does not apply to the
    /// reactivation, and returns `true`.
    pub(super) async fn await_server(&self, context: &SiteContext, site: &TargetSite, run: &Run) -> bool {
        if self.record.is_none() {
            return true;
        }
        let mut is_shown = false;
        let waiting = Box::pin(async {
            for attempt in 0..=self.restart.tries {
                if responds(context, site).await {
                    return true;
                }
                run.step(RunStep::AwaitingServer);
                is_shown = true;
                self.restart.pause(attempt).await;
            }
            false
        });
        let ended = run.unless_stopped(waiting).await;
        ended.unwrap_or(!is_shown)
    }

    /// Reactivates exactly the webhooks that were active and still exist. Returns `None` if none was active.
    /// `is_unsent` is whether nothing was imported: an import can change webhooks, and be followed by a restart, which
    /// is awaited.
    pub(super) async fn end(
        &self,
        context: &SiteContext,
        site: &TargetSite,
        run: &Run,
        is_unsent: bool,
    ) -> Option<ReactivatedWebhooks> {
        let record = self.record.clone()?;
        let mut found = ReactivatedWebhooks::default();
        match self.reactivated(context, site, run, record, is_unsent).await {
            Ok(services) => {
                let from = services.iter().map(|service| service.deactivated_at).min();
                found.inactive = from.map(|from| InactiveTime { from, to: Millis::now() });
                services.into_iter().for_each(|service| found.add(service, is_unsent));
            }
            Err(problem) => found.not_read = Some(as_text(&problem)),
        }
        Some(found)
    }

    async fn reactivated(
        &self,
        context: &SiteContext,
        site: &TargetSite,
        run: &Run,
        record: RecordId,
        is_unsent: bool,
    ) -> Result<Vec<ReactivatedService>, Problem> {
        run.step(RunStep::Reactivating);
        let reactivating = reactivate_record(context, site.clone(), run.clone(), record.clone(), None);
        let mut services = run.as_part(Box::pin(reactivating)).await?;
        for _ in 0..if is_unsent { 0 } else { FURTHER_ATTEMPTS } {
            let held_up = services.iter().filter(|one| one.is_held_up);
            let held_up: HashSet<_> = held_up.map(|one| one.service.clone()).collect();
            if held_up.is_empty() || !self.await_server(context, site, run).await {
                break;
            }
            run.step(RunStep::Reactivating);
            let again = reactivate_record(context, site.clone(), run.clone(), record.clone(), Some(&held_up));
            let Ok(again) = run.as_part(Box::pin(again)).await else { break };
            services.retain(|one| !held_up.contains(&one.service));
            services.extend(again);
        }
        Ok(services)
    }

    /// Reactivates the webhooks after a problem: nothing was imported. Returns the problem, with the state of the webhooks,
    /// unless none was deactivated.
    pub(super) async fn end_after(
        &self,
        context: &SiteContext,
        site: &TargetSite,
        run: &Run,
        problem: Problem,
    ) -> Problem {
        match self.end(context, site, run, true).await {
            Some(webhooks) => {
                Problem::WebhooksWereInactive { cause: Box::new(problem), webhooks: Box::new(webhooks) }
            }
            None => problem,
        }
    }
}

/// Says in the note of an import that webhooks of this deactivation stay inactive: it might still be in progress, the user stopped it,
/// or they are inactive in its file. The deactivation log has them. `is_unsent` is whether nothing was imported; an import can
/// change them.
pub(super) async fn stay_inactive(
    context: &SiteContext,
    run: &Run,
    deactivation: Option<&RecordId>,
    is_unsent: bool,
) {
    let (Some(record), Some(import)) = (deactivation, run.record()) else { return };
    let left = deactivation_log::left_of(context, record).await;
    if let Some((count, since, are_confirmed)) = left {
        let note = Note::still_inactive(count, since, is_unsent && are_confirmed);
        context.history.add_to_note(import, note).await;
    }
}

/// Returns the record of the deactivation whose webhooks an upload has inactive: it is the safety backup of a quiet import, or a copy
/// of it.
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be read.
pub(super) async fn inactive_in(
    context: &SiteContext,
    site: &TargetSite,
    upload: String,
) -> Result<Option<RecordId>, Problem> {
    let saved_at = in_all_sites(&context.access.sites, site);
    let found = context.history.journal(move |journal| {
        let (mut sent, mut exports) = (Vec::new(), Vec::new());
        for target in saved_at.iter().map(TargetSite::target) {
            sent.extend(records_of(journal, &target, &upload)?);
            exports.extend(journal.records(&succeeded_at(&target, OperationKey::ExportServer.name()))?);
        }
        let sha256 = sent.into_iter().find_map(|record| record.facts.sha256);
        let is_it = |export: &&StoredRecord| {
            export.facts.upload.as_ref() == Some(&upload)
                || (sha256.is_some() && export.facts.sha256 == sha256)
        };
        let inactive = |export: &StoredRecord| {
            given(&export.intent.parameters, INACTIVE_IN_BACKUP).map(|record| RecordId(record.to_owned()))
        };
        Ok(exports.iter().filter(is_it).find_map(inactive))
    });
    found.await
}

/// Adds the webhooks that are inactive in an imported file, and that nothing but the user reactivates, to what became of those of
/// a quiet import. Returns `None` if there are neither.
pub(super) async fn with_left_by_file(
    context: &SiteContext,
    deactivation: &RecordId,
    reactivated: Option<ReactivatedWebhooks>,
) -> Option<ReactivatedWebhooks> {
    let Ok(entries) = deactivation_log::entries(context, None).await else { return reactivated };
    let is_quiet = reactivated.is_some();
    let mut found = reactivated.unwrap_or_default();
    let told = [&found.failed, &found.unknown, &found.gone].into_iter().flatten();
    let told: HashSet<_> = told.map(|one| (one.service.clone(), one.webhook.clone())).collect();
    for entry in entries.into_iter().filter(|one| one.record == *deactivation && one.resolved_at.is_none()) {
        if !is_quiet {
            found.services += 1;
        }
        let names = entry.left.map(|left| left.into_iter().map(|webhook| webhook.name).collect::<Vec<_>>());
        // Of webhooks that are not known, the service alone is named.
        let names = names.unwrap_or_else(|| vec![String::new()]).into_iter();
        let new = names.filter(|webhook| !told.contains(&(entry.service.clone(), webhook.clone())));
        found.failed.extend(new.map(|webhook| NotReactivated {
            service: entry.service.clone(),
            webhook,
            message: String::new(),
        }));
    }
    (is_quiet || !found.is_complete()).then_some(found)
}

/// Returns whether the administration of a server responds, whatever the response is.
async fn responds(context: &SiteContext, site: &TargetSite) -> bool {
    let read = async {
        let server = context.access.server(site).await?;
        let described = steward_client::describe_server(&server).await;
        described.map(drop).map_err(|error| Problem::from_client(&error, &site.id))
    };
    read.await.err().is_none_or(|problem| !does_not_respond(&problem))
}

impl ReactivatedWebhooks {
    /// `is_unsent` is whether nothing was imported since the deactivation.
    fn add(&mut self, added: ReactivatedService, is_unsent: bool) {
        let ReactivatedService { service, is_confirmed, was_active, end, .. } = added;
        self.services += 1;
        let one = |webhook, message| NotReactivated { service: service.clone(), webhook, message };
        match end {
            Ok(report) => {
                for ReactivatedWebhook { name, end } in report.webhooks {
                    match end {
                        ReactivationEnd::Activated | ReactivationEnd::WasActive => self.active += 1,
                        ReactivationEnd::Gone => self.gone.push(one(name, String::new())),
                        ReactivationEnd::Rejected { problem } => {
                            self.failed.push(one(name, as_text(&problem)))
                        }
                        ReactivationEnd::Unknown { problem } => {
                            let why = problem.as_ref().map_or_else(|| "no response".to_owned(), as_text);
                            self.unknown.push(one(name, why));
                        }
                        ReactivationEnd::NotSent => self.failed.push(one(name, "not sent".to_owned())),
                    }
                }
            }
            Err(message) => {
                // If the webhooks are not known, only the service is named.
                let webhooks = was_active.unwrap_or_else(|| vec![String::new()]);
                // Their states were not read: an import can have activated them.
                let left = if is_unsent && is_confirmed { &mut self.failed } else { &mut self.unknown };
                left.extend(webhooks.into_iter().map(|webhook| one(webhook, message.clone())));
            }
        }
    }
}

/// Returns why nothing is imported after a deactivation whose outcome cannot be written: an import is recorded before it is sent.
fn not_recorded() -> Problem {
    let message = "the outcome of the deactivation cannot be written".to_owned();
    Problem::NotRecorded { reason: NotRecordedReason::Other, full: None, message }
}

/// Returns the services with a webhook that is active, or whose state is not known.
fn with_active_webhooks(inventory: &Inventory) -> Vec<String> {
    let active = inventory.webhooks.iter().filter(|webhook| webhook.active != Some(false));
    let services: BTreeSet<_> = active.map(|webhook| webhook.service.clone()).collect();
    services.into_iter().collect()
}
