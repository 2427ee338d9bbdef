//! After the plans of a start: a snapshot of each site whose plan ran, and an alert about what changed since the
//! snapshot of an earlier run, for the plans that tell it. Neither is a part of a run: an export waits for nothing
//! here, and no verdict depends on it.

use std::collections::BTreeSet;
use std::time::Duration;

use steward_core::changes::Cause;
use steward_core::changes::snapshots::Snapshots;
use steward_core::changes::view::{Compared, ComparisonView, SnapshotView};
use steward_core::files::data_folder::CHANGES;
use steward_core::model::ids::SiteId;
use steward_core::model::localized_text::Texts;
use steward_core::model::numbers::Millis;
use steward_core::model::problem::Problem;
use steward_core::settings::policy::PlansRule;

use super::alerts::changed_text::ChangedNight;
use super::alerts::message::AlertMessage;
use super::alerts::settings::AlertChannels;
use super::alerts::state::about_changes;
use super::exchange;
use super::host::Host as _;
use super::plan::{BackupPlan, ChannelId, runs_by_schedule};
use super::services::{Opened, RunnerFiles, Services};
use super::set::Verdict;

/// Longest snapshot. A site that responds later is not waited for: the next start of the runner is due.
const LONGEST: Duration = Duration::from_mins(45);

/// Takes a snapshot of each site of which a plan ran since a time, and sends alerts about what changed.
pub(crate) async fn after_runs(services: &Services, since: Millis) {
    let RunnerFiles { data_folder, alerts, progress } = &services.files;
    let plans = services.plans();
    let ran = |plan: &&BackupPlan| {
        let last = progress.read(|state| state.plans.get(&plan.id)?.last.clone());
        // A run without a set sent nothing, perhaps because its session must not be used: no snapshot is taken then.
        last.is_some_and(|last| last.at >= since && last.folder.is_some() && last.verdict != Verdict::Skipped)
    };
    let taken: BTreeSet<&str> = plans.iter().filter(ran).map(|plan| plan.site.0.as_str()).collect();
    let sites: BTreeSet<&str> = plans.iter().map(|plan| plan.site.0.as_str()).collect();
    let snapshots = Snapshots::open_for_runner(data_folder.join(CHANGES));
    for site in sites {
        let id = SiteId(site.to_owned());
        let is_news = taken.contains(site);
        if services.is_stopped() || !(is_news || alerts.has_open(&about_changes(&id))) {
            continue;
        }
        let opened = match services.opened().await {
            Ok(opened) => opened,
            Err(error) => return tracing::error!(error, "no snapshot is taken"),
        };
        if is_news {
            take(services, &opened, &snapshots, &id).await;
        }
        let of_site: Vec<_> = plans
            .iter()
            .filter(|plan| plan.site == id && plan.tells_changes && runs_by_schedule(plan))
            .collect();
        if let Err(problem) = tell(services, &opened, &snapshots, &of_site, (&id, is_news)).await {
            tracing::warn!(?problem, site, "what changed is not told");
        }
    }
}

/// Takes a snapshot. If it has to be stopped, it is stored with the reason.
async fn take(services: &Services, opened: &Opened, snapshots: &Snapshots, site: &SiteId) {
    let taking = async {
        if let Err(problem) = snapshots.take(&opened.context, site, Cause::Plan).await {
            tracing::warn!(?problem, site = site.0, "no snapshot was taken after a backup plan");
        }
    };
    tokio::pin!(taking);
    let reason = tokio::select! {
        biased;
        () = &mut taking => return,
        () = services.stopped() => "the runner was told to end",
        () = exchange::run_requested(&services.files.data_folder) => "a user asked for a backup plan",
        () = tokio::time::sleep(LONGEST) => "the site did not return everything in 45 minutes",
    };
    snapshots.stop(site, reason);
    taking.await;
}

/// Sends an alert about what changed between the last two snapshots of plans, by the channels of these plans.
async fn tell(
    services: &Services,
    opened: &Opened,
    snapshots: &Snapshots,
    plans: &[&BackupPlan],
    (site, is_news): (&SiteId, bool),
) -> Result<(), Problem> {
    let RunnerFiles { data_folder, alerts, .. } = &services.files;
    let about = about_changes(site);
    if plans.is_empty() || opened.preferences.policy.plans_rule() == PlansRule::Forbidden {
        alerts.forget(&about);
        return Ok(());
    }
    let all = snapshots.view(&opened.context.history, site).await?.snapshots;
    let Some((from, to)) = last_two(&all) else { return Ok(()) };
    let compared = Compared::Since { site: site.clone(), from: from.id, to: to.id };
    // Only a snapshot that was taken now causes a new alert: earlier ones were told when they were taken.
    let is_taken_now = is_news && all.first().is_some_and(|newest| newest.id == to.id);
    let comparison = snapshots.compare(&opened.context, &compared).await?;
    // If the file of a snapshot was altered, nothing is compared, and the alert is about that.
    let has_changes = open_changes(&comparison) > 0 || !comparison.changed.is_empty();
    let Some(open) = alerts.open_changes(site, services.now(), is_taken_now, has_changes) else {
        return Ok(());
    };
    let settings = AlertChannels::read(data_folder);
    let night = ChangedNight::new(&comparison, from.at, &Texts::of(&settings.language));
    let message = AlertMessage::of_changes(&opened.context.access.sites.get(site)?, night, &open);
    let channels: BTreeSet<_> =
        plans.iter().flat_map(|plan| plan.alerts.iter().map(|id| id.0.clone())).collect();
    let channels: Vec<_> = channels.into_iter().map(ChannelId).collect();
    if opened.sender(&settings).send(alerts, (&about, &channels), &open, message).await {
        alerts.close(&about, &open);
    }
    Ok(())
}

/// Returns the last two snapshots of plans that were taken, the earlier one first.
fn last_two(all: &[SnapshotView]) -> Option<(&SnapshotView, &SnapshotView)> {
    let mut of_plans = all.iter().filter(|one| one.cause == Cause::Plan && one.failure.is_empty());
    let to = of_plans.next()?;
    Some((of_plans.next()?, to))
}

/// Returns the number of differences that are not accepted.
fn open_changes(comparison: &ComparisonView) -> usize {
    comparison.differences.iter().filter(|one| one.accepted.is_none()).count()
}
