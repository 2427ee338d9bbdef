//! The run of a backup plan as the window sees it: the runner is another process, so what passes between them are files
//! of the folder `plan-run/`.
//!
//! The runner writes `now.json` while a plan runs. The window writes `stop` to end that run, and a file for each plan
//! that a user wants to run now; the runner removes both. Its own note `forward` is for its next start.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use steward_core::files::archive_check::modified_at;
use steward_core::files::data_folder::{self, DataFolder};
use steward_core::files::{self, in_background, in_place};
use steward_core::model::ids::ServerId;
use steward_core::model::numbers::{Bytes, Millis};
use steward_core::model::problem::Problem;
use steward_core::runs::{RunStep, RunsNow};
use tokio::sync::watch;

use super::plan::PlanId;
use super::sign_of_life::{FOLDER, Work};

/// Name of the file about the plan that runs now.
const NOW: &str = "now.json";

/// Name of the request to stop that plan.
const STOP: &str = "stop";

/// Name of the note that entries of the audit trail wait for the log server.
const FORWARD: &str = "forward";

/// Extension of a request to run a plan.
const REQUEST: &str = "request";

/// Limit of these files, in bytes.
const LARGEST: u64 = 64 * 1024;

/// How often the runner writes what changed.
const EVERY: Duration = Duration::from_secs(1);

/// How often the runner looks for a request to stop.
const LOOK: Duration = Duration::from_millis(500);

/// Plan that is running.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RunningPlan {
    /// Plan.
    pub plan: PlanId,
    /// Time when the run began.
    pub began: Millis,
    /// Part that is being exported; `null` between two parts.
    pub part: Option<RunningPart>,
    /// Whether a user stopped the run, which has not ended yet.
    pub is_stopping: bool,
}

/// Part of a plan that is being exported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RunningPart {
    /// Server; `null` for the portal.
    pub server: Option<ServerId>,
    /// Number of bytes that were downloaded; `null` unless the export is being downloaded.
    pub done: Option<Bytes>,
    /// Size of the export, in bytes; `null` unless it is being downloaded, or if the site does not return it.
    pub total: Option<Bytes>,
}

/// The file `now.json`, which the runner writes.
pub(crate) struct RunningFile {
    folder: PathBuf,
    now: Arc<Mutex<Option<RunningPlan>>>,
    work: Arc<Work>,
}

impl RunningFile {
    pub(crate) fn in_data_folder(data_folder: &Path) -> Self {
        Self { folder: data_folder.join(FOLDER), now: Arc::default(), work: Arc::default() }
    }

    /// Sets the [`Work`] by which a watch sees that the runs of this process go on.
    pub(crate) fn watched(self, work: &Arc<Work>) -> Self {
        Self { work: Arc::clone(work), ..self }
    }

    /// Runs a plan to its end, and writes meanwhile how far it is. `stop` is set when this process is told to end, or a
    /// user stops this run.
    pub(crate) async fn while_it_runs<T>(
        &self,
        plan: &PlanId,
        (run, stop): (impl Future<Output = T>, watch::Sender<bool>),
        of_process: &watch::Receiver<bool>,
    ) -> T {
        self.begin(plan);
        let mut of_process = of_process.clone();
        let running = async {
            let mut run = Box::pin(run);
            tokio::select! {
                biased;
                ended = &mut run => return ended,
                Ok(()) = async { of_process.wait_for(|is_set| *is_set).await.map(drop) } => {}
                () = self.stop_requested() => {}
            }
            stop.send_replace(true);
            run.await
        };
        let ended = tokio::select! {
            biased;
            ended = running => ended,
            never = self.keep_written() => match never {},
        };
        self.end();
        ended
    }

    /// Writes that the run of a plan begins, and removes a request to stop an earlier run.
    fn begin(&self, plan: &PlanId) {
        self.work.steps();
        let running =
            RunningPlan { plan: plan.clone(), began: Millis::now(), part: None, is_stopping: false };
        *self.now() = Some(running);
        in_place(|| {
            let _ = std::fs::remove_file(self.folder.join(STOP));
            write(&self.folder, &self.now);
        });
    }

