//! Snapshots of the practice site, and what differs between them: planted by the site itself, which knows nothing of comparing.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use practice_site::{Options, PracticeSite};
use rusqlite::Connection;
use steward_core::actions::sign_in::sign_in_as;
use steward_core::changes::snapshots::{STOPPED, Snapshots};
use steward_core::changes::view::{
    ChangedView, Compared, ComparisonView, FieldView, Side, SnapshotId, SnapshotsView,
};
use steward_core::changes::{Cause, Change, Key, Kind, Substitution};
use steward_core::history::ReportFormat;
use steward_core::model::history_key::HistoryKey;
use steward_core::model::ids::{RecordId, SiteId};
use steward_core::model::numbers::Millis;
use steward_core::model::operation::OperationKey;
use steward_core::model::problem::Problem;
use steward_core::model::saved_file::SaveResult;
use steward_core::runs::{EndedRun, RunId};
use steward_core::sites::SiteForm;
use steward_journal::Outcome;
use steward_testkit::Fault;
use steward_vault::Secret;

use crate::alerts::events;
use crate::import_server::{exported, form};
use crate::test_app::{TestApp, options};

async fn take(app: &TestApp) -> SnapshotId {
    let view = app.steward.snapshots.take(&app.steward.context, &app.site, Cause::Manual).await.unwrap();
    assert_eq!(view.snapshots[0].failure, "");
    view.snapshots[0].id
}

async fn view(app: &TestApp) -> SnapshotsView {
    app.steward.snapshots.view(&app.steward.context.history, &app.site).await.unwrap()
}

fn since(app: &TestApp, from: SnapshotId, to: SnapshotId) -> Compared {
    Compared::Since { site: app.site.clone(), from, to }
}

async fn compare(app: &TestApp, from: SnapshotId, to: SnapshotId) -> ComparisonView {
    app.steward.snapshots.compare(&app.steward.context, &since(app, from, to)).await.unwrap()
}

async fn fields_of(app: &TestApp, compared: &Compared, key: &Key) -> Vec<FieldView> {
    app.steward.snapshots.fields(&app.steward.context, compared, key.clone()).await.unwrap()
}

/// What differs, by kind and name.
fn names(comparison: &ComparisonView) -> Vec<(Kind, &str)> {
    comparison.differences.iter().map(|one| (one.key.kind, one.key.name.as_str())).collect()
}

/// Snapshots and an accepted difference, for the events of the audit trail.
pub(crate) async fn accepted(app: &TestApp) {
    let first = take(app).await;
    app.practice.simulate_changes().await.unwrap();
    let second = take(app).await;
    let key = compare(app, first, second).await.differences.remove(0).key;
    let (snapshots, context) = (&app.steward.snapshots, &app.steward.context);
    snapshots.accept(context, &since(app, first, second), key, Some("CHG-1".to_owned())).await.unwrap();
}

const PLANTED: [(Kind, &str); 5] = [
    (Kind::Services, "Utilities/RasterUtilities.GPServer"),
    (Kind::Services, "Hosted/Playgrounds.FeatureServer"),
    (Kind::Services, "Parcels/Cadastre.FeatureServer"),
    (Kind::DataStoreItems, "/enterpriseDatabases/cadastre"),
    (Kind::Logs, "settings"),
];

