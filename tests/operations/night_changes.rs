//! Changes that a backup plan finds: a snapshot after each run, and an alert for the plans that tell it.

use rusqlite::Connection;
use serde_json::{Value, json};
use steward_core::changes::Cause;
use steward_core::changes::snapshots::Snapshots;
use steward_core::changes::view::{Compared, SnapshotView};
use steward_core::files::data_folder::CHANGES;
use steward_core::history::ReportFormat;
use steward_core::settings::policy::Policy;
use steward_plans::plan::BackupPlan;
use steward_plans::process::WELL;
use steward_plans::store;
use steward_testkit::{Fault, FaultProxy, Request, TestServer};

use crate::alerts::{due_plan_with, events, json as body_of, receiver, run_now, start, webhook};
use crate::site_changes::answer;
use crate::test_app::TestApp;

/// A plan that is due and tells changes if it is to, and its receiver.
async fn telling(app: &TestApp, tells_changes: bool) -> (TestServer, BackupPlan) {
    let own = receiver("200 OK", "").await;
    let plan = due_plan_with(app, vec![webhook(format!("{}/hook", own.origin()))]).await;
    store::plans(&app.steward.data_folder).change(|plans| plans[0].tells_changes = tells_changes);
    (own, plan)
}

fn told(own: &TestServer) -> Vec<Value> {
    own.requests()
        .iter()
        .map(|request| body_of(request).0)
        .filter(|body| body["event"] == "site.changed")
        .collect()
}

/// Snapshots, as another process sees them.
async fn taken(app: &TestApp) -> Vec<SnapshotView> {
    let snapshots = Snapshots::open_for_runner(app.steward.data_folder.join(CHANGES));
    snapshots.view(&app.steward.context.history, &app.site).await.unwrap().snapshots
}

#[tokio::test]
async fn what_changed_since_the_run_before_is_told_once_by_the_channels_of_a_plan_that_tells_it() {
    let app = TestApp::new().await;
    let (own, plan) = telling(&app, true).await;
    assert_eq!(
        start(&app, Policy::default()).await,
        (WELL, Vec::new()),
        "the first night has nothing to tell"
    );
    let first = taken(&app).await;
    assert_eq!((first.len(), first[0].cause, first[0].failure.as_str()), (1, Cause::Plan, ""));
    let recorded = events(&app).await;
    assert!(recorded.iter().any(|body| body.contains("snapshot.taken") && body.contains(&first[0].sha256)));

    app.practice.simulate_changes().await.unwrap();
    let (code, shown) = run_now(&app, &plan).await;

    assert_eq!((code, shown.len()), (WELL, 1), "the desktop, too: {shown:?}");
    let [body] = &told(&own)[..] else { panic!("once: {:?}", told(&own)) };
    let changed = &body["changed"];
    assert_eq!((&changed["byApp"], &changed["notByApp"]), (&0.into(), &5.into()), "{body}");
    let changes: Vec<_> = changed["changes"].as_array().unwrap().iter().map(Value::to_string).collect();
    for name in [
        "Utilities/RasterUtilities.GPServer",
        "Parcels/Cadastre.FeatureServer",
        "/enterpriseDatabases/cadastre",
    ] {
        assert!(changes.iter().any(|line| line.contains(name)), "{name}: {changes:?}");
    }
    let text = body.to_string();
    for value in ["db2.example.org", "maxRecordCount", "PASSWORD", "{crypt}"] {
        assert!(!text.contains(value), "{value}");
    }

    // Nothing changed since.
    for _ in 0..2 {
        assert_eq!(run_now(&app, &plan).await, (WELL, Vec::new()));
    }
    assert_eq!((told(&own).len(), taken(&app).await.len()), (1, 4));
}

