//! What was left of a plan since the last start: by a runner that was killed, a run without an end, its set, and the
//! file that it was writing; by the window, what it found in the folder of the plan.

use std::path::Path;

use steward_core::model::numbers::Millis;
use steward_core::model::problem::{self, Problem};

use super::attempt::{Attempt, StoredSet};
use super::attempt_end::AttemptEnd;
use super::drive::{LOOK, within};
use super::found;
use super::host::Host;
use super::keeping;
use super::mark::Marked;
use super::open_sets;
use super::plan::BackupPlan;
use super::plan_folder;
use super::services::RunnerFiles;
use super::set::Verdict;
use super::store::{self, PlanProgress};

/// Finishes what an earlier runner left of a plan: a run that it was killed in, and sets that could not be written.
/// Returns whether there was something. What the window found since is added to the progress of the plan.
pub(crate) async fn finish(host: &impl Host, files: &RunnerFiles, plan: &BackupPlan) -> bool {
    found::take(&files.data_folder, &plan.id, |found| {
        store::try_change(&files.progress, plan, |progress| progress.add(found))
    });
    let PlanProgress { begun, unwritten, sets_in, .. } = files.progress.read(|state| state.of(plan));
    if let Some(began) = begun {
        let CutOff { mut end, attempt, ended } = end_of(&files.data_folder, plan, began).await;
        tracing::error!(plan = plan.id.0, verdict = ?end.verdict, note = end.note, "a run was cut off");
        host.record_cut_off(plan, &end, (began, ended)).await;
        if end.takes_the_place_of_others() {
            end.not_removed = host.remove_others(plan).await;
        }
        let times = (began.timestamp(), ended.map(Millis::timestamp));
        store::end(&files.progress, plan, attempt, times, end).await;
    }
    let is_finished = begun.is_some() || !unwritten.is_empty();
    for stored in unwritten {
        match write(&files.data_folder, &stored, sets_in.clone()).await {
            Ok(true) => store::change(&files.progress, plan, |progress| progress.written_late(&stored)),
            // A user removed the set.
            Ok(false) => {
                store::change(&files.progress, plan, |progress| progress.forget_unwritten(&stored.folder));
            }
            Err(problem) => tracing::warn!(?problem, "a backup set is still to be written"),
        }
    }
    is_finished
}

/// A run whose runner ended before it did.
struct CutOff {
    end: AttemptEnd,
    attempt: Attempt,
    /// When its set was complete; `None` if it was not, or there is none.
    ended: Option<Millis>,
}

/// Ends the set of the run that began at a time, whose runner ended before it did, and returns the run. A set whose run
/// sent nothing is discarded, and its time of the schedule is repeated.
async fn end_of(data_folder: &Path, plan: &BackupPlan, began: Millis) -> CutOff {
    let cut_off = |end| CutOff { end, attempt: Attempt::REQUESTED, ended: None };
    let ended = async {
        // Read before the other sets get an end: only a set that its run completed has one now.
        let complete = begun_at(plan_folder::read_written(plan).await?.sets, began);
        open_sets::end_all(data_folder, plan).await?;
        Ok::<_, Problem>(complete.and_then(|stored| stored.set.ended))
    };
    let ended = ended.await;
    let end = AttemptEnd { verdict: Verdict::Unknown, sent_nothing: false, ..AttemptEnd::without_set() };
    let complete = match ended {
        Ok(complete) => complete,
        Err(problem) => return cut_off(AttemptEnd { note: problem::as_text(&problem), ..end }),
    };
    let sets = plan_folder::read(plan).await.map(|folder| folder.sets).unwrap_or_default();
    let Some(stored) = begun_at(sets, began) else {
        let note = "the runner ended before this run did".to_owned();
        return cut_off(AttemptEnd { note, ..end });
    };
    if stored.set.sent_nothing() && keeping::discard(data_folder, &stored).await.is_ok() {
        let scheduled = stored.set.scheduled.map(Millis::timestamp);
        let attempt = Attempt { scheduled, ..Attempt::REQUESTED };
        return CutOff { attempt, ..cut_off(AttemptEnd::unsent(stored.set.parts)) };
    }
    let StoredSet { folder, set } = stored;
    let (verdict, fault, folder) = (set.verdict(), set.fault(), Some(folder.display().to_string()));
    CutOff { ended: complete, ..cut_off(AttemptEnd { verdict, fault, folder, parts: set.parts, ..end }) }
}

