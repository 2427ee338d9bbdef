//! Removal of a backup set: only files that its `set.json` names, as they were written, and its folder if it is empty
//! then.
//!
//! `set.json` is renamed first. From then on the folder is no set any more, and [`finish`] removes the rest, also after
//! the program was killed in between. The audit trail gets a removal before the renamed file goes: one that is cut off
//! is then recorded twice rather than never.
//!
//! Last, the renamed file is moved out of the folder, which is empty then, and stays beside it until the folder is
//! gone: an empty folder does not show whose it is. It could be of another plan, or of another computer with the same
//! folder, whose sets are never touched.
//!
//! Each change to the `set.json` of a set whose run has ended requires [`lock_sets`]: the window pins sets while the
//! runner removes others.

use std::ffi::OsStr;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

use steward_core::files::data_folder::{DataFolder, HeldLock};
use steward_core::files::{self, data_folder};
use steward_core::model::problem::Problem;

use super::plan::PlanId;
use super::set::{self, BackupSet, SetFile, strange};

/// Name of the `set.json` of a set that is being removed.
const REMOVING: &str = ".removing-set.json";

/// Name of that file beside the folder of the set, once that is empty: this, the name of the folder, and [`EMPTY_END`].
const EMPTY: &str = ".removing-";
const EMPTY_END: &str = ".json";

/// Message about a set that the runner still writes.
pub(super) const RUNS: &str = "the run of this set has not ended";

/// Locks the `set.json` of all sets between the processes of the app, until the result is dropped.
///
/// # Errors
/// An error of the disk.
pub(super) fn lock_sets(data_folder: &Path) -> Result<HeldLock> {
    data_folder::wait_for_lock(&data_folder.join("locks").join("sets"))
}

/// Pins the set in a folder, or unpins it.
pub(super) fn pin_in(data_folder: &Path, folder: &Path, is_pinned: bool) -> std::result::Result<(), Problem> {
    change_ended(data_folder, folder, |set| set.is_pinned = is_pinned).map(|_| ())
}

/// Changes the set in a folder if its run has ended, and returns whether the set differs from before. A set that a
/// killed runner left is ended first. That reads files of gigabytes without a lock, so that a runner that begins
/// meanwhile does not wait.
///
/// # Errors
/// - [`Problem::Unexpected`] if there is no set, or its run has not ended.
/// - [`Problem::File`] if it cannot be written.
pub(super) fn change_ended(
    data_folder: &Path,
    folder: &Path,
    change: impl FnOnce(&mut BackupSet),
) -> std::result::Result<bool, Problem> {
    let cannot = |error| Problem::file(folder, &error);
    let unexpected = |message| Problem::Unexpected { message };
    let read =
        || BackupSet::read(folder).map_err(|error| unexpected(format!("{}: {error}", folder.display())));
    let without_runner =
        || DataFolder::without_runner(data_folder).ok_or_else(|| unexpected(RUNS.to_owned()));
    let mut cut_off = read()?;
    if cut_off.ended.is_none() {
        drop(without_runner()?);
        cut_off.end_cut_off_in(folder);
    }
    let _lock = lock_sets(data_folder).map_err(cannot)?;
    // Read the set again: before the lock, the user might have pinned it, or the runner have ended or removed it.
    let before = read()?;
    let (mut set, _none_begins) = match before.ended {
        Some(_) => (before.clone(), None),
        None => (cut_off, Some(without_runner()?)),
    };
    change(&mut set);
    let is_changed = set != before;
    if is_changed {
        set.write(folder).map_err(cannot)?;
    }
    Ok(is_changed)
}

/// Removes the set in a folder. If a file is not as `set.json` describes it, or `set.json` was changed, nothing is removed.
/// `seen_at` is where the plan sees the files of its portal, none of which is removed.
///
/// # Errors
/// An error of the disk, or one that names the file that is not as it was written.
pub(super) fn remove(
    data_folder: &Path,
    (folder, seen_at): (&Path, Option<&Path>),
    set: &BackupSet,
    told: &dyn Fn(&BackupSet),
) -> Result<()> {
    if !std::fs::symlink_metadata(folder)?.is_dir() {
        return Err(strange(folder, "is not a folder"));
    }
    for file in files_of(set) {
        file.check(folder)?;
    }
    // After the checks, which take time: a user might have pinned it since it was read. A pin that comes later finds no
    // set.
    let lock = lock_sets(data_folder)?;
    let now = BackupSet::read(folder).map_err(Error::other)?;
    if now.as_found_in(folder, seen_at) != set.as_found_in(folder, seen_at) {
        return Err(strange(folder, "was changed since it was read"));
    }
    std::fs::rename(folder.join(set::FILE), folder.join(REMOVING))?;
    drop(lock);
    files::keep_name(&folder.join(REMOVING));
    finish(folder, &set.plan, told)
}

