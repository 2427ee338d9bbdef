//! Programs of the virtual desktop, in the order in which they are started.

use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result};

use super::bus;
use super::home::Home;
use super::service::Service;
use crate::process;
use crate::project::Project;

/// Maximum time for a program to become ready. Generous, because a machine with two processors might be compiling at
/// the same time.
const LIMIT: Duration = Duration::from_secs(30);

/// Large enough for the complete window. The last number is the color depth.
const SCREEN: &str = "1280x900x24";

/// Password of the keyring. With an empty password, every write fails.
const PASSWORD: &str = "practice";

/// Starts the display with a free number and sets `DISPLAY`.
pub(super) fn display(project: &Project, home: &mut Home) -> Result<Service> {
    let mut xvfb = home.command("Xvfb");
    xvfb.args(["-displayfd", "1", "-screen", "0", SCREEN, "-nolisten", "tcp", "-noreset"]);
    let mut service = Service::start(
        "display",
        home.log(project, "display"),
        xvfb.stdin(Stdio::null()).stdout(Stdio::piped()),
    )?;
    let number = service.first_line(LIMIT)?;
    home.set("DISPLAY", format!(":{number}"));
    Ok(service)
}

pub(super) fn session_bus(project: &Project, home: &mut Home) -> Result<Service> {
    let mut daemon = home.command("dbus-daemon");
    daemon.args(["--session", "--nofork", "--print-address=1"]).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut service = Service::start("session-bus", home.log(project, "session-bus"), &mut daemon)?;
    let address = service.first_line(LIMIT)?;
    home.set("DBUS_SESSION_BUS_ADDRESS", address);
    Ok(service)
}

pub(super) fn keyring(project: &Project, home: &Home) -> Result<Service> {
    let mut daemon = home.command("gnome-keyring-daemon");
    daemon.args(["--foreground", "--unlock", "--components=secrets"]);
    let mut service = Service::start(
        "keyring",
        home.log(project, "keyring"),
        daemon.stdin(Stdio::piped()).stdout(Stdio::null()),
    )?;
    service.tell(PASSWORD)?;
    service.wait_until(LIMIT, || bus::has_owner(home, bus::SECRETS) && bus::is_keyring_unlocked(home))?;
    Ok(service)
}

/// Starts the window manager. Without one, dialogs do not get the keyboard focus.
pub(super) fn window_manager(project: &Project, home: &Home) -> Result<Service> {
    let mut openbox = home.command("openbox");
    openbox.arg("--sm-disable").stdin(Stdio::null()).stdout(Stdio::null());
    let mut service = Service::start("window-manager", home.log(project, "window-manager"), &mut openbox)?;
    // The display itself has no workspaces, so this shows that the window manager is ready.
    service.wait_until(LIMIT, || process::succeeds(home.command("xdotool").arg("get_num_desktops")))?;
    Ok(service)
}

/// Checks the file dialogs, which the bus starts on demand. If they are missing, the app sees a cancelled dialog, so
/// check them here.
pub(super) fn file_dialogs(home: &Home) -> Result<()> {
    bus::file_dialogs(home)
        .context("there are no file dialogs: are xdg-desktop-portal and xdg-desktop-portal-gtk installed?")
}
