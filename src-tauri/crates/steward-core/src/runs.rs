//! What is running now: progress, and Stop.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use steward_client::SendState;
use tokio::sync::watch;

use crate::history::Outcome;
use crate::model::history_key::HistoryAct;
use crate::model::ids::SiteId;
use crate::model::item_row::ItemRow;
use crate::model::numbers::{Bytes, Millis};
use crate::model::operation::{Harm, Key};
use crate::model::problem::Problem;
use crate::model::run_result::RecordId;
use crate::sites::Site;

/// Identifier of a run, made by the window before it asks, so that it can listen and stop from the start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct RunId(pub String);

/// One running operation.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RunView {
    /// Identifier.
    pub id: RunId,
    /// On which site.
    pub site: SiteId,
    /// The site's name.
    pub site_name: String,
    /// Which operation.
    pub operation: Key,
    /// What it is called, where it is done by the way of an operation and is none of the seven.
    pub act: Option<HistoryAct>,
    /// Since when.
    pub started_at: Millis,
    /// How far it is.
    pub step: RunStep,
    /// How long it usually takes on this site, in milliseconds; `null` when it was never done there.
    pub usual: Option<u32>,
}

/// An operation that has ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct EndedRun {
    /// Identifier of the run.
    pub id: RunId,
    /// On which site.
    pub site: SiteId,
    /// The site's name.
    pub site_name: String,
    /// Which operation.
    pub operation: Key,
    /// What it is called, where it was done by the way of an operation and is none of the seven.
    pub act: Option<HistoryAct>,
    /// How it ended.
    pub outcome: Outcome,
    /// Its record in the history; `null` when it left none.
    pub record: Option<RecordId>,
    /// When it ended.
    pub ended_at: Millis,
    /// How long it took, in milliseconds.
    pub took: u32,
}

/// What the listener is told.
#[derive(Debug, Clone, Serialize)]
pub struct RunsNow {
    /// Those that run, oldest first.
    pub running: Vec<RunView>,
    /// Those that ended and were not dismissed, oldest first.
    pub ended: Vec<EndedRun>,
    /// The one that has ended now.
    pub just_ended: Option<EndedRun>,
}

/// How far a run is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum RunStep {
    /// A dialog of the system is open.
    Asking,
    /// The site, its version and the sign-in are looked up. Nothing was sent yet.
    Preparing,
    /// The site looks whether it can write to the place of an export; nothing else was sent yet.
    Checking,
    /// Sent; the site is working.
    Waiting,
    /// A file is coming.
    Downloading {
        /// Bytes on disk.
        done: Bytes,
        /// Bytes announced.
        total: Option<Bytes>,
    },
    /// One service after the other.
    Services {
        /// Services that have answered.
        done: u32,
        /// Services in all.
        total: u32,
    },
    /// One request after the other.
    Several {
        /// Requests that have ended.
        done: u32,
        /// Requests in all.
        total: u32,
    },
    /// A long answer is coming.
    Arriving {
        /// What came of it first, as the site sends it.
        first: Vec<ItemRow>,
    },
    /// A file is being written.
    Saving,
    /// A file is going to the site.
    Uploading {
        /// Bytes sent.
        done: Bytes,
        /// Bytes in all.
        total: Bytes,
    },
    /// All of a file is sent. Whether the server has it whole is not known yet.
    Confirming,
    /// The export before an import: sent, and the site is working on it.
    Securing,
    /// That export is being looked at, before anything else is sent.
    Verifying,
}

/// Told of every change.
pub type Listener = Box<dyn Fn(RunsNow) + Send + Sync>;

/// Of the runs that ended, so many are kept; older ones are found in the history.
const ENDED: usize = 8;

/// Progress is told at most so often; a person cannot read faster.
const QUIET: Duration = Duration::from_millis(100);

/// The runs of this program.
#[derive(Clone)]
pub struct RunRegistry {
    book: Arc<Book>,
}

struct Book {
    runs: Mutex<Vec<Entry>>,
    ended: Mutex<VecDeque<EndedRun>>,
    begun: AtomicU64,
    listener: Listener,
}

struct Entry {
    /// Ours: the window makes the identifier, and might make one twice.
    number: u64,
    view: RunView,
    exclusive: bool,
    /// How it ended, once that is known.
    outcome: Option<(Outcome, Option<RecordId>)>,
    stop: watch::Sender<bool>,
    told: Instant,
}

/// One operation in flight. Dropping the last clone ends the run, however the code left the function.
#[derive(Clone)]
pub struct Run(Arc<Flight>);

struct Flight {
    number: u64,
    started_at: Millis,
    stop: watch::Receiver<bool>,
    book: Arc<Book>,
}

impl RunRegistry {
    /// A registry without runs.
    #[must_use]
    pub fn new(listener: Listener) -> Self {
        let (runs, ended, begun) = (Mutex::default(), Mutex::default(), AtomicU64::default());
        Self { book: Arc::new(Book { runs, ended, begun, listener }) }
    }

