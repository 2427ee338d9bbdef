//! Which sets of a plan are kept, and the removal of the others.

use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use steward_core::history::rehearsals::rehearsed;
use steward_core::model::problem::{self, Problem};
use steward_core::site_context::SiteContext;

use super::acceptance_line::SessionEnd;
use super::attempt::StoredSet;
use super::attempt_end::AttemptEnd;
use super::drive::{LARGE_FILES, LOOK, within};
use super::events;
use super::mark::{self, Marked};
use super::not_removed::WhyNotRemoved;
use super::plan::{BackupPlan, PlanId};
use super::plan_folder::{self, PlanFolder};
use super::removal;
use super::retention::{Decision, Fate, NoRemoval, decide};
use super::set::{BackupSet, PartFault};
use super::store;

/// Interval of a plan without a schedule, which runs only on request.
const ON_REQUEST: SignedDuration = SignedDuration::from_hours(365 * 24);

/// Result of removing the sets that no rule keeps.
#[derive(Debug, Default)]
pub struct Removal {
    /// Sets that were removed.
    pub removed: Vec<StoredSet>,
    /// Names of the folders of sets that should have been removed, and why they were not, or not completely.
    pub failed: Vec<(String, WhyNotRemoved)>,
    /// Reason why nothing was to be removed; `None` if sets could be.
    pub nothing: Option<NoRemoval>,
}

/// Decides which sets of a plan are kept at a time. Removes nothing: the window shows it while a plan is edited. A set
/// without an end was cut off if no runner runs.
///
/// # Errors
/// - Those of [`plan_folder::read`].
/// - [`Problem::Unexpected`] if the history cannot be read.
pub async fn preview(
    context: &SiteContext,
    plan: &BackupPlan,
    now: Timestamp,
    zone: &TimeZone,
) -> Result<(PlanFolder, Decision), Problem> {
    let mut folder = plan_folder::read(plan).await?;
    if folder.sets.iter().any(|stored| stored.set.ended.is_none()) && !context.history.has_runner() {
        let cut_off = folder.sets.iter_mut().filter(|stored| stored.set.ended.is_none());
        cut_off.for_each(|stored| stored.set.end_cut_off());
    }
    let rehearsed = rehearsed(&context.history).await?;
    let facts = folder.sets.iter().map(|stored| {
        let last = rehearsed.newest(stored.set.contents()).map(|rehearsal| rehearsal.at);
        stored.set.facts(name_in_decision(&stored.folder), last)
    });
    let decision = decide(facts.collect(), &plan.keep, interval_of(plan), now, zone);
    Ok((folder, decision))
}

/// Returns the longest time between two runs of a plan.
pub(super) fn interval_of(plan: &BackupPlan) -> SignedDuration {
    plan.schedule.longest_interval().unwrap_or(ON_REQUEST)
}

/// Returns the name of a set among those of a [`Decision`].
pub(super) fn name_in_decision(folder: &Path) -> String {
    folder.display().to_string()
}

/// Removes the sets that no rule keeps, and finishes removals that were cut off. The audit trail gets an event for
/// each. Returns the sets that could not be removed, and why; if the removal could not begin, the folder of the plan in
/// their place, because it is not known which sets would be removed.
pub(crate) async fn left_after_removal(
    (context, data_folder): (&SiteContext, &Path),
    plan: &BackupPlan,
    (now, zone): (Timestamp, &TimeZone),
) -> Vec<(String, WhyNotRemoved)> {
    left_by(plan, remove_others(context, data_folder, plan, now, zone).await)
}

/// Removes the sets that no rule keeps, and finishes removals that were cut off.
///
/// # Errors
/// Those of [`preview`]. Then nothing was removed.
pub async fn remove_others(
    context: &SiteContext,
    data_folder: &Path,
    plan: &BackupPlan,
    now: Timestamp,
    zone: &TimeZone,
) -> Result<Removal, Problem> {
    let (mut folder, decision) = preview(context, plan, now, zone).await?;
    let removed = decision.sets.iter().filter(|(_, fate)| *fate == Fate::Removed);
    let names: Vec<PathBuf> = removed.map(|(set, _)| PathBuf::from(&set.name)).collect();
    folder.sets.retain(|stored| names.contains(&stored.folder));
    let (plan, data_folder) = (plan.clone(), data_folder.to_owned());
    let nothing = decision.nothing;
    let (history, runtime) = (context.history.clone(), tokio::runtime::Handle::current());
    let tell =
        move |folder: &Path, set: &BackupSet| runtime.block_on(history.append(events::removed(folder, set)));
    let in_folder = plan.folder.clone();
    within(LARGE_FILES, &in_folder, move || {
        let failed = finish_all(&plan.folder, &plan.id, &tell);
        let mut done = Removal { nothing, failed, ..Removal::default() };
        for stored in folder.sets {
            let told = |set: &BackupSet| tell(&stored.folder, set);
            let place = (&*stored.folder, plan.portal_seen_at());
            match removal::remove(&data_folder, place, &stored.set, &told) {
                Ok(()) => done.removed.push(stored),
                Err(error) => {
                    let failed = not_removed(&stored.folder, &error);
                    // The set can be listed already, if an earlier removal of it could not be finished.
                    done.failed.retain(|(name, _)| *name != failed.0);
                    done.failed.push(failed);
                }
            }
        }
        done
    })
    .await
}

