//! The wait until sites are back, which survives the end of the program.
//!
//! [`Proofs::follow`] begins a wait after each import, checks the sites that are due, and passes on those that need no further
//! check. [`Proofs::check_again`] and [`Proofs::stop`] are for the user.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use steward_journal::Report;
use steward_journal::trail::Event;
use tokio::sync::Notify;

use super::facts::SiteReading;
use super::progress::IndexProgress;
use super::reading::{Kept, read};
use super::recovery::{Import, newest_imports};
use super::verdict::{Moments, indexed, judge};
use crate::access::checked_facts::{address_of, find};
use crate::files::JsonStore;
use crate::history::open_imports::{import_since, uncertain_import_since};
use crate::model::ids::{ServerId, SiteId};
use crate::model::numbers::Millis;
use crate::model::problem::Problem;
use crate::model::site_proof::{ProofState, SiteProof, SiteProofView, WhyOpen};
use crate::operations::find_items::validation::ItemValidations;
use crate::runs::busy;
use crate::site_context::SiteContext;
use crate::sites::site_data::SiteData;
use crate::sites::{Site, TargetSite};

/// Time since the start of a wait in which checks follow each other quickly, in milliseconds.
const AT_FIRST: i64 = 2 * 60_000;

/// Pause between two checks at first.
const SHORT: i64 = 10_000;

/// Pause between two checks later.
const LONG: i64 = 60_000;

/// Pause between two checks while only a sign-in is missing. A sign-in ends it.
const SIGNED_OUT: i64 = 10 * 60_000;

/// Longest wait. A portal needs up to 3 hours to index its content.
const LONGEST: i64 = 6 * 3_600_000;

/// Interval at which a running check notices that the wait was stopped.
const LOOK: Duration = Duration::from_millis(250);

/// Shortest and longest time between two looks at what is due. Within the longest, an import whose outcome a user set
/// is found.
const IDLE: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(60)];

/// Time without a check after which a wait counts as begun anew: the app was closed, or the computer slept.
const INTERRUPTED: i64 = 30 * 60_000;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Watched {
    site: SiteId,
    /// Addresses of the portal and the servers. With other addresses, the results are those of another site.
    #[serde(default)]
    addresses: Vec<(Option<ServerId>, String)>,
    /// Import after which the site is checked; `None` for a check without one.
    import: Option<Import>,
    /// End of the newest import whose wait is over: no wait begins after it again.
    #[serde(default)]
    back_from: Option<Millis>,
    /// Versions of the components before the import; empty without one.
    versions: Vec<(Option<ServerId>, String)>,
    begun_at: Millis,
    /// Time of the next check; `None` if none follows.
    next_at: Option<Millis>,
    progress: Option<IndexProgress>,
    /// Time from the start of the import until the site was back for the first time, in milliseconds.
    recovery_time: Option<i64>,
    /// Time of the last check that saw that the site was not back.
    #[serde(default)]
    not_back_at: Option<Millis>,
    last: Option<SiteProof>,
}

/// A site whose wait ended by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    /// Name of the site.
    pub site_name: String,
    /// Result of the last check.
    pub proof: SiteProof,
}

/// Data of a check, and its judgment.
struct Found {
    reading: SiteReading,
    moments: Moments,
    progress: Option<IndexProgress>,
    proof: SiteProof,
}

/// The checks of all sites.
pub struct Proofs {
    store: JsonStore<Vec<Watched>>,
    /// Last validations of data store items, which each check adds to; `None` where checks are only read.
    validations: Option<Arc<ItemValidations>>,
    /// Results that need not be read again, only in this process.
    kept: Mutex<HashMap<SiteId, Kept>>,
    due: Notify,
}

impl Proofs {
    /// Reads the stored checks.
    #[must_use]
    pub fn open(file: PathBuf, validations: Arc<ItemValidations>) -> Self {
        Self::of_store(JsonStore::open(file), Some(validations))
    }

    /// Reads the checks that the window stored.
    #[must_use]
    pub fn open_read_only(file: PathBuf) -> Self {
        Self::of_store(JsonStore::open_read_only(file), None)
    }

