//! The saved plans, which only the window writes, and the state of each.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;
use steward_core::access::checked_facts::find;
use steward_core::files::JsonStore;
use steward_core::files::selected_paths::SelectedPaths;
use steward_core::model::checked::ComponentChecks;
use steward_core::model::export_verification::Rehearsal;
use steward_core::model::ids::{ServerId, SiteId, Target};
use steward_core::model::numbers::{Millis, count};
use steward_core::model::problem::Problem;
use steward_core::settings::policy::Policy;
use steward_core::site_context::SiteContext;
use steward_core::sites::Site;
use steward_core::sites::profiles::Profile;
use steward_core::transfers::export_verification::last_rehearsal;

use super::acceptance::{obstacle, reminded_at, session_end};
use super::acceptance_facts;
use super::acceptance_line::AcceptanceLine;
use super::account_key;
use super::alerts::channel::AlertSettings;
use super::drive::{LOOK, within};
use super::events;
use super::form::{self, PlanForm};
use super::found;
use super::mark::{self, MarkedFolder};
use super::plan::{BackupPlan, ChannelId, PlanId, PortalStore, runs_by_schedule};
use super::profiles;
use super::restore::BegunRestore;
use super::retention::Fate;
use super::rules;
use super::schedule::{MovedRun, Schedule};
use super::sets::{self, PlanSets};
use super::state::{NeedsYou, PlanFacts, PlanState, state};
use super::store::{self, LastRun, PlanProgress, PlanStore, RunnerState};

/// Name of the file with the troubles that the user has marked as seen.
pub(crate) const SEEN: &str = "seen-plans.json";

/// Name of the file with the restores that were begun.
pub(crate) const RESTORES: &str = "restores.json";

/// Longest look for a set that was lost, while a page is shown.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// Number of next runs that are shown.
const NEXT: usize = 3;

/// Saved plans.
pub struct SavedPlans {
    store: PlanStore,
    /// Since when each plan needs a user, for troubles that the user has marked as seen.
    seen: JsonStore<HashMap<PlanId, Millis>>,
    /// Restore that was begun last from a set of each plan.
    restores: JsonStore<HashMap<PlanId, BegunRestore>>,
    data_folder: PathBuf,
}

/// Plans of a site, and the last start of the runner.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PlanList {
    /// Plans, by name.
    pub plans: Vec<PlanView>,
    /// Time when the scheduler of the system last started the runner; `null` if it never did.
    pub last_start: Option<Millis>,
}

/// A plan with its state, and its last and next runs.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PlanView {
    /// Plan.
    pub plan: BackupPlan,
    /// Its state.
    pub state: PlanState,
    /// Times of the next runs, in order; empty if the plan is paused or runs only on request.
    pub next: Vec<Millis>,
    /// Whether the plan runs by its schedule when it is enabled. Plans of the practice site run only on request.
    pub has_schedule: bool,
    /// Last run; `null` if there was none.
    pub last: Option<LastRun>,
    /// Time when the last run began that left a set as the plan expects, with every file recognized as an export;
    /// `null` if there was none.
    pub verified: Option<Millis>,
    /// Last rehearsal that imported an export of one of its parts; `null` if there was none.
    pub rehearsed: Option<Rehearsal>,
}

/// A plan that requires an action of a user, or did not run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PlanTrouble {
    /// Site.
    pub site: SiteId,
    /// Plan.
    pub plan: PlanId,
    /// Name of the plan.
    pub name: String,
    /// Folder of its sets.
    pub folder: PathBuf,
    /// Its state.
    pub state: PlanState,
    /// Time since which the plan has that state.
    pub since: Millis,
}

impl PlanTrouble {
    fn of(BackupPlan { id, site, name, folder, .. }: BackupPlan, state: PlanState, since: Millis) -> Self {
        Self { site, plan: id, name, folder, state, since }
    }
}

/// Next runs of a schedule.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct NextRuns {
    /// Times of the next three runs, in order.
    pub runs: Vec<Millis>,
    /// Next run within a year whose time does not exist because of a change to daylight saving time; `null` if there is
    /// none.
    pub moved: Option<MovedRun>,
}

impl SavedPlans {
    /// Opens the plans of a data folder.
    #[must_use]
    pub fn open(data_folder: &Path) -> Self {
        Self {
            store: store::plans(data_folder),
            seen: JsonStore::open(data_folder.join(SEEN)),
            restores: JsonStore::open(data_folder.join(RESTORES)),
            data_folder: data_folder.to_owned(),
        }
    }

