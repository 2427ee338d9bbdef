//! `cargo xtask weekly`: what takes too long for every change.

use std::process::ExitCode;

use anyhow::Result;

use super::test::WORKSPACE;
use super::{Task, bench, no_more};
use crate::process;
use crate::project::Project;
use crate::setup::storage_servers;

pub(super) const TASK: Task = Task {
    name: "weekly",
    about: "check what takes too long for every change: regions of buckets with garage, an hour of soak",
    run,
};

/// Part of the names of all tests that need garage.
const REGION_TESTS: &str = "wrong_region";

fn run(project: &Project, words: &[String]) -> Result<ExitCode> {
    no_more(words)?;
    storage_servers::install_garage(project)?;
    let mut regions = project.cargo(&["test"]);
    regions.args(WORKSPACE).args(["--lib", "--test", "site", "--", "--ignored", REGION_TESTS]);
    process::run(&mut regions)?;
    (bench::TASK.run)(project, &["soak".to_owned(), "60".to_owned()])
}
