//! Every file of the data folder, absent, empty, cut off, random, newer, or in the place of something else: what the window and
//! the runner say of it, and that the second start says the same as the first.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use steward_app::steward::Steward;
use steward_core::actions::preferences::{SetAside, SetAsideData};
use steward_core::files::data_folder::DataFolder;
use steward_core::model::ids::{ServerId, SiteId};
use steward_core::model::numbers::Millis;
use steward_core::runs::RunRegistry;
use steward_core::settings::policy::Policy;
use steward_core::start::{RequiredFile, RequiredFiles, StartFault};
use steward_plans::alerts::desktop::NoDesktop;
use steward_plans::data_files;
use steward_plans::plan::{BackupPlan, PlanId, PlanPart};
use steward_plans::process::{FAILED, INVALID, Opening, PlanRunner, WELL};
use steward_plans::retention::KeepRules;
use steward_plans::schedule::{Day, Schedule, TimeOfDay};
use steward_plans::store::{self, PlanProgress};
use steward_vault::MemoryStore;
use tokio::sync::watch;

use crate::test_app::AnswersByItself;

/// What a start says.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Said {
    /// The window does not start.
    Problem(Option<RequiredFile>, StartFault),
    /// The data folder is not used.
    Refused,
    /// The window starts, and lists what could not be read.
    Listed(Vec<SetAside>),
    /// The runner ends with this code.
    Ended(u8),
}

fn window(folder: &Path) -> Said {
    let Ok(held) = DataFolder::take(folder) else { return Said::Refused };
    if let Err(problem) = RequiredFiles::open(&held) {
        return Said::Problem(problem.file, problem.fault);
    }
    drop(held);
    let steward = open(folder);
    // As the window does when its page has loaded.
    steward.alerts.speak("de");
    Said::Listed(steward.set_aside_at_start())
}

fn open(folder: &Path) -> Steward {
    let runs = RunRegistry::new(Box::new(|_| ()));
    let vault = Arc::new(MemoryStore::default());
    Steward::open(folder, vault, Arc::new(AnswersByItself::default()), runs).unwrap()
}

async fn runner(folder: &Path) -> Said {
    let Ok(held) = DataFolder::take_for_runner(folder) else { return Said::Refused };
    let runtime_folder = folder.to_owned();
    let open = move || {
        let (vault, desktop) = (Arc::new(MemoryStore::default()), Arc::new(NoDesktop));
        Ok(Opening { policy: Policy::default(), vault, desktop, runtime_folder: runtime_folder.clone() })
    };
    Said::Ended(PlanRunner::new(held, open, watch::channel(false).1).run_due_plans().await)
}

/// A plan that is due on another day.
fn plan(folder: &Path) -> BackupPlan {
    let now = Timestamp::now();
    let today = now.to_zoned(jiff::tz::TimeZone::system()).weekday().to_monday_zero_offset();
    let day = Day::ALL[(usize::try_from(today).unwrap() + 3) % 7];
    BackupPlan {
        id: PlanId("nightly".to_owned()),
        site: SiteId("a".to_owned()),
        name: "Nightly".to_owned(),
        is_enabled: true,
        since: Millis(now.as_millisecond()),
        enabled_since: Millis(now.as_millisecond()),
        parts: vec![PlanPart::Server { server: ServerId("b".to_owned()) }],
        schedule: Schedule {
            days: vec![day],
            times: vec![TimeOfDay { hour: 2, minute: 30 }],
            skip_missed: false,
        },
        folder: folder.join("sets"),
        delete_stored: false,
        keep: KeepRules::default(),
        rehearse_every: None,
        tells_changes: false,
        paused: None,
        alerts: Vec::new(),
    }
}

/// A data folder that window and runner have used, with a plan.
async fn used() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(window(folder.path()), Said::Listed(Vec::new()));
    std::fs::write(folder.path().join("sites.json"), r#"{"format":1,"content":[]}"#).unwrap();
    store::plans(folder.path()).change(|plans| plans.push(plan(folder.path())));
    let steward = open(folder.path());
    steward
        .preferences
        .save(steward_core::settings::preferences::Preferences { zoom: 120, ..steward.preferences.get() })
        .unwrap();
    // With snapshots.
    steward.snapshots.view(&steward.context.history, &SiteId("a".to_owned())).await.unwrap();
    drop(steward);
    for (file, copy) in [("journal.db", "journal-2026-01-01.db"), ("sites.json", "sites-2026-01-01.json")] {
        let copies = folder.path().join("copies");
        std::fs::create_dir_all(&copies).unwrap();
        std::fs::copy(folder.path().join(file), copies.join(copy)).unwrap();
    }
    // Two starts: the second one finds what the first one made of it.
    for _ in 0..2 {
        assert_eq!(runner(folder.path()).await, Said::Ended(WELL));
        assert_eq!(window(folder.path()), Said::Listed(Vec::new()));
    }
    folder
}

