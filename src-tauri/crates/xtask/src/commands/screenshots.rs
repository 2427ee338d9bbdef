//! `cargo xtask screenshots`: the real program performs all operations and shows every screen.

use std::process::{Command, ExitCode};

use anyhow::Result;

use super::task::Task;
use super::test::WORKSPACE;
use crate::project::Project;
use crate::setup::front_end;
use crate::setup::packages::{self, Purpose};
use crate::{desktop, process};

pub(super) const TASK: Task = Task {
    name: "screenshots",
    about: "perform all operations on a virtual desktop and take screenshots, into target/screenshots/ [CHAPTER…: only these]",
    run,
};

fn run(project: &Project, words: &[String]) -> Result<ExitCode> {
    let chapters: Vec<&str> = words.iter().map(String::as_str).collect();
    drive(project, "screenshots", &chapters)
}

/// Builds the program and what drives it.
pub(super) fn build(project: &Project) -> Result<()> {
    packages::ensure(project, Purpose::VirtualDesktop)?;
    front_end::ensure(project)?;
    // With the features of the tests, so that the libraries are compiled once for both.
    let programs = ["--bin", "site-steward", "--bin", "screenshots"];
    process::run(project.cargo(&["build"]).args(WORKSPACE).args(programs))
}

/// Builds the program and what drives it, and drives it on a virtual desktop. The pictures are in `target/FOLDER/`. The
/// exit status is 0 if all operations succeeded and every stop was reached.
pub(super) fn drive(project: &Project, folder: &str, arguments: &[&str]) -> Result<ExitCode> {
    build(project)?;
    let mut driver = Command::new(project.built("screenshots"));
    driver.arg("--app").arg(project.built("site-steward"));
    driver.arg("--out").arg(project.target.join(folder)).args(arguments);
    desktop::run(project, &mut driver)
}