/// Removes what is left of a set of a plan whose removal was begun. Does nothing in any other folder.
///
/// # Errors
/// An error of the disk. The next call, or [`finish_empty`], continues.
pub(super) fn finish(folder: &Path, plan: &PlanId, told: &dyn Fn(&BackupSet)) -> Result<()> {
    let begun = folder.join(REMOVING);
    let set = match BackupSet::read_file(&begun) {
        Ok(set) if set.plan == *plan && !set.is_copy_in(folder) => set,
        Ok(_) | Err(set::NotASet::None) => return Ok(()),
        Err(error) => return Err(Error::other(error)),
    };
    for file in files_of(&set) {
        match file.check(folder) {
            Ok(()) => std::fs::remove_file(folder.join(&file.name))?,
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            // When the removal began, the file was as written. A user who changed it since might need it.
            Err(error) => tracing::warn!(%error, "a file of a removed backup set is kept"),
        }
    }
    told(&set);
    let beside = beside(folder);
    std::fs::rename(begun, &beside)?;
    finish_empty(&beside, plan)
}

/// Removes the folder that a removal left empty, if `file` lies beside one of a plan. Does nothing with any other file.
///
/// # Errors
/// An error of the disk. The next call continues.
pub(super) fn finish_empty(file: &Path, plan: &PlanId) -> Result<()> {
    let folder = file.with_file_name(set_name(file));
    if folder == file {
        return Ok(());
    }
    if !BackupSet::read_file(file).is_ok_and(|set| set.plan == *plan && !set.is_copy_in(&folder)) {
        return Ok(());
    }
    match remove_folder(&folder) {
        // A file that the app did not write stays, and its folder with it.
        Err(error) if matches!(error.kind(), ErrorKind::DirectoryNotEmpty | ErrorKind::NotFound) => {}
        removed => removed?,
    }
    std::fs::remove_file(file)
}

/// Returns the name of the set that a folder, or a file beside one, is of.
pub(super) fn set_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let of_folder = name.strip_prefix(EMPTY).and_then(|rest| rest.strip_suffix(EMPTY_END));
    of_folder.unwrap_or(&name).to_owned()
}

/// Names of what desktops and shares put into any folder, in lower case. A folder with nothing else counts as empty.
const JUNK: [&str; 4] = [".ds_store", "@eadir", "thumbs.db", "desktop.ini"];

/// Removes a folder that has nothing but [`JUNK`].
fn remove_folder(folder: &Path) -> Result<()> {
    let junk: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<_>>()?;
    let is_junk = |name: &OsStr| JUNK.contains(&&*name.to_string_lossy().to_ascii_lowercase());
    if !junk.iter().all(|entry| is_junk(&entry.file_name())) {
        return Err(ErrorKind::DirectoryNotEmpty.into());
    }
    for entry in junk {
        match entry.file_type()?.is_dir() {
            true => std::fs::remove_dir_all(entry.path())?,
            false => std::fs::remove_file(entry.path())?,
        }
    }
    std::fs::remove_dir(folder)
}

/// Returns the path of the file beside an empty folder that a removal left.
fn beside(folder: &Path) -> PathBuf {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    folder.with_file_name(format!("{EMPTY}{name}{EMPTY_END}"))
}

