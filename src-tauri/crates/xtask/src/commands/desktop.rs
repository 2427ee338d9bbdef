//! `cargo xtask desktop COMMAND`: runs any command on a virtual desktop, for example to examine a failing test.

use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use super::task::Task;
use crate::desktop;
use crate::project::Project;
use crate::setup::packages::{self, Purpose};

pub(super) const TASK: Task = Task { name: "desktop", about: "run any COMMAND on a virtual desktop", run };

fn run(project: &Project, words: &[String]) -> Result<ExitCode> {
    let (program, arguments) = words
        .split_first()
        .context("say what to run, as in `cargo xtask desktop xdotool getmouselocation`")?;
    packages::ensure(project, Purpose::VirtualDesktop)?;
    let mut command = Command::new(program);
    command.args(arguments);
    desktop::run(project, &mut command)
}
