//! The guided first lap.

use steward_core::history::guided_tour;
use steward_core::history::guided_tour::LapView;
use steward_core::host::Host;
use steward_core::model::problem::Problem;
use tauri::State;

/// How far the lap is.
#[tauri::command]
#[specta::specta]
pub async fn guided_lap(host: State<'_, Host>) -> Result<LapView, Problem> {
    guided_tour::view(&host).await
}

/// Begins the lap at its first step.
#[tauri::command]
#[specta::specta]
pub async fn begin_lap(host: State<'_, Host>) -> Result<LapView, Problem> {
    host.lap.begin();
    guided_tour::view(&host).await
}

/// Ends the lap, however far it is.
#[tauri::command]
#[specta::specta]
pub async fn end_lap(host: State<'_, Host>) -> Result<LapView, Problem> {
    host.lap.end();
    guided_tour::view(&host).await
}

/// Folds the panel of the lap, or unfolds it.
#[tauri::command]
#[specta::specta]
pub async fn fold_lap(host: State<'_, Host>, folded: bool) -> Result<LapView, Problem> {
    host.lap.fold(folded);
    guided_tour::view(&host).await
}
