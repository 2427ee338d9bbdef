//! An older runner that holds the data folder when the scheduler starts another one.
//!
//! Usually it works, or ends itself ([`sign_of_life`]). One that has given no sign for hours, and gives none while it
//! is watched, is stopped or frozen, and is ended: the system keeps its locks until then.

use std::path::Path;
use std::time::{Duration, SystemTime};

use steward_core::files::data_folder::DataFolder;
use steward_core::files::in_place;

use super::sign_of_life;

/// How long an older runner is waited for.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// Age of its last sign of life by the clock, from which it is watched.
    pub silent: Duration,
    /// Time for which it is watched for a new sign, because the clock might have been set forward.
    pub watched: Duration,
    /// Time for its end after it was told to end. Longer than it gives itself.
    pub told: Duration,
    /// Time for its end after it was ended by the system.
    pub ended: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        let [watched, told, ended] = [3 * 60, 90, 10].map(Duration::from_secs);
        Self { silent: Duration::from_hours(6), watched, told, ended }
    }
}

/// Interval of the checks whether it has ended.
const LOOK: Duration = Duration::from_millis(200);

/// Ends an older runner that gives no sign of life, and returns whether no runner holds the data folder any more.
pub async fn make_way(data_folder: &Path, patience: Patience) -> bool {
    let last = || in_place(|| sign_of_life::last(data_folder));
    let Some((sign, given)) = last() else { return false };
    let age = SystemTime::now().duration_since(given).unwrap_or_default();
    if age < patience.silent {
        return false;
    }
    tracing::warn!(process = sign.process, ?age, "an older runner gives no sign of life");
    if has_ended(data_folder, patience.watched).await {
        return true;
    }
    if last().is_none_or(|(now, _)| now != sign) || !in_place(|| process::is_this_program(sign.process)) {
        return false;
    }
    type End = fn(u32) -> std::io::Result<()>;
    let steps: [(End, Duration); 2] = [(process::tell, patience.told), (process::end, patience.ended)];
    for (end, wait) in steps {
        if let Err(error) = in_place(|| end(sign.process)) {
            tracing::error!(%error, process = sign.process, "an older runner cannot be ended");
        }
        if has_ended(data_folder, wait).await {
            tracing::warn!(process = sign.process, "an older runner without a sign of life was ended");
            return true;
        }
    }
    false
}

/// Tells a runner that this process started to end.
///
/// # Errors
/// The error of the system.
pub fn tell_to_end(process: u32) -> std::io::Result<()> {
    process::tell(process)
}

/// Waits until no runner holds the data folder, and returns whether that is so in time.
async fn has_ended(data_folder: &Path, within: Duration) -> bool {
    let ended = async {
        while in_place(|| DataFolder::without_runner(data_folder)).is_none() {
            tokio::time::sleep(LOOK).await;
        }
    };
    tokio::time::timeout(within, ended).await.is_ok()
}

/// Another process of the user.
mod process {
    use std::io::Result;
    use std::path::{Path, PathBuf};
    use std::process::Command;

    use crate::scheduler::output;

    /// Returns whether a process is one of this program. Its number might be that of another one by now.
    pub(super) fn is_this_program(process: u32) -> bool {
        let own = std::env::current_exe().ok();
        let own = own.as_deref().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
        // Linux appends this to the path of a program that an update replaced.
        program_of(process).is_some_and(|name| name == own || name == format!("{own} (deleted)"))
    }

    #[cfg(target_os = "linux")]
    fn program_of(process: u32) -> Option<String> {
        let program: PathBuf = std::fs::read_link(format!("/proc/{process}/exe")).ok()?;
        Some(program.file_name()?.to_string_lossy().into_owned())
    }

    #[cfg(all(unix, not(target_os = "linux")))]
    fn program_of(process: u32) -> Option<String> {
        let program =
            output(Command::new("/bin/ps").args(["-p", &process.to_string(), "-o", "comm="])).ok()?;
        Some(PathBuf::from(program.trim()).file_name()?.to_string_lossy().into_owned())
    }

