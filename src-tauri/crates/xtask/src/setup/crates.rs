//! Programs of the package index, compiled once into `target/tools/bin/`.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;
use crate::project::Project;

/// Settings for a fast build: compiling takes much longer than these programs run.
const QUICK_BUILD: &[(&str, &str)] = &[
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"),
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_DEBUG", "0"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
];

/// Compiles the release of a program, if another one or none is installed, and returns its path.
///
/// # Errors
/// Returns an error if the index cannot be reached or there is no C compiler. A later call resumes the compilation.
pub(crate) fn install(project: &Project, name: &str, release: &str, options: &[&str]) -> Result<PathBuf> {
    let tools = project.target.join("tools");
    let program = tools.join("bin").join(format!("{name}{}", env::consts::EXE_SUFFIX));
    // A program that is missing or does not run here is installed again.
    let said = process::output(Command::new(&program).arg("--version"));
    if said.is_ok_and(|said| says_release(&said, release)) {
        return Ok(program);
    }
    println!("Compiling {name} {release}, once; this takes some minutes");
    let build = tools.join("build").join(name);
    let mut command = project.cargo(&["install", "--locked", "--force"]);
    command.args(options).arg("--root").arg(&tools).arg(format!("{name}@{release}"));
    // A separate target folder: the settings differ, and a second cargo would wait for the lock.
    command.env("CARGO_TARGET_DIR", &build).envs(QUICK_BUILD.iter().copied());
    process::run_quietly(&mut command, &project.log(name)).with_context(|| {
        format!(
            "{name} could not be installed: it needs the network, a C compiler, make and 2 GB of disk. \
             What was compiled is kept; the same command goes on from there"
        )
    })?;
    // Remove up to 2 GB of build files that are not needed again.
    fs::remove_dir_all(&build).with_context(|| format!("cannot remove {}", build.display()))?;
    Ok(program)
}

fn says_release(said: &str, release: &str) -> bool {
    // Most programs print `NAME 2.5.0`, garage `garage cargo:2.5.0 [features: …]`, or `v2.5.0` if built from a checkout.
    said.split([' ', ':']).any(|word| word.trim().trim_start_matches('v') == release)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_release_is_replaced() {
        assert!(says_release("garage cargo:2.5.0 [features: bundled-libs, sqlite]\n", "2.5.0"));
        assert!(says_release("garage v2.5.0\n", "2.5.0"));
        assert!(says_release("cargo-fuzz 0.13.2\n", "0.13.2"));
        assert!(!says_release("garage cargo:2.5.1 [features: bundled-libs, sqlite]", "2.5.0"));
        assert!(!says_release("", "2.5.0"));
    }
}
