//! Tells what is wrong with a plan, or with the files of the program, by the channels of its alerts.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::SystemTime;

use steward_core::files::data_folder::{DataFolderError, SITES};
use steward_core::settings::policy::PlansRule;
use steward_core::sites::{Site, Sites};
use steward_core::unreadable;

use super::alerts::fault::AlertFault;
use super::alerts::message::AlertMessage;
use super::alerts::send::{self, desktop_channel};
use super::alerts::settings::AlertChannels;
use super::alerts::state::{OpenAlert, about_files};
use super::alerts::when::{AlertAbout, Standing, Trouble, decide, standing};
use super::data_files;
use super::host::Host;
use super::plan::{BackupPlan, PlanId};
use super::plan_folder;
use super::services::{Opening, RunnerFiles, Services};
use super::shown::Shown;
use super::store::PlanProgress;

/// Sends the alert that is due about a plan, or the one before that did not reach all its channels. Returns whether it
/// is about a run that did not end well.
pub(crate) async fn tell(host: &impl Host, files: &RunnerFiles, plan: &BackupPlan) -> bool {
    let now = host.now();
    let progress = files.progress.read(|state| state.of(plan));
    let standing = standing(plan, &progress, now, &host.zone());
    let open = files.alerts.open_after(&plan.id, now, |told| decide(told, standing, now));
    let Some(open) = open else { return false };
    if host.send(plan, &progress, &open).await {
        files.alerts.close(&plan.id, &open);
    }
    matches!(open.about, AlertAbout::Trouble(trouble) if !matches!(trouble, Trouble::Overdue | Trouble::NotRemoved))
}

/// Sends the alert about a plan while another runner holds the data folder, and returns whether something is wrong. The
/// other runner might hang, and tell nothing. The alert that the trouble is over is left to it.
pub(crate) async fn beside(host: &impl Host, files: &RunnerFiles, plan: &BackupPlan) -> bool {
    let progress = files.progress.read(|state| state.of(plan));
    let is_wrong = matches!(standing(plan, &progress, host.now(), &host.zone()), Standing::Troubled(_));
    if is_wrong {
        tell(host, files, plan).await;
    }
    is_wrong
}

/// Sends an alert by the channels of a plan, and returns whether all got it.
pub(crate) async fn by_channels(
    services: &Services,
    plan: &BackupPlan,
    progress: &PlanProgress,
    alert: &OpenAlert,
) -> bool {
    let message = |site_name| {
        AlertMessage::of_plan(plan, progress, site_name, (alert.id.clone(), alert.about, alert.at))
    };
    let opened = match services.opened().await {
        Ok(opened) => opened,
        Err(error) => {
            let sites = Sites::open_read_only(&services.files.data_folder.join(SITES));
            let site = sites.ok().and_then(|sites| sites.get(&plan.site).ok());
            let message = message(site_name(site, plan).await);
            at_desk(services, &plan.id, alert, &message, &error).await;
            return false;
        }
    };
    let RunnerFiles { data_folder, alerts, .. } = &services.files;
    // There is no alert about a run that the policy forbids, because no user of this computer can change the policy,
    // nor about a plan that was deleted meanwhile, perhaps with its site. What is not told must not keep the next
    // failure silent.
    let saved = services.plans().into_iter().find(|saved| saved.id == plan.id);
    let Some(saved) = saved.filter(|_| opened.preferences.policy.plans_rule() != PlansRule::Forbidden) else {
        alerts.forget(&plan.id);
        return true;
    };
    let site_name = site_name(opened.context.access.sites.get(&plan.site).ok(), plan).await;
    let settings = AlertChannels::read(data_folder);
    // By the channels that it has now: its run might have taken hours.
    opened.sender(&settings).send(alerts, (&plan.id, &saved.alerts), alert, message(site_name)).await
}

