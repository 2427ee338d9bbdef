//! Packages of the public Python index, each in an environment of its own below `target/tools/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;
use crate::project::Project;

/// Installs `PACKAGE==RELEASE`, if another release or none is there, and returns the folder with its programs.
pub(super) fn install(project: &Project, package: &str, release: &str, place: &Path) -> Result<PathBuf> {
    let programs = place.join("bin");
    let complete = place.join("installed");
    if fs::read_to_string(&complete).is_ok_and(|installed| installed == release) {
        return Ok(programs);
    }
    println!("Installing {package} {release}");
    let log = project.log(package);
    process::run_quietly(Command::new("python3").args(["-m", "venv", "--clear"]).arg(place), &log)
        .with_context(|| format!("no environment for {package} could be made: python3-venv is missing"))?;
    let mut pip = Command::new(programs.join("python"));
    pip.args(["-m", "pip", "install"]).arg(format!("{package}=={release}"));
    process::run_quietly(&mut pip, &log)
        .with_context(|| format!("{package} could not be installed: pip needs the network"))?;
    fs::write(&complete, release).with_context(|| format!("cannot write {}", complete.display()))?;
    Ok(programs)
}
