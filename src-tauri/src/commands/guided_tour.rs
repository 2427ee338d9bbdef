//! Commands for the guided tour.

use steward_core::history::guided_tour;
use steward_core::history::guided_tour::GuidedTourView;
use steward_core::model::problem::Problem;
use steward_core::steward::Steward;
use tauri::State;

/// Returns the progress of the tour.
///
/// # Errors
/// Those of [`guided_tour::view`].
#[tauri::command]
#[specta::specta]
pub async fn guided_tour(steward: State<'_, Steward>) -> Result<GuidedTourView, Problem> {
    guided_tour::view(&steward.tour, &steward.context.history).await
}

/// Begins the tour at its first step.
///
/// # Errors
/// Those of [`guided_tour::view`].
#[tauri::command]
#[specta::specta]
pub async fn start_tour(steward: State<'_, Steward>) -> Result<GuidedTourView, Problem> {
    steward.tour.begin();
    guided_tour::view(&steward.tour, &steward.context.history).await
}

/// Ends the tour.
///
/// # Errors
/// Those of [`guided_tour::view`].
#[tauri::command]
#[specta::specta]
pub async fn end_tour(steward: State<'_, Steward>) -> Result<GuidedTourView, Problem> {
    steward.tour.end();
    guided_tour::view(&steward.tour, &steward.context.history).await
}

/// Collapses or expands the panel of the tour.
///
/// # Errors
/// Those of [`guided_tour::view`].
#[tauri::command]
#[specta::specta]
pub async fn collapse_tour(steward: State<'_, Steward>, folded: bool) -> Result<GuidedTourView, Problem> {
    steward.tour.fold(folded);
    guided_tour::view(&steward.tour, &steward.context.history).await
}
