//! Files of backup plans in the data folder: the plans, which the window writes, and their progress, which the runner
//! writes. Each file has one writer, because two processes would overwrite each other's changes.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::Path;

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use steward_core::files::data_folder::PLANS;
use steward_core::files::{self, JsonStore};
use steward_core::model::export_verification::ArchiveFault;
use steward_core::model::numbers::Millis;
use steward_core::model::problem::{self, Problem};

use super::acceptance_line::{AcceptanceLine, SessionEnd};
use super::attempt::{Attempt, StoredSet};
use super::attempt_end::AttemptEnd;
use super::drive::{LOOK, within};
use super::found::{self, Found};
use super::mark::Marked;
use super::not_removed::{self, NotRemoved};
use super::plan::{BackupPlan, PlanId, runs_by_schedule};
use super::set::{PartFault, SetPart, Verdict};

/// Saved plans.
pub type PlanStore = JsonStore<Vec<BackupPlan>>;

/// Progress of all plans.
pub type ProgressStore = JsonStore<RunnerState>;

/// Name of the file with the progress.
pub(crate) const PROGRESS: &str = "plan-progress.json";

/// Progress of the runner of backup plans, stored in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RunnerState {
    /// Time when the scheduler of the system last started the runner; `null` if it never did.
    pub last_start: Option<Millis>,
    /// Progress of each plan that was due or has run.
    pub plans: HashMap<PlanId, PlanProgress>,
}

/// Progress of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PlanProgress {
    /// Time up to which all times of the schedule were handled.
    pub handled: Millis,
    /// Time of the schedule whose run sent nothing, and is repeated; `null` if there is none.
    pub repeat: Option<Millis>,
    /// Last run; `null` if there was none.
    pub last: Option<LastRun>,
    /// Time when the last run began that left a set as the plan expects, with every file recognized as an export;
    /// `null` if there was none.
    pub verified: Option<Millis>,
    /// Last time of the schedule that was skipped, because the computer was off; `null` if there was none.
    pub left_out: Option<Millis>,
    /// Folder with the mark of the plan: the one of its last set, or one that a user has chosen since; `null` before
    /// the first set.
    pub sets_in: Option<Marked>,
    /// Time when a run began that has not ended; `null` if there is none. Outside of a run, only a runner that was
    /// killed leaves it.
    #[serde(default)]
    pub begun: Option<Millis>,
    /// Sets whose `set.json` could not be written when their run ended. The app tries to write it again later.
    #[serde(default, deserialize_with = "one_or_several")]
    pub unwritten: Vec<StoredSet>,
    /// Sets that no rule keeps, but that could not be removed after the last run that tried to.
    #[serde(default)]
    pub not_removed: Vec<NotRemoved>,
}

impl PlanProgress {
    /// Returns the progress of a plan that never ran, and missed nothing before a time.
    #[must_use]
    pub fn since(handled: Millis) -> Self {
        Self {
            handled,
            repeat: None,
            last: None,
            verified: None,
            left_out: None,
            begun: None,
            unwritten: Vec::new(),
            not_removed: Vec::new(),
            sets_in: None,
        }
    }

    /// Returns whether the last set was found gone since its run, or one of its files gone or changed.
    pub(crate) fn has_lost_set(&self) -> bool {
        let is_lost = |part: &SetPart| {
            let fault = part.state.failure().map(|(fault, _)| fault);
            matches!(fault, Some(PartFault::Archive(ArchiveFault::Unread | ArchiveFault::Changed)))
        };
        let last = self.last.as_ref();
        last.is_some_and(|last| last.fault == Some(PartFault::SetGone) || last.parts.iter().any(is_lost))
    }

    fn end(
        &mut self,
        plan: &BackupPlan,
        attempt: Attempt,
        (began, took): (Millis, Option<u32>),
        end: AttemptEnd,
        marked: Option<Marked>,
    ) {
        let AttemptEnd { verdict, fault, folder, note, parts, refused, session_end, sent_nothing, .. } = end;
        self.begun = None;
        self.unwritten.extend(end.unwritten);
        if let Some(failed) = end.not_removed {
            self.not_removed = not_removed::since(failed, &self.not_removed, began);
        }
        // A run does not replace a mark that is known: only a user does, by choosing the folder again.
        let has_mark = |known: &Marked| known.folder == plan.folder && known.mark.is_some();
        if marked.is_some() && !self.sets_in.as_ref().is_some_and(has_mark) {
            self.sets_in = marked;
        }
        if sent_nothing {
            self.repeat = attempt.scheduled.map(Millis::from).or(self.repeat);
        } else if verdict == Verdict::AsExpected {
            // A run that a user requested counts, too.
            self.repeat = None;
        }
        // A file that is not recognized as an export does not fail the plan, but its set is not verified.
        if verdict == Verdict::AsExpected && parts.iter().all(SetPart::is_recognized) {
            self.verified = Some(began);
        }
        // A repetition with the same fault keeps the time, so that a user who has seen the failure does not see it
        // again.
        let at = match &self.last {
            Some(last) if attempt.is_repetition && sent_nothing && last.fault == fault => last.at,
            _ => began,
        };
        self.last = Some(LastRun { at, took, verdict, fault, folder, note, parts, refused, session_end });
    }