    fn of_store(store: JsonStore<Vec<Watched>>, validations: Option<Arc<ItemValidations>>) -> Self {
        Self { store, validations, kept: Mutex::default(), due: Notify::new() }
    }

    /// Returns the last check of a site, and its wait; `None` if it was never checked with the addresses that it has.
    #[must_use]
    pub fn of(&self, context: &SiteContext, site: &SiteId) -> Option<SiteProofView> {
        let site = context.access.sites.get(site).ok()?;
        let is_shown = |one: &&Watched| one.is_of(&site) && (one.is_waiting() || one.last.is_some());
        self.store.read(|all| all.iter().find(is_shown).map(Watched::view))
    }

    /// Returns the same for the window, with the time of a later import, after which the result is not known. Begins the wait after
    /// an import that just ended: until [`follow`](Self::follow) finds it, the site would be shown as one that was never checked.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if the journal cannot be read.
    pub async fn shown(
        &self,
        context: &SiteContext,
        site: &SiteId,
    ) -> Result<Option<SiteProofView>, Problem> {
        self.adopt(context).await;
        let Some(mut view) = self.of(context, site) else { return Ok(None) };
        if let Some(proof) = &view.proof {
            let at = import_since(&context.history, site, proof.checked_at).await?;
            view.unknown_import_at = at;
        }
        Ok(Some(view))
    }

    /// Checks a site now, and again until it is back. If it did not come back from its last import, the wait for that
    /// import goes on. Otherwise it is checked as without an import: versions are not compared, and no history entry is
    /// changed.
    ///
    /// # Errors
    /// - [`Problem::Unexpected`] if the site is not saved.
    /// - [`Problem::Busy`] while an import of it runs.
    pub fn check_again(&self, context: &SiteContext, site: &SiteId) -> Result<SiteProofView, Problem> {
        let saved = context.access.sites.get(site)?;
        if let Some(run) = context.running_import(&saved) {
            return Err(busy(&run));
        }
        let now = Millis::now();
        self.kept().remove(site);
        let before = self.store.read(|all| all.iter().find(|one| one.site == *site).cloned());
        let is_open = |one: &Watched| {
            one.is_of(&saved) && one.recovery_time.is_none() && (one.is_waiting() || one.import.is_some())
        };
        let watched = match before {
            Some(one) if is_open(&one) => {
                Watched { begun_at: now, next_at: Some(now), progress: None, ..one }
            }
            before => Watched {
                back_from: before.and_then(|one| one.known_until()),
                // Without an import, another version is not a problem.
                ..Watched::begun(&saved, None, Vec::new(), now)
            },
        };
        let view = watched.view();
        self.put(watched);
        self.due.notify_one();
        Ok(view)
    }

    /// Ends the wait for a site. What was found stays.
    pub fn stop(&self, site: &SiteId) {
        self.store.change(|all| {
            if let Some(one) = all.iter_mut().find(|one| one.site == *site) {
                one.next_at = None;
            }
        });
    }

    /// Forgets what was found of a site that was removed or reset. Its import is kept: no wait begins after it again.
    pub fn forget(&self, site: &SiteId) {
        self.store.change(|all| {
            if let Some(one) = all.iter_mut().find(|one| one.site == *site) {
                (one.next_at, one.last) = (None, None);
            }
        });
    }

