//! Signs of life of the runner: a file that it writes every minute while it works, whatever it waits for.
//!
//! A disk or a network drive can keep a call of the system waiting without end. So another thread, which touches no
//! file, counts how long the work stands still: it has overdue plans told, and ends the process after hours. The next
//! start of the runner ends one that gives no sign at all ([`older_runner`](super::older_runner)).

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use steward_core::files::{self, data_folder};
use steward_core::runs::{RunStep, RunsNow};

/// Folder of these files in the data folder.
pub(super) const FOLDER: &str = "plan-run";

/// Name of the file.
const FILE: &str = "runner.json";

/// Limit of the file, in bytes.
const LARGEST: u64 = 1024;

/// Time between two signs.
const SIGN: Duration = Duration::from_secs(60);

/// Limits for work that stands still. They are numbers of signs, and not times: a computer that sleeps gives none, and
/// that time must not count.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// Time between two signs.
    sign: Duration,
    /// Number of signs without any progress after which the runner ends while a site has to respond: an hour more than
    /// the longest export of a part.
    at_site: u32,
    /// The same otherwise, for example while a large file is verified.
    here: u32,
    /// Number of signs without any progress after which alerts about overdue plans are sent, unless a site has to
    /// respond: an export may take that long.
    told: u32,
    /// Number of further signs after which the alerts are sent again, in case that a receiver did not get them.
    again: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { sign: SIGN, at_site: 25 * 60, here: 12 * 60, told: 6 * 60, again: 60 }
    }
}

/// Reaction to work that stands still.
enum Step {
    /// Nothing.
    None,
    /// Alerts about overdue plans have to be sent.
    Tell,
    /// The process has to end.
    End,
}

/// Content of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sign {
    /// Identifier of the process.
    pub(super) process: u32,
    /// Number of this sign.
    number: u32,
}

/// What shows that the work goes on.
#[derive(Default)]
pub(crate) struct Work {
    /// Number of signs since the work last went on.
    still: AtomicU32,
    /// Whether a site has to respond.
    is_at_site: AtomicBool,
}

impl Work {
    /// Notes that the work goes on, with what runs now.
    pub(crate) fn goes_on(&self, runs: &RunsNow) {
        let step = runs.running.first().map(|run| &run.step);
        let is_at_site = matches!(step, Some(RunStep::Preparing | RunStep::Checking | RunStep::Waiting));
        self.is_at_site.store(is_at_site, Ordering::Relaxed);
        self.still.store(0, Ordering::Relaxed);
    }

    /// Notes that another step of the runner begins.
    pub(crate) fn steps(&self) {
        self.is_at_site.store(false, Ordering::Relaxed);
        self.still.store(0, Ordering::Relaxed);
    }

    /// Counts a sign.
    fn count(&self, limits: Limits) -> Step {
        let is_at_site = self.is_at_site.load(Ordering::Relaxed);
        let limit = if is_at_site { limits.at_site } else { limits.here };
        let still = self.still.fetch_add(1, Ordering::Relaxed);
        match still.checked_sub(limits.told) {
            _ if still >= limit => Step::End,
            Some(further) if !is_at_site && further.is_multiple_of(limits.again) => Step::Tell,
            _ => Step::None,
        }
    }
}

/// Watches a runner. Its work goes on as long as a [`PlanRunner`](crate::process::PlanRunner) says so.
pub struct Watch(Arc<Work>);

impl Watch {
    /// Begins to watch, before the runner touches a file. While its work stands still, `tell` is called after 6 hours
    /// and then once an hour, and at last `end`, each on another thread than the work.
    ///
    /// # Errors
    /// An error of the system: the thread cannot be started.
    pub fn begin(
        tell: impl Fn() + Send + Sync + 'static,
        end: impl FnOnce() + Send + 'static,
    ) -> std::io::Result<Self> {
        Self::within(Limits::default(), tell, end)
    }

    fn within(
        limits: Limits,
        tell: impl Fn() + Send + Sync + 'static,
        end: impl FnOnce() + Send + 'static,
    ) -> std::io::Result<Self> {
        let work = Arc::new(Work::default());
        let watched = Arc::downgrade(&work);
        spawn("watch", move || watch(&watched, limits, tell, end))?;
        Ok(Self(work))
    }

    pub(crate) const fn work(&self) -> &Arc<Work> {
        &self.0
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<JoinHandle<()>> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work)
}

fn watch(work: &Weak<Work>, limits: Limits, tell: impl Fn() + Send + Sync + 'static, end: impl FnOnce()) {
    let tell = Arc::new(tell);
    let mut telling: Option<JoinHandle<()>> = None;
    loop {
        std::thread::sleep(limits.sign);
        let Some(step) = work.upgrade().map(|work| work.count(limits)) else { return };
        match step {
            Step::None => {}
            Step::End => {
                tracing::error!("nothing of a backup plan has gone on for hours: the runner ends");
                return end();
            }
            // On a thread of its own, because it might hang, too.
            Step::Tell if telling.as_ref().is_none_or(JoinHandle::is_finished) => {
                tracing::error!("nothing of a backup plan has gone on for hours");
                let tell = Arc::clone(&tell);
                telling = spawn("overdue", move || tell()).ok();
            }
            Step::Tell => {}
        }
    }
}

