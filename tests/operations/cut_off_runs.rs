//! Runs of a backup plan that do not come to their end: the runner hangs or is killed, or the disk is full at the end.

use std::path::Path;
use std::process::Stdio;
use std::sync::mpsc::channel;
use std::time::Duration;

use jiff::{Timestamp, ToSpan as _};
use steward_core::files::data_folder::DataFolder;
use steward_core::model::numbers::Millis;
use steward_journal::Outcome;
use steward_plans::plan::{BackupPlan, PlanPart};
use steward_plans::process::{FAILED, WELL};
use steward_plans::retention::KeepRules;
use steward_plans::saved::SavedPlans;
use steward_plans::set::{BackupSet, PartFault, PartState, Verdict};
use steward_plans::state::{NeedsYou, PlanState};
use steward_plans::store::{self, PlanProgress};
use steward_plans::{sets, state};
use steward_testkit::{Fault, until};

use crate::alerts::{Beside, rejected, start_beside};
use crate::plan_process::{due_plan, progress_of, runner_of, runs_in_trail};
use crate::test_app::{TestApp, files_in, sets_in};
use crate::two_processes::{run_once, runner_command};

/// Not a test: the runner, which the tests kill.
#[tokio::test]
#[ignore = "the process that the other tests start and kill"]
async fn runs_what_is_due() {
    run_once().await;
}

/// Saves a plan of the server alone that is due, in place of all others.
async fn due_plan_of_server(app: &TestApp) -> BackupPlan {
    let due = due_plan(app).await;
    let parts = due.parts.iter().filter(|part| matches!(part, PlanPart::Server { .. })).cloned().collect();
    save(app, BackupPlan { parts, ..due })
}

fn save(app: &TestApp, plan: BackupPlan) -> BackupPlan {
    let saved = plan.clone();
    store::plans(&app.steward.data_folder).change(|plans| *plans = vec![saved]);
    plan
}

fn progress(app: &TestApp, plan: &BackupPlan) -> PlanProgress {
    progress_of(app).plans[&plan.id].clone()
}

async fn state_of(app: &TestApp) -> PlanState {
    let window = SavedPlans::open(&app.steward.data_folder);
    window.list(&app.steward.context, &app.site).await.unwrap().plans.remove(0).state
}

#[tokio::test]
async fn a_run_that_finds_a_lock_held_by_a_process_that_hangs_fails_in_time_and_says_so() {
    let app = TestApp::new().await;
    let plan = due_plan_of_server(&app).await;
    let locks = app.steward.data_folder.join("locks");
    std::fs::create_dir_all(&locks).unwrap();
    let gate = std::fs::File::create(locks.join("gate")).unwrap();
    gate.lock().unwrap();

    // A thread of its own: what does not end must not take the test with it.
    let (ends, ended) = channel();
    let runner = runner_of(&app);
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        ends.send(runtime.block_on(runner.run_due_plans())).unwrap();
    });
    let code = tokio::task::spawn_blocking(move || ended.recv_timeout(Duration::from_secs(60)));

    assert_eq!(code.await.unwrap(), Ok(FAILED), "it ends");
    let last = progress(&app, &plan).last.unwrap();
    let [PartState::Failed { fault: PartFault::Disk, note }] =
        &last.parts.iter().map(|part| part.state.clone()).collect::<Vec<_>>()[..]
    else {
        panic!("{last:?}")
    };
    assert!(note.contains("another process keeps the file gate locked"), "{note}");
}

#[tokio::test]
async fn a_start_that_finds_an_older_runner_tells_what_is_overdue_once_a_day_and_a_later_one_that_it_ended() {
    let app = TestApp::new().await;
    let plan = due_plan_of_server(&app).await;
    let since = Millis((Timestamp::now() - 240.hours()).as_millisecond());
    save(&app, BackupPlan { since, ..plan.clone() });
    let before = std::fs::read(app.steward.data_folder.join("plan-alerts.json")).ok();
    let hangs = DataFolder::take_for_runner(&app.steward.data_folder).unwrap();

    let Beside { code, shown } = start_beside(&app).await;
    assert_eq!((code, shown.len()), (FAILED, 1), "{shown:?}");
    assert!(shown[0].0.contains("Every night"), "{shown:?}");
    let again = start_beside(&app).await;
    assert_eq!((again.code, again.shown.len()), (FAILED, 0), "once a day: {:?}", again.shown);
    assert_eq!(std::fs::read(app.steward.data_folder.join("plan-alerts.json")).ok(), before, "not its own");

    drop(hangs);
    let (code, shown) = crate::alerts::start(&app, steward_core::settings::policy::Policy::default()).await;
    assert_eq!((code, shown.len()), (WELL, 1), "it recovered: {shown:?}");
    assert_ne!(state_of(&app).await, state::PlanState::New);
}

