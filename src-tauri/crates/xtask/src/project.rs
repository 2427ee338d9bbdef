//! Folders of the checkout, and commands of its two build tools.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::process;

/// Checkout that this command belongs to.
pub(crate) struct Project {
    /// Folder of the root `Cargo.toml`.
    pub(crate) root: PathBuf,
    /// Target folder of cargo, which a developer can change.
    pub(crate) target: PathBuf,
}

impl Project {
    pub(crate) fn find() -> Result<Self> {
        // At run time, because checkouts with a shared target folder share this binary.
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

    /// Returns the cargo metadata of the workspace.
    pub(crate) fn metadata(&self, options: &[&str]) -> Result<Value> {
        let text =
            process::output(self.cargo(&["metadata", "--format-version", "1", "--quiet"]).args(options))?;
        serde_json::from_str(&text).context("`cargo metadata` did not answer with JSON")
    }

    /// Returns a `cargo` command in the root folder.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(arguments).current_dir(&self.root);
        // `cargo xtask` sets these variables for *this* crate, and some build scripts run again if they change: `cargo
        // test` and `cargo xtask test` would each build everything.
        for (name, _) in env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
                command.env_remove(name);
            }
        }
        command
    }

    /// Returns an `npm` command in the folder of the front end.
    ///
    /// Scripts of packages are not run when they are installed: none needs it, and one that was taken over could.
    pub(crate) fn npm(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
        command.args(arguments).current_dir(self.ui());
        command.env("NO_UPDATE_NOTIFIER", "1").env("NPM_CONFIG_IGNORE_SCRIPTS", "true");
        command
    }

    /// Returns the folder of the front end.
    pub(crate) fn ui(&self) -> PathBuf {
        self.root.join("ui")
    }

    /// Returns the path of a workspace binary in the debug profile.
    pub(crate) fn built(&self, program: &str) -> PathBuf {
        self.target.join("debug").join(format!("{program}{}", env::consts::EXE_SUFFIX))
    }

    /// Returns the path of the log of a step.
    pub(crate) fn log(&self, step: &str) -> PathBuf {
        self.target.join("xtask").join(format!("{step}.log"))
    }
}
