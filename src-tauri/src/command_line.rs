//! The program as the runner of backup plans: without a window, and without Tauri, which needs a display.
//!
//! `site-steward run-due-plans` is started by the scheduler of the system, `site-steward run-plan ID` by the window or
//! by an administrator. The exit codes are those of [`steward_plans::process`].

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use steward_core::files::data_folder::{self, DataFolder, DataFolderError};
use steward_core::logs;
use steward_plans::data_files;
use steward_plans::older_runner::{self, Patience, make_way};
use steward_plans::plan::PlanId;
use steward_plans::process::{FAILED, INVALID, NOT_NOW, Opening, PlanRunner, WELL, Watch, tell_unusable};
use steward_plans::scheduler::autostart::STAY;
use steward_plans::scheduler::{RUN_DUE_PLANS, RUN_PLAN};
use steward_plans::store;
use steward_vault::KeyringStore;
use tokio::sync::watch;

use crate::desktop::SystemDesktop;
use crate::session_bus;
use crate::start::{KEYRING_SERVICE, policy};

/// Identifier of the app, as in `tauri.conf.json`: the name of its folders.
const IDENTIFIER: &str = "org.sitesteward.desktop";

/// Reason why the runner was started.
enum Command {
    RunDuePlans,
    /// Due plans, again and again until the session ends: where no scheduler starts the runner.
    Stay,
    RunPlan(PlanId),
}

/// Time in which a runner that is told to stop ends: less than systemd gives it.
const STOPPING: Duration = Duration::from_secs(60);

/// Pause between two looks for due plans by a runner that stays. After a computer slept, due plans run within it.
const PAUSE: Duration = Duration::from_secs(60);

/// Runs backup plans if the arguments name a command for it; otherwise returns `None`, and the window is to be opened.
#[must_use]
pub fn run(arguments: &[OsString]) -> Option<ExitCode> {
    let first = arguments.first()?.to_str()?;
    let command = match (first, arguments.get(1).and_then(|id| id.to_str())) {
        (RUN_DUE_PLANS, Some(STAY)) => Command::Stay,
        (RUN_DUE_PLANS, _) => Command::RunDuePlans,
        (RUN_PLAN, Some(id)) => Command::RunPlan(PlanId(id.to_owned())),
        (RUN_PLAN, None) => {
            eprintln!("usage: site-steward {RUN_PLAN} ID");
            return Some(INVALID.into());
        }
        _ => return None,
    };
    Some(
        start(&command)
            .unwrap_or_else(|error| {
                eprintln!("Site Steward cannot run backup plans: {error:#}");
                INVALID
            })
            .into(),
    )
}

fn start(command: &Command) -> anyhow::Result<u8> {
    let roaming = tauri_data_folder(dirs::data_dir())?;
    let local = tauri_data_folder(dirs::data_local_dir())?;
    let folder = data_folder::place(&roaming, &local);
    // The watch begins before a file of the data folder is touched, whose disk might not respond. A runner that stays
    // only starts others.
    let watch = match command {
        Command::Stay => None,
        Command::RunDuePlans | Command::RunPlan(_) => {
            let of_watch = folder.clone();
            Some(Watch::begin(move || tell_beside(&of_watch), || std::process::exit(FAILED.into()))?)
        }
    };
    logs::start(&folder.join(logs::OF_PLANS));
    let stopped = until_told_to_stop()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    // A panic ends with the exit code of a failed run, not with one of its own, which a scheduler does not know.
    let ran = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        runtime.block_on(run_until_stopped(&folder, command, watch.as_ref(), stopped))
    }));
    // A call of the system that hangs is not waited for.
    runtime.shutdown_background();
    ran.unwrap_or(Ok(FAILED))
}

/// Returns a receiver that becomes `true` when the system or an administrator tells the runner to stop. The runner then
/// has [`STOPPING`] to end by itself, before the process exits. A thread of its own listens, because the others can
/// hang.
fn until_told_to_stop() -> anyhow::Result<watch::Receiver<bool>> {
    let (stop, stopped) = watch::channel(false);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let signal = {
        let _entered = runtime.enter();
        practice_site::stop_signal()?
    };
    let listening = move || {
        runtime.block_on(signal);
        tracing::info!("the runner was told to stop");
        stop.send_replace(true);
        std::thread::sleep(STOPPING);
        tracing::error!("the runner did not stop in time, and ends");
        std::process::exit(FAILED.into());
    };
    std::thread::Builder::new().name("stop".to_owned()).spawn(listening)?;
    Ok(stopped)
}

async fn run_until_stopped(
    folder: &Path,
    command: &Command,
    watch: Option<&Watch>,
    stopped: watch::Receiver<bool>,
) -> anyhow::Result<u8> {
    match command {
        Command::RunDuePlans | Command::RunPlan(_) => run_once(folder, command, watch, stopped).await,
        Command::Stay => {
            // The window starts another one each time, because the one that stays might have been killed. Only one
            // stays.
            let _only = match data_folder::wait_for_lock(&folder.join("locks").join("stays")) {
                Err(error) if error.kind() == ErrorKind::TimedOut => return Ok(WELL),
                // On a full disk, two stay rather than none.
                held => held.ok(),
            };
            // Without a schedule there is nothing to stay for: the window starts another one with the next plan.
            // Without the session there is no keyring, and the next sign-in starts another one.
            let has_plans = || store::have_schedule(folder) || data_files::are_plans_unknown(folder);
            let once = async || run_apart(stopped.clone()).await;
            stay(once, || session_bus::is_there() && has_plans(), stopped.clone()).await
        }
    }
}

