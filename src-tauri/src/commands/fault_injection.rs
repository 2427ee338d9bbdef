//! Commands for simulated faults of the practice site.

use steward_core::model::problem::Problem;
use steward_core::steward::Steward;
use tauri::State;

use crate::fault_injection::{self, FaultRule};
use crate::practice::{self, Practice, PracticeView};

/// Returns the active faults, in the order in which they were added.
///
/// # Errors
/// None: Tauri requires a `Result` here.
#[tauri::command]
#[specta::specta]
pub async fn list_faults(practice: State<'_, Practice>) -> Result<Vec<FaultRule>, Problem> {
    Ok(fault_injection::active(&practice).await)
}

/// Adds a fault, and returns the active ones.
///
/// # Errors
/// Those of [`fault_injection::add`].
#[tauri::command]
#[specta::specta]
pub async fn add_fault(
    steward: State<'_, Steward>,
    practice: State<'_, Practice>,
    rule: FaultRule,
) -> Result<Vec<FaultRule>, Problem> {
    fault_injection::add(&steward.tour, &practice, rule).await
}

/// Removes all active faults.
///
/// # Errors
/// None: Tauri requires a `Result` here.
#[tauri::command]
#[specta::specta]
pub async fn clear_faults(practice: State<'_, Practice>) -> Result<Vec<FaultRule>, Problem> {
    practice.with(practice_site::PracticeSite::clear_faults).await;
    Ok(fault_injection::active(&practice).await)
}

/// Resets the practice site to its initial state, and signs the user out.
///
/// # Errors
/// Those of [`practice::reset`].
#[tauri::command]
#[specta::specta]
pub async fn reset_practice(
    steward: State<'_, Steward>,
    practice: State<'_, Practice>,
) -> Result<PracticeView, Problem> {
    practice::reset(&steward, &practice).await
}
