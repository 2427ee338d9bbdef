//! Commands for backup plans and their sets.

use steward_app::steward::Steward;
use steward_core::files::dropped::DroppedFile;
use steward_core::model::ids::{ServerId, SiteId, Target};
use steward_core::model::numbers::Millis;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::runs::{RunId, carry_out};
use steward_plans::acceptance_line::AcceptanceLine;
use steward_plans::form::PlanForm;
use steward_plans::plan::{BackupPlan, PlanId};
use steward_plans::restore::{self, SiteRestore};
use steward_plans::saved::{self, NextRuns, PlanList, PlanTrouble};
use steward_plans::schedule::Schedule;
use steward_plans::set_contents::{self, PartInventory, SetServices};
use steward_plans::set_search::{self, SetSearch};
use steward_plans::set_trail::{self, SetTrail};
use steward_plans::set_verification::{self, SetFileVerification};
use steward_plans::sets::{self, PlanSets};
use tauri::State;

use crate::plan_scheduler::PlanScheduler;

/// Returns the backup plans of a site, with their states. Sends nothing.
#[tauri::command]
#[specta::specta]
pub(crate) async fn list_plans(steward: State<'_, Steward>, site: SiteId) -> Result<PlanList, Problem> {
    steward.plans.list(&steward.context, &site).await
}

/// Returns the backup plans of all sites that need a user, as far as the user has not seen it. Sends nothing.
#[tauri::command]
#[specta::specta]
pub(crate) async fn plan_troubles(steward: State<'_, Steward>) -> Result<Vec<PlanTrouble>, Problem> {
    steward.plans.troubles(&steward.context).await
}

/// Marks the trouble of a backup plan as seen that began at `since`.
#[tauri::command]
#[specta::specta]
pub(crate) fn mark_plan_seen(steward: State<'_, Steward>, plan: PlanId, since: Millis) {
    steward.plans.mark_seen(plan, since);
}

/// Adds or changes a backup plan.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_plan(
    steward: State<'_, Steward>,
    scheduler: State<'_, PlanScheduler>,
    form: PlanForm,
) -> Result<BackupPlan, Problem> {
    let Steward { plans, context, preferences, dialogs, alerts, .. } = &*steward;
    let saved = plans.save(context, &preferences.policy, &alerts.settings(), dialogs, &form).await?;
    scheduler.follow(plans.all()).await;
    Ok(saved)
}

/// Deletes a backup plan, and the key of its storage account from the keyring. Its sets stay.
#[tauri::command]
#[specta::specta]
pub(crate) async fn delete_plan(
    steward: State<'_, Steward>,
    scheduler: State<'_, PlanScheduler>,
    plan: PlanId,
) -> Result<(), Problem> {
    steward.plans.delete(&steward.context, &plan).await?;
    scheduler.follow(steward.plans.all()).await;
    Ok(())
}

/// Returns the next runs of a schedule.
#[tauri::command]
#[specta::specta]
#[must_use]
pub(crate) fn next_runs(schedule: Schedule) -> NextRuns {
    saved::next_runs(&schedule)
}

/// Returns the sets of a plan that is not saved, and what its rules would do with each. Removes nothing.
#[tauri::command]
#[specta::specta]
pub(crate) async fn preview_plan(steward: State<'_, Steward>, form: PlanForm) -> Result<PlanSets, Problem> {
    steward.plans.preview(&steward.context, &steward.dialogs, &form).await
}

/// Returns the acceptance list of a plan that is not saved, as if it was enabled. Sends nothing.
#[tauri::command]
#[specta::specta]
pub(crate) async fn plan_acceptance(
    steward: State<'_, Steward>,
    form: PlanForm,
) -> Result<Vec<AcceptanceLine>, Problem> {
    let Steward { plans, context, preferences, dialogs, .. } = &*steward;
    plans.acceptance(context, &preferences.policy, dialogs, &form).await
}

/// Returns the sets of a plan, and what its rules do with each. Removes nothing.
#[tauri::command]
#[specta::specta]
pub(crate) async fn plan_sets(steward: State<'_, Steward>, plan: PlanId) -> Result<PlanSets, Problem> {
    steward.plans.sets(&steward.context, &plan).await
}

