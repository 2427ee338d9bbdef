//! Commands for the runner of backup plans, which is another process.

use serde::Serialize;
use steward_command::command;
use steward_plans::exchange::{self, RunningPlan};
use steward_plans::plan::PlanId;
use tauri::State;

use super::{Program, Reply};
use crate::plan_scheduler::{PlanScheduler, RegistrationView};

/// State of the runner, and its registration.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunnerView {
    /// Plan that is running; `null` if none is.
    pub(crate) running: Option<RunningPlan>,
    /// Registration with the scheduler of the system.
    pub(crate) registration: RegistrationView,
}

/// Returns what the runner does now.
#[command]
pub(crate) async fn plan_runner(
    steward: Program<'_>,
    scheduler: State<'_, PlanScheduler>,
) -> Reply<RunnerView> {
    let running = exchange::running(&steward.data_folder);
    Ok(RunnerView { running, registration: scheduler.view() })
}

/// Runs a plan now, by the job that also starts it at night.
#[command]
pub(crate) async fn run_plan_now(
    steward: Program<'_>,
    scheduler: State<'_, PlanScheduler>,
    plan: PlanId,
) -> Reply<()> {
    let plan = steward.plans.get(&plan)?;
    exchange::request_run(&steward.data_folder, &plan.id)?;
    scheduler.start_now().await
}

/// Stops the plan that runs now: its current part ends as *Stop* ends it, and the others are skipped.
#[command]
pub(crate) async fn stop_plan_run(steward: Program<'_>) -> Reply<()> {
    exchange::request_stop(&steward.data_folder)
}
