//! The program itself as the runner of backup plans: without a display, a session bus, and a window.

use std::path::Path;
#[cfg(target_os = "linux")]
use std::path::PathBuf;
#[cfg(target_os = "linux")]
use std::process::Child;
use std::process::{Command, Output};
#[cfg(target_os = "linux")]
use std::sync::Arc;
#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use jiff::{Timestamp, ToSpan as _};
#[cfg(target_os = "linux")]
use steward_core::files::data_folder::DataFolder;
#[cfg(target_os = "linux")]
use steward_core::model::ids::SiteId;
#[cfg(target_os = "linux")]
use steward_core::model::numbers::Millis;
#[cfg(target_os = "linux")]
use steward_plans::plan::{BackupPlan, PlanId};
#[cfg(target_os = "linux")]
use steward_plans::retention::KeepRules;
#[cfg(target_os = "linux")]
use steward_plans::schedule::{Day, Schedule, TimeOfDay};
#[cfg(target_os = "linux")]
use steward_plans::set::{BackupSet, PartFault, Verdict};
#[cfg(target_os = "linux")]
use steward_plans::store::{self, PlanProgress};
#[cfg(target_os = "linux")]
use steward_testkit::{Reply, TestServer};
#[cfg(target_os = "linux")]
use steward_vault::KeyringStore;

#[cfg(target_os = "linux")]
use crate::keyring_session::alone;
#[cfg(target_os = "linux")]
use crate::plan_site::{event_of, save_channel, save_due_plan, site_of_the_program};
#[cfg(target_os = "linux")]
use crate::test_app::{TestApp, sets_in};

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

/// Lets a program hang at a file or folder, which is to be there. Returns the file with the number of the process that does.
#[cfg(target_os = "linux")]
fn hang_at(program: &mut Command, library: &Path, place: &Path) -> PathBuf {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shell/plan_process/hang_at.c");
    let mut compile = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
    compile
        .args(["-shared", "-fPIC", "-fno-delete-null-pointer-checks", "-o"])
        .args([library, Path::new(source)])
        .arg("-ldl");
    assert!(compile.status().unwrap().success());
    program.env("LD_PRELOAD", library).env("HANG_AT", place);
    PathBuf::from(format!("{}.hangs", place.display()))
}

/// Waits until something is so, or for a number of seconds, and returns whether it is.
#[cfg(target_os = "linux")]
fn is_within(seconds: u64, mut is_so: impl FnMut() -> bool) -> bool {
    let begun = Instant::now();
    while !is_so() && begun.elapsed() < Duration::from_secs(seconds) {
        std::thread::sleep(Duration::from_millis(100));
    }
    is_so()
}

#[cfg(target_os = "linux")]
fn signal(name: &str, process: &str) {
    assert!(Command::new("/bin/kill").args([name, process]).status().unwrap().success());
}

/// A minute: that is how long a runner may take after it was told to stop.
#[test]
#[cfg(target_os = "linux")]
fn a_runner_that_hangs_on_a_disk_ends_within_its_limit_after_it_was_told_to_stop() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("data/org.sitesteward.desktop");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("plans.json"), r#"{"format":1,"content":[]}"#).unwrap();
    let mut runner = program(home.path(), &["run-due-plans"]);
    let hangs = hang_at(&mut runner, &home.path().join("hang_at.so"), &folder.join("plans.json"));
    let mut runner = runner.spawn().unwrap();
    assert!(is_within(30, || hangs.exists()));

    signal("-TERM", &runner.id().to_string());

    let has_ended = is_within(75, || runner.try_wait().unwrap().is_some());
    let _ = runner.kill();
    assert!(has_ended, "it hangs still");
    assert_eq!(runner.wait().unwrap().code(), Some(1));
}

