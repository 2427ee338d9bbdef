//! `cargo xtask bench [WHAT]`: measures the app and comparable programs in the same run.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use super::task::Task;
use crate::project::Project;
use crate::setup::front_end;
use crate::setup::packages::{self, Purpose};
use crate::setup::{storage_servers, vendor_client};
use crate::{desktop, process};

pub(super) const TASK: Task = Task {
    name: "bench",
    about: "measure everything but the soak, into target/bench/all.md, or one of: `practice-site` [--only portal|find|bucket], `changes`, `files`, `inventory`, `journal`, `plans`, `proof`, `small-operation`, `window`, `start`, `soak` [MINUTES]",
    run,
};

fn run(project: &Project, words: &[String]) -> Result<ExitCode> {
    if !cfg!(target_os = "linux") {
        bail!("memory is read from /proc; use a Linux machine or a container for this");
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        [] => all(project),
        ["practice-site", ref rest @ ..] => practice_site(project, rest),
        ["changes"] => by_the_worker(project, "changes", None),
        ["files"] => by_the_worker(project, "files", None),
        ["inventory"] => by_the_worker(project, "inventory", None),
        ["journal"] => of_the_history(project),
        ["plans"] => of_plans(project),
        ["proof"] => by_the_worker(project, "proof", None),
        ["small-operation"] => by_the_worker(project, "small-operation", None),
        ["soak"] => by_the_worker(project, "soak", None),
        ["soak", minutes] => by_the_worker(project, "soak", Some(minutes)),
        ["window"] => in_the_window(project, "window"),
        ["start"] => in_the_window(project, "start"),
        _ => bail!(
            "`bench` measures practice-site, changes, files, inventory, journal, plans, proof, small-operation, window, start or soak"
        ),
    }
}

/// Runs the benchmarks one after the other, so that each has the machine to itself.
fn all(project: &Project) -> Result<ExitCode> {
    let mut tables = String::new();
    for what in [
        "practice-site",
        "changes",
        "files",
        "inventory",
        "journal",
        "plans",
        "proof",
        "small-operation",
        "window",
        "start",
    ] {
        let ended = run(project, &[what.to_owned()])?;
        if ended != ExitCode::SUCCESS {
            return Ok(ended);
        }
        let table = results(project).join(format!("{what}.md"));
        let table = fs::read_to_string(&table).with_context(|| format!("cannot read {}", table.display()))?;
        tables += &format!("## {what}\n\n{}\n\n", table.trim());
    }
    let all = results(project).join("all.md");
    fs::write(&all, &tables).with_context(|| format!("cannot write {}", all.display()))?;
    println!("\n{tables}Written to {}.", all.display());
    Ok(ExitCode::SUCCESS)
}

fn practice_site(project: &Project, words: &[&str]) -> Result<ExitCode> {
    packages::ensure(project, Purpose::Bench)?;
    storage_servers::install_garage(project)?;
    build(project, &["--package", "practice-site", "--package", "bench"], &[])?;
    Ok(process::exit_code(process::status(bench(project, "practice-site").args(words))?))
}

/// Measures the journal. It is a library, so only the measuring program is built.
fn of_the_history(project: &Project) -> Result<ExitCode> {
    packages::ensure(project, Purpose::Bench)?;
    build(project, &["--package", "practice-site", "--package", "bench"], &[])?;
    Ok(process::exit_code(process::status(bench(project, "journal").args(["--only", "journal"]))?))
}

/// Measures the app's own code in a separate process without a window.
fn by_the_worker(project: &Project, what: &str, minutes: Option<&str>) -> Result<ExitCode> {
    packages::ensure(project, Purpose::Build)?;
    packages::ensure(project, Purpose::Bench)?;
    front_end::ensure(project)?;
    build(project, WITH_THE_PROGRAM, &["--example", "worker"])?;
    let mut bench = bench(project, what);
    bench.env("STEWARD_WORKER", built(project, "examples/worker")).args(["--only", what]);
    if let Some(minutes) = minutes {
        bench.env("STEWARD_SOAK_MINUTES", minutes);
    }
    Ok(process::exit_code(process::status(&mut bench)?))
}

/// Measures backup plans: the app as their runner, and its own code in a separate process.
fn of_plans(project: &Project) -> Result<ExitCode> {
    packages::ensure(project, Purpose::Build)?;
    packages::ensure(project, Purpose::Bench)?;
    front_end::ensure(project)?;
    build(project, WITH_THE_PROGRAM, &["--bin", "site-steward", "--example", "worker"])?;
    let mut bench = bench(project, "plans");
    bench.env("STEWARD_APP", built(project, "site-steward"));
    bench.env("STEWARD_WORKER", built(project, "examples/worker")).args(["--only", "plans"]);
    Ok(process::exit_code(process::status(&mut bench)?))
}

/// Measures the app in its real window on the virtual desktop.
fn in_the_window(project: &Project, what: &str) -> Result<ExitCode> {
    packages::ensure(project, Purpose::VirtualDesktop)?;
    packages::ensure(project, Purpose::Bench)?;
    front_end::ensure(project)?;
    build(project, WITH_THE_PROGRAM, &["--bin", "site-steward"])?;
    let mut bench = bench(project, what);
    bench.env("STEWARD_APP", built(project, "site-steward")).args(["--only", what]);
    if what == "window" {
        bench.env("STEWARD_PYTHON", vendor_client::install(project)?);
    }
    desktop::run(project, &mut bench)
}

const WITH_THE_PROGRAM: &[&str] =
    &["--package", "practice-site", "--package", "bench", "--package", "site-steward"];

fn build(project: &Project, packages: &[&str], more: &[&str]) -> Result<()> {
    let which = ["--bin", "practice-site", "--bin", "bench"];
    process::run(project.cargo(&["build", "--release"]).args(packages).args(which).args(more))
}

/// Returns the command of the measuring program, which writes `target/bench/WHAT.md`.
fn bench(project: &Project, what: &str) -> Command {
    let results = results(project);
    let mut bench = Command::new(built(project, "bench"));
    bench.arg("--site").arg(built(project, "practice-site"));
    bench.arg("--folder").arg(results.join(what)).arg("--out").arg(results.join(format!("{what}.md")));
    bench
}

fn results(project: &Project) -> PathBuf {
    project.target.join("bench")
}

fn built(project: &Project, program: &str) -> PathBuf {
    project.target.join("release").join(format!("{program}{EXE_SUFFIX}"))
}
