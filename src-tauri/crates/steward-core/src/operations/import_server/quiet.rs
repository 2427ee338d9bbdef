//! Quiet import: the webhooks of the server are deactivated before an import, and reactivated after it.

use std::collections::BTreeSet;

use crate::inventory::{Inventory, InventoryPart, stored};
use crate::model::ids::RecordId;
use crate::model::problem::{Problem, as_text};
use crate::model::reactivated_webhooks::{NotReactivated, ReactivatedWebhooks};
use crate::model::run_result::RunResult;
use crate::runs::{Run, RunStep};
use crate::site_context::SiteContext;
use crate::sites::TargetSite;
use crate::webhooks::deactivation::{Otherwise, deactivate_services};
use crate::webhooks::reactivation::{
    ReactivatedService, ReactivatedWebhook, ReactivationEnd, reactivate_record,
};

/// Webhooks that are deactivated for the time of an import.
pub(super) struct Quiet {
    /// Record of their deactivation; `None` if no webhook was active.
    pub(super) record: Option<RecordId>,
    /// Inventory of the server from before the deactivation, which removes the failed deliveries; `None` in an undo.
    pub(super) before: Option<Inventory>,
}

impl Quiet {
    /// Takes the inventory, and deactivates the webhooks of every service that has active ones. Returns `None` if Stop
    /// ended it; what was deactivated by then is in the deactivation log.
    ///
    /// # Errors
    /// - [`Problem::WebhooksNotDeactivated`] if the server does not list its webhooks, or one service rejected the
    ///   request or did not respond. Those that were deactivated before are active again, or are in the deactivation
    ///   log.
    /// - Those of [`Access::server`](crate::access::Access::server) and
    ///   [`Access::known`](crate::access::Access::known).
    pub(super) async fn begin(
        context: &SiteContext,
        site: &TargetSite,
        run: &Run,
        why: &str,
    ) -> Result<Option<Self>, Problem> {
        run.step(RunStep::TakingInventory);
        let taking = Box::pin(async {
            let known = context.access.known(site).await?;
            let version = known.server_version.map(|version| version.to_string());
            let server = context.access.server(site).await?;
            Ok::<_, Problem>(Inventory::take(&server, version.unwrap_or_default()).await)
        });
        let Some(before) = run.unless_stopped(taking).await else { return Ok(None) };
        let before = before?;
        if let Some(missing) = before.missing.iter().find(|missing| missing.part == InventoryPart::Webhooks) {
            return Err(Problem::WebhooksNotDeactivated { message: missing.reason.clone() });
        }
        let services = with_active_webhooks(&before);
        if services.is_empty() {
            return Ok(Some(Self { record: None, before: Some(before) }));
        }
        let report = stored::report(Some(&before), None);
        let deactivating =
            deactivate_services(context, site.clone(), run.clone(), services, why, Otherwise::End, report);
        let (record, problem) = match run.as_part(Box::pin(deactivating)).await {
            // The record tells which webhooks to reactivate. Without it, the deactivation log has them.
            Ok(RunResult::Done { record: None, .. }) => {
                let message = "the history cannot be written".to_owned();
                return Err(Problem::WebhooksNotDeactivated { message });
            }
            Ok(RunResult::Done { record, report, .. }) => {
                let not_deactivated = report.services.iter().find_map(|one| {
                    one.problem.as_ref().map(|problem| format!("{}: {}", one.service, as_text(problem)))
                });
                (record, not_deactivated)
            }
            Ok(RunResult::Unknown { record, stopped: false, problem, .. }) => {
                (record, Some(problem.as_ref().map(as_text).unwrap_or_default()))
            }
            Ok(_) => return Ok(None),
            Err(problem) => return Err(Problem::WebhooksNotDeactivated { message: as_text(&problem) }),
        };
        let quiet = Self { record, before: Some(before) };
        match problem {
            None => Ok(Some(quiet)),
            Some(message) => {
                let problem = Problem::WebhooksNotDeactivated { message };
                Err(quiet.end_after(context, site, run, problem).await)
            }
        }
    }

    /// Reactivates exactly the webhooks that were active and still exist. Returns `None` if none was active.
    pub(super) async fn end(
        &self,
        context: &SiteContext,
        site: &TargetSite,
        run: &Run,
    ) -> Option<ReactivatedWebhooks> {
        let record = self.record.clone()?;
        run.step(RunStep::Reactivating);
        let reactivating = reactivate_record(context, site.clone(), run.clone(), record);
        let mut found = ReactivatedWebhooks::default();
        match run.as_part(Box::pin(reactivating)).await {
            Ok(services) => services.into_iter().for_each(|service| found.add(service)),
            Err(problem) => found.not_read = Some(as_text(&problem)),
        }
        Some(found)
    }

    /// Reactivates the webhooks after a problem: nothing was imported. Returns the problem, with the webhooks that are
    /// not active again.
    pub(super) async fn end_after(
        &self,
        context: &SiteContext,
        site: &TargetSite,
        run: &Run,
        problem: Problem,
    ) -> Problem {
        match self.end(context, site, run).await {
            Some(webhooks) if !webhooks.is_complete() => {
                Problem::WebhooksStillInactive { cause: Box::new(problem), webhooks }
            }
            _ => problem,
        }
    }
}

impl ReactivatedWebhooks {
    fn add(&mut self, ReactivatedService { service, was_active, end }: ReactivatedService) {
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
                // Of webhooks that are not known, the service alone is named.
                let webhooks = was_active.unwrap_or_else(|| vec![String::new()]);
                self.failed.extend(webhooks.into_iter().map(|webhook| one(webhook, message.clone())));
            }
        }
    }
}

/// Returns the services with a webhook that is active, or whose state is not known.
fn with_active_webhooks(inventory: &Inventory) -> Vec<String> {
    let active = inventory.webhooks.iter().filter(|webhook| webhook.active != Some(false));
    let services: BTreeSet<_> = active.map(|webhook| webhook.service.clone()).collect();
    services.into_iter().collect()
}
