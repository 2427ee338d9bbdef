//! Virtual desktop: display, session bus, keyring, window manager and file dialogs. All are real programs, started and
//! ended here.
//!
//! [`run`] runs a command on a new desktop, and [`run_side_by_side`] several commands on several desktops.

mod bus;
mod home;
mod service;
mod services;
mod side_by_side;

use std::process::{Command, ExitCode};

use anyhow::{Result, bail};

use self::home::Home;
pub(crate) use self::side_by_side::run_side_by_side;
use crate::process;
use crate::project::Project;
use crate::setup::clean_root::CleanRoot;

/// Returns whether a desktop is available on which a user can see a window.
pub(crate) fn is_here() -> bool {
    if !can_be_virtual() {
        return true;
    }
    let names = ["DISPLAY", "WAYLAND_DISPLAY"];
    names.iter().any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// Returns whether this platform supports a virtual desktop.
pub(crate) fn can_be_virtual() -> bool {
    cfg!(target_os = "linux")
}

/// Runs the command on a new virtual desktop and returns its exit code.
pub(crate) fn run(project: &Project, command: &mut Command) -> Result<ExitCode> {
    on_new(project, |home| exit_code_in(home, command))
}

/// Same as [`run`], with all programs inside a clean system, as its ordinary user. `command` must enter the system
/// itself.
pub(crate) fn run_inside(project: &Project, root: &CleanRoot, command: &mut Command) -> Result<ExitCode> {
    in_home(project, Home::inside(root)?, |home| exit_code_in(home, command))
}

fn on_new(project: &Project, work: impl FnOnce(&Home) -> Result<ExitCode>) -> Result<ExitCode> {
    if !can_be_virtual() {
        bail!("the virtual desktop is made of Linux programs; use a Linux machine or a container for this");
    }
    in_home(project, Home::new()?, work)
}

fn exit_code_in(home: &Home, command: &mut Command) -> Result<ExitCode> {
    home.move_in(command);
    Ok(process::exit_code(process::status(command)?))
}

fn in_home(
    project: &Project,
    mut home: Home,
    work: impl FnOnce(&Home) -> Result<ExitCode>,
) -> Result<ExitCode> {
    // Each value ends its program when it is dropped, in reverse order.
    let _display = services::display(project, &mut home)?;
    // Start the bus after the display: programs that the bus starts later, such as the file dialogs, inherit its
    // environment.
    let _bus = services::session_bus(project, &mut home)?;
    let _keyring = services::keyring(project, &home)?;
    let _manager = services::window_manager(project, &home)?;
    services::file_dialogs(&home)?;
    work(&home)
}