fn files_of(set: &BackupSet) -> impl Iterator<Item = &SetFile> {
    set.parts.iter().flat_map(|part| &part.files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::PlanId;
    use crate::set::{PartState, PortalFile, SetPart};
    use steward_core::model::ids::SiteId;
    use steward_core::model::numbers::{Bytes, Millis};

    /// A folder with a set of two files.
    fn stored() -> (tempfile::TempDir, std::path::PathBuf, BackupSet) {
        let plan = tempfile::tempdir().unwrap();
        let folder = plan.path().join("2026-11-27 01-00-00");
        std::fs::create_dir(&folder).unwrap();
        let file = |name: &str| {
            std::fs::write(folder.join(name), name).unwrap();
            let size = Bytes(name.len() as u64);
            SetFile { name: name.to_owned(), size, sha256: files::sha256(name.as_bytes()), modified_at: None }
        };
        let files = vec![file("a.agssite"), file("a.agssite.inventory.json")];
        let part = SetPart { files, ..SetPart::example(PartState::VerifiedHere) };
        let (plan_id, site) = (PlanId("p".to_owned()), SiteId("s".to_owned()));
        let begun = BackupSet::begun((plan_id, String::new()), (site, String::new()), None, vec![part]);
        let set = BackupSet { ended: Some(Millis(1)), ..begun };
        set.write(&folder).unwrap();
        (plan, folder, set)
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_set_goes_with_its_folder() {
        let (plan, folder, set) = stored();
        remove(plan.path(), (&folder, None), &set, &|_| {}).unwrap();
        assert!(!folder.exists());
    }

    #[test]
    fn what_the_app_did_not_write_stays_with_its_folder() {
        let (plan, folder, set) = stored();
        std::fs::write(folder.join("notes.txt"), "mine").unwrap();
        remove(plan.path(), (&folder, None), &set, &|_| {}).unwrap();
        assert_eq!(names(&folder), ["notes.txt"]);
    }

    #[test]
    fn junk_of_shares_keeps_no_folder_of_a_removed_set_and_stays_beside_what_a_user_put_there() {
        for notes in [false, true] {
            let (plan, folder, set) = stored();
            for name in [".DS_Store", "Thumbs.db", "desktop.ini"] {
                std::fs::write(folder.join(name), "junk").unwrap();
            }
            std::fs::create_dir(folder.join("@eaDir")).unwrap();
            std::fs::write(folder.join("@eaDir/a.agssite@SynoEAStream"), "junk").unwrap();
            if notes {
                std::fs::write(folder.join("notes.txt"), "mine").unwrap();
            }
            remove(plan.path(), (&folder, None), &set, &|_| {}).unwrap();
            assert_eq!(folder.exists(), notes);
            if notes {
                assert_eq!(names(&folder).len(), 5, "{:?}", names(&folder));
            }
        }
    }

    #[test]
    fn nothing_of_a_set_is_removed_if_one_file_is_not_as_it_was_written() {
        type Change = fn(&Path, &mut BackupSet);
        let changes: [(&str, Change); 5] = [
            ("another size", |folder, _| {
                std::fs::write(folder.join("a.agssite"), "longer than it was").unwrap()
            }),
            ("missing", |folder, _| std::fs::remove_file(folder.join("a.agssite")).unwrap()),
            ("a folder", |folder, _| {
                std::fs::remove_file(folder.join("a.agssite")).unwrap();
                std::fs::create_dir(folder.join("a.agssite")).unwrap();
            }),
            ("elsewhere", |folder, set| {
                std::fs::write(folder.join("../other.txt"), "a.agssite").unwrap();
                set.parts[0].files[0].name = "../other.txt".to_owned();
            }),
            ("an absolute path", |folder, set| {
                set.parts[0].files[0].name = folder.join("a.agssite").display().to_string();
            }),
        ];
        for (what, change) in changes {
            let (plan, folder, mut set) = stored();
            change(&folder, &mut set);
            let before = names(&folder);
            assert!(remove(plan.path(), (&folder, None), &set, &|_| {}).is_err(), "{what}");
            assert_eq!(names(&folder), before, "{what}");
        }
    }

    #[test]
    fn a_set_whose_portal_export_is_gone_is_removed_as_it_was_found() {
        let (plan, folder, mut set) = stored();
        let portal = tempfile::tempdir().unwrap();
        std::fs::write(portal.path().join("another"), "").unwrap();
        let (name, of_portal) = ("a.portalsite".to_owned(), portal.path().display().to_string());
        let file =
            PortalFile { name, folder: of_portal, size: Bytes(7), sha256: String::new(), modified_at: None };
        set.parts.push(SetPart { portal_file: Some(file), ..SetPart::example(PartState::VerifiedHere) });
        set.write(&folder).unwrap();
        let seen_at = Some(portal.path());
        let found = set.as_found_in(&folder, seen_at);
        assert_ne!(found, set);
        remove(plan.path(), (&folder, seen_at), &found, &|_| {}).unwrap();
        assert!(!folder.exists());
    }

    #[test]
    fn a_set_that_was_pinned_since_it_was_read_stays() {
        let (plan, folder, set) = stored();
        BackupSet { is_pinned: true, ..set.clone() }.write(&folder).unwrap();
        assert!(remove(plan.path(), (&folder, None), &set, &|_| {}).is_err());
        assert_eq!(names(&folder).len(), 3);
    }

    #[test]
    fn a_set_that_is_pinned_while_it_is_removed_is_whole_or_its_pin_failed() {
        for _ in 0..300 {
            let (plan, folder, set) = stored();
            let start = std::sync::Barrier::new(2);
            let is_pinned = std::thread::scope(|scope| {
                scope.spawn(|| {
                    start.wait();
                    // Fails if the pin was first.
                    let _ = remove(plan.path(), (&folder, None), &set, &|_| {});
                });
                start.wait();
                pin_in(plan.path(), &folder, true).is_ok()
            });
            let is_whole = folder.join("a.agssite").exists() && folder.join(set::FILE).exists();
            assert_eq!(is_whole, is_pinned, "{:?}", folder.exists());
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_link_in_place_of_a_file_or_of_the_folder_is_not_followed() {
        let (plan, folder, set) = stored();
        let outside = tempfile::tempdir().unwrap();
        let target = outside.path().join("target");
        std::fs::rename(folder.join("a.agssite"), &target).unwrap();
        std::os::unix::fs::symlink(&target, folder.join("a.agssite")).unwrap();
        assert!(remove(plan.path(), (&folder, None), &set, &|_| {}).is_err());
        assert!(target.exists() && folder.join(set::FILE).exists());

        let (plan, folder, set) = stored();
        let link = plan.path().join("link");
        std::os::unix::fs::symlink(&folder, &link).unwrap();
        assert!(remove(plan.path(), (&link, None), &set, &|_| {}).is_err());
        assert_eq!(names(&folder).len(), 3);
    }

    #[test]
    fn a_removal_that_was_cut_off_anywhere_is_finished_by_the_next_one() {
        for gone in [&[][..], &["a.agssite"], &["a.agssite", "a.agssite.inventory.json"]] {
            let (plan, folder, set) = stored();
            std::fs::rename(folder.join(set::FILE), folder.join(REMOVING)).unwrap();
            for name in gone {
                std::fs::remove_file(folder.join(name)).unwrap();
            }
            assert!(matches!(BackupSet::read(&folder), Err(set::NotASet::None)));
            let told = std::cell::Cell::new(0);
            finish(&folder, &set.plan, &|_| told.set(told.get() + 1)).unwrap();
            assert!(!folder.exists() && told.get() == 1, "{gone:?}");
            assert_eq!(names(plan.path()), [""; 0], "{gone:?}");
        }
        let (_plan, folder, set) = stored();
        finish(&folder, &set.plan, &|_| {}).unwrap();
        assert_eq!(names(&folder).len(), 3, "its removal was not begun");
    }

    #[test]
    fn a_folder_that_is_empty_goes_only_if_a_removal_of_the_same_plan_left_it() {
        let other = PlanId("of another computer".to_owned());
        for is_gone in [false, true] {
            let (_plan, folder, set) = stored();
            std::fs::rename(folder.join(set::FILE), beside(&folder)).unwrap();
            for name in names(&folder) {
                std::fs::remove_file(folder.join(name)).unwrap();
            }
            finish(&folder, &set.plan, &|_| panic!("nothing of a set is removed")).unwrap();
            finish_empty(&beside(&folder), &other).unwrap();
            assert!(folder.exists() && beside(&folder).exists());
            if is_gone {
                std::fs::remove_dir(&folder).unwrap();
            }
            finish_empty(&beside(&folder), &set.plan).unwrap();
            assert!(!folder.exists() && !beside(&folder).exists());
        }
        // A file that a user put there since stays.
        let (_plan, folder, set) = stored();
        std::fs::rename(folder.join(set::FILE), beside(&folder)).unwrap();
        finish_empty(&beside(&folder), &set.plan).unwrap();
        assert_eq!((names(&folder).len(), beside(&folder).exists()), (2, false));
    }
}
