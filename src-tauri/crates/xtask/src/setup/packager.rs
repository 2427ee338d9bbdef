//! Tauri's command-line tool, which builds the installers and renders the icons.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use super::node;
use crate::project::Project;

/// Folder with its lock file. Keep the release in step with `tauri` in the root `Cargo.toml`.
const SOURCE: &str = "src-tauri/packaging/tauri-cli";

/// Installs the tool into `target/tools/`, if necessary, and returns the command that runs it.
pub(crate) fn install(project: &Project) -> Result<Command> {
    let place: PathBuf = project.target.join("tools/tauri-cli");
    node::install(project, &project.root.join(SOURCE), &place, "Tauri's packager")?;
    let mut node = Command::new("node");
    node.arg(place.join("node_modules/@tauri-apps/cli/tauri.js"));
    Ok(node)
}