/// Returns the name of the site of a plan; of one that is no longer saved, that of the newest set, and empty if there
/// is none.
async fn site_name(site: Option<Site>, plan: &BackupPlan) -> String {
    if let Some(site) = site {
        return site.name;
    }
    let sets = plan_folder::read_written(plan).await.map(|folder| folder.sets).unwrap_or_default();
    sets.into_iter().next().map(|newest| newest.set.site_name).unwrap_or_default()
}

/// Sends an alert about files that cannot be read and that decide what runs without a user, at once and then once a
/// day. Returns whether there are none. All channels get it: which plan has which might not be known.
pub(crate) async fn unreadable(host: &impl Host, services: &Services) -> bool {
    let RunnerFiles { data_folder, alerts, .. } = &services.files;
    let unreadable = unreadable::deciding(data_folder, data_files::FILES);
    if unreadable.is_empty() {
        alerts.forget_files();
        return true;
    }
    let names: BTreeSet<_> =
        unreadable.iter().map(|one| unreadable::name_of(one, data_files::FILES)).collect();
    let names = names.into_iter().collect::<Vec<_>>().join(", ");
    tracing::error!(names, "files of the program cannot be read");
    let (about, now) = (about_files(), host.now());
    let standing = Standing::Troubled(Trouble::Unreadable);
    let Some(open) = alerts.open_after(&about, now, |told| decide(told, standing, now)) else {
        return false;
    };
    let message = AlertMessage::of_files(&names, &open);
    let opened = match services.opened().await {
        Ok(opened) => opened,
        Err(error) => {
            at_desk(services, &about, &open, &message, &error).await;
            return false;
        }
    };
    let recorded = opened
        .context
        .history
        .journal(move |journal| unreadable::record(journal, data_files::FILES, &unreadable));
    if let Err(problem) = recorded.await {
        tracing::error!(?problem, "files that cannot be read were not written to the audit trail");
    }
    let settings = AlertChannels::read(data_folder);
    let channels: Vec<_> = settings.channels.iter().map(|channel| channel.id.clone()).collect();
    if opened.sender(&settings).send(alerts, (&about, &channels), &open, message).await {
        alerts.close(&about, &open);
    }
    false
}

/// Tells by the desktop that the data folder cannot be used: no plan runs then, and without its files no other channel
/// works.
pub(crate) async fn unusable(data_folder: &Path, opening: &Opening, error: &DataFolderError) {
    let message = AlertMessage::of_data_folder();
    if let Some(Err(fault)) = show_once(opening, data_folder, &about_files(), &message).await {
        tracing::error!(%error, ?fault, "the data folder cannot be used, and no user is told");
    }
}

/// Shows an alert by the desktop alone, once a day: without the sites or the history, which `error` is about, no other
/// channel works.
pub(crate) async fn at_desk(
    services: &Services,
    about: &PlanId,
    open: &OpenAlert,
    message: &AlertMessage,
    error: &str,
) {
    tracing::error!(error, plan = about.0, "an alert is shown by the desktop alone");
    let RunnerFiles { data_folder, alerts, .. } = &services.files;
    if open.channels.get(&desktop_channel()) == Some(&None) {
        return;
    }
    let shown = match (services.open)() {
        Ok(opening) => show_once(&opening, data_folder, about, message).await,
        Err(error) => Some(Err(AlertFault::NoDesktop { said: format!("{error:#}") })),
    };
    if let Some(shown) = shown {
        alerts.note(about, &desktop_channel(), shown.err());
    }
}

/// Shows a message by the desktop, and returns how that ended; `None` if the same was shown within a day. This is not
/// noted in the store of the alerts, whose disk might be full.
async fn show_once(
    Opening { policy, desktop, runtime_folder, .. }: &Opening,
    data_folder: &Path,
    about: &PlanId,
    message: &AlertMessage,
) -> Option<Result<(), AlertFault>> {
    let (shown, now) = (Shown::new(runtime_folder, data_folder, about, message.about), SystemTime::now());
    if !shown.is_news(now) {
        return None;
    }
    let settings = AlertChannels::read(data_folder);
    let ended = send::show(policy, &settings, &**desktop, message).await;
    if ended.is_ok() {
        shown.note(now);
    }
    Some(ended)
}
