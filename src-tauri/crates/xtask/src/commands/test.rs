//! `cargo xtask test`: runs all checks, the fastest first.

use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::Mutex;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::steps::{self, Step};
use super::task::Task;
use crate::project::Project;
use crate::setup::front_end;
use crate::setup::packages::{self, Purpose};
use crate::setup::{log_server, storage_servers, zizmor};
use crate::{desktop, process, rules};

pub(super) const TASK: Task = Task {
    name: "test",
    about: "check everything [--only STEP: one step; --keep-going: the rest too after a failure]",
    run,
};

/// Packages and features of every step and of the bindings. With different features, cargo would compile most
/// dependencies again.
pub(super) const WORKSPACE: &[&str] = &["--workspace", "--features", "site-steward/journeys"];

/// Test target that opens windows, one at a time.
pub(super) const JOURNEYS: &str = "e2e";

/// Number of desktops for the journeys. A journey often waits: with two, a fifth of two processors was idle.
const DESKTOPS: usize = 4;

/// Test targets that take about as long as all others but the journeys, in the order in which they are begun: the second one
/// runs where the first desktop is free.
const LONGEST: [&str; 2] = ["operations", "interleavings"];

/// More than a small machine has processors: many tests wait for an answer.
const THREADS: &str = "6";

/// Where tests and journeys keep their temporary folders, if there is one. They flush some thousand files, for which a disk
/// takes longer than the tests.
const MEMORY_FOLDER: &str = "/dev/shm";

/// The only certificate authority of tests that run a practice site: each of their some thousand clients would decode the
/// hundred and more of the system, which took two fifths of the time of `interleavings`.
const AUTHORITY: &str = "tests/fixtures/expired-ca.pem";

/// Fast steps first. The front end precedes Rust, because the app embeds it.
const STEPS: &[Step] = &[
    Step {
        name: "format",
        run: |project| {
            process::run(&mut project.cargo(&["fmt", "--all", "--check", "--", "--files-with-diff"]))
        },
    },
    Step { name: "rules", run: rules::check },
    Step { name: "packages", run: |project| packages::ensure(project, desktop_or_build()) },
    Step { name: "workflows", run: zizmor::run },
    Step { name: "npm", run: front_end::install },
    Step { name: "npm-foreign", run: front_end::install_foreign_client },
    Step { name: "ui-lint", run: |project| process::run(&mut project.npm(&["run", "check"])) },
    Step { name: "ui-types", run: |project| process::run(&mut project.npm(&["run", "typecheck"])) },
    Step { name: "ui-tests", run: |project| process::run(&mut project.npm(&["test"])) },
    Step { name: "ui-build", run: front_end::ensure },
    Step { name: "ui-size", run: |project| process::run(&mut project.npm(&["run", "size"])) },
    Step {
        name: "build",
        run: |project| process::run(linting_cargo(project, &["test", "--no-run"]).args(WORKSPACE)),
    },
    Step { name: "storage-servers", run: storage_servers::install },
    Step { name: "log-server", run: log_server::install },
    Step { name: "rust-tests", run: rust_tests },
    Step { name: "journeys", run: journeys },
];

fn run(project: &Project, words: &[String]) -> Result<ExitCode> {
    steps::run(TASK.name, STEPS, project, words)
}

fn desktop_or_build() -> Purpose {
    if desktop::can_be_virtual() { Purpose::VirtualDesktop } else { Purpose::Build }
}

/// Cargo with clippy as the compiler of the workspace, and its warnings as errors. Clippy by itself would check all
/// libraries without compiling them, and a build would compile them again.
pub(super) fn linting_cargo(project: &Project, arguments: &[&str]) -> Command {
    let mut command = project.cargo(arguments);
    command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
    command.env("CLIPPY_ARGS", "--deny__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__");
    command
}

/// Runs all tests except the journeys. On virtual desktops, because some of them use the real keyring.
fn rust_tests(project: &Project) -> Result<()> {
    let targets = test_targets(&project.metadata(&["--no-deps"])?)?;
    if !desktop::can_be_virtual() {
        return process::run(tests(project, &targets).args(["--lib", "--bins"]));
    }
    let is_long = |target: &String| LONGEST.contains(&target.as_str());
    let (longest, others) = targets.into_iter().partition::<Vec<_>, _>(is_long);
    ensure!(longest.len() == LONGEST.len(), "there are no tests called {}", LONGEST.join(" or "));
    let mut others = tests(project, &others);
    others.args(["--lib", "--bins"]);
    let [first, second] = LONGEST.map(|target| tests(project, &[target.to_owned()]));
    let queue = Mutex::new(vec![second, giving_way(&others), first]);
    desktop::run_side_by_side(project, "rust-tests", 2, || queue.lock().ok()?.pop())
}

