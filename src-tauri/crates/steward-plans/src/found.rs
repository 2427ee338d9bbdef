//! Facts that the window finds in the folder of a plan: the mark that it left there, and changes of the last set since
//! its run.
//!
//! Only the runner writes the progress of plans, and it is read without their folders, which might be on a drive that
//! does not respond. So the window leaves a file in `plan-run/`. Each reader of the progress adds its content, until the
//! runner adds it to the progress and removes the file.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use steward_core::files;
use steward_core::files::data_folder::create_private;
use steward_core::model::numbers::Millis;
use steward_core::model::problem::Problem;

use super::mark::Marked;
use super::plan::{BackupPlan, PlanId};
use super::set::{PartFault, SetPart, Verdict};
use super::sign_of_life::FOLDER;

/// Extension of the file, whose name is the identifier of the plan.
const FOUND: &str = "found";

/// Extension of the file while it is removed.
const TAKEN: &str = "taken";

/// Limit of the file, in bytes: that of a `set.json`.
const LARGEST: u64 = 4 * 1024 * 1024;

/// Facts that the window found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Found {
    /// Folder in which the window left the mark of the plan; `None` if it did not.
    pub(crate) marked: Option<Marked>,
    /// The last set as it is now; `None` if it is as its run left it.
    pub(crate) last: Option<LastSet>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
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
    write(data_folder, &plan.id, &Found { marked: Some(Marked::of(plan)), ..before })
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

/// Passes what the window found to `keep`, and removes its file once that has succeeded. What the window adds meanwhile
/// is passed too. After a failure, which is logged, the next start tries again.
pub(crate) fn take(data_folder: &Path, plan: &PlanId, keep: impl Fn(Found) -> Result<(), Problem>) {
    let file = file_of(data_folder, plan);
    let Some(found) = read(&file) else { return };
    let kept = keep(found.clone()).and_then(|()| {
        // After this, the window writes a new file.
        let taken = file.with_extension(TAKEN);
        std::fs::rename(&file, &taken).map_err(|error| Problem::file(&file, &error))?;
        if let Some(later) = read(&taken).filter(|later| *later != found) {
            keep(later)?;
        }
        std::fs::remove_file(&taken).map_err(|error| Problem::file(&taken, &error))
    });
    if let Err(problem) = kept {
        tracing::warn!(?problem, plan = plan.0, "what the window found is still to be kept");
    }
}

/// Removes what the window found of a plan that was deleted.
pub(crate) fn forget(data_folder: &Path, plan: &PlanId) {
    let file = file_of(data_folder, plan);
    if let Err(error) = std::fs::remove_file(&file)
        && error.kind() != ErrorKind::NotFound
    {
        tracing::warn!(%error, plan = plan.0, "what the window found of a deleted plan is kept");
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

/// Writes what the window found of a plan.
///
/// # Errors
/// [`Problem::File`] if it cannot be written.
pub(crate) fn write(data_folder: &Path, plan: &PlanId, found: &Found) -> Result<(), Problem> {
    let file = file_of(data_folder, plan);
    let written = create_private(&data_folder.join(FOLDER))
        .and_then(|()| Ok(files::encode(found)?))
        .and_then(|bytes| files::write_whole(&file, &bytes));
    written.map_err(|error| Problem::file(&file, &error))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn what_the_window_finds_while_a_note_is_kept_is_kept_too_and_no_note_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let plan = PlanId("nightly".to_owned());
        let found =
            |name: &str| Found { marked: Some(Marked { folder: name.into(), mark: None }), last: None };
        write(folder.path(), &plan, &found("first")).unwrap();
        let kept = RefCell::new(Vec::new());

        take(folder.path(), &plan, |one| {
            if kept.borrow().is_empty() {
                write(folder.path(), &plan, &found("second"))?;
            }
            kept.borrow_mut().push(one);
            Ok(())
        });

        assert_eq!(*kept.borrow(), [found("first"), found("second")]);
        assert_eq!(std::fs::read_dir(folder.path().join(FOLDER)).unwrap().count(), 0);
    }
}
