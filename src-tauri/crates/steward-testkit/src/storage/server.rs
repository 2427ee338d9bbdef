//! Server process: start and end.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// Time limit for the start, on a computer with two cores that also compiles.
const LIMIT: Duration = Duration::from_secs(60);

/// Pause between two requests while the server starts.
const PAUSE: Duration = Duration::from_millis(25);

/// Number of starts: another process can use a free port before the server does.
pub(super) const TRIES: u32 = 5;

/// Running server. It ends when this is dropped.
pub(super) struct Server {
    name: &'static str,
    process: Child,
    log: PathBuf,
}

impl Server {
    /// Starts the program. Its output is written to `NAME.log` in the folder.
    pub(super) fn start(name: &'static str, command: &mut Command, folder: &Path) -> Result<Self> {
        let log = folder.join(format!("{name}.log"));
        let file = File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
        let copy = file.try_clone()?;
        let process = command.stdin(Stdio::null()).stdout(file).stderr(copy).spawn();
        let process = process.with_context(|| format!("{name} cannot be started"))?;
        Ok(Self { name, process, log })
    }

    /// Waits until `question` succeeds, and returns `false` if the server ended instead.
    ///
    /// The request must succeed with this server only: the server of another test can use the port.
    pub(super) async fn answers(&mut self, question: impl AsyncFn() -> Result<()>) -> Result<bool> {
        let start = Instant::now();
        loop {
            let answer = question().await;
            if self.process.try_wait()?.is_some() {
                return Ok(false);
            }
            match answer {
                Ok(()) => return Ok(true),
                Err(error) if start.elapsed() > LIMIT => {
                    bail!("{} does not answer: {error:#}. {}", self.name, self.last_words());
                }
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        }
    }

    /// Returns the last 20 lines of the output, for an error.
    pub(super) fn last_words(&self) -> String {
        let log = fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        format!("It said:\n{}", lines[lines.len().saturating_sub(20)..].join("\n"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Ignore the error: the process has ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