#[tokio::test]
async fn exactly_what_was_planted_is_found_and_fields_that_change_by_themselves_are_set_apart() {
    let app = TestApp::new().await;
    let first = take(&app).await;
    let mut last = first;
    for _ in 0..4 {
        last = take(&app).await;
        let unchanged = compare(&app, first, last).await;
        assert_eq!(names(&unchanged), [], "a site that did not change");
        assert!(unchanged.not_compared.is_empty(), "{:?}", unchanged.not_compared);
    }
    let volatile: Vec<_> =
        view(&app).await.volatile.into_iter().map(|one| (one.resource_kind, one.field)).collect();
    assert_eq!(volatile, [(Kind::Machines, "serverTime".to_owned())]);

    app.practice.simulate_changes().await.unwrap();
    let changed = take(&app).await;

    let found = compare(&app, last, changed).await;
    let mut planted = PLANTED.to_vec();
    let mut told = names(&found);
    planted.sort();
    told.sort();
    assert_eq!(told, planted);
    assert!(found.differences.iter().all(|one| one.by.is_none()), "the app did nothing");
    let cadastre = found.differences.iter().find(|one| one.key.name == PLANTED[2].1).unwrap();
    let fields = fields_of(&app, &since(&app, last, changed), &cadastre.key).await;
    let fields: Vec<_> =
        fields.iter().map(|one| (one.field.as_str(), one.before.as_deref(), one.after.as_deref())).collect();
    assert_eq!(
        fields,
        [
            ("maxInstancesPerNode", Some("2"), Some("4")),
            ("properties / maxRecordCount", Some("2000"), Some("1000")),
        ]
    );
    let database = found.differences.iter().find(|one| one.key.name == PLANTED[3].1).unwrap();
    let of_database = fields_of(&app, &since(&app, last, changed), &database.key).await;
    let [moved, password] = &of_database[..] else { panic!("{of_database:?}") };
    assert!(!moved.is_secret && password.is_secret, "{of_database:?}");
    assert!(moved.before.as_ref().is_some_and(|text| text.contains("db1.example.org")), "{moved:?}");
    assert!(moved.after.as_ref().is_some_and(|text| text.contains("db2.example.org")), "{moved:?}");
    let first_seen = view(&app).await.snapshots[0].at;
    assert!(found.differences.iter().all(|one| one.first_seen == Some(first_seen)));
}

/// Plants 40 changes in the database of the first server of the practice site, and returns them. It knows nothing of comparing.
fn plant(server: &Connection) -> BTreeSet<(Change, String)> {
    let mut planted = BTreeSet::new();
    let fields = ["minInstancesPerNode", "maxInstancesPerNode", "maxUsageTime", "properties.maxRecordCount"];
    for number in 0..40 {
        let name = format!("Copy{number}");
        let sql = match number % 10 {
            0 => format!("DELETE FROM services WHERE name = '{name}'"),
            1 => format!("UPDATE services SET name = '{}' WHERE name = '{name}'", name.to_uppercase()),
            2 => format!(
                "UPDATE services SET configuration = json_remove(configuration, '$.{}') WHERE name = '{name}'",
                fields[number % 4]
            ),
            3 => format!(
                "UPDATE services SET configuration = json_set(configuration, '$.added', json_array(1, 2)) WHERE name = '{name}'"
            ),
            _ => format!(
                "UPDATE services SET configuration = json_set(configuration, '$.{}', 77) WHERE name = '{name}'",
                fields[number % 4]
            ),
        };
        assert_eq!(server.execute(&sql, []).unwrap(), 1, "{sql}");
        let of = |name: &str| format!("Copies/{name}.MapServer");
        match number % 10 {
            0 => planted.extend([(Change::Missing, of(&name))]),
            1 => planted.extend([(Change::Missing, of(&name)), (Change::Added, of(&name.to_uppercase()))]),
            _ => planted.extend([(Change::Differs, of(&name))]),
        }
    }
    planted
}

#[tokio::test]
async fn forty_changes_planted_in_the_database_of_the_practice_site_are_found_and_none_in_50_readings() {
    let app = TestApp::new().await;
    let server = Connection::open(app.practice_folder().join("server/server.db")).unwrap();
    let copied = "WITH RECURSIVE number(value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM number WHERE value < 39)
        INSERT INTO services (folder, name, type, description, configuration, data_path, configured_state, real_time_state)
        SELECT 'Copies', 'Copy' || value, 'MapServer', '', configuration, data_path, 'STOPPED', 'STOPPED'
        FROM services JOIN number WHERE folder = 'Parcels' AND name = 'Cadastre'";
    assert_eq!(server.execute(copied, []).unwrap(), 40);
    let first = take(&app).await;
    let mut last = first;
    for reading in 1..50 {
        last = take(&app).await;
        assert_eq!(names(&compare(&app, first, last).await), [], "reading {reading}");
    }

    let planted = plant(&server);
    let changed = take(&app).await;

    let found = compare(&app, last, changed).await;
    let told: BTreeSet<_> = found.differences.into_iter().map(|one| (one.change, one.key.name)).collect();
    assert_eq!(told, planted);
    assert_eq!(found.not_compared, []);
}

