//! The front end: the packages it is built with, and the files that the program carries inside.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use anyhow::Result;

use super::node;
use crate::process;
use crate::project::Project;

/// Packages installed and files built, where either is not the case yet.
pub(crate) fn ensure(project: &Project) -> Result<()> {
    install(project)?;
    if is_built(&project.ui()) {
        return Ok(());
    }
    println!("Building the front end");
    process::run_quietly(&mut project.npm(&["run", "build"]), &project.log("npm-build"))
}

/// Installs exactly what the lock file says, unless that is what is there.
pub(crate) fn install(project: &Project) -> Result<()> {
    node::check()?;
    if node::is_installed(&project.ui(), &project.ui())? {
        return Ok(());
    }
    println!("Installing the front end's packages");
    process::run_quietly(&mut project.npm(&["ci", "--no-audit", "--no-fund"]), &project.log("npm-ci"))
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