    /// Begins a run. One operation at a time may change a site; the second is told which one runs.
    pub fn begin(&self, id: RunId, site: &Site, operation: Key, step: RunStep) -> Result<Run, Problem> {
        let (stop, pressed) = watch::channel(false);
        let exclusive = operation.operation().harm != Harm::None;
        let mut runs = self.book.lock();
        let other = runs.iter().find(|other| exclusive && other.exclusive && other.view.site == site.id);
        if let Some(other) = other {
            return Err(Problem::Busy { operation: other.view.operation, started_at: other.view.started_at });
        }
        let started_at = Millis::now();
        let view = RunView {
            id,
            site: site.id.clone(),
            site_name: site.name.clone(),
            operation,
            act: None,
            started_at,
            step,
            usual: None,
        };
        let number = self.book.begun.fetch_add(1, Ordering::Relaxed);
        runs.push(Entry { number, view, exclusive, outcome: None, stop, told: Instant::now() });
        drop(runs);
        self.book.tell(None);
        Ok(Run(Arc::new(Flight { number, started_at, stop: pressed, book: self.book.clone() })))
    }

    /// All runs, oldest first.
    #[must_use]
    pub fn all(&self) -> Vec<RunView> {
        self.book.lock().iter().map(|entry| entry.view.clone()).collect()
    }

    /// Runs that ended and were not dismissed, oldest first.
    #[must_use]
    pub fn ended(&self) -> Vec<EndedRun> {
        self.book.ended().iter().cloned().collect()
    }

    /// The person has seen how a run ended.
    pub fn dismiss(&self, id: &RunId) {
        self.book.ended().retain(|ended| &ended.id != id);
        self.book.tell(None);
    }

    /// Refuses what must not happen under a running operation.
    pub fn none_on(&self, site: &SiteId) -> Result<(), Problem> {
        match self.all().into_iter().find(|run| &run.site == site) {
            Some(run) => Err(Problem::Busy { operation: run.operation, started_at: run.started_at }),
            None => Ok(()),
        }
    }

    /// Stops waiting for a run. A run that has ended meanwhile needs no stopping.
    pub fn stop(&self, id: &RunId) {
        for entry in self.book.lock().iter().filter(|entry| &entry.view.id == id) {
            entry.stop.send_replace(true);
        }
    }
}

impl Run {
    /// Completes when the person pressed Stop.
    pub async fn stopped(&self) {
        // `wait_for` also returns when the sender is gone, and a vanished registry should stop us too.
        let _ = self.0.stop.clone().wait_for(|pressed| *pressed).await;
    }

    /// Waits for what precedes a request; `None` when the user pressed Stop, also when it was before.
    pub async fn unless_stopped<F: Future>(&self, work: F) -> Option<F::Output> {
        tokio::select! {
            biased;
            () = self.stopped() => None,
            done = work => Some(done),
        }
    }

    /// What this run has sent, as yet nothing.
    pub fn send_state(&self) -> SendState {
        SendState::new(self.0.stop.clone())
    }

    /// When it began.
    #[must_use]
    pub fn started_at(&self) -> Millis {
        self.0.started_at
    }

    /// Whether the person pressed Stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        *self.0.stop.borrow()
    }

    /// Whether it is a run of this operation, of which other requests may be a part.
    #[must_use]
    pub fn is_of(&self, operation: Key) -> bool {
        let runs = self.0.book.lock();
        runs.iter().any(|entry| entry.number == self.0.number && entry.view.operation == operation)
    }

    /// Says how it ended, as far as is known; the last word counts.
    pub fn outcome(&self, outcome: Outcome, record: Option<RecordId>) {
        self.with(|entry| entry.outcome = Some((outcome, record)));
    }

    /// What was said of an outcome was that of a part; the run goes on.
    pub fn goes_on(&self) {
        self.with(|entry| entry.outcome = None);
    }

    /// The site has answered what was only asked.
    pub fn answered(&self) {
        self.with(|entry| {
            entry.outcome.get_or_insert((Outcome::Succeeded, None));
        });
    }

    /// Says how long such a run usually takes.
    pub fn usually(&self, usual: Option<Duration>) {
        let millis = usual.map(|usual| u32::try_from(usual.as_millis()).unwrap_or(u32::MAX));
        self.with(|entry| entry.view.usual = millis);
        self.0.book.tell(None);
    }

    fn with(&self, change: impl FnOnce(&mut Entry)) {
        if let Some(entry) = self.0.book.lock().iter_mut().find(|entry| entry.number == self.0.number) {
            change(entry);
        }
    }

    /// Says that this is no operation but another act.
    pub fn is_act(&self, act: HistoryAct) {
        self.with(|entry| entry.view.act = Some(act));
        self.0.book.tell(None);
    }

    /// The request is about to be sent. What has a step of its own keeps it.
    pub fn is_prepared(&self) {
        let mut prepared = false;
        self.with(|entry| prepared = entry.view.step == RunStep::Preparing);
        if prepared {
            self.step(RunStep::Waiting);
        }
    }

    /// Says how far the run is.
    pub fn step(&self, step: RunStep) {
        let mut runs = self.0.book.lock();
        let Some(entry) = runs.iter_mut().find(|entry| entry.number == self.0.number) else {
            return;
        };
        let same_kind = std::mem::discriminant(&entry.view.step) == std::mem::discriminant(&step);
        entry.view.step = step;
        if same_kind && entry.told.elapsed() < QUIET {
            return;
        }
        entry.told = Instant::now();
        drop(runs);
        self.0.book.tell(None);
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        let mut runs = self.book.lock();
        let ended = runs
            .iter()
            .position(|entry| entry.number == self.number)
            .and_then(|place| runs.remove(place).into_ended());
        drop(runs);
        if let Some(ended) = &ended {
            let mut all = self.book.ended();
            all.push_back(ended.clone());
            if all.len() > ENDED {
                all.pop_front();
            }
        }
        self.book.tell(ended);
    }
}

