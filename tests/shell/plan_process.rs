//! The program itself as the runner of backup plans: without a display, a session bus, and a window.

use std::path::Path;
use std::process::{Command, Output};

/// Runs the program in a home of its own, without a display.
fn run(home: &Path, arguments: &[&str]) -> Output {
    program(home, arguments).output().unwrap()
}

fn program(home: &Path, arguments: &[&str]) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_site-steward"));
    program.args(arguments).env("HOME", home).env("XDG_DATA_HOME", home.join("data"));
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"] {
        program.env_remove(name);
    }
    program
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

/// A minute: that is how long a runner may take after it was told to stop.
#[test]
#[cfg(target_os = "linux")]
fn a_runner_that_hangs_on_a_disk_ends_within_its_limit_after_it_was_told_to_stop() {
    use std::time::{Duration, Instant};

    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("data/org.sitesteward.desktop");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("plans.json"), r#"{"format":1,"content":[]}"#).unwrap();
    let library = home.path().join("hang_at.so");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shell/plan_process/hang_at.c");
    let mut compile = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
    compile.args(["-shared", "-fPIC", "-o"]).args([&library, Path::new(source)]).arg("-ldl");
    assert!(compile.status().unwrap().success());
    let mut runner = program(home.path(), &["run-due-plans"]);
    let mut runner = runner.env("LD_PRELOAD", &library).spawn().unwrap();
    let until = |limit: u64, is_so: &mut dyn FnMut() -> bool| {
        let begun = Instant::now();
        while !is_so() && begun.elapsed() < Duration::from_secs(limit) {
            std::thread::sleep(Duration::from_millis(100));
        }
        is_so()
    };
    assert!(until(30, &mut || folder.join("plans.json.hangs").exists()));

    let told = Command::new("/bin/kill").args(["-TERM", &runner.id().to_string()]).status();

    assert!(told.unwrap().success());
    let has_ended = until(75, &mut || runner.try_wait().unwrap().is_some());
    let _ = runner.kill();
    assert!(has_ended, "it hangs still");
    assert_eq!(runner.wait().unwrap().code(), Some(1));
}
