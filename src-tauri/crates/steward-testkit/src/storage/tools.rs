//! Where the installed servers are.

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result};

/// A file of `target/tools/`, into which `cargo xtask test --only STEP` installs.
pub(super) fn find(name: &str, step: &str) -> Result<PathBuf> {
    // A test runs from target/debug/deps/, and whoever moved target/ moved that too.
    let program = env::current_exe()?;
    let found = program.ancestors().map(|folder| folder.join("tools").join(name)).find(|file| file.is_file());
    found.with_context(|| format!("tools/{name} is not in the build folder; run `cargo xtask {step}`"))
}
