//! Commands for saved sites, for the search of a new one, and for site profiles.

use serde::Serialize;
use steward_app::steward::Steward;
use steward_command::command;
use steward_core::access::discovery;
use steward_core::access::found_site::{FoundServerView, FoundView};
use steward_core::actions::profile_files::ProfileFile;
use steward_core::actions::sites::SiteView;
use steward_core::actions::{certificate_files, profile_files, sites};
use steward_core::model::ids::{ServerId, SiteId};
use steward_core::model::saved_file::SaveResult;
use steward_core::sites::profiles::Profile;
use steward_core::sites::{ConnectionForm, Site, SiteForm, TrustedCertificateView};
use steward_plans::profiles;
use tauri::State;

use super::{Program, Reply};
use crate::plan_scheduler::PlanScheduler;

/// Returns all saved sites.
#[command]
pub(crate) fn list_sites(steward: Program<'_>) -> Vec<SiteView> {
    sites::views(&steward.context)
}

/// Adds or changes a site.
#[command]
pub(crate) async fn save_site(steward: Program<'_>, form: SiteForm) -> Reply<SiteView> {
    let Steward { context, preferences, dialogs, .. } = &*steward;
    let (saved, program) = (&context.access.sites, preferences.get().connection);
    certificate_files::check(saved, form.id.as_ref(), &program, dialogs, &form.connection)?;
    sites::save(context, &form).await
}

/// Unlocks a read-only site for 15 minutes. The reason is recorded in the history first.
#[command]
pub(crate) async fn unlock_site(steward: Program<'_>, site: SiteId, reason: String) -> Reply<SiteView> {
    sites::unlock_site(&steward.context, site, reason).await
}

/// Locks a read-only site before its unlock ends.
#[command]
pub(crate) async fn lock_site(steward: Program<'_>, site: SiteId) -> Reply<SiteView> {
    sites::lock_site(&steward.context, site).await
}

/// Removes a site with its tokens, passwords, unsaved invitations, and backup plans. Its history and its sets remain. A production site requires
/// a reason, and a read-only site an unlock.
#[command]
pub(crate) async fn remove_site(
    steward: Program<'_>,
    scheduler: State<'_, PlanScheduler>,
    site: SiteId,
    reason: String,
) -> Reply<()> {
    sites::remove(&steward.context, &site, &reason).await?;
    let forgotten = steward.plans.forget_site(&steward.context, &site).await;
    scheduler.follow(steward.plans.all()).await;
    forgotten
}

/// Stores the order of the sites. Sites that `order` does not contain come last.
#[command]
pub(crate) fn order_sites(steward: Program<'_>, order: Vec<SiteId>) -> Reply<Vec<SiteView>> {
    sites::order_sites(&steward.context, order)
}

/// Sets the server that the forms of a site begin with.
#[command]
pub(crate) fn choose_server(steward: Program<'_>, site: SiteId, server: ServerId) -> Reply<SiteView> {
    sites::choose(&steward.context, &site, server)
}

/// Trusts a certificate for one origin of a site.
#[command]
pub(crate) async fn trust_certificate(
    steward: Program<'_>,
    site: SiteId,
    certificate: TrustedCertificateView,
) -> Reply<SiteView> {
    sites::trust(&steward.context, &site, &certificate).await
}

/// Confirms that an address is part of a site, so that credentials may be sent there.
#[command]
pub(crate) async fn confirm_address(steward: Program<'_>, site: SiteId, address: String) -> Reply<SiteView> {
    sites::confirm(&steward.context, &site, &address).await
}

/// Finds the site behind a pasted host or URL. No credentials are sent. `site` is the saved site that is edited, whose
/// stored passwords the connection can use.
#[command]
pub(crate) async fn find_site(
    steward: Program<'_>,
    site: Option<SiteId>,
    pasted: String,
    connection: ConnectionForm,
) -> Reply<FoundView> {
    let Steward { context, preferences, dialogs, .. } = &*steward;
    let (sites, program) = (&context.access.sites, preferences.get().connection);
    certificate_files::check(sites, site.as_ref(), &program, dialogs, &connection)?;
    discovery::look(&context.access, site.as_ref(), &pasted, &connection).await
}

/// Returns the servers that the portal of a site lists, with their reachable addresses. Requires a session.
#[command]
pub(crate) async fn find_servers(steward: Program<'_>, site: SiteId) -> Reply<Vec<FoundServerView>> {
    discovery::servers(&steward.context.access, &site).await
}

/// Exports the profiles of sites, without secrets, to a file that the user chooses.
#[command]
pub(crate) async fn save_profiles(steward: Program<'_>, sites: Vec<SiteId>) -> Reply<SaveResult> {
    let plans = steward.plans.all();
    let plans_of = |site: &Site| profiles::of_site(site, &plans);
    profile_files::save(&steward.context, &steward.dialogs, &sites, plans_of).await
}

/// Reads the profiles of a file that the user chooses. Nothing is saved.
#[command]
pub(crate) async fn open_profiles(steward: Program<'_>) -> Reply<ProfileFile> {
    profile_files::open(&steward.context.access.sites, &steward.dialogs).await
}

/// Adds the site of a profile under a name. `confirmed` contains the addresses at other hosts that the user confirmed.
#[command]
pub(crate) async fn add_profile(
    steward: Program<'_>,
    profile: Profile,
    name: String,
    confirmed: Vec<String>,
) -> Reply<AddedProfile> {
    let added = profile_files::add(&steward.context, profile.clone(), name, &confirmed).await?;
    // The site is added, and can be used, even if its plans cannot be.
    let policy = &steward.preferences.policy;
    let plans = steward.plans.add_from_profile(&steward.context, policy, &added.id, &profile).await;
    let plans = plans.unwrap_or_else(|problem| {
        tracing::warn!(?problem, "the backup plans of a profile are not added");
        0
    });
    Ok(AddedProfile { site: added, plans })
}

/// A site that was added from a profile.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AddedProfile {
    /// The site.
    site: SiteView,
    /// Number of backup plans that were added with the site. Plans of the profile are left out if they cannot be read,
    /// or are not allowed here.
    plans: u32,
}