/// Changes the file of the snapshots without the app.
fn tamper(app: &TestApp, sql: &str) {
    let file = Connection::open(app.steward.data_folder.join("changes.db")).unwrap();
    assert!(file.execute(sql, []).unwrap() > 0, "{sql}");
}

#[tokio::test]
async fn a_snapshot_that_was_changed_after_it_was_taken_is_named_and_nothing_is_compared_with_it() {
    let app = TestApp::new().await;
    let first = take(&app).await;
    app.practice.simulate_changes().await.unwrap();
    let (second, third) = (take(&app).await, take(&app).await);
    let before = compare(&app, first, second).await;
    assert_eq!(
        (before.changed, before.not_recorded, before.differences.len()),
        (vec![], vec![], PLANTED.len())
    );
    let at = view(&app).await.snapshots[1].at;

    // The change of a service is hidden: it never was.
    let of = "resource = (SELECT id FROM resource WHERE name = 'Parcels/Cadastre.FeatureServer')";
    tamper(&app, &format!("DELETE FROM span WHERE since = {} AND {of}", second.0));
    tamper(&app, &format!("UPDATE span SET until = {} WHERE {of}", third.0));

    let app = app.restarted();
    let found = compare(&app, first, second).await;
    assert_eq!((found.changed, names(&compare(&app, first, second).await)), (vec![at], vec![]));
    let reason = format!("the snapshot of {} was changed after it was taken", at.timestamp());
    assert!(found.not_compared.len() > 10 && found.not_compared.iter().all(|gap| gap.reason == reason));
    assert_eq!(compare(&app, second, third).await.changed.len(), 2);
    // What is saved says so, too, and the overview.
    let place = app.folder("saved").join("changes.csv");
    app.dialogs.will_choose(&place);
    let (context, snapshots, language) =
        (&app.steward.context, &app.steward.snapshots, &app.steward.language);
    let compared = since(&app, first, second);
    snapshots.save(context, &app.steward.dialogs, language, &compared, ReportFormat::Csv).await.unwrap();
    assert!(std::fs::read_to_string(&place).unwrap().contains(&reason));
    let overview = snapshots.changed_since_accepted(context, &app.site).await.unwrap();
    assert!(overview.iter().all(|one| one.changes == 0 && !one.not_compared.is_empty()), "{overview:?}");

    // The first one is as it was, and so is the next.
    let fourth = take(&app).await;
    let found = compare(&app, first, fourth).await;
    assert_eq!((found.changed, found.not_recorded, found.differences.len()), (vec![], vec![], PLANTED.len()));
}

#[tokio::test]
async fn a_snapshot_that_the_audit_trail_does_not_have_is_compared_and_named() {
    let app = TestApp::new().await;
    let first = take(&app).await;
    app.practice.simulate_changes().await.unwrap();
    let second = take(&app).await;
    let (id, at) = (second.0 + 1, Millis::now());
    let forged = format!(
        "INSERT INTO snapshot SELECT {id}, site, {at}, {at}, cause, sha256, failure, gaps, places FROM snapshot WHERE id = {}",
        second.0,
        at = at.0
    );
    tamper(&app, &forged);
    tamper(&app, &format!("UPDATE span SET until = {id} WHERE until = {}", second.0));
    let found = compare(&app, first, SnapshotId(id)).await;
    assert_eq!((found.changed, found.not_recorded), (vec![], vec![at]));
    assert_eq!(found.differences.len(), PLANTED.len());
}

#[tokio::test]
async fn snapshots_that_are_gone_with_the_log_of_their_file_are_named() {
    let app = TestApp::new().await;
    let (first, second) = (take(&app).await, take(&app).await);
    assert!(first < second && view(&app).await.missing.is_empty());
    // The process is killed, and what SQLite had not moved from its log is deleted.
    let killed = app.folder("killed").join("changes.db");
    std::fs::copy(app.steward.data_folder.join("changes.db"), &killed).unwrap();
    let history = &app.steward.context.history;

    let found = Snapshots::open(killed).view(history, &app.site).await.unwrap();

    assert_eq!((found.snapshots.len(), found.missing.len()), (0, 2));
    // One that is deleted is named, too, and no other.
    let all = view(&app).await.snapshots;
    tamper(&app, &format!("DELETE FROM snapshot WHERE id = {}", first.0));
    let left = view(&app).await;
    assert_eq!((left.snapshots.len(), left.missing.len()), (1, 1));
    assert!(left.missing[0] >= all[1].at && left.missing[0] < all[0].at);
}

