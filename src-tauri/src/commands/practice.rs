//! The practice site: off until asked for, on this computer only, gone with the program.

use steward_core::actions::sign_in::SessionView;
use steward_core::host::Host;
use steward_core::model::problem::Problem;
use tauri::State;

use crate::practice::{self, Practice, PracticeView};

/// Starts the practice site, if it does not run yet.
#[tauri::command]
#[specta::specta]
pub async fn start_practice(
    host: State<'_, Host>,
    practice: State<'_, Practice>,
) -> Result<PracticeView, Problem> {
    practice::start(&host, &practice).await
}

/// The practice site, if it runs.
#[tauri::command]
#[specta::specta]
pub async fn practice(
    host: State<'_, Host>,
    practice: State<'_, Practice>,
) -> Result<Option<PracticeView>, Problem> {
    practice.now(&host).await
}

/// Signs in to the practice site as one of its users.
#[tauri::command]
#[specta::specta]
pub async fn sign_in_to_practice(
    host: State<'_, Host>,
    practice: State<'_, Practice>,
    username: String,
) -> Result<SessionView, Problem> {
    practice::enter(&host, &practice, &username).await
}

/// The password of one of its users, for whoever adds the practice site by its address. The site made it at its first
/// start; it opens nothing else.
#[tauri::command]
#[specta::specta]
pub async fn practice_password(practice: State<'_, Practice>, username: String) -> Result<String, Problem> {
    Ok(practice::password_of(&practice, &username).await?.expose().clone())
}

/// Stops the practice site. What it holds stays for the next time.
#[tauri::command]
#[specta::specta]
pub async fn stop_practice(practice: State<'_, Practice>) -> Result<(), Problem> {
    practice.stop().await;
    Ok(())
}
