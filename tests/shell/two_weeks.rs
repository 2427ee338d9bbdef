//! Two weeks of the runner, started by the timer of a real user instance of systemd, on a clock that the test moves: what
//! happened each night stands beside what the window and the alerts said of it in the morning.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use jiff::civil::{Date, DateTime};
use jiff::{Timestamp, ToSpan as _};
use steward_plans::acceptance_line::{LineAbout, PlanSession};
use steward_plans::plan::BackupPlan;
use steward_plans::saved::SavedPlans;
use steward_plans::schedule::{Day, Schedule, TimeOfDay};
use steward_plans::scheduler::systemd::{SERVICE, Systemd, TIMER};
use steward_plans::set::{BackupSet, PartFault, PartState, Verdict};
use steward_plans::state::{NeedsYou, PlanState};
use steward_plans::store;
use steward_testkit::{Reply, TestServer};
use steward_vault::{KeyringStore, Secret, SecretStore as _};

use crate::clock::Clock;
use crate::plan_site::{event_of, save_channel, save_due_plan, site_of_the_program};
use crate::test_app::{TestApp, sets_in};
use crate::user_instance::{
    Instance, inside_with_clock, property, start_after_three_days, start_keyring, start_locked_keyring,
    systemctl, wait_until,
};

/// What happens in a night.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Night {
    Quiet,
    LockedKeyring,
    NoSessionBus,
    FullDisk,
    AbsentShare,
    RevokedSession,
    /// And the receiver of alerts is out of order: it is asked three times, and rejects each.
    AbsentShareAndFailedAlert,
    ComputerOff,
    /// It is turned on in the morning.
    CaughtUp,
}

/// The nights, each with what the window says in the morning, and the alerts that arrived since the last one.
const NIGHTS: [(Night, &str, &[&str]); 15] = [
    (Night::Quiet, "verified", &[]),
    (Night::LockedKeyring, "keyring", &[]),
    (Night::Quiet, "verified", &["plan.recovered"]),
    (Night::NoSessionBus, "keyring", &[]),
    (Night::Quiet, "verified", &["plan.recovered"]),
    (Night::FullDisk, "disk", &["plan.failed"]),
    (Night::Quiet, "verified", &["plan.recovered"]),
    (Night::AbsentShare, "folder", &["plan.failed"]),
    (Night::Quiet, "verified", &["plan.recovered"]),
    (Night::RevokedSession, "sign in", &["plan.signIn"]),
    (Night::Quiet, "verified", &["plan.recovered"]),
    (Night::AbsentShareAndFailedAlert, "folder", &["plan.failed"; 3]),
    (Night::Quiet, "verified", &["plan.recovered"]),
    (Night::ComputerOff, "did not run", &[]),
    (Night::CaughtUp, "verified", &[]),
];

/// The program of a user, its plan, and what it depends on.
struct House {
    app: TestApp,
    plan: BackupPlan,
    clock: Clock,
    runtime: tokio::runtime::Runtime,
    data: std::path::PathBuf,
    share: std::path::PathBuf,
    keyring: Option<Instance>,
    bus: String,
    receiver: TestServer,
    is_receiving: Arc<AtomicBool>,
    /// Alerts that were read in a morning before.
    read: usize,
}

#[test]
fn each_morning_of_two_weeks_says_what_happened_at_night() {
    let test = "two_weeks::each_morning_of_two_weeks_says_what_happened_at_night";
    let Some(home) = inside_with_clock(test) else { return };
    let mut house = House::new(&home);
    let first: Date = Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date() + 1.day();

    for (number, (night, says, alerts)) in NIGHTS.into_iter().enumerate() {
        let day = first + i64::try_from(number).unwrap().days();
        let (said, arrived, exit) = house.pass(night, day);
        eprintln!("{day} {night:?}: exit {exit} · {said} · {arrived:?}");
        assert_eq!(
            (said.as_str(), arrived),
            (says, alerts.iter().map(|alert| (*alert).to_owned()).collect()),
            "{day} {night:?}"
        );
    }

    let sets: Vec<_> = sets_in(&house.plan.folder);
    let whole = sets.iter().filter(|name| {
        let set = BackupSet::read(&house.plan.folder.join(name));
        set.is_ok_and(|set| set.verdict() == Verdict::AsExpected)
    });
    let verified = NIGHTS.iter().filter(|(_, says, _)| *says == "verified").count();
    assert_eq!(whole.count(), verified, "{sets:?}");
    let history = house.runtime.block_on(house.app.history());
    let exports = history.iter().filter(|entry| entry.intent.operation == "export_server");
    assert_eq!(exports.count(), verified, "nothing is exported twice");
}

