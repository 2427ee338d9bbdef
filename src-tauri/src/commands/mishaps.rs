//! What goes wrong on the practice site, on demand.

use steward_core::host::Host;
use steward_core::model::problem::Problem;
use tauri::State;

use crate::mishaps::{self, MishapOrder};
use crate::practice::{self, Practice, PracticeView};

/// The mishaps that are still to come, in the order in which they were ordered.
#[tauri::command]
#[specta::specta]
pub async fn list_mishaps(practice: State<'_, Practice>) -> Result<Vec<MishapOrder>, Problem> {
    Ok(mishaps::ordered(&practice).await)
}

/// Orders a mishap.
#[tauri::command]
#[specta::specta]
pub async fn order_mishap(
    host: State<'_, Host>,
    practice: State<'_, Practice>,
    order: MishapOrder,
) -> Result<Vec<MishapOrder>, Problem> {
    mishaps::order_one(&host, &practice, order).await
}

/// Takes back every ordered mishap.
#[tauri::command]
#[specta::specta]
pub async fn clear_mishaps(practice: State<'_, Practice>) -> Result<Vec<MishapOrder>, Problem> {
    practice.with(practice_site::PracticeSite::clear_mishaps).await;
    Ok(mishaps::ordered(&practice).await)
}

/// Puts the practice site back as it was at its first start. Whoever was signed in is signed out.
#[tauri::command]
#[specta::specta]
pub async fn reset_practice(
    host: State<'_, Host>,
    practice: State<'_, Practice>,
) -> Result<PracticeView, Problem> {
    practice::reset(&host, &practice).await
}