    /// Returns a plan.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if there is none.
    pub fn get(&self, id: &PlanId) -> Result<BackupPlan, Problem> {
        let found = self.store.read(|plans| plans.iter().find(|plan| plan.id == *id).cloned());
        found.ok_or_else(|| Problem::Unexpected { message: "there is no such backup plan".to_owned() })
    }

    /// Returns all plans.
    #[must_use]
    pub fn all(&self) -> Vec<BackupPlan> {
        self.store.get()
    }

    /// Returns the plans of a site, with their states. Sends nothing, and reads no folder of a plan but that of a set
    /// that was lost.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if the site is not saved, or the history cannot be read.
    pub async fn list(&self, context: &SiteContext, site: &SiteId) -> Result<PlanList, Problem> {
        let site = context.access.sites.get(site)?;
        self.look_again(&site.id).await;
        let (progress, now, zone) = (self.progress(), Timestamp::now(), TimeZone::system());
        let mut plans = Vec::new();
        for (plan, state) in self.states(context, &site, &progress).await? {
            let progress = progress.plans.get(&plan.id);
            let runs: Vec<_> = plan.schedule.after(now, &zone).take(NEXT).map(Millis::from).collect();
            plans.push(PlanView {
                next: if runs_by_schedule(&plan) { runs } else { Vec::new() },
                has_schedule: runs_by_schedule(&BackupPlan { is_enabled: true, ..plan.clone() }),
                last: progress.and_then(|progress| progress.last.clone()),
                verified: progress.and_then(|progress| progress.verified),
                rehearsed: last_rehearsal_of(context, &plan).await?,
                state,
                plan,
            });
        }
        plans.sort_by_cached_key(|view| (view.plan.name.to_lowercase(), view.plan.id.clone()));
        Ok(PlanList { plans, last_start: progress.last_start })
    }

    /// Returns the states of the plans of a site.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if the history cannot be read.
    pub async fn states(
        &self,
        context: &SiteContext,
        site: &Site,
        progress: &RunnerState,
    ) -> Result<Vec<(BackupPlan, PlanState)>, Problem> {
        Self::states_of(self.all(), context, site, progress).await
    }

    /// Returns the states of those plans that are of a site.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if the history cannot be read.
    pub(crate) async fn states_of(
        mut plans: Vec<BackupPlan>,
        context: &SiteContext,
        site: &Site,
        progress: &RunnerState,
    ) -> Result<Vec<(BackupPlan, PlanState)>, Problem> {
        plans.retain(|plan| plan.site == site.id);
        if plans.is_empty() {
            return Ok(Vec::new());
        }
        let signed_out = signed_out(site, &context.access.checked.all());
        let mut rehearsed: HashMap<Option<ServerId>, Option<Millis>> = HashMap::new();
        let (now, zone) = (Timestamp::now(), TimeZone::system());
        let mut states = Vec::new();
        for plan in plans {
            let mut facts = PlanFacts { signed_out: signed_out.clone(), ..PlanFacts::default() };
            let last = progress.plans.get(&plan.id).and_then(|progress| progress.last.as_ref());
            let ends = last.and_then(|last| last.session_end.as_ref()).map(|end| end.ends);
            // The keyring is read only when a reminder is due: a user might have signed in since the last run.
            if plan.is_enabled && ends.and_then(|ends| reminded_at(ends, now)).is_some() {
                facts.session_end = session_end(&acceptance_facts::parts(context, &plan).await);
            }
            // A rehearsal is recognized by the content of its file, which is not known for a portal whose file is not
            // seen from this computer.
            let portal = plan.portal_seen_at().map(|_| None);
            let parts = portal.into_iter().chain(plan.servers().cloned().map(Some));
            for server in parts.filter(|_| plan.rehearse_every.is_some()) {
                let target = Target { site: site.id.clone(), server: server.clone() };
                // A part that is no longer saved cannot be rehearsed either.
                if context.access.sites.at(&target).is_err() {
                    continue;
                }
                if !rehearsed.contains_key(&server) {
                    let last = last_rehearsal(context, &target).await?.map(|rehearsal| rehearsal.at);
                    rehearsed.insert(server.clone(), last);
                }
                let last = rehearsed.get(&server).copied().flatten();
                facts.rehearsed.push((server, last));
            }
            let state = state(&plan, progress.plans.get(&plan.id), &facts, now, &zone);
            states.push((plan, state));
        }
        Ok(states)
    }