    /// Adds what the window found since. What it found of the set of an earlier run is ignored.
    pub(crate) fn add(&mut self, Found { marked, last }: Found) {
        self.sets_in = marked.or(self.sets_in.take());
        if let (Some(of_run), Some(found)) = (&mut self.last, last)
            && of_run.folder.as_ref() == Some(&found.folder)
        {
            (of_run.verdict, of_run.fault) = (found.verdict, found.fault);
            (of_run.note, of_run.parts) = (found.note, found.parts);
            self.verified = found.verified;
        }
    }

    /// Forgets a set that could not be written when its run ended.
    pub(crate) fn forget_unwritten(&mut self, folder: &Path) {
        self.unwritten.retain(|stored| stored.folder != folder);
    }

    /// Notes that a set is written that could not be when its run ended.
    pub(crate) fn written_late(&mut self, StoredSet { folder, set }: &StoredSet) {
        self.forget_unwritten(folder);
        let folder = folder.display().to_string();
        if let Some(last) = &mut self.last
            && last.folder.as_ref() == Some(&folder)
        {
            (last.verdict, last.fault, last.note) = (set.verdict(), set.fault(), String::new());
            if set.is_verified() {
                self.verified = Some(last.at);
            }
        }
    }
}

/// Reads sets, also one or none, as earlier versions wrote them.
fn one_or_several<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<StoredSet>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Sets {
        Several(Vec<StoredSet>),
        One(Box<StoredSet>),
    }
    Ok(match Option::deserialize(from)? {
        None => Vec::new(),
        Some(Sets::Several(sets)) => sets,
        Some(Sets::One(set)) => vec![*set],
    })
}

/// Last run of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct LastRun {
    /// Time when the run began. A repetition that sends nothing because of the same fault keeps the time of the first
    /// run.
    pub at: Millis,
    /// Duration of the run, in seconds; `null` if it is not known, for example because the run was cut off.
    pub took: Option<u32>,
    /// Verdict on its set.
    pub verdict: Verdict,
    /// Fault of a part that failed; `null` if none did.
    pub fault: Option<PartFault>,
    /// Path of the folder of its set; `null` if the set could not be created, or nothing was sent.
    pub folder: Option<String>,
    /// Reason why there is no set; empty if there is one.
    pub note: String,
    /// State of the parts after the run; empty if the run did not begin.
    pub parts: Vec<SetPart>,
    /// Line of the acceptance list that prevented the run; `null` if none did.
    pub refused: Option<AcceptanceLine>,
    /// Earliest end of a session of its parts, as known when the run began; `null` if none was known.
    pub session_end: Option<SessionEnd>,
}

impl RunnerState {
    /// Returns the progress of a plan. One that never ran has missed nothing before it was enabled.
    #[must_use]
    pub fn of(&self, plan: &BackupPlan) -> PlanProgress {
        self.plans.get(&plan.id).cloned().unwrap_or_else(|| PlanProgress::since(plan.since))
    }

    fn change(&mut self, plan: &BackupPlan, change: impl FnOnce(&mut PlanProgress)) {
        let mut changed = self.of(plan);
        change(&mut changed);
        self.plans.insert(plan.id.clone(), changed);
    }
}

/// Changes the progress of a plan.
pub(crate) fn change(store: &ProgressStore, plan: &BackupPlan, change: impl FnOnce(&mut PlanProgress)) {
    store.change(|state| state.change(plan, change));
}

/// Changes the progress of a plan if the change can be written.
///
/// # Errors
/// [`Problem::File`] if it cannot be written. The progress stays as it was.
pub(crate) fn try_change(
    store: &ProgressStore,
    plan: &BackupPlan,
    change: impl FnOnce(&mut PlanProgress),
) -> Result<(), Problem> {
    store.try_change(|state| {
        state.change(plan, change);
        Ok(())
    })
}

