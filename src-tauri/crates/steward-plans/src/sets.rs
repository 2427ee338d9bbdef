//! The sets of a plan as the window shows them, pins, and changes of the last set since its run.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;
use steward_core::files::selected_paths::SelectedPaths;
use steward_core::history::rehearsals::rehearsed;
use steward_core::model::export_verification::Rehearsal;
use steward_core::model::ids::ServerId;
use steward_core::model::numbers::{Bytes, Millis};
use steward_core::model::problem::Problem;
use steward_core::site_context::SiteContext;

use super::attempt::StoredSet;
use super::drive::{LARGE_FILES, LOOK, within};
use super::found::{self, Found, LastSet};
use super::keeping;
use super::mark::{self, MarkedFolder};
use super::not_removed::NotRemoved;
use super::plan::BackupPlan;
use super::plan_folder::{self, PlanFolder, StrangeFolder};
use super::removal;
use super::retention::{Fate, NoRemoval, SetFacts, full_at};
use super::set::{BackupSet, PartFault, Verdict, export_file};
use super::store::{self, LastRun, PlanProgress, ProgressStore};

/// Sets in the folder of a plan.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PlanSets {
    /// Sets, the newest first.
    pub sets: Vec<SetView>,
    /// Folders that have a `set.json`, but are not sets of the plan. The app never changes them.
    pub strange: Vec<StrangeFolder>,
    /// Reason why no set is removed at the moment; `null` if sets can be removed.
    pub nothing: Option<NoRemoval>,
    /// Size of all sets, in bytes.
    pub size: Bytes,
    /// Free space of the disk with the folder; `null` if the system does not return it.
    pub free: Option<Bytes>,
    /// Time of the next run whose set is likely to have no room, estimated by the last sets and the rules; `null` if
    /// none of the next runs is known to lack room.
    pub full_at: Option<Millis>,
}

/// A set, and whether it is kept.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SetView {
    /// Name of its folder, unique within the plan.
    pub name: String,
    /// Path of its folder.
    pub folder: String,
    /// Content of its `set.json`.
    pub set: BackupSet,
    /// Verdict on the set.
    pub verdict: Verdict,
    /// Size of its files on this computer.
    pub size: Bytes,
    /// Whether the set is kept or removed after the next set that is as the plan expects.
    pub fate: Fate,
    /// Reason why the set still exists, although no rule keeps it; `null` if the app has not tried to remove it.
    pub not_removed: Option<NotRemoved>,
    /// Last rehearsal that imported an export of the set; `null` if there was none.
    pub rehearsed: Option<Rehearsal>,
}

/// Returns the sets of a plan, each with its fate. Removes nothing. A plan without a folder has none.
///
/// # Errors
/// Those of [`keeping::preview`].
pub async fn of(context: &SiteContext, plan: &BackupPlan) -> Result<PlanSets, Problem> {
    if plan.folder.as_os_str().is_empty() {
        return Ok(PlanSets {
            sets: Vec::new(),
            strange: Vec::new(),
            nothing: None,
            size: Bytes(0),
            free: None,
            full_at: None,
        });
    }
    let (now, zone) = (Timestamp::now(), TimeZone::system());
    let (folder, decision) = keeping::preview(context, plan, now, &zone).await?;
    let PlanFolder { sets, strange } = folder;
    let facts: Vec<SetFacts> = decision.sets.iter().map(|(set, _)| set.clone()).collect();
    let mut decided: HashMap<String, Fate> =
        decision.sets.into_iter().map(|(set, fate)| (set.name, fate)).collect();
    let rehearsed = rehearsed(&context.history).await?;
    let views = sets.into_iter().filter_map(|stored| {
        let fate = decided.remove(&keeping::name_in_decision(&stored.folder))?;
        let rehearsal = rehearsed.newest(stored.set.contents()).cloned();
        Some(view(stored, rehearsal, fate))
    });
    let sets: Vec<SetView> = views.collect();
    let sized = facts.into_iter().map(|facts| {
        let view = sets.iter().find(|set| set.folder == facts.name);
        let size = view.map_or(0, |view| view.size.0);
        (facts, size)
    });
    let (sized, in_folder, plan): (Vec<_>, _, _) = (sized.collect(), plan.folder.clone(), plan.clone());
    let (free, full_at) = within(LOOK, &in_folder, move || {
        let free = fs4::available_space(&plan.folder).ok();
        let (runs, interval) = (plan.schedule.after(now, &zone), keeping::interval_of(&plan));
        let full_at = free.and_then(|free| full_at(sized, &plan.keep, interval, free, runs, &zone));
        (free.map(Bytes), full_at.map(Millis::from))
    })
    .await?;
    Ok(PlanSets {
        size: Bytes::sum(sets.iter().map(|set| set.size)),
        sets,
        strange,
        nothing: decision.nothing,
        free,
        full_at,
    })
}

