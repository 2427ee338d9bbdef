//! Mark of a plan in the folder of its sets: a small file, by which the folder is recognized.
//!
//! Without its network drive, the path of a folder can lead to an empty mount point, or to another drive with the same
//! letter, so that sets would be written to another disk. A plan that has left a mark therefore runs only where it
//! finds it. Each folder has a different mark: the plan might have run into the mount point once, and left a mark
//! there, too.

use std::io::{ErrorKind, Result};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use steward_core::files;

use super::plan::{BackupPlan, PlanId};

/// Beginning of the name of the file, before the identifier of the plan. Plans can share a folder.
const BEGINNING: &str = ".site-steward-plan-";

/// Limit of the file, in bytes.
const LARGEST: u64 = 64 * 1024;

/// Message about a folder that is not the one with the sets, as of [`is_missing`].
pub(crate) const IS_ANOTHER: &str =
    "the folder for the sets is another one than before: the mark of the plan is not in it";

/// Content of the file. Only `mark` is read; the plan and its name are for a person who finds the file.
#[derive(Serialize, Deserialize)]
struct Mark {
    plan: PlanId,
    name: String,
    /// Random, and the same as long as the file is there.
    mark: String,
}

/// A folder with the mark of a plan: a file by which the folder with its sets is recognized.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Marked {
    /// The folder.
    pub folder: PathBuf,
    /// Random text of the mark; `null` if it could not be read.
    pub mark: Option<String>,
}

impl Marked {
    /// Returns the folder of a plan with the mark that it has now.
    pub(crate) fn of(plan: &BackupPlan) -> Self {
        Self { folder: plan.folder.clone(), mark: read(&plan.folder, &plan.id).ok().flatten() }
    }
}

/// Folder of a plan with its mark, which tells a set that was removed from a drive that is not connected.
#[derive(Debug, Clone)]
pub struct MarkedFolder {
    /// Plan.
    pub(crate) plan: PlanId,
    /// Its folder.
    pub(crate) folder: PathBuf,
    /// Folder with its mark; `None` if it has left none.
    pub(crate) sets_in: Option<Marked>,
}

impl MarkedFolder {
    /// Returns whether a path in the folder does not exist although the mark of the plan is there.
    #[must_use]
    pub fn lacks(&self, path: &Path) -> bool {
        path.starts_with(&self.folder)
            && is_in(&self.folder, &self.plan, self.sets_in.as_ref()).unwrap_or(false)
            && path.try_exists().is_ok_and(|exists| !exists)
    }
}

fn file_in(folder: &Path, plan: &PlanId) -> PathBuf {
    folder.join(format!("{BEGINNING}{}.json", plan.0))
}

/// Reads the mark of a plan in a folder; `None` if there is no file, and an empty text if the file is damaged.
fn read(folder: &Path, plan: &PlanId) -> Result<Option<String>> {
    match files::read_whole(&file_in(folder, plan), LARGEST) {
        Ok(bytes) => Ok(Some(files::decode::<Mark>(&bytes).map(|mark| mark.mark).unwrap_or_default())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes the mark of a plan to its folder, unless it has one.
///
/// # Errors
/// An error of the disk.
pub(crate) fn write(plan: &BackupPlan) -> Result<()> {
    if read(&plan.folder, &plan.id).ok().flatten().is_some_and(|mark| !mark.is_empty()) {
        return Ok(());
    }
    let mark = uuid::Uuid::new_v4().to_string();
    let mark = Mark { plan: plan.id.clone(), name: plan.name.clone(), mark };
    files::write_whole(&file_in(&plan.folder, &plan.id), &files::encode(&mark)?)
}

/// Returns whether a folder has the mark of a plan: the one in `known` if that is of this folder, otherwise any.
///
/// # Errors
/// An error of the disk.
pub(crate) fn is_in(folder: &Path, plan: &PlanId, known: Option<&Marked>) -> Result<bool> {
    let Some(found) = read(folder, plan)? else { return Ok(false) };
    let expected = known.filter(|known| known.folder == folder).and_then(|known| known.mark.as_ref());
    Ok(expected.is_none_or(|expected| *expected == found))
}

/// Returns whether the mark of a plan is missing in its folder, so that the path leads to another folder than that with
/// its sets. `sets_in` is the folder that a user chose last, or that its last set was written to; `None` if there was
/// none, or a user has just chosen the folder again.
pub(crate) fn is_missing(plan: &BackupPlan, sets_in: Option<&Marked>) -> bool {
    sets_in.is_some_and(|known| known.folder == plan.folder)
        && is_in(&plan.folder, &plan.id, sets_in).is_ok_and(|is_there| !is_there)
}

/// Checks that the folder of a plan is the one with its sets, as of [`is_missing`].
pub(crate) fn check(plan: &BackupPlan, sets_in: Option<&Marked>) -> Result<()> {
    if is_missing(plan, sets_in) { Err(std::io::Error::other(IS_ANOTHER)) } else { Ok(()) }
}
