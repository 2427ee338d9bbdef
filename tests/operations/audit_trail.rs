//! The audit trail of the program: every event is written where it happens, and a day is read back from a file alone.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::Connection;
use steward_app::steward::Steward;
use steward_core::actions::preferences;
use steward_core::actions::profile_files;
use steward_core::actions::sign_in::{leave, sign_in_as, sign_in_as_bearer};
use steward_core::actions::sites::{lock_site, save, trust, unlock_site};
use steward_core::files::data_folder::DataFolder;
use steward_core::follow_up::outcome_check::resolve;
use steward_core::history::trail::{self, TrailFormat};
use steward_core::history::{HistoryFormat, HistorySearch, records_of, set_reason};
use steward_core::model::ids::{RecordId, ServerId};
use steward_core::model::problem::Problem;
use steward_core::model::saved_file::SaveResult;
use steward_core::operations::export_portal::{ExportPortalForm, PortalExportDestination};
use steward_core::operations::find_items::FindItemsForm;
use steward_core::operations::find_items::item_search::{ItemFormat, ItemQuery, rows};
use steward_core::settings::preferences::{LogServer, Preferences, ProgramConnection, Theme};
use steward_core::sites::{ConnectionRoute, SiteForm, TrustedCertificateView};
use steward_core::start::{RequiredFiles, StartChoice, resolve as resolve_start};
use steward_core::updates::Updates;
use steward_core::webhooks::deactivation_log;
use steward_journal::Outcome;
use steward_journal::trail::Event;
use steward_testkit::{ClosedPort, Fault, LogCertificates, until};
use steward_vault::Secret;

