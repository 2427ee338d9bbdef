//! The front end: the packages it is built with, and the files that the program carries inside.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::process;
use crate::project::Project;

/// The oldest Node that the front end's build tool accepts.
const OLDEST_NODE: (u32, u32) = (20, 19);

/// Where the packages of the vendor's JavaScript client are listed.
const FOREIGN_CLIENT: &str = "src-tauri/crates/practice-site/tests/foreign";

/// Packages installed and files built, where either is not the case yet.
pub(crate) fn ensure(project: &Project) -> Result<()> {
    install(project)?;
    if is_built(&project.ui()) {
        return Ok(());
    }
    println!("Building the front end");
    process::run_quietly(&mut project.npm(&["run", "build"]), &project.log("npm-build"))
}

/// Installs exactly what the front end's lock file says, unless that is what is there.
pub(crate) fn install(project: &Project) -> Result<()> {
    install_in(project, "ui", "the front end's packages")
}

/// The same for the vendor's JavaScript client, which a test of the practice site runs.
pub(crate) fn install_foreign_client(project: &Project) -> Result<()> {
    install_in(project, FOREIGN_CLIENT, "the vendor's JavaScript client")
}

fn install_in(project: &Project, folder: &str, what: &str) -> Result<()> {
    check_node()?;
    let path = project.root.join(folder);
    let lock = read_lock(&path.join("package-lock.json")).with_context(|| {
        format!("{folder}/package-lock.json cannot be read: take it from the repository again")
    })?;
    let installed = read_lock(&path.join("node_modules/.package-lock.json"));
    if installed.is_ok_and(|installed| is_installed(&lock, &installed)) {
        return Ok(());
    }
    println!("Installing {what}");
    let mut npm = project.npm(&["ci", "--no-audit", "--no-fund"]);
    process::run_quietly(npm.current_dir(path), &project.log("npm-ci"))
}

fn check_node() -> Result<()> {
    let advice = format!(
        "The front end needs Node {}.{} or newer: https://nodejs.org or your package manager has it.",
        OLDEST_NODE.0, OLDEST_NODE.1
    );
    let said = process::output(Command::new("node").arg("--version")).with_context(|| advice.clone())?;
    if node_release(&said).is_none_or(|release| release < OLDEST_NODE) {
        bail!("this is Node {}. {advice}", said.trim());
    }
    Ok(())
}

fn node_release(said: &str) -> Option<(u32, u32)> {
    let mut numbers = said.trim().strip_prefix('v')?.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// Folder of each package to its entry, without the project itself.
type Lock = BTreeMap<String, Value>;

fn read_lock(file: &Path) -> Result<Lock> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut lock: Value = serde_json::from_str(&text)?;
    let mut packages: Lock = serde_json::from_value(lock["packages"].take())?;
    packages.remove("");
    Ok(packages)
}

/// Compares contents, not times: a checkout gives every file the time at which it was made.
fn is_installed(lock: &Lock, installed: &Lock) -> bool {
    let there = |folder: &str, package: &Value| match installed.get(folder) {
        Some(found) => found["version"] == package["version"] && found["integrity"] == package["integrity"],
        // Built for another system, perhaps; npm decides.
        None => package["optional"] == true,
    };
    lock.iter().all(|(folder, package)| there(folder, package))
        && installed.keys().all(|folder| lock.contains_key(folder))
}

/// Whether the built files are younger than everything they are made from.
fn is_built(ui: &Path) -> bool {
    // The program's build script makes an index.html alone where nothing is built yet.
    let Some(built) = ui.join("dist/assets").is_dir().then(|| changed(&ui.join("dist/index.html"))).flatten()
    else {
        return false;
    };
    newest(ui).is_some_and(|source| source < built)
}

fn newest(folder: &Path) -> Option<SystemTime> {
    let entries = fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let times = entries.filter(|entry| entry.file_name() != "dist" && entry.file_name() != "node_modules");
    times
        .filter_map(
            |entry| {
                if entry.path().is_dir() { newest(&entry.path()) } else { changed(&entry.path()) }
            },
        )
        .max()
}

fn changed(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|metadata| metadata.modified()).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn lock(packages: Value) -> Lock {
        serde_json::from_value(packages).unwrap()
    }

    #[test]
    fn another_version_is_not_installed() {
        let wanted = lock(json!({ "node_modules/react": { "version": "19.3.1" } }));
        assert!(is_installed(&wanted, &wanted));
        assert!(!is_installed(&wanted, &lock(json!({ "node_modules/react": { "version": "19.3.0" } }))));
        assert!(!is_installed(&wanted, &lock(json!({}))));
    }

    #[test]
    fn a_package_for_another_system_may_be_missing() {
        let wanted = lock(json!({ "node_modules/fsevents": { "version": "2.3.3", "optional": true } }));
        assert!(is_installed(&wanted, &lock(json!({}))));
    }

    #[test]
    fn a_package_that_left_the_lock_file_is_noticed() {
        assert!(!is_installed(
            &lock(json!({})),
            &lock(json!({ "node_modules/left": { "version": "1.0.0" } }))
        ));
    }

    #[test]
    fn releases_of_node_are_compared_as_numbers() {
        assert_eq!(node_release("v20.19.5\n"), Some((20, 19)));
        assert!(node_release("v9.11.2").unwrap() < OLDEST_NODE);
        assert!(node_release("v22.1.0").unwrap() > OLDEST_NODE);
        assert_eq!(node_release("node: not found"), None);
    }
}
