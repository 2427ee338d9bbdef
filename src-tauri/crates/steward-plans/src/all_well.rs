//! Tells once a day that all is well, by the channels for which a user chose it: one message for all sites, after the
//! last plan of a night ended as expected (ADR 0071).

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use steward_core::access::checked_facts::{CheckedFacts, find};
use steward_core::expiry::{WEEK, of_site};
use steward_core::files::data_folder::{CHECKED_FACTS, SITE_PROOFS};
use steward_core::model::checked::ComponentChecks;
use steward_core::model::expiry::{Expiring, Expiry};
use steward_core::model::ids::PRACTICE;
use steward_core::model::numbers::Millis;
use steward_core::model::problem::Problem;
use steward_core::model::site_proof::{ProofState, SiteProofView};
use steward_core::proof::watch::Proofs;
use steward_core::settings::policy::PlansRule;
use steward_core::sites::Site;

use super::alerts::expiring::is_told;
use super::alerts::message::AlertMessage;
use super::alerts::night::{CheckedServices, PlanNight, SiteNight};
use super::alerts::settings::AlertChannels;
use super::alerts::state::about_nights;
use super::due::last_time;
use super::expiries::needed_sessions;
use super::host::Host as _;
use super::plan::{BackupPlan, runs_by_schedule};
use super::saved::SavedPlans;
use super::services::{Opened, RunnerFiles, Services};
use super::set::{PartState, SetPart, Verdict};
use super::state::PlanState;
use super::store::{PlanProgress, RunnerState};

/// Hour at which one night ends and the next one begins. A run at any time of day belongs to a night.
const NOON: i8 = 12;

/// Sends the message that is due, or the one before that did not reach all its channels.
pub(crate) async fn tell(services: &Services, now: Timestamp) {
    let RunnerFiles { data_folder, alerts, progress } = &services.files;
    let settings = AlertChannels::read(data_folder);
    let chosen = settings.channels.iter().filter(|channel| channel.tells_all_well);
    let channels: Vec<_> = chosen.map(|channel| channel.id.clone()).collect();
    let mut plans = services.plans();
    plans.retain(runs_by_schedule);
    let state = progress.get();
    let night = night_that_ended(&plans, &state, now, &services.zone());
    if channels.is_empty() || services.is_stopped() || !alerts.may_tell_night(night, now) {
        return;
    }
    let Some(night) = night else {
        // A message that did not arrive is not true any more, and is dropped.
        alerts.open_night(None, now);
        return;
    };
    let opened = match services.opened().await {
        Ok(opened) => opened,
        Err(error) => return tracing::error!(error, "whether all is well is not told"),
    };
    if opened.preferences.policy.plans_rule() == PlansRule::Forbidden {
        return;
    }
    let checks = CheckedFacts::open_read_only(data_folder.join(CHECKED_FACTS)).all();
    let proofs = Proofs::open_read_only(data_folder.join(SITE_PROOFS));
    let sites = match sites(&opened, &plans, &state, (&checks, &proofs), now).await {
        Ok(sites) => sites,
        Err(problem) => return tracing::error!(?problem, "whether all is well is not told"),
    };
    let Some(open) = alerts.open_night(sites.is_some().then_some(night), now) else { return };
    let message = AlertMessage::of_night(sites.unwrap_or_default(), &open);
    let about = about_nights();
    if opened.sender(&settings).send(alerts, (&about, &channels), &open, message).await {
        alerts.close(&about, &open);
    }
}

/// Returns the day on which the last night of these plans ended, if each ran as expected at its last time. `None` if a
/// plan has another time in that night, did not run, or did not run as expected. The last run of a plan that was paused
/// or deleted counts, too.
pub(crate) fn night_that_ended(
    plans: &[BackupPlan],
    state: &RunnerState,
    now: Timestamp,
    zone: &TimeZone,
) -> Option<Date> {
    let mut last = None;
    for plan in plans {
        // A time in the future is of a clock that was set back since.
        let since = Some(plan.since.timestamp()).filter(|since| *since <= now).unwrap_or(Timestamp::MIN);
        let Some(due) = last_time(&plan.schedule, since, now, zone) else { continue };
        let run = state.of(plan).last?;
        let began = run.at.timestamp();
        if run.verdict != Verdict::AsExpected || began < due || began > now {
            return None;
        }
        last = last.max(Some(due));
    }
    let night_of = |at: Timestamp| {
        let local = at.to_zoned(zone.clone());
        if local.hour() < NOON { local.date() } else { local.date().saturating_add(1.day()) }
    };
    let day = night_of(last?);
    let mut runs = state.plans.values().filter_map(|progress| progress.last.as_ref());
    if runs.any(|run| run.verdict != Verdict::AsExpected && night_of(run.at.timestamp()) == day) {
        return None;
    }
    let end = day.at(NOON, 0, 0, 0).to_zoned(zone.clone()).ok()?.timestamp();
    let is_last = |plan: &BackupPlan| plan.schedule.after(now, zone).next().is_none_or(|next| next >= end);
    plans.iter().all(is_last).then_some(day)
}

