//! Steps of a command: chosen with `--only`, or run one after the other with one line for each.

use std::fs;
use std::io::{Write, stdout};
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Result, bail};

use crate::process;
use crate::project::Project;

/// Folder of the output of each step, in `target/`.
const LOGS: &str = "test-logs";

/// Number of lines of a message of a failed test, without the first. A comparison of long texts has more.
const MOST_LINES: usize = 20;

/// Part of a command that passes or fails.
pub(super) struct Step {
    /// Name after `--only` and in the summary.
    pub(super) name: &'static str,
    /// Function that runs it.
    pub(super) run: fn(&Project) -> Result<()>,
}

/// Runs the steps that `words` select, and stops at the first failure unless they have
/// `--keep-going`. A single step has the terminal for itself.
///
/// # Errors
/// Returns an error if `words` are not arguments of a command with steps. A failed step is an exit code.
pub(super) fn run(command: &str, steps: &[Step], project: &Project, words: &[String]) -> Result<ExitCode> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (only, keep_going) = match words[..] {
        [] => (None, false),
        ["--keep-going"] => (None, true),
        ["--only", step] => (Some(step), false),
        _ => bail!("`{command}` knows --only STEP and --keep-going"),
    };
    let chosen: Vec<&Step> = steps.iter().filter(|step| only.is_none_or(|name| step.name == name)).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = steps.iter().map(|step| step.name).collect();
        bail!("there is no such step; there are {}", names.join(", "));
    }

    if let [step] = chosen[..] {
        (step.run)(project)?;
        return Ok(ExitCode::SUCCESS);
    }
    let start = Instant::now();
    let (mut failed, mut tests, mut panics) = (false, 0, Vec::new());
    for step in chosen {
        if failed && !keep_going {
            println!("{:16}not run", step.name);
            continue;
        }
        let run = run_apart(project, command, step)?;
        failed |= !run.succeeded;
        tests += run.tests;
        panics.extend(run.panics);
    }
    // At the end, because they are lost among the output of the tests that ran beside them.
    panics.iter().for_each(|panic| println!("{panic}\n"));
    let verdict = if failed { "Something failed" } else { "All is well" };
    println!(
        "{verdict}: {tests} tests passed, {:.0} s. All output is in target/{LOGS}.",
        start.elapsed().as_secs_f64()
    );
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Converts the exit code of a command to the result of a step.
pub(super) fn succeeded(code: ExitCode) -> Result<()> {
    if code != ExitCode::SUCCESS {
        bail!("the command failed; its output is above");
    }
    Ok(())
}

/// Result of a step in its own process.
struct Finished {
    succeeded: bool,
    tests: usize,
    /// Messages of the tests that failed.
    panics: Vec<String>,
}

/// Runs a step as `--only` does, with its output in a file, and prints one line. The output of a failed step follows.
fn run_apart(project: &Project, command: &str, step: &Step) -> Result<Finished> {
    print!("{:16}", step.name);
    stdout().flush()?;
    let start = Instant::now();
    let log = project.target.join(LOGS).join(step.name).with_extension("log");
    let output = process::create(&log)?;
    let mut apart = Command::new(std::env::current_exe()?);
    apart.args([command, "--only", step.name]).stdout(output.try_clone()?).stderr(output);
    apart.env("NO_COLOR", "1").env_remove("FORCE_COLOR").env("CARGO_TERM_COLOR", "never");
    let succeeded = process::status(&mut apart)?.success();
    let said = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
    let tests = passed(&said);
    let outcome = if succeeded { "ok" } else { "FAILED" };
    let count = if tests > 0 { format!("  {tests} passed") } else { String::new() };
    println!("{outcome:8}{:7.1} s{count}", start.elapsed().as_secs_f64());
    if !succeeded {
        println!("\n{said}");
    }
    Ok(Finished { succeeded, tests, panics: panics(&said) })
}

/// Returns the number of tests that passed, by the last lines of cargo and of vitest.
fn passed(output: &str) -> usize {
    let words = output.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let count = words.filter_map(|words| match words[..] {
        ["test", "result:", _, count, "passed;", ..] | ["Tests", count, "passed", ..] => {
            count.parse::<usize>().ok()
        }
        _ => None,
    });
    count.sum()
}

/// Returns the messages of failed Rust tests: each from the line that names its thread to the next empty line.
fn panics(output: &str) -> Vec<String> {
    let mut lines = output.lines();
    let mut panics = Vec::new();
    while let Some(first) = lines.find(|line| line.starts_with("thread '") && line.contains(" panicked at "))
    {
        let message = lines.by_ref().take_while(|line| !line.is_empty()).take(MOST_LINES);
        panics.push(std::iter::once(first).chain(message).collect::<Vec<_>>().join("\n"));
    }
    panics
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tests_of_each_tool_are_counted() {
        let output = "running 2 tests\ntest a ... ok\ntest result: ok. 2 passed; 0 failed; 1 ignored\n\
                      test result: FAILED. 3 passed; 1 failed;\n Test Files  110 passed (110)\n      Tests  40 passed (40)\n";
        assert_eq!(passed(output), 45);
        assert_eq!(passed("nothing"), 0);
    }

    #[test]
    fn the_message_of_each_failed_test_is_found_among_the_other_output() {
        let output = "test a ... FAILED\n\n---- a stdout ----\n\nthread 'a' (7) panicked at a.rs:1:2:\nassertion failed\n  left: 1\n\n\
                      test b ... ok\nthread 'c' (8) panicked at c.rs:3:4:\ngone\n";
        let found = panics(output);
        assert_eq!(found[0], "thread 'a' (7) panicked at a.rs:1:2:\nassertion failed\n  left: 1");
        assert_eq!(found[1..], ["thread 'c' (8) panicked at c.rs:3:4:\ngone"]);
        assert!(panics("test a ... ok").is_empty());
    }
}
