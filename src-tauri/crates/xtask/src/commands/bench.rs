//! `cargo xtask bench WHAT`: how fast, beside other programs that do the same work in the same run.

use std::env::consts::EXE_SUFFIX;
use std::process::{Command, ExitCode};

use anyhow::{Result, bail};

use super::Task;
use crate::project::Project;
use crate::setup::front_end;
use crate::setup::packages::{self, Purpose};
use crate::setup::storage_servers;
use crate::{desktop, process};

pub(super) const TASK: Task = Task {
    name: "bench",
    about: "measure `practice-site` beside 7z, zstd, sqlite3 and rclone, into target/bench/ [--only portal|find|bucket], `files` beside curl, or long lists in the `window`",
    run,
};

fn run(project: &Project, words: &[String]) -> Result<ExitCode> {
    match words {
        [what, rest @ ..] if what == "practice-site" => practice_site(project, rest),
        [what] if what == "files" => files(project),
        [what] if what == "window" => window(project),
        _ => bail!("`bench` knows three things to measure: practice-site, files and window"),
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

/// Downloads and uploads by the program's own code, in a process of its own.
fn files(project: &Project) -> Result<ExitCode> {
    if !cfg!(target_os = "linux") {
        bail!("memory is read from /proc; use a Linux machine or a container for this");
    }
    let what = ["--package", "practice-site", "--package", "steward-testkit", "--package", "site-steward"];
    let which = ["--features", "steward-testkit/bench", "--bin", "practice-site", "--bin", "bench"];
    let ours = ["--example", "transfer"];
    process::run(project.cargo(&["build", "--release"]).args(what).args(which).args(ours))?;

    let built = |program: &str| project.target.join("release").join(format!("{program}{EXE_SUFFIX}"));
    let results = project.target.join("bench");
    let mut bench = Command::new(built("bench"));
    bench.env(
        "STEWARD_TRANSFER",
        project.target.join("release/examples").join(format!("transfer{EXE_SUFFIX}")),
    );
    bench.arg("--site").arg(built("practice-site")).arg("--folder").arg(results.join("files"));
    bench.arg("--out").arg(results.join("files.md")).args(["--only", "files"]);
    Ok(process::exit_code(process::status(&mut bench)?))
}

/// Long lists in the real window, on the virtual desktop.
fn window(project: &Project) -> Result<ExitCode> {
    packages::ensure(project, Purpose::VirtualDesktop)?;
    front_end::ensure(project)?;
    let what = ["--package", "practice-site", "--package", "steward-testkit", "--package", "site-steward"];
    let which = ["--features", "steward-testkit/bench", "--bin", "practice-site", "--bin", "bench"];
    process::run(
        project.cargo(&["build", "--release"]).args(what).args(which).args(["--bin", "site-steward"]),
    )?;

    let built = |program: &str| project.target.join("release").join(format!("{program}{EXE_SUFFIX}"));
    let results = project.target.join("bench");
    let mut bench = Command::new(built("bench"));
    bench.env("STEWARD_APP", built("site-steward"));
    bench.arg("--site").arg(built("practice-site")).arg("--folder").arg(results.join("window"));
    bench.arg("--out").arg(results.join("window.md")).args(["--only", "window"]);
    desktop::run(project, &mut bench)
}
