//! Changes that a backup plan finds: a snapshot after each run, and an alert for the plans that tell it.

use std::collections::BTreeSet;

use rusqlite::Connection;
use serde_json::{Value, json};
use steward_core::changes::snapshots::Snapshots;
use steward_core::changes::view::{Compared, SnapshotView};
use steward_core::changes::{Cause, Kind};
use steward_core::files::data_folder::CHANGES;
use steward_core::history::ReportFormat;
use steward_core::settings::policy::Policy;
use steward_plans::plan::BackupPlan;
use steward_plans::process::WELL;
use steward_plans::store;
use steward_testkit::{Fault, FaultProxy, Request, TestServer};

use crate::alerts::{due_plan_with, events, json as body_of, receiver, run_now, start, webhook};
use crate::site_changes::answer;
use crate::test_app::{TestApp, files_in};

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
        "serverKey": canary(10), "webgisServerTrustKey": canary(11),
    })
}

/// The same, with other fields in addition or in place of its own.
fn with(night: &str, fields: Value) -> Value {
    let (mut all, Value::Object(fields)) = (full_of_secrets(night), fields) else { panic!("no object") };
    fields.into_iter().for_each(|(name, value)| all[name] = value);
    all
}

/// Whatever a snapshot reads of a site, by a part of its URL. The other fields of lists are needed to read further.
fn resources(night: &str, server: &str) -> Vec<(&'static str, Value)> {
    let list = |name: &str, one: Value| json!({ name: [one], "total": 1, "nextStart": -1 });
    let full = || full_of_secrets(night);
    let text =
        |words: &str| format!("{words} token=canary{night}, see https://sam:canary{night}@x.example.org");
    let expiration = 1_893_456_000_000_i64 + i64::from(night.as_bytes()[0]) * 86_400_000;
    let license = json!({ "id": text("l"), "name": text("l"), "displayName": text("l"), "canExpire": true,
        "maximumRegisteredMembers": 5, "expiration": expiration });
    let participant = json!({
        "portalInfo": with(night, json!({ "id": "p1", "name": text("Ports"), "url": text("https://p.example.org") })),
        "collaborationRole": text(&format!("Guest {night}")), "status": text("active"),
        "config": with(night, json!({ "contactFirstname": text("Kim"), "contactLastname": text("Ng"),
            "contactEmailAddress": text("kim@example.org") })),
    });
    let federated = json!({ "id": "aB3dE5gH7jK9mN1p", "url": server, "adminUrl": server,
        "serverRole": "HOSTING_SERVER", "serverType": text("ArcGIS"), "serverFunction": text("") });
    vec![
        ("/services/Basemap.MapServer", full()),
        ("/services/permissions", full()),
        ("/services/webhooks", list("webhooks", full())),
        ("/data/items/enterpriseDatabases/cadastre", full()),
        ("/server/admin/system/properties", full()),
        ("/portaladmin/system/properties", full()),
        ("/server/admin/system/webadaptors", full()),
        ("/server/admin/system/licenses", json!({ "features": [with(night, license.clone())] })),
        ("/portaladmin/license?", json!({ "userTypes": [with(night, license)] })),
        (
            "/admin/machines/GIS1.EXAMPLE.ORG?",
            with(night, json!({ "webServerCertificateAlias": text("web") })),
        ),
        ("/sslcertificates/", with(night, json!({ "validUntilEpoch": expiration }))),
        ("/server/admin/security/config", full()),
        ("/portaladmin/security/config", full()),
        ("/logs/settings", full()),
        ("/portals/self/webhooks", list("webhooks", full())),
        ("/portals/self/servers", list("servers", with(night, federated))),
        (
            "/collaborations?",
            list("collaborations", with(night, json!({ "id": "c1", "name": text("Flood") }))),
        ),
        ("/participants?", list("participants", with(night, participant))),
        ("/roles/r1/privileges", json!({ "privileges": [night, text("view")] })),
        ("/portals/self/roles?", list("roles", with(night, json!({ "id": "r1" })))),
    ]
}

