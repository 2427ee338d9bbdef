//! Commands for the check whether a site is back.

use steward_app::steward::Steward;
use steward_core::history::guided_tour;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::model::site_proof::SiteProofView;
use tauri::State;

/// Returns the last check whether a site is back, and the wait until it is; `null` if it was never checked. Sends
/// nothing.
#[tauri::command]
#[specta::specta]
pub(crate) async fn site_proof(
    steward: State<'_, Steward>,
    site: SiteId,
) -> Result<Option<SiteProofView>, Problem> {
    steward.proofs.shown(&steward.context, &site).await
}

/// Checks in the background whether a site is back, and again until it is. Nothing is changed.
#[tauri::command]
#[specta::specta]
pub(crate) fn check_site_back(steward: State<'_, Steward>, site: SiteId) -> Result<SiteProofView, Problem> {
    let view = steward.proofs.check_again(&steward.context, &site)?;
    guided_tour::checked_whole_site(&steward.tour, &view);
    Ok(view)
}

/// Ends the checks whether a site is back. What was found stays.
#[tauri::command]
#[specta::specta]
pub(crate) fn stop_site_check(steward: State<'_, Steward>, site: SiteId) {
    steward.proofs.stop(&site);
}
