use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use steward_core::files::dialogs::{Choice, Dialogs, Title};
use steward_core::model::operation::OperationKey;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::operations::export_portal;
use steward_core::operations::export_server::{self, ExportServerForm, ServerExportDestination};
use steward_core::operations::import_server::ImportServerForm;
use steward_core::operations::import_server::safety_backup::SafetyBackupOptions;
use steward_core::runs::{RunId, RunRegistry, RunStep};
use steward_journal::Outcome;
use steward_testkit::{Fault, until};
use url::Url;

use crate::export_portal::to;
use crate::import_server;
use crate::test_app::TestApp;

#[tokio::test]
async fn stop_hangs_up_and_the_end_is_unknown() {
    let app = TestApp::new().await;
    let folder = app.folder("exports");
    let way = app.with_fault_after_the_check(Fault::Silence).await;

    let export = app.export_portal(to(&folder, false));
    let stop = async {
        until("the request", async || way.met() == 1).await;
        app.steward.context.runs.stop(&app.run());
    };
    let (ended, ()) = tokio::join!(export, stop);

    assert!(matches!(ended, Ok(RunResult::Unknown { stopped: true, problem: None, .. })), "{ended:?}");
    until("the client to hang up", async || way.hung_up() == 1).await;
    assert_eq!(app.history().await[0].outcome, Outcome::Unknown);
    assert!(app.steward.context.runs.all().is_empty());
}

#[tokio::test]
async fn one_operation_at_a_time_and_the_second_is_told_which_one_runs() {
    let app = TestApp::new().await;
    let folder = app.folder("exports");
    let way = app.with_fault("/portaladmin/exportSite", Fault::Silence).await;
    let second = RunId("second".to_owned());

    let export = app.export_portal(to(&folder, false));
    let other = async {
        until("the request", async || way.met() == 1).await;
        let refused =
            export_portal::perform(&app.steward.context, &app.site, second, to(&folder, false)).await;
        app.steward.context.runs.stop(&app.run());
        refused
    };
    let (_, refused) = tokio::join!(export, other);

    assert!(
        matches!(refused, Err(Problem::Busy { operation: OperationKey::ExportPortal, .. })),
        "{refused:?}"
    );
    assert_eq!(way.met(), 1, "the second was never sent");
    assert_eq!(app.history().await.len(), 1);
}

#[tokio::test]
async fn a_run_tells_what_it_waits_for_and_whether_anything_was_sent() {
    use RunStep::{Checking, Preparing, Securing, TakingInventory, Verifying, Waiting};
    let import = |safety_backup, deactivate| ImportServerForm {
        safety_backup,
        deactivate_webhooks: deactivate,
        ..import_server::form("/exports/a.agssite")
    };
    let backup = || Some(SafetyBackupOptions { also_here: false });
    let quiet = || Some("Import".to_owned());
    for (on, spared, form, step, sent) in [
        ("/portals/self", 0, None, Preparing, false),
        ("/portaladmin/exportSite", 0, None, Checking, false),
        ("/portaladmin/exportSite", 1, None, Waiting, true),
        ("/portals/self", 0, Some(import(None, None)), Preparing, false),
        ("findItems", 0, Some(import(None, None)), TakingInventory, false),
        ("/importSite", 0, Some(import(None, None)), Waiting, true),
        ("/exportSite", 0, Some(import(backup(), None)), Securing, true),
        ("/download", 0, Some(import(backup(), None)), Verifying, true),
        ("/importSite", 0, Some(import(backup(), None)), Waiting, true),
        ("/importSite", 0, Some(import(None, quiet())), Waiting, true),
    ] {
        let app = TestApp::new().await;
        let runs = &app.steward.context.runs;
        let silent = app.with_fault(on, Fault::Silence).await.sparing(spared);
        let situation = format!("{on} of {form:?}");

        let running = async {
            match form {
                None => drop(app.export_portal(to(&app.folder("exports"), false)).await),
                Some(form) => drop(app.import_server(form).await),
            }
        };
        let stop = async {
            until(&situation, async || silent.met() > 0).await;
            until(&situation, async || runs.all().iter().any(|run| run.step == step)).await;
            assert_eq!(runs.all()[0].sent, sent, "{situation}");
            runs.stop(&app.run());
        };
        tokio::join!(Box::pin(running), stop);
    }
}

/// A dialog behind which the user presses Stop in the window, and then chooses a file.
struct StopsBehind {
    runs: OnceLock<RunRegistry>,
    run: RunId,
    place: PathBuf,
}

impl StopsBehind {
    fn answer(&self) -> Choice<'static> {
        self.runs.get().unwrap().stop(&self.run);
        Box::pin(std::future::ready(Ok(Some(self.place.clone()))))
    }
}

impl Dialogs for StopsBehind {
    fn save_file<'a>(&'a self, _: Title, _: &'a str) -> Choice<'a> {
        self.answer()
    }

    fn open_file(&self, _: Title) -> Choice<'_> {
        self.answer()
    }

    fn choose_folder(&self, _: Title) -> Choice<'_> {
        self.answer()
    }

    fn open_page(&self, _: &Url) -> Result<(), Problem> {
        Ok(())
    }

    fn show_in_folder(&self, _: &Path) -> Result<(), Problem> {
        Ok(())
    }
}

#[tokio::test]
async fn stop_while_the_dialog_is_open_is_not_lost() {
    let mut app = TestApp::new().await;
    let place = app.folder("desk").join("before.agssite");
    let posted = app.with_fault("POST ", Fault::CutAfter(usize::MAX)).await;
    let dialogs = Arc::new(StopsBehind { runs: OnceLock::new(), run: app.run(), place });
    app.answer_dialogs_by(dialogs.clone());
    assert!(dialogs.runs.set(app.steward.context.runs.clone()).is_ok());
    let form = ExportServerForm { place: ServerExportDestination::ThisComputer };
    let (context, transfers) = (&app.steward.context, &app.steward.transfers);

    let ended = export_server::perform(context, transfers, &app.server, app.run(), form).await;

    assert!(matches!(ended, Ok(RunResult::NotSent { .. })), "{ended:?}");
    assert_eq!(posted.met(), 0);
    assert_eq!(app.history().await[0].outcome, Outcome::NotSent);
}
