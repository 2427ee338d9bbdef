//! Commands for the overview of a site, and for the list of all sites.

use steward_app::overview;
use steward_app::overview::{ComponentCheck, SiteOverview, SiteSummary};
use steward_command::command;
use steward_core::expiry;
use steward_core::history::guided_tour::{self, GuidedTourStep};
use steward_core::model::ids::SiteId;
use steward_core::model::numbers::Millis;

use super::{Program, Reply};

/// Returns what needs attention on a site, and the facts of its portal and servers. Sends nothing.
#[command]
pub(crate) async fn site_overview(steward: Program<'_>, site: SiteId) -> Reply<SiteOverview> {
    steward.overviews().of_site(&site).await
}

/// Returns what needs attention most on each site. Sends nothing.
#[command]
pub(crate) async fn all_overviews(steward: Program<'_>) -> Reply<Vec<SiteSummary>> {
    steward.overviews().of_all_sites().await
}

/// Checks the portal and the servers of a site where a user is signed in. Nothing is changed. Returns those of which a
/// check failed.
#[command]
pub(crate) async fn check_site(steward: Program<'_>, site: SiteId) -> Reply<Vec<ComponentCheck>> {
    let failed = overview::check_site(&steward.context, &site).await?;
    let access = &steward.context.access;
    if let Ok(saved) = access.sites.get(&site) {
        let soon = expiry::of_site(&saved, &access.checked.all(), &[], Millis::now().timestamp());
        guided_tour::found_expiring(&steward.tour, &soon);
    }
    if steward.overviews().of_site(&site).await.is_ok_and(|overview| overview.recoverable.has_verified()) {
        guided_tour::saw_at(&steward.tour, GuidedTourStep::SeeRecoverable, &site);
    }
    Ok(failed)
}
