//! Execution of other programs. Errors contain the command and the last lines of its output.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};

use anyhow::{Context, Result, bail};

/// Number of log lines in an error. Enough for npm, which prints its complete help after the reason.
const TAIL: usize = 120;

/// Runs a program with access to the terminal and returns its exit status.
pub(crate) fn status(command: &mut Command) -> Result<ExitStatus> {
    command.status().map_err(|error| cannot_start(command, error))
}

/// Runs a program with access to the terminal. Fails if the program fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = status(command)?;
    if !status.success() {
        bail!("`{}` failed ({status})", line(command));
    }
    Ok(())
}

/// Runs a program with its output in `log`. If it fails, the last lines are part of the error.
pub(crate) fn run_quietly(command: &mut Command, log: &Path) -> Result<()> {
    let file = create(log)?;
    let copy = file.try_clone().with_context(|| format!("cannot write {}", log.display()))?;
    let status = status(command.stdin(Stdio::null()).stdout(file).stderr(copy))?;
    if !status.success() {
        bail!("`{}` failed ({status}).\n{}", line(command), tail(log));
    }
    Ok(())
}

/// Runs a program and returns its standard output. Fails if the program fails.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command.output().map_err(|error| cannot_start(command, error))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("`{}` failed ({}): {}", line(command), output.status, said.trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns whether a program exists and succeeds. Its output is discarded.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Converts the exit status of a program to the exit code of this process.
pub(crate) fn exit_code(status: ExitStatus) -> ExitCode {
    match status.code().map(u8::try_from) {
        Some(Ok(code)) => code.into(),
        // Ended by a signal, or with a number that exists only on Windows.
        _ => ExitCode::FAILURE,
    }
}

/// Creates a log file and its folder.
pub(crate) fn create(log: &Path) -> Result<File> {
    if let Some(folder) = log.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    File::create(log).with_context(|| format!("cannot write {}", log.display()))
}

/// Returns the last lines of a log, and its path.
pub(crate) fn tail(log: &Path) -> String {
    let text = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    let last = lines[lines.len().saturating_sub(TAIL)..].join("\n");
    format!("Last lines of {}:\n{last}", log.display())
}

/// Returns the path of a program. `None` if it is not installed.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

fn cannot_start(command: &Command, error: std::io::Error) -> anyhow::Error {
    let program = command.get_program().display();
    match error.kind() {
        ErrorKind::NotFound => anyhow::anyhow!("`{program}` is not installed or not in PATH"),
        _ => anyhow::Error::new(error).context(format!("cannot start `{program}`")),
    }
}

fn line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
