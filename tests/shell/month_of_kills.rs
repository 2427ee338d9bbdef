//! A month in which the runner is killed each night, at a random moment, on a clock that the test moves: what it leaves is
//! told once, and the next start goes on.

use std::collections::BTreeSet;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use jiff::civil::{Date, DateTime};
use jiff::{Timestamp, ToSpan as _};
use serde_json::Value;
use steward_core::model::numbers::Millis;
use steward_journal::{Outcome, StoredRecord};
use steward_plans::keeping;
use steward_plans::plan::{BackupPlan, ChannelId};
use steward_plans::retention::{Fate, KeepRules};
use steward_plans::schedule::{Day, Schedule, TimeOfDay};
use steward_plans::set::{BackupSet, Verdict};
use steward_plans::store;
use steward_testkit::{Reply, Request, TestServer};
use steward_vault::KeyringStore;
use tokio::runtime::Runtime;

use crate::clock::Clock;
use crate::plan_site::{event_of, save_channel, save_due_plan, site_of_the_program};
use crate::test_app::{TestApp, sets_in};
use crate::user_instance::{inside_with_clock, start_keyring};

/// Number of nights.
const NIGHTS: u32 = 30;

/// Number of sets that the plan keeps.
const KEPT: u32 = 3;

#[test]
fn a_month_of_killed_runners_leaves_no_set_without_an_end_and_tells_each_night_once() {
    let test =
        "month_of_kills::a_month_of_killed_runners_leaves_no_set_without_an_end_and_tells_each_night_once";
    let Some(home) = inside_with_clock(test) else { return };
    let clock = Clock::of(&home);
    let _keyring = start_keyring();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let app = runtime.block_on(site_of_the_program(&home.join("data")));
    let app = app.restarted_with(Arc::new(KeyringStore::new("site-steward").unwrap()));
    let receiver = runtime.block_on(TestServer::start(|_| Reply::new("200 OK", "", ""))).unwrap();
    let channel = runtime.block_on(save_channel(&app, &receiver));
    let plan = save_nightly_plan(&app, channel);
    let first: Date = Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date() + 1.day();

    // How long a night takes that nobody ends.
    clock.go_to(at_half_past_two(first));
    let began = Instant::now();
    assert!(start().wait().unwrap().success());
    let usual = began.elapsed();

    eprintln!("a night takes {usual:?}");
    let mut read = 0;
    let mut in_trail = runs_in_trail(&runtime, &app).1.len();
    for number in 1..=NIGHTS {
        let day = first + i64::from(number).days();
        clock.go_to(at_half_past_two(day));
        let mut runner = start();
        // Up to a fifth after the end of a night that nobody ends.
        let moment = usual * random_below(1200) / 1000;
        std::thread::sleep(moment);
        runner.kill().unwrap();
        let ended = runner.wait().unwrap();
        let told_by_it = troubles_in(&receiver.requests()[read..]);
        // An hour later, and a day after that of the last night: a trouble that lasts is told once a day.
        clock.go_to(day.at(3, 30, 0, 0) + i64::from(number).minutes());
        let again = start().wait().unwrap();
        let left = left_in(&plan);
        eprintln!("{day}: killed after {moment:?} ({ended}), then {again}: {} sets", left.len());
        assert!(left.iter().all(|(_, set)| set.ended.is_some()), "a set without an end: {left:#?}");
        assert_eq!(partial_files(&plan.folder), Vec::<String>::new());
        let troubles = troubles_in(&receiver.requests()[read..]);
        read = receiver.requests().len();
        let cut: Vec<_> = left
            .iter()
            .filter(|(name, set)| name.starts_with(&day.to_string()) && set.verdict() != Verdict::AsExpected)
            .collect();
        let progress = store::progress(&app.steward.data_folder).get();
        // A run that failed by itself might have been told before its runner was killed: then nothing is left to tell.
        let is_told = !told_by_it.is_empty();
        let is_success = again.success() && !is_told;
        assert!(cut.is_empty() || !is_success, "a cut night is no success: {cut:#?} {progress:#?}");
        assert_eq!(troubles.len(), usize::from(!is_success), "{troubles:?} of {left:?}");
        let zone = jiff::tz::TimeZone::system();
        let previewed = keeping::preview(&app.steward.context, &plan, Timestamp::now(), &zone);
        let (_, decision) = runtime.block_on(previewed).unwrap();
        // What a run without a copy leaves takes the place of no other set: nothing is removed after it.
        let is_whole = left
            .iter()
            .any(|(name, set)| name.starts_with(&day.to_string()) && set.verdict() == Verdict::AsExpected);
        let removed: Vec<_> = decision.sets.iter().filter(|(_, fate)| *fate == Fate::Removed).collect();
        assert!(!is_whole || removed.is_empty(), "no rule keeps these: {removed:#?}");
        let (began, ended) = runs_in_trail(&runtime, &app);
        assert_eq!(began, ended.len(), "each run that began has ended once: {left:?}");
        let (_, earlier) = ended[in_trail..].split_last().expect("a run in this night");
        // One that sent nothing, for example because a keyring is slow on a busy machine, is repeated.
        let sent_nothing = |ended: &Value| ended["outcome"] == "failed" && ended["set"] == "";
        assert!(earlier.iter().all(sent_nothing), "{ended:#?} {left:?}");
        in_trail = ended.len();
        // By the runner alone: the window opened its history before the first night.
        let history = runtime.block_on(app.history());
        let open = entries_without_outcome(&history);
        assert!(open.is_empty(), "{open:#?}");
    }

    // A runner that is killed before it removes what no rule keeps leaves that to the next run.
    clock.go_to(at_half_past_two(first + i64::from(NIGHTS + 1).days()));
    assert!(start().wait().unwrap().success());
    let left = left_in(&plan);
    let whole = left.iter().filter(|(_, set)| set.verdict() == Verdict::AsExpected).count();
    assert_eq!(whole, KEPT as usize, "{left:#?}");

    let app = app.restarted_with(Arc::new(KeyringStore::new("site-steward").unwrap()));
    let history = runtime.block_on(app.history());
    let open = entries_without_outcome(&history);
    assert!(open.is_empty(), "{open:#?}");
}

