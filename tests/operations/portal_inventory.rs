//! The inventory of a portal: taken after an export, and without influence on the export's outcome.

use std::sync::Arc;

use rusqlite::Connection;
use steward_core::inventory::portal::PortalInventory;
use steward_core::inventory::{InventoryPart, MissingPart};
use steward_core::model::export_outcome::ExportOutcome;
use steward_core::model::run_result::RunResult;
use steward_core::operations::export_portal::PortalExportReport;
use steward_journal::Outcome;
use steward_testkit::{Fault, until};
use tokio::sync::Notify;

use crate::export_portal::to;
use crate::history::{listened_to, posts};
use crate::import_server::answer;
use crate::test_app::TestApp;

async fn export(app: &TestApp) -> PortalExportReport {
    let ended = app.export_portal(to(&app.folder("exports"), false)).await.unwrap();
    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    report
}

fn rows(app: &TestApp, table: &str) -> Option<u32> {
    let database = Connection::open(app.practice_folder().join("portal/portal.db")).unwrap();
    database.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).ok()
}

#[tokio::test]
async fn an_export_counts_what_the_portal_has() {
    let app = TestApp::new().await;

    let inventory = export(&app).await.inventory.unwrap();

    let PortalInventory { items, users, groups, collaborations, ref items_by_type, ref missing, .. } =
        inventory;
    assert_eq!(
        [items, users, groups, collaborations],
        ["items", "users", "groups", "collaborations"].map(|table| rows(&app, table))
    );
    assert_eq!(Some(items_by_type.iter().map(|one| one.count).sum::<u32>()), items);
    assert!(items_by_type.iter().any(|one| one.r#type == "web map"), "{items_by_type:?}");
    assert!(missing.is_empty(), "{missing:?}");
    let record = &app.history().await[0];
    let kept = app.steward.context.history.journal({
        let id = record.id.clone();
        move |journal| journal.report_field(&id, "inventory")
    });
    assert_eq!(kept.await.unwrap().unwrap().read::<PortalInventory>().unwrap(), inventory);
}

#[tokio::test]
async fn a_list_that_the_portal_refuses_is_named_and_the_export_has_succeeded() {
    let app = TestApp::new().await;
    let refusal = r#"{"error":{"code":403,"message":"You do not have permissions","details":[]}}"#;
    let _way = app.with_fault("/community/groups", answer(refusal)).await;

    let report = export(&app).await;

    let inventory = report.inventory.unwrap();
    let [MissingPart { part: InventoryPart::Groups, of: None, reason }] = inventory.missing.as_slice() else {
        panic!("{inventory:?}")
    };
    assert!(reason.contains("You do not have permissions"), "{reason}");
    assert_eq!((inventory.groups, inventory.users), (None, rows(&app, "users")));
    assert_eq!(app.history().await[0].outcome, Outcome::Succeeded);
}

#[tokio::test]
async fn a_total_that_the_portal_did_not_count_is_no_number() {
    let app = TestApp::new().await;
    let _way = app.with_fault("/sharing/rest/search", answer(r#"{"total":-1,"results":[]}"#)).await;

    let inventory = export(&app).await.inventory.unwrap();

    assert_eq!(inventory.items, None);
    assert_eq!(inventory.missing.len(), 1, "{:?}", inventory.missing);
}

#[tokio::test]
async fn stop_while_the_portal_is_counted_skips_the_inventory_and_keeps_the_outcome() {
    let app = TestApp::new().await;
    let released = Arc::new(Notify::new());
    let held = app.with_fault("/community/groups", Fault::HeldUntil(released.clone())).await;
    let stopping = async {
        until("the count of the groups", async || held.met() > 0).await;
        app.steward.context.runs.stop(&app.run());
    };

    let exporting = app.export_portal(to(&app.folder("exports"), false));
    let (ended, ()) = tokio::join!(exporting, stopping);
    released.notify_one();

    let RunResult::Done { report, .. } = ended.unwrap() else { panic!("no outcome") };
    assert!(matches!(report.outcome, ExportOutcome::Written { .. }), "{report:?}");
    assert_eq!(report.inventory, None);
    assert_eq!(app.history().await[0].outcome, Outcome::Succeeded);
}

#[tokio::test]
async fn an_inventory_of_a_portal_sends_nothing_that_changes_it() {
    let app = TestApp::new().await;
    let (address, wire) = listened_to(app.practice_address()).await;
    app.go_through(&address);

    export(&app).await;

    let paths = posts(&wire).into_iter().map(|(path, _)| path);
    let sent: Vec<_> = paths.filter(|path| !path.ends_with("/generateToken")).collect();
    assert_eq!(sent, ["/portal/portaladmin/exportSite"; 2], "a check and the export");
}

#[tokio::test]
async fn a_portal_that_does_not_know_any_more_who_is_signed_in_is_not_counted_by_what_is_public() {
    let app = TestApp::new().await;
    let usual = app.with_fault("/portals/self", Fault::Saying("\0", "")).await;
    export(&app).await;
    let requests = usual.met();
    let anonymous = Fault::Saying(r#""user":"#, r#""nobody":"#);
    let forgotten = app.with_fault("/portals/self", anonymous).await.sparing(requests - 1);

    let report = export(&app).await;

    assert!(forgotten.met() > 0);
    let PortalInventory { items, users, groups, collaborations, missing, .. } = report.inventory.unwrap();
    assert_eq!([items, users, groups, collaborations], [None; 4]);
    assert_eq!(missing.len(), 4, "{missing:?}");
    assert_eq!(app.history().await[0].outcome, Outcome::Succeeded);
}