impl House {
    fn new(home: &Path) -> Self {
        let clock = Clock::of(home);
        let keyring = Some(start_keyring());
        let instance = Instance::start();
        // It ends with the namespace: each night needs it.
        std::mem::forget(instance);
        for (name, value) in clock.environment() {
            systemctl(&["set-environment", &format!("{name}={value}")]);
        }
        // The instance names a bus of its own, on which there is no keyring.
        let bus = std::env::var("DBUS_SESSION_BUS_ADDRESS").unwrap();
        let (config, data) = (home.join("config"), home.join("data"));
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let app = runtime.block_on(site_of_the_program(&data));
        let app = app.restarted_with(Arc::new(KeyringStore::new("site-steward").unwrap()));
        let is_receiving = Arc::new(AtomicBool::new(true));
        let receives = is_receiving.clone();
        let receiver = runtime.block_on(TestServer::start(move |_| {
            let status = if receives.load(Ordering::SeqCst) { "200 OK" } else { "500 Out Of Order" };
            Reply::new(status, "", "")
        }));
        let receiver = receiver.unwrap();
        let share = home.join("share");
        std::fs::create_dir(&share).unwrap();
        mount(&["-t", "tmpfs", "-o", "size=64m", "tmpfs"], &share);
        let mut house = Self {
            plan: save_due_plan(&app, "nightly"),
            app,
            clock,
            runtime,
            data,
            share,
            keyring,
            bus,
            receiver,
            is_receiving,
            read: 0,
        };
        house.save_plan();
        house.see_share(true);
        let scheduler = Systemd::of_user(&config, &house.data).expect("there is a user instance");
        let times = house.plan.schedule.times.iter().copied().collect();
        scheduler.register(env!("CARGO_BIN_EXE_site-steward"), &times).unwrap();
        house
    }

    /// Saves the plan for each night at half past two, with a channel for its alerts.
    fn save_plan(&mut self) {
        let channel = save_channel(&self.app, &self.receiver);
        self.plan.alerts = vec![self.runtime.block_on(channel)];
        let times = vec![TimeOfDay { hour: 2, minute: 30 }];
        self.plan.schedule = Schedule { days: Day::ALL.to_vec(), times, skip_missed: false };
        self.plan.since = steward_core::model::numbers::Millis::now();
        let plan = self.plan.clone();
        store::plans(&self.app.steward.data_folder).change(|plans| *plans = vec![plan]);
    }

    /// Lets a night pass, and returns what the window says in the morning, the alerts that arrived, and the exit code of the
    /// runner.
    fn pass(&mut self, night: Night, day: Date) -> (String, Vec<String>, String) {
        self.see_bus(night != Night::NoSessionBus);
        let mut secrets = Vec::new();
        match night {
            Night::LockedKeyring => self.lock_keyring(true),
            Night::FullDisk => self.fill_disk(true),
            Night::AbsentShare => self.see_share(false),
            Night::AbsentShareAndFailedAlert => {
                self.see_share(false);
                self.is_receiving.store(false, Ordering::SeqCst);
            }
            Night::RevokedSession => secrets = self.replace_secrets(None),
            _ => {}
        }
        match night {
            Night::ComputerOff => {}
            Night::CaughtUp => self.run_at(day.at(7, 0, 0, 0)),
            _ => self.run_at(day.at(2, 31, 0, 0)),
        }
        self.clock.go_to(day.at(9, 0, 0, 0));
        let said = self.state();
        let arrived: Vec<_> = self.receiver.requests().iter().skip(self.read).map(event_of).collect();
        self.read += arrived.len();
        match night {
            Night::LockedKeyring => self.lock_keyring(false),
            Night::FullDisk => self.fill_disk(false),
            Night::AbsentShare => self.see_share(true),
            Night::AbsentShareAndFailedAlert => {
                self.see_share(true);
                self.is_receiving.store(true, Ordering::SeqCst);
            }
            Night::RevokedSession => drop(self.replace_secrets(Some(secrets))),
            _ => {}
        }
        (said, arrived, property("ExecMainStatus"))
    }

