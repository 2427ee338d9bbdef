use steward_core::model::operation::OperationKey;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::operations::export_portal;
use steward_core::runs::RunId;
use steward_journal::Outcome;
use steward_testkit::{Fault, until};

use crate::export_portal::to;
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
