//! Tauri's command-line tool, which builds the installers.
//!
//! Installed once into `target/tools/packager/`, not with the front end: its lock file would have to list a binary for
//! every platform, but npm records only those for the current one.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use super::node;
use crate::process;
use crate::project::Project;

/// Keep in step with `tauri` in the root `Cargo.toml`.
const RELEASE: &str = "2.12.5";

/// Installs the tool and returns its script for Node.
pub(crate) fn install(project: &Project) -> Result<PathBuf> {
    node::check()?;
    let place = project.target.join("tools/packager").join(RELEASE);
    let script = place.join("node_modules/@tauri-apps/cli/tauri.js");
    if script.exists() {
        return Ok(script);
    }
    println!("Installing Tauri's packager {RELEASE}");
    fs::create_dir_all(&place).with_context(|| format!("cannot make {}", place.display()))?;
    // Without its own manifest, npm would install into the nearest parent folder that has one.
    fs::write(place.join("package.json"), "{ \"private\": true }\n")?;
    let mut npm = project.npm(&["install", "--no-audit", "--no-fund", "--no-package-lock"]);
    npm.arg(format!("@tauri-apps/cli@{RELEASE}")).current_dir(&place);
    process::run_quietly(&mut npm, &project.log("packager"))
        .context("Tauri's packager could not be installed: npm needs the network")?;
    Ok(script)
}