/// Two minutes: until the next look, and until a process that hangs ends after it was told to.
#[test]
#[cfg(target_os = "linux")]
fn a_runner_that_stays_outlives_each_that_it_starts_and_tells_the_last_one_to_end() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("data/org.sitesteward.desktop");
    std::fs::create_dir_all(&folder).unwrap();
    // It stays for a plan with a schedule.
    let plan = plan_in(home.path().to_owned());
    store::plans(&folder).change(|plans| *plans = vec![plan]);
    let mut stays = program(home.path(), &["run-due-plans", "--stay"]);
    let hangs = hang_at(&mut stays, &home.path().join("hang_at.so"), &folder.join("plan-progress.json"));
    let mut stays = stays.spawn().unwrap();
    let runner = || std::fs::read_to_string(&hangs).ok().filter(|process| !process.is_empty());
    assert!(is_within(30, || runner().is_some()));
    let first = runner().unwrap();
    assert_ne!(first, stays.id().to_string(), "it is a process of its own");

    signal("-KILL", &first);

    let has_another = is_within(90, || runner().is_some_and(|process| process != first));
    assert!(stays.try_wait().unwrap().is_none(), "it stays");
    let second = runner().unwrap();
    signal("-TERM", &stays.id().to_string());
    // A process whose parent ended can stay in the table of the system after its end.
    let is_over = |status: String| status.contains("State:\tZ");
    let status = || std::fs::read_to_string(format!("/proc/{second}/status"));
    let has_ended = is_within(75, || status().map_or(true, is_over));
    let _ = stays.kill();
    stays.wait().unwrap();
    assert!(has_another && has_ended, "{has_another} {has_ended}");
}

/// A plan with a schedule, of a site that is not there.
#[cfg(target_os = "linux")]
fn plan_in(folder: PathBuf) -> BackupPlan {
    let times = vec![TimeOfDay { hour: 1, minute: 0 }];
    BackupPlan {
        id: PlanId("nightly".to_owned()),
        site: SiteId("gone".to_owned()),
        name: "nightly".to_owned(),
        is_enabled: true,
        since: Millis(0),
        enabled_since: Millis(0),
        parts: Vec::new(),
        schedule: Schedule { days: Day::ALL.to_vec(), times, skip_missed: false },
        folder,
        delete_stored: false,
        keep: KeepRules::default(),
        rehearse_every: None,
        tells_changes: false,
        alerts: Vec::new(),
    }
}

/// The keyring of the system, where the runner reads the URLs of channels.
#[cfg(target_os = "linux")]
fn keyring() -> Arc<KeyringStore> {
    Arc::new(KeyringStore::new("site-steward").unwrap())
}

/// Saves two plans that are due and have a channel: the first has its folder on a drive that does not respond.
#[cfg(target_os = "linux")]
async fn save_plans(app: &TestApp, receiver: &TestServer) -> [BackupPlan; 2] {
    let alerts = vec![save_channel(app, receiver).await];
    let plans =
        ["dead", "alive"].map(|name| BackupPlan { alerts: alerts.clone(), ..save_due_plan(app, name) });
    let saved = plans.clone();
    store::plans(&app.steward.data_folder).change(|all| *all = saved.into());
    plans
}