    /// Returns the plans of all sites that need a user, as far as the user has not seen it, and those of sites that are
    /// no longer saved, which no page of a site shows. Sends nothing.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if the history cannot be read.
    pub async fn troubles(&self, context: &SiteContext) -> Result<Vec<PlanTrouble>, Problem> {
        let sites = context.access.sites.all();
        for site in &sites {
            self.look_again(&site.id).await;
        }
        let progress = self.progress();
        let mut troubles = Vec::new();
        for site in sites {
            for (plan, state) in self.states(context, &site, &progress).await? {
                let (PlanState::NeedsYou { since, .. } | PlanState::DidNotRun { since }) = state else {
                    continue;
                };
                if self.seen.read(|seen| seen.get(&plan.id) != Some(&since)) {
                    troubles.push(PlanTrouble::of(plan, state, since));
                }
            }
        }
        // Last: the others can be marked as seen, but these stay until they are deleted.
        let without_site =
            self.all().into_iter().filter(|plan| context.access.sites.get(&plan.site).is_err());
        troubles.extend(without_site.map(|plan| {
            let last = progress.plans.get(&plan.id).and_then(|of_plan| of_plan.last.as_ref());
            let since = last.map_or(plan.since, |last| last.at);
            PlanTrouble::of(plan, PlanState::NeedsYou { since, reason: NeedsYou::NoSite }, since)
        }));
        Ok(troubles)
    }

    /// Marks the trouble of a plan as seen that began at `since`. The next failure is shown again.
    pub fn mark_seen(&self, plan: PlanId, since: Millis) {
        self.seen.change(|seen| {
            seen.insert(plan, since);
            let plans = self.all();
            seen.retain(|id, _| plans.iter().any(|plan| plan.id == *id));
        });
    }

    /// Returns the restore that was begun last from a set of a plan; `None` if none was.
    #[must_use]
    pub fn restore_of(&self, plan: &PlanId) -> Option<BegunRestore> {
        self.restores.read(|restores| restores.get(plan).cloned())
    }

    /// Begins a restore from a set: from now on, imports are its steps. One that was begun from the same set goes on.
    pub fn begin_restore(&self, plan: PlanId, set: String) {
        self.restores.change(|restores| {
            if restores.get(&plan).is_none_or(|begun| begun.set != set) {
                restores.insert(plan, BegunRestore { set, at: Millis::now() });
            }
            let plans = self.all();
            restores.retain(|id, _| plans.iter().any(|plan| plan.id == *id));
        });
    }

    /// Forgets the restore that was begun from a set of a plan. What was imported stays.
    pub fn end_restore(&self, plan: &PlanId) {
        self.restores.change(|restores| {
            restores.remove(plan);
        });
    }

    /// Returns the sets of a plan, each with its fate. Notes whether the last set has changed since its run, which is the
    /// state of the plan from now on.
    ///
    /// # Errors
    /// - Those of [`get`](Self::get) and of [`sets::of`].
    /// - [`Problem::File`] if the folder is not the one with the sets of the plan.
    pub async fn sets(&self, context: &SiteContext, id: &PlanId) -> Result<PlanSets, Problem> {
        let plan = self.get(id)?;
        sets::must_be_marked(&self.data_folder, &plan).await?;
        let mut sets = sets::of(context, &plan).await?;
        let not_removed =
            self.progress().plans.remove(id).map_or_else(Vec::new, |of_plan| of_plan.not_removed);
        for set in sets.sets.iter_mut().filter(|set| set.fate == Fate::Removed) {
            set.not_removed = not_removed.iter().find(|one| one.name == set.name).cloned();
        }
        if let Err(problem) = sets::look(&self.data_folder, &plan).await {
            tracing::warn!(?problem, plan = plan.id.0, "what became of the last set is not noted");
        }
        Ok(sets)
    }