    /// Notes what the runs of this process do, for [`keep_written`](Self::keep_written): the export does not wait for
    /// the disk.
    pub(crate) fn follow(&self, runs: &RunsNow) {
        self.work.goes_on(runs);
        let mut now = self.now();
        let Some(running) = &mut *now else { return };
        running.part = runs.running.first().map(|run| {
            let (done, total) = match &run.step {
                RunStep::Downloading { done, total } => (Some(*done), *total),
                _ => (None, None),
            };
            RunningPart { server: run.server.clone(), done, total }
        });
    }

    /// Writes once a second what the runs of this process do, if it changed. Does not end by itself.
    async fn keep_written(&self) -> Infallible {
        let mut written = None;
        loop {
            tokio::time::sleep(EVERY).await;
            let now = self.now().clone();
            if now != written {
                let (folder, latest) = (self.folder.clone(), self.now.clone());
                // A panic of the writer is logged, and the next write has the latest state.
                let _ = in_background(move || write(&folder, &latest)).await;
                written = now;
            }
        }
    }

    /// Removes the file about the run and a request to stop it, because no plan runs any more.
    fn end(&self) {
        self.work.steps();
        *self.now() = None;
        in_place(|| {
            write(&self.folder, &self.now);
            let _ = std::fs::remove_file(self.folder.join(STOP));
        });
    }

    fn now(&self) -> MutexGuard<'_, Option<RunningPlan>> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends when a user has asked to stop this run.
    async fn stop_requested(&self) {
        loop {
            tokio::time::sleep(LOOK).await;
            let stop = self.folder.join(STOP);
            if in_background(move || is_request(&stop)).await.unwrap_or_default() {
                if let Some(running) = &mut *self.now() {
                    running.is_stopping = true;
                }
                return;
            }
        }
    }
}

/// Writes what runs now, or removes the file if nothing does. The lock is not held during the write, which is repeated
/// until the file has the latest state. A failure is only logged: the history has each export.
fn write(folder: &Path, now: &Mutex<Option<RunningPlan>>) {
    let latest = || now.lock().unwrap_or_else(PoisonError::into_inner).clone();
    loop {
        let running = latest();
        let written = match &running {
            None => std::fs::remove_file(folder.join(NOW)),
            Some(running) => data_folder::create_private(folder).and_then(|()| {
                let bytes = files::encode(running).map_err(std::io::Error::from)?;
                files::write_whole(&folder.join(NOW), &bytes)
            }),
        };
        if let Err(error) = written {
            tracing::warn!(%error, "the window is not told how far a backup plan is");
        }
        if running == latest() {
            return;
        }
    }
}

/// Returns the plan that runs now; `None` if none does. A runner that was killed leaves its file, but not its lock.
#[must_use]
pub fn running(data_folder: &Path) -> Option<RunningPlan> {
    in_place(|| {
        let bytes = files::read_whole(&data_folder.join(FOLDER).join(NOW), LARGEST).ok()?;
        let running = files::decode(&bytes).ok()?;
        DataFolder::without_runner(data_folder).is_none().then_some(running)
    })
}

/// Asks the runner to stop the plan that runs now: its current part ends as *Stop* ends it, and the others are skipped.
///
/// # Errors
/// [`Problem::File`] if the request cannot be written.
pub fn request_stop(data_folder: &Path) -> Result<(), Problem> {
    put(&data_folder.join(FOLDER), STOP)
}

/// Asks the runner to run a plan when it is started next.
///
/// # Errors
/// [`Problem::File`] if the request cannot be written.
pub fn request_run(data_folder: &Path, plan: &PlanId) -> Result<(), Problem> {
    put(&data_folder.join(FOLDER), &format!("{}.{REQUEST}", plan.0))
}

/// Notes that entries of the audit trail wait for the log server. A failure is logged: the next run of a plan forwards
/// them, too.
pub(crate) fn note_waiting(data_folder: &Path) {
    if let Err(problem) = put(&data_folder.join(FOLDER), FORWARD) {
        tracing::warn!(?problem, "the next start does not know that entries wait for the log server");
    }
}

