//! Running operations: progress and Stop.
//!
//! [`RunRegistry::begin`] returns a [`Run`], which ends when its last clone is dropped. The [`RunsListener`] receives
//! every change. A run that does not only read holds the lock of its site.

mod lock_files;
mod new_run;
mod site_lock;
mod view;

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use steward_journal::Batch;
use tokio::sync::watch;
use tracing::{Instrument, Span};

use crate::history::Outcome;
use crate::model::history_key::HistoryAction;
use crate::model::ids::{RecordId, SiteId};
use crate::model::numbers::Millis;
use crate::model::one_line::one_line;
use crate::model::operation::{Impact, Operation, OperationKey};
use crate::model::problem::Problem;
use crate::runs::site_lock::{SiteLock, SiteLocks};
use crate::sites::availability::SiteFacts;
use crate::sites::endpoints::NormalizedEndpoint;
use crate::sites::{Site, TargetSite};

use new_run::{KnownEnd, RunEnd};
pub use new_run::{NewRun, carry_out};
pub use view::{EndedRun, RunId, RunStep, RunView, RunsNow, busy};

/// Callback that receives every change of the runs.
pub type RunsListener = Box<dyn Fn(RunsNow) + Send + Sync>;

/// Number of ended runs that are shown. Older ones are in the history.
const ENDED: usize = 8;

/// Largest number of remembered Stops of runs that have not begun. Some of these runs never begin.
const STOPPED_EARLY: usize = 8;

/// Shortest time between two progress updates, which would be unreadable if more frequent.
const QUIET: Duration = Duration::from_millis(100);

/// Registry of all runs.
#[derive(Clone)]
pub struct RunRegistry {
    book: Arc<Book>,
}

struct Book {
    runs: Mutex<Runs>,
    locks: SiteLocks,
    listener: RunsListener,
    /// Number of runs that have begun, with a notification whenever another one begins.
    begun: watch::Sender<u64>,
}

#[derive(Default)]
struct Runs {
    running: Vec<Entry>,
    ended: VecDeque<EndedRun>,
    /// Runs that the user stopped before they began: a dialog can precede a run, and the window shows Stop behind it.
    stopped_early: VecDeque<RunId>,
    revision: u32,
}

struct Entry {
    /// Unique number: the identifier of the window might occur twice.
    number: u64,
    view: RunView,
    /// Lock of the site; `None` for an operation that only reads. It is released with the entry, before the window is
    /// informed.
    lock: Option<Arc<SiteLock>>,
    stop: watch::Sender<bool>,
    told: Instant,
}

/// Handle of a running operation. Dropping the last clone ends the run, on every path.
#[derive(Clone)]
pub struct Run(Arc<Flight>);

/// State of a site when a run was admitted, which is compared before a request is sent.
pub(crate) struct Admission {
    /// Saved sites at its endpoints that were read-only, and therefore unlocked, with the number of times that their
    /// unlocks were ended early.
    pub(crate) read_only: HashMap<SiteId, u32>,
    /// Number of sign-ins and sign-outs.
    pub(crate) turn: u64,
    /// Facts of the site, with the user who began the run.
    pub(crate) known: SiteFacts,
}

struct Flight {
    number: u64,
    reason: String,
    end: RunEnd,
    /// Batch, and the operation whose requests it has: the run of an import also reactivates webhooks.
    batch: OnceLock<(&'static str, Batch)>,
    admission: OnceLock<Admission>,
    started_at: Millis,
    span: Span,
    stop: watch::Receiver<bool>,
    book: Arc<Book>,
}

impl RunRegistry {
    /// Creates an empty registry.
    #[must_use]
    pub fn new(listener: RunsListener) -> Self {
        let (runs, locks, begun) = (Mutex::default(), SiteLocks::default(), watch::Sender::default());
        Self { book: Arc::new(Book { runs, locks, listener, begun }) }
    }