/// A minute: that is how long a folder is waited for.
#[test]
#[cfg(target_os = "linux")]
fn a_share_that_is_dead_costs_its_plan_the_night_and_is_told_and_the_next_plan_runs() {
    let test =
        "plan_process::a_share_that_is_dead_costs_its_plan_the_night_and_is_told_and_the_next_plan_runs";
    alone(test, async |session| {
        session.start_bus();
        session.start_keyring().await;
        let home = PathBuf::from(std::env::var_os("XDG_DATA_HOME").unwrap());
        let (mut nights, mut runners) = (Vec::new(), Vec::new());
        // Also where a runner was killed in a run of that plan.
        for is_begun in [false, true] {
            let data = home.join(if is_begun { "begun" } else { "not-begun" });
            let app = site_of_the_program(&data).await.restarted_with(keyring());
            let receiver = TestServer::start(|_| Reply::new("200 OK", "", "")).await.unwrap();
            let [dead, alive] = save_plans(&app, &receiver).await;
            if is_begun {
                store::progress(&app.steward.data_folder).change(|state| {
                    let begun = Some(Millis((Timestamp::now() - 2.hours()).as_millisecond()));
                    let progress = PlanProgress { begun, ..PlanProgress::since(dead.since) };
                    state.plans.insert(dead.id.clone(), progress);
                });
            }
            let mut runner = Command::new(env!("CARGO_BIN_EXE_site-steward"));
            runner.arg("run-due-plans").env("XDG_DATA_HOME", &data);
            let hangs = hang_at(&mut runner, &data.join("hang_at.so"), &dead.folder);
            runners.push(runner.spawn().unwrap());
            nights.push((app, receiver, dead, alive, hangs, is_begun));
        }
        let ending = tokio::task::spawn_blocking(move || {
            let ended =
                is_within(300, || runners.iter_mut().all(|runner| runner.try_wait().unwrap().is_some()));
            let mut end = |runner: &mut Child| {
                let _ = runner.kill();
                runner.wait().unwrap().code()
            };
            (ended, runners.iter_mut().map(&mut end).collect::<Vec<_>>())
        });
        let (have_ended, codes) = ending.await.unwrap();
        assert_eq!((have_ended, codes), (true, vec![Some(1); 2]));
        for (app, receiver, dead, alive, hangs, is_begun) in nights {
            let progress = store::progress(&app.steward.data_folder).get();
            assert!(hangs.exists(), "the folder was looked at");
            let last = progress.plans[&dead.id].last.clone().unwrap();
            assert_eq!((last.verdict, last.fault), (Verdict::Failed, Some(PartFault::Disk)), "{last:?}");
            let sets = sets_in(&alive.folder);
            assert_eq!(sets.len(), 1, "{progress:#?}");
            let set = BackupSet::read(&alive.folder.join(&sets[0])).unwrap();
            assert_eq!(set.verdict(), Verdict::AsExpected, "{set:#?}");
            let told: Vec<_> = receiver.requests().iter().map(event_of).collect();
            let cut_off = is_begun.then_some("plan.unknown");
            assert_eq!(told, cut_off.into_iter().chain(["plan.failed"]).collect::<Vec<_>>());
            let requests = receiver.requests();
            assert!(requests.iter().all(|request| request.text().contains("dead")), "{told:?}");
        }
    });
}

#[test]
#[cfg(target_os = "linux")]
fn a_start_beside_an_older_runner_tells_what_is_overdue_and_does_not_end_well() {
    let test = "plan_process::a_start_beside_an_older_runner_tells_what_is_overdue_and_does_not_end_well";
    alone(test, async |session| {
        session.start_bus();
        session.start_keyring().await;
        let data = PathBuf::from(std::env::var_os("XDG_DATA_HOME").unwrap());
        let app = site_of_the_program(&data).await.restarted_with(keyring());
        let receiver = TestServer::start(|_| Reply::new("200 OK", "", "")).await.unwrap();
        let alerts = vec![save_channel(&app, &receiver).await];
        let since = Millis((Timestamp::now() - 480.hours()).as_millisecond());
        let plan = BackupPlan { alerts, since, ..save_due_plan(&app, "nightly") };
        store::plans(&app.steward.data_folder).change(|all| *all = vec![plan]);
        let _older = DataFolder::take_for_runner(&app.steward.data_folder).unwrap();

        let mut codes = Vec::new();
        for _ in 0..2 {
            let mut start = Command::new(env!("CARGO_BIN_EXE_site-steward"));
            start.arg("run-due-plans");
            let ended = tokio::task::spawn_blocking(move || start.status().unwrap());
            codes.push(ended.await.unwrap().code());
        }

        assert_eq!(codes, [Some(1), Some(1)]);
        let told: Vec<_> = receiver.requests().iter().map(event_of).collect();
        assert_eq!(told, ["plan.overdue"], "once a day");
    });
}