/// Notes that no entry waits any more.
pub(crate) fn note_forwarded(data_folder: &Path) {
    let _ = std::fs::remove_file(data_folder.join(FOLDER).join(FORWARD));
}

/// Returns when entries of the audit trail were left waiting for the log server; `None` if none were.
pub(crate) fn waiting_since(data_folder: &Path) -> Option<SystemTime> {
    let noted = data_folder.join(FOLDER).join(FORWARD).symlink_metadata().ok()?;
    noted.modified().ok().filter(|_| noted.is_file())
}

fn put(folder: &Path, name: &str) -> Result<(), Problem> {
    let path = folder.join(name);
    let written =
        in_place(|| data_folder::create_private(folder).and_then(|()| files::write_whole(&path, b"")));
    written.map_err(|error| Problem::file(&path, &error))
}

/// Takes a request to run a plan, and returns the plan with the time of the request. The request is removed first, so
/// that a runner that is killed does not begin the run again.
pub(crate) fn take_request(data_folder: &Path) -> Option<(PlanId, Millis)> {
    requests(data_folder).find_map(|path| {
        let id = path.file_stem()?.to_str()?.to_owned();
        let requested = path.metadata().ok().as_ref().and_then(modified_at);
        std::fs::remove_file(&path).ok()?;
        Some((PlanId(id), requested.unwrap_or_else(Millis::now)))
    })
}

/// Ends when a user has asked to run a plan.
pub(crate) async fn run_requested(data_folder: &Path) {
    loop {
        tokio::time::sleep(LOOK).await;
        let folder = data_folder.to_owned();
        if in_background(move || is_run_requested(&folder)).await.unwrap_or_default() {
            return;
        }
    }
}

/// Returns whether a user has asked to run a plan.
pub(crate) fn is_run_requested(data_folder: &Path) -> bool {
    requests(data_folder).next().is_some()
}

/// Returns the files of the requests to run a plan.
fn requests(data_folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(data_folder.join(FOLDER)).into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path()).filter(|path| is_request(path));
    files.filter(|path| path.extension().is_some_and(|end| end == REQUEST))
}

