//! The runner of backup plans, started by a real user instance of systemd.

use steward_journal::Outcome;
use steward_plans::plan::BackupPlan;
use steward_plans::schedule::TimeOfDay;
use steward_plans::scheduler::Registration;
use steward_plans::scheduler::systemd::{SERVICE, Systemd, TIMER};
use steward_plans::set::{BackupSet, PartState, Verdict};
use steward_testkit::Fault;

use crate::plan_site::{save_due_plan, site_of_the_program, store_sessions};
use crate::test_app::sets_in;
use crate::user_instance::{
    Instance, inside, property, stamp_in, start_after_three_days, start_keyring, systemctl, wait_until,
};

#[test]
fn the_timer_starts_the_runner_catches_up_and_leaves_nothing_behind() {
    let test = "plan_scheduler::the_timer_starts_the_runner_catches_up_and_leaves_nothing_behind";
    let Some(home) = inside(test) else { return };
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

/// The set that is in the folder of a plan; `None` before its `set.json` is written.
fn set_of(plan: &BackupPlan) -> Option<BackupSet> {
    let [name] = &sets_in(&plan.folder)[..] else { return None };
    BackupSet::read(&plan.folder.join(name)).ok()
}

#[test]
fn the_timer_exports_a_site_after_a_missed_day_and_a_run_that_is_told_to_end_says_what_is_unknown() {
    let test = "plan_scheduler::the_timer_exports_a_site_after_a_missed_day_and_a_run_that_is_told_to_end_says_what_is_unknown";
    let Some(home) = inside(test) else { return };
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
    runtime.block_on(store_sessions(&app));
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
