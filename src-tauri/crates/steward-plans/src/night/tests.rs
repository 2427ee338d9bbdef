//! A year of a plan, hour by hour, against a model that is computed from the calendar alone.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

use jiff::civil::{Date, date};
use jiff::{SignedDuration, ToSpan as _};
use steward_core::files::JsonStore;
use steward_core::model::ids::{PRACTICE, SiteId};

use super::*;
use crate::alerts::state::AlertStore;
use crate::alerts::when::{AlertAbout, Trouble};
use crate::attempt::StoredSet;
use crate::due::overdue_since;
use crate::plan::PlanId;
use crate::schedule::{Day, Schedule, TimeOfDay};
use crate::set::{BackupSet, PartState, SetPart};

mod mornings;

/// A computer of a year: its clock, and what the site returns at a time.
struct Year {
    now: Mutex<Timestamp>,
    outcome: fn(&jiff::Zoned) -> Outcome,
    runs: Mutex<Vec<(Timestamp, Timestamp, Outcome)>>,
    alerts: Mutex<Vec<(String, AlertAbout)>>,
    zone: TimeZone,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Verified,
    Failed,
    NoNetwork,
    DiskFull,
    /// The refresh token was rotated elsewhere.
    SignIn,
    KeyringLocked,
    /// The certificate of the site was replaced.
    NotTrusted,
    Unknown,
}

impl Host for Year {
    fn now(&self) -> Timestamp {
        *self.now.lock().unwrap()
    }

    fn zone(&self) -> TimeZone {
        self.zone.clone()
    }

    async fn run(&self, _: &BackupPlan, attempt: Attempt) -> (AttemptEnd, Option<String>) {
        let now = self.now();
        let scheduled = attempt.scheduled.unwrap_or(now);
        let outcome = (self.outcome)(&now.to_zoned(self.zone.clone()));
        let mut runs = self.runs.lock().unwrap();
        let is_expected = runs.last().is_some_and(|(_, before, _)| *before == scheduled);
        assert_eq!(attempt.is_repetition, is_expected, "{now}");
        runs.push((now, scheduled, outcome));
        drop(runs);
        let (verdict, fault) = match outcome {
            Outcome::Verified => (Verdict::AsExpected, None),
            Outcome::Failed => (Verdict::Failed, Some(PartFault::Rejected)),
            Outcome::NoNetwork => (Verdict::Failed, Some(PartFault::Connection)),
            Outcome::DiskFull => (Verdict::Failed, Some(PartFault::Disk)),
            Outcome::SignIn => (Verdict::Failed, Some(PartFault::SignIn)),
            Outcome::KeyringLocked => (Verdict::Failed, Some(PartFault::Keyring)),
            Outcome::NotTrusted => (Verdict::Failed, Some(PartFault::NotTrusted)),
            Outcome::Unknown => (Verdict::Unknown, None),
        };
        let sent_nothing = matches!(
            outcome,
            Outcome::NoNetwork | Outcome::DiskFull | Outcome::KeyringLocked | Outcome::NotTrusted
        );
        (AttemptEnd { verdict, fault, sent_nothing, ..AttemptEnd::without_set() }, None)
    }

    async fn beat(&self, _: &BackupPlan, _: &str, _: &AttemptEnd) {}

    async fn remove_others(&self, _: &BackupPlan) -> Option<Vec<(String, WhyNotRemoved)>> {
        None
    }

    async fn record_cut_off(&self, _: &BackupPlan, end: &AttemptEnd, _: (Millis, Option<Millis>)) {
        panic!("no run is cut off: {end:?}")
    }

    async fn verify_again(&self, _: &BackupPlan, _: &str, _: &Target) {}

    async fn send(&self, _: &BackupPlan, _: &PlanProgress, alert: &OpenAlert) -> bool {
        let at = self.now().to_zoned(self.zone.clone()).strftime("%m-%d %H:%M").to_string();
        self.alerts.lock().unwrap().push((at, alert.about));
        true
    }

    /// The clock goes on meanwhile.
    async fn pause(&self, pause: Duration) -> bool {
        self.set(self.now() + SignedDuration::try_from(pause).unwrap());
        true
    }

    fn is_stopped(&self) -> bool {
        false
    }
}

impl Year {
    fn from(first: Date, outcome: fn(&jiff::Zoned) -> Outcome) -> Self {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let now = first.to_zoned(zone.clone()).unwrap().timestamp();
        Self { now: Mutex::new(now), outcome, runs: Mutex::default(), alerts: Mutex::default(), zone }
    }

    fn set(&self, now: Timestamp) {
        *self.now.lock().unwrap() = now;
    }
}

fn nightly(since: Timestamp, skip_missed: bool) -> BackupPlan {
    BackupPlan {
        since: Millis::from(since),
        enabled_since: Millis::from(since),
        schedule: Schedule {
            days: Day::ALL.to_vec(),
            times: vec![TimeOfDay { hour: 2, minute: 30 }],
            skip_missed,
        },
        ..BackupPlan::example()
    }
}

/// The files of a new data folder.
fn files() -> (tempfile::TempDir, RunnerFiles) {
    let folder = tempfile::tempdir().unwrap();
    let data_folder = folder.path().to_owned();
    let progress = JsonStore::open(data_folder.join("progress.json"));
    let alerts = AlertStore::open(&data_folder);
    (folder, RunnerFiles { data_folder, progress, alerts })
}

