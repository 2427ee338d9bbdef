//! `cargo xtask check-windows`: the program is built for Windows on Linux, and what opens no window is tested under
//! Wine. What Wine cannot show stands in `tests/README.md`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use super::{Task, no_more};
use crate::process;
use crate::project::Project;
use crate::setup::front_end;
use crate::setup::packages::{self, Purpose};

pub(super) const TASK: Task =
    Task { name: "check-windows", about: "build for Windows, and run its tests under Wine (Debian)", run };

const TARGET: &str = "x86_64-pc-windows-gnu";

/// What is tested under Wine: the crates that open no window.
const TESTED: &[&str] = &["steward-client", "steward-journal", "steward-vault", "practice-site"];

/// Wine 8 lacks this library, which Rust's standard library takes its random numbers from. It answers with the
/// older function of the same kind.
const RANDOM: &str = "#include <stddef.h>\n\
    unsigned char __stdcall SystemFunction036(void *, unsigned long);\n\
    __declspec(dllexport) int __stdcall ProcessPrng(void *to, size_t size) {\n\
        return SystemFunction036(to, (unsigned long) size);\n\
    }\n";

fn run(project: &Project, words: &[String]) -> Result<ExitCode> {
    no_more(words)?;
    if !cfg!(target_os = "linux") {
        bail!("this is for Linux; on Windows, `cargo xtask test` tests the real thing");
    }
    packages::ensure(project, Purpose::Windows)?;
    front_end::ensure(project)?;
    let target = project.target.join("windows");

    println!("\n== the whole program");
    process::run(cargo(project, &target, "build").args(["--package", "site-steward"]))?;

    println!("\n== tests under Wine");
    let mut test = cargo(project, &target, "test");
    test.args(TESTED.iter().flat_map(|name| ["--package", *name])).args([
        "--no-fail-fast",
        "--lib",
        "--tests",
    ]);
    test.env(format!("CARGO_TARGET_{}_RUNNER", shout(TARGET)), "wine");
    // Where Wine keeps its drive, and without the windows it would like to show.
    test.env("WINEPREFIX", target.join("wine")).env("WINEDEBUG", "-all").env("WINEPATH", random(&target)?);
    process::run(&mut test)?;
    Ok(ExitCode::SUCCESS)
}

/// Debian's own compiler: its sources are there, so that it can build the standard library for Windows.
fn cargo(project: &Project, target: &Path, what: &str) -> Command {
    let mut cargo = Command::new("/usr/bin/cargo");
    cargo.current_dir(&project.root).args([what, "-Zbuild-std=std,panic_abort", "--target", TARGET]);
    cargo.arg("--target-dir").arg(target);
    cargo.env("RUSTC", "/usr/bin/rustc").env("RUSTC_BOOTSTRAP", "1");
    for name in ["CARGO", "RUSTUP_TOOLCHAIN", "RUSTFLAGS", "CARGO_TARGET_DIR"] {
        cargo.env_remove(name);
    }
    cargo
}

/// The folder of the library that Wine lacks, made if it is not there.
fn random(target: &Path) -> Result<PathBuf> {
    let folder = target.join("wine-lacks");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let source = folder.join("random.c");
    fs::write(&source, RANDOM)?;
    let mut compiler = Command::new("x86_64-w64-mingw32-gcc");
    compiler.args(["-shared", "-o"]).arg(folder.join("bcryptprimitives.dll")).arg(&source).arg("-ladvapi32");
    process::run(&mut compiler)?;
    Ok(folder)
}

fn shout(target: &str) -> String {
    target.to_uppercase().replace('-', "_")
}