/// Keeps the set of a run, or discards it if nothing was sent, and removes those that no rule keeps once it takes their
/// place. Returns the end of the run.
///
/// # Errors
/// - [`Problem::File`] if the drive of a set that is discarded does not respond.
/// - [`Problem::Unexpected`] if the program failed.
pub(crate) async fn keep(
    (context, data_folder): (&SiteContext, &Path),
    plan: &BackupPlan,
    stored: StoredSet,
    session_end: Option<SessionEnd>,
    (now, zone): (Timestamp, &TimeZone),
) -> Result<AttemptEnd, Problem> {
    let folder = stored.folder.display().to_string();
    if stored.set.sent_nothing() {
        discard(data_folder, &stored).await?;
        return Ok(AttemptEnd::unsent(stored.set.parts));
    }
    // Without `set.json`, the folder is no set, and no other set is removed for it.
    if let Err(problem) = stored.must_be_written().await {
        tracing::error!(?problem, "a backup set could not be written at its end");
        return Ok(AttemptEnd {
            fault: Some(PartFault::Disk),
            folder: Some(folder),
            note: problem::as_text(&problem),
            parts: stored.set.parts.clone(),
            sent_nothing: false,
            unwritten: Some(stored),
            ..AttemptEnd::without_set()
        });
    }
    // The plan as it is saved now: a run takes hours, and its rules might have been changed. `None` if it was deleted,
    // or has another folder.
    let saved = store::plans_read_only(data_folder).get();
    let saved = saved.into_iter().find(|saved| saved.id == plan.id && saved.folder == plan.folder);
    let mut not_removed = None;
    if stored.set.takes_the_place_of_others()
        && let Some(plan) = &saved
    {
        not_removed = Some(left_after_removal((context, data_folder), plan, (now, zone)).await);
    }
    let (verdict, fault, parts) = (stored.set.verdict(), stored.set.fault(), stored.set.parts);
    let folder = Some(folder);
    Ok(AttemptEnd {
        verdict,
        fault,
        folder,
        parts,
        session_end,
        sent_nothing: false,
        not_removed,
        ..AttemptEnd::without_set()
    })
}

fn left_by(plan: &BackupPlan, removed: Result<Removal, Problem>) -> Vec<(String, WhyNotRemoved)> {
    removed.map_or_else(
        |problem| {
            tracing::warn!(?problem, "no backup set is removed");
            let why = WhyNotRemoved::Other { said: problem::as_text(&problem) };
            vec![(plan.folder.display().to_string(), why)]
        },
        |removal| removal.failed,
    )
}

/// Removes a set whose run sent nothing. A failure is only logged.
///
/// # Errors
/// - [`Problem::File`] if the drive does not respond.
/// - [`Problem::Unexpected`] if the program failed.
pub(crate) async fn discard(data_folder: &Path, stored: &StoredSet) -> Result<(), Problem> {
    let (data_folder, StoredSet { folder, set }) = (data_folder.to_owned(), stored.clone());
    within(LOOK, stored.of_plan(), move || {
        if let Err(error) = removal::remove(&data_folder, (&folder, None), &set, &|_| {}) {
            tracing::warn!(%error, folder = %folder.display(), "an empty backup set is kept");
        }
    })
    .await
}

/// Writes a set that could not be written when its run ended; a pin that a user set since is kept. Returns whether it
/// is written: it is not if its folder was removed.
///
/// # Errors
/// An error of the disk, also if the folder is missing without the mark of the plan beside it, as of [`mark::is_in`]:
/// its drive is absent then.
pub(crate) fn write_late(
    data_folder: &Path,
    (folder, sets_in): (&Path, Option<&Marked>),
    set: BackupSet,
) -> std::io::Result<bool> {
    let is_marked = |sets| mark::is_in(sets, &set.plan, sets_in).unwrap_or(false);
    if !folder.is_dir() && folder.parent().is_some_and(is_marked) {
        return Ok(false);
    }
    let _lock = removal::lock_sets(data_folder)?;
    let is_pinned = BackupSet::read(folder).is_ok_and(|before| before.is_pinned);
    BackupSet { is_pinned, ..set }.write(folder).map(|()| true)
}

/// Finishes the removals of sets of a plan that were cut off, and returns those that could not be. The next run tries
/// again.
fn finish_all(
    folder: &Path,
    plan: &PlanId,
    tell: &dyn Fn(&Path, &BackupSet),
) -> Vec<(String, WhyNotRemoved)> {
    let mut failed = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let finished = match entry.file_type() {
            Ok(kind) if kind.is_dir() => removal::finish(&path, plan, &|set| tell(&path, set)),
            Ok(kind) if kind.is_file() => removal::finish_empty(&path, plan),
            Ok(_) => Ok(()),
            Err(error) => Err(error),
        };
        if let Err(error) = finished {
            failed.push(not_removed(&path, &error));
        }
    }
    failed
}

fn not_removed(path: &Path, error: &std::io::Error) -> (String, WhyNotRemoved) {
    tracing::warn!(%error, path = %path.display(), "a backup set that no rule keeps could not be removed");
    (removal::set_name(path), WhyNotRemoved::of(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_removal_that_could_not_begin_is_told_as_sets_that_were_not_removed() {
        let plan = BackupPlan { folder: "/backups".into(), ..BackupPlan::example() };
        let said = || Problem::file(&plan.folder, &std::io::Error::other("stale file handle"));
        let left = left_by(&plan, Err(said()));
        let why = WhyNotRemoved::Other { said: problem::as_text(&said()) };
        assert_eq!(left, [("/backups".to_owned(), why)]);
        assert_eq!(left_by(&plan, Ok(Removal::default())), []);
    }
}