const OFF: (Date, Date) = (date(2027, 6, 7), date(2027, 6, 13));

/// The scheduler starts the runner once an hour, and at 02:30 where the clock shows it: never on 28 March, twice on
/// 31 October. The computer is off for a week, and is switched on at ten.
fn starts(at: &jiff::Zoned) -> bool {
    let is_off = (OFF.0..=OFF.1).contains(&at.date()) || (at.date() == date(2027, 6, 14) && at.hour() < 10);
    !is_off && (at.minute() == 0 || (at.hour() == 2 && at.minute() == 30))
}

/// In July, the site rejects each export. In the first days of September, the network is gone until noon of the third.
fn outcome(at: &jiff::Zoned) -> Outcome {
    match (at.month(), at.day(), at.hour()) {
        (7, ..) => Outcome::Failed,
        (9, 1 | 2, _) | (9, 3, 0..12) => Outcome::NoNetwork,
        _ => Outcome::Verified,
    }
}

/// Minutes after a start at which a plan without a network is tried.
const ATTEMPTS: [i64; 6] = [0, 1, 3, 7, 15, 30];

/// Times at which a plan without a network is tried by a start, which is `02` or `02:30`.
fn attempts(start: &str) -> impl Iterator<Item = String> {
    let (hour, minute) = start.split_once(':').unwrap_or((start, "0"));
    let start = jiff::civil::time(hour.parse().unwrap(), minute.parse().unwrap(), 0, 0);
    ATTEMPTS.into_iter().map(move |minutes| (start + minutes.minutes()).strftime("%H:%M").to_string())
}

#[tokio::test]
async fn a_year_of_nights_runs_as_the_calendar_says() {
    let year = Year::from(date(2027, 1, 1), outcome);
    let (_folder, files) = files();
    let plans = [nightly(year.now(), false)];
    let mut overdue_at_noon: BTreeMap<Date, bool> = BTreeMap::new();
    let end = date(2028, 1, 1).to_zoned(year.zone.clone()).unwrap().timestamp();
    let mut now = year.now();
    while now < end {
        year.set(now);
        let at = now.to_zoned(year.zone.clone());
        if starts(&at) {
            run(&year, &files, || plans.to_vec()).await;
        }
        if at.hour() == 12 && at.minute() == 0 {
            let verified = files.progress.read(|state| state.plans.values().find_map(|plan| plan.verified));
            let from = (verified.unwrap_or(plans[0].since)).timestamp();
            let overdue = overdue_since(&plans[0].schedule, from, now, &year.zone);
            overdue_at_noon.insert(at.date(), overdue.is_some());
        }
        now += SignedDuration::from_mins(30);
    }

    let runs = year.runs.lock().unwrap();
    let one = |time: &str| vec![time.to_owned()];
    let mut expected = Vec::new();
    let mut day = date(2027, 1, 1);
    while day < date(2028, 1, 1) {
        let of_day = match (day.month(), day.day()) {
            (3, 28) => one("04:00"),
            (6, 7..=13) => vec![],
            (6, 14) => one("10:00"),
            (9, 3) => {
                let starts =
                    ["00", "01", "02", "02:30", "03", "04", "05", "06", "07", "08", "09", "10", "11"];
                starts.into_iter().flat_map(attempts).chain(["12:00".to_owned()]).collect()
            }
            // At each start from the first time on; checked by their number below.
            (9, 1 | 2) => vec![],
            _ => one("02:30"),
        };
        expected.extend(of_day.into_iter().map(|time| format!("{day} {time}")));
        day = day.tomorrow().unwrap();
    }
    let is_down = |at: &jiff::Zoned| at.month() == 9 && at.day() < 3;
    let local: Vec<jiff::Zoned> = runs.iter().map(|(at, ..)| at.to_zoned(year.zone.clone())).collect();
    let found: Vec<String> =
        local.iter().filter(|at| !is_down(at)).map(|at| at.strftime("%Y-%m-%d %H:%M").to_string()).collect();
    assert_eq!(found, expected);
    assert_eq!(local.iter().filter(|at| is_down(at)).count(), ATTEMPTS.len() * ((1 + 21) + (3 + 1 + 21)));
    assert_eq!(runs.iter().filter(|(.., outcome)| *outcome == Outcome::Failed).count(), 31);

    for (day, is_overdue) in overdue_at_noon {
        let is_expected = matches!((day.month(), day.day()), (6, 7..=13) | (7, _) | (9, 1 | 2));
        assert_eq!(is_overdue, is_expected, "{day}");
    }
    assert_eq!(
        files.progress.read(|state| state.last_start).map(Millis::timestamp),
        Some(end - SignedDuration::from_hours(1))
    );
}

#[tokio::test]
async fn a_plan_that_leaves_out_what_it_missed_says_what() {
    let year = Year::from(date(2027, 6, 1), |_| Outcome::Verified);
    let (_folder, files) = files();
    let plans = [nightly(year.now(), true)];
    let at = |day: Date, hour: i8, minute: i8| {
        day.at(hour, minute, 0, 0).to_zoned(year.zone.clone()).unwrap().timestamp()
    };
    year.set(at(date(2027, 6, 2), 2, 30));
    assert_eq!(run(&year, &files, || plans.to_vec()).await, Some(Verdict::AsExpected));
    year.set(at(date(2027, 6, 9), 9, 0));
    assert_eq!(run(&year, &files, || plans.to_vec()).await, None);
    let left_out = files.progress.read(|state| state.plans[&plans[0].id].left_out);
    assert_eq!(left_out.map(Millis::timestamp), Some(at(date(2027, 6, 9), 2, 30)));
    year.set(at(date(2027, 6, 10), 2, 30));
    assert_eq!(run(&year, &files, || plans.to_vec()).await, Some(Verdict::AsExpected));
}

