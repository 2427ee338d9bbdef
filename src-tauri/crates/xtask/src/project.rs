//! Where things lie in the checkout, and how its two build tools are called.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::process;

/// The checkout that this command belongs to.
pub(crate) struct Project {
    /// The folder of the root `Cargo.toml`.
    pub(crate) root: PathBuf,
    /// Where cargo builds, which a developer may have moved.
    pub(crate) target: PathBuf,
}

impl Project {
    pub(crate) fn find() -> Result<Self> {
        // Asked at run time: checkouts that share a target folder share this binary.
        let here = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root = Path::new(&here)
            .ancestors()
            .nth(3)
            .context("this crate no longer lies three folders below the root")?
            .to_owned();
        let mut project = Self { target: root.join("target"), root };

        let metadata = project.metadata(&["--no-deps"])?;
        if let Some(target) = metadata["target_directory"].as_str() {
            project.target = target.into();
        }
        Ok(project)
    }

    /// What cargo knows about the workspace.
    pub(crate) fn metadata(&self, options: &[&str]) -> Result<Value> {
        let text =
            process::output(self.cargo(&["metadata", "--format-version", "1", "--quiet"]).args(options))?;
        serde_json::from_str(&text).context("`cargo metadata` did not answer with JSON")
    }

    /// `cargo` in the root folder.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(arguments).current_dir(&self.root);
        // `cargo xtask` describes *this* crate in these variables, and some build scripts run again when
        // they change: everything would be built twice, once by `cargo test` and once by `cargo xtask test`.
        for (name, _) in env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
                command.env_remove(name);
            }
        }
        command
    }

    /// `npm` in the folder of the front end.
    pub(crate) fn npm(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
        command.args(arguments).current_dir(self.ui()).env("NO_UPDATE_NOTIFIER", "1");
        command
    }

    /// The folder of the front end.
    pub(crate) fn ui(&self) -> PathBuf {
        self.root.join("ui")
    }

    /// A program of the workspace, as cargo built it for debugging.
    pub(crate) fn built(&self, program: &str) -> PathBuf {
        self.target.join("debug").join(format!("{program}{}", env::consts::EXE_SUFFIX))
    }

    /// Where the output of a quiet step is kept.
    pub(crate) fn log(&self, step: &str) -> PathBuf {
        self.target.join("xtask").join(format!("{step}.log"))
    }
}
