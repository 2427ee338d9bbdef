//! `cargo xtask rules`: checks import directions and file locations.

use std::process::ExitCode;

use anyhow::Result;

use super::task::{Task, no_more};
use crate::project::Project;
use crate::rules;

pub(super) const TASK: Task =
    Task { name: "rules", about: "check who imports whom, and that every operation has its files", run };

fn run(project: &Project, words: &[String]) -> Result<ExitCode> {
    no_more(words)?;
    rules::check(project)?;
    println!("No rule of the house is broken.");
    Ok(ExitCode::SUCCESS)
}
