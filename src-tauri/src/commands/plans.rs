//! Commands for backup plans and their sets.

use steward_app::steward::Steward;
use steward_command::command;
use steward_core::files::dropped::DroppedFile;
use steward_core::model::ids::{ServerId, SiteId, Target};
use steward_core::model::numbers::Millis;
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

use super::{Program, Reply};
use crate::plan_scheduler::PlanScheduler;

/// Returns the backup plans of a site, with their states. Sends nothing.
#[command]
pub(crate) async fn list_plans(steward: Program<'_>, site: SiteId) -> Reply<PlanList> {
    steward.plans.list(&steward.context, &site).await
}

/// Returns the backup plans of all sites that need a user, as far as the user has not seen it. Sends nothing.
#[command]
pub(crate) async fn plan_troubles(steward: Program<'_>) -> Reply<Vec<PlanTrouble>> {
    steward.plans.troubles(&steward.context).await
}

/// Marks the trouble of a backup plan as seen that began at `since`.
#[command]
pub(crate) fn mark_plan_seen(steward: Program<'_>, plan: PlanId, since: Millis) {
    steward.plans.mark_seen(plan, since);
}

/// Adds or changes a backup plan.
#[command]
pub(crate) async fn save_plan(
    steward: Program<'_>,
    scheduler: State<'_, PlanScheduler>,
    form: PlanForm,
) -> Reply<BackupPlan> {
    let Steward { plans, context, preferences, dialogs, alerts, .. } = &*steward;
    let saved = plans.save(context, &preferences.policy, &alerts.settings(), dialogs, &form).await?;
    scheduler.follow(plans.all()).await;
    Ok(saved)
}

/// Deletes a backup plan, and the key of its storage account from the keyring. Its sets stay.
#[command]
pub(crate) async fn delete_plan(
    steward: Program<'_>,
    scheduler: State<'_, PlanScheduler>,
    plan: PlanId,
) -> Reply<()> {
    steward.plans.delete(&steward.context, &plan).await?;
    scheduler.follow(steward.plans.all()).await;
    Ok(())
}

/// Returns the next runs of a schedule.
#[command]
pub(crate) fn next_runs(schedule: Schedule) -> NextRuns {
    saved::next_runs(&schedule)
}

/// Returns the sets of a plan that is not saved, and what its rules would do with each. Removes nothing.
#[command]
pub(crate) async fn preview_plan(steward: Program<'_>, form: PlanForm) -> Reply<PlanSets> {
    steward.plans.preview(&steward.context, &steward.dialogs, &form).await
}

/// Returns the acceptance list of a plan that is not saved, as if it was enabled. Sends nothing.
#[command]
pub(crate) async fn plan_acceptance(steward: Program<'_>, form: PlanForm) -> Reply<Vec<AcceptanceLine>> {
    let Steward { plans, context, preferences, dialogs, .. } = &*steward;
    plans.acceptance(context, &preferences.policy, dialogs, &form).await
}

/// Returns the sets of a plan, and what its rules do with each. Removes nothing.
#[command]
pub(crate) async fn plan_sets(steward: Program<'_>, plan: PlanId) -> Reply<PlanSets> {
    steward.plans.sets(&steward.context, &plan).await
}

/// Pins a set, so that no rule removes it, or unpins it.
#[command]
pub(crate) async fn pin_set(steward: Program<'_>, plan: PlanId, set: String, is_pinned: bool) -> Reply<()> {
    sets::pin(&steward.data_folder, &steward.plans.get(&plan)?, &set, is_pinned).await
}

/// Shows the folder of a set in the file manager.
#[command]
pub(crate) async fn show_set(steward: Program<'_>, plan: PlanId, set: String) -> Reply<()> {
    sets::show(&steward.dialogs, &steward.plans.get(&plan)?, &set).await
}

/// Returns the inventories of the parts of a set, in their order.
#[command]
pub(crate) async fn set_inventories(
    steward: Program<'_>,
    plan: PlanId,
    set: String,
) -> Reply<Vec<PartInventory>> {
    set_contents::inventories(&steward.plans.get(&plan)?, &set).await
}

/// Returns the facts of a set in the history of this computer: the accounts of its exports, the end of its run, and the
/// alerts after it.
#[command]
pub(crate) async fn set_trail(steward: Program<'_>, plan: PlanId, set: String) -> Reply<SetTrail> {
    set_trail::of(&steward.context, &steward.plans.get(&plan)?, &set).await
}

/// Returns the services of a server in a set, each with the number of other sets that have it.
#[command]
pub(crate) async fn set_services(
    steward: Program<'_>,
    plan: PlanId,
    set: String,
    server: ServerId,
) -> Reply<SetServices> {
    set_contents::services(&steward.plans.get(&plan)?, &set, &server).await
}

/// Returns the export of a server in a set as a file for the form of an import.
#[command]
pub(crate) async fn set_file_for_import(
    steward: Program<'_>,
    plan: PlanId,
    set: String,
    server: ServerId,
) -> Reply<DroppedFile> {
    set_contents::file_for_import(&steward.dialogs, &steward.plans.get(&plan)?, &set, &server).await
}

/// Returns the steps of a restore of the site from a set, with their states. Sends nothing.
#[command]
pub(crate) async fn site_restore(steward: Program<'_>, plan: PlanId, set: String) -> Reply<SiteRestore> {
    let begun = steward.plans.restore_of(&plan);
    restore::steps(&steward.context, &steward.plans.get(&plan)?, &set, begun).await
}

/// Begins a restore from a set: from now on, imports are its steps. One that was begun from the same set goes on.
#[command]
pub(crate) fn begin_restore(steward: Program<'_>, plan: PlanId, set: String) {
    steward.plans.begin_restore(plan, set);
}

/// Forgets the restore that was begun from a set of a plan. What was imported stays.
#[command]
pub(crate) fn end_restore(steward: Program<'_>, plan: PlanId) {
    steward.plans.end_restore(&plan);
}

/// Searches the sets of all plans of a site for services and data store items by words of their paths. Sends nothing.
#[command]
pub(crate) async fn search_sets(steward: Program<'_>, site: SiteId, words: String) -> Reply<SetSearch> {
    let mut plans = steward.plans.all();
    plans.retain(|plan| plan.site == site);
    set_search::search(&steward.data_folder, plans, words).await
}

/// Verifies the export of a server or portal in a set once more, and writes the result to the set.
#[command]
pub(crate) async fn verify_set_file(
    steward: Program<'_>,
    target: Target,
    run: RunId,
    plan: PlanId,
    set: String,
) -> Reply<RunResult<SetFileVerification>> {
    let Steward { context, data_folder, .. } = &*steward;
    let plan = steward.plans.get(&plan)?;
    Ok(carry_out(run, |run| set_verification::verify(context, data_folder, &plan, &set, &target, run)).await)
}
