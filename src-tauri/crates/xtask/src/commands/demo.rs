//! `cargo xtask demo`: the real program performs all operations, with one picture of each result.

use std::process::ExitCode;

use anyhow::Result;

use super::screenshots;
use super::task::{Task, no_more};
use crate::project::Project;

pub(super) const TASK: Task = Task {
    name: "demo",
    about: "perform all operations on a virtual desktop, with a picture of each result, into target/demo/",
    run: |project, words| {
        no_more(words)?;
        play(project)
    },
};

/// Plays the demo. The exit status is 0 if all operations succeeded.
pub(super) fn play(project: &Project) -> Result<ExitCode> {
    screenshots::drive(project, "demo", &["--demo"])
}