    /// Locks sites for the other processes of the app, too, with files in a folder.
    pub fn lock_between_processes(&self, folder: &Path) {
        self.book.locks.between_processes(folder);
    }

    /// Begins a run of `operation`, or of the action `act` if it is `Some`.
    ///
    /// Any number of runs that only read can be in progress. Of the others, a site has one at a time, even if the site
    /// is saved twice.
    ///
    /// # Errors
    /// [`Problem::Busy`] with the running operation, if neither that one nor this one only reads.
    pub fn begin(
        &self,
        run: impl Into<NewRun>,
        site: &TargetSite,
        operation: OperationKey,
        act: Option<HistoryAction>,
        step: RunStep,
    ) -> Result<Run, Problem> {
        let NewRun { id, reason, end } = run.into();
        let started_at = Millis::now();
        let name = act.map_or(operation.name(), HistoryAction::name);
        let view = RunView {
            id,
            site: site.id.clone(),
            site_name: site.name.clone(),
            server: site.target().server,
            server_name: site.server_name(),
            operation,
            act,
            is_undo: false,
            started_at,
            step,
            sent: false,
            usual: None,
        };
        let is_check = act.is_some_and(HistoryAction::is_check);
        let is_exclusive = !is_check && Operation::of(operation).impact != Impact::None;
        let lock = is_exclusive.then(|| self.book.locks.take(site.endpoints(), busy(&view))).transpose()?;
        // Log both ends of a run: one that never ends can then be found in the log.
        let server = view.server.as_ref().map(|server| server.0.as_str());
        let span = tracing::info_span!("run", id = view.id.0, site = site.id.0, server, operation = name);
        span.in_scope(|| tracing::info!("begins"));
        let mut runs = self.book.lock();
        let place = runs.stopped_early.iter().position(|stopped| *stopped == view.id);
        let is_stopped = place.and_then(|place| runs.stopped_early.remove(place)).is_some();
        let (stop, pressed) = watch::channel(is_stopped);
        let number = *self.book.begun.borrow();
        runs.running.push(Entry { number, view, lock: lock.map(Arc::new), stop, told: Instant::now() });
        self.book.begun.send_modify(|begun| *begun += 1);
        self.book.tell(runs, None);
        let (admission, book) = (OnceLock::new(), self.book.clone());
        let reason = one_line(&reason);
        let batch = OnceLock::new();
        Ok(Run(Arc::new(Flight {
            number,
            reason,
            end,
            batch,
            admission,
            started_at,
            span,
            stop: pressed,
            book,
        })))
    }

    /// Returns all runs at this moment.
    #[must_use]
    pub fn now(&self) -> RunsNow {
        self.book.lock().now()
    }

    /// Returns the running operations, oldest first.
    #[must_use]
    pub fn all(&self) -> Vec<RunView> {
        self.now().running
    }

    /// Returns a running operation that `is_it` accepts, or waits until one begins.
    pub(crate) async fn when_one_runs(&self, is_it: impl Fn(&RunView) -> bool) -> RunView {
        let mut begun = self.book.begun.subscribe();
        loop {
            if let Some(run) = self.all().into_iter().find(&is_it) {
                return run;
            }
            // The registry owns the sender, so that this does not fail.
            let _ = begun.changed().await;
        }
    }

    /// Returns the operations that ended and were not dismissed, oldest first.
    #[must_use]
    pub fn ended(&self) -> Vec<EndedRun> {
        self.now().ended
    }

    /// Removes an ended run, after the user has seen it.
    pub fn dismiss(&self, id: &RunId) {
        let mut runs = self.book.lock();
        runs.ended.retain(|ended| &ended.id != id);
        self.book.tell(runs, None);
    }

    /// Checks that no operation runs on a saved site.
    ///
    /// # Errors
    /// [`Problem::Busy`] with the running operation.
    pub fn none_on(&self, site: &SiteId) -> Result<(), Problem> {
        match self.all().into_iter().find(|run| &run.site == site) {
            Some(run) => Err(busy(&run)),
            None => Ok(()),
        }
    }

