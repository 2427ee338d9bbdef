//! Snapshots of the practice site, and what differs between them: planted by the site itself, which knows nothing of comparing.

use std::sync::Arc;

use steward_core::changes::view::{ComparisonView, SnapshotId, SnapshotsView};
use steward_core::changes::{Cause, Key, Kind};
use steward_core::history::ReportFormat;
use steward_core::model::history_key::HistoryKey;
use steward_core::model::ids::RecordId;
use steward_core::model::numbers::Millis;
use steward_core::model::operation::OperationKey;
use steward_core::model::problem::Problem;
use steward_core::model::saved_file::SaveResult;
use steward_core::runs::{EndedRun, RunId};
use steward_journal::Outcome;

use crate::alerts::events;
use crate::import_server::{exported, form};
use crate::test_app::TestApp;

async fn take(app: &TestApp) -> SnapshotId {
    let view = app.steward.snapshots.take(&app.steward.context, &app.site, Cause::Manual).await.unwrap();
    assert_eq!(view.snapshots[0].failure, "");
    view.snapshots[0].id
}

async fn view(app: &TestApp) -> SnapshotsView {
    app.steward.snapshots.view(&app.site).await.unwrap()
}

async fn compare(app: &TestApp, from: SnapshotId, to: SnapshotId) -> ComparisonView {
    app.steward.snapshots.compare(&app.steward.context, &app.site, from, to).await.unwrap()
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
    snapshots.accept(context, &app.site, key, second, Some("CHG-1".to_owned())).await.unwrap();
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
    let fields = app.steward.snapshots.fields(&app.site, last, changed, cadastre.key.clone()).await.unwrap();
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
    let of_database =
        app.steward.snapshots.fields(&app.site, last, changed, database.key.clone()).await.unwrap();
    assert!(of_database.iter().any(|one| one.is_secret), "{of_database:?}");
    let first_seen = view(&app).await.snapshots[0].at;
    assert!(found.differences.iter().all(|one| one.first_seen == Some(first_seen)));
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
        snapshots.accept(context, &app.site, key.clone(), snapshot, reason.map(str::to_owned)).await
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
        app.steward.snapshots.stop(&app.site);
    };

    let (taken, ()) = tokio::join!(taking, stop);

    let taken = taken.unwrap();
    assert_eq!((taken.snapshots.len(), taken.is_taking), (2, false));
    assert_eq!(taken.snapshots[0].failure, "a user stopped it");
    assert_eq!(taken.snapshots[1].failure, "");
}

#[tokio::test]
async fn a_snapshot_follows_an_export_with_its_hash_in_the_audit_trail_and_nothing_else() {
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
        ended(OperationKey::ImportServer, Outcome::Succeeded),
    ] {
        app.steward.snapshots.after_run(&app.steward.context, &run).await;
    }
    assert!(view(&app).await.snapshots.is_empty());

    let run = ended(OperationKey::ExportPortal, Outcome::Warnings);
    app.steward.snapshots.after_run(&app.steward.context, &run).await;

    let taken = view(&app).await.snapshots;
    assert_eq!((taken.len(), taken[0].cause), (1, Cause::Export));
    let told: Vec<_> =
        events(&app).await.into_iter().filter(|body| body.contains("snapshot.taken")).collect();
    assert!(told.len() == 1 && told[0].contains(&taken[0].sha256), "{told:?}");
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
            snapshots.save(context, &dialogs, language, &app.site, first, second, format).await.unwrap();
        assert!(matches!(saved, SaveResult::Saved { .. }), "{saved:?}");
        let text = std::fs::read_to_string(&place).unwrap();
        for (_, resource) in PLANTED {
            assert!(text.contains(resource), "{name}: {resource}");
        }
        assert!(text.contains("maxInstancesPerNode") && !text.contains("{crypt}"), "{name}");
    }
}