/// Returns the facts of each site for the message; `None` if something needs a user.
async fn sites(
    opened: &Opened,
    plans: &[BackupPlan],
    state: &RunnerState,
    (checks, proofs): (&[ComponentChecks], &Proofs),
    now: Timestamp,
) -> Result<Option<Vec<SiteNight>>, Problem> {
    let mut told = Vec::new();
    for site in opened.context.access.sites.all() {
        if site.id.0 == PRACTICE {
            continue;
        }
        let states = SavedPlans::states_of(plans.to_vec(), &opened.context, &site, state).await?;
        let is_well = |plan: &PlanState| {
            matches!(plan, PlanState::Verified { .. } | PlanState::New | PlanState::Paused)
        };
        if !states.iter().all(|(_, state)| is_well(state)) {
            return Ok(None);
        }
        let plans: Vec<_> = states.into_iter().map(|(plan, _)| plan).collect();
        let is_back = |view: SiteProofView| {
            !view.is_waiting
                && view.unknown_import_at.is_none()
                && view.proof.is_none_or(|proof| proof.state == ProofState::Done)
        };
        if !proofs.shown(&opened.context, &site.id).await?.is_none_or(is_back) {
            return Ok(None);
        }
        let Some(of_site) = site_night(&site, &plans, state, checks, now) else { return Ok(None) };
        told.push(of_site);
    }
    Ok(Some(told))
}

/// Returns the facts of a site for the message; `None` if a service does not run, or something expires within a week.
fn site_night(
    site: &Site,
    plans: &[BackupPlan],
    state: &RunnerState,
    checks: &[ComponentChecks],
    now: Timestamp,
) -> Option<SiteNight> {
    let ends = |expiry: &Expiry| match expiry.what {
        // An invitation is valid for three days: it is always near its end, and nothing stops when it expires.
        Expiring::Invitation { .. } => false,
        _ => is_told(expiry) && expiry.days_left() <= WEEK,
    };
    if of_site(site, checks, &needed_sessions(plans.iter()), now).iter().any(ends) {
        return None;
    }
    let mut services = Some(CheckedServices { should_run: 0, running: 0, checked_at: Millis::from(now) });
    let components = site.components();
    let servers = || components.iter().filter(|component| component.server().is_some());
    for server in servers() {
        let check = find(checks, server).and_then(|checks| checks.services.last());
        if check.is_some_and(|check| check.failed() > 0 || check.earlier.is_some()) {
            return None;
        }
        services = services.zip(check.filter(|check| check.is_whole())).map(|(all, check)| CheckedServices {
            should_run: all.should_run + check.should_run,
            running: all.running + check.running,
            checked_at: all.checked_at.min(check.checked_at),
        });
    }
    let ran = plans.iter().filter_map(|plan| plan_night(plan, state.of(plan)));
    let (plans, has_server) = (ran.collect(), servers().next().is_some());
    Some(SiteNight { name: site.name.clone(), plans, services: services.filter(|_| has_server), has_server })
}

fn plan_night(plan: &BackupPlan, progress: PlanProgress) -> Option<PlanNight> {
    let last = progress.last?;
    let names_of = |is_so: fn(&SetPart) -> bool| {
        last.parts.iter().filter(|part| is_so(part)).map(|part| part.name.clone()).collect()
    };
    Some(PlanNight {
        name: plan.name.clone(),
        at: last.at,
        unverified: names_of(|part| part.state != PartState::VerifiedHere),
        warned: names_of(|part| part.warnings.is_some()),
    })
}
