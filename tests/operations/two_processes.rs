//! The window and the runner of backup plans are two processes. This file is both: the test, which is the window, and, run
//! again as a child with variables set, the runner.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use steward_core::files::data_folder::DataFolder;
use steward_core::model::export_outcome::ExportOutcome;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::operations::export_server::{ExportServerForm, ServerExportDestination};
use steward_core::operations::import_server::{ImportServerForm, ImportServerOptions};
use steward_core::settings::policy::Policy;
use steward_journal::{Outcome, StoredRecord};
use steward_plans::alerts::desktop::NoDesktop;
use steward_plans::plan::{BackupPlan, PlanId, PlanPart};
use steward_plans::process::{NOT_NOW, Opening, PlanRunner};
use steward_plans::set::{BackupSet, Verdict};
use steward_plans::store;
use steward_testkit::{Fault, until};
use steward_vault::{MemoryStore, Secret, SecretStore};
use tokio::sync::watch;

use crate::backup_plans::run_of;
use crate::plan_process::due_plan;
use crate::test_app::{TestApp, sets_in};

/// Data folder of the window, for the runner.
const FOLDER: &str = "STEWARD_RUNNER_FOLDER";
/// Names and values of the keyring, as lines `name value`.
const KEYRING: &str = "STEWARD_RUNNER_KEYRING";
/// What the runner writes when an import of the window held the site.
const SKIPPED: &str = "skipped";
/// Number of imports, for the weekly run.
const ROUNDS: &str = "STEWARD_TWO_PROCESSES";

/// Not a test: the runner. It runs the plan again and again until the window ends its input.
#[tokio::test]
#[ignore = "the process that the other test starts"]
async fn runs_a_plan_until_its_input_ends() {
    let Some(runner) = Runner::of_process().await else { return };
    let ended = std::thread::spawn(|| drop(std::io::copy(&mut std::io::stdin(), &mut std::io::sink())));
    while !ended.is_finished() {
        if runner.run().await == NOT_NOW {
            println!("\n{SKIPPED}");
        }
    }
}

/// Runs the plan once in a process that [`runner_command`] started, and returns the exit code; `None` in another process.
pub(crate) async fn run_once() -> Option<u8> {
    Some(Runner::of_process().await?.run().await)
}

/// What the process of a runner was given.
struct Runner {
    folder: PathBuf,
    vault: Arc<MemoryStore>,
}

impl Runner {
    async fn of_process() -> Option<Self> {
        let folder = std::env::var_os(FOLDER)?.into();
        let vault = Arc::new(MemoryStore::default());
        for line in std::env::var(KEYRING).unwrap().lines() {
            let (name, value) = line.split_once(' ').unwrap();
            vault.set(name, Secret::new(value.to_owned())).await.unwrap();
        }
        Some(Self { folder, vault })
    }

    async fn run(&self) -> u8 {
        let held = DataFolder::take_for_runner(&self.folder).unwrap();
        let (vault, runtime_folder) = (self.vault.clone(), self.folder.clone());
        let open = move || {
            let (vault, runtime_folder): (Arc<dyn SecretStore>, _) = (vault.clone(), runtime_folder.clone());
            Ok(Opening { policy: Policy::default(), vault, desktop: Arc::new(NoDesktop), runtime_folder })
        };
        let plan = PlanId("nightly".to_owned());
        PlanRunner::new(held, open, watch::channel(false).1).run_plan(&plan).await
    }
}