    /// Checks that no operation runs on a site, under any of the names that it is saved with.
    pub(crate) fn none_at(&self, site: &Site) -> Result<(), Problem> {
        self.none_on(&site.id)?;
        self.book.locks.are_free(&site.endpoints())
    }

    /// Stops waiting for a run. One that has not begun is stopped when it begins. Does nothing if it has ended.
    pub fn stop(&self, id: &RunId) {
        let mut runs = self.book.lock();
        let mut is_known = runs.ended.iter().any(|ended| &ended.id == id);
        for entry in runs.running.iter().filter(|entry| &entry.view.id == id) {
            entry.stop.send_replace(true);
            is_known = true;
        }
        if !is_known {
            runs.stopped_early.push_back(id.clone());
            if runs.stopped_early.len() > STOPPED_EARLY {
                runs.stopped_early.pop_front();
            }
        }
    }
}

impl Run {
    /// Completes when the user presses Stop.
    pub async fn stopped(&self) {
        // `wait_for` also returns when the sender is dropped with the registry, which must stop the run too.
        let _ = self.0.stop.clone().wait_for(|pressed| *pressed).await;
    }

    /// Runs `work`, which precedes a request. Returns `None` if the user presses or has pressed Stop.
    pub async fn unless_stopped<F: Future>(&self, work: F) -> Option<F::Output> {
        tokio::select! {
            biased;
            () = self.stopped() => None,
            done = work.instrument(self.span()) => Some(done),
        }
    }

    /// Returns the span of the run in the log.
    pub(crate) fn span(&self) -> Span {
        self.0.span.clone()
    }

    /// Runs `work`, which follows the last effect of a run. Stop skips it, and the run continues.
    pub(crate) async fn unless_skipped<F: Future>(&self, work: F) -> Option<F::Output> {
        let done = self.unless_stopped(work).await;
        if done.is_none() {
            self.with(|entry| {
                entry.stop.send_replace(false);
            });
        }
        done
    }

    /// Returns the state of the site when the run was admitted. The first call sets it; later calls ignore `admission`.
    pub(crate) fn admission_or_set(&self, admission: impl FnOnce() -> Admission) -> &Admission {
        self.0.admission.get_or_init(admission)
    }

    /// Returns the reason or ticket for the history; may be empty.
    pub(crate) fn reason(&self) -> &str {
        &self.0.reason
    }

    /// Marks the records of an operation in this run as those of one batch of `size` requests. Does nothing for a single
    /// request.
    pub(crate) fn mark_as_batch(&self, operation: &'static str, size: u32) {
        if size > 1 {
            let batch = || (operation, Batch { id: uuid::Uuid::new_v4().to_string(), size });
            self.0.batch.get_or_init(batch);
        }
    }

    /// Returns the batch that the records of an operation in this run belong to; `None` for a single request.
    pub(crate) fn batch(&self, operation: &str) -> Option<Batch> {
        self.0.batch.get().filter(|(of, _)| *of == operation).map(|(_, batch)| batch.clone())
    }

    /// Locks more endpoints of its site, if it holds the lock of the site.
    pub(crate) fn lock_more(&self, endpoints: BTreeSet<NormalizedEndpoint>) -> Result<(), Problem> {
        let mut lock = None;
        self.with(|entry| lock.clone_from(&entry.lock));
        lock.map_or(Ok(()), |lock| lock.extend(endpoints))
    }

    /// Returns the time when it began.
    #[must_use]
    pub fn started_at(&self) -> Millis {
        self.0.started_at
    }

    /// Returns whether the user pressed Stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        *self.0.stop.borrow()
    }

