//! Commands of the project. `cargo xtask help` lists them.
//!
//! Each command is a module of `commands`. Shared parts (packages, front end, virtual desktop) have modules of their
//! own.

mod commands;
mod desktop;
mod process;
mod project;
mod rules;
mod setup;

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::project::Project;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match carry_out(&arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("\ncargo xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn carry_out(arguments: &[String]) -> Result<ExitCode> {
    let Some((name, rest)) = arguments.split_first() else {
        commands::print_help();
        return Ok(ExitCode::FAILURE);
    };
    if matches!(name.as_str(), "help" | "--help" | "-h") {
        commands::print_help();
        return Ok(ExitCode::SUCCESS);
    }

    let project = Project::find()?;
    match commands::ALL.iter().find(|task| task.name == name) {
        Some(task) => (task.run)(&project, rest),
        None => bail!("there is no command `{name}`; `cargo xtask help` lists them"),
    }
}
