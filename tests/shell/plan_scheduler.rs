//! The runner of backup plans, started by a real user instance of systemd. It runs in a mount namespace of its own, which
//! needs root; elsewhere these tests are skipped, and say so.

use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use steward_journal::Outcome;
use steward_plans::plan::BackupPlan;
use steward_plans::schedule::TimeOfDay;
use steward_plans::scheduler::Registration;
use steward_plans::scheduler::systemd::{SERVICE, Systemd, TIMER};
use steward_plans::set::{BackupSet, PartState, Verdict};
use steward_testkit::Fault;

use crate::plan_site::{save_due_plan, site_of_the_program};
use crate::test_app::sets_in;

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

/// The user instance or the keyring, which ends with the test.
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

/// Far more than anything here takes: a busy machine needs minutes for what an idle one does in a second.
const PATIENCE: Duration = Duration::from_secs(300);

fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn systemctl(words: &[&str]) {
    assert!(Command::new("systemctl").arg("--user").args(words).status().unwrap().success(), "{words:?}");
}

/// Returns a property of the service.
fn property(name: &str) -> String {
    let shown =
        Command::new("systemctl").args(["--user", "show", "--value", "--property", name, SERVICE]).output();
    String::from_utf8(shown.unwrap().stdout).unwrap().trim().to_owned()
}

/// The file with the time at which the timer last started the runner.
fn stamp_in(data: &Path) -> PathBuf {
    data.join("systemd/timers").join(format!("stamp-{TIMER}"))
}

/// Starts the timer as after three days for which the computer was off.
fn start_after_three_days(data: &Path) {
    systemctl(&["stop", TIMER]);
    let stamp = stamp_in(data);
    let touched = Command::new("touch").args(["-d", "3 days ago"]).arg(&stamp).status().unwrap();
    assert!(touched.success() && stamp.exists());
    systemctl(&["start", TIMER]);
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

    let stamp = stamp_in(&data);
    systemctl(&["stop", TIMER]);
    assert_eq!(scheduler.registration(program, &times), Registration::Differs, "nobody waits");
    start_after_three_days(&data);
    wait_until("the runner caught up", || progress.exists());

    scheduler.remove().unwrap();
    assert_eq!(scheduler.registration(program, &times), Registration::Missing);
    assert!(
        !stamp.exists() && std::fs::read_dir(&scheduler.units).unwrap().count() == 0,
        "the units are gone"
    );
    scheduler.remove().unwrap();
}

/// The real keyring of the session, unlocked.
fn start_keyring() -> Instance {
    let mut daemon = Command::new("gnome-keyring-daemon");
    daemon.args(["--foreground", "--unlock", "--components=secrets"]);
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

/// The set that is in the folder of a plan; `None` before its `set.json` is written.
fn set_of(plan: &BackupPlan) -> Option<BackupSet> {
    let [name] = &sets_in(&plan.folder)[..] else { return None };
    BackupSet::read(&plan.folder.join(name)).ok()
}

#[test]
fn the_timer_exports_a_site_after_a_missed_day_and_a_run_that_is_told_to_end_says_what_is_unknown() {
    let test = "plan_scheduler::the_timer_exports_a_site_after_a_missed_day_and_a_run_that_is_told_to_end_says_what_is_unknown";
    let Some(home) = is_inside(test) else { return };
    let _keyring = start_keyring();
    let _instance = Instance::start();
    // The instance names a bus of its own, on which there is no keyring.
    let bus = std::env::var("DBUS_SESSION_BUS_ADDRESS").unwrap();
    systemctl(&["set-environment", &format!("DBUS_SESSION_BUS_ADDRESS={bus}")]);
    let (config, data) = (home.join("config"), home.join("data"));
    // The practice site goes on while this thread waits.
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let app = runtime.block_on(site_of_the_program(&data));
    let scheduler = Systemd::of_user(&config, &data).expect("there is a user instance");
    let plan = save_due_plan(&app, "nightly");
    scheduler
        .register(env!("CARGO_BIN_EXE_site-steward"), &plan.schedule.times.iter().copied().collect())
        .unwrap();
    start_after_three_days(&data);
    wait_until("the set is there", || set_of(&plan).is_some_and(|set| set.ended.is_some()));
    assert_eq!(set_of(&plan).unwrap().verdict(), Verdict::AsExpected, "{:?}", set_of(&plan));
    wait_until("the service has ended", || property("ActiveState") == "inactive");
    assert_eq!(property("Result"), "success");

    // In the middle of an export that the site does not answer.
    let plan = save_due_plan(&app, "second");
    let way = runtime.block_on(app.with_fault("/exportSite", Fault::Silence));
    start_after_three_days(&data);
    wait_until("the export was sent", || way.met() > 0);
    // Stop waits until the process has ended, as the end of a session does.
    systemctl(&["stop", SERVICE]);
    assert_eq!(
        (property("ExecMainCode").as_str(), property("ExecMainStatus").as_str()),
        ("1", "1"),
        "it ended by itself"
    );
    let set = set_of(&plan).unwrap();
    assert_eq!((set.verdict(), &set.parts[0].state), (Verdict::Unknown, &PartState::Unknown), "{set:?}");
    let history = runtime.block_on(app.history());
    let outcome_of =
        |name: &str| history.iter().find(|entry| entry.intent.operation == name).map(|entry| entry.outcome);
    assert_eq!(
        (outcome_of("export_server"), outcome_of("run_plan")),
        (Some(Outcome::Unknown), Some(Outcome::Unknown))
    );
    scheduler.remove().unwrap();
}
