//! Entry point of the app.
#![cfg_attr(all(windows, not(debug_assertions)), windows_subsystem = "windows")]

use std::process::ExitCode;

fn main() -> ExitCode {
    let Err(error) = site_steward::run() else {
        return ExitCode::SUCCESS;
    };
    let reason = format!("{error:#}");
    eprintln!("Site Steward cannot start: {reason}");
    site_steward::dialogs::tell_why_it_cannot_start(&reason);
    ExitCode::FAILURE
}
