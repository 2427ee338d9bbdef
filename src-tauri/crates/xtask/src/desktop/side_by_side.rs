use std::fs::File;
use std::io::stdout;
use std::panic::resume_unwind;
use std::process::{Command, ExitCode};
use std::thread;

use anyhow::{Result, bail};

use super::one::{exit_code_in, on_new};
use crate::process;
use crate::project::Project;

/// Runs commands on several new virtual desktops side by side, each after the last one of its desktop, for as long as there
/// is a `next` one. Prints what they wrote when a desktop has ended, because several outputs at once are unreadable;
/// meanwhile it is in `target/NAME-NUMBER.log`.
pub(crate) fn run_side_by_side(
    project: &Project,
    name: &str,
    desktops: usize,
    next: impl Fn() -> Option<Command> + Sync,
) -> Result<()> {
    thread::scope(|scope| {
        let desktops: Vec<_> = (0..desktops)
            .map(|number| format!("{name}-{number}.log"))
            .map(|log| scope.spawn(|| on_desktop(project, log, &next)))
            .collect();
        desktops
            .into_iter()
            .try_for_each(|desktop| desktop.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

fn on_desktop(project: &Project, log: String, next: impl Fn() -> Option<Command>) -> Result<()> {
    let log = project.target.join(log);
    let output = process::create(&log)?;
    let code = on_new(project, |home| {
        let mut outcome = ExitCode::SUCCESS;
        while let Some(mut command) = next() {
            command.stdout(output.try_clone()?).stderr(output.try_clone()?);
            let code = exit_code_in(home, &mut command)?;
            if code != ExitCode::SUCCESS {
                outcome = code;
            }
        }
        Ok(outcome)
    })?;
    std::io::copy(&mut File::open(log)?, &mut stdout())?;
    if code != ExitCode::SUCCESS {
        bail!("a command failed; its output is above");
    }
    Ok(())
}