/// Returns a command that leaves the processors to others while they need them, so that the longest tests end first.
fn giving_way(command: &Command) -> Command {
    let mut nice = Command::new("nice");
    nice.args(["-n", "10"]).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => nice.env(name, value),
            None => nice.env_remove(name),
        };
    }
    nice.current_dir(command.get_current_dir().unwrap_or(Path::new(".")));
    nice
}

/// Cargo with the tests of these targets.
fn tests(project: &Project, targets: &[String]) -> Command {
    let mut command = linting_cargo(project, &["test", "--no-fail-fast"]);
    command.args(WORKSPACE).env("RUST_TEST_THREADS", THREADS);
    command.env("SSL_CERT_FILE", project.root.join(AUTHORITY)).env_remove("SSL_CERT_DIR");
    command.args(targets.iter().flat_map(|target| ["--test", target]));
    keep_files_in_memory(&mut command);
    command
}

fn keep_files_in_memory(command: &mut Command) {
    if Path::new(MEMORY_FOLDER).is_dir() {
        command.env("TMPDIR", MEMORY_FOLDER);
    }
}

fn test_targets(metadata: &Value) -> Result<Vec<String>> {
    let packages = metadata["packages"].as_array().context("`cargo metadata` names no packages")?;
    let targets = packages.iter().flat_map(|package| package["targets"].as_array().into_iter().flatten());
    let tests = targets.filter(|target| target["kind"] == serde_json::json!(["test"]));
    let names = tests.filter_map(|target| target["name"].as_str());
    let mut names: Vec<String> = names.filter(|name| *name != JOURNEYS).map(str::to_owned).collect();
    names.sort();
    names.dedup();
    Ok(names)
}

/// Runs the tests of the app in a real window, on several desktops side by side.
pub(super) fn journeys(project: &Project) -> Result<()> {
    if !desktop::can_be_virtual() {
        println!("The journeys need Linux; they are not run here.");
        return Ok(());
    }
    // One of them plays the situations of the bridge, which are one script.
    process::run(&mut project.npm(&["run", "contract"]))?;
    let list = process::output(journey(project).args(["--list", "--format", "terse"]))?;
    let names: Vec<&str> = list.lines().filter_map(|line| line.strip_suffix(": test")).collect();
    ensure!(!names.is_empty(), "there are no journeys");
    let queue = Mutex::new(names);
    desktop::run_side_by_side(project, "journeys", DESKTOPS, || {
        let mut command = journey(project);
        command.args(["--test-threads=1", "--exact"]).args(take(&queue)?);
        Some(command)
    })
}

fn journey(project: &Project) -> Command {
    let mut command = linting_cargo(project, &["test", "--test", JOURNEYS]);
    command.args(WORKSPACE).arg("--").env("STEWARD_APP", project.built("site-steward"));
    // WebKit compiles scripts on four levels. A page of a journey does not live long enough for the highest to pay: it took a
    // sixth of all processor time.
    command.env("JSC_useFTLJIT", "false");
    keep_files_in_memory(&mut command);
    command
}

/// Takes the next journeys of the queue: many at first, and one at the end, so that the desktops end together.
fn take<'n>(queue: &Mutex<Vec<&'n str>>) -> Option<Vec<&'n str>> {
    let mut queue = queue.lock().ok()?;
    let count = queue.len().div_ceil(2 * DESKTOPS);
    (count > 0).then(|| queue.drain(..count).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_journey_is_taken_once_and_the_last_ones_singly() {
        let queue = Mutex::new(vec!["a", "b", "c", "d", "e", "f", "g", "h", "i"]);
        let taken: Vec<_> = std::iter::from_fn(|| take(&queue)).collect();
        assert_eq!(taken[..2], [vec!["a", "b"], vec!["c"]]);
        assert_eq!(taken.concat(), ["a", "b", "c", "d", "e", "f", "g", "h", "i"]);
    }

    #[test]
    fn the_journeys_are_left_to_their_own_step() {
        let package = |targets: Value| json!({ "targets": targets });
        let target = |kind: &str, name: &str| json!({ "kind": [kind], "name": name });
        let metadata = json!({ "packages": [
            package(json!([target("lib", "steward"), target("test", "e2e"), target("test", "ipc")])),
            package(json!([target("bin", "xtask"), target("test", "ipc"), target("test", "bindings")])),
        ]});
        assert_eq!(test_targets(&metadata).unwrap(), ["bindings", "ipc"]);
    }
}
