//! `cargo xtask tour`: the real program performs all seven operations, and leaves a picture of each.

use std::process::{Command, ExitCode};

use anyhow::Result;

use super::{Task, no_more};
use crate::project::Project;
use crate::setup::front_end;
use crate::setup::packages::{self, Purpose};
use crate::{desktop, process};

pub(super) const TASK: Task =
    Task { name: "tour", about: "play all seven operations on a virtual desktop, into target/tour/", run };

fn run(project: &Project, words: &[String]) -> Result<ExitCode> {
    no_more(words)?;
    play(project)
}

/// Builds the program and its player, and plays. The exit status says whether all seven succeeded.
pub(super) fn play(project: &Project) -> Result<ExitCode> {
    packages::ensure(project, Purpose::VirtualDesktop)?;
    front_end::ensure(project)?;
    // With the features of the tests, so that the libraries are compiled once for both.
    let what = [
        "--workspace",
        "--features",
        "site-steward/journeys,steward-testkit/window",
        "--bin",
        "site-steward",
        "--bin",
        "tour",
    ];
    process::run(project.cargo(&["build"]).args(what))?;

    let mut player = Command::new(project.built("tour"));
    player.arg("--app").arg(project.built("site-steward")).arg("--out").arg(project.target.join("tour"));
    desktop::run(project, &mut player)
}