impl Entry {
    /// `None` for what ended without an answer of a site: a closed dialog, a form that was wrong.
    fn into_ended(self) -> Option<EndedRun> {
        let (outcome, record) = self.outcome?;
        let ended_at = Millis::now();
        Some(EndedRun {
            took: u32::try_from(ended_at.0 - self.view.started_at.0).unwrap_or_default(),
            id: self.view.id,
            site: self.view.site,
            site_name: self.view.site_name,
            operation: self.view.operation,
            act: self.view.act,
            outcome,
            record,
            ended_at,
        })
    }
}

impl Book {
    fn tell(&self, just_ended: Option<EndedRun>) {
        let running = self.lock().iter().map(|entry| entry.view.clone()).collect();
        let ended = self.ended().iter().cloned().collect();
        (self.listener)(RunsNow { running, ended, just_ended });
    }

    fn ended(&self) -> MutexGuard<'_, VecDeque<EndedRun>> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> RunId {
        RunId(text.to_owned())
    }

    #[test]
    fn the_second_operation_on_a_site_is_told_which_one_runs() {
        let runs = RunRegistry::new(Box::new(|_| ()));
        let first = runs.begin(id("1"), &Site::example("a"), Key::ExportPortal, RunStep::Waiting).unwrap();

        let second = runs.begin(id("2"), &Site::example("a"), Key::ImportServer, RunStep::Waiting);

        assert!(matches!(second, Err(Problem::Busy { operation: Key::ExportPortal, .. })));
        assert!(runs.begin(id("3"), &Site::example("b"), Key::ImportServer, RunStep::Waiting).is_ok());
        assert!(
            runs.begin(id("4"), &Site::example("a"), Key::FindItems, RunStep::Waiting).is_ok(),
            "reading is free"
        );
        drop(first);
        assert!(runs.begin(id("5"), &Site::example("a"), Key::ImportServer, RunStep::Waiting).is_ok());
    }

    #[tokio::test]
    async fn stop_is_felt_by_the_run_and_by_no_other() {
        let runs = RunRegistry::new(Box::new(|_| ()));
        let first = runs.begin(id("1"), &Site::example("a"), Key::ExportPortal, RunStep::Waiting).unwrap();
        let second = runs.begin(id("2"), &Site::example("b"), Key::ExportPortal, RunStep::Waiting).unwrap();

        runs.stop(&id("1"));

        first.stopped().await;
        assert!(!second.is_stopped());
    }

    #[test]
    fn the_window_is_told_of_the_beginning_the_steps_and_the_end() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let heard = told.clone();
        let runs = RunRegistry::new(Box::new(move |now| heard.lock().unwrap().push(now.running)));

        let run = runs.begin(id("1"), &Site::example("a"), Key::ExportServer, RunStep::Asking).unwrap();
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
        let run = runs.begin(id("1"), &Site::example("a"), Key::ExportServer, RunStep::Waiting).unwrap();
        run.outcome(Outcome::Warnings, Some(RecordId("r".to_owned())));
        run.answered();
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
        drop(runs.begin(id("1"), &Site::example("a"), Key::ExportServer, RunStep::Asking).unwrap());
        let partly = runs.begin(id("2"), &Site::example("a"), Key::ImportServer, RunStep::Securing).unwrap();
        partly.outcome(Outcome::Succeeded, None);
        partly.goes_on();
        drop(partly);

        assert!(runs.ended().is_empty());
        assert!(told.lock().unwrap().iter().all(Option::is_none));
    }

    #[test]
    fn only_the_latest_ends_are_kept() {
        let runs = RunRegistry::new(Box::new(|_| ()));
        for number in 0..ENDED + 2 {
            let name = id(&number.to_string());
            runs.begin(name, &Site::example("a"), Key::FindItems, RunStep::Waiting).unwrap().answered();
        }

        assert_eq!(runs.ended().len(), ENDED);
        assert_eq!(runs.ended()[0].id, id("2"));
    }
}
