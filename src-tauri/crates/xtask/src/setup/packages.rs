//! The packages of the operating system: installed where that can be done, named where it cannot.

use std::fs;
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::process;
use crate::project::Project;

/// What the machine is wanted for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To build the program, and show it on the desktop that is there.
    Build,
    /// To drive it on a desktop that nobody sees as well.
    VirtualDesktop,
    /// To measure it beside other programs.
    Bench,
    /// To make a clean system in which its package is tried.
    CleanRoot,
    /// To build it for Windows, and run its tests under Wine.
    Windows,
}

/// To build the program.
const BUILD: &[&str] = &["build-essential", "pkg-config", "libwebkit2gtk-4.1-dev", "libdbus-1-dev"];

/// To drive it. `dbus-x11` stands for a session bus: without it apt chooses one that brings systemd along.
pub(crate) const VIRTUAL_DESKTOP: &[&str] = &[
    "xvfb",
    "dbus-x11",
    "openbox",
    "gnome-keyring",
    "xdg-desktop-portal",
    "xdg-desktop-portal-gtk",
    "at-spi2-core",
    "webkit2gtk-driver",
    "xdotool",
    "imagemagick",
    "fonts-dejavu-core",
    "fonts-liberation",
];

/// To make a system from packages, and enter it.
const CLEAN_ROOT: &[&str] = &["debootstrap", "mount"];

/// The programs that we are measured beside.
const BENCH: &[&str] =
    &["build-essential", "7zip", "zstd", "sqlite3", "rclone", "curl", "chromium", "python3-venv"];

/// The same, as they are called.
const BENCH_PROGRAMS: &[&str] = &["7zz", "zstd", "sqlite3", "rclone", "tar", "curl", "chromium", "python3"];

/// A compiler that can build its own standard library for Windows, and what stands for Windows.
const WINDOWS: &[&str] =
    &["rustc-web", "cargo-web", "rust-web-src", "libstd-rust-web-dev", "mingw-w64", "wine64", "wine"];

/// One program of each package that is not a library, for systems whose package names we only know by heart.
const PROGRAMS: &[&str] = &[
    "Xvfb",
    "dbus-daemon",
    "dbus-send",
    "openbox",
    "gnome-keyring-daemon",
    "WebKitWebDriver",
    "xdotool",
    "import",
];

/// Makes sure that everything is there, or fails with the words to type.
pub(crate) fn ensure(project: &Project, purpose: Purpose) -> Result<()> {
    if !cfg!(target_os = "linux") {
        // Windows and macOS bring their web view; Rust does not work there without their compilers.
        return Ok(());
    }
    if process::find("apt-get").is_some() && process::find("dpkg-query").is_some() {
        install(project, &absent(&wanted(purpose)))
    } else if purpose == Purpose::Windows {
        bail!("Windows is built from Linux with Debian's compilers; use Debian or a container of it for this")
    } else if purpose == Purpose::CleanRoot {
        bail!("a deb is tried on Debian; use it or a container of it for this")
    } else {
        demand(purpose)
    }
}

fn wanted(purpose: Purpose) -> Vec<&'static str> {
    match purpose {
        Purpose::Build => BUILD.to_vec(),
        Purpose::VirtualDesktop => [BUILD, VIRTUAL_DESKTOP].concat(),
        Purpose::Bench => BENCH.to_vec(),
        Purpose::CleanRoot => CLEAN_ROOT.to_vec(),
        Purpose::Windows => WINDOWS.to_vec(),
    }
}

