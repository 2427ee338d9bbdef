//! Entry point of the app.
#![cfg_attr(all(windows, not(debug_assertions)), windows_subsystem = "windows")]

use std::process::ExitCode;

fn main() -> ExitCode {
    // Before Tauri: the runner has no display, and must not be passed on to a window that is open.
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    if let Some(code) = site_steward::command_line::run(&arguments) {
        return code;
    }
    let Err(error) = site_steward::run() else {
        return ExitCode::SUCCESS;
    };
    let reason = format!("{error:#}");
    eprintln!("Site Steward cannot start: {reason}");
    site_steward::dialogs::tell_why_it_cannot_start(&reason);
    ExitCode::FAILURE
}
