//! What depends on what in a data store: validation of items, the services that use them, and the items of a service.

use rusqlite::Connection;
use steward_app::steward::Steward;
use steward_core::actions::sign_in::leave;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::operations::find_items::FindItemsForm;
use steward_core::operations::find_items::data_use::{self, DataUse, ItemUse, ServiceData};
use steward_core::operations::find_items::item_search::{ItemQuery, SearchId};
use steward_core::operations::find_items::validation::{self, ItemValidation, SearchValidation, Verdict};
use steward_core::runs::RunStep;
use steward_journal::Outcome;
use steward_testkit::{Fault, until};

use crate::history::{listened_to, posts};
use crate::import_server::answer;
use crate::read_only::read_only;
use crate::test_app::TestApp;

/// Folder that was moved away.
const MOVED: &str = "/fileShares/zoning";
/// Data store with a machine that is stopped.
const HALF: &str = "/nosqlDatabases/sensors";
const MANAGED: &str = "/enterpriseDatabases/relational_elderbrook";

pub(crate) async fn searched(app: &TestApp, ancestor: &str) -> SearchId {
    let form = FindItemsForm { ancestor_path: ancestor.to_owned(), ..FindItemsForm::default() };
    let RunResult::Done { report, .. } = app.find_items(form).await.unwrap() else { panic!("no items") };
    report.search.id
}

/// Place of an item in the results.
fn place(app: &TestApp, search: &SearchId, path: &str) -> u32 {
    let held = app.steward.item_searches.get(&app.server, search).unwrap();
    let rows = held.rows(&ItemQuery::default(), 0, 500).rows;
    rows.iter().find(|row| row.path == path).unwrap().item
}

async fn validate(
    app: &TestApp,
    search: &SearchId,
    item: Option<u32>,
) -> Result<RunResult<SearchValidation>, Problem> {
    let (context, searches) = (&app.steward.context, &app.steward.item_searches);
    validation::perform(context, searches, &app.server, app.run(), search, item).await
}

pub(crate) async fn validated(app: &TestApp, search: &SearchId) -> SearchValidation {
    match validate(app, search, None).await.unwrap() {
        RunResult::Done { report, .. } => report,
        other => panic!("{other:?}"),
    }
}

/// Validates one item.
async fn validated_item(app: &TestApp, path: &str) -> ItemValidation {
    let search = searched(app, "/").await;
    let item = place(app, &search, path);
    let ended = validate(app, &search, Some(item)).await.unwrap();
    assert!(matches!(ended, RunResult::Done { .. }), "{ended:?}");
    kept(app, &search, path).unwrap()
}

pub(crate) fn kept(app: &TestApp, search: &SearchId, path: &str) -> Option<ItemValidation> {
    let (context, searches) = (&app.steward.context, &app.steward.item_searches);
    validation::of_item(context, searches, &app.server, search, place(app, search, path)).unwrap()
}

async fn find_use(app: &TestApp) -> DataUse {
    let (context, searches) = (&app.steward.context, &app.steward.item_searches);
    match data_use::find(context, searches, &app.server, app.run()).await.unwrap() {
        RunResult::Done { report, .. } => report,
        other => panic!("{other:?}"),
    }
}

fn item_use(app: &TestApp, search: &SearchId, path: &str) -> Option<ItemUse> {
    data_use::of_item(&app.steward.item_searches, &app.server, search, place(app, search, path)).unwrap()
}

async fn service_data(app: &TestApp, service: &str) -> Result<ServiceData, Problem> {
    let Steward { context, item_searches, .. } = &app.steward;
    data_use::of_service(&context.access, item_searches, &app.server, service).await
}

fn paths(named: &[ItemValidation]) -> Vec<(&str, Verdict)> {
    named.iter().map(|one| (one.path.as_str(), one.verdict)).collect()
}

#[tokio::test]
async fn each_item_has_its_own_verdict_and_a_managed_one_the_state_of_each_machine() {
    let app = TestApp::new().await;
    let search = searched(&app, "/").await;

    let report = validated(&app, &search).await;

    assert_eq!(paths(&report.named), [(MOVED, Verdict::Invalid), (HALF, Verdict::Invalid)]);
    assert_eq!((report.valid, report.invalid, report.not_validated), (12, 2, 0));
    let [moved, half] = &report.named[..] else { unreachable!() };
    assert!(moved.reasons[0].contains("cannot be read"), "{moved:?}");
    let states: Vec<_> = half.machines.iter().map(|one| (&*one.name, &*one.health, &*one.status)).collect();
    assert_eq!(
        states,
        [("STORE1.EXAMPLE.ORG", "Healthy", "Started"), ("STORE2.EXAMPLE.ORG", "Unhealthy", "Stopped")]
    );
    let managed = kept(&app, &search, MANAGED).unwrap();
    assert_eq!((managed.verdict, managed.machines.len()), (Verdict::Valid, 2));
    assert_eq!(managed.valid_at, Some(managed.at));
}