/// Calls `once` each minute for as long as `stays` returns `true`, and until it is told to stop. An error is only
/// logged, because it can pass: a disk might be full for an hour.
async fn stay(
    once: impl AsyncFn() -> anyhow::Result<u8>,
    stays: impl Fn() -> bool,
    mut stopped: watch::Receiver<bool>,
) -> anyhow::Result<u8> {
    loop {
        let ended = once().await;
        if let Err(error) = &ended {
            tracing::error!(error = format!("{error:#}"), "due backup plans could not be looked for");
        }
        if !stays() {
            return ended;
        }
        tokio::select! {
            biased;
            _ = stopped.wait_for(|is_set| *is_set) => return ended,
            () = tokio::time::sleep(PAUSE) => {}
        }
    }
}

/// Runs what is due in a process of its own, as a scheduler does, and returns its exit code: one that hangs or fails
/// ends alone.
async fn run_apart(mut stopped: watch::Receiver<bool>) -> anyhow::Result<u8> {
    let program = std::env::current_exe()?.to_string_lossy().into_owned();
    // Linux appends this to the path of a program that an update replaced.
    let program = program.strip_suffix(" (deleted)").unwrap_or(&program);
    let mut runner = std::process::Command::new(program).arg(RUN_DUE_PLANS).spawn()?;
    let process = runner.id();
    let mut ended = tokio::task::spawn_blocking(move || runner.wait());
    let ended = tokio::select! {
        biased;
        ended = &mut ended => ended,
        // Without a sender, nothing stops it.
        Ok(()) = async { stopped.wait_for(|is_set| *is_set).await.map(drop) } => {
            older_runner::tell_to_end(process)?;
            ended.await
        }
    };
    // A process that a signal ended has no exit code.
    Ok(ended??.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(FAILED))
}

/// Tells what is overdue while the work of this process stands still. Another start of the runner would do this, but no
/// scheduler starts one beside it.
fn tell_beside(folder: &Path) {
    let telling = async {
        let beside = DataFolder::take_beside_runner(folder)?;
        let of_opening = folder.to_owned();
        let beside = PlanRunner::beside(beside, move || opening(&of_opening), watch::channel(false).1);
        anyhow::Ok(beside.tell_beside().await)
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let told = runtime.map_err(anyhow::Error::from).and_then(|runtime| {
        let told = runtime.block_on(telling);
        runtime.shutdown_background();
        told
    });
    if let Err(error) = told {
        tracing::error!(error = format!("{error:#}"), "what is overdue could not be told");
    }
}

/// Returns what only a due plan or an alert needs.
fn opening(folder: &Path) -> anyhow::Result<Opening> {
    let vault = KeyringStore::new(KEYRING_SERVICE).context("the keyring cannot be used")?;
    let (policy, desktop) = (policy(folder), Arc::new(SystemDesktop));
    // Where there is a desktop, only this user can write to either folder.
    let runtime_folder = dirs::runtime_dir().unwrap_or_else(std::env::temp_dir);
    Ok(Opening { policy, vault: Arc::new(vault), desktop, runtime_folder })
}

async fn run_once(
    folder: &Path,
    command: &Command,
    watch: Option<&Watch>,
    stopped: watch::Receiver<bool>,
) -> anyhow::Result<u8> {
    let data_folder = folder.to_owned();
    let open = move || opening(&data_folder);
    // Without this, no user would see that no plan runs.
    let cannot = async |error: DataFolderError| -> anyhow::Result<u8> {
        if let Ok(opening) = open() {
            tell_unusable(folder, &opening, &error).await;
        }
        Err(error.into())
    };
    let held = match DataFolder::take_for_runner(folder) {
        Err(DataFolderError::InUse { .. }) if make_way(folder, Patience::default()).await => {
            DataFolder::take_for_runner(folder)
        }
        taken => taken,
    };
    let held = match (held, command) {
        (Ok(held), _) => held,
        (Err(DataFolderError::InUse { .. }), Command::RunPlan(_)) => return Ok(NOT_NOW),
        // Another runner runs the due plans. If it hangs, it sends no alerts, and this one does.
        (Err(DataFolderError::InUse { .. }), Command::RunDuePlans | Command::Stay) => {
            return Ok(match DataFolder::take_beside_runner(folder) {
                Ok(beside) => PlanRunner::beside(beside, open, stopped).tell_beside().await,
                Err(DataFolderError::InUse { .. }) => WELL,
                Err(error) => return cannot(error).await,
            });
        }
        (Err(error), _) => return cannot(error).await,
    };
    let runner = PlanRunner::new(held, open, stopped);
    let runner = match watch {
        Some(watch) => runner.watched(watch)?,
        None => runner,
    };
    Ok(match command {
        Command::RunDuePlans | Command::Stay => runner.run_due_plans().await,
        Command::RunPlan(id) => runner.run_plan(id).await,
    })
}

/// Returns the folder that Tauri uses for the app in a folder of the user.
fn tauri_data_folder(of_user: Option<std::path::PathBuf>) -> anyhow::Result<std::path::PathBuf> {
    Ok(of_user.context("the system names no place for the data of programs")?.join(IDENTIFIER))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_runner_that_stays_survives_an_error_of_the_disk_and_ends_with_its_session() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            tokio::time::pause();
            let (_stop, stopped) = watch::channel(false);
            let looks = Cell::new(0);
            let once = async || {
                looks.set(looks.get() + 1);
                if looks.get() == 1 { Err(anyhow::anyhow!("the disk is full")) } else { Ok(WELL) }
            };
            let ended = stay(once, || looks.get() < 3, stopped).await;
            assert_eq!((ended.unwrap(), looks.get()), (WELL, 3));
        });
    }
}
