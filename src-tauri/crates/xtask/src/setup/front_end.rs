//! The front end: the packages it is built with, and the files that the program carries inside.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use anyhow::Result;

use super::node;
use crate::process;
use crate::project::Project;

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
    node::check()?;
    let path = project.root.join(folder);
    if node::is_installed(&path, &path)? {
        return Ok(());
    }
    println!("Installing {what}");
    let mut npm = project.npm(&["ci", "--no-audit", "--no-fund"]);
    process::run_quietly(npm.current_dir(path), &project.log("npm-ci"))
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
