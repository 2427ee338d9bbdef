//! Commands for the practice site, which runs on request, on this computer, and as long as the app.

use steward_core::actions::sign_in::SessionView;
use steward_core::model::problem::Problem;
use steward_core::steward::Steward;
use tauri::State;

use crate::practice::{self, Practice, PracticeView};

/// Starts the practice site, if it is not running.
///
/// # Errors
/// Those of [`practice::start`].
#[tauri::command]
#[specta::specta]
pub async fn start_practice(
    steward: State<'_, Steward>,
    practice: State<'_, Practice>,
) -> Result<PracticeView, Problem> {
    practice::start(&steward, &practice).await
}

/// Returns the practice site; `null` if it is not running.
///
/// # Errors
/// Those of [`Practice::now`].
#[tauri::command]
#[specta::specta]
pub async fn practice(
    steward: State<'_, Steward>,
    practice: State<'_, Practice>,
) -> Result<Option<PracticeView>, Problem> {
    practice.now(&steward).await
}

/// Signs in to the practice site as one of its users.
///
/// # Errors
/// Those of [`practice::enter`].
#[tauri::command]
#[specta::specta]
pub async fn sign_in_to_practice(
    steward: State<'_, Steward>,
    practice: State<'_, Practice>,
    username: String,
) -> Result<SessionView, Problem> {
    practice::enter(&steward, &practice, &username).await
}

/// Returns the password of a user, for adding the practice site by its address. It was generated at the first start,
/// and is valid for this site only.
///
/// # Errors
/// Those of [`practice::password_of`].
#[tauri::command]
#[specta::specta]
pub async fn practice_password(practice: State<'_, Practice>, username: String) -> Result<String, Problem> {
    Ok(practice::password_of(&practice, &username).await?.expose().clone())
}

/// Stops the practice site. Its content remains for the next start.
///
/// # Errors
/// None: Tauri requires a `Result` here.
#[tauri::command]
#[specta::specta]
pub async fn stop_practice(practice: State<'_, Practice>) -> Result<(), Problem> {
    practice.stop().await;
    Ok(())
}