    #[cfg(windows)]
    fn program_of(process: u32) -> Option<String> {
        let only = format!("PID eq {process}");
        let line = output(Command::new("tasklist").args(["/FI", &only, "/NH", "/FO", "CSV"])).ok()?;
        let program = PathBuf::from(line.trim().strip_prefix('"')?.split('"').next()?);
        Some(program.file_name()?.to_string_lossy().into_owned())
    }

    /// Tells a process to end.
    #[cfg(unix)]
    pub(super) fn tell(process: u32) -> Result<()> {
        output(Command::new("/bin/kill").args(["-TERM", &process.to_string()])).map(drop)
    }

    /// On Windows, a process without a window cannot be told to end, and is ended at once.
    #[cfg(windows)]
    pub(super) fn tell(process: u32) -> Result<()> {
        end(process)
    }

    /// Ends a process.
    #[cfg(unix)]
    pub(super) fn end(process: u32) -> Result<()> {
        output(Command::new("/bin/kill").args(["-KILL", &process.to_string()])).map(drop)
    }

    /// Ends a process.
    #[cfg(windows)]
    pub(super) fn end(process: u32) -> Result<()> {
        output(Command::new("taskkill").args(["/F", "/PID", &process.to_string()])).map(drop)
    }
}

#[cfg(all(test, target_os = "linux"))]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::{Child, Command, Stdio};
    use std::sync::Arc;

    use super::sign_of_life::{Work, give_every};
    use super::*;

    const FOLDER: &str = "STEWARD_OLDER_RUNNER";
    const SIGN: Duration = Duration::from_millis(50);

    /// Not a test: an older runner, which holds the data folder and gives signs of life.
    #[test]
    #[ignore = "the process that the other tests start"]
    fn holds_the_data_folder() {
        let Some(folder) = std::env::var_os(FOLDER) else { return };
        let _held = DataFolder::take_for_runner(Path::new(&folder)).unwrap();
        let work = Arc::new(Work::default());
        give_every(SIGN, Path::new(&folder), &work).unwrap();
        println!("\nholds");
        std::io::stdout().flush().unwrap();
        std::thread::sleep(Duration::from_secs(60));
    }

    /// Older runner, which is killed at the end of the test.
    struct Older(Child);

    impl Older {
        fn start(folder: &Path) -> Self {
            let mut older = Command::new(std::env::current_exe().unwrap());
            let name = "older_runner::tests::holds_the_data_folder";
            older.args(["--exact", "--ignored", "--nocapture", name]).env(FOLDER, folder);
            let mut older = Self(older.stdout(Stdio::piped()).spawn().unwrap());
            let lines = BufReader::new(older.0.stdout.take().unwrap()).lines();
            assert!(lines.map(Result::unwrap).any(|line| line == "holds"));
            while sign_of_life::last(folder).is_none() {
                std::thread::sleep(SIGN);
            }
            older
        }

        fn signal(&self, name: &str) {
            let process = self.0.id().to_string();
            assert!(Command::new("/bin/kill").args([name, &process]).status().unwrap().success());
        }
    }

    impl Drop for Older {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    const QUICK: Patience = Patience {
        silent: Duration::ZERO,
        watched: Duration::from_secs(1),
        told: Duration::from_secs(1),
        ended: Duration::from_secs(10),
    };

    #[tokio::test]
    async fn a_runner_that_works_is_left_alone_however_old_its_sign_is_by_the_clock() {
        let data = tempfile::tempdir().unwrap();
        let mut older = Older::start(data.path());
        assert!(!make_way(data.path(), QUICK).await, "it gives a sign while it is watched");
        assert!(!make_way(data.path(), Patience::default()).await, "its sign is young");
        assert!(older.0.try_wait().unwrap().is_none());
    }

    #[tokio::test]
    async fn a_runner_that_is_frozen_is_ended_and_its_locks_are_free() {
        let data = tempfile::tempdir().unwrap();
        let mut older = Older::start(data.path());
        older.signal("-STOP");
        assert!(make_way(data.path(), QUICK).await);
        // A process that is stopped ends at the second signal.
        assert_eq!(older.0.wait().unwrap().signal(), Some(9));
        assert!(DataFolder::take_for_runner(data.path()).is_ok());
    }
}
