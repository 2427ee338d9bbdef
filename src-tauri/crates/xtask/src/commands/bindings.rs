//! `cargo xtask bindings`: writes the TypeScript bindings of the commands for the front end.

use std::process::ExitCode;

use anyhow::Result;

use super::task::{Task, no_more};
use super::test::WORKSPACE;
use crate::process;
use crate::project::Project;
use crate::setup::packages::{self, Purpose};

pub(super) const TASK: Task =
    Task { name: "bindings", about: "write ui/src/bridge/bindings.ts anew from the commands in Rust", run };

fn run(project: &Project, words: &[String]) -> Result<ExitCode> {
    no_more(words)?;
    packages::ensure(project, Purpose::Build)?;
    // The test that compares the file with the commands writes it if this variable is set.
    let mut test = project.cargo(&["test", "--test", "bindings"]);
    process::run(test.args(WORKSPACE).env("WRITE_BINDINGS", "1"))?;
    Ok(ExitCode::SUCCESS)
}
