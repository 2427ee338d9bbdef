//! The message that all is well: which channels get it, what it tells, and what keeps it back.

use serde_json::Value;
use steward_app::overview;
use steward_core::files::data_folder::{CHECKED_FACTS, DataFolder};
use steward_core::model::alert_channel::ChannelKind;
use steward_core::settings::policy::{PlansRule, Policy};
use steward_plans::alerts::channel::ChannelForm;
use steward_plans::alerts::fault::AlertFault;
use steward_plans::process::WELL;
use steward_testkit::TestServer;

use crate::alerts::{due_plan_with, events, json, receiver, rejected, slack, start, start_beside, webhook};
use crate::test_app::TestApp;

/// A webhook that is told when all is well.
async fn wanting(status: &'static str) -> (TestServer, ChannelForm) {
    let own = receiver(status, "").await;
    let form = ChannelForm { tells_all_well: true, ..webhook(format!("{}/hook", own.origin())) };
    (own, form)
}

/// Messages that all is well.
fn told(own: &TestServer) -> Vec<Value> {
    let bodies = own.requests().iter().map(|request| json(request).0).collect::<Vec<_>>();
    bodies.into_iter().filter(|body| body["event"] == "plans.well").collect()
}

async fn check(app: &TestApp) {
    overview::check_site(&app.steward.context, &app.site).await.unwrap();
}

#[tokio::test]
async fn when_all_is_well_only_a_channel_that_wants_it_is_told_and_once() {
    let app = TestApp::new().await;
    let (own, form) = wanting("200 OK").await;
    let other = receiver("200 OK", "ok").await;
    let plan = due_plan_with(&app, vec![form, slack(other.origin())]).await;

    for _ in 0..3 {
        assert_eq!(start(&app, Policy::default()).await, (WELL, Vec::new()), "nothing at the desktop");
    }

    let [body] = &told(&own)[..] else { panic!("once: {:?}", told(&own)) };
    let [site] = &body["sites"].as_array().unwrap()[..] else { panic!("{body}") };
    assert_eq!((&site["name"], &site["plans"][0]["name"]), (&"City GIS".into(), &plan.name.into()));
    assert!(site["plans"][0]["at"].as_str().unwrap().ends_with('Z'), "{body}");
    assert_eq!(site["services"], Value::Null, "never checked");
    assert_eq!(own.requests()[0].header("Idempotency-Key"), body["id"].as_str());
    assert!(other.requests().is_empty());
    let recorded: Vec<_> =
        events(&app).await.into_iter().filter(|event| event.contains("\"plans.well\"")).collect();
    assert!(matches!(&recorded[..], [one] if one.contains("\"alert.sent\"")), "{recorded:?}");
}

#[tokio::test]
async fn the_services_are_those_of_the_last_check() {
    let app = TestApp::new().await;
    let (own, form) = wanting("200 OK").await;
    due_plan_with(&app, vec![form]).await;
    check(&app).await;
    start(&app, Policy::default()).await;
    let services = &told(&own)[0]["sites"][0]["services"];
    assert!(
        services["running"].as_u64() > Some(0) && services["running"] == services["shouldRun"],
        "{services}"
    );
    assert!(services["checkedAt"].is_string(), "{services}");
}

#[tokio::test]
async fn a_service_that_did_not_run_or_what_expires_in_a_week_keeps_the_message_back() {
    let app = TestApp::new().await;
    let (own, form) = wanting("200 OK").await;
    due_plan_with(&app, vec![form]).await;
    app.order("read_licenses", "license-expires-soon", &[]).await;
    check(&app).await;
    start(&app, Policy::default()).await;
    assert_eq!(told(&own), Vec::<Value>::new(), "a license");

    check(&app).await;
    let file = app.steward.data_folder.join(CHECKED_FACTS);
    let renewed = std::fs::read(&file).unwrap();
    let mut stopped: Value = serde_json::from_slice(&renewed).unwrap();
    let servers = stopped["content"].as_array_mut().unwrap();
    let server = servers.iter_mut().find(|checks| !checks["services"]["value"].is_null()).unwrap();
    server["services"]["value"]["running"] = 1.into();
    std::fs::write(&file, stopped.to_string()).unwrap();
    start(&app, Policy::default()).await;
    assert_eq!(told(&own), Vec::<Value>::new(), "a service");

    std::fs::write(&file, renewed).unwrap();
    start(&app, Policy::default()).await;
    assert_eq!(told(&own).len(), 1);
}

#[tokio::test]
async fn a_night_that_failed_is_told_by_its_alert_alone() {
    let app = TestApp::new().await;
    let (own, form) = wanting("200 OK").await;
    due_plan_with(&app, vec![form]).await;
    let _fault = app.with_fault("/exportSite", rejected()).await;
    for _ in 0..2 {
        start(&app, Policy::default()).await;
    }
    let events: Vec<_> = own.requests().iter().map(|request| json(request).0["event"].clone()).collect();
    assert_eq!(events, ["plan.failed"]);
}

#[tokio::test]
async fn a_plan_that_needs_a_user_for_another_reason_keeps_the_message_back() {
    let app = TestApp::new().await;
    let (own, form) = wanting("200 OK").await;
    let plan = due_plan_with(&app, vec![form]).await;
    let plans = steward_plans::store::plans(&app.steward.data_folder);
    plans.change(|plans| plans[0].rehearse_days = Some(0));
    assert_eq!(start(&app, Policy::default()).await.0, WELL);
    assert_eq!(told(&own), Vec::<Value>::new(), "nobody rehearsed {plan:?}");
    plans.change(|plans| plans[0].rehearse_days = None);
    start(&app, Policy::default()).await;
    assert_eq!(told(&own).len(), 1);
}

#[tokio::test]
async fn a_message_that_a_channel_refused_is_sent_again_by_the_next_start_with_its_identifier() {
    let app = TestApp::new().await;
    let (own, form) = wanting("403 Forbidden").await;
    due_plan_with(&app, vec![form]).await;
    for _ in 0..2 {
        assert_eq!(start(&app, Policy::default()).await.0, WELL, "no message changes an outcome");
    }
    let ids: Vec<_> = told(&own).iter().map(|body| body["id"].clone()).collect();
    assert!(ids.len() == 2 && ids[0] == ids[1], "{ids:?}");
    let fault = app.steward.alerts.view(&Policy::default()).channels[0].last.clone().unwrap().fault;
    assert!(matches!(fault, Some(AlertFault::Rejected { status: Some(403), .. })), "{fault:?}");
    let recorded = events(&app).await;
    let refused = recorded.iter().filter(|event| event.contains("\"alert.not-sent\""));
    assert_eq!(refused.count(), 1, "the first failure in a row");
}

#[tokio::test]
async fn a_runner_beside_another_one_tells_no_success() {
    let app = TestApp::new().await;
    let (own, form) = wanting("200 OK").await;
    due_plan_with(&app, vec![form]).await;
    start(&app, Policy { alert_channels: Some(vec![ChannelKind::Mail]), ..Policy::default() }).await;
    assert_eq!(own.requests().len(), 0, "the organization does not allow it");
    let held = DataFolder::take_for_runner(&app.steward.data_folder).unwrap();
    assert_eq!(start_beside(&app).await.code, WELL);
    drop(held);
    assert_eq!(own.requests().len(), 0);
    start(&app, Policy { plans: Some(PlansRule::Forbidden), ..Policy::default() }).await;
    assert_eq!(own.requests().len(), 0);
    start(&app, Policy::default()).await;
    assert_eq!(told(&own).len(), 1);
}