#[tokio::test]
async fn no_secret_of_any_resource_is_on_disk_or_told_by_an_alert_or_saved_with_a_comparison() {
    let app = TestApp::new().await;
    let (own, plan) = telling(&app, true).await;
    let resources = |night: &str| resources(night, &app.practice.ready().server);
    let body = |value: &Value| answer(&value.to_string());
    let mut proxies: Vec<FaultProxy> = Vec::new();
    for (on, value) in resources("a") {
        let before = proxies.last().map_or_else(|| app.practice_address().to_owned(), FaultProxy::address);
        proxies.push(FaultProxy::to(&before, on, body(&value)).await.unwrap());
    }
    let refusing = proxies.last().unwrap();
    // The client shows where a site redirects to, with its path.
    let elsewhere =
        "HTTP/1.1 302 Found\r\nlocation: https://login.example.org/token=canary\r\ncontent-length: 0\r\n\r\n";
    let redirects = Fault::Instead(elsewhere.as_bytes().to_vec());
    let redirecting = FaultProxy::to(&refusing.address(), "/portaladmin/security/sslCertificates", redirects)
        .await
        .unwrap();
    app.go_through(&redirecting.address());
    assert_eq!(start(&app, Policy::default()).await.0, WELL);
    for night in ["b", "c"] {
        for (proxy, (_, value)) in proxies.iter().zip(resources(night)) {
            proxy.change_to(body(&value));
        }
        if night == "c" {
            let refused = "not for password=canary, see https://sam:canary@x.example.org?token=canary";
            refusing.change_to(body(&json!({ "error": { "code": 403, "message": refused, "details": [] } })));
        }
        run_now(&app, &plan).await;
    }

    let alerts = told(&own);
    let [changed, refused] = &alerts[..] else { panic!("each night once: {alerts:?}") };
    assert!(changed.to_string().contains("login.example.org"), "with reasons: {changed}");
    assert!(refused["changed"]["notCompared"].to_string().contains("not for password"), "{refused}");
    let mut leaves =
        vec![("the alert".to_owned(), own.requests().iter().map(Request::text).collect::<String>())];
    let snapshots = &app.steward.snapshots;
    let all = taken(&app).await;
    let [third, second, first] = &all[..] else { panic!("{all:?}") };
    for (from, to) in [(first, second), (second, third)] {
        let compared = Compared::Since { site: app.site.clone(), from: from.id, to: to.id };
        let found = snapshots.compare(&app.steward.context, &compared).await.unwrap();
        let kinds: BTreeSet<_> = found.differences.iter().map(|one| one.key.kind).collect();
        let refused = (to.id == third.id).then_some(Kind::Roles);
        let planted = Kind::ALL.into_iter().filter(|kind| *kind != Kind::Versions && Some(*kind) != refused);
        assert_eq!(kinds, planted.collect(), "each of them differs");
        for format in [ReportFormat::Html, ReportFormat::Csv, ReportFormat::Json] {
            let place = app.folder("saved").join(format!("{}.{}", to.id.0, format.extension()));
            app.dialogs.will_choose(&place);
            let (dialogs, language) = (&app.steward.dialogs, &app.steward.language);
            snapshots.save(&app.steward.context, dialogs, language, &compared, format).await.unwrap();
            leaves.push((format!("{format:?}"), std::fs::read_to_string(place).unwrap()));
        }
    }
    let folder = &app.steward.data_folder;
    let stored = [CHANGES, "changes.db-wal"].map(|name| std::fs::read(folder.join(name)).unwrap_or_default());
    leaves.push(("the file".to_owned(), String::from_utf8_lossy(&stored.concat()).into_owned()));
    for (what, text) in leaves {
        assert!(text.contains("Basemap.MapServer"), "{what}");
        let found = text
            .find("canary")
            .map(|at| text.chars().skip(at.saturating_sub(80)).take(200).collect::<String>());
        assert_eq!(found, None, "{what}");
    }
    for name in files_in(folder) {
        let bytes = std::fs::read(folder.join(&name)).unwrap_or_default();
        assert!(!bytes.windows(6).any(|window| window == b"canary"), "{name}");
    }
}