#[tokio::test]
async fn an_export_of_the_runner_and_an_import_of_the_window_never_meet() {
    let rounds = std::env::var(ROUNDS).map_or(20, |rounds| rounds.parse().unwrap());
    let app = TestApp::new().await;
    due_plan(&app).await;
    store::plans(&app.steward.data_folder).change(|plans| {
        plans[0].parts.retain(|part| matches!(part, PlanPart::Server { .. }));
    });
    let place =
        ServerExportDestination::ServerFolder { location: app.folder("exports").display().to_string() };
    let exported = app.export_server(ExportServerForm { place }).await.unwrap();
    let RunResult::Done { report, .. } = exported else { panic!("{exported:?}") };
    let ExportOutcome::Written { location, .. } = report.outcome else { panic!("{report:?}") };
    let mut runner = start_runner(&app).await;
    let skipped = Arc::new(AtomicUsize::new(0));
    let (counter, lines) = (skipped.clone(), BufReader::new(runner.stdout.take().unwrap()).lines());
    let listening = std::thread::spawn(move || {
        for _ in lines.map_while(Result::ok).filter(|line| line == SKIPPED) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    });

    // In both orders: an import finds the export, and an export the import.
    let mut refused = 0;
    for round in 0..rounds {
        let exports =
            async || app.history().await.iter().filter(|one| one.intent.operation == "export_server").count();
        until("the runner exports", async || exports().await > round + 1).await;
        until("the site is free for an import", async || {
            let form = ImportServerForm {
                location: location.clone(),
                confirmation: "City GIS".to_owned(),
                safety_backup: None,
                deactivate_webhooks: None,
                options: ImportServerOptions::default(),
            };
            match app.import_server(form).await {
                Ok(_) => true,
                Err(Problem::Busy { .. }) => {
                    refused += 1;
                    false
                }
                Err(problem) => panic!("{problem:?}"),
            }
        })
        .await;
    }
    drop(runner.stdin.take());
    assert!(runner.wait().unwrap().success());
    listening.join().unwrap();

    let history = app.history().await;
    let of = |operation: &str| {
        history.iter().filter(move |one| one.intent.operation == operation).collect::<Vec<_>>()
    };
    let (exports, imports) = (of("export_server"), of("import_server"));
    let skipped = skipped.load(Ordering::Relaxed);
    assert!(refused > 0 && skipped > 0, "{refused} imports were refused, {skipped} exports skipped");
    assert!(exports.len() > rounds && imports.len() == rounds, "{} exports", exports.len());
    for export in exports {
        for import in &imports {
            assert!(!overlap(export, import), "{export:?} and {import:?}");
        }
    }
    assert!(!history.iter().any(|one| matches!(one.outcome, Outcome::Sent | Outcome::Unknown)));
}

#[tokio::test]
async fn a_runner_that_is_killed_at_a_request_leaves_an_unknown_outcome_and_the_next_run_goes_on() {
    let mut app = TestApp::new().await;
    let plan = BackupPlan { delete_stored: true, ..due_plan(&app).await };
    let saved = plan.clone();
    store::plans(&app.steward.data_folder).change(|plans| *plans = vec![saved]);
    let mut kills = 0;
    // Before the site receives a request, and after it processed it.
    for fault in [Fault::Silence, Fault::StallAfter(0)] {
        for (on, requests) in [("POST ", 4), ("/download", 1)] {
            for request in 0..requests {
                let way = app.with_fault(on, fault.clone()).await.sparing(request);
                let mut runner = start_runner(&app).await;
                until("the request", async || way.met() > 0).await;
                runner.kill().unwrap();
                runner.wait().unwrap();
                kills += 1;
                app = app.without_fault(way).restarted();

                let history = app.history().await;
                let open = history.iter().filter(|one| one.outcome == Outcome::Sent);
                assert_eq!(open.count(), 0, "{on} {request}");
                for set in sets_in(&plan.folder) {
                    BackupSet::read(&plan.folder.join(set)).unwrap();
                }
            }
        }
    }
    assert_eq!(kills, 10);
    let exports = app.history().await.len();

    let stored = run_of(&app, &plan).await.unwrap();

    assert_eq!(stored.set.verdict(), Verdict::AsExpected);
    // The portal, the server, and the upload that is deleted: nothing is repeated for the runs that were killed.
    assert_eq!(app.history().await.len(), exports + 3);
}

/// Starts the runner as a process of its own, which runs the plan until its input ends.
async fn start_runner(app: &TestApp) -> Child {
    let mut runner = runner_command(app, "two_processes::runs_a_plan_until_its_input_ends").await;
    runner.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

/// Returns the command of a runner as a process of its own, with the keyring of the window. `what` is the test that it is.
pub(crate) async fn runner_command(app: &TestApp, what: &str) -> Command {
    let mut keyring = String::new();
    for name in app.kept_names().await {
        let value = app.kept(name).await.unwrap();
        keyring += &format!("{}/{name} {value}\n", app.site.0);
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", what, "--ignored", "--nocapture"])
        .env(FOLDER, &app.steward.data_folder)
        .env(KEYRING, keyring)
        .stderr(Stdio::null());
    command
}

fn overlap(a: &StoredRecord, b: &StoredRecord) -> bool {
    let (a, b) = ((a.intent.started_at, a.ended_at.unwrap()), (b.intent.started_at, b.ended_at.unwrap()));
    // Both are whole milliseconds: one can begin in the one in which the other ended.
    a.0 < b.1 && b.0 < a.1
}
