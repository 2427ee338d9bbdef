//! The program's own code without its window, in a separate process: `src-tauri/examples/worker`.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::site::{Component, Site};

/// Environment variable with the path of the built program.
const WORKER: &str = "STEWARD_WORKER";

/// Program that performs work with the app's own code.
#[derive(Clone)]
pub(crate) struct Worker(PathBuf);

impl Worker {
    pub(crate) fn from_environment() -> Result<Self> {
        let program = std::env::var_os(WORKER).with_context(|| format!("{WORKER} is not set"))?;
        Ok(Self(program.into()))
    }

    /// Performs the work at the site as its administrator, and returns the lines of the output as JSON.
    pub(crate) fn perform(&self, site: &Site, work: &Value) -> Result<Vec<Value>> {
        let user = site.administrator()?;
        let order = json!({
            "portal": site.root(Component::Portal)?, "server": site.root(Component::Server)?,
            "ca_certificate": site.certificate(),
            "username": user["username"], "password": user["password"],
            "work": work,
        });
        let mut process = Command::new(&self.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("our process cannot be started")?;
        // Close the input at once: the program reads it to its end.
        process.stdin.take().context("no way in")?.write_all(order.to_string().as_bytes())?;
        let output = process.wait_with_output()?;
        if !output.status.success() {
            bail!("our process failed");
        }
        let lines = output.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        lines.map(|line| Ok(serde_json::from_slice(line)?)).collect()
    }
}
