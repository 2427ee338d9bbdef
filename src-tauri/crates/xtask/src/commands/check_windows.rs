//! `cargo xtask check-windows`: builds the app for Windows on Linux, and runs all tests that open no window under Wine.
//!
//! The limits of Wine are listed in `tests/README.md`, and the skipped tests in `check_windows/left_out.rs`.

mod left_out;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};

use self::left_out::{LEFT_OUT, unknown};
use super::debian_rust::System;
use super::task::{Task, no_more};
use crate::process;
use crate::project::Project;
use crate::setup::front_end;
use crate::setup::packages::Purpose;

pub(super) const TASK: Task =
    Task { name: "check-windows", about: "build for Windows, and run its tests under Wine (Debian)", run };

const WINDOWS: System =
    System { name: "Windows", target: "x86_64-pc-windows-gnu", purpose: Purpose::Windows };

/// Test selections for Wine: all crates that open no window, and the unit tests of the app.
const TESTED: &[&[&str]] = &[
    &["--package=site-steward", "--lib"],
    &[
        "--package=steward-client",
        "--package=steward-core",
        "--package=steward-journal",
        "--package=steward-plans",
        "--package=steward-redact",
        "--package=steward-vault",
        "--package=practice-site",
        "--lib",
        "--tests",
    ],
];

/// Source of a library that Wine 8 lacks and that Rust's standard library needs for random numbers. It calls the older
/// function of the same kind.
const RANDOM: &str = "#include <stddef.h>\n\
    unsigned char __stdcall SystemFunction036(void *, unsigned long);\n\
    __declspec(dllexport) int __stdcall ProcessPrng(void *to, size_t size) {\n\
        return SystemFunction036(to, (unsigned long) size);\n\
    }\n";

fn run(project: &Project, words: &[String]) -> Result<ExitCode> {
    no_more(words)?;
    WINDOWS.prepare(project)?;
    front_end::ensure(project)?;
    let target = WINDOWS.folder(project);

    println!("\n== the whole program");
    process::run(WINDOWS.cargo(project, "build").args(["--package", "site-steward"]))?;

    println!("\n== its tests");
    let lacks = random(&target)?;
    let tests = |part: &[&str]| {
        let mut test = WINDOWS.cargo(project, "test");
        let runner = format!("CARGO_TARGET_{}_RUNNER", WINDOWS.in_variables());
        test.arg("--no-fail-fast").args(part).env(runner, "wine");
        // The folder in which Wine stores its drive, and no debug output.
        test.env("WINEPREFIX", target.join("wine")).env("WINEDEBUG", "-all");
        // The WebView2 loader is beside the app, which requires it at startup.
        let beside = target.join(WINDOWS.target).join("debug");
        test.env("WINEPATH", format!("{};{}", lacks.display(), beside.display()));
        test
    };
    let mut there = String::new();
    for part in TESTED {
        process::run(tests(part).arg("--no-run"))?;
        there += &process::output(tests(part).args(["--", "--list", "--format=terse"]))?;
    }
    let unknown = unknown(LEFT_OUT, &there);
    if !unknown.is_empty() {
        bail!("tests that are left out, and that there are not: {}", unknown.join(", "));
    }

    println!("\n== tests under Wine");
    // Match the complete name of a test, not a part of other names.
    let skips = LEFT_OUT.iter().flat_map(|(name, _)| ["--skip", name]);
    let skips: Vec<&str> = ["--", "--exact"].into_iter().chain(skips).collect();
    let mut all_well = true;
    let mut passed = 0;
    for part in TESTED {
        let (well, number) = run_and_count(tests(part).args(&skips))?;
        all_well &= well;
        passed += number;
    }
    if !all_well {
        bail!("tests failed under Wine; {passed} passed");
    }

    println!("\n== left out");
    for (name, reason) in LEFT_OUT {
        println!("{name}: {reason}");
    }
    println!("\n{passed} tests passed under Wine, {} were left out.", LEFT_OUT.len());
    Ok(ExitCode::SUCCESS)
}

/// Runs tests, prints their output, and returns whether they succeeded and how many passed.
pub(super) fn run_and_count(tests: &mut Command) -> Result<(bool, usize)> {
    let mut child = tests.stdout(Stdio::piped()).spawn().context("cannot start cargo")?;
    let mut passed = 0;
    for line in BufReader::new(child.stdout.take().context("no output")?).split(b'\n') {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        passed += passed_of(&line).unwrap_or(0);
    }
    Ok((child.wait()?.success(), passed))
}

/// Returns the number in `test result: ok. 12 passed; 0 failed; …`.
fn passed_of(line: &str) -> Option<usize> {
    let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    counts.split_once(" passed")?.0.parse().ok()
}

/// Returns the folder of the library that Wine lacks. Builds it if necessary.
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
