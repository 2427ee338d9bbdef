//! The audit trail of the program: every event is written where it happens, and a day is read back from a file alone.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::Connection;
use steward_core::actions::preferences;
use steward_core::actions::sign_in::{leave, sign_in_as, sign_in_as_bearer};
use steward_core::actions::sites::{lock_site, save, trust, unlock_site};
use steward_core::files::data_folder::DataFolder;
use steward_core::follow_up::outcome_check::resolve;
use steward_core::history::trail::{self, TrailFormat};
use steward_core::history::{HistoryFormat, HistorySearch, records_of, set_reason};
use steward_core::model::ids::RecordId;
use steward_core::model::saved_file::SaveResult;
use steward_core::operations::export_portal::{ExportPortalForm, PortalExportDestination};
use steward_core::operations::find_items::FindItemsForm;
use steward_core::operations::find_items::item_search::{ItemFormat, ItemQuery, rows};
use steward_core::settings::preferences::{LogServer, Preferences, ProgramConnection, Theme};
use steward_core::sites::{ConnectionRoute, SiteForm, TrustedCertificateView};
use steward_core::start::{RequiredFiles, StartChoice, resolve as resolve_start};
use steward_core::steward::Steward;
use steward_journal::Outcome;
use steward_testkit::{Fault, free_port, until};
use steward_vault::Secret;

use crate::read_only::{deactivation, read_only};
use crate::test_app::TestApp;

/// Kinds of all events, as the source of their type names them.
fn all_kinds() -> BTreeSet<String> {
    let source = include_str!("../../src-tauri/crates/steward-journal/src/trail/event.rs");
    let named = source.split("#[serde(rename = \"").skip(1);
    named.filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
}

