//! The runner of backup plans, started by a real user instance of systemd. It runs in a mount namespace of its own, which
//! needs root; elsewhere these tests are skipped, and say so.

use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use steward_core::plans::schedule::TimeOfDay;
use steward_core::plans::scheduler::Registration;
use steward_core::plans::scheduler::systemd::{Systemd, TIMER};

/// Home of the test inside the namespace.
const INSIDE: &str = "STEWARD_SCHEDULER_HOME";

/// Starts one test of this file again inside a namespace with a user instance. Returns whether this is the inner process.
fn is_inside(test: &str) -> Option<PathBuf> {
    if let Some(home) = std::env::var_os(INSIDE) {
        return Some(home.into());
    }
    let home = tempfile::tempdir().unwrap();
    let script = "mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/system /run/user/0 && chmod 700 /run/user/0 && \
                  exec dbus-run-session -- \"$0\" \"$@\"";
    let mut outer = Command::new("unshare");
    outer.args(["-m", "--propagation", "private", "bash", "-c", script]);
    outer.arg(std::env::current_exe().unwrap()).args(["--exact", test, "--nocapture", "--test-threads", "1"]);
    outer.env(INSIDE, home.path()).env("HOME", home.path());
    outer.env("XDG_RUNTIME_DIR", "/run/user/0").env("XDG_DATA_HOME", home.path().join("data"));
    outer.env("XDG_CONFIG_HOME", home.path().join("config")).env_remove("DISPLAY");
    let ended = outer.output();
    let is_root =
        std::fs::metadata("/proc/self").is_ok_and(|about| std::os::unix::fs::MetadataExt::uid(&about) == 0);
    let is_possible = is_root && Path::new("/lib/systemd/systemd").exists();
    match ended {
        Ok(ended) if ended.status.success() => {}
        _ if !is_possible => eprintln!("{test} is skipped: it needs root and systemd"),
        Ok(ended) => {
            panic!("{}\n{}", String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr))
        }
        Err(error) => panic!("{error}"),
    }
    None
}

/// The user instance, which ends with the test.
struct Instance(Child);

impl Instance {
    fn start() -> Self {
        let mut instance = Command::new("/lib/systemd/systemd");
        instance.args(["--user", "--log-target=null"]).stdout(Stdio::null()).stderr(Stdio::null());
        let instance = Self(instance.process_group(0).spawn().unwrap());
        wait_until("the user instance runs", || {
            let state = Command::new("systemctl").args(["--user", "is-system-running"]).output().unwrap();
            matches!(String::from_utf8_lossy(&state.stdout).trim(), "running" | "degraded")
        });
        instance
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn the_timer_starts_the_runner_catches_up_and_leaves_nothing_behind() {
    let test = "plan_scheduler::the_timer_starts_the_runner_catches_up_and_leaves_nothing_behind";
    let Some(home) = is_inside(test) else { return };
    let _instance = Instance::start();
    let program = env!("CARGO_BIN_EXE_site-steward");
    let times = [TimeOfDay { hour: 3, minute: 30 }].into();
    let (config, data) = (home.join("config"), home.join("data"));
    let scheduler = Systemd::of_user(&config, &data).expect("there is a user instance");
    let progress = data.join("org.sitesteward.desktop/plan-progress.json");

    assert_eq!(scheduler.registration(program, &times), Registration::Missing);
    scheduler.register(program, &times).unwrap();
    assert_eq!(scheduler.registration(program, &times), Registration::Registered);
    let other_times = [TimeOfDay { hour: 4, minute: 0 }].into();
    assert_eq!(scheduler.registration(program, &other_times), Registration::Differs);
    assert_eq!(scheduler.registration("/moved/site-steward", &times), Registration::Differs);
    assert!(!progress.exists(), "nothing was missed, so it does not start at once");

    scheduler.start_now().unwrap();
    wait_until("the runner wrote its start", || progress.exists());
    std::fs::remove_file(&progress).unwrap();

    // The computer was off for three days.
    let stamp = data.join("systemd/timers").join(format!("stamp-{TIMER}"));
    let systemctl = |words: &[&str]| {
        assert!(Command::new("systemctl").arg("--user").args(words).status().unwrap().success(), "{words:?}");
    };
    systemctl(&["stop", TIMER]);
    assert_eq!(scheduler.registration(program, &times), Registration::Differs, "nobody waits");
    let touched = Command::new("touch").args(["-d", "3 days ago"]).arg(&stamp).status().unwrap();
    assert!(touched.success() && stamp.exists());
    systemctl(&["start", TIMER]);
    wait_until("the runner caught up", || progress.exists());

    scheduler.remove().unwrap();
    assert_eq!(scheduler.registration(program, &times), Registration::Missing);
    assert!(
        !stamp.exists() && std::fs::read_dir(&scheduler.units).unwrap().count() == 0,
        "the units are gone"
    );
    scheduler.remove().unwrap();
}