/// Writes that a run of a plan begins, before it does: one that is killed is not started again by the next start of the
/// runner.
///
/// # Errors
/// The end of the run, if that cannot be written. Nothing may be sent then: the next start would not know of it.
pub(crate) fn begin(
    store: &ProgressStore,
    plan: &BackupPlan,
    attempt: Attempt,
    now: Timestamp,
) -> Result<(), Box<AttemptEnd>> {
    let written = try_change(store, plan, |progress| {
        if let Some(scheduled) = attempt.scheduled {
            (progress.handled, progress.repeat) = (Millis::from(scheduled), None);
        }
        progress.begun = Some(Millis::from(now));
    });
    written.map_err(|problem| Box::new(AttemptEnd::on_full_disk(&problem)))
}

/// Writes the end of a run, and returns it. `ended` is `None` if it is not known when that was. Its time of the schedule is repeated if nothing was sent. An end that
/// cannot be written is a failure, although the set might be as expected.
pub(crate) async fn end(
    store: &ProgressStore,
    plan: &BackupPlan,
    attempt: Attempt,
    (began, ended): (Timestamp, Option<Timestamp>),
    end: AttemptEnd,
) -> AttemptEnd {
    // A clock that was set back during the run leaves no duration.
    let took = ended.and_then(|ended| u32::try_from(ended.duration_since(began).as_secs()).ok());
    let times = (Millis::from(began), took);
    let marked = match &end.folder {
        Some(_) => {
            let of_plan = plan.clone();
            let marked = within(LOOK, &plan.folder, move || Marked::of(&of_plan)).await;
            Some(marked.unwrap_or_else(|_| Marked { folder: plan.folder.clone(), mark: None }))
        }
        None => None,
    };
    let change_to = |progress: &mut PlanProgress, end: &AttemptEnd| {
        progress.end(plan, attempt, times, end.clone(), marked.clone());
    };
    let written = try_change(store, plan, |progress| change_to(progress, &end));
    let Err(problem) = written else { return end };
    tracing::error!(?problem, plan = plan.id.0, "the end of a run could not be written");
    let (verdict, fault) = (end.verdict.max(Verdict::Failed), end.fault.or(Some(PartFault::Disk)));
    let end = AttemptEnd { verdict, fault, note: problem::as_text(&problem), ..end };
    // In memory, for the alert of this process. The next process finds a run that has not ended.
    change(store, plan, |progress| change_to(progress, &end));
    end
}

/// Opens the plans of a data folder.
#[must_use]
pub fn plans(data_folder: &Path) -> PlanStore {
    let were_lost = are_plans_lost(data_folder);
    let plans = JsonStore::open(data_folder.join(PLANS));
    let plans = if were_lost { plans.noting_loss() } else { plans.noted() };
    // If the plans were lost, the file is written at once: then only the file that was set aside is listed, and not a
    // missing one, too.
    if are_plans_lost(data_folder) { plans.written() } else { plans }
}

/// Reads the plans, as [`unreadable`](steward_core::unreadable) does.
///
/// # Errors
/// Why they cannot be read.
pub(crate) fn check_plans(file: &Path) -> anyhow::Result<()> {
    files::check::<Vec<BackupPlan>>(file)?;
    anyhow::ensure!(!file.parent().is_some_and(are_plans_lost), "the file is missing");
    Ok(())
}

/// Returns whether the plans are missing although one of them has run: the note that they were saved might be gone,
/// too.
fn are_plans_lost(data_folder: &Path) -> bool {
    let plans = data_folder.join(PLANS).symlink_metadata();
    plans.is_err_and(|error| error.kind() == ErrorKind::NotFound)
        && !progress_read_only(data_folder).get().plans.is_empty()
}

/// Opens the plans of a data folder for the runner, which does not write them.
#[must_use]
pub(crate) fn plans_read_only(data_folder: &Path) -> PlanStore {
    JsonStore::open_read_only(data_folder.join(PLANS))
}

/// Reads the progress that the runner wrote last, with what the window found since.
#[must_use]
pub(crate) fn progress_now(data_folder: &Path) -> RunnerState {
    let mut state = progress_read_only(data_folder).get();
    for (plan, found) in found::all(data_folder) {
        // A plan that never ran has only a folder, and has missed nothing.
        state.plans.entry(plan).or_insert_with(|| PlanProgress::since(Millis(0))).add(found);
    }
    state
}

/// Opens the progress that the runner wrote last, for a process that does not write it.
#[must_use]
pub(crate) fn progress_read_only(data_folder: &Path) -> ProgressStore {
    ProgressStore::open_read_only(data_folder.join(PROGRESS))
}

/// Opens the progress of the plans of a data folder for the runner.
#[must_use]
pub fn progress(data_folder: &Path) -> ProgressStore {
    JsonStore::open(data_folder.join(PROGRESS)).noted()
}

/// Returns whether a saved plan runs by its schedule.
#[must_use]
pub fn have_schedule(data_folder: &Path) -> bool {
    plans_read_only(data_folder).get().iter().any(runs_by_schedule)
}