#[tokio::test]
async fn the_verdict_is_kept_with_its_time_and_with_the_time_when_the_item_was_valid() {
    let app = TestApp::new().await;
    let share = app.practice_folder().join("server/data/shares/plans");
    let valid = validated_item(&app, "/fileShares/plans").await;
    assert_eq!(valid.verdict, Verdict::Valid);
    std::fs::remove_dir(&share).unwrap();
    let invalid = validated_item(&app, "/fileShares/plans").await;
    assert_eq!((invalid.verdict, invalid.valid_at), (Verdict::Invalid, Some(valid.at)));
    assert!(app.history().await.is_empty(), "a check is not recorded");

    let app = app.restarted();

    let search = searched(&app, "/").await;
    assert_eq!(kept(&app, &search, "/fileShares/plans"), Some(invalid.clone()));
    assert_eq!(kept(&app, &search, MANAGED), None, "it was not validated");
    let of_search =
        validation::of_search(&app.steward.context, &app.steward.item_searches, &app.server, &search)
            .unwrap();
    assert_eq!((of_search.at, of_search.named), (Some(invalid.at), vec![invalid]));
}

#[tokio::test]
async fn a_check_of_a_read_only_site_changes_nothing_there() {
    let app = TestApp::new().await;
    read_only(&app);
    let (way, wire) = listened_to(app.practice_address()).await;
    app.go_through(&way);
    let search = searched(&app, "/").await;
    let database = app.practice_folder().join("server/server.db");
    let items = || -> Vec<String> {
        let server = Connection::open(&database).unwrap();
        let mut all = server
            .prepare("SELECT item FROM data_items UNION ALL SELECT name || real_time_state FROM services ORDER BY 1")
            .unwrap();
        all.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    let before = items();
    wire.lock().unwrap().clear();

    validated(&app, &search).await;
    find_use(&app).await;
    service_data(&app, "Parcels/Zoning.MapServer").await.unwrap();

    assert_eq!(items(), before);
    let posts = posts(&wire);
    let ends = |path: &str| posts.iter().filter(|(target, _)| target.ends_with(path)).count();
    let (items, machines, found) =
        (ends("/data/validateDataItem"), ends("/validate"), ends("/data/findItems"));
    assert_eq!((items, machines, found), (11, 5, 1));
    assert_eq!(posts.len(), items + machines + found, "{posts:?}");
    assert!(posts.iter().all(|(_, form)| form.iter().all(|(name, _)| name != "options")), "{posts:?}");
    assert!(app.history().await.is_empty());
}

#[tokio::test]
async fn after_stop_the_verdicts_that_were_received_are_kept() {
    let app = TestApp::new().await;
    let way = app.with_fault("/machines/", Fault::Silence).await;
    let search = searched(&app, "/").await;
    let runs = &app.steward.context.runs;
    let stopping = async {
        let all_others =
            async || runs.all().iter().any(|run| run.step == RunStep::Batch { done: 11, total: 14 });
        until("the other items", all_others).await;
        runs.stop(&app.run());
    };

    let (ended, ()) = tokio::join!(validate(&app, &search, None), stopping);

    assert!(matches!(ended, Ok(RunResult::NotSent { record: None, .. })), "{ended:?}");
    assert_eq!(way.met(), 3);
    assert_eq!(kept(&app, &search, MOVED).unwrap().verdict, Verdict::Invalid);
    assert_eq!(kept(&app, &search, MANAGED), None, "nothing is known of it");
}

#[tokio::test]
async fn a_validation_that_the_server_does_not_offer_is_no_verdict_on_the_item() {
    let app = TestApp::new().await;
    let words = "Could not find resource or operation 'validate' on the system.";
    let none = answer(&format!(r#"{{"status":"error","messages":["{words}"],"code":404}}"#));
    let _old = app.with_fault("/machines/", none).await;

    let managed = validated_item(&app, MANAGED).await;

    assert_eq!((managed.verdict, managed.valid_at), (Verdict::NotValidated, None));
    assert_eq!(managed.reasons, [words, words], "of each machine");
}

#[tokio::test]
async fn an_early_version_that_returns_no_health_is_judged_by_the_state() {
    let app = TestApp::new().await;
    let old = |state: &str| {
        answer(&format!(r#"{{"machines":[{{"name":"STORE1.EXAMPLE.ORG","status":"{state}"}}]}}"#))
    };
    for (state, verdict) in [("Started", Verdict::Valid), ("Stopped", Verdict::Invalid)] {
        let way = app.with_fault("/machines/", old(state)).await;
        let managed = validated_item(&app, "/nosqlDatabases/tilecache").await;
        assert_eq!((managed.verdict, way.met()), (verdict, 1), "{state}");
    }
    let _empty = app.with_fault("/machines/", answer(r#"{"status":"success"}"#)).await;
    assert_eq!(validated_item(&app, MANAGED).await.verdict, Verdict::NotValidated);
}

#[tokio::test]
async fn a_proxy_that_gives_up_on_one_item_does_not_hide_the_others() {
    let app = TestApp::new().await;
    let page = "<html>502 Bad Gateway</html>";
    let gone = format!(
        "HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{page}",
        page.len()
    );
    let _proxy = app.with_fault("/validateDataItem", Fault::Instead(gone.into_bytes())).await.only(1);
    let search = searched(&app, "/fileShares").await;

    let report = validated(&app, &search).await;

    assert_eq!((report.valid, report.invalid, report.not_validated), (2, 1, 1), "{report:?}");
}

#[tokio::test]
async fn a_token_that_ended_ends_the_check_and_not_the_items() {
    let app = TestApp::new().await;
    let ended = answer(r#"{"status":"error","messages":["Invalid token."],"code":498}"#);
    let _way = app.with_fault("/validateDataItem", ended).await;
    let search = searched(&app, "/fileShares").await;

    let ended = validate(&app, &search, None).await;

    assert!(matches!(ended, Err(Problem::SignIn { .. })), "{ended:?}");
    assert!(app.steward.item_searches.last(&app.server).is_none_or(|held| held.id() == &search));
}

#[tokio::test]
async fn a_service_with_data_at_an_unknown_place_is_not_said_to_use_no_item() {
    for (database, reason) in [
        (r#"{"onServerConnectionString":"DSN=legacy;PWD=canary"}"#, "DSN=legacy;PWD=••••••"),
        (r#"{"byReference":true,"onServerConnectionString":null}"#, "a database without a connection string"),
        ("7", "a database without a connection string"),
    ] {
        let app = TestApp::new().await;
        let manifest =
            format!(r#"{{"databases":[{{"onServerConnectionString":"DATABASE=/x"}},{database}]}}"#);
        let _way = app.with_fault("/Zoning.MapServer/iteminfo", answer(&manifest)).await;

        let all = find_use(&app).await;

        assert_eq!((all.read, all.unread), (14, 2), "{database}");
        let named = all.named.iter().find(|one| one.service == "Parcels/Zoning.MapServer");
        assert_eq!(named.map(|one| one.reason.as_str()), Some(reason));
        let data = service_data(&app, "Parcels/Zoning.MapServer").await.unwrap();
        assert_eq!(data.elsewhere, ["/x", reason]);
    }
}

#[tokio::test]
async fn the_services_that_use_an_item_are_those_whose_manifest_names_its_data() {
    let app = TestApp::new().await;
    let search = searched(&app, "/").await;
    assert_eq!(item_use(&app, &search, MOVED), None, "nobody looked");

    let all = find_use(&app).await;

    assert_eq!((all.read, all.unread), (15, 1));
    assert_eq!(all.named[0].service, "Utilities/Geometry.GeometryServer", "it has no manifest");
    assert!(all.named[0].reason.contains("404"), "{:?}", all.named[0]);
    let using = |path: &str| item_use(&app, &search, path).unwrap().services;
    let services = |names: &[&str]| Some(names.iter().map(ToString::to_string).collect::<Vec<_>>());
    assert_eq!(using(MOVED), services(&["Parcels/Zoning.MapServer"]));
    assert_eq!(
        using("/enterpriseDatabases/water"),
        services(&["Water/Mains.FeatureServer", "Water/Mains.MapServer"])
    );
    let hosted = [
        "Hosted/Hydrants.FeatureServer",
        "Hosted/Playgrounds.FeatureServer",
        "Hosted/StreetTrees.FeatureServer",
    ];
    assert_eq!(using(MANAGED), services(&hosted));
    assert_eq!(using("/enterpriseDatabases/roads"), services(&[]));
    assert_eq!(using("/nosqlDatabases/tilecache"), None, "no manifest names it");
    assert_eq!(item_use(&app, &search, MOVED).unwrap().all, all);

    leave(&app.steward.context, &app.site).await.unwrap();
    app.sign_in("administrator").await.unwrap();
    let search = searched(&app, "/").await;
    assert_eq!(item_use(&app, &search, MOVED), None, "it belongs to the session");
}

#[tokio::test]
async fn a_stopped_look_at_the_services_is_none() {
    let app = TestApp::new().await;
    let way = app.with_fault("/Parcels/Zoning.MapServer/iteminfo", Fault::Silence).await;
    let search = searched(&app, "/").await;
    let runs = &app.steward.context.runs;
    let stopping = async {
        until("the silence", async || way.met() == 1).await;
        let counted = async || {
            runs.all().iter().any(|run| matches!(run.step, RunStep::Services { done: 1.., total: 16 }))
        };
        until("progress", counted).await;
        runs.stop(&app.run());
    };
    let (context, searches) = (&app.steward.context, &app.steward.item_searches);

    let (ended, ()) = tokio::join!(data_use::find(context, searches, &app.server, app.run()), stopping);

    assert!(matches!(ended, Ok(RunResult::NotSent { record: None, .. })), "{ended:?}");
    assert_eq!(item_use(&app, &search, MOVED), None, "half of the services would be a wrong answer");
}

#[tokio::test]
async fn a_service_that_does_not_start_leads_to_the_item_of_its_data() {
    let app = TestApp::new().await;

    let zoning = service_data(&app, "Parcels/Zoning.MapServer").await.unwrap();

    let [item] = &zoning.items[..] else { panic!("{zoning:?}") };
    assert_eq!((&*item.path, &*item.r#type, &item.validation), (MOVED, "folder", &None));
    assert!(zoning.elsewhere.is_empty(), "{zoning:?}");
    let invalid = validated_item(&app, MOVED).await;
    let zoning = service_data(&app, "Parcels/Zoning.MapServer").await.unwrap();
    assert_eq!(zoning.items[0].validation, Some(invalid));

    let basemap = service_data(&app, "Basemap.MapServer").await.unwrap();
    assert!(basemap.items.is_empty() && basemap.elsewhere.len() == 1, "{basemap:?}");
    let tool = service_data(&app, "Buffer.GPServer").await.unwrap();
    assert!(tool.items.is_empty() && tool.elsewhere.is_empty(), "{tool:?}");
    let none = service_data(&app, "Utilities/Geometry.GeometryServer").await;
    assert!(matches!(none, Err(Problem::Rejected { .. })), "{none:?}");
}

#[tokio::test]
async fn a_machine_is_that_of_the_item_with_and_without_its_domain_and_a_fault_beside_its_health_counts() {
    let app = TestApp::new().await;
    let tilecache = "/nosqlDatabases/tilecache";
    for (machine, more, verdict, reason) in [
        (r#""name":"store1","machine.overallhealth":"Healthy""#, "", Verdict::Valid, None),
        (r#""name":"Store1.example.org","status":"Started""#, "", Verdict::Valid, None),
        (r#""name":"store1","machine.overallhealth":"Unhealthy""#, "", Verdict::Invalid, Some("Unhealthy")),
        (
            r#""name":"store1","status":"Started","db.isAccepting":"false""#,
            "",
            Verdict::Invalid,
            Some("db.isAccepting: false"),
        ),
        (
            r#""name":"store1","status":"Started""#,
            r#","datastore.isReadOnly":true"#,
            Verdict::Invalid,
            Some("datastore.isReadOnly: true"),
        ),
        (
            r#""name":"store1","status":"Started""#,
            r#","datastore.overallhealth":"Unhealthy""#,
            Verdict::Invalid,
            Some("datastore.overallhealth: Unhealthy"),
        ),
        (
            r#""name":"store9","status":"Started""#,
            "",
            Verdict::NotValidated,
            Some("does not contain this machine"),
        ),
    ] {
        let body = format!(r#"{{"machines":[{{{machine}}}]{more}}}"#);
        let _way = app.with_fault("/machines/", answer(&body)).await;

        let validation = validated_item(&app, tilecache).await;

        assert_eq!(validation.verdict, verdict, "{body}: {validation:?}");
        let told = format!("{:?} {:?}", validation.reasons, validation.machines);
        assert!(reason.is_none_or(|reason| told.contains(reason)), "{body}: {told}");
    }
}

#[tokio::test]
async fn a_service_uses_perhaps_an_item_whose_database_or_share_is_named_in_another_way_and_no_other() {
    let app = TestApp::new().await;
    let server = Connection::open(app.practice_folder().join("server/server.db")).unwrap();
    for (item, source, uses) in [
        ("INSTANCE=sde:oracle11g:GISPROD:SDE", "INSTANCE=sde:oracle11g:GISTEST:SDE", [0, 0]),
        ("INSTANCE=sde:oracle11g:GISPROD:SDE", "INSTANCE=sde:oracle19c:gisprod", [1, 0]),
        ("SERVER=proddb:1521/orcl", "SERVER=testdb:1521/orcl", [0, 0]),
        ("SERVER=db1;DATABASE=a", "SERVER=db1.example.org;DATABASE=a", [0, 1]),
        (
            "INSTANCE=sde:oracle$(DESCRIPTION=(ADDRESS_LIST=(ADDRESS=(HOST=db1)(PORT=1521))(ADDRESS=(HOST=db2)(PORT=1521)))(CONNECT_DATA=(SERVICE_NAME=orcl)))",
            "INSTANCE=sde:oracle$db2:1521/orcl",
            [1, 0],
        ),
        (r"\\nas\gis", r"DATABASE=\\nas.example.org\gis\a.gdb", [0, 1]),
        (r"\\nas\gis", r"DATABASE=Z:\gis\a.gdb", [0, 1]),
        ("/mnt/gis", r"DATABASE=\\nas\gis\a.gdb", [0, 1]),
        (r"\\nas\gis", r"DATABASE=\\other\gis\a.gdb", [0, 0]),
    ] {
        let info = match item.contains('=') {
            true => serde_json::json!({ "connectionString": item }),
            false => serde_json::json!({ "path": item }),
        };
        let item = serde_json::json!({ "path": "/fileShares/planted", "type": "folder", "id": "planted", "info": info });
        let planted = "INSERT OR REPLACE INTO data_items (path, parent_path, id, type, managed, item)
            VALUES ('/fileShares/planted', '/fileShares', 'planted', 'folder', 0, ?1)";
        server.execute(planted, [item.to_string()]).unwrap();
        let manifest = serde_json::json!({ "databases": [{ "byReference": true, "onServerConnectionString": source }], "resources": [] });
        let _way = app.with_fault("/Parcels/Zoning.MapServer/iteminfo", answer(&manifest.to_string())).await;
        let search = searched(&app, "/").await;

        find_use(&app).await;

        let used = item_use(&app, &search, "/fileShares/planted").unwrap();
        let zoning =
            |services: &[String]| services.iter().filter(|one| *one == "Parcels/Zoning.MapServer").count();
        let found = [zoning(&used.services.unwrap()), zoning(&used.perhaps)];
        assert_eq!(found, uses, "{item} {source}");
    }
}

/// Outcome of the last run, as the operations panel and a notification say it.
fn in_the_panel(app: &TestApp) -> Outcome {
    app.steward.context.runs.ended().last().unwrap().outcome
}

#[tokio::test]
async fn a_check_that_found_or_read_nothing_good_is_no_success_in_the_panel() {
    let mut app = TestApp::new().await;
    let refused = r#"{"status":"error","messages":["Not for you."],"code":403}"#;
    for (response, outcome) in [
        (r#"{"status":"success"}"#, Outcome::Succeeded),
        (r#"{"status":"success","warnings":["slow"]}"#, Outcome::Warnings),
        (r#"{"status":"failed","messages":["x"]}"#, Outcome::Warnings),
        (refused, Outcome::Failed),
    ] {
        let way = app.with_fault("/validateDataItem", answer(response)).await;
        let search = searched(&app, "/fileShares").await;
        validated(&app, &search).await;
        assert_eq!(in_the_panel(&app), outcome, "{response}");
        app = app.without_fault(way);
    }
    for (spared, outcome) in [(0, Outcome::Failed), (1, Outcome::Warnings)] {
        let way = app.with_fault("/manifest.json", answer(refused)).await.sparing(spared);
        find_use(&app).await;
        assert_eq!(in_the_panel(&app), outcome, "{spared}");
        app = app.without_fault(way);
    }
}

#[tokio::test]
async fn warnings_beside_a_success_are_warnings_of_the_item() {
    let app = TestApp::new().await;
    let _way = app
        .with_fault("/validateDataItem", answer(r#"{"status":"success","warnings":["slow"],"errors":[]}"#))
        .await;

    let moved = validated_item(&app, MOVED).await;

    assert_eq!((moved.verdict, moved.reasons), (Verdict::Warnings, vec!["slow".to_owned()]));
}
