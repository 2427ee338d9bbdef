//! `cargo xtask package`: builds the installers of this platform into `target/release/bundle/` (on macOS below
//! `target/universal-apple-darwin/`).
//!
//! An AppImage is built only on request: Tauri downloads the AppImage tools from GitHub, and the command fails without
//! them.

mod journey;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use super::task::Task;
use crate::process;
use crate::project::Project;
use crate::setup::front_end;
use crate::setup::packager;
use crate::setup::packages::{self, Purpose};

pub(super) const TASK: Task = Task {
    name: "package",
    about: "make this system's installers [KIND…: deb rpm appimage, nsis msi, app dmg; an appimage needs tools that Tauri downloads from GitHub; --journey [DEB]: try the deb in a clean Debian, as root]",
    run,
};

/// Default installer types. No AppImage, because its tools are downloaded during the build.
const USUAL: &[&str] = if cfg!(windows) {
    &["nsis", "msi"]
} else if cfg!(target_os = "macos") {
    &["app", "dmg"]
} else {
    &["deb", "rpm"]
};

/// Target of the build, if it is not only this machine: a macOS installer supports both processors.
const TARGET: Option<&str> = if cfg!(target_os = "macos") { Some("universal-apple-darwin") } else { None };

/// Targets that a universal binary is combined from.
const HALVES: &[&str] = &["x86_64-apple-darwin", "aarch64-apple-darwin"];

fn run(project: &Project, words: &[String]) -> Result<ExitCode> {
    match words {
        [word] if word == "--journey" => {
            make(project, &["deb"])?;
            let debs = made(project, &["deb"])?;
            return journey::walk(project, &debs[0]);
        }
        // Use a package that was built before.
        [word, deb] if word == "--journey" => return journey::walk(project, Path::new(deb)),
        _ => {}
    }
    // Check this before the previous installers are removed.
    if let Some(odd) = words.iter().find(|word| word.starts_with('-')) {
        bail!(
            "{odd} is no kind of installer; a deb for `--journey` comes after it, in quotes if its name has spaces"
        );
    }
    let kinds: Vec<&str> =
        if words.is_empty() { USUAL.to_vec() } else { words.iter().map(String::as_str).collect() };
    make(project, &kinds)?;
    for installer in made(project, &kinds)? {
        let size = fs::metadata(&installer).map_or(0, |file| file.len());
        #[expect(clippy::cast_precision_loss, reason = "no installer has 2^53 bytes")]
        let megabytes = size as f64 / 1e6;
        println!("{megabytes:7.1} MB  {}", installer.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Builds the app in release mode, and its installers.
pub(super) fn make(project: &Project, kinds: &[&str]) -> Result<()> {
    packages::ensure(project, Purpose::Build)?;
    front_end::ensure(project)?;
    // An older installer would be mistaken for a new one.
    let bundles = folder(project);
    if bundles.exists() {
        fs::remove_dir_all(&bundles).with_context(|| format!("cannot remove {}", bundles.display()))?;
    }
    let mut tauri = packager::install(project)?;
    tauri.args(["build", "--bundles", &kinds.join(",")]).current_dir(&project.root);
    if let Some(target) = TARGET {
        process::run(Command::new("rustup").args(["target", "add"]).args(HALVES))?;
        tauri.args(["--target", target]);
    }
    tauri.env("CARGO_TARGET_DIR", &project.target);
    process::run(&mut tauri)?;
    if kinds.contains(&"deb") {
        for deb in made(project, &["deb"])? {
            press(project, &deb)?;
        }
    }
    Ok(())
}

/// Repacks a deb with xz, Debian's own compression: Tauri supports only gzip, which is a third larger.
fn press(project: &Project, deb: &Path) -> Result<()> {
    if process::find("dpkg-deb").is_none() {
        return Ok(());
    }
    let (folder, log) = (deb.with_extension("contents"), project.log("dpkg-deb"));
    process::run_quietly(Command::new("dpkg-deb").arg("--raw-extract").arg(deb).arg(&folder), &log)?;
    let mut build = Command::new("dpkg-deb");
    build.args(["--root-owner-group", "-Zxz", "-z9", "--build"]).arg(&folder).arg(deb);
    process::run_quietly(&mut build, &log)?;
    fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    Ok(())
}

/// Returns the existing installers of these types.
pub(super) fn made(project: &Project, kinds: &[&str]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for kind in kinds {
        let endings: &[&str] = match *kind {
            "nsis" => &["exe"],
            "appimage" => &["AppImage"],
            "app" => continue,
            other => &[other],
        };
        let folder = folder(project).join(kind);
        let files = fs::read_dir(&folder).with_context(|| format!("{} was not made", folder.display()))?;
        let paths = files.filter_map(Result::ok).map(|file| file.path());
        found.extend(paths.filter(|path| endings.iter().any(|ending| has_ending(path, ending))));
    }
    if found.is_empty() {
        bail!("no installer was made in {}", folder(project).display());
    }
    found.sort();
    Ok(found)
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|extension| extension == ending)
}

fn folder(project: &Project) -> PathBuf {
    project.target.join(TARGET.unwrap_or_default()).join("release/bundle")
}