#[tokio::test]
async fn a_plan_that_does_not_tell_changes_takes_its_snapshots_and_tells_nothing() {
    let app = TestApp::new().await;
    let (own, plan) = telling(&app, false).await;
    start(&app, Policy::default()).await;
    app.practice.simulate_changes().await.unwrap();
    assert_eq!(run_now(&app, &plan).await, (WELL, Vec::new()));
    assert_eq!((told(&own).len(), taken(&app).await.len()), (0, 2));
}

#[tokio::test]
async fn changes_that_a_channel_refused_are_told_again_by_the_next_start() {
    let app = TestApp::new().await;
    let own = receiver("403 Forbidden", "").await;
    let plan = due_plan_with(&app, vec![webhook(format!("{}/hook", own.origin()))]).await;
    store::plans(&app.steward.data_folder).change(|plans| plans[0].tells_changes = true);
    start(&app, Policy::default()).await;
    app.practice.simulate_changes().await.unwrap();
    run_now(&app, &plan).await;
    start(&app, Policy::default()).await;
    let ids: Vec<_> = told(&own).into_iter().map(|body| body["id"].clone()).collect();
    assert!(matches!(&ids[..], [one, other] if one == other), "{ids:?}");
    assert_eq!(taken(&app).await.len(), 2, "no plan was due");
}

#[tokio::test]
async fn a_snapshot_that_was_changed_after_it_was_taken_is_told_although_nothing_is_compared() {
    let app = TestApp::new().await;
    let (own, plan) = telling(&app, true).await;
    start(&app, Policy::default()).await;
    let file = Connection::open(app.steward.data_folder.join(CHANGES)).unwrap();
    let changed = file.execute("UPDATE value SET sha256 = x'00' WHERE id = (SELECT max(id) FROM value)", []);
    assert_eq!(changed.unwrap(), 1);

    run_now(&app, &plan).await;

    let [body] = &told(&own)[..] else { panic!("once: {:?}", told(&own)) };
    let told = &body["changed"];
    assert_eq!(told["changes"], Value::Array(Vec::new()));
    let reason = "was changed after it was taken";
    assert!(
        told["notCompared"].as_array().unwrap().iter().all(|gap| gap.to_string().contains(reason)),
        "{body}"
    );
}

#[tokio::test]
async fn a_run_is_as_expected_although_no_snapshot_can_be_taken_or_kept() {
    let app = TestApp::new().await;
    let (_own, plan) = telling(&app, true).await;
    let file = app.steward.data_folder.join(CHANGES);
    std::fs::write(&file, "no database").unwrap();
    assert_eq!(start(&app, Policy::default()).await, (WELL, Vec::new()));
    assert_eq!(run_now(&app, &plan).await, (WELL, Vec::new()));
    assert_eq!(std::fs::read(&file).unwrap(), b"no database", "the window has it open, perhaps");
}

/// A resource as a site returns it, with secrets wherever one can be, and another level in each night.
fn full_of_secrets(night: &str) -> Value {
    let canary = |place: u32| format!("canary{place}{night}");
    json!({
        "name": format!("https://sam:{}@hooks.example.org/x?token={}", canary(1), canary(2)), "level": night,
        "password": canary(3), "deep": [{ "name": "a", "clientSecret": canary(4) }, { "name": "b", "token": canary(5) }],
        "connectionString": format!("SERVER=db{night};USER=sde;PASSWORD={}", canary(6)), format!("token={}", canary(7)): 1,
        "pair": { "name": "password", "value": canary(8) }, "lists": [[{ "apiKey": canary(9) }]],
    })
}