#[tokio::test]
async fn a_start_that_finds_an_older_runner_which_does_its_work_tells_nothing() {
    let app = TestApp::new().await;
    due_plan(&app).await;
    let _works = DataFolder::take_for_runner(&app.steward.data_folder).unwrap();
    let Beside { code, shown } = start_beside(&app).await;
    assert_eq!((code, shown.len()), (WELL, 0), "{shown:?}");
    assert!(!app.steward.data_folder.join("plan-alerts-beside.json").exists());
}

#[tokio::test]
async fn a_set_whose_runner_was_killed_ends_as_unknown_and_is_used_like_any_other() {
    let app = TestApp::new().await;
    let plan = save(&app, BackupPlan { since: Millis::now(), ..due_plan_of_server(&app).await });
    let way = app.with_fault("/download", Fault::StallAfter(600)).await;
    let mut command = runner_command(&app, "cut_off_runs::runs_what_is_due").await;
    let mut runner = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    let set = async || sets_in(&plan.folder).first().map(|name| plan.folder.join(name));
    let is_part = |name: &String| name.ends_with(".part");
    until("the file is downloaded", async || {
        way.met() > 0 && set().await.is_some_and(|set| files_in(&set).iter().any(is_part))
    })
    .await;
    let set = set().await.unwrap();
    let name = set.file_name().unwrap().to_str().unwrap().to_owned();
    let pin = |is_pinned| sets::pin(&app.steward.data_folder, &plan, &name, is_pinned);
    assert!(pin(true).await.is_err(), "the runner writes this set");
    runner.kill().unwrap();
    runner.wait().unwrap();
    drop(way);

    let views = sets::of(&app.steward.context, &plan).await.unwrap();
    assert_eq!(views.sets[0].verdict, Verdict::Unknown, "nobody runs it");
    pin(true).await.unwrap();

    let (code, shown) = crate::alerts::start(&app, steward_core::settings::policy::Policy::default()).await;

    assert_eq!((code, shown.len()), (FAILED, 1), "{shown:?}");
    assert_eq!(runner_of(&app).run_due_plans().await, WELL, "it is told once");
    let stored = BackupSet::read(&set).unwrap();
    assert_eq!((stored.ended, stored.is_pinned), (Some(stored.started), true), "no part of it ended");
    assert_eq!((stored.verdict(), &stored.parts[0].state), (Verdict::Unknown, &PartState::Unknown));
    assert_eq!(files_in(&set), ["set.json"], "the file that was not complete is removed");
    let PlanState::NeedsYou { reason: NeedsYou::Part { state, .. }, .. } = state_of(&app).await else {
        panic!("{:?}", state_of(&app).await)
    };
    assert_eq!(state, PartState::Unknown);
    let open = app.history().await.into_iter().filter(|entry| entry.outcome == Outcome::Sent);
    assert_eq!(open.count(), 0, "no entry is without an outcome");
}

#[tokio::test]
async fn a_runner_that_was_killed_after_its_set_was_complete_is_told_as_its_set_in_the_history_too() {
    let app = TestApp::new().await;
    let keep = KeepRules { last: Some(1), ..KeepRules::default() };
    let plan = save(&app, BackupPlan { keep, since: Millis::now(), ..due_plan_of_server(&app).await });
    let first = crate::backup_plans::run_of(&app, &plan).await.unwrap().folder;
    // Removing the older set waits for it.
    let locks = app.steward.data_folder.join("locks");
    std::fs::create_dir_all(&locks).unwrap();
    let held = std::fs::File::create(locks.join("sets")).unwrap();
    let mut command = runner_command(&app, "cut_off_runs::runs_what_is_due").await;
    let mut runner = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    let newest = || {
        let sets = sets_in(&plan.folder).into_iter().map(|name| plan.folder.join(name));
        sets.into_iter().find(|set| *set != first)
    };
    until("the second set", async || sets_in(&plan.folder).len() == 2).await;
    held.lock().unwrap();
    until("the set is complete", async || {
        newest().is_some_and(|set| BackupSet::read(&set).is_ok_and(|set| set.ended.is_some()))
    })
    .await;
    runner.kill().unwrap();
    runner.wait().unwrap();
    drop(held);

    let code = runner_of(&app).run_due_plans().await;

    let set = BackupSet::read(&newest().unwrap()).unwrap();
    let runs = app.history().await.into_iter().filter(|entry| entry.intent.operation == "run_plan");
    let run = runs.max_by_key(|entry| entry.intent.started_at).unwrap();
    assert_eq!((set.verdict(), code), (Verdict::AsExpected, WELL), "{:?}", progress(&app, &plan));
    assert_eq!((run.outcome, run.ended_at.map(Millis)), (Outcome::Succeeded, set.ended));
    let last = progress(&app, &plan).last.unwrap();
    assert_eq!(last.took.map(i64::from), set.ended.map(|ended| (ended.0 - last.at.0) / 1_000));
}