    /// Returns the operation of the run; `None` for an action, and after the run has ended.
    ///
    /// The run can include requests of other operations, for example the export of a safety backup.
    #[must_use]
    pub fn operation(&self) -> Option<OperationKey> {
        let runs = self.0.book.lock();
        let own = runs.running.iter().find(|entry| entry.number == self.0.number)?;
        own.view.act.is_none().then_some(own.view.operation)
    }

    /// Sets the outcome. The last call counts.
    pub fn outcome(&self, outcome: Outcome, record: Option<RecordId>) {
        *self.0.end.slot() = Some((outcome, record));
    }

    /// Returns the record that the last outcome was written to; `None` if there is no outcome, or no record of it.
    pub(crate) fn record(&self) -> Option<RecordId> {
        self.0.end.get().and_then(|(_, record)| record)
    }

    /// Returns whether the run has an outcome, also one that could not be written yet.
    pub(crate) fn has_outcome(&self) -> bool {
        self.0.end.get().is_some()
    }

    /// Clears the outcome, which was that of a part; the run continues.
    pub fn clear_outcome(&self) {
        *self.0.end.slot() = None;
    }

    /// Runs `part`, which sets an outcome of its own, and then restores the outcome of the run.
    pub(crate) async fn as_part<F: Future>(&self, part: F) -> F::Output {
        let before = self.0.end.get();
        let ended = part.await;
        *self.0.end.slot() = before;
        ended
    }

    /// Sets the outcome to success, unless another one is set.
    pub fn set_answered(&self) {
        self.0.end.slot().get_or_insert((Outcome::Succeeded, None));
    }

    /// Sets the usual duration of such a run.
    pub fn set_usual_duration(&self, usual: Option<Duration>) {
        let millis = usual.map(|usual| u32::try_from(usual.as_millis()).unwrap_or(u32::MAX));
        self.with(|entry| entry.view.usual = millis);
        self.0.book.tell(self.0.book.lock(), None);
    }

    /// Marks that it is an import that undoes another one.
    pub(crate) fn mark_as_undo(&self) {
        self.with(|entry| entry.view.is_undo = true);
        self.0.book.tell(self.0.book.lock(), None);
    }

    /// Marks that a request that changes or exports the site is sent now.
    pub(crate) fn mark_sent(&self) {
        let mut runs = self.0.book.lock();
        let Some(entry) = runs.entry(self.0.number).filter(|entry| !entry.view.sent) else { return };
        entry.view.sent = true;
        self.0.book.tell(runs, None);
    }

    fn with(&self, change: impl FnOnce(&mut Entry)) {
        if let Some(entry) = self.0.book.lock().entry(self.0.number) {
            change(entry);
        }
    }

    /// Changes the step from preparing to waiting. Other steps remain.
    pub fn set_prepared(&self) {
        let mut prepared = false;
        self.with(|entry| prepared = entry.view.step == RunStep::Preparing);
        if prepared {
            self.step(RunStep::Waiting);
        }
    }

    /// Sets the step. Frequent progress of the same step is not reported each time.
    pub fn step(&self, step: RunStep) {
        let mut runs = self.0.book.lock();
        let Some(entry) = runs.entry(self.0.number) else { return };
        let same_kind = std::mem::discriminant(&entry.view.step) == std::mem::discriminant(&step);
        entry.view.step = step;
        if same_kind && entry.told.elapsed() < QUIET {
            return;
        }
        entry.told = Instant::now();
        self.0.book.tell(runs, None);
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        let mut runs = self.book.lock();
        let place = runs.running.iter().position(|entry| entry.number == self.number);
        let ended = place.and_then(|place| runs.running.remove(place).into_ended(self.end.get()));
        let outcome = ended.as_ref().map(|ended| ended.outcome);
        let seconds = (Millis::now().0 - self.started_at.0) / 1000;
        self.span.in_scope(|| tracing::info!(?outcome, seconds, "ends"));
        if let Some(ended) = &ended {
            runs.ended.push_back(ended.clone());
            if runs.ended.len() > ENDED {
                runs.ended.pop_front();
            }
        }
        self.book.tell(runs, ended);
    }
}

