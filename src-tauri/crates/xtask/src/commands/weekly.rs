//! `cargo xtask weekly`: checks what takes too long for every change, or changes without one.

mod fuzzers;
mod load;

use std::fs;
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Result, bail};

use self::load::Load;
use super::check_windows::run_and_count;
use super::steps::{self, Step, succeeded};
use super::task::Task;
use super::test::{JOURNEYS, WORKSPACE, journeys, linting_cargo};
use super::{bench, screenshots};
use crate::process;
use crate::project::Project;
use crate::setup::packages::{self, Purpose};
use crate::setup::{crates, front_end, storage_servers};

pub(super) const TASK: Task = Task {
    name: "weekly",
    about: "check what takes hours, or changes by itself [--only PART: one part; --keep-going: the rest too after a failure]",
    run,
};

/// Short parts first. None needs another one.
const PARTS: &[Step] = &[
    Step { name: "cargo-audit", run: cargo_audit },
    Step { name: "npm-audit", run: front_end::audit },
    Step { name: "docs", run: docs },
    Step { name: "regions", run: regions },
    Step { name: "interleavings", run: interleavings },
    Step { name: "two-processes", run: two_processes },
    Step { name: "mutants", run: mutants },
    Step { name: "soak", run: soak },
    Step { name: "fuzzers", run: fuzzers::run },
    Step { name: "busy-screenshots", run: busy_screenshots },
    Step { name: "busy-journeys", run: busy_journeys },
];

/// Release of cargo-audit.
const CARGO_AUDIT: &str = "0.22.2";

/// Release of cargo-mutants.
const CARGO_MUTANTS: &str = "27.1.0";

/// Code of which every change must fail a test of its own crate: the package, and its files.
const GUARDED: &[(&str, &[&str])] = &[
    ("steward-redact", &["**/*.rs"]),
    (
        "steward-client",
        &["**/decode.rs", "**/decode/*.rs", "**/limits.rs", "**/token_retry.rs", "**/trust/*.rs"],
    ),
];

/// Part of the names of all tests that need garage.
const REGION_TESTS: &str = "wrong_region";

/// Duration of the soak.
const SOAK_MINUTES: &str = "60";

/// Number of runs beside a load. What fails once in ten of them is found with a probability of 88 %.
const BUSY_RUNS: u32 = 20;

/// Chapter of the screenshots with the most stops. Twenty runs of all chapters take longer than a job may.
const BUSIEST_CHAPTER: &str = "sites";

/// Maximum time of the load for one run. A run takes some minutes; one that hangs does not keep the processors busy.
const LOAD_LIMIT: Duration = Duration::from_secs(60 * 60);

fn run(project: &Project, words: &[String]) -> Result<ExitCode> {
    steps::run(TASK.name, PARTS, project, words)
}

/// Compares the crates with the list of known vulnerabilities.
fn cargo_audit(project: &Project) -> Result<()> {
    // Without the search in compiled programs, of which the shipped ones contain no list of crates.
    let program = crates::install(project, "cargo-audit", CARGO_AUDIT, &["--no-default-features"])?;
    process::run(Command::new(program).arg("audit").current_dir(&project.root))
}

/// Makes the documentation of all code, also of private items, with warnings as errors. Each week and not for each change:
/// libraries are checked for it a second time, and `steward-core` alone takes a quarter of a minute.
fn docs(project: &Project) -> Result<()> {
    packages::ensure(project, Purpose::Build)?;
    front_end::ensure(project)?;
    let mut docs = project.cargo(&["doc", "--no-deps", "--document-private-items"]);
    process::run(docs.args(WORKSPACE).env("RUSTDOCFLAGS", "--deny warnings"))
}

/// Runs the tests of requests that are signed for another region.
fn regions(project: &Project) -> Result<()> {
    packages::ensure(project, Purpose::Build)?;
    storage_servers::install_garage(project)?;
    let mut regions = linting_cargo(project, &["test"]);
    regions.args(WORKSPACE).args(["--lib", "--test", "site", "--", "--ignored", REGION_TESTS]);
    let (well, passed) = run_and_count(&mut regions)?;
    if !well || passed == 0 {
        bail!("{passed} tests whose names contain “{REGION_TESTS}” passed");
    }
    Ok(())
}

/// Tries every event and a kill at every request of every operation, not only at the first of each kind.
fn interleavings(project: &Project) -> Result<()> {
    packages::ensure(project, Purpose::Build)?;
    front_end::ensure(project)?;
    let mut all = linting_cargo(project, &["test", "--test", "interleavings"]);
    all.env("INTERLEAVINGS", "all");
    let (well, passed) = run_and_count(&mut all)?;
    if !well || passed < 2 {
        bail!("{passed} of the tests of all combinations passed");
    }
    Ok(())
}