/// Returns whether a request was made. Anything but a file is none: a folder with its name, which is not removed as a file is, would
/// stop each run, or keep the audit trail from being forwarded.
fn is_request(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|known| known.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use steward_core::model::operation::OperationKey;
    use steward_core::runs::{RunId, RunRegistry};
    use steward_core::sites::Sites;

    fn plan() -> PlanId {
        PlanId("nightly".to_owned())
    }

    #[test]
    fn what_a_killed_runner_left_is_no_run() {
        let data = tempfile::tempdir().unwrap();
        let held = DataFolder::take_for_runner(data.path()).unwrap();
        let file = RunningFile::in_data_folder(data.path());
        assert_eq!(running(data.path()), None);

        file.begin(&plan());
        assert_eq!(running(data.path()).map(|running| running.plan), Some(plan()));

        drop(held);
        // A process that another test is starting has the lock, too, until it begins.
        let begun = std::time::Instant::now();
        while running(data.path()).is_some() && begun.elapsed() < std::time::Duration::from_secs(30) {
            std::thread::yield_now();
        }
        assert_eq!(running(data.path()), None);
        let _held = DataFolder::take_for_runner(data.path()).unwrap();
        file.end();
        assert_eq!(running(data.path()), None);
    }

    #[tokio::test]
    async fn a_request_to_stop_ends_the_run_that_it_was_made_for_and_no_later_one() {
        let data = tempfile::tempdir().unwrap();
        let _held = DataFolder::take_for_runner(data.path()).unwrap();
        let file = RunningFile::in_data_folder(data.path());
        request_stop(data.path()).unwrap();

        file.begin(&plan());
        assert!(!data.path().join(FOLDER).join(STOP).exists(), "it was for an earlier run");

        request_stop(data.path()).unwrap();
        let stopped = async {
            file.stop_requested().await;
            until_written(data.path(), |running| running.is_stopping).await;
        };
        tokio::select! { () = stopped => {}, _ = file.keep_written() => {} }
    }

    #[test]
    fn a_folder_with_the_name_of_a_request_stops_no_run_asks_for_none_and_lets_no_entry_wait() {
        let data = tempfile::tempdir().unwrap();
        let folder = data.path().join(FOLDER);
        let file = RunningFile::in_data_folder(data.path());
        let stop = folder.join(STOP);
        for name in [STOP, FORWARD, format!("nightly.{REQUEST}").as_str()] {
            std::fs::create_dir_all(folder.join(name)).unwrap();
        }

        file.begin(&plan());

        assert!(!is_request(&stop), "no run is stopped");
        assert!(!is_run_requested(data.path()), "what is forwarded is not interrupted");
        assert_eq!((take_request(data.path()), waiting_since(data.path())), (None, None));
        std::fs::remove_dir(&stop).unwrap();
        request_stop(data.path()).unwrap();
        assert!(is_request(&stop));
    }

    async fn until_written(data: &Path, is_so: impl Fn(&RunningPlan) -> bool) {
        while !running(data).is_some_and(|running| is_so(&running)) {
            tokio::time::sleep(LOOK).await;
        }
    }

    #[test]
    #[cfg(unix)]
    fn whoever_asks_what_runs_reads_no_other_file_of_the_data_folder() {
        use std::os::unix::fs::PermissionsExt as _;
        let data = tempfile::tempdir().unwrap();
        let _held = DataFolder::take_for_runner(data.path()).unwrap();
        RunningFile::in_data_folder(data.path()).begin(&plan());
        let other = data.path().join("sites.json");
        std::fs::write(&other, "").unwrap();
        std::fs::set_permissions(&other, std::fs::Permissions::from_mode(0o644)).unwrap();
        assert!(running(data.path()).is_some());
        // Making the whole data folder private would remove the permissions of others.
        assert_eq!(other.metadata().unwrap().permissions().mode() & 0o777, 0o644);
    }

    #[tokio::test]
    async fn what_is_exported_does_not_wait_until_its_progress_is_written() {
        let data = tempfile::tempdir().unwrap();
        let _held = DataFolder::take_for_runner(data.path()).unwrap();
        let file = Arc::new(RunningFile::in_data_folder(data.path()));
        file.begin(&plan());
        let followed = file.clone();
        let runs = RunRegistry::new(Box::new(move |now| followed.follow(&now)));

        let saved =
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/fixtures/data-folders/format-1/sites.json");
        let sites = Sites::open_read_only(std::path::Path::new(saved)).unwrap();
        let site = sites.at(&sites.all()[0].current_target()).unwrap();
        let id = RunId("1".to_owned());
        let _run = runs.begin(id, &site, OperationKey::ExportPortal, None, RunStep::Waiting).unwrap();

        assert_eq!(running(data.path()).unwrap().part, None, "nothing was written by the run itself");
        let written = until_written(data.path(), |running| running.part.is_some());
        tokio::select! { () = written => {}, _ = file.keep_written() => {} }
    }

    #[test]
    fn a_plan_that_is_asked_for_runs_once() {
        let data = tempfile::tempdir().unwrap();
        assert_eq!(take_request(data.path()), None);
        request_run(data.path(), &plan()).unwrap();
        request_run(data.path(), &plan()).unwrap();
        assert_eq!(take_request(data.path()).map(|(plan, _)| plan), Some(plan()));
        assert_eq!(take_request(data.path()), None);
    }

    #[tokio::test]
    async fn a_user_who_asks_for_a_plan_ends_the_pause_of_the_runner() {
        let data = tempfile::tempdir().unwrap();
        let mut pause = Box::pin(run_requested(data.path()));
        assert!(futures_util::FutureExt::now_or_never(&mut pause).is_none());
        request_run(data.path(), &plan()).unwrap();
        pause.await;
        let left = take_request(data.path()).map(|(plan, _)| plan);
        assert_eq!(left, Some(plan()), "it is left for the run");
    }
}
