//! Commands for the practice site, its simulated faults, and the guided tour.

use steward_app::steward::Steward;
use steward_core::actions::sign_in::SessionView;
use steward_core::history::guided_tour;
use steward_core::history::guided_tour::GuidedTourView;
use steward_core::model::problem::Problem;
use tauri::State;

use crate::fault_injection::FaultRule;
use crate::practice::{Practice, PracticeView};
use crate::{fault_injection, practice};

/// Starts the practice site, if it is not running.
#[tauri::command]
#[specta::specta]
pub(crate) async fn start_practice(
    steward: State<'_, Steward>,
    practice: State<'_, Practice>,
) -> Result<PracticeView, Problem> {
    practice::start(&steward, &practice).await
}

/// Starts the practice site that is marked as test, if it is not running, and signs in as its administrator.
#[tauri::command]
#[specta::specta]
pub(crate) async fn start_practice_test(
    steward: State<'_, Steward>,
    practice: State<'_, Practice>,
) -> Result<SessionView, Problem> {
    practice::start_test(&steward, &practice).await
}

/// Returns the practice site; `null` if it is not running.
#[tauri::command]
#[specta::specta]
pub(crate) async fn practice(
    steward: State<'_, Steward>,
    practice: State<'_, Practice>,
) -> Result<Option<PracticeView>, Problem> {
    practice.now(&steward).await
}

/// Signs in to the practice site as one of its users.
#[tauri::command]
#[specta::specta]
pub(crate) async fn sign_in_to_practice(
    steward: State<'_, Steward>,
    practice: State<'_, Practice>,
    username: String,
) -> Result<SessionView, Problem> {
    practice::enter(&steward, &practice, &username).await
}

/// Returns the password of a user, for adding the practice site by its address. It was generated at the first start,
/// and is valid for this site only.
#[tauri::command]
#[specta::specta]
pub(crate) async fn practice_password(
    practice: State<'_, Practice>,
    username: String,
) -> Result<String, Problem> {
    Ok(practice::password_of(&practice, &username).await?.expose().clone())
}

/// Changes one byte of a file of the newest backup set of the practice site; returns its path, or `null` if no set has
/// one.
#[tauri::command]
#[specta::specta]
pub(crate) async fn damage_practice_set(steward: State<'_, Steward>) -> Result<Option<String>, Problem> {
    practice::damage_set(&steward).await
}

/// Has the servers of the practice site accept `.agssite` files as uploads, or not.
#[tauri::command]
#[specta::specta]
pub(crate) async fn accept_site_files(
    steward: State<'_, Steward>,
    practice: State<'_, Practice>,
    accept: bool,
) -> Result<PracticeView, Problem> {
    practice::accept_site_files(&steward, &practice, accept).await
}

/// Stops both practice sites. Their content remains for the next start.
#[tauri::command]
#[specta::specta]
pub(crate) async fn stop_practice(practice: State<'_, Practice>) -> Result<(), Problem> {
    practice.stop().await;
    Ok(())
}

/// Returns the active faults, in the order in which they were added.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_faults(practice: State<'_, Practice>) -> Result<Vec<FaultRule>, Problem> {
    Ok(fault_injection::active(&practice).await)
}

/// Adds a fault, and returns the active ones.
#[tauri::command]
#[specta::specta]
pub(crate) async fn add_fault(
    steward: State<'_, Steward>,
    practice: State<'_, Practice>,
    rule: FaultRule,
) -> Result<Vec<FaultRule>, Problem> {
    fault_injection::add(&steward.tour, &practice, rule).await
}

/// Removes all active faults.
#[tauri::command]
#[specta::specta]
pub(crate) async fn clear_faults(practice: State<'_, Practice>) -> Result<Vec<FaultRule>, Problem> {
    fault_injection::clear(&practice).await;
    Ok(fault_injection::active(&practice).await)
}

/// Changes the configuration of the first server of the practice site, as another administrator could have done.
#[tauri::command]
#[specta::specta]
pub(crate) async fn simulate_changes(
    steward: State<'_, Steward>,
    practice: State<'_, Practice>,
) -> Result<(), Problem> {
    practice::simulate_changes(&steward.tour, &practice).await
}

/// Resets the practice site to its initial state, and signs the user out.
#[tauri::command]
#[specta::specta]
pub(crate) async fn reset_practice(
    steward: State<'_, Steward>,
    practice: State<'_, Practice>,
) -> Result<PracticeView, Problem> {
    practice::reset(&steward, &practice).await
}

/// Returns the progress of the tour.
#[tauri::command]
#[specta::specta]
pub(crate) async fn guided_tour(steward: State<'_, Steward>) -> Result<GuidedTourView, Problem> {
    guided_tour::view(&steward.tour, &steward.context.history).await
}

/// Begins the tour at its first step.
#[tauri::command]
#[specta::specta]
pub(crate) async fn start_tour(steward: State<'_, Steward>) -> Result<GuidedTourView, Problem> {
    steward.tour.begin();
    guided_tour::view(&steward.tour, &steward.context.history).await
}

/// Ends the tour.
#[tauri::command]
#[specta::specta]
pub(crate) async fn end_tour(steward: State<'_, Steward>) -> Result<GuidedTourView, Problem> {
    steward.tour.end();
    guided_tour::view(&steward.tour, &steward.context.history).await
}

/// Collapses or expands the panel of the tour.
#[tauri::command]
#[specta::specta]
pub(crate) async fn collapse_tour(
    steward: State<'_, Steward>,
    folded: bool,
) -> Result<GuidedTourView, Problem> {
    steward.tour.fold(folded);
    guided_tour::view(&steward.tour, &steward.context.history).await
}
