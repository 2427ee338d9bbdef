//! The program that a window is opened for.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Program under test, with its folder and environment.
#[derive(Debug, Clone)]
pub struct Program {
    /// Path of the built program.
    pub binary: PathBuf,
    /// Folder that replaces the user's data folder.
    pub data: PathBuf,
    /// Command-line arguments.
    pub arguments: Vec<String>,
    /// Environment variables that differ from those of the test.
    pub environment: Vec<(&'static str, &'static str)>,
}

impl Program {
    /// Returns the program whose path is in `STEWARD_APP`, with its files in `data`.
    ///
    /// # Errors
    /// Returns an error if the variable is not set. `cargo xtask test --only journeys` sets it.
    pub fn from_environment(data: &Path) -> Result<Self> {
        let binary = std::env::var_os("STEWARD_APP").context(
            "STEWARD_APP names no program; start the journeys with `cargo xtask test --only journeys`",
        )?;
        Ok(Self::new(binary, data))
    }

    /// Creates a program with its files in `data`.
    pub fn new(binary: impl Into<PathBuf>, data: impl Into<PathBuf>) -> Self {
        Self { binary: binary.into(), data: data.into(), arguments: Vec::new(), environment: Vec::new() }
    }

    /// Returns the folder where the program stores its files.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        self.data.join("org.sitesteward.desktop")
    }
}
