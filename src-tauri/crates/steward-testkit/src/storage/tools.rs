//! Paths of the installed servers.

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result};

/// Returns the path of a file in `target/tools/`, where `cargo xtask test --only STEP` installs programs.
pub(crate) fn find(name: &str, step: &str) -> Result<PathBuf> {
    // A test runs from target/debug/deps/. Search from there: `target/` can be in another folder.
    let program = env::current_exe()?;
    let found = program.ancestors().map(|folder| folder.join("tools").join(name)).find(|file| file.is_file());
    found.with_context(|| format!("tools/{name} is not in the build folder; run `cargo xtask {step}`"))
}