#[tokio::test]
async fn a_set_that_could_not_be_written_at_its_end_is_a_failure_and_is_written_by_the_next_start() {
    let app = TestApp::new().await;
    let due = due_plan(&app).await;
    // The portal last: its export gives the time to put something in the way.
    let parts = due.parts.iter().rev().cloned().collect();
    let plan = save(&app, BackupPlan { parts, ..due });
    let folder = plan.folder.clone();
    let in_the_way = std::thread::spawn(move || {
        loop {
            let set = sets_in(&folder).iter().map(|name| folder.join(name)).find(|path| path.is_dir());
            if let Some(set) = set.filter(|set| files_in(set).iter().any(|name| name.ends_with(".agssite"))) {
                let file = set.join("set.json");
                std::fs::rename(&file, set.join("as it was")).unwrap();
                std::fs::create_dir_all(file.join("in the way")).unwrap();
                return set;
            }
        }
    });

    assert_eq!(runner_of(&app).run_due_plans().await, FAILED, "{:?}", progress_of(&app));

    let set = in_the_way.join().unwrap();
    let of_plan = progress(&app, &plan);
    let last = of_plan.last.clone().unwrap();
    assert_eq!((last.verdict, last.fault, of_plan.verified), (Verdict::Failed, Some(PartFault::Disk), None));
    assert!(last.note.contains("set.json"), "{last:?}");
    let PlanState::NeedsYou { reason: NeedsYou::NoSet { note }, .. } = state_of(&app).await else {
        panic!("{:?}", state_of(&app).await)
    };
    assert_eq!(note, last.note);

    std::fs::remove_dir_all(set.join("set.json")).unwrap();
    std::fs::rename(set.join("as it was"), set.join("set.json")).unwrap();
    assert_eq!(BackupSet::read(&set).unwrap().ended, None);
    assert_eq!(runner_of(&app).run_due_plans().await, WELL);

    let stored = BackupSet::read(&set).unwrap();
    assert_eq!((stored.verdict(), stored.parts), (Verdict::AsExpected, last.parts));
    assert!(matches!(state_of(&app).await, PlanState::Verified { .. }), "{:?}", state_of(&app).await);
}

#[tokio::test]
async fn an_inventory_that_could_not_be_written_beside_its_export_is_a_warning_of_the_part() {
    let app = TestApp::new().await;
    let plan = due_plan(&app).await;
    let folder = plan.folder.clone();
    let in_the_way = std::thread::spawn(move || {
        let mut places = std::collections::BTreeSet::new();
        while places.len() < 2 {
            let Some(set) = sets_in(&folder).first().map(|name| folder.join(name)) else { continue };
            let Ok(stored) = BackupSet::read(&set) else { continue };
            let named = stored.parts.into_iter().flat_map(|part| part.files).map(|file| set.join(file.name));
            for place in named.filter(|file| file.to_string_lossy().ends_with("inventory.json")) {
                std::fs::create_dir_all(place.join("in the way")).unwrap();
                places.insert(place);
            }
        }
    });

    assert_eq!(runner_of(&app).run_due_plans().await, WELL, "{:?}", progress_of(&app));

    in_the_way.join().unwrap();
    let last = progress(&app, &plan).last.unwrap();
    assert_eq!(last.parts.len(), 2);
    for part in last.parts {
        let warnings = part.warnings.clone().unwrap_or_default().join("\n");
        assert!(warnings.contains("the inventory could not be written"), "{part:?}");
    }
}

#[tokio::test]
async fn a_run_whose_end_a_full_disk_kept_from_being_written_ends_once_in_the_trail_and_has_one_entry() {
    let app = TestApp::new().await;
    let plan = save(&app, BackupPlan { since: Millis::now(), ..due_plan_of_server(&app).await });
    let began = Millis::now();
    assert_eq!(runner_of(&app).run_plan(&plan.id).await, WELL, "{:?}", progress(&app, &plan));
    // With a full disk, the entry of the run is not written, as its end is not.
    let journal = rusqlite::Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    journal.execute_batch("DELETE FROM record WHERE operation = 'run_plan'").unwrap();

    for _ in 0..2 {
        // The end was not written.
        store::progress(&app.steward.data_folder).change(|state| {
            state.plans.get_mut(&plan.id).unwrap().begun = Some(began);
        });
        runner_of(&app).run_due_plans().await;
    }

    assert_eq!(runs_in_trail(&app).await, (1, 1));
    let runs = app.history().await.into_iter().filter(|entry| entry.intent.operation == "run_plan");
    let outcomes: Vec<_> = runs.map(|run| run.outcome).collect();
    assert_eq!(outcomes, [Outcome::Succeeded]);
}

