//! The vendor's Python client, for the benchmark of the data store item search.
//!
//! Installed once from the public package index into `target/tools/vendor-client/`. It is proprietary and not part of
//! the app.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;
use crate::project::Project;

const RELEASE: &str = "2.4.4";

/// Installs the client and returns the Python interpreter that has it.
pub(crate) fn install(project: &Project) -> Result<PathBuf> {
    let place = project.target.join("tools/vendor-client").join(RELEASE);
    let python = place.join("bin/python");
    let whole = place.join("installed");
    if whole.exists() {
        return Ok(python);
    }
    println!("Installing the vendor's Python client {RELEASE}");
    let log = project.log("vendor-client");
    process::run_quietly(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&place), &log)
        .context("no place for the vendor's client could be made: python3-venv is missing")?;
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install"]).arg(format!("arcgis=={RELEASE}"));
    process::run_quietly(&mut pip, &log)
        .context("the vendor's Python client could not be installed: pip needs the network")?;
    fs::write(&whole, "").with_context(|| format!("cannot write {}", whole.display()))?;
    Ok(python)
}