/// Gives signs of life until `work` is dropped.
///
/// # Errors
/// An error of the system: the thread cannot be started.
pub(crate) fn give(data_folder: &Path, work: &Arc<Work>) -> std::io::Result<()> {
    give_every(SIGN, data_folder, work)
}

/// Does what [`give`] does, with another time between two signs.
///
/// # Errors
/// An error of the system: the thread cannot be started.
pub(crate) fn give_every(pause: Duration, data_folder: &Path, work: &Arc<Work>) -> std::io::Result<()> {
    let (file, work) = (file_in(data_folder), Arc::downgrade(work));
    spawn("signs of life", move || give_until_dropped(&file, &work, pause)).map(drop)
}

fn give_until_dropped(file: &Path, work: &Weak<Work>, pause: Duration) {
    for number in 0.. {
        if work.strong_count() == 0 {
            break;
        }
        let sign = Sign { process: std::process::id(), number };
        let written = data_folder::create_private(file.parent().unwrap_or(file))
            .and_then(|()| Ok(files::encode(&sign)?))
            .and_then(|bytes| std::fs::write(file, bytes));
        if let Err(error) = written {
            tracing::warn!(%error, "the runner cannot give a sign of life");
        }
        std::thread::sleep(pause);
    }
    // A file that stays does no harm: a reader also checks whether the runner holds its lock.
    let _ = std::fs::remove_file(file);
}

/// Reads the last sign of the runner, and when it was given by the clock; `None` without one.
pub(super) fn last(data_folder: &Path) -> Option<(Sign, std::time::SystemTime)> {
    let file = file_in(data_folder);
    let sign = files::decode(&files::read_whole(&file, LARGEST).ok()?).ok()?;
    Some((sign, file.metadata().ok()?.modified().ok()?))
}

fn file_in(data_folder: &Path) -> PathBuf {
    data_folder.join(FOLDER).join(FILE)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::mpsc::{Receiver, channel};

    use super::*;

    const QUICK: Limits =
        Limits { sign: Duration::from_millis(10), at_site: 1_000_000, here: 10, told: 4, again: 3 };

    fn until(is_so: impl Fn() -> bool) {
        while !is_so() {
            std::thread::sleep(QUICK.sign);
        }
    }

    /// Returns a watch, and its reactions as they happen.
    fn watched(limits: Limits) -> (Watch, Receiver<&'static str>) {
        let (tells, told) = channel();
        let ends = tells.clone();
        let watch =
            Watch::within(limits, move || tells.send("tells").unwrap(), move || ends.send("ends").unwrap());
        (watch.unwrap(), told)
    }

    #[test]
    fn a_runner_gives_signs_while_it_works_and_none_afterwards() {
        let data = tempfile::tempdir().unwrap();
        let work = Arc::new(Work::default());
        give_every(QUICK.sign, data.path(), &work).unwrap();
        until(|| last(data.path()).is_some_and(|(sign, _)| sign.number > 1));
        assert_eq!(last(data.path()).unwrap().0.process, std::process::id());
        drop(work);
        until(|| last(data.path()).is_none());
    }

    #[test]
    fn a_runner_whose_work_stands_still_tells_and_ends_and_one_that_waits_for_a_site_waits_longer() {
        let (still, said) = watched(QUICK);
        let (waiting, said_of_waiting) = watched(QUICK);
        waiting.work().is_at_site.store(true, Ordering::Relaxed);
        let slow = Limits { told: 1_000_000, here: 1_000_000, ..QUICK };
        let (works, said_of_works) = watched(slow);

        let all: BTreeSet<_> = said.iter().collect();

        assert_eq!(all, BTreeSet::from(["tells", "ends"]), "after 4 and 7 signs, and after 10");
        until(|| waiting.work().still.load(Ordering::Relaxed) > QUICK.here);
        assert!(said_of_waiting.try_recv().is_err() && said_of_works.try_recv().is_err());
        works.work().steps();
        assert!(still.work().still.load(Ordering::Relaxed) > QUICK.here);
    }

    #[test]
    fn a_runner_whose_work_goes_on_again_is_told_of_once_more_only_when_it_stands_still_again() {
        let work = Work::default();
        let steps = |count: u32| (0..count).filter(|_| matches!(work.count(QUICK), Step::Tell)).count();
        assert_eq!(steps(QUICK.told), 0);
        assert_eq!(steps(1), 1);
        work.steps();
        assert_eq!(steps(QUICK.told), 0);
        assert_eq!(steps(QUICK.again + 1), 2);
    }

    #[test]
    #[cfg(unix)]
    fn a_runner_whose_own_disk_hangs_ends_in_time_although_it_cannot_give_a_sign() {
        let data = tempfile::tempdir().unwrap();
        let file = file_in(data.path());
        data_folder::create_private(file.parent().unwrap()).unwrap();
        // Opening a pipe for writing waits for a reader, like a disk that does not respond.
        assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success());
        let (watch, said) = watched(QUICK);

        give_every(QUICK.sign, data.path(), watch.work()).unwrap();

        let ended = std::iter::from_fn(|| said.recv_timeout(Duration::from_secs(10)).ok());
        assert_eq!(ended.last(), Some("ends"));
    }
}
