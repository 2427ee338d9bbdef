//! The message that all is well: which channels get it, what it tells, and what keeps it back.

use serde_json::{Value, json};
use steward_app::overview;
use steward_app::steward::Steward;
use steward_core::files::data_folder::{CHECKED_FACTS, DataFolder};
use steward_core::model::alert_channel::ChannelKind;
use steward_core::model::numbers::Millis;
use steward_core::settings::policy::{PlansRule, Policy};
use steward_plans::alerts::channel::ChannelForm;
use steward_plans::alerts::fault::AlertFault;
use steward_plans::plan::RehearseEvery;
use steward_plans::process::WELL;
use steward_testkit::TestServer;

use crate::alerts::{
    due_plan_with, events, json as body_of, receiver, rejected, slack, start, start_beside, webhook,
};
use crate::really_back;
use crate::test_app::TestApp;

/// A webhook that is told when all is well.
async fn wanting(status: &'static str) -> (TestServer, ChannelForm) {
    let own = receiver(status, "").await;
    let form = ChannelForm { tells_all_well: true, ..webhook(format!("{}/hook", own.origin())) };
    (own, form)
}

/// Messages that all is well.
fn told(own: &TestServer) -> Vec<Value> {
    let bodies = own.requests().iter().map(|request| body_of(request).0).collect::<Vec<_>>();
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

/// Notes that the service of the practice site that does not run does, as a later check would.
fn all_run(app: &TestApp) {
    let file = app.steward.data_folder.join(CHECKED_FACTS);
    let mut checked: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let components = checked["content"].as_array_mut().unwrap();
    let server = components.iter_mut().find(|checks| !checks["services"]["value"].is_null()).unwrap();
    let services = &mut server["services"]["value"];
    services["running"] = services["shouldRun"].clone();
    services["notRunning"] = json!([]);
    std::fs::write(&file, checked.to_string()).unwrap();
}

#[tokio::test]
async fn a_service_that_does_not_run_by_the_last_check_keeps_the_message_back() {
    let app = TestApp::new().await;
    let (own, form) = wanting("200 OK").await;
    due_plan_with(&app, vec![form]).await;
    check(&app).await;
    start(&app, Policy::default()).await;
    assert_eq!(told(&own), Vec::<Value>::new());

    all_run(&app);
    start(&app, Policy::default()).await;

    let services = &told(&own)[0]["sites"][0]["services"];
    assert!(services["running"].as_u64() > Some(0), "{services}");
    assert_eq!(services["running"], services["shouldRun"]);
    assert!(services["checkedAt"].is_string(), "{services}");
}

#[tokio::test]
async fn what_expires_within_a_week_keeps_the_message_back_until_a_check_finds_it_renewed() {
    let app = TestApp::new().await;
    let (own, form) = wanting("200 OK").await;
    due_plan_with(&app, vec![form]).await;
    app.order("read_licenses", "licenseExpiresSoon", &[]).await;
    for count in [0, 1] {
        check(&app).await;
        all_run(&app);
        start(&app, Policy::default()).await;
        assert_eq!(told(&own).len(), count);
    }
}

#[tokio::test]
async fn a_site_that_is_not_back_by_its_last_check_keeps_the_message_back() {
    let app = TestApp::new().await;
    let (own, form) = wanting("200 OK").await;
    due_plan_with(&app, vec![form]).await;
    let Steward { context, proofs, .. } = &app.steward;
    for (is_whole, count) in [(false, 0), (true, 1)] {
        if is_whole {
            really_back::repair(&app);
        }
        proofs.check_again(context, &app.site).unwrap();
        start(&app, Policy::default()).await;
        assert_eq!(told(&own), Vec::<Value>::new(), "it is waited for");
        proofs.check_due(context).await;
        proofs.stop(&app.site);
        start(&app, Policy::default()).await;
        assert_eq!(told(&own).len(), count, "{:#?}", proofs.of(context, &app.site));
    }
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
    let events: Vec<_> = own.requests().iter().map(|request| body_of(request).0["event"].clone()).collect();
    assert_eq!(events, ["plan.failed"]);
}

#[tokio::test]
async fn a_plan_that_needs_a_user_for_another_reason_keeps_the_message_back() {
    let app = TestApp::new().await;
    let (own, form) = wanting("200 OK").await;
    let plan = due_plan_with(&app, vec![form]).await;
    let plans = steward_plans::store::plans(&app.steward.data_folder);
    plans.change(|plans| {
        plans[0].rehearse_every = Some(RehearseEvery::Month);
        plans[0].since = Millis(0);
    });
    assert_eq!(start(&app, Policy::default()).await.0, WELL);
    assert_eq!(told(&own), Vec::<Value>::new(), "nobody rehearsed {plan:?}");
    plans.change(|plans| plans[0].rehearse_every = None);
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