impl Entry {
    /// Returns the ended run; `None` if no outcome was set, for example for a closed dialog or an invalid form.
    fn into_ended(self, end: KnownEnd) -> Option<EndedRun> {
        let (outcome, record) = end?;
        let ended_at = Millis::now();
        Some(EndedRun {
            took: u32::try_from(ended_at.0 - self.view.started_at.0).unwrap_or_default(),
            id: self.view.id,
            site: self.view.site,
            site_name: self.view.site_name,
            server: self.view.server,
            server_name: self.view.server_name,
            operation: self.view.operation,
            act: self.view.act,
            is_undo: self.view.is_undo,
            outcome,
            record,
            ended_at,
        })
    }
}

impl Runs {
    fn entry(&mut self, number: u64) -> Option<&mut Entry> {
        self.running.iter_mut().find(|entry| entry.number == number)
    }

    fn now(&mut self) -> RunsNow {
        self.revision += 1;
        RunsNow {
            revision: self.revision,
            running: self.running.iter().map(|entry| entry.view.clone()).collect(),
            ended: self.ended.iter().cloned().collect(),
            just_ended: None,
        }
    }
}

impl Book {
    /// Calls the listener after releasing the lock: the listener might need it.
    fn tell(&self, mut runs: MutexGuard<'_, Runs>, just_ended: Option<EndedRun>) {
        let now = RunsNow { just_ended, ..runs.now() };
        drop(runs);
        (self.listener)(now);
    }

    fn lock(&self) -> MutexGuard<'_, Runs> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use crate::model::numbers::Bytes;
    use crate::model::run_result::RunResult;

    use super::*;

    fn id(text: &str) -> RunId {
        RunId(text.to_owned())
    }

    #[tokio::test]
    async fn a_run_that_failed_ends_with_its_outcome_though_its_announcement_was_dismissed() {
        let runs = RunRegistry::new(Box::new(|_| ()));
        let site = Site::example("a").at_current();
        let rejected = carry_out(id("1"), |run| async {
            let run = runs.begin(run, &site, OperationKey::ExportServer, None, RunStep::Waiting)?;
            run.outcome(Outcome::Failed, None);
            drop(run);
            runs.dismiss(&id("1"));
            Err::<RunResult<()>, _>(Problem::TokenRenewed)
        });
        assert!(matches!(rejected.await, RunResult::Failed { outcome: Outcome::Failed, .. }));

        let unsent = carry_out(id("2"), |_| async { Err::<RunResult<()>, _>(Problem::TokenRenewed) });
        assert!(matches!(unsent.await, RunResult::Failed { outcome: Outcome::NotSent, .. }));
    }

    #[test]
    fn the_second_operation_on_a_site_is_told_which_one_runs() {
        let runs = RunRegistry::new(Box::new(|_| ()));
        let first = runs
            .begin(
                id("1"),
                &Site::example("a").at_current(),
                OperationKey::ExportPortal,
                None,
                RunStep::Waiting,
            )
            .unwrap();

        let second = runs.begin(
            id("2"),
            &Site::example("a").at_current(),
            OperationKey::ImportServer,
            None,
            RunStep::Waiting,
        );

        assert!(matches!(second, Err(Problem::Busy { operation: OperationKey::ExportPortal, .. })));
        assert!(
            runs.begin(
                id("3"),
                &Site::example_at("b", "gis2.example.org").at_current(),
                OperationKey::ImportServer,
                None,
                RunStep::Waiting
            )
            .is_ok()
        );
        assert!(
            runs.begin(
                id("4"),
                &Site::example("a").at_current(),
                OperationKey::FindItems,
                None,
                RunStep::Waiting
            )
            .is_ok(),
            "reading is free"
        );
        drop(first);
        assert!(
            runs.begin(
                id("5"),
                &Site::example("a").at_current(),
                OperationKey::ImportServer,
                None,
                RunStep::Waiting
            )
            .is_ok()
        );
    }

