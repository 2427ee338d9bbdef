//! One new desktop, on which commands run.

use std::process::{Command, ExitCode};

use anyhow::{Result, bail};

use super::home::Home;
use super::services;
use crate::process;
use crate::project::Project;

/// Returns whether this platform supports a virtual desktop.
pub(crate) fn can_be_virtual() -> bool {
    cfg!(target_os = "linux")
}

pub(super) fn on_new(project: &Project, work: impl FnOnce(&Home) -> Result<ExitCode>) -> Result<ExitCode> {
    if !can_be_virtual() {
        bail!("the virtual desktop is made of Linux programs; use a Linux machine or a container for this");
    }
    in_home(project, Home::new()?, work)
}

pub(super) fn exit_code_in(home: &Home, command: &mut Command) -> Result<ExitCode> {
    home.move_in(command);
    Ok(process::exit_code(process::status(command)?))
}

pub(super) fn in_home(
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
