//! Temporary home folder of a virtual desktop: keyring, settings, sockets, and the environment variables that point
//! there.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::project::Project;
use crate::setup::clean_root::CleanRoot;

/// Desktops that this process has made.
static DESKTOPS: AtomicU32 = AtomicU32::new(0);

/// Folder for the current user only, deleted together with the desktop.
pub(crate) struct Home<'a> {
    /// Number of the desktop in this process, from 0.
    number: u32,
    /// System that the desktop's programs run in. `None` for this system.
    root: Option<&'a CleanRoot>,
    /// Path of the folder as seen by those programs.
    folder: PathBuf,
    variables: Vec<(&'static str, OsString)>,
}

impl<'a> Home<'a> {
    /// Creates the folder on this system.
    pub(crate) fn new() -> Result<Self> {
        Self::of(None)
    }

    /// Creates the folder inside another system, owned by its ordinary user.
    pub(crate) fn inside(root: &'a CleanRoot) -> Result<Self> {
        Self::of(Some(root))
    }

    /// Returns the path of the log of a program: `target/desktop/NUMBER/NAME.log`.
    pub(super) fn log(&self, project: &Project, name: &str) -> PathBuf {
        project.target.join("desktop").join(self.number.to_string()).join(format!("{name}.log"))
    }

    fn of(root: Option<&'a CleanRoot>) -> Result<Self> {
        // Not under target/: the path of a socket can have at most 108 bytes, and the path of the checkout can be long.
        let temporary = if root.is_some() { "/tmp".into() } else { env::temp_dir() };
        let number = DESKTOPS.fetch_add(1, Ordering::Relaxed);
        let folder = temporary.join(format!("steward-desktop-{}-{number}", std::process::id()));
        let mut home = Self { number, root, folder, variables: Vec::new() };
        home.keep_rust();
        home.make("HOME", "")?;
        home.make("XDG_RUNTIME_DIR", "run")?;
        home.make("XDG_DATA_HOME", "data")?;
        home.make("XDG_CACHE_HOME", "cache")?;
        let settings = home.make("XDG_CONFIG_HOME", "config")?;

        // Selects the portal's dialogs: older portals use the name of the desktop, newer ones this file.
        home.set("XDG_CURRENT_DESKTOP", "GNOME");
        fs::create_dir(settings.join("xdg-desktop-portal"))?;
        fs::write(settings.join("xdg-desktop-portal/portals.conf"), "[preferred]\ndefault=gtk\n")?;

        home.set("XDG_SESSION_TYPE", "x11");
        home.set("GDK_BACKEND", "x11");
        home.set("GSETTINGS_BACKEND", "memory");
        // The texts in the dialogs are the same on every machine.
        home.set("LC_ALL", "C.UTF-8");
        // There is no graphics card for shared buffers.
        home.set("WEBKIT_DISABLE_DMABUF_RENDERER", "1");
        home.set("LIBGL_ALWAYS_SOFTWARE", "1");
        Ok(home)
    }

    /// Sets a variable for all programs that are started later.
    pub(crate) fn set(&mut self, name: &'static str, value: impl AsRef<OsStr>) {
        self.variables.push((name, value.as_ref().to_owned()));
    }

    /// Returns a command that runs in this home.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = self.root.map_or_else(|| Command::new(program), |root| root.person(program));
        self.move_in(&mut command);
        command
    }

    /// Applies this home to an existing command.
    pub(crate) fn move_in(&self, command: &mut Command) {
        command.env_remove("WAYLAND_DISPLAY").envs(self.variables.iter().map(|(name, value)| (name, value)));
    }

    fn make(&mut self, variable: &'static str, name: &str) -> Result<PathBuf> {
        let folder = self.folder.join(name);
        let seen_from_here = self.place_here(&folder);
        private(&mut DirBuilder::new())
            .create(&seen_from_here)
            .with_context(|| format!("cannot make {}", seen_from_here.display()))?;
        if let Some(root) = self.root {
            root.give(&seen_from_here)?;
        }
        self.set(variable, &folder);
        Ok(seen_from_here)
    }

    /// Returns the path of a file of the desktop's programs on this system.
    fn place_here(&self, file: &Path) -> PathBuf {
        self.root.map_or_else(|| file.to_owned(), |root| root.place(&file.to_string_lossy()))
    }

    /// Keeps the locations of the Rust tools.
    fn keep_rust(&mut self) {
        let Some(home) = env::var_os("HOME") else { return };
        for (name, usual) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
            if env::var_os(name).is_none() {
                self.set(name, Path::new(&home).join(usual));
            }
        }
    }
}

impl Drop for Home<'_> {
    fn drop(&mut self) {
        // Programs that the bus started end by themselves shortly after the bus.
        let folder = self.place_here(&self.folder);
        let start = Instant::now();
        while let Err(error) = fs::remove_dir_all(&folder) {
            if start.elapsed() > Duration::from_secs(5) {
                eprintln!("{} could not be removed: {error}", folder.display());
                return;
            }
            thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Sets the mode of the runtime folder to 0700: bus and keyring reject it otherwise.
#[cfg(unix)]
fn private(builder: &mut DirBuilder) -> &mut DirBuilder {
    use std::os::unix::fs::DirBuilderExt;
    builder.mode(0o700)
}

#[cfg(not(unix))]
fn private(builder: &mut DirBuilder) -> &mut DirBuilder {
    builder
}