/// Returns the set of the run that began at a time: the first one since. A set in the future began by a clock that was
/// ahead.
fn begun_at(sets: Vec<StoredSet>, began: Millis) -> Option<StoredSet> {
    let now = Millis::now();
    let can_be_it = |started: Millis| started >= began && (started <= now || now < began);
    let since = sets.into_iter().filter(|stored| can_be_it(stored.set.started));
    since.min_by_key(|stored| stored.set.started)
}

/// Writes a set that could not be written when its run ended, as [`keeping::write_late`].
async fn write(data_folder: &Path, stored: &StoredSet, sets_in: Option<Marked>) -> Result<bool, Problem> {
    let (data_folder, StoredSet { folder, set }) = (data_folder.to_owned(), stored.clone());
    within(LOOK, stored.of_plan(), move || {
        let place = (&*folder, sets_in.as_ref());
        keeping::write_late(&data_folder, place, set).map_err(|error| Problem::file(&folder, &error))
    })
    .await?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::removal::pin_in;
    use crate::retention::SetState;
    use crate::set::{BackupSet, PartFault, PartState, SetPart};
    use steward_core::files::data_folder::DataFolder;

    /// A data folder, and a plan with a set that a runner was killed in: one part is verified, the next one was
    /// exported.
    fn killed() -> (tempfile::TempDir, BackupPlan, std::path::PathBuf) {
        killed_with([PartState::VerifiedHere, PartState::Running, PartState::Waiting])
    }

    /// The same, with parts in other states.
    fn killed_with(states: [PartState; 3]) -> (tempfile::TempDir, BackupPlan, std::path::PathBuf) {
        let data = tempfile::tempdir().unwrap();
        let folder = data.path().join("sets");
        let plan = BackupPlan { folder: folder.clone(), ..BackupPlan::example() };
        let of_plan = (plan.id.clone(), plan.name.clone());
        let (of_site, parts) = ((plan.site.clone(), String::new()), states.map(SetPart::example).into());
        let set = BackupSet::begun(of_plan, of_site, Some(Millis(7)), parts);
        let folder = folder.join("2026-11-29 01-00-00");
        std::fs::create_dir_all(&folder).unwrap();
        set.write(&folder).unwrap();
        std::fs::write(folder.join(".site-steward-a1b2c3.part"), "half an export").unwrap();
        (data, plan, folder)
    }

    #[tokio::test]
    async fn a_set_whose_runner_was_killed_ends_as_unknown_and_is_kept_and_removed_like_any_other() {
        let (data, plan, folder) = killed();

        open_sets::end_all(data.path(), &plan).await.unwrap();

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

    #[tokio::test]
    async fn a_run_that_sent_nothing_and_was_killed_before_its_set_was_discarded_is_repeated_and_leaves_no_set()
     {
        let unreachable = || PartState::Failed { fault: PartFault::Connection, note: "no route".to_owned() };
        for is_ended in [true, false] {
            let (data, plan, folder) = killed_with([(); 3].map(|()| unreachable()));
            let set = BackupSet::read(&folder).unwrap();
            BackupSet { ended: is_ended.then_some(Millis(9)), ..set }.write(&folder).unwrap();

            let CutOff { end, attempt, .. } = end_of(data.path(), &plan, Millis(1)).await;

            assert!(end.sent_nothing, "{end:?}");
            assert_eq!((end.fault, end.folder), (Some(PartFault::Connection), None));
            assert_eq!(attempt.scheduled, Some(Millis(7).timestamp()));
            assert!(BackupSet::read(&folder).is_err(), "it is no set of the plan");
        }
    }

    #[tokio::test]
    async fn a_run_that_was_killed_before_it_had_a_set_is_unknown_although_the_clock_was_ahead_once() {
        let (data, plan, folder) = killed_with([(); 3].map(|()| PartState::VerifiedHere));
        let set = BackupSet::read(&folder).unwrap();
        let (now, then) = (set.started, Millis(set.started.0 + 400 * 86_400_000));
        BackupSet { started: then, ended: Some(then), ..set }.write(&folder).unwrap();

        let CutOff { end, .. } = end_of(data.path(), &plan, now).await;
        assert_eq!((end.verdict, end.folder), (Verdict::Unknown, None));

        // A run that began then, and after which the clock was set back.
        let CutOff { end, .. } = end_of(data.path(), &plan, then).await;
        assert_eq!((end.verdict, end.folder.is_some()), (Verdict::AsExpected, true));
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