#[tokio::test]
async fn a_plan_that_is_paused_or_of_the_practice_site_never_runs_by_its_schedule() {
    let year = Year::from(date(2027, 6, 1), |_| Outcome::Verified);
    let (_folder, files) = files();
    let paused = BackupPlan { is_enabled: false, ..nightly(year.now(), false) };
    let practice = BackupPlan { site: SiteId(PRACTICE.to_owned()), ..nightly(year.now(), false) };
    let enabled_again =
        BackupPlan { since: Millis::from(year.now() + 72.hours()), ..nightly(year.now(), false) };
    let plans = [paused, practice, enabled_again];
    year.set(year.now() + 73.hours());
    assert_eq!(run(&year, &files, || plans.to_vec()).await, None);
    assert!(year.runs.lock().unwrap().is_empty());
}

/// Attempts of one start at 02:30 whose outcome depends on the minutes since, the verdict, and the alerts.
async fn attempts_of_a_start(outcome: fn(&jiff::Zoned) -> Outcome) -> (Vec<i64>, Option<Verdict>, usize) {
    let year = Year::from(date(2027, 6, 1), outcome);
    let (_folder, files) = files();
    let plans = [nightly(year.now(), false)];
    let start = year.now() + 150.minutes();
    year.set(start);
    let verdict = run(&year, &files, || plans.to_vec()).await;
    let runs = year.runs.lock().unwrap();
    let minutes = runs.iter().map(|(at, ..)| at.duration_since(start).as_mins()).collect();
    (minutes, verdict, year.alerts.lock().unwrap().len())
}

