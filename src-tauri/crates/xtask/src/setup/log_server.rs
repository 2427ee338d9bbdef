//! rsyslog of the distribution with its TLS module, for the tests of forwarding.
//!
//! Unpacked into `target/tools/` and not installed: the package would start a service, and change what the system logs.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::process;
use crate::project::Project;
use crate::setup::packages;

/// The server, its TLS module, and the libraries that a system without it lacks.
const PACKAGES: &[&str] = &["rsyslog", "rsyslog-gnutls", "libestr0", "libfastjson4"];

/// Unpacks rsyslog, if necessary and possible.
pub(crate) fn install(project: &Project) -> Result<()> {
    let place = project.target.join("tools/rsyslog");
    if place.is_dir() {
        return Ok(());
    }
    if !cfg!(target_os = "linux") || process::find("apt-get").is_none() || process::find("dpkg-deb").is_none()
    {
        println!("rsyslog comes from Debian's packages; its tests are skipped here.");
        return Ok(());
    }
    let (downloads, unpacked) = (place.with_extension("packages"), place.with_extension("new"));
    for folder in [&downloads, &unpacked] {
        make_empty(folder)?;
    }
    println!("Unpacking {}", PACKAGES.join(" "));
    let log = project.log("rsyslog");
    let download = || {
        process::run_quietly(
            Command::new("apt-get").arg("download").args(PACKAGES).current_dir(&downloads),
            &log,
        )
    };
    if download().is_err() {
        // The lists of packages are absent, or name versions that are gone.
        packages::update_lists(project)?;
        download()?;
    }
    let files: Vec<_> = fs::read_dir(&downloads)?.filter_map(Result::ok).map(|entry| entry.path()).collect();
    ensure!(files.len() == PACKAGES.len(), "{} packages were downloaded", files.len());
    for file in files {
        process::run_quietly(Command::new("dpkg-deb").arg("-x").arg(file).arg(&unpacked), &log)?;
    }
    fs::remove_dir_all(&downloads)?;
    fs::rename(&unpacked, &place).with_context(|| format!("cannot write {}", place.display()))
}

fn make_empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(fs::create_dir_all(folder)?)
}