    /// Looks again at the last sets of the plans of a site that were found gone or changed, which might be back, and
    /// returns whether there were some. A drive that does not respond is not waited for.
    pub async fn look_again(&self, site: &SiteId) -> bool {
        let progress = self.progress();
        let is_lost =
            |plan: &BackupPlan| progress.plans.get(&plan.id).is_some_and(PlanProgress::has_lost_set);
        let lost: Vec<_> =
            self.all().into_iter().filter(|plan| plan.site == *site && is_lost(plan)).collect();
        for plan in &lost {
            match tokio::time::timeout(LOOK_AGAIN, sets::look(&self.data_folder, plan)).await {
                Ok(Ok(())) => {}
                Ok(Err(problem)) => {
                    tracing::warn!(?problem, plan = plan.id.0, "a lost set is not looked for")
                }
                Err(_) => tracing::warn!(plan = plan.id.0, "the folder of a lost set does not respond"),
            }
        }
        !lost.is_empty()
    }

    /// Returns the folders of the plans of a site.
    #[must_use]
    pub fn folders(&self, site: &SiteId) -> Vec<MarkedFolder> {
        let mut progress = self.progress();
        let of_site = self.all().into_iter().filter(|plan| plan.site == *site);
        let folders = of_site.map(|plan| MarkedFolder {
            sets_in: progress.plans.remove(&plan.id).and_then(|of_plan| of_plan.sets_in),
            plan: plan.id,
            folder: plan.folder,
        });
        folders.collect()
    }

    /// Returns what the runner wrote last, with what the window found since.
    #[must_use]
    pub fn progress(&self) -> RunnerState {
        store::progress_now(&self.data_folder)
    }

    /// Adds or changes a plan.
    ///
    /// # Errors
    /// - [`Problem::Form`] if a field is invalid, the policy does not allow it, or a path was not chosen in the dialog.
    /// - [`Problem::PlanNotAccepted`] if it is enabled, and needs a user to run.
    /// - [`Problem::Keyring`] if the key of a storage account cannot be stored.
    /// - [`Problem::Unexpected`] if its site or the plan to change is not saved.
    /// - [`Problem::File`] if the plans cannot be written.
    pub async fn save(
        &self,
        context: &SiteContext,
        policy: &Policy,
        channels: &AlertSettings,
        selected: &SelectedPaths,
        form: &PlanForm,
    ) -> Result<BackupPlan, Problem> {
        let site = context.access.sites.get(&form.site)?;
        let plan = self.draft(selected, form)?;
        form::check(&plan, &site, &self.all())?;
        rules::can_be_saved(policy, &context.history, &plan, channels).await?;
        if plan.is_enabled && obstacle(self.judged(context, policy, selected, &plan).await?).is_some() {
            return Err(Problem::PlanNotAccepted);
        }
        let is_marked = selected.was_chosen(&plan.folder) && mark_folder(&plan).await?;
        let before = self.get(&plan.id).ok();
        let vault = context.access.vault();
        let entered = form.account_key.as_deref();
        let former = account_key::keep(vault, before.as_ref(), &plan, entered).await?;
        let change = |plans: &mut Vec<BackupPlan>| {
            // Checked again: another plan might have been saved meanwhile.
            form::check(&plan, &site, plans)?;
            match plans.iter_mut().find(|one| one.id == plan.id) {
                Some(before) => *before = plan.clone(),
                None => plans.push(plan.clone()),
            }
            Ok(plan.clone())
        };
        let saved = self.change(context, change);
        match (&saved, former) {
            // Noted once the plan is saved, and only if its folder was chosen in the dialog.
            (Ok(_), _) if is_marked => note_mark(&self.data_folder, &plan).await,
            (Err(_), Some(former)) => former.put_back(vault).await,
            (Ok(_), _) | (Err(_), None) => {}
        }
        saved
    }

    /// Changes the plans, once the audit trail has what changes.
    fn change<T>(
        &self,
        context: &SiteContext,
        change: impl FnOnce(&mut Vec<BackupPlan>) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        self.store.try_change_told(change, |before, after| tell_changes(context, before, after))
    }

    /// Completes a change of the plans that the audit trail has, but that was cut off before their file was written.
    pub fn complete_change(&self, context: &SiteContext) {
        self.store.complete(|before, after| tell_changes(context, before, after));
    }

