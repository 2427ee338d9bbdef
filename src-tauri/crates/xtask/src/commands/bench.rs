//! `cargo xtask bench WHAT`: how fast, beside other programs that do the same work in the same run.

use std::env::consts::EXE_SUFFIX;
use std::process::{Command, ExitCode};

use anyhow::{Result, bail};

use super::Task;
use crate::process;
use crate::project::Project;
use crate::setup::packages::{self, Purpose};
use crate::setup::storage_servers;

pub(super) const TASK: Task = Task {
    name: "bench",
    about: "measure `practice-site` beside 7z, zstd, sqlite3 and rclone, into target/bench/ [--only portal|find|bucket]",
    run,
};

fn run(project: &Project, words: &[String]) -> Result<ExitCode> {
    match words {
        [what, rest @ ..] if what == "practice-site" => practice_site(project, rest),
        _ => bail!("`bench` knows one thing to measure, practice-site"),
    }
}

fn practice_site(project: &Project, words: &[String]) -> Result<ExitCode> {
    if !cfg!(target_os = "linux") {
        bail!("memory is read from /proc; use a Linux machine or a container for this");
    }
    packages::ensure(project, Purpose::Bench)?;
    storage_servers::install(project)?;
    let what = ["--package", "practice-site", "--package", "steward-testkit"];
    let which = ["--features", "steward-testkit/bench", "--bin", "practice-site", "--bin", "bench"];
    process::run(project.cargo(&["build", "--release"]).args(what).args(which))?;

    let built = |program: &str| project.target.join("release").join(format!("{program}{EXE_SUFFIX}"));
    let results = project.target.join("bench");
    let mut bench = Command::new(built("bench"));
    bench.arg("--site").arg(built("practice-site"));
    bench
        .arg("--folder")
        .arg(results.join("practice-site"))
        .arg("--out")
        .arg(results.join("practice-site.md"));
    Ok(process::exit_code(process::status(bench.args(words))?))
}
