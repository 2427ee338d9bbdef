//! One program of the virtual desktop: started, awaited, ended.

use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::process;
use crate::project::Project;

/// How often a condition is looked at again.
const PAUSE: Duration = Duration::from_millis(50);

/// How long a program may take to end before it is made to.
const FAREWELL: Duration = Duration::from_secs(5);

/// A program that runs until this value goes out of scope, however that comes about.
pub(super) struct Service {
    name: &'static str,
    log: PathBuf,
    child: Child,
}

impl Service {
    /// Starts the program. Its complaints go to `target/desktop/NAME.log`.
    pub(super) fn start(project: &Project, name: &'static str, command: &mut Command) -> Result<Self> {
        let log = project.target.join("desktop").join(format!("{name}.log"));
        let child = command.stderr(process::create(&log)?).spawn();
        let program = command.get_program().display();
        let child =
            child.with_context(|| format!("the {name} cannot be started: is `{program}` installed?"))?;
        Ok(Self { name, log, child })
    }

    /// Writes to the program's standard input, and closes it.
    pub(super) fn tell(&mut self, text: &str) -> Result<()> {
        let written = self.child.stdin.take().map(|mut input| input.write_all(text.as_bytes()));
        written
            .transpose()
            .with_context(|| format!("the {} does not listen. {}", self.name, self.last_words()))?;
        Ok(())
    }

    /// What the program writes first, by which it also says that it is ready.
    pub(super) fn first_line(&mut self, limit: Duration) -> Result<String> {
        let output = self.child.stdout.take().context("its output is not ours to read")?;
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut line = String::new();
            // An error leaves the line empty, and nobody listens any more once the time is over.
            let _ = output.read_line(&mut line);
            let _ = sender.send(line);
            // A closed pipe would end the program, or what it starts, with their next word.
            let _ = io::copy(&mut output, &mut io::sink());
        });
        match receiver.recv_timeout(limit).map(|line| line.trim().to_owned()) {
            Ok(line) if !line.is_empty() => Ok(line),
            Ok(_) => bail!("the {} stopped while it was starting. {}", self.name, self.last_words()),
            Err(_) => bail!("{}", self.late(limit)),
        }
    }

    /// Waits until the condition holds. A program that ends, or takes longer than `limit`, is an error.
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
                // It may have ended just now; either way it is over.
                let _ = self.child.kill();
                let _ = self.child.wait();
                return;
            }
            thread::sleep(PAUSE);
        }
    }
}

/// A display that is killed leaves its lock file in the way of the next one.
#[cfg(unix)]
fn ask_to_end(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process};
    // Asked only to a child that has not been waited for, so that the number is still its own.
    if matches!(child.try_wait(), Ok(None)) {
        let _ = kill_process(Pid::from_child(child), Signal::TERM);
    }
}

#[cfg(not(unix))]
fn ask_to_end(child: &mut Child) {
    let _ = child.kill();
}
