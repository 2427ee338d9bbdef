//! `cargo xtask run`: builds and starts the app on a new machine.

use std::process::{Command, ExitCode};

use anyhow::{Result, bail};

use super::demo;
use super::task::Task;
use crate::project::Project;
use crate::setup::front_end;
use crate::setup::packages::{self, Purpose};
use crate::{desktop, process};

pub(super) const TASK: Task = Task {
    name: "run",
    about: "start the program, or play the demo where there is no display [--release: built for speed]",
    run,
};

fn run(project: &Project, words: &[String]) -> Result<ExitCode> {
    let release = match words {
        [] => false,
        [word] if word == "--release" => true,
        _ => bail!("`run` knows one word, --release"),
    };
    if !desktop::is_here() {
        println!("There is no display here: playing the demo on a virtual desktop.");
        return demo::play(project);
    }

    packages::ensure(project, Purpose::Build)?;
    front_end::ensure(project)?;
    // The first build determines how long a new developer waits, and this profile takes half as long.
    let profile: &[&str] = if release { &["--release"] } else { &[] };
    process::run(project.cargo(&["build", "--package", "site-steward"]).args(profile))?;
    let folder = if release { "release" } else { "debug" };
    let program = project.target.join(folder).join(format!("site-steward{}", std::env::consts::EXE_SUFFIX));
    Ok(process::exit_code(process::status(&mut Command::new(program))?))
}
