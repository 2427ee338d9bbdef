//! Commands for the practice site, its simulated faults, and the guided tour.

use steward_command::command;
use steward_core::actions::sign_in::SessionView;
use steward_core::history::guided_tour;
use steward_core::history::guided_tour::GuidedTourView;
use tauri::State;

use super::{Program, Reply};
use crate::fault_injection::FaultRule;
use crate::practice::{Practice, PracticeView};
use crate::{fault_injection, practice};

/// Starts the practice site, if it is not running.
#[command]
pub(crate) async fn start_practice(
    steward: Program<'_>,
    practice: State<'_, Practice>,
) -> Reply<PracticeView> {
    practice::start(&steward, &practice).await
}

/// Starts the practice site that is marked as test, if it is not running, and signs in as its administrator.
#[command]
pub(crate) async fn start_practice_test(
    steward: Program<'_>,
    practice: State<'_, Practice>,
) -> Reply<SessionView> {
    practice::start_test(&steward, &practice).await
}

/// Returns the practice site; `null` if it is not running.
#[command]
pub(crate) async fn practice(
    steward: Program<'_>,
    practice: State<'_, Practice>,
) -> Reply<Option<PracticeView>> {
    practice.now(&steward).await
}

/// Signs in to the practice site as one of its users.
#[command]
pub(crate) async fn sign_in_to_practice(
    steward: Program<'_>,
    practice: State<'_, Practice>,
    username: String,
) -> Reply<SessionView> {
    practice::enter(&steward, &practice, &username).await
}

/// Returns the password of a user, for adding the practice site by its address. It was generated at the first start,
/// and is valid for this site only.
#[command]
pub(crate) async fn practice_password(practice: State<'_, Practice>, username: String) -> Reply<String> {
    Ok(practice::password_of(&practice, &username).await?.expose().clone())
}

/// Changes one byte of a file of the newest backup set of the practice site; returns its path, or `null` if no set has one.
#[command]
pub(crate) async fn damage_practice_set(steward: Program<'_>) -> Reply<Option<String>> {
    practice::damage_set(&steward).await
}

/// Has the servers of the practice site accept `.agssite` files as uploads, or not.
#[command]
pub(crate) async fn accept_site_files(
    steward: Program<'_>,
    practice: State<'_, Practice>,
    accept: bool,
) -> Reply<PracticeView> {
    practice::accept_site_files(&steward, &practice, accept).await
}

/// Stops both practice sites. Their content remains for the next start.
#[command]
pub(crate) async fn stop_practice(practice: State<'_, Practice>) -> Reply<()> {
    practice.stop().await;
    Ok(())
}

/// Returns the active faults, in the order in which they were added.
#[command]
pub(crate) async fn list_faults(practice: State<'_, Practice>) -> Reply<Vec<FaultRule>> {
    Ok(fault_injection::active(&practice).await)
}

/// Adds a fault, and returns the active ones.
#[command]
pub(crate) async fn add_fault(
    steward: Program<'_>,
    practice: State<'_, Practice>,
    rule: FaultRule,
) -> Reply<Vec<FaultRule>> {
    fault_injection::add(&steward.tour, &practice, rule).await
}

/// Removes all active faults.
#[command]
pub(crate) async fn clear_faults(practice: State<'_, Practice>) -> Reply<Vec<FaultRule>> {
    fault_injection::clear(&practice).await;
    Ok(fault_injection::active(&practice).await)
}

/// Changes the configuration of the first server of the practice site, as another administrator could have done.
#[command]
pub(crate) async fn simulate_changes(steward: Program<'_>, practice: State<'_, Practice>) -> Reply<()> {
    practice::simulate_changes(&steward.tour, &practice).await
}

/// Resets the practice site to its initial state, and signs the user out.
#[command]
pub(crate) async fn reset_practice(
    steward: Program<'_>,
    practice: State<'_, Practice>,
) -> Reply<PracticeView> {
    practice::reset(&steward, &practice).await
}

/// Returns the progress of the tour.
#[command]
pub(crate) async fn guided_tour(steward: Program<'_>) -> Reply<GuidedTourView> {
    guided_tour::view(&steward.tour, &steward.context.history).await
}

/// Begins the tour at its first step.
#[command]
pub(crate) async fn start_tour(steward: Program<'_>) -> Reply<GuidedTourView> {
    steward.tour.begin();
    guided_tour::view(&steward.tour, &steward.context.history).await
}

/// Ends the tour.
#[command]
pub(crate) async fn end_tour(steward: Program<'_>) -> Reply<GuidedTourView> {
    steward.tour.end();
    guided_tour::view(&steward.tour, &steward.context.history).await
}

/// Collapses or expands the panel of the tour.
#[command]
pub(crate) async fn collapse_tour(steward: Program<'_>, folded: bool) -> Reply<GuidedTourView> {
    steward.tour.fold(folded);
    guided_tour::view(&steward.tour, &steward.context.history).await
}