    /// Adds the plans of a profile to the site that was added from it: paused, and without a folder that the policy
    /// does not allow. Returns the number of plans; those that this version cannot read are left out.
    ///
    /// # Errors
    /// - [`Problem::Form`] if the policy allows no plans.
    /// - [`Problem::Unexpected`] if the site is not saved.
    /// - [`Problem::File`] if the plans cannot be written.
    pub async fn add_from_profile(
        &self,
        context: &SiteContext,
        policy: &Policy,
        site: &SiteId,
        profile: &Profile,
    ) -> Result<u32, Problem> {
        let site = context.access.sites.get(site)?;
        let mut added = profiles::for_site(&site, profile, Millis::now());
        for plan in &mut added {
            if !policy.allows_set_folder(&plan.folder) {
                plan.folder = PathBuf::new();
            }
        }
        if !added.is_empty() {
            rules::any_allowed(policy, &context.history).await?;
        }
        let number = count(added.len());
        let change = |plans: &mut Vec<BackupPlan>| {
            plans.extend(added);
            Ok(number)
        };
        self.change(context, change)
    }

    /// Removes a channel of alerts, which was deleted, from all plans.
    ///
    /// # Errors
    /// Those of [`delete`](Self::delete), but for the keyring.
    pub fn forget_channel(&self, context: &SiteContext, channel: &ChannelId) -> Result<(), Problem> {
        let change = |plans: &mut Vec<BackupPlan>| {
            plans.iter_mut().for_each(|plan| plan.alerts.retain(|id| id != channel));
            Ok(())
        };
        self.change(context, change)
    }

    /// Deletes a plan, and the key of its storage account. Its sets stay.
    ///
    /// # Errors
    /// - [`Problem::Keyring`] if there is a key, and the keyring cannot be written.
    /// - [`Problem::File`] if the plans cannot be written.
    /// - [`Problem::NotRecorded`] if the audit trail cannot be written.
    pub async fn delete(&self, context: &SiteContext, id: &PlanId) -> Result<(), Problem> {
        // First: if the keyring fails, the plan remains and the deletion can be repeated.
        forget_keys(context, self.all().iter().filter(|plan| plan.id == *id)).await?;
        let change = |plans: &mut Vec<BackupPlan>| {
            plans.retain(|plan| plan.id != *id);
            Ok(())
        };
        self.change(context, change)?;
        found::forget(&self.data_folder, id);
        Ok(())
    }

    /// Deletes the plans of a site that was removed, and the keys of their storage accounts. Their sets stay.
    ///
    /// # Errors
    /// - [`Problem::Keyring`] if a key remains because the keyring cannot be written. The plans are deleted.
    /// - [`Problem::File`] if the plans cannot be written. They and their keys remain.
    pub async fn forget_site(&self, context: &SiteContext, site: &SiteId) -> Result<(), Problem> {
        let change = |plans: &mut Vec<BackupPlan>| {
            let (of_site, others) = std::mem::take(plans).into_iter().partition(|plan| plan.site == *site);
            *plans = others;
            Ok(of_site)
        };
        // The plans are deleted before their keys: without their site they would only fail, again and again.
        let deleted: Vec<BackupPlan> = self.change(context, change)?;
        deleted.iter().for_each(|plan| found::forget(&self.data_folder, &plan.id));
        forget_keys(context, deleted.iter()).await
    }

    /// Returns the sets that a plan would have and keep if it was saved like this. Removes nothing.
    ///
    /// # Errors
    /// - [`Problem::Form`] if a path was not chosen in the dialog.
    /// - Those of [`sets::of`].
    pub async fn preview(
        &self,
        context: &SiteContext,
        selected: &SelectedPaths,
        form: &PlanForm,
    ) -> Result<PlanSets, Problem> {
        sets::of(context, &self.draft(selected, form)?).await
    }

    /// Returns the acceptance list of a plan that is not saved, as if it was enabled. Sends nothing.
    ///
    /// # Errors
    /// - [`Problem::Form`] if a path was not chosen in the dialog.
    /// - [`Problem::Unexpected`] if its site or the plan to change is not saved.
    pub async fn acceptance(
        &self,
        context: &SiteContext,
        policy: &Policy,
        selected: &SelectedPaths,
        form: &PlanForm,
    ) -> Result<Vec<AcceptanceLine>, Problem> {
        self.judged(context, policy, selected, &self.draft(selected, form)?).await
    }

    async fn judged(
        &self,
        context: &SiteContext,
        policy: &Policy,
        selected: &SelectedPaths,
        plan: &BackupPlan,
    ) -> Result<Vec<AcceptanceLine>, Problem> {
        let progress = self.progress().plans.remove(&plan.id);
        // A folder that the user has just chosen in the dialog needs no mark.
        let sets_in = progress.and_then(|known| known.sets_in).filter(|_| !selected.was_chosen(&plan.folder));
        acceptance_facts::when_enabled(context, policy, plan, sets_in.as_ref()).await
    }

