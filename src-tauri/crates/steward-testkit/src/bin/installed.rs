//! Test of the installed program: practice site, an export through the system's dialog, and a file of each of its types
//! opened from the desktop. `cargo xtask package --journey` runs it in a clean system.
//!
//! `installed --app PROGRAM --home FOLDER`

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use steward_testkit::window::{Program, Window};

/// Files of each type that the package registers: name, MIME type on the desktop, and text that the window shows for
/// it.
const FILES: &[(&str, &str, &str)] = &[
    ("site.agssite", "application/vnd.sitesteward.agssite", "Upload site.agssite"),
    ("site.portalsite", "application/vnd.sitesteward.portalsite", "site.portalsite is a portal export"),
    ("guest.invite", "application/vnd.sitesteward.invite", "guest.invite is an invitation"),
];

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

    // A portal export is an archive too: the desktop must use the file name.
    std::fs::copy(&export, home.join("site.portalsite"))?;
    std::fs::write(home.join("guest.invite"), "invitation")?;
    for (name, kind, answer) in FILES {
        let file = home.join(name);
        let about =
            said(Command::new("gio").args(["info", "--attributes=standard::content-type"]).arg(&file))?;
        ensure!(about.contains(kind), "the desktop takes {name} for something else: {about}");
        said(Command::new("gio").arg("open").arg(&file))?;
        window
            .see(answer)
            .await
            .with_context(|| format!("{name} is opened from the desktop and does not come"))?;
        println!("Opened {} from the desktop, in the window that was there", file.display());
    }
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
