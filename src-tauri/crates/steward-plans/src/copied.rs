//! Exports whose files have another time than when they were verified, although their size is the same: the folder of the
//! plan was copied, or its drive restored, without the times of its files.
//!
//! Such an export counts as changed until its content is read again. If it still has the content of its run, nothing of
//! that is told.

use std::path::Path;

use steward_core::model::ids::Target;

use super::attempt::StoredSet;
use super::drive::{LOOK, within};
use super::host::Host;
use super::mark;
use super::plan::BackupPlan;
use super::plan_folder;
use super::services::RunnerFiles;
use super::sets;
use super::store::PlanProgress;

/// Verifies these exports of a plan again. Its other sets are only looked at if the last one is not as it was, or not in
/// the folder of the plan: most starts have nothing to do, and a drive might sleep.
pub(crate) async fn verify_again(host: &impl Host, files: &RunnerFiles, plan: &BackupPlan) {
    let Some(known) = files.progress.read(|state| state.plans.get(&plan.id).cloned()) else { return };
    let of_plan = plan.clone();
    let looking = within(LOOK, &plan.folder, move || exports_in(&of_plan, &known));
    let exports = looking.await.unwrap_or_else(|problem| {
        tracing::warn!(?problem, plan = plan.id.0, "copied exports are not looked for");
        Vec::new()
    });
    for (set, target) in exports {
        if host.is_stopped() {
            return;
        }
        host.verify_again(plan, &set, &target).await;
    }
}

/// Returns the name of the set and the component of each of these exports.
fn exports_in(plan: &BackupPlan, known: &PlanProgress) -> Vec<(String, Target)> {
    let last = known.last.as_ref().and_then(|last| last.folder.as_ref());
    let is_here = last.is_some_and(|folder| Path::new(folder).parent() == Some(&plan.folder));
    if is_here && sets::is_last_as_known(plan, known) || mark::is_missing(plan, known.sets_in.as_ref()) {
        return Vec::new();
    }
    let sets = plan_folder::written_in(plan).map(|folder| folder.sets).unwrap_or_default();
    let of_set = |StoredSet { folder, set }: StoredSet| {
        let parts = set.might_be_copied(&folder, plan.portal_seen_at());
        let targets = parts.map(|part| Target { site: plan.site.clone(), server: part.server.clone() });
        targets.map(|target| (sets::name_of(&folder), target)).collect::<Vec<_>>()
    };
    sets.into_iter().flat_map(of_set).collect()
}