fn entries_without_outcome(history: &[StoredRecord]) -> Vec<&StoredRecord> {
    history.iter().filter(|entry| entry.outcome == Outcome::Sent).collect()
}

/// Number of runs whose begin the audit trail tells of, and what it tells of the ends of runs.
fn runs_in_trail(runtime: &Runtime, app: &TestApp) -> (usize, Vec<Value>) {
    let entries = app.steward.context.history.journal(|journal| journal.entries_after(None, 100_000));
    let entries = runtime.block_on(entries).unwrap().entries;
    let of = |kind: &'static str| entries.iter().filter(move |entry| entry.envelope.contains(kind));
    let ended =
        of("\"run.ended\"").map(|entry| serde_json::from_str(entry.body.as_deref().unwrap()).unwrap());
    (of("\"run.started\"").count(), ended.collect())
}

fn random_below(most: u64) -> u32 {
    let random = RandomState::new().build_hasher().finish() % most;
    u32::try_from(random).unwrap()
}

/// Starts the runner as the timer does.
fn start() -> Child {
    let mut runner = Command::new(env!("CARGO_BIN_EXE_site-steward"));
    runner.arg("run-due-plans").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn at_half_past_two(day: Date) -> DateTime {
    day.at(2, 31, 0, 0)
}

/// Saves a plan for each night at half past two.
fn save_nightly_plan(app: &TestApp, channel: ChannelId) -> BackupPlan {
    let times = vec![TimeOfDay { hour: 2, minute: 30 }];
    let plan = BackupPlan {
        schedule: Schedule { days: Day::ALL.to_vec(), times, skip_missed: false },
        since: Millis::now(),
        alerts: vec![channel],
        keep: KeepRules { last: Some(KEPT), ..KeepRules::default() },
        ..save_due_plan(app, "nightly")
    };
    let saved = plan.clone();
    store::plans(&app.steward.data_folder).change(|plans| *plans = vec![saved]);
    plan
}

/// The sets in the folder of a plan.
fn left_in(plan: &BackupPlan) -> Vec<(String, BackupSet)> {
    let read = |name: String| {
        let set = BackupSet::read(&plan.folder.join(&name));
        Some((name, set.ok()?))
    };
    sets_in(&plan.folder).into_iter().filter_map(read).collect()
}

/// Troubles that alerts told of, by their identifiers: one whose runner was killed while it was sent is sent again.
fn troubles_in(requests: &[Request]) -> BTreeSet<String> {
    let alerts = requests.iter().filter(|request| event_of(request) != "plan.recovered");
    alerts.map(|request| request.header("Idempotency-Key").unwrap().to_owned()).collect()
}

/// Files below a folder that were not written to their end.
fn partial_files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            found.extend(partial_files(&entry.path()));
        } else if entry.path().extension().is_some_and(|extension| extension == "part") {
            found.push(entry.path().display().to_string());
        }
    }
    found
}