    #[test]
    fn a_site_is_free_when_the_window_is_told_of_the_end() {
        let registry = Arc::new(OnceLock::<RunRegistry>::new());
        let free = Arc::new(Mutex::new(Vec::new()));
        let (own, seen) = (registry.clone(), free.clone());
        let listener = move |now: RunsNow| {
            let Some(runs) = own.get().filter(|_| now.just_ended.is_some()) else { return };
            seen.lock().unwrap().push(runs.none_at(&Site::example("b")).is_ok());
        };
        let runs = registry.get_or_init(|| RunRegistry::new(Box::new(listener)));

        let run = runs
            .begin(
                id("1"),
                &Site::example("a").at_current(),
                OperationKey::ExportServer,
                None,
                RunStep::Waiting,
            )
            .unwrap();
        assert!(runs.none_at(&Site::example("b")).is_err(), "the same addresses");
        run.set_answered();
        drop(run);

        assert_eq!(*free.lock().unwrap(), [true]);
    }

    #[test]
    fn endpoints_that_are_learned_are_locked_until_the_end_or_not_at_all() {
        let runs = RunRegistry::new(Box::new(|_| ()));
        let other = Site::example_at("b", "gis2.example.org").at_current();
        let begin = |name: &str, site: &TargetSite| {
            runs.begin(id(name), site, OperationKey::ExportServer, None, RunStep::Waiting)
        };
        let first = begin("1", &Site::example("a").at_current()).unwrap();
        let second = begin("2", &other).unwrap();

        let taken = first.lock_more(other.endpoints());
        assert!(matches!(taken, Err(Problem::Busy { ref site_name, .. }) if site_name == "b"), "{taken:?}");
        drop(second);
        first.lock_more(other.endpoints()).unwrap();
        first.lock_more(other.endpoints()).unwrap();
        assert!(begin("3", &other).is_err());
        drop(first);
        assert!(begin("4", &other).is_ok() && begin("5", &Site::example("a").at_current()).is_ok());
    }

    #[tokio::test]
    async fn stop_is_felt_by_the_run_and_by_no_other() {
        let runs = RunRegistry::new(Box::new(|_| ()));
        let first = runs
            .begin(
                id("1"),
                &Site::example("a").at_current(),
                OperationKey::ExportPortal,
                None,
                RunStep::Waiting,
            )
            .unwrap();
        let second = runs
            .begin(
                id("2"),
                &Site::example_at("b", "gis2.example.org").at_current(),
                OperationKey::ExportPortal,
                None,
                RunStep::Waiting,
            )
            .unwrap();

        runs.stop(&id("1"));

        first.stopped().await;
        assert!(!second.is_stopped());
    }

    #[test]
    fn stop_before_the_beginning_is_not_lost_and_stops_no_other_run() {
        let runs = RunRegistry::new(Box::new(|_| ()));
        let begin = |name: &str, site: &str| {
            let site = Site::example(site).at_current();
            runs.begin(id(name), &site, OperationKey::ExportServer, None, RunStep::Preparing).unwrap()
        };

        runs.stop(&id("1"));

        assert!(!begin("2", "b").is_stopped());
        let first = begin("1", "a");
        assert!(first.is_stopped());
        first.set_answered();
        drop(first);
        runs.stop(&id("1"));
        assert!(!begin("1", "a").is_stopped(), "it has ended, and this is another");
    }

    #[test]
    fn the_window_is_told_of_the_beginning_the_steps_and_the_end() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let heard = told.clone();
        let runs = RunRegistry::new(Box::new(move |now| heard.lock().unwrap().push(now.running)));

