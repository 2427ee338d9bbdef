//! Fuzzers of `steward-client`, one after the other. Rust's nightly toolchain is installed for them.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::project::Project;
use crate::setup::crates;
use crate::{process, rules};

/// Crate with the folder `fuzz`.
const CRATE: &str = "src-tauri/crates/steward-client";

/// Release of cargo-fuzz.
const CARGO_FUZZ: &str = "0.13.2";

/// Toolchain that compiles the targets: the address sanitizer is not in the others.
const TOOLCHAIN: &str = "nightly";

/// Time for each target.
const MINUTES: u32 = 10;

/// Targets that read replies, and what their input has before the reply.
const READERS: &[(&str, &str)] = &[
    // This byte selects HTTP status 200.
    ("operations", "\0"),
    ("listings", "\0"),
    ("sign_in", "\0"),
    ("downloads", "https://gis.example.org/export\n"),
];

/// Runs every target, also after one that found something.
pub(super) fn run(project: &Project) -> Result<()> {
    if !cfg!(unix) {
        bail!("cargo-fuzz runs on Linux and macOS only");
    }
    install_toolchain(project)?;
    let program = crates::install(project, "cargo-fuzz", CARGO_FUZZ, &[])?;
    let fuzz = project.root.join(CRATE).join("fuzz");
    for (target, before) in READERS {
        add_replies(project, &fuzz.join("corpus").join(target), before)?;
    }
    let mut found = Vec::new();
    for target in process::output(cargo_fuzz(project, &program).arg("list"))?.lines() {
        println!("{target}, for {MINUTES} minutes");
        let mut command = cargo_fuzz(project, &program);
        command.args(["run", target, "--target-dir"]).arg(project.target.join("fuzz"));
        command.args(["--", &format!("-max_total_time={}", MINUTES * 60)]);
        let log = project.log(&format!("fuzz-{target}"));
        match process::run_quietly(&mut command, &log) {
            Ok(()) => println!("  {}", number_of_runs(&log)?),
            Err(error) => {
                println!("{error:#}");
                found.push(target.to_owned());
            }
        }
    }
    if !found.is_empty() {
        bail!("failed: {}. Inputs that were found are in {CRATE}/fuzz/artifacts/", found.join(", "));
    }
    Ok(())
}

/// Returns the line of the log that shows that the target was running all the time, `Done 31415 runs in 601 second(s)`.
fn number_of_runs(log: &Path) -> Result<String> {
    let text = fs::read(log).with_context(|| format!("cannot read {}", log.display()))?;
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().rfind(|line| line.starts_with("Done "));
    line.map(str::to_owned).with_context(|| format!("nothing was run; see {}", log.display()))
}

fn install_toolchain(project: &Project) -> Result<()> {
    let rustup = |words: &[&str]| {
        let mut command = Command::new("rustup");
        command.args(words);
        command
    };
    if process::succeeds(&mut rustup(&["run", TOOLCHAIN, "rustc", "--version"])) {
        return Ok(());
    }
    println!("Installing Rust's {TOOLCHAIN} toolchain");
    let mut install =
        rustup(&["toolchain", "install", TOOLCHAIN, "--profile", "minimal", "--no-self-update"]);
    process::run_quietly(&mut install, &project.log("rustup")).with_context(|| {
        format!(
            "Rust's {TOOLCHAIN} toolchain is missing, and the fuzzers cannot be compiled without it. Install it with \
             `rustup toolchain install {TOOLCHAIN} --profile minimal`"
        )
    })
}

/// Returns a command of cargo-fuzz in the crate, with the cargo of the toolchain.
fn cargo_fuzz(project: &Project, program: &Path) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", TOOLCHAIN]).arg(program).current_dir(project.root.join(CRATE));
    command
}

/// Writes the replies of the wire tests to a corpus, so that the fuzzer does not have to invent JSON.
fn add_replies(project: &Project, corpus: &Path, before: &str) -> Result<()> {
    fs::create_dir_all(corpus).with_context(|| format!("cannot make {}", corpus.display()))?;
    let wire = project.root.join("tests/fixtures/wire");
    let mut replies = Vec::new();
    rules::files(&wire, &wire, &mut replies)?;
    for reply in replies.iter().filter(|file| file.ends_with(".json")) {
        let text = fs::read(wire.join(reply)).with_context(|| format!("cannot read {reply}"))?;
        let input = corpus.join(reply.replace('/', "-"));
        fs::write(&input, [before.as_bytes(), &text].concat())
            .with_context(|| format!("cannot write {}", input.display()))?;
    }
    Ok(())
}
