//! Commands for saved sites, for the search of a new one, and for site profiles.

use serde::Serialize;
use steward_app::steward::Steward;
use steward_core::access::discovery;
use steward_core::access::found_site::{FoundServerView, FoundView};
use steward_core::actions::profile_files::ProfileFile;
use steward_core::actions::sites::SiteView;
use steward_core::actions::{certificate_files, profile_files, sites};
use steward_core::model::ids::{ServerId, SiteId};
use steward_core::model::problem::Problem;
use steward_core::model::saved_file::SaveResult;
use steward_core::sites::profiles::Profile;
use steward_core::sites::{ConnectionForm, Site, SiteForm, TrustedCertificateView};
use steward_plans::profiles;
use tauri::State;

use crate::plan_scheduler::PlanScheduler;

/// Returns all saved sites.
#[tauri::command]
#[specta::specta]
pub(crate) fn list_sites(steward: State<'_, Steward>) -> Vec<SiteView> {
    sites::views(&steward.context)
}

/// Adds or changes a site.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_site(steward: State<'_, Steward>, form: SiteForm) -> Result<SiteView, Problem> {
    let Steward { context, preferences, dialogs, .. } = &*steward;
    let (saved, program) = (&context.access.sites, preferences.get().connection);
    certificate_files::check(saved, form.id.as_ref(), &program, dialogs, &form.connection)?;
    sites::save(context, &form).await
}

/// Unlocks a read-only site for 15 minutes. The reason is recorded in the history first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn unlock_site(
    steward: State<'_, Steward>,
    site: SiteId,
    reason: String,
) -> Result<SiteView, Problem> {
    sites::unlock_site(&steward.context, site, reason).await
}

/// Locks a read-only site before its unlock ends.
#[tauri::command]
#[specta::specta]
pub(crate) async fn lock_site(steward: State<'_, Steward>, site: SiteId) -> Result<SiteView, Problem> {
    sites::lock_site(&steward.context, site).await
}

/// Removes a site with its tokens, passwords, unsaved invitations, and backup plans. Its history and its sets remain. A
/// production site requires a reason, and a read-only site an unlock.
#[tauri::command]
#[specta::specta]
pub(crate) async fn remove_site(
    steward: State<'_, Steward>,
    scheduler: State<'_, PlanScheduler>,
    site: SiteId,
    reason: String,
) -> Result<(), Problem> {
    sites::remove(&steward.context, &site, &reason).await?;
    let forgotten = steward.plans.forget_site(&steward.context, &site).await;
    scheduler.follow(steward.plans.all()).await;
    forgotten
}

/// Stores the order of the sites. Sites that `order` does not contain come last.
#[tauri::command]
#[specta::specta]
pub(crate) fn order_sites(steward: State<'_, Steward>, order: Vec<SiteId>) -> Result<Vec<SiteView>, Problem> {
    sites::order_sites(&steward.context, order)
}

/// Sets the server that the forms of a site begin with.
#[tauri::command]
#[specta::specta]
pub(crate) fn choose_server(
    steward: State<'_, Steward>,
    site: SiteId,
    server: ServerId,
) -> Result<SiteView, Problem> {
    sites::choose(&steward.context, &site, server)
}

/// Trusts a certificate for one origin of a site.
#[tauri::command]
#[specta::specta]
pub(crate) async fn trust_certificate(
    steward: State<'_, Steward>,
    site: SiteId,
    certificate: TrustedCertificateView,
) -> Result<SiteView, Problem> {
    sites::trust(&steward.context, &site, &certificate).await
}

/// Confirms that an address is part of a site, so that credentials may be sent there.
#[tauri::command]
#[specta::specta]
pub(crate) async fn confirm_address(
    steward: State<'_, Steward>,
    site: SiteId,
    address: String,
) -> Result<SiteView, Problem> {
    sites::confirm(&steward.context, &site, &address).await
}

/// Finds the site behind a pasted host or URL. No credentials are sent. `site` is the saved site that is edited, whose
/// stored passwords the connection can use.
#[tauri::command]
#[specta::specta]
pub(crate) async fn find_site(
    steward: State<'_, Steward>,
    site: Option<SiteId>,
    pasted: String,
    connection: ConnectionForm,
) -> Result<FoundView, Problem> {
    let Steward { context, preferences, dialogs, .. } = &*steward;
    let (sites, program) = (&context.access.sites, preferences.get().connection);
    certificate_files::check(sites, site.as_ref(), &program, dialogs, &connection)?;
    discovery::look(&context.access, site.as_ref(), &pasted, &connection).await
}

/// Returns the servers that the portal of a site lists, with their reachable addresses. Requires a session.
#[tauri::command]
#[specta::specta]
pub(crate) async fn find_servers(
    steward: State<'_, Steward>,
    site: SiteId,
) -> Result<Vec<FoundServerView>, Problem> {
    discovery::servers(&steward.context.access, &site).await
}

/// Exports the profiles of sites, without secrets, to a file that the user chooses.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_profiles(
    steward: State<'_, Steward>,
    sites: Vec<SiteId>,
) -> Result<SaveResult, Problem> {
    let plans = steward.plans.all();
    let plans_of = |site: &Site| profiles::of_site(site, &plans);
    profile_files::save(&steward.context, &steward.dialogs, &sites, plans_of).await
}

/// Reads the profiles of a file that the user chooses. Nothing is saved.
#[tauri::command]
#[specta::specta]
pub(crate) async fn open_profiles(steward: State<'_, Steward>) -> Result<ProfileFile, Problem> {
    profile_files::open(&steward.context.access.sites, &steward.dialogs).await
}

/// Adds the site of a profile under a name. `confirmed` contains the addresses at other hosts that the user confirmed.
#[tauri::command]
#[specta::specta]
pub(crate) async fn add_profile(
    steward: State<'_, Steward>,
    profile: Profile,
    name: String,
    confirmed: Vec<String>,
) -> Result<AddedProfile, Problem> {
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
    /// Number of backup plans that were added with it: some of the profile might not be readable, or not allowed here.
    plans: u32,
}