#[tokio::test]
async fn a_plan_that_reached_no_site_is_run_again_with_growing_pauses_for_half_an_hour() {
    type Case = (fn(&jiff::Zoned) -> Outcome, &'static [i64], Option<Verdict>, usize);
    let failed = Some(Verdict::Failed);
    let well = Some(Verdict::AsExpected);
    let cases: [Case; 7] = [
        (|_| Outcome::Verified, &[0], well, 0),
        (|_| Outcome::NoNetwork, &ATTEMPTS, failed, 0),
        (|at| if at.minute() < 35 { Outcome::NoNetwork } else { Outcome::Verified }, &[0, 1, 3, 7], well, 0),
        // The site is reached after three minutes, and rejects the export.
        (|at| if at.minute() < 33 { Outcome::NoNetwork } else { Outcome::Failed }, &[0, 1, 3], failed, 1),
        // A pause neither frees space nor signs in a user.
        (|_| Outcome::DiskFull, &[0], failed, 1),
        (|_| Outcome::SignIn, &[0], failed, 1),
        // A pause does not make a certificate trusted either: the alert is sent at once.
        (|_| Outcome::NotTrusted, &[0], failed, 1),
    ];
    for (case, (outcome, attempts, verdict, alerts)) in cases.into_iter().enumerate() {
        assert_eq!(attempts_of_a_start(outcome).await, (attempts.to_vec(), verdict, alerts), "case {case}");
    }
}

/// Time of the last run at 02:30, at 03:30 and at 04:30, after starts whose outcome depends on the hour.
async fn times_of_the_last_run(outcome: fn(&jiff::Zoned) -> Outcome) -> Vec<String> {
    let year = Year::from(date(2027, 6, 1), outcome);
    let (_folder, files) = files();
    let plan = nightly(year.now(), false);
    let midnight = year.now();
    let mut times = Vec::new();
    for hour in [2, 3, 4] {
        year.set(midnight + hour.hours() + 30.minutes());
        run(&year, &files, || vec![plan.clone()]).await;
        let last = files.progress.read(|state| state.plans[&plan.id].last.as_ref().unwrap().at);
        times.push(last.timestamp().to_zoned(year.zone()).strftime("%H:%M").to_string());
    }
    times
}

#[tokio::test]
async fn a_failure_that_a_user_has_seen_comes_back_only_if_another_follows() {
    let locked = times_of_the_last_run(|_| Outcome::KeyringLocked).await;
    assert_eq!(locked, ["02:30", "02:30", "02:30"]);
    let then_full = |at: &jiff::Zoned| {
        if at.hour() < 4 { Outcome::KeyringLocked } else { Outcome::DiskFull }
    };
    assert_eq!(times_of_the_last_run(then_full).await, ["02:30", "02:30", "04:30"]);
    let then_sent = |at: &jiff::Zoned| {
        if at.hour() < 3 { Outcome::KeyringLocked } else { Outcome::Failed }
    };
    assert_eq!(times_of_the_last_run(then_sent).await, ["02:30", "03:30", "03:30"]);
}

#[tokio::test]
async fn a_plan_that_is_deleted_during_a_pause_is_not_run_again() {
    let year = Year::from(date(2027, 6, 1), |_| Outcome::NoNetwork);
    let (_folder, files) = files();
    let plan = nightly(year.now(), false);
    year.set(year.now() + 3.hours());
    let saved = || if year.runs.lock().unwrap().is_empty() { vec![plan.clone()] } else { Vec::new() };
    run(&year, &files, saved).await;
    assert_eq!(year.runs.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_plan_that_is_changed_while_another_one_runs_runs_as_it_is_saved_then_or_not_at_all() {
    type Case = (fn(BackupPlan) -> Option<BackupPlan>, Option<&'static str>);
    let cases: [Case; 4] = [
        (Some, Some("/sets")),
        (|plan| Some(BackupPlan { folder: "/other".into(), ..plan }), Some("/other")),
        (|plan| Some(BackupPlan { is_enabled: false, ..plan }), None),
        (|_| None, None),
    ];
    for (case, (change, expected)) in cases.into_iter().enumerate() {
        let night = Night::ends(verified());
        let (_folder, files) = files();
        let later = BackupPlan { folder: "/sets".into(), ..night.plan() };
        let first = BackupPlan { id: PlanId("first".to_owned()), ..later.clone() };
        let last_of = |id: &PlanId| files.progress.read(|state| state.plans.get(id).cloned());
        let saved = || {
            let has_run = last_of(&first.id).is_some_and(|progress| progress.last.is_some());
            let later = if has_run { change(later.clone()) } else { Some(later.clone()) };
            [Some(first.clone()), later].into_iter().flatten().collect()
        };

        run(&night, &files, saved).await;

        let sets_in = last_of(&later.id).and_then(|progress| progress.sets_in);
        let folder = sets_in.map(|sets_in| sets_in.folder.display().to_string());
        assert_eq!(folder.as_deref(), expected, "case {case}");
    }
}

#[tokio::test]
async fn a_run_that_sent_nothing_is_repeated_and_told_each_day_although_its_times_were_changed() {
    let year = Year::from(date(2027, 6, 1), |_| Outcome::DiskFull);
    let (_folder, files) = files();
    let plan = nightly(year.now(), false);
    let midnight = year.now();
    year.set(midnight + 3.hours());
    run(&year, &files, || vec![plan.clone()]).await;

    let mut moved = BackupPlan { since: Millis::from(midnight + 10.hours()), ..plan.clone() };
    moved.schedule = Schedule { days: vec![Day::Sunday], ..moved.schedule };
    for hours in [11, 28] {
        year.set(midnight + hours.hours());
        assert_eq!(run(&year, &files, || vec![moved.clone()]).await, Some(Verdict::Failed), "{hours}");
    }

    let told: Vec<_> = year.alerts.lock().unwrap().iter().map(|(at, _)| at.clone()).collect();
    assert_eq!(told, ["06-01 03:00", "06-02 04:00"]);
}

#[tokio::test]
async fn a_run_that_is_killed_is_not_started_again_by_the_next_start() {
    struct Killed;
    impl Host for Killed {
        fn now(&self) -> Timestamp {
            "2027-06-02T03:00:00Z".parse().unwrap()
        }
        fn zone(&self) -> TimeZone {
            TimeZone::UTC
        }
        async fn run(&self, _: &BackupPlan, _: Attempt) -> (AttemptEnd, Option<String>) {
            std::future::pending().await
        }
        async fn beat(&self, _: &BackupPlan, _: &str, _: &AttemptEnd) {}
        async fn remove_others(&self, _: &BackupPlan) -> Option<Vec<(String, WhyNotRemoved)>> {
            None
        }
        async fn record_cut_off(&self, _: &BackupPlan, _: &AttemptEnd, _: (Millis, Option<Millis>)) {}
        async fn verify_again(&self, _: &BackupPlan, _: &str, _: &Target) {}
        async fn send(&self, _: &BackupPlan, _: &PlanProgress, _: &OpenAlert) -> bool {
            true
        }
        async fn pause(&self, _: Duration) -> bool {
            false
        }
        fn is_stopped(&self) -> bool {
            false
        }
    }
    let (_folder, files) = files();
    let plans = [nightly("2027-06-02T00:00:00Z".parse().unwrap(), false)];
    let running = run(&Killed, &files, || plans.to_vec());
    // It is dropped while the run waits.
    assert!(futures_util::FutureExt::now_or_never(running).is_none());
    let handled = files.progress.read(|state| state.plans[&plans[0].id].handled);
    assert_eq!(handled.timestamp().to_string(), "2027-06-02T02:30:00Z");
}

#[tokio::test]
async fn a_clock_that_showed_another_year_stops_no_plan() {
    let year = Year::from(date(2030, 6, 1), |_| Outcome::Verified);
    let (_folder, files) = files();
    let plans = [nightly(year.now(), false)];
    year.set(year.now() + 3.hours());
    assert!(run(&year, &files, || plans.to_vec()).await.is_some());
    year.set("2027-06-02T10:00:00Z".parse().unwrap());
    assert_eq!(run(&year, &files, || plans.to_vec()).await, None);
    year.set("2027-06-03T00:30:00Z".parse().unwrap());
    assert!(run(&year, &files, || plans.to_vec()).await.is_some(), "02:30 in Berlin");
}

/// What goes wrong in a year of alerts. A plan that is repeated each hour has no network, no room on the disk, or
/// a locked keyring.
fn troubles(at: &jiff::Zoned) -> Outcome {
    match (at.month(), at.day(), at.hour()) {
        (2, 10..=12, _) => Outcome::SignIn,
        (4, 5, _) => Outcome::Unknown,
        (5, 20..=21, _) | (5, 22, 0..9) => Outcome::DiskFull,
        (7, ..) => Outcome::Failed,
        (9, 1 | 2, _) | (9, 3, 0..12) => Outcome::NoNetwork,
        (11, 3.., _) => Outcome::KeyringLocked,
        _ => Outcome::Verified,
    }
}

/// Alerts of that year, from the calendar alone.
fn expected_alerts() -> Vec<(String, AlertAbout)> {
    let mut expected = Vec::new();
    let mut tell = |day: Date, time: &str, about| {
        expected.push((format!("{} {time}", day.strftime("%m-%d")), about));
    };
    let trouble = AlertAbout::Trouble;
    let mut day = date(2027, 1, 1);
    while day < date(2028, 1, 1) {
        match (day.month(), day.day()) {
            (2, 10..=12) => tell(day, "02:30", trouble(Trouble::SignIn)),
            (2, 13) => tell(day, "02:30", AlertAbout::Recovered),
            (4, 5) => tell(day, "02:30", trouble(Trouble::Unknown)),
            (4, 6) => tell(day, "02:30", AlertAbout::Recovered),
            (5, 20 | 21) => tell(day, "02:30", trouble(Trouble::Failed)),
            (5, 22) => {
                tell(day, "02:30", trouble(Trouble::Failed));
                tell(day, "09:00", AlertAbout::Recovered);
            }
            // The computer was off and could send no alert; a service for heartbeats would. The missed run follows when
            // it is on.
            (6, 7..=14) => {}
            (7, _) => tell(day, "02:30", trouble(Trouble::Failed)),
            (8, 1) => tell(day, "02:30", AlertAbout::Recovered),
            // Without a network it is overdue six hours after a set was expected, and from then on each day.
            (9, 1 | 2) => tell(day, "09:00", trouble(Trouble::Overdue)),
            (9, 3) => {
                tell(day, "09:00", trouble(Trouble::Overdue));
                tell(day, "12:00", AlertAbout::Recovered);
            }
            // The keyring stays locked until the end of November.
            (11, 3..) => tell(day, "02:30", trouble(Trouble::KeyringLocked)),
            (12, 1) => tell(day, "00:00", AlertAbout::Recovered),
            _ => {}
        }
        day = day.tomorrow().unwrap();
    }
    expected
}

#[tokio::test]
async fn a_year_of_troubles_is_told_at_once_then_once_a_day_and_its_ends_once() {
    let year = Year::from(date(2027, 1, 1), troubles);
    let (_folder, files) = files();
    let plans = [nightly(year.now(), false)];
    let end = date(2028, 1, 1).to_zoned(year.zone.clone()).unwrap().timestamp();
    let mut now = year.now();
    while now < end {
        year.set(now);
        if starts(&now.to_zoned(year.zone.clone())) {
            run(&year, &files, || plans.to_vec()).await;
        }
        now += SignedDuration::from_mins(30);
    }
    assert_eq!(*year.alerts.lock().unwrap(), expected_alerts());
}

#[tokio::test]
async fn an_alert_that_reached_nobody_is_sent_again_with_its_identifier_for_a_day() {
    struct Deaf(Mutex<Timestamp>, Mutex<Vec<(Timestamp, String)>>);
    impl Host for Deaf {
        fn now(&self) -> Timestamp {
            *self.0.lock().unwrap()
        }
        fn zone(&self) -> TimeZone {
            TimeZone::UTC
        }
        async fn run(&self, _: &BackupPlan, _: Attempt) -> (AttemptEnd, Option<String>) {
            let (fault, sent_nothing) = (Some(PartFault::Rejected), false);
            (AttemptEnd { fault, sent_nothing, ..AttemptEnd::without_set() }, None)
        }
        async fn beat(&self, _: &BackupPlan, _: &str, _: &AttemptEnd) {}
        async fn remove_others(&self, _: &BackupPlan) -> Option<Vec<(String, WhyNotRemoved)>> {
            None
        }
        async fn record_cut_off(&self, _: &BackupPlan, _: &AttemptEnd, _: (Millis, Option<Millis>)) {}
        async fn verify_again(&self, _: &BackupPlan, _: &str, _: &Target) {}
        async fn send(&self, _: &BackupPlan, _: &PlanProgress, alert: &OpenAlert) -> bool {
            self.1.lock().unwrap().push((self.now(), alert.id.clone()));
            false
        }
        async fn pause(&self, _: Duration) -> bool {
            false
        }
        fn is_stopped(&self) -> bool {
            false
        }
    }
    let begin: Timestamp = "2027-06-02T02:30:00Z".parse().unwrap();
    let host = Deaf(Mutex::new(begin), Mutex::default());
    let (_folder, files) = files();
    let plans = [nightly(begin - 1.hours(), false)];
    for hour in 0..30 {
        *host.0.lock().unwrap() = begin + hour.hours();
        run(&host, &files, || plans.to_vec()).await;
    }
    let told = host.1.lock().unwrap();
    assert_eq!(told.len(), 30);
    assert!(told[..24].iter().all(|(_, id)| *id == told[0].1), "the same alert for a day");
    assert!(
        told[24..].iter().all(|(_, id)| *id == told[24].1 && *id != told[0].1),
        "then that of the next day"
    );
}

#[tokio::test]
async fn a_set_that_is_not_recognized_as_an_export_is_no_last_verified_set_and_no_trouble() {
    let night = Night::ends(AttemptEnd::without_set());
    let (_folder, files) = files();
    // Without a run as expected, it would be overdue.
    let plan = nightly("2027-05-20T00:00:00Z".parse().unwrap(), false);
    let verified = async |state| {
        let parts = vec![SetPart::example(state)];
        *night.end.lock().unwrap() =
            AttemptEnd { verdict: Verdict::AsExpected, parts, ..AttemptEnd::without_set() };
        run_now(&night, &files, &plan).await;
        assert_eq!(night.told(), []);
        files.progress.read(|state| state.plans[&plan.id].verified)
    };
    assert_eq!(verified(PartState::Unrecognized { size: None }).await, None);
    assert!(verified(PartState::VerifiedHere).await.is_some());
}

#[tokio::test]
async fn the_last_run_has_its_duration_and_none_if_the_clock_was_set_back_meanwhile() {
    let begin: Timestamp = "2027-06-02T02:30:00Z".parse().unwrap();
    let (_folder, files) = files();
    let plan = nightly(begin, false);
    for (took, wanted) in
        [(SignedDuration::from_mins(64), Some(3_840)), (SignedDuration::from_mins(-5), None)]
    {
        let end = AttemptEnd { sent_nothing: false, ..AttemptEnd::without_set() };
        let night = Night { now: Mutex::new(begin), took, ..Night::ends(end) };
        run_now(&night, &files, &plan).await;
        assert_eq!(files.progress.read(|state| state.plans[&plan.id].last.as_ref().unwrap().took), wanted);
    }
}

/// A host of one night: each run takes as long and ends as given, and the disk is full or not.
struct Night {
    now: Mutex<Timestamp>,
    took: SignedDuration,
    end: Mutex<AttemptEnd>,
    alerts: Mutex<Vec<AlertAbout>>,
    /// Number of alerts before each heartbeat.
    beats: Mutex<Vec<usize>>,
}

impl Night {
    fn ends(end: AttemptEnd) -> Self {
        let now = "2027-06-02T02:30:00Z".parse().unwrap();
        Self {
            now: Mutex::new(now),
            took: SignedDuration::ZERO,
            end: Mutex::new(end),
            alerts: Mutex::default(),
            beats: Mutex::default(),
        }
    }

    fn plan(&self) -> BackupPlan {
        nightly(self.now() - 1.hours(), false)
    }

    async fn starts(&self, files: &RunnerFiles, plan: &BackupPlan) -> Option<Verdict> {
        run(self, files, || vec![plan.clone()]).await
    }

    fn told(&self) -> Vec<AlertAbout> {
        std::mem::take(&mut *self.alerts.lock().unwrap())
    }
}

impl Host for Night {
    fn now(&self) -> Timestamp {
        *self.now.lock().unwrap()
    }

    fn zone(&self) -> TimeZone {
        TimeZone::UTC
    }

    async fn run(&self, _: &BackupPlan, _: Attempt) -> (AttemptEnd, Option<String>) {
        *self.now.lock().unwrap() += self.took;
        (self.end.lock().unwrap().clone(), Some("run".to_owned()))
    }

    async fn beat(&self, _: &BackupPlan, _: &str, _: &AttemptEnd) {
        self.beats.lock().unwrap().push(self.alerts.lock().unwrap().len());
    }

    async fn remove_others(&self, _: &BackupPlan) -> Option<Vec<(String, WhyNotRemoved)>> {
        None
    }

    async fn record_cut_off(&self, _: &BackupPlan, _: &AttemptEnd, _: (Millis, Option<Millis>)) {}

    async fn verify_again(&self, _: &BackupPlan, _: &str, _: &Target) {}

    async fn send(&self, _: &BackupPlan, _: &PlanProgress, alert: &OpenAlert) -> bool {
        self.alerts.lock().unwrap().push(alert.about);
        true
    }

    async fn pause(&self, _: Duration) -> bool {
        false
    }

    fn is_stopped(&self) -> bool {
        false
    }
}

fn verified() -> AttemptEnd {
    let folder = Some("/sets/2027-06-02".to_owned());
    AttemptEnd { verdict: Verdict::AsExpected, folder, sent_nothing: false, ..AttemptEnd::without_set() }
}

/// A set whose folder has no place yet.
fn set_of(plan: &BackupPlan, folder: &Path) -> StoredSet {
    let part = SetPart::example(PartState::VerifiedHere);
    let (of_plan, of_site) = ((plan.id.clone(), plan.name.clone()), (plan.site.clone(), String::new()));
    let begun = BackupSet::begun(of_plan, of_site, None, vec![part]);
    StoredSet { folder: folder.to_owned(), set: BackupSet { ended: Some(Millis(1)), ..begun } }
}

#[tokio::test]
async fn a_run_that_its_runner_was_killed_in_becomes_unknown_and_is_told_once_by_the_next_start() {
    let night = Night::ends(verified());
    let (_folder, files) = files();
    let plan = night.plan();
    // Files of a runner that was killed in its run.
    let at_once = Attempt { scheduled: Some(night.now()), is_repetition: false };
    store::begin(&files.progress, &plan, at_once, night.now()).unwrap();

    for _ in 0..3 {
        *night.now.lock().unwrap() += SignedDuration::from_hours(1);
        night.starts(&files, &plan).await;
    }

    assert_eq!(night.told(), [AlertAbout::Trouble(Trouble::Unknown)]);
    let last = files.progress.read(|state| state.plans[&plan.id].last.clone()).unwrap();
    assert_eq!(last.verdict, Verdict::Unknown);
    assert_eq!(last.at, Millis::from(night.now() - 3.hours()), "since its run began");
    assert_eq!(last.took, None, "when it ended is not known");

    // Also where the next run is due at once, and ends well.
    store::begin(&files.progress, &plan, Attempt::REQUESTED, night.now()).unwrap();
    *night.now.lock().unwrap() += SignedDuration::from_hours(24);
    assert_eq!(night.starts(&files, &plan).await, Some(Verdict::AsExpected));
    assert_eq!(night.told(), [AlertAbout::Trouble(Trouble::Unknown), AlertAbout::Recovered]);
}

#[tokio::test]
async fn a_failure_is_told_before_its_heartbeat_so_that_no_runner_beside_tells_it_too() {
    let failed = AttemptEnd { verdict: Verdict::Failed, fault: Some(PartFault::Rejected), ..verified() };
    let (_folder, files) = files();
    let night = Night::ends(failed);
    let plan = night.plan();
    night.starts(&files, &plan).await;
    assert_eq!(*night.beats.lock().unwrap(), [1]);
    run_now(&night, &files, &plan).await;
    assert_eq!(*night.beats.lock().unwrap(), [1, 1], "it was told today");
}

#[tokio::test]
async fn a_failure_whose_runner_was_killed_before_it_told_it_is_no_success_of_the_start_that_tells_it() {
    let night = Night::ends(verified());
    let (_folder, files) = files();
    let plan = night.plan();
    // Files of a runner that was killed after it wrote the end of a failed run, and before it sent the alert.
    let end = AttemptEnd { verdict: Verdict::Failed, fault: Some(PartFault::Rejected), ..verified() };
    let attempt = Attempt { scheduled: Some(night.now()), is_repetition: false };
    store::begin(&files.progress, &plan, attempt, night.now()).unwrap();
    store::end(&files.progress, &plan, attempt, (night.now(), Some(night.now())), end).await;

    assert_eq!(night.starts(&files, &plan).await, Some(Verdict::Failed));
    assert_eq!(night.told(), [AlertAbout::Trouble(Trouble::Failed)]);
    assert_eq!(night.starts(&files, &plan).await, None, "it was told");
    assert!(night.told().is_empty());
}

#[tokio::test]
async fn a_set_that_a_full_disk_kept_from_being_written_is_a_failure_until_it_is_written() {
    let night = Night::ends(verified());
    let plan = night.plan();
    let (data, files) = files();
    let place = data.path().join("sets");
    // As on a full disk: nothing can be written there.
    std::fs::write(&place, "").unwrap();
    let set = place.join("2027-06-02");
    let (verdict, fault) = (Verdict::Failed, Some(PartFault::Disk));
    let (folder, unwritten) = (Some(set.display().to_string()), Some(set_of(&plan, &set)));
    *night.end.lock().unwrap() = AttemptEnd { verdict, fault, folder, unwritten, ..verified() };

    assert_eq!(night.starts(&files, &plan).await, Some(Verdict::Failed));
    assert_eq!(night.told(), [AlertAbout::Trouble(Trouble::Failed)]);
    assert_eq!(files.progress.read(|state| state.plans[&plan.id].verified), None);
    night.starts(&files, &plan).await;
    assert!(night.told().is_empty(), "there is no room yet");

    // The empty mount point of a drive that is absent.
    std::fs::remove_file(&place).unwrap();
    std::fs::create_dir(&place).unwrap();
    night.starts(&files, &plan).await;
    assert!(night.told().is_empty(), "it was not removed");
    assert_eq!(files.progress.read(|state| state.plans[&plan.id].verified), None);

    std::fs::create_dir(&set).unwrap();
    night.starts(&files, &plan).await;
    assert_eq!(night.told(), [AlertAbout::Recovered]);
    let progress = files.progress.read(|state| state.plans[&plan.id].clone());
    assert_eq!(progress.verified, Some(Millis::from(night.now())));
    assert_eq!(progress.last.unwrap().verdict, Verdict::AsExpected);
    assert_eq!(progress.unwritten, []);
}

#[tokio::test]
async fn the_sets_of_two_nights_on_a_full_disk_are_both_written_once_there_is_room() {
    let night = Night::ends(verified());
    let (plan, data) = (night.plan(), tempfile::tempdir().unwrap());
    let place = data.path().join("sets");
    std::fs::write(&place, "").unwrap();
    let sets = ["2027-06-02", "2027-06-03"].map(|name| place.join(name));
    let (_folder, files) = files();
    for set in &sets {
        let (verdict, fault) = (Verdict::Failed, Some(PartFault::Disk));
        let (folder, unwritten) = (Some(set.display().to_string()), Some(set_of(&plan, set)));
        *night.end.lock().unwrap() = AttemptEnd { verdict, fault, folder, unwritten, ..verified() };
        assert_eq!(night.starts(&files, &plan).await, Some(Verdict::Failed));
        *night.now.lock().unwrap() += SignedDuration::from_hours(24);
    }
    std::fs::remove_file(&place).unwrap();
    sets.iter().for_each(|set| std::fs::create_dir_all(set).unwrap());
    *night.end.lock().unwrap() = verified();

    night.starts(&files, &plan).await;

    for set in &sets {
        assert_eq!(BackupSet::read(set).unwrap().verdict(), Verdict::AsExpected, "{}", set.display());
    }
    assert_eq!(files.progress.read(|state| state.plans[&plan.id].unwritten.clone()), []);
}

#[test]
fn a_set_that_an_earlier_version_could_not_write_is_not_forgotten() {
    let plan = nightly("2027-06-02T01:30:00Z".parse().unwrap(), false);
    let set = set_of(&plan, Path::new("/sets/2027-06-02"));
    let written = serde_json::to_value(PlanProgress::since(Millis(0))).unwrap();
    let read = |unwritten: serde_json::Value| {
        let mut written = written.clone();
        written["unwritten"] = unwritten;
        serde_json::from_value::<PlanProgress>(written).unwrap().unwritten
    };
    assert_eq!(read(serde_json::Value::Null), []);
    let one = serde_json::to_value(&set).unwrap();
    assert_eq!(read(one.clone()), std::slice::from_ref(&set));
    assert_eq!(read(serde_json::Value::Array(vec![one])), [set]);
}

#[tokio::test]
async fn a_set_that_was_not_written_and_whose_folder_a_user_removed_stays_a_failure() {
    let night = Night::ends(verified());
    let plan = night.plan();
    let (data, files) = files();
    let place = data.path().join("sets");
    std::fs::create_dir(&place).unwrap();
    // The mark of the plan.
    std::fs::write(place.join(format!(".site-steward-plan-{}.json", plan.id.0)), "{}").unwrap();
    let set = place.join("2027-06-02");
    let (verdict, fault) = (Verdict::Failed, Some(PartFault::Disk));
    let (folder, unwritten) = (Some(set.display().to_string()), Some(set_of(&plan, &set)));
    *night.end.lock().unwrap() = AttemptEnd { verdict, fault, folder, unwritten, ..verified() };
    night.starts(&files, &plan).await;

    night.starts(&files, &plan).await;

    assert_eq!(night.told(), [AlertAbout::Trouble(Trouble::Failed)]);
    let progress = files.progress.read(|state| state.plans[&plan.id].clone());
    assert_eq!((progress.verified, progress.unwritten), (None, Vec::new()));
}

#[tokio::test]
async fn a_run_does_not_begin_where_the_next_start_would_not_know_of_it_and_its_end_is_told() {
    let night = Night::ends(verified());
    let plan = night.plan();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("progress.json");
    let (progress, alerts) = (JsonStore::open(file.clone()), AlertStore::open(folder.path()));
    let files = RunnerFiles { data_folder: folder.path().to_owned(), progress, alerts };
    std::fs::create_dir_all(file.join("in the way")).unwrap();

    assert_eq!(night.starts(&files, &plan).await, Some(Verdict::Failed));

    assert_eq!(night.told(), [AlertAbout::Trouble(Trouble::Failed)]);
    let last = files.progress.read(|state| state.plans[&plan.id].last.clone()).unwrap();
    assert_eq!((last.fault, last.folder), (Some(PartFault::Disk), None), "nothing was sent");
}

/// Alerts of a plan with a progress, from the first hour of 5 June on, for two days.
async fn alerts_of(
    plan: BackupPlan,
    progress: PlanProgress,
    outcome: fn(&jiff::Zoned) -> Outcome,
) -> Vec<AlertAbout> {
    let year = Year::from(date(2027, 6, 5), outcome);
    let (_folder, files) = files();
    files.progress.change(|state| {
        state.plans.insert(plan.id.clone(), progress);
    });
    for _ in 0..48 {
        run(&year, &files, || vec![plan.clone()]).await;
        year.set(year.now() + SignedDuration::from_hours(1));
    }
    year.alerts.into_inner().unwrap().into_iter().map(|(_, about)| about).collect()
}

fn progress_at(handled: Timestamp, verified: Option<Timestamp>) -> PlanProgress {
    let verified = verified.map(Millis::from);
    PlanProgress { verified, ..PlanProgress::since(Millis::from(handled)) }
}

#[tokio::test]
async fn a_plan_that_was_enabled_by_a_clock_that_was_ahead_tells_of_its_failures() {
    let year = Year::from(date(2027, 6, 5), |_| Outcome::Failed);
    let ahead = year.now() + SignedDuration::from_hours(24 * 300);
    let progress = progress_at(year.now(), Some(year.now()));

    let told = alerts_of(nightly(ahead, false), progress, |_| Outcome::Failed).await;

    assert!(told.contains(&AlertAbout::Trouble(Trouble::Failed)), "{told:?}");
}

#[tokio::test]
async fn a_set_of_a_clock_that_was_ahead_keeps_no_plan_from_being_overdue() {
    let year = Year::from(date(2027, 6, 5), |_| Outcome::NoNetwork);
    let ahead = year.now() + SignedDuration::from_hours(24 * 300);
    let since = year.now() - SignedDuration::from_hours(240);

    let told =
        alerts_of(nightly(since, false), progress_at(year.now(), Some(ahead)), |_| Outcome::NoNetwork).await;

    assert!(told.contains(&AlertAbout::Trouble(Trouble::Overdue)), "{told:?}");
}
