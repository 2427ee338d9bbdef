//! What a command of `cargo xtask` is.

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::project::Project;

/// Command of `cargo xtask`.
pub(crate) struct Task {
    /// Name on the command line.
    pub(crate) name: &'static str,
    /// Description in the help.
    pub(super) about: &'static str,
    /// Function that runs it, with the arguments after its name.
    pub(crate) run: fn(&Project, &[String]) -> Result<ExitCode>,
}

/// Fails if there are arguments. For commands without any: an error is better than an ignored argument.
pub(super) fn no_more(words: &[String]) -> Result<()> {
    if let Some(word) = words.first() {
        bail!("`{word}` means nothing here");
    }
    Ok(())
}