use crate::deactivations::entries;
use crate::import_server::{exported, form as import_form, with_safety_backup};
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
    app.deactivate_webhooks(deactivation("Buffer.GPServer")).await.unwrap();
    let deactivated = entries(app).await.remove(0);
    deactivation_log::resolve(context, &app.site, deactivated.id).await.unwrap();
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
    app.dialogs.will_choose(&desk.join("profiles.json"));
    let sites = std::slice::from_ref(&app.site);
    profile_files::save(&steward.context, &steward.dialogs, sites, |_| Ok(Vec::new())).await.unwrap();
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
    let closed = ClosedPort::new();
    let port = closed.address().port();
    let server = LogServer { host: "127.0.0.1".to_owned(), port, ..LogServer::default() };
    forwarding.save(preferences, context, &server, None).await.unwrap();
    tokio::select! {
        () = forwarding.run(preferences, context) => {}
        () = has(data_folder, "forwarding.failing") => {}
    }
    let certificates = LogCertificates::make(&app.folder("log server")).unwrap();
    let ca_certificate = certificates.authority.display().to_string();
    forwarding.save(preferences, context, &LogServer { ca_certificate, ..server }, None).await.unwrap();
    // As it was forwarded last, before another history took the place of this one.
    let head = serde_json::json!({ "history": "another", "entry": 7, "hash": "a".repeat(64) });
    let forwarded = serde_json::json!({ "format": 1, "content": { "head": head, "at": 1 } });
    std::fs::write(data_folder.join("forwarded.json"), forwarded.to_string()).unwrap();
    tokio::select! {
        () = forwarding.run(preferences, context) => {}
        () = has(data_folder, "chain.rolled-back") => {}
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
    crate::really_back::comes_back(&app).await;
    crate::site_changes::accepted(&app).await;
    sessions(&app).await;
    changes(&app).await;
    exports(&app).await;
    forwarding(&app).await;
    crate::alerts::shown_and_rejected(&app).await;
    crate::plan_process::a_set_is_replaced(&app).await;
    let way = app.with_fault_after_the_check(Fault::AnswerLost).await;
    app.export_portal(to_folder(&app.folder("lost"))).await.unwrap();
    let lost = RecordId(app.history().await[0].id.clone());
    resolve(&app.steward.context, lost.clone(), Outcome::Succeeded, "the file is there").await.unwrap();
    set_reason(&app.steward.context.history, vec![lost], "CHG-2291").await.unwrap();
    let app = app.without_fault(way);
    app.steward.verification.verify(&app.steward.context.history).await.unwrap();
    for kind in ["request.refused", "secret.removed"] {
        has(&folder, kind).await;
    }
    app.steward.context.history.end();

    std::fs::write(folder.join("item-filters.json"), "half a fi").unwrap();

    // Another policy, another version, a clock that was set back, and a chain that was changed.
    let app = app.restarted_under(r#"{ "updates": false }"#);
    app.steward.resolve_set_aside(&app.steward.set_aside().await.unwrap()[0]).await.unwrap();
    attack(&folder, "UPDATE trail SET body = replace(body, '\"program\":\"', '\"program\":\"0.')");
    attack(&folder, "UPDATE trail SET envelope = replace(envelope, '\"at\":\"20', '\"at\":\"21')");
    let app = app.restarted_under("{}");
    app.steward.verification.verify(&app.steward.context.history).await.unwrap();
    let status = app.steward.verification.status(&app.steward.context.history).await.unwrap();
    assert!(!status.breaks.is_empty());
    let mut kinds = kinds_in(&folder);
    kinds.extend(with_sites_set_aside());
    kinds.extend(kinds_in(&Box::pin(crate::rehearsals::ended()).await.steward.data_folder));

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
    for (format, name) in [(TrailFormat::JsonLines, "trail.zip"), (TrailFormat::Syslog, "trail.log")] {
        app.dialogs.will_choose(&desk.join(name));
        let before = steward.verification.status(&steward.context.history).await.unwrap().head;

        let saved = trail::save(
            &steward.context.history,
            &steward.dialogs,
            HistorySearch::default(),
            Vec::new(),
            format,
        )
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
async fn nothing_is_saved_onto_a_file_of_the_data_folder() {
    let app = TestApp::new().await;
    let Steward { context, dialogs, data_folder, .. } = &app.steward;
    let link = app.folder("saved").join("link");
    #[cfg(unix)]
    std::os::unix::fs::symlink(data_folder, &link).unwrap();
    let before = std::fs::read(data_folder.join("sites.json")).unwrap();
    for place in [data_folder.join("sites.json"), link.join("sites.json"), data_folder.join("new.log")] {
        app.dialogs.will_choose(&place);
        let search = HistorySearch::default();
        let saved = trail::save(&context.history, dialogs, search, Vec::new(), TrailFormat::Syslog).await;
        assert!(matches!(saved, Err(Problem::File { .. })), "{}: {saved:?}", place.display());
        assert!(!dialogs.was_chosen(&place), "nothing there can be shown either");
    }
    assert_eq!(std::fs::read(data_folder.join("sites.json")).unwrap(), before);
    assert!(!data_folder.join("new.log").exists());
}

#[tokio::test]
async fn of_a_search_only_the_events_of_its_site_are_saved() {
    let app = TestApp::new().await;
    let place = app.folder("saved").join("trail.log");
    app.dialogs.will_choose(&place);
    let search = HistorySearch { site: Some(app.site.clone()), ..HistorySearch::default() };

    trail::save(&app.steward.context.history, &app.steward.dialogs, search, Vec::new(), TrailFormat::Syslog)
        .await
        .unwrap();

    let lines = std::fs::read_to_string(&place).unwrap();
    assert!(lines.contains(" signed-in "), "{lines}");
    assert!(lines.lines().all(|line| line.contains(&app.site.0)), "{lines}");
}

/// What the policy refused, as the trail tells it, in its order.
fn refused_by_policy(folder: &Path) -> Vec<String> {
    let journal = Connection::open(folder.join("journal.db")).unwrap();
    let sql = "SELECT body ->> '$.operation' FROM trail
               WHERE kind = 'request.refused' AND body ->> '$.by' = 'policy' ORDER BY sequence";
    let mut refused = journal.prepare(sql).unwrap();
    refused.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

#[tokio::test]
async fn whatever_the_policy_refuses_is_an_event_and_what_it_allows_is_none() {
    let policy = r#"{
        "locked": { "theme": "dark", "zoom": 110, "route": { "kind": "direct" }, "caCertificate": "" },
        "clientIds": { "https://upland.example.org/portal": "ours" },
        "updates": false,
        "forwarding": "forbidden"
    }"#;
    let app = TestApp::signed_out().await.restarted_under(policy);
    let Steward { context, preferences: store, forwarding, data_folder, .. } = &app.steward;
    let before = store.get();

    // What is as it was, or is not decided, is refused by nobody.
    preferences::save(store, context, before.clone(), None).await.unwrap();
    let reminders = Preferences { reminders: !before.reminders, ..before.clone() };
    preferences::save(store, context, reminders, None).await.unwrap();
    let upland = SiteForm::of("Upland", "https://upland.example.org/portal", "");
    let site = save(context, &upland).await.unwrap();
    assert_eq!(refused_by_policy(data_folder), [""; 0]);

    let light = Preferences { theme: Theme::Light, zoom: 150, ..store.get() };
    let saved = preferences::save(store, context, light, None).await.unwrap();
    assert_eq!((saved.theme, saved.zoom), (Theme::Dark, 110));
    let mut form = SiteForm { id: Some(site.id), client_id: "mine".to_owned(), ..upland };
    form.connection.route = ConnectionRoute::Proxy {
        address: "http://proxy.example.org:3128".to_owned(),
        user: String::new(),
        exceptions: Vec::new(),
    };
    save(context, &form).await.unwrap();
    // Once, and not with every later change.
    form.name = "Lowland".to_owned();
    save(context, &form).await.unwrap();
    let log_server = LogServer { host: "logs.example.org".to_owned(), ..LogServer::default() };
    forwarding.save(store, context, &log_server, None).await.unwrap_err();
    forwarding.test(store, context, &log_server, None).await.unwrap_err();
    let read = Box::new(|_| Ok(None));
    let updates = Updates::new(Some(("https://example.org/".parse().unwrap(), read)), Box::new(|_| ()));
    updates.look(&store.policy, context).await;

    let refused = ["theme", "zoom", "route", "clientIds", "forwarding", "forwarding", "update"];
    assert_eq!(refused_by_policy(data_folder), refused);
}

#[tokio::test]
async fn events_are_shown_newest_first_and_saved_by_their_kinds_and_by_the_site() {
    let app = TestApp::new().await;
    let Steward { context, dialogs, .. } = &app.steward;
    let kinds = ["signed-in", "site.changed"].map(str::to_owned).to_vec();
    let search = HistorySearch { site: Some(app.site.clone()), ..HistorySearch::default() };
    leave(context, &app.site).await.unwrap();
    app.sign_in("administrator").await.unwrap();

    let of = async |kinds: Vec<String>, before, limit| {
        trail::events(&context.history, search.clone(), kinds, before, limit).await.unwrap()
    };
    let all = of(Vec::new(), None, 100).await;
    let shown: Vec<_> = all.events.iter().map(|event| event.kind.as_str()).collect();
    let signed = shown.into_iter().filter(|kind| kind.starts_with("signed-")).collect::<Vec<_>>();
    assert_eq!(signed, ["signed-in", "signed-out", "signed-in"], "{all:?}");
    assert_eq!((all.events[0].site_name.as_str(), all.older), ("City GIS", None), "{all:?}");
    assert_eq!(all.events[0].who, app.user("administrator").username);

    let first = of(vec!["signed-in".to_owned()], None, 1).await;
    let second = of(vec!["signed-in".to_owned()], first.older, 10).await;
    let entries = [first.events, second.events].concat();
    assert_eq!(entries.len(), 2, "{entries:?}");
    assert!(entries.iter().all(|event| event.kind == "signed-in") && entries[0].entry > entries[1].entry);

    let place = app.folder("saved").join("trail.log");
    app.dialogs.will_choose(&place);
    trail::save(&context.history, dialogs, search.clone(), kinds, TrailFormat::Syslog).await.unwrap();
    let lines = std::fs::read_to_string(&place).unwrap();
    assert_eq!(lines.matches(" signed-in ").count(), 2, "{lines}");
    assert!(!lines.contains(" signed-out "), "{lines}");
}

#[tokio::test]
async fn events_after_one_with_a_forged_number_are_all_shown() {
    let app = TestApp::signed_out().await;
    let Steward { context, data_folder, .. } = &app.steward;
    let forged = "INSERT INTO trail (sequence, envelope, body) SELECT 5000000000, envelope, body FROM trail WHERE sequence = 1";
    rusqlite::Connection::open(data_folder.join("journal.db")).unwrap().execute_batch(forged).unwrap();
    context.history.journal(|journal| journal.append_all(&vec![Event::AppEnded; 7])).await.unwrap();

    let (mut entries, mut before) = (Vec::new(), None);
    loop {
        let page =
            trail::events(&context.history, HistorySearch::default(), Vec::new(), before, 3).await.unwrap();
        entries.extend(page.events.into_iter().map(|event| event.entry.0));
        before = page.older;
        if before.is_none() {
            break;
        }
    }

    let first_ones = entries.split_off(8);
    assert_eq!(entries, (5_000_000_000..=5_000_000_007).rev().collect::<Vec<_>>());
    assert!(first_ones.ends_with(&[2, 1]), "{first_ones:?}");
}

#[tokio::test]
async fn events_of_one_of_several_servers_name_it_and_an_undo_is_told_apart() {
    let app = TestApp::new().await;
    let mut site = app.sites().get(&app.site).unwrap();
    site.servers[0].name = "gisapp01".to_owned();
    let mut second = site.servers[0].clone();
    second.id = ServerId("second".to_owned());
    second.name = "gisapp02".to_owned();
    second.address = "https://gisapp02.example.org:6443/arcgis".parse().unwrap();
    site.servers.push(second);
    app.sites().put(site).unwrap();
    let import = with_safety_backup(&app, false).await;
    app.undo_import(import, false).await.unwrap();

    let context = &app.steward.context;
    let ended = vec!["operation.ended".to_owned()];
    let told = trail::events(&context.history, HistorySearch::default(), ended, None, 2).await.unwrap();
    let told: Vec<_> =
        told.events.iter().map(|event| (event.server_name.as_deref(), event.is_undo)).collect();
    assert_eq!(told[0], (Some("gisapp01"), true), "{told:?}");
    let signed = vec!["signed-in".to_owned()];
    let told = trail::events(&context.history, HistorySearch::default(), signed, None, 1).await.unwrap();
    assert_eq!((told.events[0].server_name.as_deref(), told.events[0].is_undo), (None, false), "{told:?}");
}

#[tokio::test]
async fn a_verification_that_is_stopped_leaves_no_entry_and_shows_its_progress_until_then() {
    let app = TestApp::signed_out().await;
    let Steward { context, verification, data_folder, .. } = &app.steward;
    let events = vec![Event::AppEnded; 60_000];
    context.history.journal(move |journal| journal.append_all(&events)).await.unwrap();
    let status = async || verification.status(&context.history).await.unwrap();

    let mut seen = None;
    let mut verifying = std::pin::pin!(verification.verify(&context.history));
    let verified = loop {
        tokio::select! {
            biased;
            verified = &mut verifying => break verified.unwrap(),
            now = status() => {
                seen = seen.or(now.verifying);
                if seen.is_some() {
                    verification.stop();
                }
            }
        }
    };

    assert!(seen.unwrap().total >= 60_000, "{seen:?}");
    assert_eq!((verified.verifying, status().await.verifying), (None, None));
    assert!(!kinds_in(data_folder).contains("chain.verified"));
    verification.verify(&context.history).await.unwrap();
    assert!(kinds_in(data_folder).contains("chain.verified"), "the next one is not stopped");
}

/// A day of an administrator: signs in, exports the server, unlocks it, imports the export, undoes the import, and signs out.
async fn day(app: &TestApp) {
    let context = &app.steward.context;
    app.sign_in("administrator").await.unwrap();
    let export = exported(app).await;
    read_only(app);
    app.import_server(import_form(&export)).await.unwrap_err();
    // The refusal is written beside what goes on. An administrator who reads it needs longer than that.
    let refused = async || {
        let kinds = vec!["request.refused".to_owned()];
        let told = trail::events(&context.history, HistorySearch::default(), kinds, None, 1).await.unwrap();
        !told.events.is_empty()
    };
    until("the refusal is in the trail", refused).await;
    unlock_site(context, app.site.clone(), "ticket 4711".to_owned()).await.unwrap();
    let import = with_safety_backup(app, false).await;
    app.undo_import(import, false).await.unwrap();
    leave(context, &app.site).await.unwrap();
}

/// One line of a file of RFC 5424, as somebody reads it who has nothing else.
#[derive(Debug)]
struct Line {
    severity: u32,
    at: String,
    kind: String,
    said: serde_json::Value,
}

impl Line {
    fn read(line: &str) -> Self {
        let (head, said) = line.split_once('\u{feff}').unwrap();
        let (priority, rest) = head.strip_prefix('<').unwrap().split_once(">1 ").unwrap();
        let fields: Vec<_> = rest.splitn(6, ' ').collect();
        let [at, host, "site-steward", "-", kind, _] = fields[..] else { panic!("{line}") };
        assert_ne!(host, "-", "{line}");
        let said = serde_json::from_str(said).unwrap();
        let severity = priority.parse::<u32>().unwrap() % 8;
        Self { severity, at: at.to_owned(), kind: kind.to_owned(), said }
    }

    fn says(&self, name: &str) -> &str {
        self.said[name].as_str().unwrap_or_default()
    }
}

#[tokio::test]
async fn an_administrators_day_is_read_from_a_file_of_rfc_5424_alone() {
    let app = TestApp::signed_out().await;
    day(&app).await;
    let place = app.folder("saved").join("day.rfc5424");
    app.dialogs.will_choose(&place);
    let Steward { context, dialogs, .. } = &app.steward;

    trail::save(&context.history, dialogs, HistorySearch::default(), Vec::new(), TrailFormat::Syslog)
        .await
        .unwrap();

    let file = std::fs::read_to_string(&place).unwrap();
    if let Some(copy) = std::env::var_os("DAY_FILE") {
        std::fs::copy(&place, copy).unwrap();
    }
    let lines: Vec<_> = file.lines().map(Line::read).collect();
    for line in &lines {
        // Who, with which computer and program, and when.
        for name in ["osUser", "computer", "program", "hash", "prev"] {
            assert!(!line.says(name).is_empty(), "{name}: {line:?}");
        }
        assert!(line.at.ends_with('Z') && line.says("type") == line.kind, "{line:?}");
        if !line.says("site").is_empty() {
            assert_eq!(line.says("siteName"), "City GIS", "{line:?}");
        }
        // What is a record says with which outcome, and a request that changes a site as whom.
        if !line.says("operation").is_empty() && line.kind != "request.refused" {
            assert!(!line.says("outcome").is_empty(), "{line:?}");
        }
        if line.kind.starts_with("operation.") {
            assert_eq!(line.says("account"), app.user("administrator").username, "{line:?}");
            assert!(line.says("address").starts_with("http://127.0.0.1:"), "{line:?}");
        }
    }
    let story: Vec<_> =
        lines.iter().map(|line| (line.kind.as_str(), line.says("operation"), line.says("outcome"))).collect();
    let mut told = story.iter();
    for event in [
        ("signed-in", "sign_in", "succeeded"),
        ("operation.sent", "export_server", "sent"),
        ("operation.ended", "export_server", "succeeded"),
        ("request.refused", "import_server", ""),
        ("read-only.unlocked", "unlock", "succeeded"),
        ("operation.sent", "export_server", "sent"),
        ("operation.ended", "export_server", "succeeded"),
        ("operation.sent", "import_server", "sent"),
        ("operation.ended", "import_server", "warnings"),
        ("operation.sent", "import_server", "sent"),
        ("operation.ended", "import_server", "warnings"),
        ("signed-out", "sign_out", "succeeded"),
    ] {
        assert!(told.any(|one| *one == event), "{event:?} in {story:#?}");
    }
    let unlock = lines.iter().find(|line| line.kind == "read-only.unlocked").unwrap();
    assert!(unlock.said.to_string().contains("ticket 4711"), "{unlock:?}");
    let undo = lines.iter().rfind(|line| line.kind == "operation.sent").unwrap();
    assert!(undo.said.to_string().contains("undoes"), "{undo:?}");
    assert!(lines.iter().all(|line| line.severity <= 5));
}
