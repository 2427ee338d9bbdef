//! What is registered with the scheduler of the system, so that it starts the runner: one job for each user, at every
//! time of a plan and once an hour.
//!
//! Each file has the texts of one system. The runner decides by itself what is due, so that an edited plan changes a
//! registration only if it has a new time.

pub mod autostart;
pub mod launchd;
pub mod registrar;
pub mod systemd;
pub mod task_scheduler;

use std::collections::BTreeSet;
use std::io::{Error, ErrorKind, Result};
use std::path::Path;
use std::process::{Command, Stdio};

use super::plan::{BackupPlan, runs_by_schedule};
use super::schedule::TimeOfDay;

/// First argument with which the scheduler starts the program.
pub const RUN_DUE_PLANS: &str = "run-due-plans";

/// First argument with which one plan is run now. The second is its identifier.
pub const RUN_PLAN: &str = "run-plan";

/// State of the registration of the runner with the scheduler of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Registration {
    /// The registration is as the plans require, and active.
    Registered,
    /// The registration has other times or another program, or was disabled.
    Differs,
    /// There is no registration.
    Missing,
}

/// Returns the times of day at which the runner is started, each once.
#[must_use]
pub fn times_of(plans: &[BackupPlan]) -> BTreeSet<TimeOfDay> {
    let by_schedule = plans.iter().filter(|plan| runs_by_schedule(plan));
    by_schedule.flat_map(|plan| &plan.schedule.times).copied().filter(|time| time.is_valid()).collect()
}

/// Calls a program of the system, and returns its output. Its messages are localized, and only shown.
pub(super) fn output(command: &mut Command) -> Result<String> {
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt as _;
        /// `CREATE_NO_WINDOW`: a console would appear for a moment.
        const NO_WINDOW: u32 = 0x0800_0000;
        command.creation_flags(NO_WINDOW);
    }
    let ended = command.output()?;
    match ended.status.success() {
        true => Ok(String::from_utf8_lossy(&ended.stdout).into_owned()),
        false => Err(Error::other(String::from_utf8_lossy(&ended.stderr).trim().to_owned())),
    }
}

/// Starts the program as a process of its own, which does not end with this one.
fn start_alone(program: &str, arguments: &[&str]) -> Result<()> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn()?;
    // Waits for the child, so that it leaves no zombie. The child does not depend on this process.
    std::thread::spawn(move || child.wait());
    Ok(())
}

/// Removes a file, if there is one.
fn remove_file(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Returns a text as the content or an attribute of XML 1.0, in which control characters cannot be written.
fn xml(text: &str) -> String {
    text.chars()
        .filter(|letter| !letter.is_control())
        .map(|letter| match letter {
            '&' => "&amp;".to_owned(),
            '<' => "&lt;".to_owned(),
            '>' => "&gt;".to_owned(),
            '"' => "&quot;".to_owned(),
            other => other.to_string(),
        })
        .collect()
}