#[tokio::test]
async fn a_part_that_fails_is_linked_with_its_record() {
    let app = TestApp::new().await;
    let plan = due_plan_of_server(&app).await;
    let _way = app.with_fault("/exportSite", rejected()).await;

    assert_eq!(runner_of(&app).run_due_plans().await, FAILED);

    let history = app.history().await;
    let export = history.iter().find(|entry| entry.intent.operation == "export_server").unwrap();
    let last = progress(&app, &plan).last.unwrap();
    let set = BackupSet::read(last.folder.unwrap().as_ref()).unwrap();
    assert!(matches!(set.parts[0].state, PartState::Failed { .. }), "{set:?}");
    assert_eq!(set.parts[0].record.as_ref().map(|record| &record.0), Some(&export.id));
    let run = history.iter().find(|entry| entry.intent.operation == "run_plan").unwrap();
    assert_eq!(run.facts.run_parts[0].record.as_ref(), Some(&export.id));
}

#[tokio::test]
async fn a_change_of_the_plans_that_was_cut_off_after_it_was_told_is_made_by_the_next_start() {
    let app = TestApp::new().await;
    let plan = due_plan(&app).await;
    let paused = BackupPlan { is_enabled: false, ..plan.clone() };
    // What a window leaves that is killed between the two.
    let next = tempfile::tempdir().unwrap();
    store::plans(next.path()).change(|plans| *plans = vec![paused.clone()]);
    let to = app.steward.data_folder.join("plans-next.json");
    std::fs::copy(next.path().join("plans.json"), &to).unwrap();
    let changes = async |app: &TestApp| {
        let history = &app.steward.context.history;
        let entries = history.journal(|journal| journal.entries_after(None, 10_000)).await.unwrap().entries;
        entries.iter().filter(|entry| entry.envelope.contains("\"plan.changed\"")).count()
    };
    let before = changes(&app).await;

    let app = app.restarted();

    assert_eq!(app.steward.plans.all(), [paused]);
    assert_eq!(changes(&app).await, before + 1);
    assert!(!to.exists());
}

/// The longest step of a large export is its verification.
#[tokio::test]
async fn an_export_whose_runner_was_killed_while_it_verified_it_belongs_to_its_set() {
    let app = TestApp::new().await;
    let plan = save(&app, BackupPlan { since: Millis::now(), ..due_plan_of_server(&app).await });
    let _way = app.with_fault("/download", Fault::StallAfter(600)).await;
    let mut command = runner_command(&app, "cut_off_runs::runs_what_is_due").await;
    let mut runner = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    let set = || sets_in(&plan.folder).first().map(|name| plan.folder.join(name));
    // The file of the set is written to another one first, too.
    let is_part = |name: &String| name.ends_with(".part") && !name.contains("set.json");
    let is_begun = |set: &Path| BackupSet::read(set).is_ok() && files_in(set).iter().any(is_part);
    until("it is downloaded", async || set().is_some_and(|set| is_begun(&set))).await;
    runner.kill().unwrap();
    runner.wait().unwrap();
    let set = set().unwrap();
    let named = BackupSet::read(&set).unwrap().parts[0].files[0].name.clone();
    // As if the download had come to its end before.
    std::fs::write(set.join(&named), "the whole export").unwrap();

    assert_eq!(runner_of(&app).run_due_plans().await, FAILED);

    let stored = BackupSet::read(&set).unwrap();
    assert_eq!(stored.parts[0].state, PartState::Unknown);
    let files: Vec<_> = stored.parts[0].files.iter().map(|file| (&*file.name, file.size.0)).collect();
    assert_eq!(files, [(&*named, 16)], "its inventory was not there yet");
    assert_eq!(sets::of(&app.steward.context, &plan).await.unwrap().size.0, 16);
}

#[tokio::test]
async fn a_plan_that_was_renamed_since_its_runner_was_killed_has_one_entry_of_that_run() {
    let app = TestApp::new().await;
    let plan = save(&app, BackupPlan { since: Millis::now(), ..due_plan_of_server(&app).await });
    let began = Millis::now();
    assert_eq!(runner_of(&app).run_plan(&plan.id).await, WELL, "{:?}", progress(&app, &plan));
    // The state after a kill before the end of the run was written to its progress.
    store::progress(&app.steward.data_folder).change(|state| {
        state.plans.get_mut(&plan.id).unwrap().begun = Some(began);
    });
    save(&app, BackupPlan { name: "Each evening".to_owned(), ..plan });

    runner_of(&app).run_due_plans().await;

    let runs = app.history().await.into_iter().filter(|entry| entry.intent.operation == "run_plan");
    assert_eq!(runs.map(|run| run.outcome).collect::<Vec<_>>(), [Outcome::Succeeded]);
}
