//! Front end: npm packages, and the built files that the app embeds.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use anyhow::{Result, bail};

use super::node;
use crate::process;
use crate::project::Project;

/// Folder with the package list of the front end.
const WINDOW: &str = "ui";

/// Folder with the package list of the vendor's JavaScript client.
const FOREIGN_CLIENT: &str = "src-tauri/crates/practice-site/tests/foreign";

/// Installs the packages and builds the files, if necessary.
pub(crate) fn ensure(project: &Project) -> Result<()> {
    install(project)?;
    if is_built(&project.ui()) {
        return Ok(());
    }
    println!("Building the front end");
    process::run_quietly(&mut project.npm(&["run", "build"]), &project.log("npm-build"))
}

/// Installs exactly the packages in the lock file of the front end, unless they are installed already.
pub(crate) fn install(project: &Project) -> Result<()> {
    install_in(project, WINDOW, "the front end's packages")
}

/// Installs the vendor's JavaScript client, which a test of the practice site runs.
pub(crate) fn install_foreign_client(project: &Project) -> Result<()> {
    install_in(project, FOREIGN_CLIENT, "the vendor's JavaScript client")
}

/// Compares the packages in the lock files, also those for development, with the registry's list of vulnerabilities.
pub(crate) fn audit(project: &Project) -> Result<()> {
    node::check()?;
    let mut failed = Vec::new();
    for folder in [WINDOW, FOREIGN_CLIENT] {
        println!("npm audit in {folder}");
        let mut npm = project.npm(&["audit", "--include=dev"]);
        if let Err(error) = process::run(npm.current_dir(project.root.join(folder))) {
            failed.push(format!("{folder}: {error:#}"));
        }
    }
    if !failed.is_empty() {
        bail!("{}", failed.join("; "));
    }
    Ok(())
}

fn install_in(project: &Project, folder: &str, what: &str) -> Result<()> {
    let path = project.root.join(folder);
    node::install(project, &path, &path, what)
}

/// Returns whether the built files are newer than all their sources.
fn is_built(ui: &Path) -> bool {
    // The build script of the app creates only index.html if nothing is built yet.
    let Some(built) = ui.join("dist/assets").is_dir().then(|| changed(&ui.join("dist/index.html"))).flatten()
    else {
        return false;
    };
    newest(ui).is_some_and(|source| source < built)
}

/// Returns the time of the last change in a folder. A removed file changes the time of its folder.
fn newest(folder: &Path) -> Option<SystemTime> {
    let entries = fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let sources = entries.filter(|entry| entry.file_name() != "dist" && entry.file_name() != "node_modules");
    let times = sources.map(|entry| {
        let path = entry.path();
        changed(&path).max(if path.is_dir() { newest(&path) } else { None })
    });
    times.max().flatten()
}

fn changed(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|metadata| metadata.modified()).ok()
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_changed_or_removed_source_is_newer_than_the_built_files() {
        let ui = tempfile::tempdir().unwrap();
        let ui = ui.path();
        fs::create_dir_all(ui.join("dist/assets")).unwrap();
        fs::create_dir(ui.join("src")).unwrap();
        for file in ["dist/index.html", "src/main.ts", "src/help.md"] {
            File::create(ui.join(file)).unwrap();
        }
        let set_time = |file: &str, seconds: u64| {
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
            File::open(ui.join(file)).unwrap().set_modified(time).unwrap();
        };
        let build = || ["src/main.ts", "src/help.md", "src"].map(|source| set_time(source, 1));
        set_time("dist/index.html", 2);

        build();
        assert!(is_built(ui));
        set_time("src/main.ts", 3);
        assert!(!is_built(ui));
        build();
        fs::remove_file(ui.join("src/help.md")).unwrap();
        assert!(!is_built(ui));
    }
}
