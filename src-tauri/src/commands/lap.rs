//! The guided first lap.

use steward_core::host::Host;
use steward_core::lap;
use steward_core::lap::LapView;
use steward_core::problem::Problem;
use tauri::State;

/// How far the lap is.
#[tauri::command]
#[specta::specta]
pub async fn guided_lap(host: State<'_, Host>) -> Result<LapView, Problem> {
    lap::view(&host).await
}

/// Begins the lap at its first step.
#[tauri::command]
#[specta::specta]
pub async fn begin_lap(host: State<'_, Host>) -> Result<LapView, Problem> {
    host.lap.begin();
    lap::view(&host).await
}

/// Ends the lap, however far it is.
#[tauri::command]
#[specta::specta]
pub async fn end_lap(host: State<'_, Host>) -> Result<LapView, Problem> {
    host.lap.end();
    lap::view(&host).await
}

/// Folds the panel of the lap, or unfolds it.
#[tauri::command]
#[specta::specta]
pub async fn fold_lap(host: State<'_, Host>, folded: bool) -> Result<LapView, Problem> {
    host.lap.fold(folded);
    lap::view(&host).await
}
