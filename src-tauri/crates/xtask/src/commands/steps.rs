//! Steps of a command: chosen with `--only`, run one after the other, and summarized.

use std::io::{Write, stdout};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::project::Project;

/// Part of a command that passes or fails.
pub(super) struct Step {
    /// Name after `--only` and in the summary.
    pub(super) name: &'static str,
    /// Function that runs it.
    pub(super) run: fn(&Project) -> Result<()>,
}

/// Runs the steps that `words` select, and stops at the first failure unless they say otherwise.
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

    let start = Instant::now();
    let mut outcomes = Vec::new();
    let mut failed = false;
    for step in &chosen {
        if failed && !keep_going {
            outcomes.push((step.name, "not run", Duration::ZERO));
            continue;
        }
        let (outcome, time) = carry_out(project, step);
        failed |= outcome != "ok";
        outcomes.push((step.name, outcome, time));
    }

    println!("\n== summary");
    for (name, outcome, time) in &outcomes {
        println!("{outcome:8} {:7.1} s  {name}", time.as_secs_f64());
    }
    let verdict = if failed { "Something failed" } else { "All is well" };
    println!("{verdict}, after {:.0} s.", start.elapsed().as_secs_f64());
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Converts the exit code of a command to the result of a step.
pub(super) fn succeeded(code: ExitCode) -> Result<()> {
    if code != ExitCode::SUCCESS {
        bail!("the command failed; its output is above");
    }
    Ok(())
}

fn carry_out(project: &Project, step: &Step) -> (&'static str, Duration) {
    println!("\n== {}", step.name);
    // Flush first: the output of the tools bypasses the buffer of this process.
    let _ = stdout().flush();
    let start = Instant::now();
    let result = (step.run)(project);
    let time = start.elapsed();
    match result {
        Ok(()) => {
            println!("-- {}: ok, {:.1} s", step.name, time.as_secs_f64());
            ("ok", time)
        }
        Err(error) => {
            println!("-- {}: FAILED, {:.1} s: {error:#}", step.name, time.as_secs_f64());
            ("FAILED", time)
        }
    }
}
