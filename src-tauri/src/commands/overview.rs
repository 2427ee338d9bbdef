//! Commands for the overview of a site, and for the list of all sites.

use steward_app::overview;
use steward_app::overview::{ComponentCheck, SiteOverview, SiteSummary};
use steward_app::steward::Steward;
use steward_core::expiry;
use steward_core::history::guided_tour::GuidedTourStep;
use steward_core::model::expiry::Expiring;
use steward_core::model::ids::{PRACTICE, SiteId};
use steward_core::model::numbers::Millis;
use steward_core::model::problem::Problem;
use tauri::State;

/// Returns what needs attention on a site, and the facts of its portal and servers. Sends nothing.
#[tauri::command]
#[specta::specta]
pub(crate) async fn site_overview(
    steward: State<'_, Steward>,
    site: SiteId,
) -> Result<SiteOverview, Problem> {
    overview::site_overview(&steward.context, &steward.invitation_files.unsaved, &steward.plans, &site).await
}

/// Returns what needs attention most on each site. Sends nothing.
#[tauri::command]
#[specta::specta]
pub(crate) async fn all_overviews(steward: State<'_, Steward>) -> Result<Vec<SiteSummary>, Problem> {
    overview::all_sites(&steward.context, &steward.invitation_files.unsaved, &steward.plans).await
}

/// Checks the portal and the servers of a site where a user is signed in. Nothing is changed. Returns those of which a
/// check failed.
#[tauri::command]
#[specta::specta]
pub(crate) async fn check_site(
    steward: State<'_, Steward>,
    site: SiteId,
) -> Result<Vec<ComponentCheck>, Problem> {
    let failed = overview::check_site(&steward.context, &site).await?;
    if site.0 == PRACTICE && has_license_that_expires(&steward, &site) {
        steward.tour.saw(GuidedTourStep::FindExpiring);
    }
    Ok(failed)
}

fn has_license_that_expires(steward: &Steward, site: &SiteId) -> bool {
    let access = &steward.context.access;
    let Ok(site) = access.sites.get(site) else { return false };
    let soon = expiry::of_site(&site, &access.checked.all(), &[], Millis::now().timestamp());
    soon.iter().any(|one| matches!(one.what, Expiring::License { .. }))
}
