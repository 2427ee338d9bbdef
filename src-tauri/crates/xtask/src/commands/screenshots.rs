//! `cargo xtask screenshots`: the real program performs all seven operations and shows every screen.

use std::process::{Command, ExitCode};

use anyhow::Result;

use super::test::WORKSPACE;
use super::{Task, no_more};
use crate::project::Project;
use crate::setup::front_end;
use crate::setup::packages::{self, Purpose};
use crate::{desktop, process};

pub(super) const TASK: Task = Task {
    name: "screenshots",
    about: "perform all seven operations on a virtual desktop and take screenshots, into target/screenshots/",
    run,
};

fn run(project: &Project, words: &[String]) -> Result<ExitCode> {
    no_more(words)?;
    take(project)
}

/// Builds the program and what drives it, and takes the screenshots. The exit status is 0 if all seven operations
/// succeeded.
pub(super) fn take(project: &Project) -> Result<ExitCode> {
    packages::ensure(project, Purpose::VirtualDesktop)?;
    front_end::ensure(project)?;
    // With the features of the tests, so that the libraries are compiled once for both.
    let programs = ["--bin", "site-steward", "--bin", "screenshots"];
    process::run(project.cargo(&["build"]).args(WORKSPACE).args(programs))?;

    let mut taker = Command::new(project.built("screenshots"));
    taker
        .arg("--app")
        .arg(project.built("site-steward"))
        .arg("--out")
        .arg(project.target.join("screenshots"));
    desktop::run(project, &mut taker)
}
