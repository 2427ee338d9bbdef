//! The installed program as a person uses it first: practice site, an export through the system's dialog, and the
//! exported file opened from the desktop. `cargo xtask package --journey` plays it in a clean system.
//!
//! `installed --app PROGRAM --home FOLDER`

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use steward_testkit::window::{Program, Window};

/// What the desktop knows server exports by.
const TYPE: &str = "application/vnd.sitesteward.agssite";

#[tokio::main]
async fn main() -> Result<()> {
    let (binary, home) = arguments()?;
    let export = home.join("site.agssite");
    let program = Program::new(binary, home.join(".local/share"));

    let window = Window::open(&program).await?;
    window.start_practice().await?;
    window.export_server(&export).await?;
    let size = std::fs::metadata(&export).context("the export is not on the disk")?.len();
    println!("Exported a practice site, {size} bytes");

    let about = said(Command::new("gio").args(["info", "--attributes=standard::content-type"]).arg(&export))?;
    ensure!(about.contains(TYPE), "the desktop takes the export for something else: {about}");
    said(Command::new("gio").arg("open").arg(&export))?;
    window.see("Upload site.agssite").await.context("what is opened from the desktop does not come")?;
    println!("Opened {} from the desktop, in the window that was there", export.display());
    window.close().await
}

fn said(command: &mut Command) -> Result<String> {
    let output =
        command.output().with_context(|| format!("{:?} could not be started", command.get_program()))?;
    if !output.status.success() {
        bail!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn arguments() -> Result<(PathBuf, PathBuf)> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--app", app, "--home", home] => Ok((app.into(), home.into())),
        _ => bail!("usage: installed --app PROGRAM --home FOLDER"),
    }
}