/// Pins a set, so that no rule removes it, or unpins it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn pin_set(
    steward: State<'_, Steward>,
    plan: PlanId,
    set: String,
    is_pinned: bool,
) -> Result<(), Problem> {
    sets::pin(&steward.data_folder, &steward.plans.get(&plan)?, &set, is_pinned).await
}

/// Shows the folder of a set in the file manager.
#[tauri::command]
#[specta::specta]
pub(crate) async fn show_set(steward: State<'_, Steward>, plan: PlanId, set: String) -> Result<(), Problem> {
    sets::show(&steward.dialogs, &steward.plans.get(&plan)?, &set).await
}

/// Returns the inventories of the parts of a set, in their order.
#[tauri::command]
#[specta::specta]
pub(crate) async fn set_inventories(
    steward: State<'_, Steward>,
    plan: PlanId,
    set: String,
) -> Result<Vec<PartInventory>, Problem> {
    set_contents::inventories(&steward.plans.get(&plan)?, &set).await
}

/// Returns what the audit trail tells of a set: the end of its run, and the alerts after it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn set_trail(
    steward: State<'_, Steward>,
    plan: PlanId,
    set: String,
) -> Result<SetTrail, Problem> {
    set_trail::of(&steward.context, &steward.plans.get(&plan)?, &set).await
}

/// Returns the services of a server in a set, each with the number of other sets that have it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn set_services(
    steward: State<'_, Steward>,
    plan: PlanId,
    set: String,
    server: ServerId,
) -> Result<SetServices, Problem> {
    set_contents::services(&steward.plans.get(&plan)?, &set, &server).await
}

/// Returns the export of a server in a set as a file for the form of an import.
#[tauri::command]
#[specta::specta]
pub(crate) async fn set_file_for_import(
    steward: State<'_, Steward>,
    plan: PlanId,
    set: String,
    server: ServerId,
) -> Result<DroppedFile, Problem> {
    set_contents::file_for_import(&steward.dialogs, &steward.plans.get(&plan)?, &set, &server).await
}

/// Returns the steps of a restore of the site from a set, with their states. Sends nothing.
#[tauri::command]
#[specta::specta]
pub(crate) async fn site_restore(
    steward: State<'_, Steward>,
    plan: PlanId,
    set: String,
) -> Result<SiteRestore, Problem> {
    let begun = steward.plans.restore_of(&plan);
    restore::steps(&steward.context, &steward.plans.get(&plan)?, &set, begun).await
}

/// Begins a restore from a set: from now on, imports are its steps. One that was begun from the same set goes on.
#[tauri::command]
#[specta::specta]
pub(crate) fn begin_restore(steward: State<'_, Steward>, plan: PlanId, set: String) {
    steward.plans.begin_restore(plan, set);
}

/// Forgets the restore that was begun from a set of a plan. What was imported stays.
#[tauri::command]
#[specta::specta]
pub(crate) fn end_restore(steward: State<'_, Steward>, plan: PlanId) {
    steward.plans.end_restore(&plan);
}

/// Searches the sets of all plans of a site for services and data store items by words of their paths. Sends nothing.
#[tauri::command]
#[specta::specta]
pub(crate) async fn search_sets(
    steward: State<'_, Steward>,
    site: SiteId,
    words: String,
) -> Result<SetSearch, Problem> {
    let mut plans = steward.plans.all();
    plans.retain(|plan| plan.site == site);
    set_search::search(&steward.data_folder, plans, words).await
}

/// Verifies the export of a server or portal in a set once more, and writes the result to the set.
#[tauri::command]
#[specta::specta]
pub(crate) async fn verify_set_file(
    steward: State<'_, Steward>,
    target: Target,
    run: RunId,
    plan: PlanId,
    set: String,
) -> Result<RunResult<SetFileVerification>, Problem> {
    let Steward { context, data_folder, .. } = &*steward;
    let plan = steward.plans.get(&plan)?;
    Ok(carry_out(run, |run| set_verification::verify(context, data_folder, &plan, &set, &target, run)).await)
}