fn absent(wanted: &[&'static str]) -> Vec<&'static str> {
    // The status says "no" as soon as one package is unknown; the lines tell which ones are there.
    let known = Command::new("dpkg-query")
        .args(["--show", "--showformat=${db:Status-Abbrev} ${Package}\n"])
        .args(wanted)
        .output()
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        .unwrap_or_default();
    without_installed(wanted, &known)
}

fn without_installed(wanted: &[&'static str], known: &str) -> Vec<&'static str> {
    let installed: Vec<&str> =
        known.lines().filter_map(|line| line.strip_prefix("ii")).map(str::trim).collect();
    wanted.iter().copied().filter(|package| !installed.contains(package)).collect()
}

fn install(project: &Project, packages: &[&str]) -> Result<()> {
    if packages.is_empty() {
        return Ok(());
    }
    println!("Installing {}", packages.join(" "));
    let log = project.log("apt-get");
    process::run_quietly(as_root(&["apt-get", "update"])?.stdin(Stdio::null()), &log)?;
    let mut command = as_root(&["apt-get", "install", "--yes", "--no-install-recommends"])?;
    // A machine that has just been started may still be updating itself.
    command.args(["-o", "DPkg::Lock::Timeout=300"]).args(packages);
    process::run_quietly(&mut command, &log)
}

/// The command as root: as it is, or through sudo.
fn as_root(words: &[&str]) -> Result<Command> {
    let mut all = vec!["env", "DEBIAN_FRONTEND=noninteractive"];
    all.extend(words);
    if !is_root() {
        if process::find("sudo").is_none() {
            bail!("packages are missing and there is no sudo; as root, run:\n  {}", words.join(" "));
        }
        all.insert(0, "sudo");
    }
    let mut command = Command::new(all[0]);
    command.args(&all[1..]);
    Ok(command)
}

#[cfg(unix)]
pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
pub(crate) fn is_root() -> bool {
    false
}

/// Where packages have other names: goes on when everything answers, and otherwise says what to install.
fn demand(purpose: Purpose) -> Result<()> {
    let mut missing = Vec::new();
    let needs_web_view = matches!(purpose, Purpose::Build | Purpose::VirtualDesktop);
    if needs_web_view && !process::succeeds(Command::new("pkg-config").args(["--exists", "webkit2gtk-4.1"])) {
        missing.push("webkit2gtk-4.1 (with its development files) and pkg-config");
    }
    if process::find("cc").is_none() {
        missing.push("a C compiler");
    }
    let programs = match purpose {
        Purpose::Build | Purpose::CleanRoot | Purpose::Windows => &[],
        Purpose::VirtualDesktop => PROGRAMS,
        Purpose::Bench => BENCH_PROGRAMS,
    };
    missing.extend(programs.iter().filter(|program| process::find(program).is_none()));
    if missing.is_empty() {
        return Ok(());
    }
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    bail!("this machine lacks {}. {}", missing.join(", "), advice(&release, purpose));
}

fn advice(os_release: &str, purpose: Purpose) -> String {
    let is = |name: &str| {
        let names = os_release.lines().filter(|line| line.starts_with("ID=") || line.starts_with("ID_LIKE="));
        names.into_iter().any(|line| line.contains(name))
    };
    let (command, build, desktop) = if is("fedora") || is("rhel") {
        (
            "sudo dnf install",
            "gcc pkgconf-pkg-config webkit2gtk4.1-devel dbus-devel",
            "/usr/bin/Xvfb /usr/bin/dbus-daemon /usr/bin/dbus-send openbox gnome-keyring \
             xdg-desktop-portal-gtk at-spi2-core /usr/bin/WebKitWebDriver xdotool ImageMagick \
             dejavu-sans-fonts liberation-fonts",
        )
    } else if is("arch") {
        (
            "sudo pacman -S --needed",
            "base-devel webkit2gtk-4.1 dbus",
            "xorg-server-xvfb openbox gnome-keyring xdg-desktop-portal-gtk at-spi2-core webkitgtk-6.0 \
             xdotool imagemagick ttf-dejavu ttf-liberation",
        )
    } else {
        return "Install it with this system's package manager, and start the command again.".into();
    };
    let packages = match purpose {
        Purpose::Build => build.to_owned(),
        Purpose::VirtualDesktop => format!("{build} {desktop}"),
        Purpose::Bench | Purpose::CleanRoot | Purpose::Windows => {
            "gcc 7zip zstd sqlite rclone curl chromium".to_owned()
        }
    };
    format!("Install it, and start the command again:\n  {command} {packages}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_that_was_removed_but_not_purged_is_absent() {
        let known = "ii  xvfb\nrc  openbox\nun  xdotool\n";
        assert_eq!(
            without_installed(&["xvfb", "openbox", "xdotool", "at-spi2-core"], known),
            ["openbox", "xdotool", "at-spi2-core"]
        );
    }

    #[test]
    fn other_systems_are_told_what_to_type() {
        let fedora = advice("NAME=Nobara\nID=nobara\nID_LIKE=\"fedora\"\n", Purpose::Build);
        assert!(fedora.ends_with("sudo dnf install gcc pkgconf-pkg-config webkit2gtk4.1-devel dbus-devel"));

        let arch = advice("ID=arch\n", Purpose::VirtualDesktop);
        assert!(arch.contains("pacman") && arch.contains("xorg-server-xvfb"));

        assert!(advice("ID=slackware\n", Purpose::Build).contains("package manager"));
    }
}
