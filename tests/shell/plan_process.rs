//! The program itself as the runner of backup plans: without a display, a session bus, and a window.

use std::path::Path;
use std::process::{Command, Output};

/// Runs the program in a home of its own, without a display.
fn run(home: &Path, arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_site-steward"));
    program.args(arguments).env("HOME", home).env("XDG_DATA_HOME", home.join("data"));
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"] {
        program.env_remove(name);
    }
    program.output().unwrap()
}

#[test]
fn the_runner_needs_no_display_and_ends_well_if_nothing_is_due() {
    let home = tempfile::tempdir().unwrap();

    let ended = run(home.path(), &["run-due-plans"]);

    assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
    let folder = home.path().join("data/org.sitesteward.desktop");
    let progress = std::fs::read_to_string(folder.join("plan-progress.json")).unwrap();
    assert!(progress.contains("\"lastStart\": 1"), "the start is written: {progress}");
    assert!(!folder.join("journal.db").exists(), "nothing was due, so no history was opened");
}

#[test]
fn a_plan_that_is_not_there_is_told_apart_from_one_that_failed() {
    let home = tempfile::tempdir().unwrap();
    assert_eq!(run(home.path(), &["run-plan", "gone"]).status.code(), Some(78));
    let ended = run(home.path(), &["run-plan"]);
    assert_eq!(ended.status.code(), Some(78));
    assert!(String::from_utf8_lossy(&ended.stderr).contains("run-plan ID"));
}
