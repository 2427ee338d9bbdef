//! Commands for the runner of backup plans, which is another process.

use serde::Serialize;
use steward_app::steward::Steward;
use steward_core::model::problem::Problem;
use steward_plans::exchange::{self, RunningPlan};
use steward_plans::plan::PlanId;
use tauri::State;

use crate::plan_scheduler::{PlanScheduler, RegistrationView};

/// What the runner does, and how it is registered.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunnerView {
    /// Plan that runs now; `null` if none does.
    pub(crate) running: Option<RunningPlan>,
    /// Registration with the scheduler of the system.
    pub(crate) registration: RegistrationView,
}

/// Returns what the runner does now.
#[tauri::command]
#[specta::specta]
pub(crate) async fn plan_runner(
    steward: State<'_, Steward>,
    scheduler: State<'_, PlanScheduler>,
) -> Result<RunnerView, Problem> {
    let running = exchange::running(&steward.data_folder);
    Ok(RunnerView { running, registration: scheduler.view() })
}

/// Runs a plan now, by the job that also starts it at night.
#[tauri::command]
#[specta::specta]
pub(crate) async fn run_plan_now(
    steward: State<'_, Steward>,
    scheduler: State<'_, PlanScheduler>,
    plan: PlanId,
) -> Result<(), Problem> {
    let plan = steward.plans.get(&plan)?;
    exchange::request_run(&steward.data_folder, &plan.id)?;
    scheduler.start_now().await
}

/// Stops the plan that runs now: its current part ends as *Stop* ends it, and the others are skipped.
#[tauri::command]
#[specta::specta]
pub(crate) async fn stop_plan_run(steward: State<'_, Steward>) -> Result<(), Problem> {
    exchange::request_stop(&steward.data_folder)
}
