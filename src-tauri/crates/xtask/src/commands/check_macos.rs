//! `cargo xtask check-macos`: type-checks all code for macOS on Linux.
//!
//! The limits of such a check are listed in `tests/README.md`.

use std::process::ExitCode;

use anyhow::Result;

use super::debian_rust::System;
use super::task::{Task, no_more};
use super::test::WORKSPACE;
use crate::process;
use crate::project::Project;
use crate::setup::packages::Purpose;
use crate::setup::zig;

pub(super) const TASK: Task =
    Task { name: "check-macos", about: "type-check all code for macOS (Debian)", run };

const MACOS: System = System { name: "macOS", target: "aarch64-apple-darwin", purpose: Purpose::MacOs };

fn run(project: &Project, words: &[String]) -> Result<ExitCode> {
    no_more(words)?;
    MACOS.prepare(project)?;
    let compilers = zig::install(project)?;

    let mut check = MACOS.cargo(project, "check");
    check.arg("--all-targets").args(WORKSPACE);
    let target = MACOS.target.replace('-', "_");
    for (variable, program) in [("CC", zig::CC), ("CXX", zig::CXX), ("AR", zig::AR)] {
        check.env(format!("{variable}_{target}"), compilers.join(program));
    }
    // A warning that only macOS sees fails its tests in the workflow.
    check.args(["-Zwarnings", "--config", "build.warnings='deny'"]);
    process::run(&mut check)?;
    println!("\nAll code is correct for {}.", MACOS.target);
    Ok(ExitCode::SUCCESS)
}