/// Lets the runner of backup plans and a window share a site a thousand times. The tests do it twenty times.
fn two_processes(project: &Project) -> Result<()> {
    packages::ensure(project, Purpose::Build)?;
    front_end::ensure(project)?;
    let mut shared = linting_cargo(project, &["test", "--test", "operations"]);
    shared.args(WORKSPACE).args(["--", "two_processes"]).env("STEWARD_TWO_PROCESSES", "1000");
    let (well, passed) = run_and_count(&mut shared)?;
    if !well || passed == 0 {
        bail!("{passed} tests of two processes passed");
    }
    Ok(())
}

/// Changes the code that guards secrets, trust, and responses in one place after the other, and runs the tests of its crate
/// each time. Fails for each change that no test notices, unless `.cargo/mutants.toml` says why it changes nothing.
fn mutants(project: &Project) -> Result<()> {
    packages::ensure(project, Purpose::Build)?;
    let program = crates::install(project, "cargo-mutants", CARGO_MUTANTS, &[])?;
    let mut survived = Vec::new();
    for (package, files) in GUARDED {
        let output = project.target.join("mutants").join(package);
        fs::create_dir_all(&output)?;
        let mut mutants = Command::new(&program);
        // In a copy of the checkout, whose libraries are compiled once for each package.
        mutants
            .args(["mutants", "--package", package, "--no-shuffle", "--colors", "never"])
            .current_dir(&project.root);
        mutants.arg("--output").arg(output);
        mutants.args(files.iter().flat_map(|file| ["--file", file]));
        mutants.env_remove("CARGO_TARGET_DIR").env("RUST_TEST_THREADS", "4");
        if process::run(&mut mutants).is_err() {
            survived.push(*package);
        }
    }
    if !survived.is_empty() {
        bail!(
            "changes of {} were not noticed: see target/mutants/PACKAGE/mutants.out",
            survived.join(" and ")
        );
    }
    Ok(())
}

fn soak(project: &Project) -> Result<()> {
    succeeded((bench::TASK.run)(project, &["soak".to_owned(), SOAK_MINUTES.to_owned()])?)
}

/// Takes the screenshots of the busiest chapter beside a load, each time into another folder, which is kept if an operation
/// failed or a stop was not reached.
fn busy_screenshots(project: &Project) -> Result<()> {
    screenshots::build(project)?;
    beside_load(|run| {
        let folder = format!("busy-screenshots/{run:02}");
        succeeded(screenshots::drive(project, &folder, &[BUSIEST_CHAPTER])?)?;
        Ok(fs::remove_dir_all(project.target.join(folder))?)
    })
}

fn busy_journeys(project: &Project) -> Result<()> {
    packages::ensure(project, Purpose::VirtualDesktop)?;
    front_end::ensure(project)?;
    process::run(linting_cargo(project, &["test", "--no-run", "--test", JOURNEYS]).args(WORKSPACE))?;
    beside_load(|_| journeys(project))
}

/// Runs a test [`BUSY_RUNS`] times, each time beside a load on every processor, also after a failure.
fn beside_load(once: impl Fn(u32) -> Result<()>) -> Result<()> {
    let mut failed = Vec::new();
    for run in 1..=BUSY_RUNS {
        println!("\n-- run {run} of {BUSY_RUNS}");
        let load = Load::start(LOAD_LIMIT);
        let result = once(run);
        drop(load);
        if let Err(error) = result {
            println!("-- run {run}: FAILED: {error:#}");
            failed.push(run.to_string());
        }
    }
    if !failed.is_empty() {
        bail!("{} of {BUSY_RUNS} runs failed: {}", failed.len(), failed.join(", "));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workflow_runs_every_part() {
        let workflow = include_str!("../../../../../.github/workflows/weekly.yml");
        let parts = workflow.split_once("part: [").and_then(|(_, rest)| rest.split_once(']')).unwrap().0;
        let parts: Vec<&str> = parts.split(',').map(str::trim).collect();
        let names: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
        assert_eq!(parts, names);
    }

    #[test]
    fn every_run_takes_place_and_the_failed_ones_are_counted() {
        let error = beside_load(|run| if run % 10 == 3 { bail!("a test failed") } else { Ok(()) });
        assert_eq!(error.unwrap_err().to_string(), "2 of 20 runs failed: 3, 13");
    }
}
