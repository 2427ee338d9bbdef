//! The runner is killed while it removes a set that no rule keeps: before and after each rename and removal. `kill_at.c`,
//! which the test compiles and loads into the process of the runner, does it.

use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use jiff::Timestamp;
use steward_plans::plan::{BackupPlan, PlanPart};
use steward_plans::process::WELL;
use steward_plans::retention::KeepRules;
use steward_plans::set::{BackupSet, Verdict};
use steward_plans::store;
use steward_testkit::until;

use crate::plan_process::due_plan;
use crate::test_app::{TestApp, files_in, sets_in};
use crate::two_processes::{run_once, runner_command};

/// Calls that a removal consists of: `set.json` gets another name, the export goes, its inventory, `set.json`, the folder.
const CALLS: usize = 5;

/// Not a test: the runner, which runs the plan once.
#[tokio::test]
#[ignore = "the process that the other test starts and kills"]
async fn runs_a_plan_once() {
    if let Some(code) = run_once().await {
        assert_eq!(code, WELL);
    }
}

/// Compiles what kills the process.
fn compiled(folder: &Path) -> PathBuf {
    let library = folder.join("kill_at.so");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/operations/killed_removal/kill_at.c");
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let ended = Command::new(compiler)
        .args(["-shared", "-fPIC", "-o"])
        .arg(&library)
        .arg(source)
        .arg("-ldl")
        .status();
    assert!(ended.unwrap().success());
    library
}

/// The one set of a plan that is in its folder and not among `known`.
fn new_set(plan: &BackupPlan, known: &[&PathBuf]) -> PathBuf {
    let folders = files_in(&plan.folder).into_iter().map(|name| plan.folder.join(name));
    let mut new: Vec<_> = folders.filter(|folder| folder.is_dir() && !known.contains(&folder)).collect();
    assert_eq!(new.len(), 1, "{new:?}");
    new.remove(0)
}

/// The files of a set that are as they were written.
fn whole_files(folder: &Path, set: &BackupSet) -> usize {
    let files = set.parts.iter().flat_map(|part| &part.files);
    files
        .filter(|file| {
            std::fs::metadata(folder.join(&file.name)).is_ok_and(|found| found.len() == file.size.0)
        })
        .count()
}

/// How often the audit trail tells that a set was removed.
fn told_of(app: &TestApp, folder: &Path) -> i64 {
    let journal = rusqlite::Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    let sql = "SELECT count(*) FROM trail WHERE kind = 'set.removed' AND body ->> '$.set' = ?1";
    journal.query_row(sql, [folder.display().to_string()], |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn a_runner_that_is_killed_at_any_step_of_a_removal_loses_nothing_and_the_next_run_goes_on() {
    let tools = tempfile::tempdir().unwrap();
    let library = compiled(tools.path());
    let app = TestApp::new().await;
    let keep = KeepRules { last: Some(1), ..KeepRules::default() };
    let due = due_plan(&app).await;
    let parts = due.parts.iter().filter(|part| matches!(part, PlanPart::Server { .. })).cloned().collect();
    let plan = BackupPlan { keep, parts, ..due };
    let saved = plan.clone();
    store::plans(&app.steward.data_folder).change(|plans| *plans = vec![saved]);
    let ended = std::cell::Cell::new(0);
    let run = async |killed: Option<(&Path, usize)>| {
        // A set is named after its second: within one, it would have the name of one that was removed.
        until("another second", async || Timestamp::now().as_second() > ended.get()).await;
        let mut runner = runner_command(&app, "killed_removal::runs_a_plan_once").await;
        if let Some((folder, step)) = killed {
            runner
                .env("LD_PRELOAD", &library)
                .env("STEWARD_KILL_WITHIN", folder)
                .env("STEWARD_KILL_AT", step.to_string());
        }
        runner.stdin(Stdio::null()).stdout(Stdio::null());
        // The practice site goes on meanwhile.
        let status = tokio::task::spawn_blocking(move || runner.status().unwrap()).await.unwrap();
        ended.set(Timestamp::now().as_second());
        status
    };
    assert!(run(None).await.success());
    let pinned = new_set(&plan, &[]);
    let of_pinned = BackupSet { is_pinned: true, ..BackupSet::read(&pinned).unwrap() };
    of_pinned.write(&pinned).unwrap();
    assert!(run(None).await.success());
    let mut old = new_set(&plan, &[&pinned]);

    for step in 1..=2 * CALLS {
        let of_old = BackupSet::read(&old).unwrap();
        let files = whole_files(&old, &of_old);

        let ended = run(Some((&old, step))).await;

        assert_eq!(ended.signal(), Some(9), "step {step}: {ended}");
        // Whole, or begun to be removed: `set.json` never names what is gone.
        if old.join("set.json").exists() {
            assert_eq!((step, whole_files(&old, &of_old)), (1, files), "step {step}");
        }
        let known = if old.exists() { vec![&pinned, &old] } else { vec![&pinned] };
        let newest = new_set(&plan, &known);
        for (folder, name) in [(&pinned, "pinned"), (&newest, "newest")] {
            let set = BackupSet::read(folder).unwrap();
            assert_eq!(set.verdict(), Verdict::AsExpected, "step {step}, {name}");
            assert_eq!(whole_files(folder, &set), files, "step {step}, {name}");
        }

        assert!(run(None).await.success(), "step {step}");

        assert!(!old.exists() && !newest.exists(), "step {step}: {:?}", files_in(&plan.folder));
        assert_eq!(BackupSet::read(&pinned).unwrap(), of_pinned);
        // Killed between what is told and the removal of the last file, it is told again.
        let told = told_of(&app, &old);
        assert_eq!(told, if step == 2 * CALLS - 3 { 2 } else { 1 }, "step {step}");
        assert_eq!(told_of(&app, &newest), 1, "step {step}");
        old = new_set(&plan, &[&pinned]);
    }
    let left = sets_in(&plan.folder).into_iter().filter(|name| name.starts_with('.'));
    assert_eq!(left.collect::<Vec<_>>(), [""; 0]);
    // There is no further step.
    let ended = run(Some((&old, 2 * CALLS + 1))).await;
    assert!(ended.success(), "{ended}");
}
