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
    let (what, more): (_, &[&str]) = match words[..] {
        [] => {
            build(project)?;
            return all(project);
        }
        ["practice-site", ref more @ ..] => ("practice-site", more),
        ["soak", minutes] => ("soak", &[minutes]),
        [what] if what == "soak" || EACH.contains(&what) => (what, &[]),
        _ => bail!("`bench` measures {}, or soak", EACH.join(", ")),
    };
    build(project)?;
    measure(project, what, more)
}

/// Benchmarks that `cargo xtask bench` runs without a name, in this order. The soak only runs by its name.
const EACH: [&str; 10] = [
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
];

fn all(project: &Project) -> Result<ExitCode> {
    let mut tables = String::new();
    for what in EACH {
        let ended = measure(project, what, &[])?;
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

/// Builds the app, the worker (its code in a process without a window), the practice site, and the measuring program. Each
/// benchmark builds all of them: with other packages or targets, libraries have other features, and are compiled again.
fn build(project: &Project) -> Result<()> {
    packages::ensure(project, Purpose::Build)?;
    packages::ensure(project, Purpose::Bench)?;
    front_end::ensure(project)?;
    let packages = ["practice-site", "bench", "site-steward"];
    let mut build = project.cargo(&["build", "--release", "--example", "worker"]);
    build.args(packages.into_iter().flat_map(|package| ["--package", package, "--bin", package]));
    process::run(&mut build)
}

/// Measures one of [`EACH`], or the soak, into `target/bench/WHAT.md`.
fn measure(project: &Project, what: &str, more: &[&str]) -> Result<ExitCode> {
    let results = results(project);
    let mut bench = Command::new(built(project, "bench"));
    bench.env("STEWARD_APP", built(project, "site-steward"));
    bench.env("STEWARD_WORKER", built(project, "examples/worker"));
    bench.arg("--site").arg(built(project, "practice-site"));
    bench.arg("--folder").arg(results.join(what)).arg("--out").arg(results.join(format!("{what}.md")));
    match what {
        "practice-site" => {
            storage_servers::install_garage(project)?;
            bench.args(more);
        }
        "soak" => {
            bench.args(["--only", what]).envs(more.iter().map(|minutes| ("STEWARD_SOAK_MINUTES", minutes)));
        }
        _ => {
            bench.args(["--only", what]);
        }
    }
    if what == "window" {
        bench.env("STEWARD_PYTHON", vendor_client::install(project)?);
    }
    if what == "window" || what == "start" {
        packages::ensure(project, Purpose::VirtualDesktop)?;
        return desktop::run(project, &mut bench);
    }
    Ok(process::exit_code(process::status(&mut bench)?))
}

fn results(project: &Project) -> PathBuf {
    project.target.join("bench")
}

fn built(project: &Project, program: &str) -> PathBuf {
    project.target.join("release").join(format!("{program}{EXE_SUFFIX}"))
}
