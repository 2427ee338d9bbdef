//! Timing of the programs for comparison.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// Returns the time from the start of the program to its end. Its output is read completely and discarded.
pub(crate) fn time(command: &mut Command) -> Result<Duration> {
    let start = Instant::now();
    let output = command.stdin(Stdio::null()).output();
    let time = start.elapsed();
    let program = command.get_program().display();
    let output = output.with_context(|| format!("{program} cannot be started"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("{program} failed ({}): {}", output.status, said.trim());
    }
    Ok(time)
}
