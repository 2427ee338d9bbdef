//! What the window finds in the folder of a plan: the mark that it left there, and what became of the last set since its run.
//!
//! Only the runner writes the progress of plans, and it is read without their folders, which might be on a drive that does not
//! respond. So the window leaves a file in `plan-run/`. Who reads the progress adds what it says, and the runner removes it then.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use steward_core::files;
use steward_core::files::data_folder::create_private;
use steward_core::model::numbers::Millis;
use steward_core::model::problem::Problem;

use super::plan::{BackupPlan, PlanId};
use super::set::{PartFault, SetPart, Verdict};
use super::sign_of_life::FOLDER;

/// Extension of the file, whose name is the identifier of the plan.
const FOUND: &str = "found";

/// Limit of the file, in bytes: that of a `set.json`.
const LARGEST: u64 = 4 * 1024 * 1024;

/// What the window found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Found {
    /// Folder in which the window left the mark of the plan; `None` if it did not.
    pub(crate) marked: Option<PathBuf>,
    /// The last set as it is now; `None` if it is as its run left it.
    pub(crate) last: Option<LastSet>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct LastSet {
    pub(crate) folder: String,
    pub(crate) verdict: Verdict,
    pub(crate) fault: Option<PartFault>,
    /// Reason why there is no set any more; empty if there is one.
    pub(crate) note: String,
    pub(crate) parts: Vec<SetPart>,
    /// When the run of the last verified set began; `None` if there is none.
    pub(crate) verified: Option<Millis>,
}

/// Notes the folder in which the mark of a plan was left.
///
/// # Errors
/// [`Problem::File`] if it cannot be written.
pub(crate) fn note_mark(data_folder: &Path, plan: &BackupPlan) -> Result<(), Problem> {
    let before = of(data_folder, &plan.id);
    write(data_folder, &plan.id, &Found { marked: Some(plan.folder.clone()), ..before })
}

/// Returns what the window found of each plan and the runner did not add to its progress yet.
pub(crate) fn all(data_folder: &Path) -> Vec<(PlanId, Found)> {
    let entries = std::fs::read_dir(data_folder.join(FOLDER)).into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path()).filter(|file| file.extension() == Some(OsStr::new(FOUND)));
    let of_plans = files.filter_map(|file| {
        let plan = PlanId(file.file_stem()?.to_str()?.to_owned());
        Some((plan, read(&file)?))
    });
    of_plans.collect()
}

/// Passes what the window found to `keep`, and removes it once it is kept, unless the window found something else meanwhile. A
/// failure is logged: the next start takes it.
pub(crate) fn take(data_folder: &Path, plan: &PlanId, keep: impl FnOnce(Found) -> Result<(), Problem>) {
    let file = file_of(data_folder, plan);
    let Some(found) = read(&file) else { return };
    let kept = keep(found.clone()).and_then(|()| match read(&file) == Some(found) {
        true => std::fs::remove_file(&file).map_err(|error| Problem::file(&file, &error)),
        false => Ok(()),
    });
    if let Err(problem) = kept {
        tracing::warn!(?problem, plan = plan.0, "what the window found is still to be kept");
    }
}

fn file_of(data_folder: &Path, plan: &PlanId) -> PathBuf {
    data_folder.join(FOLDER).join(format!("{}.{FOUND}", plan.0))
}

/// Returns what the window found of a plan.
pub(crate) fn of(data_folder: &Path, plan: &PlanId) -> Found {
    read(&file_of(data_folder, plan)).unwrap_or_default()
}

fn read(file: &Path) -> Option<Found> {
    files::decode(&files::read_whole(file, LARGEST).ok()?).ok()
}

/// Writes it.
///
/// # Errors
/// [`Problem::File`].
pub(crate) fn write(data_folder: &Path, plan: &PlanId, found: &Found) -> Result<(), Problem> {
    let file = file_of(data_folder, plan);
    let written = create_private(&data_folder.join(FOLDER))
        .and_then(|()| Ok(files::encode(found)?))
        .and_then(|bytes| files::write_whole(&file, &bytes));
    written.map_err(|error| Problem::file(&file, &error))
}