fn view(stored: StoredSet, rehearsed: Option<Rehearsal>, fate: Fate) -> SetView {
    let StoredSet { folder, set } = stored;
    SetView {
        name: name_of(&folder),
        folder: folder.display().to_string(),
        verdict: set.verdict(),
        size: set.size(),
        set,
        fate,
        not_removed: None,
        rehearsed,
    }
}

pub(super) fn name_of(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns a set of a plan by the name of its folder. The name is compared with those that are there: the window names
/// no path.
///
/// # Errors
/// - Those of [`plan_folder::read`].
/// - [`Problem::Unexpected`] if there is none.
pub(super) async fn find(plan: &BackupPlan, name: &str) -> Result<StoredSet, Problem> {
    let found =
        plan_folder::read(plan).await?.sets.into_iter().find(|stored| name_of(&stored.folder) == name);
    found.ok_or_else(|| Problem::Unexpected { message: format!("the backup set {name} is no longer there") })
}

/// Pins a set, so that no rule removes it, or unpins it.
///
/// # Errors
/// - [`Problem::Unexpected`] if there is no such set, or its run has not ended: the runner would overwrite the pin.
/// - [`Problem::File`] if its folder cannot be read, or the pin not be written.
pub async fn pin(data_folder: &Path, plan: &BackupPlan, name: &str, is_pinned: bool) -> Result<(), Problem> {
    let StoredSet { folder, .. } = find(plan, name).await?;
    let data_folder = data_folder.to_owned();
    within(LARGE_FILES, &plan.folder, move || removal::pin_in(&data_folder, &folder, is_pinned)).await?
}

/// Shows the folder of a set in the file manager.
///
/// # Errors
/// - [`Problem::Unexpected`] if there is no such set.
/// - [`Problem::File`] if it cannot be read.
/// - [`Problem::NoDialog`] if the system has no file manager.
pub async fn show(selected: &SelectedPaths, plan: &BackupPlan, name: &str) -> Result<(), Problem> {
    let stored = find(plan, name).await?;
    selected.show(&stored.folder.join(super::set::FILE), &plan.folder)
}

/// Returns the path of the export of a server in a set; `None` if it has none.
pub(super) fn export_of(stored: &StoredSet, server: &ServerId) -> Option<PathBuf> {
    let part = stored.set.parts.iter().find(|part| part.server.as_ref() == Some(server))?;
    Some(stored.folder.join(&export_file(part)?.name))
}

/// Checks that the folder of a plan is the one with its sets: without its network drive, the folder is an
/// empty mount point, which does not mean that the sets are gone.
///
/// # Errors
/// - [`Problem::File`] if the folder is another one.
/// - [`Problem::Unexpected`] if the program failed.
pub(crate) async fn must_be_marked(data_folder: &Path, plan: &BackupPlan) -> Result<(), Problem> {
    let (data_folder, in_folder, plan) = (data_folder.to_owned(), plan.folder.clone(), plan.clone());
    within(LOOK, &in_folder, move || {
        let known = store::progress_now(&data_folder).plans.remove(&plan.id);
        let sets_in = known.and_then(|known| known.sets_in);
        mark::check(&plan, sets_in.as_ref()).map_err(|error| Problem::file(&plan.folder, &error))
    })
    .await?
}

/// Looks at the sets of a plan, and notes whether the last one has changed. Nothing is noted if the plan has another folder
/// now, or its folder does not have its mark, because a network drive is not connected.
///
/// # Errors
/// - [`Problem::File`] if the folder of the plan cannot be read, or the note not be written.
/// - [`Problem::Unexpected`] if the program failed.
pub(crate) async fn look(data_folder: &Path, plan: &BackupPlan) -> Result<(), Problem> {
    let (data_folder, in_folder, plan) = (data_folder.to_owned(), plan.folder.clone(), plan.clone());
    within(LOOK, &in_folder, move || {
        let Some(known) = store::progress_now(&data_folder).plans.remove(&plan.id) else { return Ok(()) };
        let sets = plan_folder::read_folder(&plan).map_err(|error| Problem::file(&plan.folder, &error))?.sets;
        let Some(found) = last_set(&plan, &known, sets) else { return Ok(()) };
        let mut now = known.clone();
        let found = Found { last: Some(found), ..found::of(&data_folder, &plan.id) };
        now.add(found.clone());
        if now == known { Ok(()) } else { found::write(&data_folder, &plan.id, &found) }
    })
    .await?
}

/// Looks at the sets of a plan for the runner, before its runs: the last one might have been lost since, or be back. Sets
/// that could not be removed, and that a user has removed since, are forgotten.
pub(crate) async fn look_before_runs(progress: &ProgressStore, plan: &BackupPlan, now: Timestamp) {
    look_at_sets(progress, plan).await;
    correct_verified(progress, plan, now).await;
}

async fn look_at_sets(progress: &ProgressStore, plan: &BackupPlan) {
    let Some(known) = progress.read(|state| state.plans.get(&plan.id).cloned()) else { return };
    let of_plan = plan.clone();
    let looking = within(LOOK, &plan.folder, move || {
        let last = || {
            let sets = plan_folder::read_folder(&of_plan).ok()?.sets;
            last_set(&of_plan, &known, sets)
        };
        (if is_last_as_known(&of_plan, &known) { None } else { last() }, removed_since(&of_plan, &known))
    });
    match looking.await {
        Ok((last, removed)) => store::change(progress, plan, |progress| {
            progress.add(Found { last, ..Found::default() });
            progress.not_removed.retain(|one| !removed.contains(&one.name));
        }),
        Err(problem) => tracing::warn!(?problem, plan = plan.id.0, "the last set is not looked at"),
    }
}

/// Corrects the time of the last verified set if it is in the future, because the plan would not be overdue before it.
/// The newest set up to now takes its place. If the folder cannot be read, a later start corrects it.
async fn correct_verified(progress: &ProgressStore, plan: &BackupPlan, now: Timestamp) {
    let now = Millis::from(now);
    let is_ahead = progress.read(|state| state.of(plan).verified.is_some_and(|verified| verified > now));
    if is_ahead && let Ok(folder) = plan_folder::read(plan).await {
        let newest = plan_folder::newest_verified(&folder.sets, now).map(|stored| stored.set.started);
        store::change(progress, plan, |progress| progress.verified = newest);
    }
}

/// Returns the names of sets that the app could not remove, and whose folder is gone now.
fn removed_since(plan: &BackupPlan, known: &PlanProgress) -> Vec<String> {
    let PlanProgress { sets_in, not_removed, .. } = known;
    let folder =
        MarkedFolder { plan: plan.id.clone(), folder: plan.folder.clone(), sets_in: sets_in.clone() };
    let names = not_removed.iter().map(|one| one.name.clone());
    names.filter(|name| folder.lacks(&folder.folder.join(name))).collect()
}

/// Returns whether there is nothing new to note about the last set: it is as its run left it, its run goes on, or it
/// has to be written yet.
pub(crate) fn is_last_as_known(plan: &BackupPlan, known: &PlanProgress) -> bool {
    let Some(LastRun { folder: Some(folder), verdict, parts, .. }) = &known.last else { return true };
    let folder = Path::new(folder);
    let is_open = known.begun.is_some() || known.unwritten.iter().any(|stored| stored.folder == folder);
    let found = plan_folder::set_in(plan, folder).map(|set| set.as_found_in(folder, plan.portal_seen_at()));
    is_open || found.is_some_and(|set| set.parts == *parts && set.verdict() == *verdict)
}

/// Returns the last set of a plan as it is now; `None` if that is not known.
fn last_set(plan: &BackupPlan, known: &PlanProgress, sets: Vec<StoredSet>) -> Option<LastSet> {
    let last = known.last.as_ref()?;
    let folder = last.folder.clone()?;
    let is_marked = || mark::is_in(&plan.folder, &plan.id, known.sets_in.as_ref()).unwrap_or(false);
    if Path::new(&folder).parent() != Some(&plan.folder) || !is_marked() {
        return None;
    }
    let is_last = |stored: &StoredSet| stored.folder == Path::new(&folder);
    let verified = plan_folder::newest_verified(&sets, Millis::now()).map(|newest| {
        let began = if is_last(newest) { Some(last.at) } else { known.verified };
        // A run begins a moment before its set does.
        began.filter(|began| *began <= newest.set.started).unwrap_or(newest.set.started)
    });
    let Some(StoredSet { set, .. }) = sets.into_iter().find(|stored| is_last(stored)) else {
        let note = match BackupSet::read(Path::new(&folder)) {
            Ok(_) => "it is a link, or the set of another plan or site".to_owned(),
            Err(error) => error.to_string(),
        };
        let (note, verdict, fault) = (format!("{folder}: {note}"), Verdict::Failed, Some(PartFault::SetGone));
        return Some(LastSet { folder, verdict, fault, note, parts: Vec::new(), verified });
    };
    let (verdict, fault) = (set.verdict(), set.fault());
    Some(LastSet { folder, verdict, fault, note: String::new(), parts: set.parts, verified })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::{PartState, SetPart};

    #[tokio::test]
    async fn after_a_clock_that_was_ahead_the_last_verified_set_is_the_newest_one_before_now() {
        let data = tempfile::tempdir().unwrap();
        let plan = BackupPlan { folder: data.path().join("sets"), ..BackupPlan::example() };
        let (of_plan, of_site) = ((plan.id.clone(), plan.name.clone()), (plan.site.clone(), String::new()));
        let set = BackupSet::begun(of_plan, of_site, None, vec![SetPart::example(PartState::VerifiedHere)]);
        let now = set.started;
        let [before, ahead] = [-1, 400].map(|days| Millis(now.0 + days * 86_400_000));
        for (name, at) in [("2026-11-28 01-00-00", before), ("2028-01-03 01-00-00", ahead)] {
            let folder = plan.folder.join(name);
            std::fs::create_dir_all(&folder).unwrap();
            BackupSet { started: at, ended: Some(at), ..set.clone() }.write(&folder).unwrap();
        }
        let progress = ProgressStore::open(data.path().join(store::PROGRESS));
        store::change(&progress, &plan, |progress| progress.verified = Some(ahead));

        correct_verified(&progress, &plan, now.timestamp()).await;

        assert_eq!(progress.read(|state| state.of(&plan).verified), Some(before));
        std::fs::remove_dir_all(&plan.folder).unwrap();
        store::change(&progress, &plan, |progress| progress.verified = Some(ahead));
        correct_verified(&progress, &plan, now.timestamp()).await;
        assert_eq!(progress.read(|state| state.of(&plan).verified), Some(ahead), "it cannot be looked for");
    }
}
