//! Tells what expires on the sites of the plans, by the last checks of the window.

use std::collections::BTreeSet;

use jiff::Timestamp;
use steward_core::access::checked_facts::CheckedFacts;
use steward_core::expiry::{NeededSession, of_site};
use steward_core::files::data_folder::{CHECKED_FACTS, SITES};
use steward_core::model::checked::ComponentChecks;
use steward_core::model::localized_text::Texts;
use steward_core::settings::policy::PlansRule;
use steward_core::sites::{Site, Sites};

use super::alerts::expiring::is_told;
use super::alerts::message::AlertMessage;
use super::alerts::settings::AlertChannels;
use super::alerts::state::about_expiries;
use super::host::Host as _;
use super::plan::{BackupPlan, ChannelId, runs_by_schedule};
use super::services::{RunnerFiles, Services};
use super::tell::at_desk;

/// Returns the sessions that plans need. A paused plan needs none.
pub fn needed_sessions<'a>(plans: impl Iterator<Item = &'a BackupPlan>) -> Vec<NeededSession> {
    let needed = plans.filter(|plan| runs_by_schedule(plan)).map(|plan| NeededSession {
        plan: plan.name.clone(),
        parts: plan.parts.iter().map(|part| part.server().cloned()).collect(),
    });
    needed.collect()
}

/// Sends the alerts that are due about what expires on each site with a plan, by the channels of its plans.
pub(crate) async fn tell(services: &Services, now: Timestamp) {
    let plans: Vec<_> = services.plans().into_iter().filter(runs_by_schedule).collect();
    if plans.is_empty() {
        return;
    }
    let data_folder = &services.files.data_folder;
    let sites = match Sites::open_read_only(&data_folder.join(SITES)) {
        Ok(sites) => sites,
        // Each plan that runs fails because of the same file, and an alert is sent about that.
        Err(error) => return tracing::warn!(%error, "what expires is not told"),
    };
    let checks = CheckedFacts::open_read_only(data_folder.join(CHECKED_FACTS)).all();
    for site in sites.all() {
        let of_site: Vec<_> = plans.iter().filter(|plan| plan.site == site.id).collect();
        if !of_site.is_empty() && !services.is_stopped() {
            tell_of(services, &site, &checks, &of_site, now).await;
        }
    }
}

async fn tell_of(
    services: &Services,
    site: &Site,
    checks: &[ComponentChecks],
    plans: &[&BackupPlan],
    now: Timestamp,
) {
    let mut expiries = of_site(site, checks, &needed_sessions(plans.iter().copied()), now);
    expiries.retain(is_told);
    let RunnerFiles { data_folder, alerts, .. } = &services.files;
    let Some(open) = alerts.open_expiring(&site.id, now, &expiries) else { return };
    let settings = AlertChannels::read(data_folder);
    let message = AlertMessage::of_expiries(site, &expiries, &open, &Texts::of(&settings.language));
    let about = about_expiries(&site.id);
    let opened = match services.opened().await {
        Ok(opened) => opened,
        Err(error) => return at_desk(services, &about, &open, &message, &error).await,
    };
    // As with alerts about runs: what the policy keeps from being told is told once it allows plans.
    if opened.preferences.policy.plans_rule() == PlansRule::Forbidden {
        return alerts.forget(&about);
    }
    let channels: BTreeSet<_> =
        plans.iter().flat_map(|plan| plan.alerts.iter().map(|id| id.0.clone())).collect();
    let channels: Vec<_> = channels.into_iter().map(ChannelId).collect();
    if opened.sender(&settings).send(alerts, (&about, &channels), &open, message).await {
        alerts.close(&about, &open);
    }
}
