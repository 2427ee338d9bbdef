//! Virtual desktop: display, session bus, keyring, window manager and file dialogs. All are real programs, started and
//! ended here.
//!
//! [`run`] runs a command on a new desktop, and [`run_side_by_side`] several commands on several desktops.

mod bus;
mod home;
mod one;
mod service;
mod services;
mod side_by_side;

use std::process::{Command, ExitCode};

use anyhow::Result;

use self::home::Home;
pub(crate) use self::one::can_be_virtual;
use self::one::{exit_code_in, in_home, on_new};
pub(crate) use self::side_by_side::run_side_by_side;
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

/// Runs the command on a new virtual desktop and returns its exit code.
pub(crate) fn run(project: &Project, command: &mut Command) -> Result<ExitCode> {
    on_new(project, |home| exit_code_in(home, command))
}

/// Same as [`run`], with all programs inside a clean system, as its ordinary user. `command` must enter the system
/// itself.
pub(crate) fn run_inside(project: &Project, root: &CleanRoot, command: &mut Command) -> Result<ExitCode> {
    in_home(project, Home::inside(root)?, |home| exit_code_in(home, command))
}
