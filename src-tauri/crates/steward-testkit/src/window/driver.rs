//! WebKit's driver. Each window has its own, because the program inherits the environment of its driver.

use std::net::{Ipv4Addr, TcpListener};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

use super::program::Program;
use crate::find_within;

/// Running driver. It ends when this is dropped, and with it the program that it drives.
pub(super) struct Driver {
    port: u16,
    process: Child,
}

impl Driver {
    /// Starts a driver for a program, in the program's environment.
    pub(super) async fn start(program: &Program) -> Result<Self> {
        // The driver cannot choose a port itself.
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let process = Command::new("WebKitWebDriver")
            .arg(format!("--port={port}"))
            .env("XDG_DATA_HOME", &program.data)
            // What most journeys and pictures of the practice site are about has one server.
            .env("STEWARD_PRACTICE_SERVERS", "1")
            .envs(program.environment.iter().copied())
            // Without it, the web view cannot be driven.
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .context("WebKitWebDriver could not be started; `cargo xtask test` installs it")?;
        let answers = async || anyhow::Ok(TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.ok());
        let answered = find_within(Duration::from_secs(20), Duration::from_millis(50), answers).await?;
        answered.context("WebKitWebDriver was started and does not answer")?;
        Ok(Self { port, process })
    }

    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for Driver {
    /// Ends the program too. One that a failed journey left would be the single instance, and every later start would
    /// only activate it.
    fn drop(&mut self) {
        let Some(driver) = self.process.id() else { return };
        let Ok(threads) = std::fs::read_dir(format!("/proc/{driver}/task")) else { return };
        for thread in threads.flatten() {
            let started = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            for program in started.split_whitespace() {
                std::process::Command::new("kill").args(["-KILL", program]).status().ok();
            }
        }
    }
}
