//! Mark of a plan in the folder of its sets: a small file, by which the folder is known again.
//!
//! Without its network drive, a folder is that of an empty mount point, or of another drive at the same letter: there the sets of
//! a night would be on another disk. A plan therefore runs only where it finds its mark, once it has left one.

use std::io::Result;
use std::path::{Path, PathBuf};

use serde::Serialize;
use steward_core::files;

use super::plan::{BackupPlan, PlanId};

/// Beginning of the name of the file, before the identifier of the plan. Plans can share a folder.
const BEGINNING: &str = ".site-steward-plan-";

/// Content of the file, for who finds it. Only its name counts.
#[derive(Serialize)]
struct Mark<'a> {
    plan: &'a PlanId,
    name: &'a str,
}

fn file_in(folder: &Path, plan: &PlanId) -> PathBuf {
    folder.join(format!("{BEGINNING}{}.json", plan.0))
}

fn file_of(plan: &BackupPlan) -> PathBuf {
    file_in(&plan.folder, &plan.id)
}

/// Writes the mark of a plan to its folder.
///
/// # Errors
/// An error of the disk.
pub(crate) fn write(plan: &BackupPlan) -> Result<()> {
    let mark = Mark { plan: &plan.id, name: &plan.name };
    files::write_whole(&file_of(plan), &files::encode(&mark)?)
}

/// Returns whether the mark of a plan is in a folder that it has, or had.
pub(crate) fn is_in(folder: &Path, plan: &PlanId) -> bool {
    file_in(folder, plan).exists()
}

/// Returns whether the folder of a plan is another one than that with its sets. `sets_in` is the folder that a user chose
/// last, or that its last set was written to; `None` if there was none, or a user has just chosen the folder again.
pub(crate) fn is_missing(plan: &BackupPlan, sets_in: Option<&Path>) -> bool {
    sets_in == Some(&*plan.folder) && file_of(plan).try_exists().is_ok_and(|is_there| !is_there)
}
