//! A real user instance of systemd, in a mount namespace of its own, which needs root; elsewhere the tests that use it are
//! skipped, and say so.

use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use steward_plans::scheduler::systemd::{SERVICE, TIMER};

use crate::clock::{Clock, PRELOAD};

/// Home of the test inside the namespace.
const INSIDE: &str = "STEWARD_SCHEDULER_HOME";

/// Starts a test again inside a namespace with room for a user instance. Returns the home of the inner process, and `None`
/// in the outer one.
pub(crate) fn inside(test: &str) -> Option<PathBuf> {
    inside_with(test, |_| Vec::new())
}

/// The same, with a clock that [`Clock`] moves.
pub(crate) fn inside_with_clock(test: &str) -> Option<PathBuf> {
    inside_with(test, |home| Clock::of(home).environment())
}

fn inside_with(
    test: &str,
    environment: impl FnOnce(&Path) -> Vec<(&'static str, String)>,
) -> Option<PathBuf> {
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
    outer.envs(environment(home.path()));
    // One after the other: the units of all instances have the same names and control groups, and an instance that stops its
    // own ends the processes of another one.
    static ALONE: Mutex<()> = Mutex::new(());
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let ended = outer.output();
    drop(alone);
    let is_root =
        std::fs::metadata("/proc/self").is_ok_and(|about| std::os::unix::fs::MetadataExt::uid(&about) == 0);
    let is_possible = is_root && Path::new("/lib/systemd/systemd").exists();
    match ended {
        // What the test wrote down, for `--nocapture`.
        Ok(ended) if ended.status.success() => eprintln!("{}", String::from_utf8_lossy(&ended.stderr)),
        _ if !is_possible => eprintln!("{test} is skipped: it needs root and systemd"),
        Ok(ended) => {
            panic!("{}\n{}", String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr))
        }
        Err(error) => panic!("{error}"),
    }
    None
}

/// The user instance or the keyring, which ends with the test.
pub(crate) struct Instance(Child);

impl Instance {
    pub(crate) fn start() -> Self {
        let mut instance = Command::new("/lib/systemd/systemd");
        instance.args(["--user", "--log-target=null"]).stdout(Stdio::null()).stderr(Stdio::null());
        instance.env_remove(PRELOAD);
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

/// Far more than anything here takes: a busy machine needs minutes for what an idle one does in a second.
const PATIENCE: Duration = Duration::from_secs(300);

pub(crate) fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

pub(crate) fn systemctl(words: &[&str]) {
    assert!(Command::new("systemctl").arg("--user").args(words).status().unwrap().success(), "{words:?}");
}

/// Returns a property of the service.
pub(crate) fn property(name: &str) -> String {
    let shown =
        Command::new("systemctl").args(["--user", "show", "--value", "--property", name, SERVICE]).output();
    String::from_utf8(shown.unwrap().stdout).unwrap().trim().to_owned()
}

/// The file with the time at which the timer last started the runner.
pub(crate) fn stamp_in(data: &Path) -> PathBuf {
    data.join("systemd/timers").join(format!("stamp-{TIMER}"))
}

/// Starts the timer as after three days for which the computer was off.
pub(crate) fn start_after_three_days(data: &Path) {
    systemctl(&["stop", TIMER]);
    let stamp = stamp_in(data);
    let touched =
        Command::new("touch").args(["-d", "3 days ago"]).arg(&stamp).env_remove(PRELOAD).status().unwrap();
    assert!(touched.success() && stamp.exists());
    systemctl(&["start", TIMER]);
}

/// Starts the real keyring of the session, unlocked.
pub(crate) fn start_keyring() -> Instance {
    start_keyring_with(&["--unlock"])
}

/// Starts the keyring that was there before, without its password.
pub(crate) fn start_locked_keyring() -> Instance {
    start_keyring_with(&[])
}

fn start_keyring_with(words: &[&str]) -> Instance {
    let mut daemon = Command::new("gnome-keyring-daemon");
    daemon.args(["--foreground", "--components=secrets"]).args(words).env_remove(PRELOAD);
    let mut daemon =
        daemon.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    daemon.stdin.take().unwrap().write_all(b"practice").unwrap();
    // Without starting one by the name: that would be a second keyring, which is locked.
    wait_until("the keyring is on the bus", || {
        let mut asked = Command::new("dbus-send");
        asked.args(["--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus"]);
        asked.args(["org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets"]);
        asked.output().is_ok_and(|answer| String::from_utf8_lossy(&answer.stdout).contains("boolean true"))
    });
    Instance(daemon)
}
