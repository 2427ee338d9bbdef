//! Clean Debian system below `target/`, which shows the dependencies that a package does not declare.
//!
//! [`CleanRoot::make`] creates it; dropping the value removes it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::packages::{self, Purpose};
use crate::process;
use crate::project::Project;

/// User ID of its ordinary user.
pub(crate) const PERSON: u32 = 1000;

/// Home folder of that user inside the system.
pub(crate) const PERSON_HOME: &str = "/home/sam";

/// Clean system, removed when this value is dropped.
pub(crate) struct CleanRoot {
    folder: PathBuf,
    log: PathBuf,
}

impl CleanRoot {
    /// Creates the system with debootstrap, with the release of this machine, so that programs built here also run
    /// there.
    pub(crate) fn make(project: &Project) -> Result<Self> {
        if !packages::is_root() || !cfg!(target_os = "linux") {
            bail!("a clean system is made with debootstrap and entered with chroot, on Debian and as root");
        }
        packages::ensure(project, Purpose::CleanRoot)?;
        let root = Self { folder: project.target.join("clean-root"), log: project.log("clean-root") };
        // A killed process might have left it behind.
        root.remove()?;
        println!("Making a clean system in {}", root.folder.display());
        let mut debootstrap = Command::new("debootstrap");
        debootstrap.args(["--variant=minbase", "--include=ca-certificates", &release()?]).arg(&root.folder);
        process::run_quietly(debootstrap.arg("http://deb.debian.org/debian"), &root.log)?;
        root.furnish()?;
        Ok(root)
    }

    /// Adds what an installed system has and an unpacked one lacks.
    fn furnish(&self) -> Result<()> {
        fs::write(self.place("/etc/hosts"), "127.0.0.1 localhost\n::1 localhost\n")?;
        // Prevent packages from starting services, which would run on this machine.
        let no_services = self.place("/usr/sbin/policy-rc.d");
        fs::write(&no_services, "#!/bin/sh\nexit 101\n")?;
        process::run(Command::new("chmod").arg("755").arg(no_services))?;
        process::run(Command::new("mount").args(["-t", "proc", "proc"]).arg(self.place("/proc")))?;
        let user = PERSON.to_string();
        let mut add = self.administrator("useradd");
        add.args(["--create-home", "--home-dir", PERSON_HOME, "--uid", &user, "sam"]);
        process::run_quietly(&mut add, &self.log)?;
        self.apt(&["update"])
    }

    /// Installs packages, by name or by the path of a file inside the system, with their dependencies but without
    /// recommended packages.
    pub(crate) fn install(&self, packages: &[&str]) -> Result<()> {
        self.apt(&[&["install", "--yes", "--no-install-recommends"], packages].concat())
    }

    /// Removes a package and its configuration.
    pub(crate) fn purge(&self, package: &str) -> Result<()> {
        self.apt(&["purge", "--yes", package])
    }

    fn apt(&self, words: &[&str]) -> Result<()> {
        let mut command = self.administrator("apt-get");
        process::run_quietly(command.args(words).env("DEBIAN_FRONTEND", "noninteractive"), &self.log)
    }

    /// Returns the path of a file of the system as seen from outside.
    pub(crate) fn place(&self, inside: &str) -> PathBuf {
        self.folder.join(inside.trim_start_matches('/'))
    }

    /// Copies a file into the system.
    pub(crate) fn bring(&self, file: &Path, inside: &str) -> Result<()> {
        let target = self.place(inside);
        fs::copy(file, &target)
            .with_context(|| format!("cannot copy {} to {}", file.display(), target.display()))?;
        Ok(())
    }

    /// Makes the ordinary user the owner of a file or folder.
    pub(crate) fn give(&self, file: &Path) -> Result<()> {
        process::run(Command::new("chown").arg(format!("{PERSON}:{PERSON}")).arg(file))
    }

    /// Returns a command that runs inside as the ordinary user.
    pub(crate) fn person(&self, program: &str) -> Command {
        let mut command = Command::new("chroot");
        command.arg(format!("--userspec={PERSON}:{PERSON}")).arg("--groups=").arg(&self.folder).arg(program);
        command
    }

    /// Returns a command that runs inside as root.
    pub(crate) fn administrator(&self, program: &str) -> Command {
        let mut command = Command::new("chroot");
        command.arg(&self.folder).arg(program).env("HOME", "/root").stdin(Stdio::null());
        command
    }

    fn remove(&self) -> Result<()> {
        if self.place("/proc/self").exists() {
            process::run(Command::new("umount").arg(self.place("/proc")))?;
        }
        if self.folder.exists() {
            fs::remove_dir_all(&self.folder)
                .with_context(|| format!("cannot remove {}", self.folder.display()))?;
        }
        Ok(())
    }
}

impl Drop for CleanRoot {
    fn drop(&mut self) {
        if let Err(error) = self.remove() {
            eprintln!("The clean system is still there: {error:#}");
        }
    }
}

/// Returns the code name of this machine's Debian release.
fn release() -> Result<String> {
    let about = fs::read_to_string("/etc/os-release").unwrap_or_default();
    code_name(&about).context("this is no Debian: its package is tried on Debian")
}

fn code_name(os_release: &str) -> Option<String> {
    let value = |name: &str| os_release.lines().find_map(|line| line.strip_prefix(name));
    (value("ID=") == Some("debian")).then(|| value("VERSION_CODENAME=").map(str::to_owned)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_release_is_this_machines_own_and_debians() {
        let debian = "PRETTY_NAME=\"Debian\"\nVERSION_CODENAME=bookworm\nID=debian\n";
        assert_eq!(code_name(debian).as_deref(), Some("bookworm"));
        assert_eq!(code_name("ID=ubuntu\nID_LIKE=debian\nVERSION_CODENAME=noble\n"), None);
        assert_eq!(code_name(""), None);
    }
}