/// Kinds of the events of a journal.
fn kinds_in(folder: &Path) -> BTreeSet<String> {
    let journal = Connection::open(folder.join("journal.db")).unwrap();
    let mut kinds = journal.prepare("SELECT DISTINCT kind FROM trail").unwrap();
    kinds.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// Waits until events that are written in the background are there.
async fn has(folder: &Path, kind: &str) {
    until(kind, async || kinds_in(folder).contains(kind)).await;
}

fn certificate(app: &TestApp) -> TrustedCertificateView {
    TrustedCertificateView {
        origin: format!("http://{}", app.practice_address()),
        fingerprint: "AB:CD".to_owned(),
    }
}

fn to_folder(folder: &Path) -> ExportPortalForm {
    let target = PortalExportDestination::Folder { location: folder.display().to_string() };
    ExportPortalForm { target, check_only: false }
}

/// Signs in and out, in vain too.
async fn sessions(app: &TestApp) {
    let context = &app.steward.context;
    let me = app.user("administrator").clone();
    let wrong = Secret::new("wrong".to_owned());
    sign_in_as(context, &app.site, &me.username, &wrong).await.unwrap_err();
    sign_in_as_bearer(context, &app.site, &Secret::new("x".repeat(80))).await.unwrap_err();
    leave(context, &app.site).await.unwrap();
    app.sign_in("administrator").await.unwrap();
}

/// Changes a site and the settings, and is refused by a read-only site.
async fn changes(app: &TestApp) {
    let context = &app.steward.context;
    trust(context, &app.site, &certificate(app)).await.unwrap();
    save(context, &SiteForm::of("Upland", "https://upland.example.org/portal", "")).await.unwrap();
    app.sign_in("administrator").await.unwrap();
    read_only(app);
    app.deactivate_webhooks(deactivation("Parcels/Zoning")).await.unwrap_err();
    unlock_site(context, app.site.clone(), "ticket 4711".to_owned()).await.unwrap();
    lock_site(context, app.site.clone()).await.unwrap();
    let wanted =
        |preferences: Preferences| preferences::save(&app.steward.preferences, context, preferences, None);
    let dark = wanted(Preferences { theme: Theme::Dark, ..Preferences::default() }).await.unwrap();
    let connection = ProgramConnection { route: ConnectionRoute::Direct, ca_certificate: String::new() };
    wanted(Preferences { connection, ..dark }).await.unwrap();
}

/// Saves everything that can be saved.
async fn exports(app: &TestApp) {
    let steward = &app.steward;
    let desk = app.folder("saved");
    app.dialogs.will_choose(&desk.join("history.csv"));
    let search = HistorySearch::default();
    records_of(&steward.context.history, &steward.dialogs, &steward.language, search, HistoryFormat::Csv)
        .await
        .unwrap();
    app.sign_in("administrator").await.unwrap();
    app.find_items(FindItemsForm { ancestor_path: "/".to_owned(), ..FindItemsForm::default() })
        .await
        .unwrap();
    let found = steward.item_searches.last(&app.server).unwrap();
    app.dialogs.will_choose(&desk.join("items.csv"));
    let (query, format) = (ItemQuery::default(), ItemFormat::Csv);
    rows::save(
        &steward.item_searches,
        &steward.context,
        &steward.dialogs,
        &app.server,
        found.id(),
        query,
        format,
    )
    .await
    .unwrap();
}

/// Turns forwarding on, to a port where nothing listens, and off.
async fn forwarding(app: &TestApp) {
    let Steward { forwarding, preferences, context, data_folder, .. } = &app.steward;
    let server = LogServer { host: "127.0.0.1".to_owned(), port: free_port(), ..LogServer::default() };
    forwarding.save(preferences, context, &server, None).await.unwrap();
    tokio::select! {
        () = forwarding.run(preferences, context) => {}
        () = has(data_folder, "forwarding.failing") => {}
    }
    forwarding.save(preferences, context, &LogServer::default(), None).await.unwrap();
}

/// Changes the file as somebody who holds it can: its guards are removed, and put back.
fn attack(folder: &Path, sql: &str) {
    let journal = Connection::open(folder.join("journal.db")).unwrap();
    let guards = "SELECT sql FROM sqlite_schema WHERE name LIKE 'trail_is_not_%'";
    let guards: Vec<String> = journal
        .prepare(guards)
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    journal.execute_batch("DROP TRIGGER trail_is_not_changed; DROP TRIGGER trail_is_not_shortened").unwrap();
    journal.execute_batch(sql).unwrap();
    guards.iter().for_each(|guard| journal.execute_batch(guard).unwrap());
}

#[tokio::test]
async fn every_event_of_the_trail_is_produced_by_something_that_happens() {
    let app = TestApp::new().await;
    let folder = app.steward.data_folder.clone();
    sessions(&app).await;
    changes(&app).await;
    exports(&app).await;
    forwarding(&app).await;
    let way = app.with_fault_after_the_check(Fault::AnswerLost).await;
    app.export_portal(to_folder(&app.folder("lost"))).await.unwrap();
    let lost = RecordId(app.history().await[0].id.clone());
    resolve(&app.steward.context, lost.clone(), Outcome::Succeeded, "the file is there").await.unwrap();
    set_reason(&app.steward.context.history, vec![lost], "CHG-2291").await.unwrap();
    let app = app.without_fault(way);
    trail::verify(&app.steward.context.history).await.unwrap();
    for kind in ["request.refused", "secret.removed"] {
        has(&folder, kind).await;
    }
    app.steward.context.history.end();

    // Another policy, another version, a clock that was set back, and a chain that was changed.
    let app = app.restarted_under(r#"{ "updates": false }"#);
    attack(&folder, "UPDATE trail SET body = replace(body, '\"program\":\"', '\"program\":\"0.')");
    attack(&folder, "UPDATE trail SET envelope = replace(envelope, '\"at\":\"20', '\"at\":\"21')");
    let app = app.restarted_under("{}");
    trail::verify(&app.steward.context.history).await.unwrap();
    assert!(!trail::status(&app.steward.context.history).await.unwrap().broken_at.is_empty());
    let mut kinds = kinds_in(&folder);
    kinds.extend(with_sites_set_aside());

    let missing: Vec<_> = all_kinds().difference(&kinds).cloned().collect();
    assert_eq!(missing, [] as [&str; 0]);
}

/// Kinds of the events of a start whose sites were set aside.
fn with_sites_set_aside() -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    let held = DataFolder::take(folder.path()).unwrap();
    drop(RequiredFiles::open(&held).unwrap());
    std::fs::write(folder.path().join("sites.json"), "").unwrap();
    let problem = RequiredFiles::open(&held).err().unwrap();
    drop(resolve_start(&held, &problem, StartChoice::SetAside).unwrap());
    kinds_in(folder.path())
}

#[tokio::test]
async fn the_trail_is_saved_in_each_format_and_tells_of_it() {
    let app = TestApp::new().await;
    let desk = app.folder("saved");
    let steward = &app.steward;
    for (format, name) in [
        (TrailFormat::JsonLines, "trail.zip"),
        (TrailFormat::Syslog, "trail.log"),
        (TrailFormat::Cef, "trail.cef"),
    ] {
        app.dialogs.will_choose(&desk.join(name));
        let before = trail::status(&steward.context.history).await.unwrap().head;

        let saved = trail::save(&steward.context.history, &steward.dialogs, HistorySearch::default(), format)
            .await
            .unwrap();

        let SaveResult::Saved { file } = saved else { panic!("{saved:?}") };
        let content = std::fs::read(desk.join(name)).unwrap();
        assert_eq!(file.size.0, content.len() as u64);
        let entries = before.split(' ').nth(4).unwrap();
        match format {
            TrailFormat::JsonLines => assert!(content.starts_with(b"PK")),
            _ => assert_eq!(String::from_utf8(content).unwrap().lines().count().to_string(), entries),
        }
        assert!(kinds_in(&steward.data_folder).contains("history.exported"));
    }
}

#[tokio::test]
async fn of_a_search_only_the_events_of_its_site_are_saved() {
    let app = TestApp::new().await;
    let place = app.folder("saved").join("trail.log");
    app.dialogs.will_choose(&place);
    let search = HistorySearch { site: Some(app.site.clone()), ..HistorySearch::default() };

    trail::save(&app.steward.context.history, &app.steward.dialogs, search, TrailFormat::Syslog)
        .await
        .unwrap();

    let lines = std::fs::read_to_string(&place).unwrap();
    assert!(lines.contains(" signed-in "), "{lines}");
    assert!(lines.lines().all(|line| line.contains(&app.site.0)), "{lines}");
}