    /// Checks the sites that are due while the program runs. `tell` receives the sites whose wait ended.
    pub async fn follow(&self, context: &SiteContext, tell: impl Fn(Ended)) {
        loop {
            for ended in self.check_due(context).await {
                tell(ended);
            }
            let next = self.store.read(|all| all.iter().filter_map(|one| one.next_at).min());
            let left = next.map_or(i64::MAX, |next| next.0 - Millis::now().0);
            let [shortest, longest] = IDLE;
            let pause = Duration::from_millis(u64::try_from(left).unwrap_or(0)).clamp(shortest, longest);
            tokio::select! {
                biased;
                () = self.due.notified() => {}
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// Has [`follow`](Self::follow) look at once: a run ended, which might be an import.
    pub fn look(&self) {
        self.due.notify_one();
    }

    /// Begins the wait after each import that has none, and checks the sites that are due. Returns those whose wait ended.
    pub async fn check_due(&self, context: &SiteContext) -> Vec<Ended> {
        self.adopt(context).await;
        let now = Millis::now();
        let waiting =
            self.store.read(|all| all.iter().filter(|one| one.is_waiting()).cloned().collect::<Vec<_>>());
        let is_due = |one: &Watched| {
            one.next_at.is_some_and(|next| next <= now) || self.is_signed_in_since(context, one)
        };
        let mut ended = Vec::new();
        for watched in waiting.into_iter().filter(is_due) {
            match context.access.sites.get(&watched.site) {
                Ok(site) if watched.is_of(&site) => ended.extend(self.check(context, &site, watched).await),
                // The site was removed, or is another one.
                Ok(_) | Err(_) => self.forget(&watched.site),
            }
        }
        ended
    }

    /// Returns whether a user signed in or out since the last check, if that check lacked a sign-in.
    fn is_signed_in_since(&self, context: &SiteContext, one: &Watched) -> bool {
        let mut parts = one.last.iter().flat_map(|last| &last.lines).flat_map(|line| &line.open);
        parts.any(|part| part.why == WhyOpen::SignIn)
            && context.access.sites.get(&one.site).is_ok_and(|site| {
                // Before the first check in this process, each of its sign-ins is a new one.
                turns(context, &site) != self.kept().get(&one.site).map_or(0, |kept| kept.turns)
            })
    }

    /// Begins the wait after each new import.
    async fn adopt(&self, context: &SiteContext) {
        let imports = match newest_imports(&context.history, Millis::now()).await {
            Ok(imports) => imports,
            Err(problem) => {
                tracing::warn!(?problem, "cannot read the imports that sites come back from");
                return;
            }
        };
        for (site, import) in imports {
            let is_known = self.store.read(|all| {
                all.iter().any(|one| {
                    one.site == site && one.known_until().is_some_and(|known| known >= import.ended_at)
                })
            });
            let Ok(saved) = context.access.sites.get(&site) else { continue };
            if is_known || context.running_import(&saved).is_some() {
                continue;
            }
            let now = Millis::now();
            self.kept().remove(&site);
            let versions = versions(context, &saved, &import);
            self.put(Watched::begun(&saved, Some(import), versions, now));
        }
    }

    /// Checks a site once. Returns the result if the wait ended.
    async fn check(&self, context: &SiteContext, site: &Site, before: Watched) -> Option<Ended> {
        let looked_at = Millis::now();
        let mut kept = self.kept().get(&site.id).cloned().unwrap_or_default();
        let mut found = self.found(context, site, &before, &kept).await?;
        if found.proof.state == ProofState::Done && !kept.data.is_empty() {
            // The data store items were read at the beginning of the wait, which can be hours ago.
            kept.data.clear();
            self.kept().insert(site.id.clone(), kept.clone());
            found = self.found(context, site, &before, &kept).await?;
        }
        let Found { reading, moments, progress, mut proof } = found;
        if let (ProofState::Done, Some(import)) = (proof.state, &before.import) {
            // After a later import, it is not known whether the site came back from this one.
            let other = uncertain_import_since(&context.history, &site.id, import.ended_at).await;
            let took = matches!(other, Ok(None)).then(|| took(import, moments.now)).flatten();
            proof.recovery_time = before.recovery_time.or(took);
            proof.is_at_most = match before.recovery_time {
                None => was_unseen(&before, import, looked_at),
                Some(_) => before.last.as_ref().is_some_and(|last| last.is_at_most),
            };
        }
        let is_seen = proof.state != ProofState::Done && sees_more_than_a_sign_in(&proof);
        self.keep(&site.id, &reading, turns(context, site));
        let next_at = pause(&proof, moments).map(|pause| Millis(moments.now.0 + pause));
        let mut is_stopped = false;
        self.store.change(|all| {
            if let Some(one) = all.iter_mut().find(|one| one.site == site.id) {
                is_stopped = one.next_at.is_none();
                one.next_at = next_at.filter(|_| !is_stopped);
                one.begun_at = moments.begun;
                one.progress = progress;
                one.recovery_time = one.recovery_time.or(proof.recovery_time);
                one.not_back_at = if is_seen { Some(moments.now) } else { one.not_back_at };
                one.last = Some(proof.clone());
            }
        });
        if next_at.is_some() || is_stopped {
            return None;
        }
        record(context, site, &before, &proof).await;
        Some(Ended { site_name: site.name.clone(), proof })
    }

    /// Reads and judges a site. Returns `None` if an import begins, or the wait is stopped.
    async fn found(
        &self,
        context: &SiteContext,
        site: &Site,
        before: &Watched,
        kept: &Kept,
    ) -> Option<Found> {
        let import_ended = before.import.as_ref().map(|import| import.ended_at);
        // On the heap: it is the future of many requests.
        let (versions, import, validations) =
            (&before.versions, before.import.as_ref(), self.validations.as_ref());
        let reading = Box::pin(read(context, site, versions, import, kept, validations));
        let reading = tokio::select! {
            biased;
            reading = context.unless_importing(site, reading) => reading.ok()?,
            () = self.until_stopped(site) => return None,
        };
        let now = Millis::now();
        let progress = indexed(&reading)
            .map_or(before.progress, |entries| Some(IndexProgress::after(before.progress, now, entries)));
        let is_interrupted = before.last.as_ref().is_some_and(|last| now.0 - last.checked_at.0 > INTERRUPTED);
        let begun = if is_interrupted { now } else { before.begun_at };
        let moments = Moments { now, import_ended, begun };
        let proof = judge(&reading, moments, progress);
        Some(Found { reading, moments, progress, proof })
    }

    /// Completes when the wait is stopped: nothing is requested from then on.
    async fn until_stopped(&self, site: &Site) {
        let is_waiting = |all: &Vec<Watched>| all.iter().any(|one| one.site == site.id && one.is_waiting());
        while self.store.read(is_waiting) {
            tokio::time::sleep(LOOK).await;
        }
    }

    fn keep(&self, site: &SiteId, reading: &SiteReading, turns: u64) {
        let mut all = self.kept();
        let kept = all.entry(site.clone()).or_default();
        kept.turns = turns;
        kept.token_at = kept.token_at.or(reading.token.as_ref().ok().copied());
        for component in &reading.components {
            if let Some(Ok(data)) = &component.data
                && data.items == data.valid
                && data.unlisted.is_empty()
            {
                kept.data.insert(component.id.clone(), data.clone());
            }
        }
    }

    fn put(&self, watched: Watched) {
        self.store.change(|all| {
            all.retain(|one| one.site != watched.site);
            all.push(watched);
        });
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<SiteId, Kept>> {
        // A panic leaves no partial change: the entries are independent facts that are set one by one.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SiteData for Proofs {
    fn site_removed(&self, site: &SiteId) {
        self.forget(site);
    }
}

impl Watched {
    /// Begins a wait.
    fn begun(
        site: &Site,
        import: Option<Import>,
        versions: Vec<(Option<ServerId>, String)>,
        now: Millis,
    ) -> Self {
        Self {
            site: site.id.clone(),
            addresses: addresses(site),
            import,
            back_from: None,
            versions,
            begun_at: now,
            next_at: Some(now),
            progress: None,
            recovery_time: None,
            not_back_at: None,
            last: None,
        }
    }

    fn is_of(&self, site: &Site) -> bool {
        self.site == site.id && self.addresses == addresses(site)
    }

    /// Returns the end of the newest import that a wait began after.
    fn known_until(&self) -> Option<Millis> {
        self.import.as_ref().map(|import| import.ended_at).max(self.back_from)
    }

    const fn is_waiting(&self) -> bool {
        self.next_at.is_some()
    }

    fn view(&self) -> SiteProofView {
        let import = self.import.as_ref();
        SiteProofView {
            site: self.site.clone(),
            import: import.map(|import| import.record.clone()),
            import_started_at: import.map(|import| import.started_at),
            import_ended_at: import.map(|import| import.ended_at),
            is_waiting: self.is_waiting(),
            next_at: self.next_at,
            proof: self.last.clone(),
            unknown_import_at: None,
        }
    }
}

/// Returns the time until the next check; `None` if no check is expected to find a better state.
fn pause(proof: &SiteProof, moments: Moments) -> Option<i64> {
    let parts = || proof.lines.iter().flat_map(|line| &line.open);
    let may_pass = parts().any(|part| match (&part.why, part.state) {
        (_, ProofState::NotYet) => true,
        (WhyOpen::NotReturned { may_pass, .. }, ProofState::NotKnown) => *may_pass || moments.is_settling(),
        _ => false,
    });
    let is_signed_out = parts().any(|part| part.why == WhyOpen::SignIn);
    match moments.now.0 - moments.begun.0 {
        waited if waited > LONGEST || !(may_pass || is_signed_out) => None,
        waited if waited < AT_FIRST => Some(SHORT),
        _ => Some(if may_pass { LONG } else { SIGNED_OUT }),
    }
}

fn addresses(site: &Site) -> Vec<(Option<ServerId>, String)> {
    let of = |component: &TargetSite| (component.target().server, address_of(component));
    site.components().iter().map(of).collect()
}

/// Returns the time since the start of an import; `None` if it ended later than now, because the clock was set back since.
fn took(import: &Import, now: Millis) -> Option<i64> {
    (now >= import.ended_at).then_some(now.0 - import.started_at.0)
}

/// Returns whether the site might have been back long before a check that began at `looked_at`: the last check that saw
/// it not back is too long ago, for example because the app was closed or no user was signed in.
fn was_unseen(before: &Watched, import: &Import, looked_at: Millis) -> bool {
    let Some(seen) = before.not_back_at.or((!import.is_end_unknown).then_some(import.ended_at)) else {
        return true;
    };
    let usual = if seen.0 - before.begun_at.0 < AT_FIRST { SHORT } else { LONG };
    looked_at.0 - seen.0 > 2 * usual + SHORT
}

/// Returns whether a check found a problem of the site itself, and not only that a sign-in was missing.
fn sees_more_than_a_sign_in(proof: &SiteProof) -> bool {
    let mut parts = proof.lines.iter().flat_map(|line| &line.open);
    parts.any(|part| {
        let is_of_sign_in =
            matches!(part.why, WhyOpen::SignIn | WhyOpen::NoRenewal | WhyOpen::WaitsFor { .. });
        part.state != ProofState::Done && !is_of_sign_in
    })
}

/// Returns the number of sign-ins and sign-outs of a site in this process.
fn turns(context: &SiteContext, site: &Site) -> u64 {
    site.components().iter().map(|component| context.access.turn(component)).sum()
}

/// Writes the result of a wait to the entry of its import, and the recovery time to the audit trail.
async fn record(context: &SiteContext, site: &Site, before: &Watched, proof: &SiteProof) {
    let Some(import) = &before.import else { return };
    let Ok(report) = Report::of(proof) else { return };
    let id = import.record.0.clone();
    let written = context.history.journal(move |journal| journal.set_in_report(&id, "$.back", &report));
    if let Err(problem) = written.await {
        tracing::warn!(?problem, "the entry of an import does not say whether the site is back");
    }
    if let Some(recovery_time) = proof.recovery_time.filter(|_| before.recovery_time.is_none()) {
        let event = Event::SiteBack {
            record: import.record.0.clone(),
            site: site.id.0.clone(),
            site_name: site.name.clone(),
            recovery_time,
        };
        context.history.append(event).await;
    }
}

/// Returns the versions of the components before an import: that in its record, or the last that was checked.
fn versions(context: &SiteContext, site: &Site, import: &Import) -> Vec<(Option<ServerId>, String)> {
    let checks = context.access.checked.all();
    let version = |component: &TargetSite| {
        let is_imported = import.server == component.recorded_server() && !import.version.is_empty();
        let checked = || find(&checks, component).and_then(|checks| checks.version.value.clone());
        if is_imported { import.version.clone() } else { checked().unwrap_or_default() }
    };
    site.components().iter().map(|component| (component.target().server, version(component))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::site_proof::{OpenPart, ProofAbout, ProofLine};

    fn proof(open: &[(ProofState, WhyOpen)]) -> SiteProof {
        let part = |(state, why): &(ProofState, WhyOpen)| OpenPart {
            state: *state,
            server: None,
            name: String::new(),
            why: why.clone(),
        };
        let open: Vec<_> = open.iter().map(part).collect();
        let state = open.iter().map(|part| part.state).max().unwrap_or(ProofState::Done);
        let line = ProofLine { about: ProofAbout::Answers, state, done: 0, of: 1, open, more: 0 };
        SiteProof::example(state, vec![line])
    }

    #[test]
    fn a_recovery_time_is_exact_only_if_a_check_shortly_before_saw_that_the_site_was_not_back() {
        let import = Import {
            record: crate::model::ids::RecordId("r".to_owned()),
            server: String::new(),
            version: String::new(),
            started_at: Millis(0),
            ended_at: Millis(1_000),
            is_end_unknown: false,
        };
        let killed = Import { is_end_unknown: true, ..import.clone() };
        let seconds = |number: i64| Millis(number * 1_000);
        for (begun, not_back, looked, at_most, why) in [
            (2, None, 3, false, "looked at once"),
            (46, None, 46, true, "the app was closed for 45 seconds"),
            (2, Some(30), 41, false, "checks every ten seconds"),
            (2, Some(30), 36_000, true, "stopped, and checked in the morning"),
            (2, Some(600), 665, false, "checks every minute"),
            (2, Some(600), 900, true, "the computer slept"),
        ] {
            let before = Watched {
                not_back_at: not_back.map(seconds),
                ..Watched::begun(&Site::example("a"), None, Vec::new(), seconds(begun))
            };
            assert_eq!(was_unseen(&before, &import, seconds(looked)), at_most, "{why}");
            let at_most = at_most || not_back.is_none();
            assert_eq!(was_unseen(&before, &killed, seconds(looked)), at_most, "killed; {why}");
        }
    }

    #[test]
    fn a_clock_that_was_set_back_during_the_wait_gives_no_recovery_time() {
        let import = Import {
            record: crate::model::ids::RecordId("r".to_owned()),
            server: String::new(),
            version: String::new(),
            started_at: Millis(7_200_000),
            ended_at: Millis(7_260_000),
            is_end_unknown: false,
        };
        assert_eq!(took(&import, Millis(29_059)), None);
        assert_eq!(took(&import, Millis(7_230_000)), None, "before the end of the import");
        assert_eq!(took(&import, Millis(7_300_000)), Some(100_000));
    }

    #[test]
    fn a_check_that_lacked_a_sign_in_saw_nothing_of_the_site() {
        let signed_out = (ProofState::NotKnown, WhyOpen::SignIn);
        let starts = (ProofState::NotYet, WhyOpen::NotRunning { state: "STARTING".to_owned() });
        let down = WhyOpen::NotReturned { message: "no response".to_owned(), may_pass: true };
        for (open, sees) in [
            (vec![signed_out.clone()], false),
            (vec![signed_out, starts], true),
            (vec![(ProofState::NotKnown, down)], true),
            (Vec::new(), false),
        ] {
            assert_eq!(sees_more_than_a_sign_in(&proof(&open)), sees, "{open:?}");
        }
    }

    #[test]
    fn a_wait_ends_after_six_hours_and_is_slow_while_only_a_sign_in_is_missing() {
        let signed_out = (ProofState::NotKnown, WhyOpen::SignIn);
        let starts = (ProofState::NotYet, WhyOpen::NotRunning { state: "STARTING".to_owned() });
        let failed = (ProofState::Wrong, WhyOpen::NotRunning { state: "FAILED".to_owned() });
        let (early, late, over) = (AT_FIRST - 1, AT_FIRST, LONGEST + 1);
        for (open, waited, expected) in [
            (vec![starts.clone()], early, Some(SHORT)),
            (vec![starts.clone()], late, Some(LONG)),
            (vec![starts.clone()], over, None),
            (vec![signed_out.clone()], early, Some(SHORT)),
            (vec![signed_out.clone(), failed.clone()], late, Some(SIGNED_OUT)),
            (vec![signed_out.clone(), starts], late, Some(LONG)),
            (vec![signed_out], over, None),
            (vec![failed], late, None),
            (Vec::new(), early, None),
        ] {
            let moments = Moments { now: Millis(waited), import_ended: None, begun: Millis(0) };
            assert_eq!(pause(&proof(&open), moments), expected, "{open:?} after {waited}");
        }
    }
}