    /// Has the timer start the runner, and waits until it has ended.
    fn run_at(&self, time: DateTime) {
        self.clock.go_to(time);
        let began = Timestamp::now();
        // A night is over in a second: the instance limits how often it starts something.
        systemctl(&["reset-failed", SERVICE, TIMER]);
        start_after_three_days(&self.data);
        let progress = || store::progress(&self.app.steward.data_folder).get();
        wait_until("the runner has started", || {
            progress().last_start.is_some_and(|start| start.timestamp() >= began)
        });
        wait_until("the runner has ended", || {
            matches!(property("ActiveState").as_str(), "inactive" | "failed")
        });
    }

    /// What the window says of the plan, in a few words.
    fn state(&self) -> String {
        let (context, site) = (&self.app.steward.context, &self.app.site);
        let plans = SavedPlans::open(&self.app.steward.data_folder);
        let list = self.runtime.block_on(plans.list(context, site)).unwrap().plans;
        let said = match &list[0].state {
            PlanState::Verified { .. } => "verified",
            PlanState::DidNotRun { .. } => "did not run",
            PlanState::NeedsYou { reason, .. } => match reason {
                NeedsYou::NotAccepted { line } => match &line.about {
                    LineAbout::Folder { .. } => "folder",
                    LineAbout::Space { .. } => "disk",
                    LineAbout::Session { session: PlanSession::Keyring { .. }, .. } => "keyring",
                    LineAbout::Session { .. } => "sign in",
                    other => return format!("{other:?}"),
                },
                NeedsYou::SignIn { .. } => "sign in",
                NeedsYou::Part { state: PartState::Failed { fault, .. }, .. } => match fault {
                    PartFault::Keyring => "keyring",
                    PartFault::Disk => "disk",
                    PartFault::SignIn => "sign in",
                    _ => return format!("{fault:?}"),
                },
                other => return format!("{other:?}"),
            },
            other => return format!("{other:?}"),
        };
        said.to_owned()
    }

    fn lock_keyring(&mut self, is_locked: bool) {
        self.keyring.take();
        self.keyring = Some(if is_locked { start_locked_keyring() } else { start_keyring() });
    }

    fn see_bus(&self, is_seen: bool) {
        let bus = if is_seen { &self.bus } else { "unix:path=/nowhere" };
        systemctl(&["set-environment", &format!("DBUS_SESSION_BUS_ADDRESS={bus}")]);
    }

    fn see_share(&self, is_seen: bool) {
        let folder = &self.plan.folder;
        if is_seen {
            mount(&["--bind", &self.share.display().to_string()], folder);
        } else {
            assert!(Command::new("umount").arg(folder).status().unwrap().success());
        }
    }

    fn fill_disk(&self, is_full: bool) {
        let filling = self.share.join("filling");
        if is_full {
            // Ends with an error, as it should: the disk is full.
            let _ = std::fs::write(&filling, vec![0; 80 << 20]);
        } else {
            std::fs::remove_file(filling).unwrap();
        }
    }

    /// Puts secrets into the keyring that the site rejects, or those of before, and returns the former ones.
    fn replace_secrets(&self, with: Option<Vec<(String, String)>>) -> Vec<(String, String)> {
        let keyring = KeyringStore::new("site-steward").unwrap();
        self.runtime.block_on(async {
            let mut before = Vec::new();
            for (name, secret) in with.iter().flatten() {
                keyring.set(name, Secret::new(secret.clone())).await.unwrap();
            }
            for name in self.app.kept_names().await {
                let name = format!("{}/{name}", self.app.site.0);
                let Some(known) = keyring.get(&name).await.unwrap() else { continue };
                let known = known.expose().clone();
                if with.is_none() {
                    let revoked = known
                        .replace("\"password\":\"", "\"password\":\"no-longer-")
                        .replace("\"token\":\"", "\"token\":\"revoked-");
                    keyring.set(&name, Secret::new(revoked)).await.unwrap();
                }
                before.push((name, known));
            }
            before
        })
    }
}

fn mount(words: &[&str], at: &Path) {
    assert!(Command::new("mount").args(words).arg(at).status().unwrap().success(), "{words:?}");
}
