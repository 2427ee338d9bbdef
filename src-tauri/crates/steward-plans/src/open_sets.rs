//! Sets that a killed runner left without an end.

use std::path::Path;

use steward_core::model::problem::Problem;

use super::attempt::StoredSet;
use super::drive::{LARGE_FILES, within};
use super::plan::BackupPlan;
use super::plan_folder;
use super::removal;

/// Ends the sets of a plan whose run did not: complete files belong to them, the others are removed. Only the runner
/// may call it: while the window did, a runner could begin.
///
/// # Errors
/// [`Problem::File`]. The other sets are ended, unless the drive does not respond.
pub(crate) async fn end_all(data_folder: &Path, plan: &BackupPlan) -> Result<(), Problem> {
    let mut left = plan_folder::read_written(plan).await?.sets;
    left.retain(|stored| stored.set.ended.is_none());
    if left.is_empty() {
        return Ok(());
    }
    let data_folder = data_folder.to_owned();
    let ending = move || left.into_iter().map(|stored| end(&data_folder, stored)).fold(Ok(()), Result::and);
    let ended = within(LARGE_FILES, &plan.folder, ending).await?;
    ended.map_err(|error| Problem::file(&plan.folder, &error))
}

fn end(data_folder: &Path, StoredSet { folder, mut set }: StoredSet) -> std::io::Result<()> {
    set.end_cut_off_in(&folder);
    let _lock = removal::lock_sets(data_folder)?;
    set.write(&folder)
}