        let run = runs
            .begin(
                id("1"),
                &Site::example("a").at_current(),
                OperationKey::ExportServer,
                None,
                RunStep::Asking,
            )
            .unwrap();
        run.step(RunStep::Waiting);
        for done in 0..1000 {
            run.step(RunStep::Downloading { done: Bytes(done), total: None });
        }
        drop(run);

        let told = told.lock().unwrap();
        assert_eq!(told[0][0].step, RunStep::Asking);
        assert_eq!(told[1][0].step, RunStep::Waiting);
        assert!(told.last().unwrap().is_empty());
        assert!(told.len() < 100, "a thousand steps at once are not a thousand messages: {}", told.len());
    }

    #[test]
    fn an_ended_run_is_shown_with_its_outcome_until_it_is_dismissed() {
        let runs = RunRegistry::new(Box::new(|_| ()));
        let run = runs
            .begin(
                id("1"),
                &Site::example("a").at_current(),
                OperationKey::ExportServer,
                None,
                RunStep::Waiting,
            )
            .unwrap();
        run.outcome(Outcome::Warnings, Some(RecordId("r".to_owned())));
        run.set_answered();
        assert!(runs.ended().is_empty());
        drop(run);

        let ended = runs.ended();
        assert_eq!(ended[0].outcome, Outcome::Warnings);
        assert_eq!(ended[0].record, Some(RecordId("r".to_owned())));
        runs.dismiss(&id("1"));
        assert!(runs.ended().is_empty());
    }

    #[test]
    fn a_run_of_which_no_site_heard_leaves_nothing_behind() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let heard = told.clone();
        let runs = RunRegistry::new(Box::new(move |now| heard.lock().unwrap().push(now.just_ended)));
        drop(
            runs.begin(
                id("1"),
                &Site::example("a").at_current(),
                OperationKey::ExportServer,
                None,
                RunStep::Asking,
            )
            .unwrap(),
        );
        let partly = runs
            .begin(
                id("2"),
                &Site::example("a").at_current(),
                OperationKey::ImportServer,
                None,
                RunStep::Securing,
            )
            .unwrap();
        partly.outcome(Outcome::Succeeded, None);
        partly.clear_outcome();
        drop(partly);

        assert!(runs.ended().is_empty());
        assert!(told.lock().unwrap().iter().all(Option::is_none));
    }

    #[test]
    fn only_the_latest_ends_are_kept() {
        let runs = RunRegistry::new(Box::new(|_| ()));
        for number in 0..ENDED + 2 {
            let name = id(&number.to_string());
            runs.begin(
                name,
                &Site::example("a").at_current(),
                OperationKey::FindItems,
                None,
                RunStep::Waiting,
            )
            .unwrap()
            .set_answered();
        }

        assert_eq!(runs.ended().len(), ENDED);
        assert_eq!(runs.ended()[0].id, id("2"));
    }

    #[test]
    fn the_order_of_the_moments_is_known_however_they_are_received() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let heard = told.clone();
        let runs = RunRegistry::new(Box::new(move |now| heard.lock().unwrap().push(now)));
        std::thread::scope(|threads| {
            for thread in 0..8 {
                let runs = &runs;
                threads.spawn(move || {
                    for number in 0..1_000 {
                        let name = id(&format!("{thread} {number}"));
                        let site = Site::example("a").at_current();
                        drop(
                            runs.begin(name, &site, OperationKey::FindItems, None, RunStep::Waiting).unwrap(),
                        );
                    }
                });
            }
        });

        let mut told = told.lock().unwrap().clone();
        told.sort_by_key(|now| now.revision);
        assert!(told.windows(2).all(|two| two[0].revision < two[1].revision));
        assert!(told.windows(2).all(|two| two[0].running.len().abs_diff(two[1].running.len()) == 1));
        assert!(told.last().unwrap().running.is_empty());
        assert!(runs.now().revision > told.last().unwrap().revision);
    }
}
