//! What a runner that was killed left in the folder of a plan: a set without an end, and the file that it was writing.

use std::path::Path;

use steward_core::files::remove_left_behind;

use super::attempt::StoredSet;
use super::keeping;
use super::plan::BackupPlan;
use super::removal;

/// Ends the sets of a plan whose run did not, and removes the files that were not complete. Call it only where no runner runs
/// but the caller: the window does not call it, because it might begin meanwhile.
///
/// # Errors
/// An error of the disk. The other sets are ended.
pub(crate) fn end_all(data_folder: &Path, plan: &BackupPlan) -> std::io::Result<()> {
    let left = keeping::read_folder(plan)?.sets.into_iter().filter(|stored| stored.set.ended.is_none());
    left.map(|stored| end(data_folder, stored)).fold(Ok(()), Result::and)
}

fn end(data_folder: &Path, StoredSet { folder, mut set }: StoredSet) -> std::io::Result<()> {
    remove_left_behind(&folder);
    let _lock = removal::lock_sets(data_folder)?;
    set.end_cut_off();
    set.write(&folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::PlanId;
    use crate::removal::pin_in;
    use crate::retention::{KeepRules, SetState};
    use crate::schedule::Schedule;
    use crate::set::{BackupSet, Expected, PartState, SetPart, Verdict};
    use steward_core::files::data_folder::DataFolder;
    use steward_core::model::ids::SiteId;

    /// A data folder, and a plan with a set that a runner was killed in: one part is verified, the next one was exported.
    fn killed() -> (tempfile::TempDir, BackupPlan, std::path::PathBuf) {
        let data = tempfile::tempdir().unwrap();
        let folder = data.path().join("sets");
        let plan = BackupPlan {
            id: PlanId("nightly".to_owned()),
            site: SiteId("s".to_owned()),
            name: "Every night".to_owned(),
            is_enabled: true,
            since: steward_core::model::numbers::Millis(0),
            parts: Vec::new(),
            schedule: Schedule { days: Vec::new(), times: Vec::new(), skip_missed: false },
            folder: folder.clone(),
            delete_stored: false,
            keep: KeepRules::default(),
            rehearse_days: None,
            alerts: Vec::new(),
        };
        let part = |state| SetPart {
            server: None,
            name: "Portal".to_owned(),
            expected: Expected::VerifiedHere,
            state,
            record: None,
            files: Vec::new(),
            portal_file: None,
            usual_size: None,
            warnings: None,
        };
        let parts = [PartState::VerifiedHere, PartState::Running, PartState::Waiting].map(part);
        let of_plan = (plan.id.clone(), plan.name.clone());
        let set = BackupSet::begun(of_plan, (plan.site.clone(), String::new()), None, parts.into());
        let folder = folder.join("2026-11-29 01-00-00");
        std::fs::create_dir_all(&folder).unwrap();
        set.write(&folder).unwrap();
        std::fs::write(folder.join(".site-steward-a1b2c3.part"), "half an export").unwrap();
        (data, plan, folder)
    }

    #[test]
    fn a_set_whose_runner_was_killed_ends_as_unknown_and_is_kept_and_removed_like_any_other() {
        let (data, plan, folder) = killed();

        end_all(data.path(), &plan).unwrap();

        let set = BackupSet::read(&folder).unwrap();
        assert!(set.ended.is_some());
        assert_eq!(set.verdict(), Verdict::Unknown);
        let states: Vec<_> = set.parts.iter().map(|part| part.state.clone()).collect();
        assert_eq!(states, [PartState::VerifiedHere, PartState::Unknown, PartState::Waiting]);
        assert_eq!(set.facts(String::new(), None).state, SetState::Incomplete, "not kept because it runs");
        assert_eq!(
            std::fs::read_dir(&folder).unwrap().count(),
            1,
            "the file that was not complete is removed"
        );
    }

    #[test]
    fn a_set_is_pinned_after_its_runner_was_killed_and_not_while_it_runs() {
        let (data, _plan, folder) = killed();
        let running = DataFolder::take_for_runner(data.path()).unwrap();
        assert!(pin_in(data.path(), &folder, true).is_err());
        assert!(BackupSet::read(&folder).unwrap().ended.is_none(), "the runner writes it");

        drop(running);
        pin_in(data.path(), &folder, true).unwrap();

        let set = BackupSet::read(&folder).unwrap();
        assert!(set.is_pinned && set.verdict() == Verdict::Unknown);
        assert_eq!(
            std::fs::read_dir(&folder).unwrap().count(),
            1,
            "the file that was not complete is removed"
        );
    }
}