#[tokio::test]
async fn a_user_has_a_volatile_field_compared_and_set_apart_again() {
    let app = TestApp::new().await;
    take(&app).await;
    take(&app).await;
    let set = async |is_compared: bool| {
        let (kind, field) = (Kind::Machines, "serverTime".to_owned());
        app.steward.snapshots.set_compared(&app.site, kind, field, is_compared).await.unwrap();
        assert_eq!(view(&app).await.volatile[0].is_compared, is_compared);
    };
    set(true).await;
    let (from, to) = (take(&app).await, take(&app).await);
    let found = compare(&app, from, to).await;
    assert_eq!(names(&found), [(Kind::Machines, "GIS1.EXAMPLE.ORG")], "it is not learned again");
    set(false).await;
    let apart = take(&app).await;
    assert_eq!(names(&compare(&app, to, apart).await), []);
}

#[tokio::test]
async fn no_secret_of_a_site_is_in_the_file_of_the_snapshots() {
    let app = TestApp::new().await;
    take(&app).await;
    app.practice.simulate_changes().await.unwrap();
    take(&app).await;
    let bytes = |name: &str| std::fs::read(app.steward.data_folder.join(name)).unwrap_or_default();
    let all = [bytes("changes.db"), bytes("changes.db-wal")].concat();
    let text = String::from_utf8_lossy(&all);
    assert!(text.contains("maxRecordCount") && text.contains("Cadastre"), "what is no secret is there");
    // Passwords of data stores, and the receivers of webhooks.
    for secret in ["{crypt}", "hooks.example.net/", "PASSWORD={"] {
        assert!(!text.contains(secret), "{secret}");
    }
}

#[tokio::test]
async fn what_a_site_refuses_is_named_and_hides_nothing_else() {
    let app = TestApp::new().await;
    let first = take(&app).await;
    app.practice.simulate_changes().await.unwrap();
    app.order("read_licenses", "html", &[("times", "10")]).await;

    let second = take(&app).await;

    let found = compare(&app, first, second).await;
    assert_eq!(names(&found).len(), PLANTED.len(), "{:?}", names(&found));
    assert!(!found.not_compared.is_empty());
    assert!(
        found.not_compared.iter().all(|gap| gap.resource_kind == Kind::Expiries),
        "{:?}",
        found.not_compared
    );
}

#[tokio::test]
async fn what_an_import_of_the_app_changed_is_told_as_its_own() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    app.practice.simulate_changes().await.unwrap();
    let before = take(&app).await;
    app.import_server(form(&file)).await.unwrap();
    app.sign_in("administrator").await.unwrap();

    let after = take(&app).await;

    let found = compare(&app, before, after).await;
    let planted = found.differences.iter().filter(|one| PLANTED.contains(&(one.key.kind, &one.key.name)));
    let by: Vec<_> = planted.map(|one| one.by.as_ref().map(|by| by.operation)).collect();
    assert_eq!(by, vec![Some(HistoryKey::Operation(OperationKey::ImportServer)); PLANTED.len()]);
    let imports = app.steward.snapshots.imports(&app.steward.context, &app.site).await.unwrap();
    let told: Vec<_> = imports.iter().map(|one| (one.before, one.after, one.server.is_some())).collect();
    assert_eq!(told, [(before, after, true)]);
    let changed =
        app.steward.snapshots.changed_since_accepted(&app.steward.context, &app.site).await.unwrap();
    let of_server = changed.iter().find(|one| one.server == app.server.server).unwrap();
    assert_eq!((of_server.changes as usize, of_server.not_by_app), (found.differences.len(), Some(0)));
}

#[tokio::test]
async fn a_snapshot_before_an_import_is_not_taken_again_within_an_hour() {
    let app = TestApp::new().await;
    let (snapshots, context) = (&app.steward.snapshots, &app.steward.context);
    for _ in 0..2 {
        snapshots.before_import(context, &app.site).await.unwrap();
        let taken = view(&app).await.snapshots;
        assert_eq!((taken.len(), taken[0].cause, taken[0].failure.as_str()), (1, Cause::Import, ""));
    }
    assert!(snapshots.imports(context, &app.site).await.unwrap().is_empty(), "there was no import");
}

