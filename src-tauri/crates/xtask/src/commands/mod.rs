//! The commands, one file each.

mod bench;
mod bindings;
mod check_windows;
mod desktop;
mod icons;
mod latest;
pub(crate) mod licences;
mod package;
mod rules;
mod run;
mod test;
mod tour;

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::project::Project;

/// One command of `cargo xtask`.
pub(crate) struct Task {
    /// What is typed.
    pub(crate) name: &'static str,
    /// What `help` says about it.
    about: &'static str,
    /// What it does with the words that follow its name.
    pub(crate) run: fn(&Project, &[String]) -> Result<ExitCode>,
}

/// Every command, in the order of `help`.
pub(crate) const ALL: &[Task] = &[
    run::TASK,
    test::TASK,
    tour::TASK,
    bench::TASK,
    package::TASK,
    latest::TASK,
    check_windows::TASK,
    rules::TASK,
    bindings::TASK,
    icons::TASK,
    licences::TASK,
    desktop::TASK,
];

/// Lists the commands.
pub(crate) fn print_help() {
    println!("cargo xtask COMMAND\n");
    for task in ALL {
        println!("  {:14}{}", task.name, task.about);
    }
    println!("\nEach installs what it needs first, or says what to install.");
}

/// For commands that take no words: better an error than a word without effect.
fn no_more(words: &[String]) -> Result<()> {
    if let Some(word) = words.first() {
        bail!("`{word}` means nothing here");
    }
    Ok(())
}
