//! A desktop that nobody sees: display, session bus, keyring, window manager and file dialogs, all real, all
//! started here and ended here.

mod bus;
mod home;
mod service;
mod services;

use std::process::{Command, ExitCode};

use anyhow::{Result, bail};

use self::home::Home;
use crate::process;
use crate::project::Project;
use crate::setup::clean_root::CleanRoot;

/// Whether a window could be shown to somebody.
pub(crate) fn is_here() -> bool {
    if !can_be_virtual() {
        return true;
    }
    let names = ["DISPLAY", "WAYLAND_DISPLAY"];
    names.iter().any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// Whether this system can have a desktop that nobody sees.
pub(crate) fn can_be_virtual() -> bool {
    cfg!(target_os = "linux")
}

/// Runs the command on a new virtual desktop, and answers with its exit status.
pub(crate) fn run(project: &Project, command: &mut Command) -> Result<ExitCode> {
    if !can_be_virtual() {
        bail!("the virtual desktop is made of Linux programs; use a Linux machine or a container for this");
    }
    in_home(project, Home::new()?, command)
}

/// The same with every part of the desktop inside a clean system, as its ordinary user; `command` enters it by itself.
pub(crate) fn run_inside(project: &Project, root: &CleanRoot, command: &mut Command) -> Result<ExitCode> {
    in_home(project, Home::inside(root)?, command)
}

fn in_home(project: &Project, mut home: Home, command: &mut Command) -> Result<ExitCode> {
    // Each value ends what it stands for when it goes out of scope, the last one first.
    let _display = services::display(project, &mut home)?;
    // After the display: what the bus starts later, the file dialogs among them, sees what the bus saw.
    let _bus = services::session_bus(project, &mut home)?;
    let _keyring = services::keyring(project, &home)?;
    let _manager = services::window_manager(project, &home)?;
    services::file_dialogs(&home)?;

    home.move_in(command);
    Ok(process::exit_code(process::status(command)?))
}
