//! Commands for the check whether a site is back.

use steward_command::command;
use steward_core::history::guided_tour;
use steward_core::model::ids::SiteId;
use steward_core::model::site_proof::SiteProofView;

use super::{Program, Reply};

/// Returns the last check whether a site is back, and the wait until it is; `null` if it was never checked. Sends nothing.
#[command]
pub(crate) async fn site_proof(steward: Program<'_>, site: SiteId) -> Reply<Option<SiteProofView>> {
    steward.proofs.shown(&steward.context, &site).await
}

/// Checks in the background whether a site is back, and again until it is. Nothing is changed.
#[command]
pub(crate) fn check_site_back(steward: Program<'_>, site: SiteId) -> Reply<SiteProofView> {
    let view = steward.proofs.check_again(&steward.context, &site)?;
    guided_tour::checked_whole_site(&steward.tour, &view);
    Ok(view)
}

/// Ends the checks whether a site is back. What was found stays.
#[command]
pub(crate) fn stop_site_check(steward: Program<'_>, site: SiteId) {
    steward.proofs.stop(&site);
}