#[tokio::test]
async fn an_import_that_begins_ends_a_snapshot_and_does_not_wait_for_it() {
    let app = TestApp::new().await;
    let file = exported(&app).await;
    app.order("read_licenses", "delay", &[("seconds", "60"), ("times", "10")]).await;
    let (snapshots, context) = (app.steward.snapshots.clone(), &app.steward.context);
    let taking = snapshots.before_import(context, &app.site);
    let import = async {
        steward_testkit::until("the snapshot is being taken", async || view(&app).await.is_taking).await;
        let began = std::time::Instant::now();
        app.import_server(form(&file)).await.unwrap();
        began.elapsed()
    };

    let (taken, took) = tokio::join!(taking, import);

    taken.unwrap();
    assert!(took.as_secs() < 30, "{took:?}");
    assert_eq!(view(&app).await.snapshots[0].failure, "an import of the site ran");
}

#[tokio::test]
async fn what_changed_since_the_first_snapshot_is_counted_for_each_server_until_it_is_accepted() {
    let app = TestApp::new().await;
    let (snapshots, context) = (&app.steward.snapshots, &app.steward.context);
    let changed = async || snapshots.changed_since_accepted(context, &app.site).await.unwrap();
    let first = take(&app).await;
    assert_eq!(changed().await, [], "one snapshot says nothing");
    app.practice.simulate_changes().await.unwrap();
    app.order("read_licenses", "html", &[("times", "10")]).await;
    let second = take(&app).await;
    let counts = |all: &[ChangedView]| -> Vec<_> {
        all.iter().map(|one| (one.server.clone(), one.changes, one.not_by_app)).collect()
    };
    let found = changed().await;
    assert_eq!(counts(&found), [(None, 0, Some(0)), (app.server.server.clone(), 5, Some(5))]);
    assert_eq!(found[1].not_compared, [Kind::Expiries]);
    let one = compare(&app, first, second).await.differences.remove(0).key;
    snapshots.accept(context, &since(&app, first, second), one, Some("CHG-1".to_owned())).await.unwrap();
    assert_eq!(changed().await[1].changes, 4);
}

#[tokio::test]
async fn an_accepted_difference_stays_accepted_until_it_changes_again() {
    let app = TestApp::new().await;
    let first = take(&app).await;
    app.practice.simulate_changes().await.unwrap();
    let second = take(&app).await;
    let key =
        Key { kind: Kind::Logs, place: app.server.server.clone().unwrap().0, name: "settings".to_owned() };
    let (snapshots, context) = (&app.steward.snapshots, &app.steward.context);
    let accept = async |snapshot, reason: Option<&str>| {
        let compared = since(&app, first, snapshot);
        snapshots.accept(context, &compared, key.clone(), reason.map(str::to_owned)).await
    };
    let reason_of = async |to| {
        let found = compare(&app, first, to).await;
        let one = found.differences.into_iter().find(|one| one.key == key);
        one.and_then(|one| one.accepted).map(|accepted| accepted.reason)
    };
    let refused = accept(second, Some("  ")).await;
    assert!(matches!(&refused, Err(Problem::Form { field, .. }) if field == "reason"), "{refused:?}");

    accept(second, Some("CHG-7 password=abc")).await.unwrap();
    assert_eq!(reason_of(second).await.as_deref(), Some("CHG-7 password=***"));
    let third = take(&app).await;
    assert!(reason_of(third).await.is_some(), "it did not change since");
    app.practice.simulate_changes().await.unwrap();
    app.practice.simulate_changes().await.unwrap();
    let fourth = take(&app).await;
    assert!(reason_of(fourth).await.is_some(), "it is as it was accepted");

    accept(fourth, None).await.unwrap();
    assert_eq!(reason_of(fourth).await, None);
    let told = events(&app).await.into_iter().filter(|body| body.contains("difference.accepted")).count();
    assert_eq!(told, 2);
}

