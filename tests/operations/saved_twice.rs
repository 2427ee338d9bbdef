//! One site that is saved twice: one operation at a time, and the protection of both.

use std::sync::Arc;

use serde_json::json;
use steward_core::actions::sites::{lock_site, save};
use steward_core::actions::unlock::unlock;
use steward_core::model::ids::SiteId;
use steward_core::model::operation::OperationKey;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::operations::deactivate_webhooks::DeactivateWebhooksForm;
use steward_core::operations::export_server::{ExportServerForm, ServerExportDestination};
use steward_core::runs::{Run, RunId, RunStep};
use steward_core::sites::SiteForm;
use steward_core::transfers::upload::UploadSource;
use steward_testkit::{Fault, until};
use tokio::sync::Notify;

use crate::test_app::TestApp;

/// Saves a second site.
fn twin(app: &TestApp, portal: &str, server: &str) -> SiteId {
    app.sites().save(&SiteForm::of("Harbour", portal, server)).unwrap().id
}

fn begin(app: &TestApp, site: &SiteId, operation: OperationKey) -> Result<Run, Problem> {
    let site = app.sites().get(site).unwrap();
    app.steward.context.runs.begin(
        RunId("other".to_owned()),
        &app.current(&site),
        operation,
        None,
        RunStep::Waiting,
    )
}

fn export(app: &TestApp) -> ExportServerForm {
    let location = app.folder("exports").display().to_string();
    ExportServerForm { place: ServerExportDestination::ServerFolder { location } }
}

fn deactivation() -> DeactivateWebhooksForm {
    DeactivateWebhooksForm {
        services: vec!["Buffer.GPServer".to_owned()],
        why: String::new(),
        confirmation: String::new(),
    }
}

fn is_busy_with_harbour(problem: Option<&Problem>) -> bool {
    matches!(problem, Some(Problem::Busy { site_name, operation: OperationKey::ImportServer, .. }) if site_name == "Harbour")
}

#[tokio::test]
async fn of_two_saved_sites_with_one_address_one_operation_runs_and_the_other_says_which() {
    let app = TestApp::new().await;
    let ready = app.practice.ready();
    for (portal, server) in [
        (&*ready.portal, &*ready.server),
        ("", &*ready.server.replace("/server", "//SERVER/")),
        (&*ready.portal, "https://another.example.org/server"),
    ] {
        let other = twin(&app, portal, server);
        let running = begin(&app, &other, OperationKey::ImportServer).unwrap();

        let export = app.export_server(export(&app)).await.err();
        let webhooks = app.deactivate_webhooks(deactivation()).await.err();
        assert!(is_busy_with_harbour(export.as_ref()), "{server}: {export:?}");
        assert!(is_busy_with_harbour(webhooks.as_ref()), "{server}: {webhooks:?}");
        assert!(app.history().await.is_empty(), "nothing was sent");

        drop(running);
        let free = begin(&app, &app.site, OperationKey::ExportServer);
        assert!(begin(&app, &other, OperationKey::ImportServer).is_err(), "the other way round too");
        drop(free.unwrap());
        app.sites().remove(&other).unwrap();
    }
}

#[tokio::test]
async fn an_upload_waits_for_an_operation_under_another_name_of_the_site() {
    let app = TestApp::new().await;
    let other = twin(&app, "", &app.practice.ready().server);
    let running = begin(&app, &other, OperationKey::ImportServer).unwrap();
    let file = app.folder("files").join("a.agssite");
    std::fs::write(&file, b"PK").unwrap();
    app.dialogs.will_choose(&file);

    let refused = app.upload(UploadSource::Choose { part_mebibytes: 5 }).await.err();

    assert!(is_busy_with_harbour(refused.as_ref()), "{refused:?}");
    drop(running);
}

#[tokio::test]
async fn a_web_adaptor_and_the_port_that_the_portal_lists_for_its_server_are_one_site() {
    let app = TestApp::signed_out().await;
    let machine = "https://srv1.invalid:6443/arcgis";
    let ready = app.practice.ready();
    let body = json!({ "servers": [{ "id": "a", "url": ready.server, "adminUrl": machine }] }).to_string();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    let answer = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
    let way = app.with_fault("/portals/self/servers", Fault::Instead(answer.into_bytes())).await;
    let portal = format!("http://{}/portal", way.address());
    let form = SiteForm { id: Some(app.site.clone()), ..SiteForm::of("City GIS", &portal, &ready.server) };
    save(&app.steward.context, &form).await.unwrap();
    app.sign_in("administrator").await.unwrap();
    let other = twin(&app, "", machine);
    let running = begin(&app, &other, OperationKey::ImportServer).unwrap();

    let refused = app.export_server(export(&app)).await.err();

    assert!(is_busy_with_harbour(refused.as_ref()), "{refused:?}");
    assert!(app.history().await.is_empty(), "nothing was sent");
    drop(running);
    let exported = app.export_server(export(&app)).await;
    assert!(matches!(exported, Ok(RunResult::Done { .. })), "{exported:?}");
    assert!(begin(&app, &other, OperationKey::ImportServer).is_ok(), "the site is free afterwards");
}

#[tokio::test]
async fn an_unlock_of_one_saved_site_is_none_of_another_at_its_address() {
    let app = TestApp::new().await;
    let other = twin(&app, "", &app.practice.ready().server);
    let mark = |site: &SiteId| {
        let mut site = app.sites().get(site).unwrap();
        site.read_only = true;
        app.sites().put(site).unwrap();
    };
    let locked = |site: &SiteId, name: &str| {
        Some(Problem::ReadOnly { site: site.clone(), site_name: name.to_owned() })
    };
    mark(&other);

    let refused = app.deactivate_webhooks(deactivation()).await.err();
    assert_eq!(refused, locked(&other, "Harbour"), "this one is not read-only, and the same server is");

    mark(&app.site);
    unlock(&app.steward.context, &app.site, "The receiver moves").await.unwrap();
    assert_eq!(app.deactivate_webhooks(deactivation()).await.err(), locked(&other, "Harbour"));
    unlock(&app.steward.context, &other, "The receiver moves").await.unwrap();
    lock_site(&app.steward.context, app.site.clone()).await.unwrap();
    assert_eq!(app.deactivate_webhooks(deactivation()).await.err(), locked(&app.site, "City GIS"));
    assert!(app.export_server(export(&app)).await.is_ok(), "a copy changes nothing");

    unlock(&app.steward.context, &app.site, "The receiver moves").await.unwrap();
    let done = app.deactivate_webhooks(deactivation()).await;
    assert!(matches!(done, Ok(RunResult::Done { .. })), "{done:?}");
}

#[tokio::test]
async fn a_lock_of_the_other_saved_site_leaves_a_change_on_its_way_unsent() {
    let app = TestApp::new().await;
    let other = twin(&app, "", &app.practice.ready().server);
    let mut site = app.sites().get(&other).unwrap();
    site.read_only = true;
    app.sites().put(site).unwrap();
    unlock(&app.steward.context, &other, "The receiver moves").await.unwrap();
    app.steward.context.access.forget_known(&app.site);
    let gate = Arc::new(Notify::new());
    let way = app.with_fault("/rest/portals/self", Fault::HeldUntil(gate.clone())).await.only(1);

    let change = app.deactivate_webhooks(deactivation());
    let person = async {
        until("the question", async || way.met() == 1).await;
        lock_site(&app.steward.context, other.clone()).await.unwrap();
        gate.notify_one();
    };
    let (end, ()) = tokio::join!(change, person);

    assert_eq!(end.err(), Some(Problem::ReadOnly { site: other, site_name: "Harbour".to_owned() }));
}
