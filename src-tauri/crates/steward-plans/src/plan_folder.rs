//! The folder of a plan: its sets, and folders that look like sets and are none.

use std::path::Path;

use serde::Serialize;
use steward_core::model::numbers::Millis;
use steward_core::model::problem::Problem;

use super::attempt::StoredSet;
use super::drive::{LOOK, within};
use super::plan::BackupPlan;
use super::set::{BackupSet, NotASet};

/// Content of the folder of a plan.
#[derive(Debug, Default)]
pub struct PlanFolder {
    /// Sets of the plan, the newest first.
    pub sets: Vec<StoredSet>,
    /// Folders that are no sets of the plan although they have a `set.json`. They are never changed.
    pub strange: Vec<StrangeFolder>,
}

/// A folder in the folder of a plan that is not one of its sets, and that the app does not change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct StrangeFolder {
    /// Path of the folder.
    pub folder: String,
    /// Reason.
    pub why: WhyStrange,
}

/// Reason why a folder is not a set of the plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum WhyStrange {
    /// A copy of a set, or a set whose folder was renamed.
    Copy {
        /// Name that the folder of the set had originally.
        of: String,
    },
    /// A set of another site.
    OtherSite,
    /// Its `set.json` was written by another program.
    Foreign,
    /// Its `set.json` cannot be read.
    Unreadable {
        /// Reason as text.
        said: String,
    },
}

impl StrangeFolder {
    /// Returns a folder that cannot be read.
    pub(super) fn unreadable(folder: &Path, said: String) -> Self {
        Self { folder: folder.display().to_string(), why: WhyStrange::Unreadable { said } }
    }
}

impl PlanFolder {
    fn set_apart(&mut self, folder: &Path, why: WhyStrange) {
        self.strange.push(StrangeFolder { folder: folder.display().to_string(), why });
    }
}

/// Reads the folder of a plan, with each set as its files are now. Folders without a `set.json`, and sets of other
/// plans, are left out.
///
/// # Errors
/// [`Problem::File`] if the folder cannot be read, for example because a network drive is not connected or does not
/// respond.
pub async fn read(plan: &BackupPlan) -> Result<PlanFolder, Problem> {
    read_by(plan, read_folder).await
}

/// Reads the folder of a plan, with each set as in its `set.json`, for callers that write it again.
///
/// # Errors
/// Those of [`read`].
pub(super) async fn read_written(plan: &BackupPlan) -> Result<PlanFolder, Problem> {
    read_by(plan, written_in).await
}

async fn read_by(
    plan: &BackupPlan,
    read: fn(&BackupPlan) -> std::io::Result<PlanFolder>,
) -> Result<PlanFolder, Problem> {
    let of_plan = plan.clone();
    let read = within(LOOK, &plan.folder, move || read(&of_plan)).await?;
    read.map_err(|error| Problem::file(&plan.folder, &error))
}

/// Does what [`read`] does, on this thread.
pub(super) fn read_folder(plan: &BackupPlan) -> std::io::Result<PlanFolder> {
    let PlanFolder { sets, strange } = written_in(plan)?;
    let checked = sets.into_iter().map(|stored| stored.checked(plan.portal_seen_at()));
    Ok(PlanFolder { sets: checked.collect(), strange })
}

/// Does what [`read_written`] does, on this thread.
pub(super) fn written_in(plan: &BackupPlan) -> std::io::Result<PlanFolder> {
    let mut found = PlanFolder::default();
    for entry in std::fs::read_dir(&plan.folder)? {
        let entry = entry?;
        // Links are left out: they lead out of the folder of the plan. So are folders that were removed meanwhile.
        if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        let folder = entry.path();
        match BackupSet::read(&folder) {
            Ok(set) if set.plan != plan.id => {}
            // A plan never changes its site, and a set of another site must not be imported into this one.
            Ok(set) if set.site != plan.site => found.set_apart(&folder, WhyStrange::OtherSite),
            // A copy would be counted beside the set that it was copied from, and could be removed in its place.
            Ok(set) if set.is_copy_in(&folder) => {
                found.set_apart(&folder, WhyStrange::Copy { of: set.folder_name });
            }
            Ok(set) => found.sets.push(StoredSet { folder, set }),
            Err(NotASet::None) => {}
            Err(NotASet::Foreign) => found.set_apart(&folder, WhyStrange::Foreign),
            Err(error @ NotASet::Unreadable(_)) => {
                found.strange.push(StrangeFolder::unreadable(&folder, error.to_string()));
            }
        }
    }
    found.sets.sort_by(|a, b| (b.set.started, &b.folder).cmp(&(a.set.started, &a.folder)));
    Ok(found)
}

/// Returns the set in a folder if it is one of a plan, as [`read`] decides; `None` if it is not, or cannot be read.
pub(super) fn set_in(plan: &BackupPlan, folder: &Path) -> Option<BackupSet> {
    // Links lead out of the folder of the plan.
    let is_folder = folder.symlink_metadata().is_ok_and(|found| found.is_dir());
    let is_of_plan =
        |set: &BackupSet| set.plan == plan.id && set.site == plan.site && !set.is_copy_in(folder);
    BackupSet::read(folder).ok().filter(|set| is_folder && is_of_plan(set))
}

/// Returns the newest verified set that began until a time. A later one is of a clock that was ahead.
pub(super) fn newest_verified(sets: &[StoredSet], now: Millis) -> Option<&StoredSet> {
    sets.iter().find(|StoredSet { set, .. }| set.started <= now && set.is_verified())
}