#[tokio::test]
async fn a_snapshot_that_is_stopped_is_a_named_gap_and_the_earlier_ones_stay() {
    let app = TestApp::new().await;
    take(&app).await;
    app.order("read_licenses", "delay", &[("seconds", "30")]).await;
    let (snapshots, context) = (app.steward.snapshots.clone(), &app.steward.context);
    let taking = snapshots.take(context, &app.site, Cause::Manual);
    let stop = async {
        steward_testkit::until("the snapshot is being taken", async || view(&app).await.is_taking).await;
        // A second one at the same time is not taken.
        let second = app.steward.snapshots.take(context, &app.site, Cause::Manual).await.unwrap();
        assert!(second.is_taking && second.snapshots.len() == 1);
        app.steward.snapshots.stop(&app.site, STOPPED);
    };

    let (taken, ()) = tokio::join!(taking, stop);

    let taken = taken.unwrap();
    assert_eq!((taken.snapshots.len(), taken.is_taking), (2, false));
    assert_eq!(taken.snapshots[0].failure, "a user stopped it");
    assert_eq!(taken.snapshots[1].failure, "");
}

#[tokio::test]
async fn a_snapshot_follows_an_export_or_import_that_succeeded_with_its_hash_in_the_audit_trail_and_nothing_else()
 {
    let app = TestApp::new().await;
    let ended = |operation, outcome| EndedRun {
        id: RunId("1".to_owned()),
        site: app.site.clone(),
        site_name: String::new(),
        server: None,
        server_name: None,
        operation,
        act: None,
        is_undo: false,
        outcome,
        record: None::<RecordId>,
        ended_at: Millis(1),
        took: 1,
    };
    for run in [
        ended(OperationKey::FindItems, Outcome::Succeeded),
        ended(OperationKey::ExportServer, Outcome::Failed),
        ended(OperationKey::ImportServer, Outcome::Failed),
        ended(OperationKey::DeactivateWebhooks, Outcome::Succeeded),
    ] {
        app.steward.snapshots.after_run(&app.steward.context, &run).await;
    }
    assert!(view(&app).await.snapshots.is_empty());

    for (operation, cause) in
        [(OperationKey::ExportPortal, Cause::Export), (OperationKey::ImportServer, Cause::Import)]
    {
        let before = view(&app).await.snapshots.len();
        app.steward.snapshots.after_run(&app.steward.context, &ended(operation, Outcome::Warnings)).await;
        let taken = view(&app).await.snapshots;
        assert_eq!((taken.len(), taken[0].cause), (before + 1, cause));
        let told: Vec<_> =
            events(&app).await.into_iter().filter(|body| body.contains("snapshot.taken")).collect();
        assert!(told.len() == before + 1 && told[before].contains(&taken[0].sha256), "{told:?}");
    }
}

#[tokio::test]
async fn without_a_session_no_snapshot_is_taken_and_the_reason_is_kept() {
    let app = TestApp::signed_out().await;
    let taken = app.steward.snapshots.take(&app.steward.context, &app.site, Cause::Export).await.unwrap();
    assert_eq!(taken.snapshots.len(), 1);
    assert!(!taken.snapshots[0].failure.is_empty());
}

#[tokio::test]
async fn a_comparison_is_saved_in_each_format_with_all_fields_and_no_secret() {
    let app = TestApp::new().await;
    let first = take(&app).await;
    app.practice.simulate_changes().await.unwrap();
    let second = take(&app).await;
    for (format, name) in
        [(ReportFormat::Html, "c.html"), (ReportFormat::Csv, "c.csv"), (ReportFormat::Json, "c.json")]
    {
        let place = app.folder("saved").join(name);
        app.dialogs.will_choose(&place);
        let (snapshots, dialogs) = (&app.steward.snapshots, Arc::clone(&app.steward.dialogs));
        let (context, language) = (&app.steward.context, &app.steward.language);
        let saved =
            snapshots.save(context, &dialogs, language, &since(&app, first, second), format).await.unwrap();
        assert!(matches!(saved, SaveResult::Saved { .. }), "{saved:?}");
        let text = std::fs::read_to_string(&place).unwrap();
        for (_, resource) in PLANTED {
            assert!(text.contains(resource), "{name}: {resource}");
        }
        assert!(text.contains("maxInstancesPerNode") && !text.contains("{crypt}"), "{name}");
    }
}

