//! Signs of life of the runner: a file that it writes every minute while it works, whatever it waits for.
//!
//! Its thread also ends a process whose work stands still: a disk or a network drive can keep a call of the system waiting
//! without end. The next start of the runner ends one that does not even give a sign ([`older_runner`](super::older_runner)).

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Weak};
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

/// How long the work of a runner stands still before it ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Time between two signs.
    pub(crate) sign: Duration,
    /// Number of signs without any progress while a site has to respond: an hour more than the longest export of a part.
    pub(crate) at_site: u32,
    /// Number of signs without any progress otherwise, for example while a large file is verified.
    pub(crate) here: u32,
}

impl Default for Limits {
    fn default() -> Self {
        // Limits are numbers of signs, and not times: a computer that sleeps gives none, and that time must not count.
        Self { sign: Duration::from_secs(60), at_site: 25 * 60, here: 12 * 60 }
    }
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
    /// Number of signs since it last did.
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

    fn stands_still(&self, limits: Limits) -> bool {
        let limit = if self.is_at_site.load(Ordering::Relaxed) { limits.at_site } else { limits.here };
        self.still.fetch_add(1, Ordering::Relaxed) >= limit
    }
}

/// Gives signs of life until `work` is dropped. Calls `end` if it stands still.
///
/// # Errors
/// An error of the system: the thread cannot be started.
pub(crate) fn give(
    data_folder: &Path,
    work: &Arc<Work>,
    limits: Limits,
    end: impl FnOnce() + Send + 'static,
) -> std::io::Result<()> {
    let (file, work) = (file_in(data_folder), Arc::downgrade(work));
    std::thread::Builder::new()
        .name("signs of life".to_owned())
        .spawn(move || give_until_dropped(&file, &work, limits, end))
        .map(drop)
}

fn give_until_dropped(file: &Path, work: &Weak<Work>, limits: Limits, end: impl FnOnce()) {
    for number in 0.. {
        let Some(work) = work.upgrade() else { break };
        if work.stands_still(limits) {
            tracing::error!("nothing of a backup plan has gone on for hours: the runner ends");
            return end();
        }
        drop(work);
        let sign = Sign { process: std::process::id(), number };
        let written = data_folder::create_private(file.parent().unwrap_or(file))
            .and_then(|()| Ok(files::encode(&sign)?))
            .and_then(|bytes| std::fs::write(file, bytes));
        if let Err(error) = written {
            tracing::warn!(%error, "the runner cannot give a sign of life");
        }
        std::thread::sleep(limits.sign);
    }
    // A reader also asks whether the lock of the runner is held.
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
    use std::sync::mpsc::channel;

    use super::*;

    const QUICK: Limits = Limits { sign: Duration::from_millis(10), at_site: 1_000_000, here: 10 };

    fn until(is_so: impl Fn() -> bool) {
        while !is_so() {
            std::thread::sleep(QUICK.sign);
        }
    }

    #[test]
    fn a_runner_gives_signs_while_it_works_and_none_afterwards() {
        let data = tempfile::tempdir().unwrap();
        let work = Arc::new(Work::default());
        let limits = Limits { here: 1_000_000, ..QUICK };
        give(data.path(), &work, limits, || panic!("it works")).unwrap();
        until(|| last(data.path()).is_some_and(|(sign, _)| sign.number > 1));
        assert_eq!(last(data.path()).unwrap().0.process, std::process::id());
        drop(work);
        until(|| last(data.path()).is_none());
    }

    #[test]
    fn a_runner_whose_work_stands_still_ends_and_one_that_waits_for_a_site_waits_longer() {
        let data = tempfile::tempdir().unwrap();
        let (ends, ended) = channel();
        let (still, waiting) = (Arc::new(Work::default()), Arc::new(Work::default()));
        waiting.is_at_site.store(true, Ordering::Relaxed);
        give(data.path(), &waiting, QUICK, || panic!("a site may take long")).unwrap();
        give(data.path(), &still, QUICK, move || ends.send(()).unwrap()).unwrap();
        for _ in 0..20 {
            still.steps();
            std::thread::sleep(QUICK.sign);
        }
        assert!(ended.try_recv().is_err(), "its work went on");
        ended.recv_timeout(Duration::from_secs(10)).unwrap();
        assert!(waiting.still.load(Ordering::Relaxed) > QUICK.here);
    }
}
