//! One server process: ports, the wait until it answers, and its end.

use std::fs::{self, File};
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// A machine with two cores that is also compiling needs patience.
const LIMIT: Duration = Duration::from_secs(60);

/// How often it is asked again.
const PAUSE: Duration = Duration::from_millis(25);

/// Ports are free when they are chosen, and somebody may take one before the server does.
pub(super) const TRIES: u32 = 5;

/// A running server; it ends when this is dropped.
pub(super) struct Server {
    name: &'static str,
    process: Child,
    log: PathBuf,
}

impl Server {
    /// Starts the program. What it says goes to `NAME.log` in the folder.
    pub(super) fn start(name: &'static str, command: &mut Command, folder: &Path) -> Result<Self> {
        let log = folder.join(format!("{name}.log"));
        let file = File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
        let copy = file.try_clone()?;
        let process = command.stdin(Stdio::null()).stdout(file).stderr(copy).spawn();
        let process = process.with_context(|| format!("{name} cannot be started"))?;
        Ok(Self { name, process, log })
    }

    /// Waits until the server answers as ours; `false` when it ended instead.
    ///
    /// The question must be one that only this server answers: another test's may sit on the port.
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

    /// What it said last, for an error.
    pub(super) fn last_words(&self) -> String {
        let log = fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        format!("It said:\n{}", lines[lines.len().saturating_sub(20)..].join("\n"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already; either way it is over.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Ports of this machine that are free at this moment, all different.
pub(super) fn free_ports<const N: usize>() -> io::Result<[u16; N]> {
    // Held until all are chosen, or the same one could come twice.
    let mut held = Vec::with_capacity(N);
    let mut ports = [0; N];
    for port in &mut ports {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        *port = listener.local_addr()?.port();
        held.push(listener);
    }
    Ok(ports)
}