/// A second practice site with another host name and a snapshot, saved beside the first one, and signed in to.
async fn second_site(app: &TestApp) -> (PracticeSite, SiteId, SnapshotId) {
    let options = Options { localhost: true, ..options(&app.folder("second")) };
    let practice = PracticeSite::start(options).await.unwrap();
    let context = &app.steward.context;
    let form = SiteForm::of("City GIS Test", &practice.ready().portal, &practice.ready().server);
    let site = context.access.sites.save(&form).unwrap().id;
    let user = practice.ready().users.iter().find(|user| user.role == "administrator").unwrap();
    sign_in_as(context, &site, &user.username, &Secret::new(user.password.clone())).await.unwrap();
    let taken = app.steward.snapshots.take(context, &site, Cause::Manual).await.unwrap().snapshots;
    assert_eq!(taken[0].failure, "");
    (practice, site, taken[0].id)
}

const fn whole(site: SiteId, snapshot: SnapshotId) -> Side {
    Side { site, server: None, snapshot }
}

#[tokio::test]
async fn between_two_sites_with_other_host_names_exactly_what_was_planted_is_found() {
    let app = TestApp::new().await;
    let (second, other, left) = second_site(&app).await;
    let right = take(&app).await;
    let compared =
        Compared::Between { left: whole(other.clone(), left), right: whole(app.site.clone(), right) };
    let (snapshots, context) = (&app.steward.snapshots, &app.steward.context);
    // The hosts are proposed, with their ports and without. Folders differ, too.
    let found = snapshots.compare(context, &compared).await.unwrap();
    let proposed: Vec<_> = found.substitutions.iter().map(|one| (one.pair.clone(), one.at)).collect();
    let authority = |url: &str| url.trim_start_matches("http://").split('/').next().unwrap().to_owned();
    let hosts = Substitution {
        left: authority(&second.ready().portal),
        right: authority(&app.practice.ready().portal),
    };
    let host = Substitution { left: "localhost".to_owned(), right: "127.0.0.1".to_owned() };
    assert!(hosts.left.starts_with("localhost:") && hosts.right.starts_with("127.0.0.1:"), "{hosts:?}");
    assert_eq!(proposed, [(hosts.clone(), None), (host, None)]);
    assert!(found.substitutions[0].values > 0 && found.unknown_secrets > 0);
    let folder = |of: PathBuf| of.display().to_string();
    let folders =
        Substitution { left: folder(app.folder("second").join("site")), right: folder(app.folder("site")) };
    snapshots.save_substitutions(context, &compared, vec![hosts.clone(), folders]).await.unwrap();

    let before = snapshots.compare(context, &compared).await.unwrap();
    let values: Vec<_> = before.substitutions.iter().map(|one| one.values > 0).collect();
    assert_eq!(values, [true, true]);
    let equal_at_first =
        names(&before).into_iter().map(|(kind, name)| (kind, name.to_owned())).collect::<Vec<_>>();
    app.practice.simulate_changes().await.unwrap();
    let changed = take(&app).await;
    let compared =
        Compared::Between { left: whole(other.clone(), left), right: whole(app.site.clone(), changed) };
    let found = snapshots.compare(context, &compared).await.unwrap();

    let mut told: Vec<_> = names(&found)
        .into_iter()
        .filter(|(kind, name)| !equal_at_first.contains(&(*kind, (*name).to_owned())))
        .collect();
    let mut planted = PLANTED.to_vec();
    planted.sort();
    told.sort();
    assert_eq!(told, planted);
    assert_eq!(equal_at_first, [], "two sites of one seed");
    // It was deleted on the right, and what moved is told without its secret.
    let of = |name: &str| found.differences.iter().find(|one| one.key.name == name).unwrap();
    assert_eq!((of(PLANTED[0].1).change, of(PLANTED[0].1).is_seen_left), (Change::Missing, false));
    let database = fields_of(&app, &compared, &of(PLANTED[3].1).key).await;
    assert!(database.iter().all(|field| !field.is_secret), "{database:?}");
    let told = serde_json::to_string(&database).unwrap();
    assert!(
        told.contains("db1.example.org") && told.contains("db2.example.org") && !told.contains("{crypt}"),
        "{told}"
    );

    // Accepted between these two, and nowhere else.
    let key = of(PLANTED[4].1).key.clone();
    snapshots.accept(context, &compared, key.clone(), Some("test logs more".to_owned())).await.unwrap();
    let accepted = async |compared: &Compared| {
        let found = snapshots.compare(context, compared).await.unwrap();
        found.differences.iter().filter(|one| one.accepted.is_some()).count()
    };
    assert_eq!(accepted(&compared).await, 1);
    assert_eq!(accepted(&since(&app, right, changed)).await, 0);

    // From the other side, with the same pairs.
    let turned =
        Compared::Between { left: whole(app.site.clone(), changed), right: whole(other.clone(), left) };
    let turned = snapshots.compare(context, &turned).await.unwrap();
    assert_eq!(turned.differences.len(), PLANTED.len());
    assert_eq!(turned.substitutions[0].pair, Substitution { left: hosts.right, right: hosts.left });
    second.stop().await;
}

