//! `cargo xtask check-windows`: the program is built for Windows on Linux, and what opens no window is tested under
//! Wine. What Wine cannot show stands in `tests/README.md`, and the tests of it in `check_windows/left_out.rs`.

mod left_out;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};

use self::left_out::{LEFT_OUT, unknown};
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

    println!("\n== its tests");
    process::run(tests(project, &target).arg("--no-run"))?;

    println!("\n== tests under Wine");
    let under_wine = |words: &[&str]| -> Result<Command> {
        let mut command = tests(project, &target);
        command.arg("--").args(words).env(format!("CARGO_TARGET_{}_RUNNER", shout(TARGET)), "wine");
        // Where Wine keeps its drive, and without the windows it would like to show.
        command.env("WINEPREFIX", target.join("wine")).env("WINEDEBUG", "-all");
        command.env("WINEPATH", random(&target)?);
        Ok(command)
    };
    let unknown = unknown(LEFT_OUT, &process::output(&mut under_wine(&["--list", "--format=terse"])?)?);
    if !unknown.is_empty() {
        bail!("tests that are left out, and that there are not: {}", unknown.join(", "));
    }
    // A name is the whole name of a test, not a part of many.
    let skips = LEFT_OUT.iter().flat_map(|(name, _)| ["--skip", name]);
    let words: Vec<&str> = ["--exact"].into_iter().chain(skips).collect();
    let passed = count_passed(&mut under_wine(&words)?)?;

    println!("\n== left out");
    for (name, reason) in LEFT_OUT {
        println!("{name}: {reason}");
    }
    println!("\n{passed} tests passed under Wine, {} were left out.", LEFT_OUT.len());
    Ok(ExitCode::SUCCESS)
}

fn tests(project: &Project, target: &Path) -> Command {
    let mut test = cargo(project, target, "test");
    test.args(TESTED.iter().flat_map(|name| ["--package", *name])).args([
        "--no-fail-fast",
        "--lib",
        "--tests",
    ]);
    test
}

/// Runs tests, shows what they say, and counts those that pass.
fn count_passed(tests: &mut Command) -> Result<usize> {
    let mut child = tests.stdout(Stdio::piped()).spawn().context("cannot start cargo")?;
    let mut passed = 0;
    for line in BufReader::new(child.stdout.take().context("no output")?).split(b'\n') {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        passed += passed_of(&line).unwrap_or(0);
    }
    if !child.wait()?.success() {
        bail!("tests failed under Wine; {passed} passed");
    }
    Ok(passed)
}

/// The number in `test result: ok. 12 passed; 0 failed; …`.
fn passed_of(line: &str) -> Option<usize> {
    let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    counts.split_once(" passed")?.0.parse().ok()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passed_is_read_from_the_last_line_of_the_tests() {
        let last = "test result: FAILED. 12 passed; 1 failed; 0 ignored; 0 measured; 3 filtered out; finished in 1.00s";
        assert_eq!(passed_of(last), Some(12));
        assert_eq!(passed_of("test answers::12 passed ... ok"), None);
    }
}
