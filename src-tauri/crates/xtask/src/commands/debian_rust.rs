//! Debian's Rust, which has the sources of the standard library, and so compiles for systems whose own is not available
//! on Linux.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::project::Project;
use crate::setup::packages::{self, Purpose};

/// Another system that the app is compiled for.
pub(super) struct System {
    /// Name of the system.
    pub(super) name: &'static str,
    /// Its target in Rust, for example `x86_64-pc-windows-gnu`.
    pub(super) target: &'static str,
    /// Purpose with the packages that it requires.
    pub(super) purpose: Purpose,
}

impl System {
    /// Installs the packages.
    pub(super) fn prepare(&self, project: &Project) -> Result<()> {
        if !cfg!(target_os = "linux") {
            bail!("this is for Linux; on {}, `cargo xtask test` tests the real thing", self.name);
        }
        packages::ensure(project, self.purpose)
    }

    /// Returns the target folder of cargo. It is not the one of other builds, because the compiler differs.
    pub(super) fn folder(&self, project: &Project) -> PathBuf {
        project.target.join(self.name.to_lowercase())
    }

    /// Returns a `cargo` command that also compiles the standard library.
    pub(super) fn cargo(&self, project: &Project, what: &str) -> Command {
        let mut cargo = Command::new("/usr/bin/cargo");
        cargo.current_dir(&project.root).args([what, "-Zbuild-std=std,panic_abort", "--target", self.target]);
        cargo.arg("--target-dir").arg(self.folder(project));
        cargo.env("RUSTC", "/usr/bin/rustc").env("RUSTC_BOOTSTRAP", "1");
        for name in ["CARGO", "RUSTUP_TOOLCHAIN", "RUSTFLAGS", "CARGO_TARGET_DIR"] {
            cargo.env_remove(name);
        }
        cargo
    }

    /// Returns the target as it is spelled in the names of cargo's own variables.
    pub(super) fn in_variables(&self) -> String {
        self.target.to_uppercase().replace('-', "_")
    }
}
