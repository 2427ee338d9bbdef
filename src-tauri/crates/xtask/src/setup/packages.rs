//! Packages of the operating system: installed where possible, listed otherwise.

use std::fs;
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::process;
use crate::project::Project;

/// Purpose that the machine is set up for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Building the app and running it on the available desktop.
    Build,
    /// Building it and testing it on a virtual desktop.
    VirtualDesktop,
    /// Benchmarks against other programs.
    Bench,
    /// Creating a clean system for testing the package.
    CleanRoot,
    /// Building for Windows and running the tests under Wine.
    Windows,
    /// Type-checking for macOS.
    MacOs,
}

/// Packages for building the app.
const BUILD: &[&str] = &["build-essential", "pkg-config", "libwebkit2gtk-4.1-dev", "libdbus-1-dev"];

/// Packages for the tests that need no desktop: the S3 server comes from the Python index, a server with old TLS is
/// OpenSSL's, and faketime moves the clock of weeks of backup plans.
const TESTS: &[&str] = &["openssl", "python3-venv", "faketime"];

/// Packages for the virtual desktop. `dbus-x11` provides a session bus: without it, apt selects a package that installs
/// systemd.
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
    "xclip",
    "imagemagick",
    "poppler-utils",
    "fonts-dejavu-core",
    "fonts-liberation",
];

/// Packages for creating and entering a clean system.
const CLEAN_ROOT: &[&str] = &["debootstrap", "mount"];

/// Packages with the programs of the benchmarks.
const BENCH: &[&str] =
    &["build-essential", "7zip", "zstd", "sqlite3", "rclone", "curl", "jq", "chromium", "python3-venv"];

/// Programs in these packages.
const BENCH_PROGRAMS: &[&str] =
    &["7zz", "zstd", "sqlite3", "rclone", "tar", "curl", "jq", "chromium", "python3"];

/// Packages of a Rust compiler that can compile its own standard library for other systems.
const DEBIAN_RUST: &[&str] = &["rustc-web", "cargo-web", "rust-web-src", "libstd-rust-web-dev"];

/// Packages for Windows: a C compiler for it, and Wine.
const WINDOWS: &[&str] = &["mingw-w64", "wine64", "wine"];

/// Packages for macOS: its C compiler comes from the Python index.
const MACOS: &[&str] = &["python3-venv"];

/// One program of each package that is not a library, for platforms with unknown package names.
const PROGRAMS: &[&str] = &[
    "openssl",
    "Xvfb",
    "dbus-daemon",
    "dbus-send",
    "openbox",
    "gnome-keyring-daemon",
    "WebKitWebDriver",
    "xdotool",
    "xclip",
    "import",
    "pdftotext",
];

/// Makes sure that all packages are installed. Fails with the command to run if they cannot be installed.
pub(crate) fn ensure(project: &Project, purpose: Purpose) -> Result<()> {
    if !cfg!(target_os = "linux") {
        // Windows and macOS include their web view, and Rust requires their compilers anyway.
        return Ok(());
    }
    if process::find("apt-get").is_some() && process::find("dpkg-query").is_some() {
        install(project, &absent(&wanted(purpose)))
    } else if matches!(purpose, Purpose::Windows | Purpose::MacOs) {
        bail!("other systems are compiled for with Debian's Rust; use Debian or a container of it for this")
    } else if purpose == Purpose::CleanRoot {
        bail!("a deb is tried on Debian; use it or a container of it for this")
    } else {
        demand(purpose)
    }
}

fn wanted(purpose: Purpose) -> Vec<&'static str> {
    match purpose {
        Purpose::Build => BUILD.to_vec(),
        Purpose::VirtualDesktop => [BUILD, TESTS, VIRTUAL_DESKTOP].concat(),
        Purpose::Bench => BENCH.to_vec(),
        Purpose::CleanRoot => CLEAN_ROOT.to_vec(),
        Purpose::Windows => [DEBIAN_RUST, WINDOWS].concat(),
        Purpose::MacOs => [DEBIAN_RUST, MACOS].concat(),
    }
}

fn absent(wanted: &[&'static str]) -> Vec<&'static str> {
    // The exit status is a failure if any package is unknown; the output lists the installed ones.
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
    update_lists(project)?;
    let log = project.log("apt-get");
    let mut command = as_root(&["apt-get", "install", "--yes", "--no-install-recommends"])?;
    // A new machine might still be running its own updates.
    command.args(["-o", "DPkg::Lock::Timeout=300"]).args(packages);
    process::run_quietly(&mut command, &log)
}

/// Returns a command that runs as root: directly, or with sudo.
/// Updates the lists of packages, which a new machine might not have.
pub(super) fn update_lists(project: &Project) -> Result<()> {
    process::run_quietly(as_root(&["apt-get", "update"])?.stdin(Stdio::null()), &project.log("apt-get"))
}

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

/// Checks the programs on platforms with other package names. Fails with instructions if one is missing.
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
        Purpose::Build | Purpose::CleanRoot | Purpose::Windows | Purpose::MacOs => &[],
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
             xdg-desktop-portal-gtk at-spi2-core /usr/bin/WebKitWebDriver xdotool xclip ImageMagick \
             dejavu-sans-fonts liberation-fonts",
        )
    } else if is("arch") {
        (
            "sudo pacman -S --needed",
            "base-devel webkit2gtk-4.1 dbus",
            "xorg-server-xvfb openbox gnome-keyring xdg-desktop-portal-gtk at-spi2-core webkitgtk-6.0 \
             xdotool xclip imagemagick ttf-dejavu ttf-liberation",
        )
    } else {
        return "Install it with this system's package manager, and start the command again.".into();
    };
    let packages = match purpose {
        Purpose::Build => build.to_owned(),
        Purpose::VirtualDesktop => format!("{build} {desktop}"),
        Purpose::Bench | Purpose::CleanRoot | Purpose::Windows | Purpose::MacOs => {
            "gcc 7zip zstd sqlite rclone curl jq chromium".to_owned()
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
