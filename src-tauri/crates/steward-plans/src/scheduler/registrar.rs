//! Registers the runner with the scheduler of this system as the saved plans need it, and starts it now.

use std::io::{Error, Result};
use std::path::{Path, PathBuf};

use serde::Serialize;

#[cfg(target_os = "linux")]
use super::autostart::{Autostart, STAY};
#[cfg(target_os = "macos")]
use super::launchd::Launchd;
#[cfg(target_os = "linux")]
use super::systemd::Systemd;
#[cfg(windows)]
use super::task_scheduler::TaskScheduler;
use super::{RUN_DUE_PLANS, Registration, start_alone, times_of};
use crate::plan::{BackupPlan, runs_by_schedule};

/// Scheduler of this system.
#[derive(Debug, Clone)]
pub enum Scheduler {
    /// User instance of systemd.
    #[cfg(target_os = "linux")]
    Systemd(Systemd),
    /// Autostart of the desktop, where there is no such instance.
    #[cfg(target_os = "linux")]
    Autostart(Autostart),
    /// Agents of launchd.
    #[cfg(target_os = "macos")]
    Launchd(Launchd),
    /// Task Scheduler of Windows.
    #[cfg(windows)]
    TaskScheduler(TaskScheduler),
}

/// Folders that the schedulers use.
#[derive(Debug, Clone)]
pub struct Folders {
    /// Configuration of the user, for example `~/.config`.
    pub config: PathBuf,
    /// Data of the programs of the user, for example `~/.local/share`.
    pub data: PathBuf,
    /// Home of the user.
    pub home: PathBuf,
    /// Data folder of this program.
    pub program_data: PathBuf,
}

/// Change of the registration when it was compared with what the plans require.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Followed {
    /// None: the registration was as required, or the plans could not be read.
    AsItWas,
    /// The runner was not registered, and was registered.
    Registered,
    /// The registration had other times or another program, or was disabled, and was replaced.
    Repaired,
    /// The registration was removed, because no plan runs by a schedule.
    Removed,
}

impl Scheduler {
    /// Returns the scheduler of this system.
    ///
    /// # Errors
    /// An error of the system.
    #[cfg(target_os = "linux")]
    pub fn of_system(folders: &Folders) -> Result<Self> {
        let Folders { config, data, .. } = folders;
        Ok(match Systemd::of_user(config, data) {
            Some(systemd) => Self::Systemd(systemd),
            None => Self::Autostart(Autostart::in_folder(config)),
        })
    }

    /// Returns the scheduler of this system.
    ///
    /// # Errors
    /// An error of the system.
    #[cfg(target_os = "macos")]
    pub fn of_system(folders: &Folders) -> Result<Self> {
        Launchd::of_user(&folders.home).map(Self::Launchd)
    }

    /// Returns the scheduler of this system.
    ///
    /// # Errors
    /// An error of the system.
    #[cfg(windows)]
    pub fn of_system(folders: &Folders) -> Result<Self> {
        let variable =
            |name: &str| std::env::var(name).map_err(|_| Error::other(format!("Windows names no {name}")));
        Ok(Self::TaskScheduler(TaskScheduler {
            program: Path::new(&variable("SystemRoot")?).join(r"System32\schtasks.exe"),
            user: variable("USERNAME")?,
            registered: folders.program_data.join("plan-task.xml"),
        }))
    }

    /// Registers the runner as the plans need it: not at all if none has a schedule. `stays` is set if plans could not
    /// be read: then the registration is not removed, because one of them might need it.
    ///
    /// # Errors
    /// An error of the disk, or the message of the scheduler.
    pub fn follow(&self, program: &str, plans: &[BackupPlan], stays: bool) -> Result<Followed> {
        let times = times_of(plans);
        let is_needed = plans.iter().any(runs_by_schedule);
        let registration = match self {
            #[cfg(target_os = "linux")]
            Self::Systemd(systemd) => systemd.registration(program, &times),
            #[cfg(target_os = "linux")]
            Self::Autostart(autostart) => autostart.registration(program),
            #[cfg(target_os = "macos")]
            Self::Launchd(launchd) => launchd.registration(program, &times),
            #[cfg(windows)]
            Self::TaskScheduler(tasks) => tasks.registration(program, &times),
        };
        let followed = match (is_needed, registration) {
            (true, Registration::Registered) => {
                // The runner of this session might have been killed. If it was not, the new one finds it, and ends.
                #[cfg(target_os = "linux")]
                if matches!(self, Self::Autostart(_)) {
                    start_alone(program, &[RUN_DUE_PLANS, STAY])?;
                }
                return Ok(Followed::AsItWas);
            }
            (false, Registration::Missing) => return Ok(Followed::AsItWas),
            (false, _) if stays => return Ok(Followed::AsItWas),
            (true, Registration::Missing) => Followed::Registered,
            (true, Registration::Differs) => Followed::Repaired,
            (false, _) => Followed::Removed,
        };
        match (self, is_needed) {
            #[cfg(target_os = "linux")]
            (Self::Systemd(systemd), true) => systemd.register(program, &times)?,
            #[cfg(target_os = "linux")]
            (Self::Systemd(systemd), false) => systemd.remove()?,
            #[cfg(target_os = "linux")]
            (Self::Autostart(autostart), true) => autostart.register(program)?,
            #[cfg(target_os = "linux")]
            (Self::Autostart(autostart), false) => autostart.remove()?,
            #[cfg(target_os = "macos")]
            (Self::Launchd(launchd), true) => launchd.register(program, &times)?,
            #[cfg(target_os = "macos")]
            (Self::Launchd(launchd), false) => launchd.remove()?,
            #[cfg(windows)]
            (Self::TaskScheduler(tasks), true) => tasks.register(program, &times)?,
            #[cfg(windows)]
            (Self::TaskScheduler(tasks), false) => tasks.remove()?,
        }
        Ok(followed)
    }

    /// Starts the runner as the scheduler does, so that a trial shows what the night will. Where it is not registered,
    /// or the scheduler cannot be asked to, the runner is started as a process of its own.
    ///
    /// # Errors
    /// An error of the system.
    pub fn start_now(&self, program: &str) -> Result<()> {
        let started = match self {
            #[cfg(target_os = "linux")]
            Self::Systemd(systemd) => systemd.start_now(),
            #[cfg(target_os = "linux")]
            Self::Autostart(_) => return start_alone(program, &[RUN_DUE_PLANS]),
            #[cfg(target_os = "macos")]
            Self::Launchd(launchd) => launchd.start_now(),
            #[cfg(windows)]
            Self::TaskScheduler(tasks) => tasks.start_now(),
        };
        started.or_else(|error| {
            tracing::info!(%error, "the scheduler does not start the runner");
            start_alone(program, &[RUN_DUE_PLANS])
        })
    }
}

/// Returns the path with which the runner is started.
///
/// # Errors
/// If that path is gone later: a program that runs from a disk image, or whose path is not text.
pub fn program() -> Result<String> {
    // The executable of an AppImage is in a folder that exists only while the image is mounted.
    let path = match std::env::var_os("APPIMAGE") {
        Some(image) => PathBuf::from(image),
        None => std::env::current_exe()?,
    };
    lasting(&path)
}

fn lasting(path: &Path) -> Result<String> {
    let text = path.to_str().ok_or_else(|| Error::other("the path of the program is not text"))?;
    if cfg!(target_os = "macos") && (text.starts_with("/Volumes/") || text.contains("/AppTranslocation/")) {
        return Err(Error::other(
            "the program runs from a disk image; move it to the Applications folder first",
        ));
    }
    Ok(text.to_owned())
}
