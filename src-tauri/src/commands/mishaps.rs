//! What goes wrong on the practice site, on demand.

use tauri::State;

use super::practice::{self, Practice, PracticeView};
use crate::host::Host;
use crate::lap::LapStep;
use crate::mishaps::{Mishap, MishapOrder};
use crate::problem::Problem;

/// The mishaps that are still to come, in the order in which they were ordered.
#[tauri::command]
#[specta::specta]
pub async fn list_mishaps(practice: State<'_, Practice>) -> Result<Vec<MishapOrder>, Problem> {
    Ok(ordered(&practice).await)
}

/// Orders a mishap.
#[tauri::command]
#[specta::specta]
pub async fn order_mishap(
    host: State<'_, Host>,
    practice: State<'_, Practice>,
    order: MishapOrder,
) -> Result<Vec<MishapOrder>, Problem> {
    order_one(&host, &practice, order).await
}

/// Takes back every ordered mishap.
#[tauri::command]
#[specta::specta]
pub async fn clear_mishaps(practice: State<'_, Practice>) -> Result<Vec<MishapOrder>, Problem> {
    practice.with(practice_site::PracticeSite::clear_mishaps).await;
    Ok(ordered(&practice).await)
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

/// What is ordered; nothing on a site that does not run.
pub async fn ordered(practice: &Practice) -> Vec<MishapOrder> {
    let orders = practice.with(practice_site::PracticeSite::mishaps).await.unwrap_or_default();
    orders.into_iter().filter_map(MishapOrder::of).collect()
}

/// Orders one, and says what is ordered now.
pub async fn order_one(
    host: &Host,
    practice: &Practice,
    order: MishapOrder,
) -> Result<Vec<MishapOrder>, Problem> {
    let told = practice.with(|site| site.order_mishap(order.ordered())).await;
    told.ok_or_else(|| Problem::Unexpected { message: "the practice site is not running".to_owned() })?;
    if order.mishap == Mishap::ServiceWillNotStart {
        host.lap.saw(LapStep::OrderMishap);
    }
    Ok(ordered(practice).await)
}