#[tokio::test]
async fn no_secret_of_any_resource_is_told_by_an_alert_or_saved_with_a_comparison() {
    let app = TestApp::new().await;
    let (own, plan) = telling(&app, true).await;
    let list = |night: &str, name: &str| json!({ name: [full_of_secrets(night)], "total": 1 });
    let resources = |night: &str| {
        let refused =
            format!("not for password=canary{night}, see https://sam:canary@x.example.org?token=canary");
        [
            ("/services/Basemap.MapServer", full_of_secrets(night)),
            ("/services/permissions", full_of_secrets(night)),
            ("/services/webhooks", list(night, "webhooks")),
            ("/data/items/enterpriseDatabases/cadastre", full_of_secrets(night)),
            ("/server/admin/system/properties", full_of_secrets(night)),
            ("/portaladmin/system/properties", full_of_secrets(night)),
            ("/server/admin/system/webadaptors", full_of_secrets(night)),
            ("/server/admin/machines/GIS1.EXAMPLE.ORG?", full_of_secrets(night)),
            ("/server/admin/security/config", full_of_secrets(night)),
            ("/portaladmin/security/config", full_of_secrets(night)),
            ("/logs/settings", full_of_secrets(night)),
            ("/portals/self/webhooks", list(night, "webhooks")),
            ("/portals/self/roles", json!({ "error": { "code": 403, "message": refused, "details": [] } })),
        ]
    };
    let body = |value: &Value| answer(&value.to_string());
    let mut proxies: Vec<FaultProxy> = Vec::new();
    for (on, value) in resources("a") {
        let before = proxies.last().map_or_else(|| app.practice_address().to_owned(), FaultProxy::address);
        proxies.push(FaultProxy::to(&before, on, body(&value)).await.unwrap());
    }
    // The client shows where a site redirects to, with its path.
    let elsewhere =
        "HTTP/1.1 302 Found\r\nlocation: https://login.example.org/token=canary\r\ncontent-length: 0\r\n\r\n";
    let redirects = Fault::Instead(elsewhere.as_bytes().to_vec());
    let before = proxies.last().unwrap().address();
    proxies.push(FaultProxy::to(&before, "/portaladmin/security/sslCertificates", redirects).await.unwrap());
    app.go_through(&proxies.last().unwrap().address());
    assert_eq!(start(&app, Policy::default()).await.0, WELL);
    for (proxy, (_, value)) in proxies.iter().zip(resources("b")) {
        proxy.change_to(body(&value));
    }
    run_now(&app, &plan).await;

    let [alert] = &told(&own)[..] else { panic!("once: {:?}", told(&own)) };
    let changes = alert["changed"]["changes"].as_array().unwrap();
    // Each of them differs; webhooks have another name, too.
    assert!(changes.len() >= resources("a").len() - 1, "{changes:#?}");
    let gaps = alert["changed"]["notCompared"].to_string();
    assert!(gaps.contains("not for password") && gaps.contains("login.example.org"), "with reasons: {gaps}");
    let mut leaves =
        vec![("the alert".to_owned(), own.requests().iter().map(Request::text).collect::<String>())];
    let folder = &app.steward.data_folder;
    let stored = [CHANGES, "changes.db-wal"].map(|name| std::fs::read(folder.join(name)).unwrap_or_default());
    leaves.push(("the file".to_owned(), String::from_utf8_lossy(&stored.concat()).into_owned()));
    let all = taken(&app).await;
    let compared = Compared::Since { site: app.site.clone(), from: all[1].id, to: all[0].id };
    for format in [ReportFormat::Html, ReportFormat::Csv, ReportFormat::Json] {
        let place = app.folder("saved").join(format!("c.{}", format.extension()));
        app.dialogs.will_choose(&place);
        let (dialogs, language) = (&app.steward.dialogs, &app.steward.language);
        let snapshots = &app.steward.snapshots;
        snapshots.save(&app.steward.context, dialogs, language, &compared, format).await.unwrap();
        leaves.push((format!("{format:?}"), std::fs::read_to_string(place).unwrap()));
    }
    for (what, text) in leaves {
        assert!(text.contains("Basemap.MapServer"), "{what}");
        let found = text
            .find("canary")
            .map(|at| text.chars().skip(at.saturating_sub(80)).take(200).collect::<String>());
        assert_eq!(found, None, "{what}");
    }
}
