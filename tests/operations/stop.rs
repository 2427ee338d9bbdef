use std::future::Future;
use std::time::Duration;

use steward_core::model::operation::Key;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::Ended;
use steward_core::operations::export_portal;
use steward_core::runs::RunId;
use steward_journal::Outcome;
use steward_testkit::Fault;

use crate::desk::Desk;
use crate::export_portal::to;

/// Waits for what must come soon, looking often.
pub(crate) async fn soon<F: Future<Output = bool>>(mut look: impl FnMut() -> F) {
    let waiting = async {
        while !look().await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), waiting).await.unwrap();
}

#[tokio::test]
async fn stop_hangs_up_and_the_end_is_unknown() {
    let desk = Desk::new().await;
    let folder = desk.folder("exports");
    let way = desk.with_fault("/portaladmin/exportSite", Fault::Silence).await;

    let export = export_portal::perform(&desk.host, &desk.site, desk.run(), to(&folder, false));
    let stop = async {
        soon(|| async { way.met() == 1 }).await;
        desk.host.runs.stop(&desk.run());
    };
    let (ended, ()) = tokio::join!(export, stop);

    assert!(matches!(ended, Ok(Ended::Unknown { stopped: true, problem: None, .. })), "{ended:?}");
    soon(|| async { way.hung_up() == 1 }).await;
    assert_eq!(desk.history().await[0].outcome, Outcome::Unknown);
    assert!(desk.host.runs.all().is_empty());
}

#[tokio::test]
async fn one_operation_at_a_time_and_the_second_is_told_which_one_runs() {
    let desk = Desk::new().await;
    let folder = desk.folder("exports");
    let way = desk.with_fault("/portaladmin/exportSite", Fault::Silence).await;
    let second = RunId("second".to_owned());

    let export = export_portal::perform(&desk.host, &desk.site, desk.run(), to(&folder, false));
    let other = async {
        soon(|| async { way.met() == 1 }).await;
        let refused = export_portal::perform(&desk.host, &desk.site, second, to(&folder, false)).await;
        desk.host.runs.stop(&desk.run());
        refused
    };
    let (_, refused) = tokio::join!(export, other);

    assert!(matches!(refused, Err(Problem::Busy { operation: Key::ExportPortal, .. })), "{refused:?}");
    assert_eq!(way.met(), 1, "the second was never sent");
    assert_eq!(desk.history().await.len(), 1);
}