#[tokio::test]
async fn a_pair_without_a_text_or_with_the_left_text_of_another_pair_is_refused() {
    let app = TestApp::new().await;
    let right = take(&app).await;
    let side = whole(app.site.clone(), right);
    let compared = Compared::Between { left: side.clone(), right: side };
    let save = async |pairs: &[(&str, &str)]| {
        let pairs = pairs
            .iter()
            .map(|(left, right)| Substitution { left: (*left).to_owned(), right: (*right).to_owned() });
        let saved =
            app.steward.snapshots.save_substitutions(&app.steward.context, &compared, pairs.collect()).await;
        match saved {
            Err(Problem::Form { field, .. }) => Some(field),
            other => {
                other.unwrap();
                None
            }
        }
    };
    assert_eq!(save(&[("a", "b"), (" ", "c")]).await.as_deref(), Some("left"));
    assert_eq!(save(&[("a", "")]).await.as_deref(), Some("right"));
    assert_eq!(save(&[("a", "b"), ("A", "c")]).await.as_deref(), Some("left"));
    assert_eq!(save(&[(" a ", "b"), ("c", "b")]).await, None);
}

/// A response with this body, whatever the site would return.
pub(crate) fn answer(body: &str) -> Fault {
    Fault::Instead(format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len()).into_bytes())
}

#[tokio::test]
async fn a_service_of_50_mb_and_one_of_another_shape_hide_nothing_else() {
    let app = TestApp::new().await;
    let first = take(&app).await;
    app.practice.simulate_changes().await.unwrap();
    let huge = format!("{{\"serviceName\": \"Basemap\", \"x\": \"{}\"}}", "a".repeat(50_000_000));
    let fault = app.with_fault("/services/Basemap.MapServer", answer(&huge)).await;
    let second = take(&app).await;
    let app = app.without_fault(fault);
    let found = compare(&app, first, second).await;
    let mut told = names(&found);
    let mut planted = PLANTED.to_vec();
    planted.sort();
    told.sort();
    assert_eq!(told, planted);
    let [gap] = &found.not_compared[..] else { panic!("{:?}", found.not_compared) };
    assert_eq!((gap.resource_kind, gap.name.as_str()), (Kind::Services, "Basemap.MapServer"));
    assert!(gap.reason.contains("the response has 50 MB, more than 1 MB"), "{}", gap.reason);

    for shape in ["[1, 2]", "\"text\"", "null", "{}"] {
        let fault = app.with_fault("/services/Basemap.MapServer", answer(shape)).await;
        let third = take(&app).await;
        let app_again = app.practice_address().to_owned();
        app.go_through(&app_again);
        drop(fault);
        let found = compare(&app, first, third).await;
        let gaps: Vec<_> = found.not_compared.iter().map(|gap| gap.name.as_str()).collect();
        let (expected, expected_gaps) = match shape {
            // An object without fields is a configuration, and another one than before.
            "{}" => ([planted.clone(), vec![(Kind::Services, "Basemap.MapServer")]].concat(), vec![]),
            _ => (planted.clone(), vec!["Basemap.MapServer"]),
        };
        assert_eq!(
            names(&found).into_iter().collect::<BTreeSet<_>>(),
            expected.into_iter().collect::<BTreeSet<_>>(),
            "{shape}"
        );
        assert_eq!(gaps, expected_gaps, "{shape}");
    }
}
