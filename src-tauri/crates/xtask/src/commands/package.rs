//! `cargo xtask package`: the installers of this system, into `target/release/bundle/` (on macOS below
//! `target/universal-apple-darwin/`). An AppImage is made where it is asked for: Tauri downloads the tools of AppImage
//! from GitHub for it, and without them the command fails.

mod journey;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use serde_json::json;

use super::Task;
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

/// What is made without being asked for. An AppImage needs tools that are downloaded while it is made.
const USUAL: &[&str] = if cfg!(windows) {
    &["nsis", "msi"]
} else if cfg!(target_os = "macos") {
    &["app", "dmg"]
} else {
    &["deb", "rpm"]
};

/// What is built for, where it is not this machine alone: an installer of macOS runs on both processors.
const TARGET: Option<&str> = if cfg!(target_os = "macos") { Some("universal-apple-darwin") } else { None };

/// What such a program is put together from.
const HALVES: &[&str] = &["x86_64-apple-darwin", "aarch64-apple-darwin"];

fn run(project: &Project, words: &[String]) -> Result<ExitCode> {
    match words {
        [word] if word == "--journey" => {
            make(project, &["deb"])?;
            let debs = made(project, &["deb"])?;
            return journey::walk(project, &debs[0]);
        }
        // One that was made before.
        [word, deb] if word == "--journey" => return journey::walk(project, Path::new(deb)),
        _ => {}
    }
    // Before the installers of the last time are taken away for nothing.
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

/// Builds the program as it is shipped, and wraps it.
pub(super) fn make(project: &Project, kinds: &[&str]) -> Result<()> {
    packages::ensure(project, Purpose::Build)?;
    front_end::ensure(project)?;
    // An older one would be taken for the one that was made now.
    let bundles = folder(project);
    if bundles.exists() {
        fs::remove_dir_all(&bundles).with_context(|| format!("cannot remove {}", bundles.display()))?;
    }
    let mut tauri = Command::new("node");
    tauri.arg(packager::install(project)?);
    tauri.args(["build", "--bundles", &kinds.join(",")]).current_dir(&project.root);
    if let Some(signed) = signed() {
        tauri.args(["--config", &signed]);
    }
    if let Some(target) = TARGET {
        process::run(Command::new("rustup").args(["target", "add"]).args(HALVES))?;
        tauri.args(["--target", target]);
    }
    tauri.env("CARGO_TARGET_DIR", &project.target);
    for name in without_value(std::env::vars()) {
        tauri.env_remove(name);
    }
    process::run(&mut tauri)?;
    if kinds.contains(&"deb") {
        for deb in made(project, &["deb"])? {
            press(project, &deb)?;
        }
    }
    Ok(())
}

/// Asks for the updater's signatures, where both halves of its key are there. Without them the same installers are made.
fn signed() -> Option<String> {
    let given = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    given("TAURI_SIGNING_PRIVATE_KEY")?;
    let key = given("SITE_STEWARD_UPDATE_KEY")?;
    let config = json!({
        "bundle": { "createUpdaterArtifacts": true },
        "plugins": { "updater": { "pubkey": key } },
    });
    Some(config.to_string())
}

/// A secret that a workflow does not have arrives as an empty variable, and Tauri looks only at whether it is there: it
/// would sign with nothing, and fail.
fn without_value(variables: impl Iterator<Item = (String, String)>) -> Vec<String> {
    let signs = |name: &str| name.starts_with("APPLE_") || name.starts_with("TAURI_SIGNING_");
    variables.filter(|(name, value)| value.is_empty() && signs(name)).map(|(name, _)| name).collect()
}

/// Tauri packs a deb with gzip and cannot be told otherwise. With xz, which is Debian's own way, it is a third smaller.
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
    // A signature for the updater is of the file as it was, and no deb is updated by it.
    let signature = deb.with_extension("deb.sig");
    if signature.exists() {
        fs::remove_file(&signature).with_context(|| format!("cannot remove {}", signature.display()))?;
    }
    Ok(())
}

/// The installers of these kinds that are there.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_that_is_not_given_is_no_secret_for_tauri() {
        let given =
            [("APPLE_ID", ""), ("APPLE_TEAM_ID", "T"), ("TAURI_SIGNING_PRIVATE_KEY", ""), ("HOME", "")];
        let given = given.map(|(name, value)| (name.to_owned(), value.to_owned()));

        assert_eq!(without_value(given.into_iter()), ["APPLE_ID", "TAURI_SIGNING_PRIVATE_KEY"]);
    }
}
