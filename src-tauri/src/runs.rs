//! What is running now: progress, and Stop.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::operations::{Harm, Key};
use crate::problem::Problem;
use crate::sites::{Site, SiteId};
use crate::views::numbers::{Bytes, Millis};

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
    /// Since when.
    pub started_at: Millis,
    /// How far it is.
    pub step: RunStep,
}

/// How far a run is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum RunStep {
    /// A dialog of the system is open.
    Asking,
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
    /// A file is being written.
    Saving,
    /// A file is going to the site.
    Uploading {
        /// Bytes sent.
        done: Bytes,
        /// Bytes in all.
        total: Bytes,
    },
    /// The export before an import: sent, and the site is working on it.
    Securing,
    /// That export is being looked at, before anything else is sent.
    Verifying,
}

/// Told of every change; receives all runs.
pub type Listener = Box<dyn Fn(Vec<RunView>) + Send + Sync>;

/// Progress is told at most so often; a person cannot read faster.
const QUIET: Duration = Duration::from_millis(100);

/// The runs of this program.
#[derive(Clone)]
pub struct RunRegistry {
    book: Arc<Book>,
}

struct Book {
    runs: Mutex<Vec<Entry>>,
    begun: AtomicU64,
    listener: Listener,
}

struct Entry {
    /// Ours: the window makes the identifier, and might make one twice.
    number: u64,
    view: RunView,
    exclusive: bool,
    stop: watch::Sender<bool>,
    told: Instant,
}

/// One operation in flight. Dropping it ends the run, however the code left the function.
pub struct Run {
    number: u64,
    stop: watch::Receiver<bool>,
    book: Arc<Book>,
}

impl RunRegistry {
    /// A registry without runs.
    #[must_use]
    pub fn new(listener: Listener) -> Self {
        Self { book: Arc::new(Book { runs: Mutex::default(), begun: AtomicU64::default(), listener }) }
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
        let view = RunView {
            id,
            site: site.id.clone(),
            site_name: site.name.clone(),
            operation,
            started_at: Millis::now(),
            step,
        };
        let number = self.book.begun.fetch_add(1, Ordering::Relaxed);
        runs.push(Entry { number, view, exclusive, stop, told: Instant::now() });
        drop(runs);
        self.book.tell();
        Ok(Run { number, stop: pressed, book: self.book.clone() })
    }

    /// All runs, oldest first.
    #[must_use]
    pub fn all(&self) -> Vec<RunView> {
        self.book.lock().iter().map(|entry| entry.view.clone()).collect()
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
        let _ = self.stop.clone().wait_for(|pressed| *pressed).await;
    }

    /// Whether the person pressed Stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        *self.stop.borrow()
    }

    /// Says how far the run is.
    pub fn step(&self, step: RunStep) {
        let mut runs = self.book.lock();
        let Some(entry) = runs.iter_mut().find(|entry| entry.number == self.number) else {
            return;
        };
        let same_kind = std::mem::discriminant(&entry.view.step) == std::mem::discriminant(&step);
        entry.view.step = step;
        if same_kind && entry.told.elapsed() < QUIET {
            return;
        }
        entry.told = Instant::now();
        drop(runs);
        self.book.tell();
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.book.lock().retain(|entry| entry.number != self.number);
        self.book.tell();
    }
}

impl Book {
    fn tell(&self) {
        let views = self.lock().iter().map(|entry| entry.view.clone()).collect();
        (self.listener)(views);
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
        assert!(!*second.stop.borrow());
    }

    #[test]
    fn the_window_is_told_of_the_beginning_the_steps_and_the_end() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let heard = told.clone();
        let runs = RunRegistry::new(Box::new(move |runs| heard.lock().unwrap().push(runs)));

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
}
