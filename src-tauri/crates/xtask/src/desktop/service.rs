//! Program of the virtual desktop: start, wait for readiness, end.

use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::process;

/// Interval between two checks of a condition.
const PAUSE: Duration = Duration::from_millis(50);

/// Time for a program to end before it is killed.
const FAREWELL: Duration = Duration::from_secs(5);

/// Running program that is ended when this value is dropped.
pub(super) struct Service {
    name: &'static str,
    log: PathBuf,
    child: Child,
}

impl Service {
    /// Starts the program. Its standard error goes to `log`.
    pub(super) fn start(name: &'static str, log: PathBuf, command: &mut Command) -> Result<Self> {
        let child = command.stderr(process::create(&log)?).spawn();
        let program = command.get_program().display();
        let child =
            child.with_context(|| format!("the {name} cannot be started: is `{program}` installed?"))?;
        Ok(Self { name, log, child })
    }

    /// Writes to the standard input of the program and closes it.
    pub(super) fn tell(&mut self, text: &str) -> Result<()> {
        let written = self.child.stdin.take().map(|mut input| input.write_all(text.as_bytes()));
        written
            .transpose()
            .with_context(|| format!("the {} does not listen. {}", self.name, self.last_words()))?;
        Ok(())
    }

    /// Returns the first line of the program's output, which also signals that it is ready.
    pub(super) fn first_line(&mut self, limit: Duration) -> Result<String> {
        let output = self.child.stdout.take().context("its output is not ours to read")?;
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut line = String::new();
            // An error leaves the line empty; after a timeout, the receiver is gone.
            let _ = output.read_line(&mut line);
            let _ = sender.send(line);
            // Continue to read: a closed pipe would end the program, or a child of it, at the next output.
            let _ = io::copy(&mut output, &mut io::sink());
        });
        match receiver.recv_timeout(limit).map(|line| line.trim().to_owned()) {
            Ok(line) if !line.is_empty() => Ok(line),
            Ok(_) => bail!("the {} stopped while it was starting. {}", self.name, self.last_words()),
            Err(_) => bail!("{}", self.late(limit)),
        }
    }

    /// Waits until the condition is true. Fails if the program ends or `limit` elapses.
    pub(super) fn wait_until(&mut self, limit: Duration, holds: impl Fn() -> bool) -> Result<()> {
        let start = Instant::now();
        while !holds() {
            if let Some(status) = self.child.try_wait()? {
                bail!("the {} stopped while it was starting ({status}). {}", self.name, self.last_words());
            }
            if start.elapsed() > limit {
                bail!("{}", self.late(limit));
            }
            thread::sleep(PAUSE);
        }
        Ok(())
    }

    fn late(&self, limit: Duration) -> String {
        format!("the {} was not ready after {} s. {}", self.name, limit.as_secs(), self.last_words())
    }

    fn last_words(&self) -> String {
        process::tail(&self.log)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        ask_to_end(&mut self.child);
        let start = Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) {
            if start.elapsed() > FAREWELL {
                // The program might just have ended, which is the same result.
                let _ = self.child.kill();
                let _ = self.child.wait();
                return;
            }
            thread::sleep(PAUSE);
        }
    }
}

/// Signals the process to end. A display that is killed leaves its lock file, which blocks the next one.
#[cfg(unix)]
fn ask_to_end(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process};
    // Only for a child that was not waited for, so that the process ID is still valid.
    if matches!(child.try_wait(), Ok(None)) {
        let _ = kill_process(Pid::from_child(child), Signal::TERM);
    }
}

#[cfg(not(unix))]
fn ask_to_end(child: &mut Child) {
    let _ = child.kill();
}