/// What is in the place of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Absent,
    Empty,
    Truncated,
    Random,
    Newer,
    Folder,
    #[cfg(unix)]
    Pipe,
    #[cfg(unix)]
    LinkToNothing,
    /// A regular file, of which each read fails, also for root.
    #[cfg(target_os = "linux")]
    NotReadable,
}

const STATES: &[State] = &[
    State::Absent,
    State::Empty,
    State::Truncated,
    State::Random,
    State::Newer,
    State::Folder,
    #[cfg(unix)]
    State::Pipe,
    #[cfg(unix)]
    State::LinkToNothing,
    #[cfg(target_os = "linux")]
    State::NotReadable,
];

impl State {
    fn put(self, path: &Path) {
        let before = std::fs::read(path).unwrap_or_default();
        let _ = std::fs::remove_file(path);
        let _ = std::fs::remove_dir_all(path);
        match self {
            Self::Absent => {}
            Self::Empty => std::fs::write(path, "").unwrap(),
            Self::Truncated => std::fs::write(path, &before[..before.len() / 2]).unwrap(),
            Self::Random => std::fs::write(path, [0xA7, 0x00, 0x13].repeat(700)).unwrap(),
            Self::Newer => std::fs::write(path, r#"{"format":2,"content":{"later":1}}"#).unwrap(),
            Self::Folder => std::fs::create_dir(path).unwrap(),
            #[cfg(unix)]
            Self::Pipe => {
                assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
            }
            #[cfg(unix)]
            Self::LinkToNothing => std::os::unix::fs::symlink("nowhere/at/all", path).unwrap(),
            #[cfg(target_os = "linux")]
            Self::NotReadable => std::os::unix::fs::symlink("/proc/self/mem", path).unwrap(),
        }
    }
}

/// Files that decide what happens without a user.
const DECIDING: [(&str, SetAsideData); 6] = [
    ("plans.json", SetAsideData::Plans),
    ("plan-progress.json", SetAsideData::PlanProgress),
    ("alerts.json", SetAsideData::Alerts),
    ("plan-alerts.json", SetAsideData::ToldAlerts),
    ("preferences.json", SetAsideData::Preferences),
    ("forwarded.json", SetAsideData::Forwarded),
];

/// All other files, in which nothing but themselves is lost.
const OTHERS: [&str; 47] = [
    "known-files",
    "known-files/journal.db",
    "known-files/plans.json",
    "known-files/sites.json",
    "locks",
    "locks/sets",
    "copies",
    "copies/journal-2026-01-01.db",
    "copies/sites-2026-01-01.json",
    "plan-run",
    "plan-run/forward",
    "plan-run/nightly.found",
    "plan-run/nightly.request",
    "plan-run/nightly.taken",
    "plan-run/now.json",
    "plan-run/runner.json",
    "plan-run/stop",
    "unsaved-invitations",
    "unsaved-invitations/a.json",
    "sites.json",
    "journal.db",
    "journal.db-journal",
    "journal.db-wal",
    "journal.db-shm",
    "changes.db",
    "changes.db-journal",
    "changes.db-wal",
    "changes.db-shm",
    "plans-next.json",
    "plan-alerts-beside.json",
    "policy-before.json",
    "window.json",
    "uploads.json",
    "seen-plans.json",
    "restores.json",
    "rehearsals.json",
    "site-proofs.json",
    "item-filters.json",
    "item-validations.json",
    "guided-tour.json",
    "announced-reminders.json",
    "checked-facts.json",
    "in-use.lock",
    "runner.lock",
    "runner-beside.lock",
    "forwarding.lock",
    "resolved-files",
];

/// Files of [`OTHERS`] that are not listed: a change that was cut off is told as not made, and the others are written anew.
const NOT_LISTED: [&str; 3] = ["plans-next.json", "plan-alerts-beside.json", "policy-before.json"];

#[derive(Debug, Clone, Copy)]
enum Starts {
    Window,
    Runner,
    RunnerThenWindow,
}

async fn start(folder: &Path, starts: Starts) -> Vec<Said> {
    match starts {
        Starts::Window => vec![window(folder)],
        Starts::Runner => vec![runner(folder).await],
        Starts::RunnerThenWindow => vec![runner(folder).await, window(folder)],
    }
}

/// The same with a plan that was due last night, whose site is not saved: each start of the runner has to say that it does not run.
async fn due() -> tempfile::TempDir {
    let folder = used().await;
    store::plans(folder.path()).change(|plans| {
        plans[0].since = Millis(Timestamp::now().as_millisecond() - 8 * 24 * 60 * 60 * 1000);
        plans[0].schedule.days = Day::ALL.to_vec();
        plans[0].schedule.times = vec![TimeOfDay { hour: 0, minute: 0 }];
    });
    folder
}

/// Starts twice with each file in each state, and compares what the starts say. No start may be silent about it.
async fn starts_say_the_same(starts: Starts) {
    let whole = due().await;
    let mut wrong = Vec::new();
    for name in DECIDING.iter().map(|(name, _)| *name).chain(OTHERS) {
        for state in STATES {
            let folder = copy_of(whole.path());
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            state.put(&path);
            let is_listed = must_be_listed(name, &path);
            let first = start(folder.path(), starts).await;
            let second = start(folder.path(), starts).await;
            let mut say =
                |what: &str| wrong.push(format!("{name} {state:?}: {what}: {first:?}, then {second:?}"));
            if !is_alike(&first, &second) {
                say("the second start says something else");
            }
            if first.contains(&Said::Ended(WELL)) {
                say("the runner says nothing of the plan that was due");
            }
            if !plans_are_there_or_told(folder.path()) {
                say("the plan is gone");
            }
            if let Some(Said::Listed(listed)) = first.last() {
                if is_listed && !listed.iter().any(|one| is_of(one, name)) {
                    say("the file is not listed");
                }
                #[cfg(target_os = "linux")]
                if removes_the_job(folder.path()) {
                    say("the job is removed");
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether a second start says the same as the first. A plan that failed is not due again at the second one, which ends with the code
/// of the files alone.
fn is_alike(first: &[Said], second: &[Said]) -> bool {
    let is_same = |(first, second): (&Said, &Said)| match (first, second) {
        (Said::Ended(FAILED), Said::Ended(_)) => true,
        (first, second) => first == second,
    };
    first.len() == second.len() && first.iter().zip(second).all(is_same)
}

fn plans_are_there_or_told(folder: &Path) -> bool {
    let plans = steward_core::files::JsonStore::<Vec<BackupPlan>>::open_read_only(folder.join("plans.json"));
    plans.read(|plans| plans.len() == 1) || data_files::are_plans_unknown(folder)
}

/// Whether a file is one that is listed if something else is in its place. A link that leads nowhere is like none. Of the files in
/// folders, only invitations are listed: the others are copies, or messages between the processes.
fn must_be_listed(name: &str, path: &Path) -> bool {
    let is_data = !name.contains('/') || name.starts_with("unsaved-invitations/");
    path.exists() && is_data && name.ends_with(".json") && !NOT_LISTED.contains(&name)
}

fn is_of(listed: &SetAside, name: &str) -> bool {
    stem(&listed.path).starts_with(stem(name))
}

fn stem(path: &str) -> &str {
    Path::new(path).file_stem().unwrap().to_str().unwrap()
}

/// Whether the window would remove the job of the system that starts the runner.
#[cfg(target_os = "linux")]
fn removes_the_job(folder: &Path) -> bool {
    use steward_plans::scheduler::autostart::Autostart;
    use steward_plans::scheduler::registrar::{Followed, Scheduler};

    let config = tempfile::tempdir().unwrap();
    let scheduler = Scheduler::Autostart(Autostart::in_folder(config.path()));
    assert_eq!(scheduler.follow("/bin/true", &[plan(folder)], false).unwrap(), Followed::Registered);
    let plans = open(folder).plans.all();
    let stays = data_files::are_plans_unknown(folder);
    scheduler.follow("/bin/true", &plans, stays).unwrap() == Followed::Removed
}

#[tokio::test]
async fn the_table_has_every_file_that_window_and_runner_leave_and_each_that_is_listed() {
    let left = due().await;
    for starts in [Starts::RunnerThenWindow, Starts::Runner] {
        start(left.path(), starts).await;
    }
    let table: Vec<_> = DECIDING.iter().map(|(name, _)| *name).chain(OTHERS).collect();
    let left = inside(left.path()).into_iter().map(|path| path.to_str().unwrap().replace('\\', "/"));
    // Of a mark, only whether it is there counts.
    let left = left.filter(|name| !name.starts_with("known-files/"));
    let listed = data_files::FILES.iter().map(|(name, ..)| (*name).to_owned());

    let not_in_it: Vec<_> = left.chain(listed).filter(|name| !table.contains(&name.as_str())).collect();

    assert_eq!(not_in_it, [] as [&str; 0]);
}

#[tokio::test]
async fn the_second_start_of_the_window_says_the_same_as_the_first_of_every_file() {
    starts_say_the_same(Starts::Window).await;
}

#[tokio::test]
async fn the_second_start_of_the_runner_says_the_same_as_the_first_of_every_file() {
    starts_say_the_same(Starts::Runner).await;
}

#[tokio::test]
async fn the_second_start_of_runner_and_window_says_the_same_as_the_first_of_every_file() {
    starts_say_the_same(Starts::RunnerThenWindow).await;
}

#[tokio::test]
async fn a_file_that_decides_what_happens_by_itself_is_never_lost_without_a_word() {
    let whole = used().await;
    for (name, what) in DECIDING {
        for state in STATES {
            let case = format!("{name} {state:?}");
            let folder = copy_of(whole.path());
            if !whole.path().join(name).exists() {
                std::fs::write(folder.path().join(name), r#"{"format":1,"content":{"at":0,"lost":[]}}"#)
                    .unwrap();
                std::fs::create_dir_all(folder.path().join("known-files")).unwrap();
                std::fs::write(folder.path().join("known-files").join(name), "").unwrap();
            }
            state.put(&folder.path().join(name));

            assert_eq!(runner(folder.path()).await, Said::Ended(INVALID), "{case}");
            let Said::Listed(listed) = window(folder.path()) else { panic!("{case}: the window starts") };
            assert!(listed.iter().any(|one| one.what == what), "{case}: {listed:?}");
            assert_eq!(
                runner(folder.path()).await,
                Said::Ended(INVALID),
                "{case}: after the window moved it"
            );
            assert!(kinds(folder.path()).contains(&"file.unreadable".to_owned()), "{case}");
            assert_eq!(data_files::are_plans_unknown(folder.path()), name == "plans.json", "{case}");

            let steward = open(folder.path());
            for file in steward.set_aside().await.unwrap() {
                steward.resolve_set_aside(&file).await.unwrap();
            }
            assert_eq!(steward.set_aside().await.unwrap(), [], "{case}");
            drop(steward);
            assert_eq!(runner(folder.path()).await, Said::Ended(WELL), "{case}: resolved");
            assert_eq!(window(folder.path()), Said::Listed(Vec::new()), "{case}: resolved");
        }
    }
}

#[tokio::test]
async fn snapshots_that_cannot_be_read_or_are_gone_are_told_by_the_window_and_its_next_start() {
    let whole = used().await;
    for state in STATES {
        // Half of an empty database is a whole one.
        if *state == State::Truncated {
            continue;
        }
        let folder = copy_of(whole.path());
        state.put(&folder.path().join("changes.db"));
        for start in ["first", "second"] {
            let said = window(folder.path());
            let Said::Listed(files) = &said else { panic!("{state:?}: {said:?}") };
            let told: Vec<_> = files.iter().map(|one| one.what).collect();
            assert_eq!(told, [SetAsideData::Snapshots], "{state:?}, {start} start");
        }
    }
}

#[tokio::test]
async fn a_folder_of_invitations_that_cannot_be_listed_is_told() {
    let folder = used().await;
    let steward = open(folder.path());
    let invitations = folder.path().join("unsaved-invitations");
    State::Empty.put(&invitations);

    let told = steward.set_aside().await.unwrap();

    let [told] = &told[..] else { panic!("{told:?}") };
    assert_eq!((told.what, Path::new(&told.path)), (SetAsideData::Invitation, invitations.as_path()));
    drop(steward);
    assert_eq!(window(folder.path()), Said::Listed(Vec::new()), "a start makes room for the folder");
}

#[tokio::test]
async fn a_history_whose_log_has_something_else_in_its_place_is_not_begun_anew() {
    let folder = tempfile::tempdir().unwrap();
    let held = DataFolder::take(folder.path()).unwrap();
    let files = RequiredFiles::open(&held).unwrap();
    // While it is open, all of it is in its log.
    let copy = copy_of(folder.path());
    drop((files, held));
    let log = copy.path().join("journal.db-wal");
    std::fs::remove_file(&log).unwrap();
    std::fs::create_dir(&log).unwrap();

    assert_eq!(window(copy.path()), Said::Problem(Some(RequiredFile::History), StartFault::Empty));
}

#[tokio::test]
async fn what_is_in_the_place_of_a_lock_keeps_no_plan_from_its_run() {
    let whole = used().await;
    for lock in ["runner.lock", "in-use.lock"] {
        for state in STATES.iter().filter(|state| !matches!(state, State::Absent | State::Empty)) {
            let folder = copy_of(whole.path());
            state.put(&folder.path().join(lock));
            assert_eq!(runner(folder.path()).await, Said::Ended(WELL), "{lock} {state:?}");
            assert_eq!(window(folder.path()), Said::Listed(Vec::new()), "{lock} {state:?}");
        }
    }
}

#[tokio::test]
async fn a_file_with_other_fields_is_not_taken_for_an_empty_one() {
    let whole = used().await;
    for name in ["alerts.json", "forwarded.json"] {
        for content in ["{}", "[]", r#"{"chanels":[],"language":"de","hed":null,"at":0,"lost":[]}"#] {
            let case = format!("{name} {content}");
            let folder = copy_of(whole.path());
            let file = format!(r#"{{"format":1,"content":{content}}}"#);
            std::fs::write(folder.path().join(name), file).unwrap();

            assert_eq!(runner(folder.path()).await, Said::Ended(INVALID), "{case}");
            let Said::Listed(listed) = window(folder.path()) else { panic!("{case}: the window starts") };
            assert_eq!(listed.len(), 1, "{case}: {listed:?}");
        }
    }
}

#[tokio::test]
async fn plans_that_are_gone_with_the_notes_of_what_was_saved_are_not_taken_for_none() {
    let whole = used().await;
    let progress = PlanProgress::since(Millis(0));
    store::progress(whole.path())
        .change(|state| drop(state.plans.insert(PlanId("nightly".to_owned()), progress)));
    for notes in [State::Absent, State::Empty] {
        let folder = copy_of(whole.path());
        std::fs::remove_file(folder.path().join("plans.json")).unwrap();
        notes.put(&folder.path().join("known-files"));

        for _ in 0..2 {
            assert_eq!(runner(folder.path()).await, Said::Ended(INVALID), "{notes:?}");
            let Said::Listed(listed) = window(folder.path()) else { panic!("{notes:?}: the window starts") };
            assert_eq!(
                listed.iter().map(|one| one.what).collect::<Vec<_>>(),
                [SetAsideData::Plans],
                "{notes:?}"
            );
        }
        let steward = open(folder.path());
        let [file] = &steward.set_aside().await.unwrap()[..] else { panic!("one file") };
        steward.resolve_set_aside(file).await.unwrap();
        drop(steward);
        assert_eq!(runner(folder.path()).await, Said::Ended(WELL), "{notes:?}: resolved");
        assert_eq!(window(folder.path()), Said::Listed(Vec::new()), "{notes:?}: resolved");
    }
}

#[tokio::test]
async fn a_file_that_the_window_opens_late_is_told_once() {
    let folder = used().await;
    let file = folder.path().join("window.json");
    State::Random.put(&file);

    let first = window(folder.path());
    // As the window does when it is shown.
    drop(steward_core::files::JsonStore::<Option<u8>>::open(file));

    assert_eq!(window(folder.path()), first);
    let told = kinds(folder.path());
    assert_eq!(told.iter().filter(|kind| *kind == "file.unreadable").count(), 1, "{told:?}");
}

#[tokio::test]
#[cfg(target_os = "linux")]
async fn plans_that_cannot_be_read_remove_no_job_of_the_system() {
    use steward_plans::scheduler::autostart::Autostart;
    use steward_plans::scheduler::registrar::{Followed, Scheduler};

    let folder = used().await;
    let config = tempfile::tempdir().unwrap();
    let scheduler = Scheduler::Autostart(Autostart::in_folder(config.path()));
    let follow = |steward: &Steward| {
        let stays = data_files::are_plans_unknown(folder.path());
        scheduler.follow("/bin/true", &steward.plans.all(), stays).unwrap()
    };
    assert_eq!(follow(&open(folder.path())), Followed::Registered);
    State::Newer.put(&folder.path().join("plans.json"));

    for _ in 0..2 {
        let steward = open(folder.path());
        assert_eq!(steward.plans.all(), []);
        assert_eq!(follow(&steward), Followed::AsItWas);
    }
    let steward = open(folder.path());
    let [file] = &steward.set_aside().await.unwrap()[..] else { panic!("one file") };
    steward.resolve_set_aside(file).await.unwrap();
    assert_eq!(follow(&steward), Followed::Removed, "a user has decided");
}

#[tokio::test]
async fn damaged_plans_that_ran_are_one_file_and_the_second_start_says_the_same() {
    let whole = used().await;
    let ran = PlanProgress::since(Millis(0));
    store::progress(whole.path()).change(|state| drop(state.plans.insert(PlanId("nightly".to_owned()), ran)));
    for state in [State::Truncated, State::Random, State::Newer] {
        let folder = copy_of(whole.path());
        state.put(&folder.path().join("plans.json"));

        let first = window(folder.path());

        let Said::Listed(listed) = &first else { panic!("{state:?}: {first:?}") };
        assert_eq!(listed.len(), 1, "{state:?}: {listed:?}");
        assert_eq!(window(folder.path()), first, "{state:?}");
        assert_eq!(runner(folder.path()).await, Said::Ended(INVALID), "{state:?}");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_file_that_could_not_be_moved_is_not_told_as_resolved() {
    let folder = used().await;
    State::Random.put(&folder.path().join("alerts.json"));
    let steward = open(folder.path());
    let resolved = folder.path().join("resolved-files");
    // Nothing can be moved there.
    std::os::unix::fs::symlink("/proc", &resolved).unwrap();
    let [file] = &steward.set_aside().await.unwrap()[..] else { panic!("one file") };
    steward.resolve_set_aside(file).await.unwrap_err();
    let last = |wanted: &str| kinds(folder.path()).into_iter().rfind(|kind| kind.starts_with(wanted));
    assert_eq!(last("file.").as_deref(), Some("file.unreadable"));

    std::fs::remove_file(&resolved).unwrap();
    std::fs::write(&resolved, "in the place of the folder").unwrap();
    assert_eq!(steward.resolve_set_aside(file).await.unwrap(), []);
    assert_eq!(last("file.").as_deref(), Some("file.resolved"));
}

#[tokio::test]
async fn a_runner_that_finds_no_history_begins_no_new_one_and_the_window_says_so() {
    for state in [State::Absent, State::Empty] {
        for also_gone in [
            &[][..],
            &["sites.json"],
            &["known-files"],
            &["known-files", "copies"],
            &["sites.json", "copies", "plans.json"],
        ] {
            let folder = used().await;
            let path = folder.path().join("journal.db");
            state.put(&path);
            for gone in also_gone {
                let gone = folder.path().join(gone);
                let _ = std::fs::remove_file(&gone);
                let _ = std::fs::remove_dir_all(&gone);
            }
            for log in ["journal.db-wal", "journal.db-shm"] {
                let _ = std::fs::remove_file(folder.path().join(log));
            }
            // Otherwise nothing would need the history.
            State::Random.put(&folder.path().join("alerts.json"));

            assert_eq!(runner(folder.path()).await, Said::Ended(INVALID), "{state:?} {also_gone:?}");

            let length = path.metadata().map_or(0, |file| file.len());
            assert_eq!(length, 0, "{state:?} {also_gone:?}: the runner began a history");
            let Said::Problem(file, _) = window(folder.path()) else {
                panic!("{state:?} {also_gone:?}: the window says nothing")
            };
            assert!(file.is_some());
        }
    }
}

fn kinds(folder: &Path) -> Vec<String> {
    let journal = rusqlite::Connection::open(folder.join("journal.db")).unwrap();
    let mut kinds = journal.prepare("SELECT kind FROM trail ORDER BY sequence").unwrap();
    kinds.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// Paths of the files and folders in a folder, beginning there; a folder stands before what is in it.
fn inside(folder: &Path) -> Vec<PathBuf> {
    let (mut all, mut waiting) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(above) = waiting.pop() {
        for entry in std::fs::read_dir(folder.join(&above)).unwrap().map(Result::unwrap) {
            let path = above.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                waiting.push(path.clone());
            }
            all.push(path);
        }
    }
    all
}

pub(crate) fn copy_of(folder: &Path) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for path in inside(folder) {
        let (from, to) = (folder.join(&path), copy.path().join(&path));
        if from.is_dir() {
            std::fs::create_dir(to).unwrap();
        } else {
            std::fs::copy(from, to).unwrap();
        }
    }
    copy
}