    /// Returns the plan of a form, as far as it is filled in.
    ///
    /// # Errors
    /// - [`Problem::Form`] if a path was not chosen in the dialog.
    /// - [`Problem::Unexpected`] if the plan to change is not saved.
    pub fn draft(&self, selected: &SelectedPaths, form: &PlanForm) -> Result<BackupPlan, Problem> {
        let before = form.id.as_ref().map(|id| self.get(id)).transpose()?;
        // A plan never changes its site, because its sets are exports of that site.
        if before.as_ref().is_some_and(|before| before.site != form.site) {
            return Err(Problem::Unexpected { message: "the plan is of another site".to_owned() });
        }
        form.unchecked(before.as_ref(), selected, Millis::now())
    }
}

/// Writes the mark of a plan to the folder that a user chose for it, and returns whether it is there. One that is
/// paused can be saved without its drive.
async fn mark_folder(plan: &BackupPlan) -> Result<bool, Problem> {
    let marked = plan.clone();
    let writing = move || mark::write(&marked).map_err(|error| Problem::file(&marked.folder, &error));
    let written = within(LOOK, &plan.folder, writing);
    match written.await? {
        Err(problem) if !plan.is_enabled => {
            tracing::warn!(?problem, "the folder of a paused plan was not marked");
            Ok(false)
        }
        written => written.map(|()| true),
    }
}

/// Notes that the folder of a saved plan has its mark. A failure is logged: the first run of the plan notes it, too.
async fn note_mark(data_folder: &Path, plan: &BackupPlan) {
    let (data_folder, marked) = (data_folder.to_owned(), plan.clone());
    let noting = move || found::note_mark(&data_folder, &marked);
    let noted = within(LOOK, &plan.folder, noting).await.and_then(|noted| noted);
    if let Err(problem) = noted {
        tracing::warn!(?problem, plan = plan.id.0, "the folder of a plan was not noted");
    }
}

/// Returns the next runs of a schedule in the time zone of the system.
#[must_use]
pub fn next_runs(schedule: &Schedule) -> NextRuns {
    let (now, zone) = (Timestamp::now(), TimeZone::system());
    NextRuns {
        runs: schedule.after(now, &zone).take(NEXT).map(Millis::from).collect(),
        moved: schedule.next_moved(now, &zone),
    }
}

/// Writes to the audit trail what changes of the plans.
fn tell_changes(context: &SiteContext, before: &[BackupPlan], after: &[BackupPlan]) -> Result<(), Problem> {
    context.history.must_append(&events::changes(before, after, &context.access.sites))
}

/// Deletes the keys of storage accounts of some plans: also the others after one could not be deleted.
async fn forget_keys(context: &SiteContext, plans: impl Iterator<Item = &BackupPlan>) -> Result<(), Problem> {
    let mut done = Ok(());
    for plan in plans.filter(|plan| matches!(plan.portal_store(), Some(PortalStore::Blob { .. }))) {
        if let Err(problem) = account_key::forget(context.access.vault(), &plan.id).await {
            done = Err(problem);
        }
    }
    done
}

/// Returns the components where no user was signed in at the last check, with the time since when; `None` for the
/// portal.
fn signed_out(site: &Site, checks: &[ComponentChecks]) -> Vec<(Option<ServerId>, Millis)> {
    let components = site.components();
    let checks = components.iter().filter_map(|component| find(checks, component));
    let sessions = checks.filter_map(|checks| Some((&checks.target.server, checks.session.value.as_ref()?)));
    let out = sessions.filter(|(_, session)| session.username.is_none());
    out.map(|(server, session)| (server.clone(), session.since)).collect()
}

/// Returns the last rehearsal that imported an export of a part of a plan. A part that is no longer saved has none.
async fn last_rehearsal_of(context: &SiteContext, plan: &BackupPlan) -> Result<Option<Rehearsal>, Problem> {
    let mut last: Option<Rehearsal> = None;
    for part in &plan.parts {
        let target = Target { site: plan.site.clone(), server: part.server().cloned() };
        if context.access.sites.at(&target).is_ok() {
            let of_part = last_rehearsal(context, &target).await?;
            last = [last, of_part].into_iter().flatten().max_by_key(|one| one.at);
        }
    }
    Ok(last)
}
