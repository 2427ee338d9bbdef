//! Parameters that not every version has, and what sites return beside what is understood.

use practice_site::Release;
use steward_app::steward::Steward;
use steward_core::actions::sites;
use steward_core::model::export_outcome::ExportOutcome;
use steward_core::model::ids::{RecordId, ServerId};
use steward_core::model::portal_store::PortalStoreForm;
use steward_core::model::problem::{FieldError, Problem};
use steward_core::model::run_result::RunResult;
use steward_core::model::unavailable_reason::UnavailableReason;
use steward_core::operations::export_portal::{ExportPortalForm, PortalExportDestination};
use steward_core::operations::import_portal::ImportPortalForm;
use steward_core::operations::import_server::safety_backup::SafetyBackupOptions;
use steward_core::operations::import_server::{ImportServerForm, ImportServerOptions, UndoOptions, undo};
use steward_core::sites::SavedServer;
use steward_core::transfers::upload::UploadSource;
use steward_journal::{Outcome, StoredRecord};
use steward_testkit::{Fault, FaultProxy};

use crate::test_app::{TestApp, files_in};
use crate::{export_portal, import_portal, import_server, quiet_import};

/// A response of the site, in place of its own.
fn instead(body: &str) -> Fault {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    Fault::Instead(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes())
}

fn sent(record: &StoredRecord, name: &str) -> Option<String> {
    let form = record.intent.requests.iter().flat_map(|request| &request.form);
    form.filter(|(sent, _)| sent == name).map(|(_, value)| value.clone()).next()
}

fn parameter(record: &StoredRecord, name: &str) -> Option<String> {
    let found = record.intent.parameters.iter().find(|(given, _)| given == name);
    found.map(|(_, value)| value.clone())
}

#[tokio::test]
async fn the_web_server_is_told_to_restart_where_the_version_has_it_and_the_history_has_it() {
    for (release, restarts) in [
        (Release::default(), None),
        (Release::new(11, 3), Some("true")),
        (Release::new(12, 0), Some("false")),
    ] {
        let app = TestApp::of_release(release).await;
        let file = import_server::exported(&app).await;
        let options =
            ImportServerOptions { restart_web_server: restarts != Some("false"), ..Default::default() };

        let ended =
            app.import_server(ImportServerForm { options, ..import_server::form(&file) }).await.unwrap();

        let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
        let says_so = report.sources.iter().any(|source| source.source == "Web Server");
        assert_eq!(says_so, restarts == Some("true"), "{release}");
        let record = app.history().await.remove(0);
        assert_eq!(sent(&record, "restartWebServer").as_deref(), restarts, "{release}");
        assert_eq!(parameter(&record, "restartWebServer").as_deref(), restarts, "{release}");
    }
}

#[tokio::test]
async fn a_file_that_the_server_cannot_read_is_told_before_anything_else_is_sent() {
    let app = TestApp::new().await;
    let missing = app.folder("exports").join("missing.agssite").display().to_string();
    let options = ImportServerOptions { check_first: true, ..Default::default() };
    let form = ImportServerForm {
        options,
        deactivate_webhooks: Some("maintenance".to_owned()),
        ..import_server::form(&missing)
    };

    let problem = app.import_server(form).await.err().unwrap();

    assert!(matches!(problem, Problem::Rejected { .. }), "{problem:?}");
    let history = app.history().await;
    let outcomes: Vec<_> = history.iter().map(|one| (one.intent.operation.as_str(), one.outcome)).collect();
    assert_eq!(outcomes, [("import_server", Outcome::NotSent)], "neither an import nor a deactivation");
}

#[tokio::test]
async fn a_file_that_was_checked_is_imported_and_the_warnings_of_the_check_stand_in_the_report() {
    let app = TestApp::new().await;
    let file = import_server::exported(&app).await;
    let options = ImportServerOptions { check_first: true, ..Default::default() };
    let form = ImportServerForm { options, ..import_server::form(&file) };
    let ended = app.import_server(form.clone()).await.unwrap();
    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    assert!(report.sources.iter().all(|source| source.source != "validate"), "{report:?}");

    let body = r#"{"status":"success","warnings":["The share is slow."],"checkedBy":"srv1"}"#;
    let _way = app.with_fault("/admin/importSite", instead(body)).await;
    let ended = app.import_server(form).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let of_check = report.sources.iter().find(|source| source.source == "validate").unwrap();
    assert_eq!(of_check.messages[0].message, "The share is slow.");
    // Of the check, and of the import.
    assert_eq!(report.further, ["checkedBy: srv1", "checkedBy: srv1"]);
    assert_eq!(app.history().await[0].outcome, Outcome::Warnings);
}

#[tokio::test]
async fn a_server_that_imports_in_place_of_checking_is_not_sent_the_import_again() {
    let app = TestApp::new().await;
    let file = import_server::exported(&app).await;
    let body = r#"{"status":"success","result":[{"source":"Site","messages":["Replaced."]}]}"#;
    let way = app.with_fault("/admin/importSite", instead(body)).await;
    let options = ImportServerOptions { check_first: true, ..Default::default() };
    let safety_backup = Some(SafetyBackupOptions { also_here: false });

    let form = ImportServerForm { options, safety_backup, ..import_server::form(&file) };
    let ended = app.import_server(form).await.unwrap();

    let RunResult::Done { report, record: Some(record), .. } = ended else { panic!("{ended:?}") };
    assert_eq!((way.met(), report.safety_backup), (1, None));
    assert_eq!(report.sources[0].messages[0].message, "Replaced.");
    let newest = app.history().await.remove(0);
    assert_eq!((newest.id, newest.intent.operation.as_str()), (record.0, "import_server"));
    assert_eq!((newest.outcome, newest.intent.requests.len()), (Outcome::Warnings, 1));
}

#[tokio::test]
async fn a_portal_exports_without_a_location_since_12_0_and_returns_a_url() {
    let form = || ExportPortalForm { target: PortalExportDestination::Portal, check_only: false };
    let older = TestApp::new().await;
    let expected = Problem::TooOld { needs: "12.0".to_owned(), has: "11.1".to_owned() };
    assert_eq!(older.export_portal(form()).await.err(), Some(expected));
    assert!(older.history().await.is_empty());

    let app = TestApp::of_release(Release::new(12, 0)).await;
    let check = ExportPortalForm { check_only: true, ..form() };
    let problem = app.export_portal(check).await.err();
    assert_eq!(problem, Some(Problem::form("location", FieldError::Required)), "nothing to check");

    let ended = app.export_portal(form()).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let ExportOutcome::Written { location, is_url: true } = report.outcome else { panic!("{report:?}") };
    assert!(location.ends_with(".portalsite"), "{location}");
    let record = app.history().await.remove(0);
    assert_eq!(sent(&record, "location"), None);
    assert_eq!(record.note, location);
}

#[tokio::test]
async fn a_portal_import_from_object_storage_is_sent_only_to_a_portal_that_has_it() {
    let store = |key: &str| PortalStoreForm::Blob {
        container: "https://account.example.net/backups".to_owned(),
        account_name: "account".to_owned(),
        account_key: key.to_owned(),
        account_endpoint: "example.net".to_owned(),
    };
    let with = |app: &TestApp, key: &str, version: &str| ImportPortalForm {
        store: Some(store(key)),
        export_version: Some(version.to_owned()),
        ..import_portal::form(&import_portal::some_file(app))
    };
    let older = TestApp::new().await;
    let expected = Problem::TooOld { needs: "12.0".to_owned(), has: "11.1".to_owned() };
    assert_eq!(older.import_portal(with(&older, "k", "11.1")).await.err(), Some(expected));
    assert!(older.history().await.is_empty());

    let app = TestApp::of_release(Release::new(12, 0)).await;
    let problem = app.import_portal(with(&app, " ", "12.0")).await.err();
    assert_eq!(problem, Some(Problem::form("accountKey", FieldError::Required)));

    // The file is no export: the request is recorded, without the key.
    app.import_portal(with(&app, "canary-key", "12.0")).await.unwrap_err();

    let record = app.history().await.remove(0);
    assert!(sent(&record, "locationConfig").is_some(), "{record:?}");
    assert_eq!(parameter(&record, "accountName").as_deref(), Some("account"));
    assert!(!format!("{record:?}").contains("canary-key"), "{record:?}");
}

#[tokio::test]
async fn a_file_of_another_kind_is_named_before_anything_is_sent() {
    let app = TestApp::new().await;
    for file in ["/backups/a.agssite", "/backups/a.webgissite"] {
        let problem = app.import_portal(import_portal::form(file)).await.err();
        assert_eq!(problem, Some(Problem::form("location", FieldError::NotAPortalExport)), "{file}");
    }
    for file in ["/backups/a.portalsite", "/backups/a.webgissite"] {
        let problem = app.import_server(import_server::form(file)).await.err();
        assert_eq!(problem, Some(Problem::form("location", FieldError::NotAServerExport)), "{file}");
    }
    let file = app.folder("exports").join("a.portalsite");
    std::fs::write(&file, "PK").unwrap();
    app.dialogs.will_choose(&file);
    let problem = app.upload(UploadSource::Choose { part_mebibytes: 1 }).await.err();
    assert_eq!(problem, Some(Problem::form("file", FieldError::NotAServerExport)));
    assert!(app.history().await.is_empty());
}

#[tokio::test]
async fn an_upload_of_another_kind_is_named_before_an_import_is_sent() {
    let app = TestApp::new().await;
    let list = r#"{"success":true,"items":[{"itemID":"i1","itemName":"a.webgissite","committed":true}]}"#;
    let _way = app.with_fault("/admin/uploads", instead(list)).await;

    let problem = app.import_server(import_server::form("i1")).await.err();

    assert_eq!(problem, Some(Problem::form("stored", FieldError::NotAServerExport)));
    assert!(app.history().await.is_empty());
}

/// From now on, the administration URL of the server is not known, only that of a web adaptor and that of its services.
fn behind_a_web_adaptor(app: &TestApp) {
    let mut site = app.sites().get(&app.site).unwrap();
    let adaptor = url::Url::parse("https://gis.invalid/server").unwrap();
    let before = std::mem::replace(&mut site.servers[0].address, adaptor);
    site.servers[0].services_url = Some(before);
    site.servers[0].admin_url = None;
    app.sites().put(site).unwrap();
}

#[tokio::test]
async fn a_site_shows_the_administration_url_of_each_server_and_not_of_the_current_one_alone() {
    let app = TestApp::signed_out().await;
    let mut site = app.sites().get(&app.site).unwrap();
    let mut add = |id: &str, address: &str, admin_url: Option<&str>| {
        let of = |url: &str| url::Url::parse(url).unwrap();
        let id = ServerId(id.to_owned());
        let server =
            SavedServer { id, address: of(address), admin_url: admin_url.map(of), ..site.servers[0].clone() };
        site.servers.push(server);
    };
    add("image", "https://gis.example.org/image", Some("https://gisapp02.example.org:6443/arcgis"));
    add("own", "https://gisapp03.example.org:6443/arcgis", None);
    add("adaptor", "https://gis.example.org/geo", None);
    app.sites().put(site).unwrap();

    let shown = sites::view_of(&app.steward.context, &app.site).unwrap().import_addresses;

    let of = |id: &str| shown.get(&ServerId(id.to_owned())).map(String::as_str);
    assert_eq!(of("image"), Some("https://gisapp02.example.org:6443/arcgis"));
    assert_eq!(of("own"), Some("https://gisapp03.example.org:6443/arcgis"));
    assert_eq!(of("adaptor"), None);
    assert_eq!(shown.len(), 3, "with the current one: {shown:?}");
}

#[tokio::test]
async fn an_import_does_not_pass_a_web_adaptor_before_11_3_whatever_the_user_says() {
    let app = TestApp::new().await;
    let file = import_server::exported(&app).await;
    let records = app.history().await.len();
    behind_a_web_adaptor(&app);
    let options = ImportServerOptions { through_web_adaptor: true, ..Default::default() };

    let refused = app.import_server(ImportServerForm { options, ..import_server::form(&file) }).await.err();

    let reason = UnavailableReason::NoAdminUrl;
    assert_eq!(refused, Some(Problem::NotOffered { reason }));
    assert_eq!(app.history().await.len(), records);
}

#[tokio::test]
async fn an_undo_passes_a_web_adaptor_only_where_the_user_says_so() {
    let app = TestApp::of_release(Release::new(11, 3)).await;
    let file = import_server::exported(&app).await;
    let backup = Some(SafetyBackupOptions { also_here: false });
    app.import_server(ImportServerForm { safety_backup: backup, ..import_server::form(&file) })
        .await
        .unwrap();
    let record = RecordId(app.history().await.remove(0).id);
    behind_a_web_adaptor(&app);

    let refused = app.undo_import(record.clone(), false).await.err();

    let reason = UnavailableReason::NoAdminUrl;
    assert_eq!(refused, Some(Problem::NotOffered { reason }));
    let Steward { context, transfers, .. } = &app.steward;
    let through = UndoOptions { secure: false, through_web_adaptor: true };
    let sent =
        undo(context, transfers, &app.site, app.run(), record, "City GIS", through).await.err().unwrap();
    assert!(!matches!(sent, Problem::NotOffered { .. }), "{sent:?}");
}

#[tokio::test]
async fn warnings_of_an_export_under_any_name_are_warnings_and_the_rest_stands_further() {
    let app = TestApp::new().await;
    let folder = app.folder("exports");
    let body = r#"{"status":"success","location":"/b/a.portalsite","itemsSkipped":2,"took":"7 min"}"#;
    let _way = app.with_fault_after_the_check(instead(body)).await;

    let ended = app.export_portal(export_portal::to(&folder, false)).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let ExportOutcome::WrittenWithWarnings { messages, .. } = &report.outcome else { panic!("{report:?}") };
    assert_eq!(messages, &["itemsSkipped: 2"]);
    assert_eq!(report.further, ["took: 7 min"]);
    assert_eq!(app.history().await[0].outcome, Outcome::Warnings);
    assert!(files_in(&folder).is_empty());
}

#[tokio::test]
async fn all_that_a_server_returned_to_a_safety_backup_stands_with_it() {
    let app = TestApp::new().await;
    let file = import_server::exported(&app).await;
    // No export of the history has this file: it could be that of the backup.
    let stored = quiet_import::post(&app, "/server/admin/exportSite", &[]).await;
    let location = stored["location"].as_str().unwrap();
    let body = format!(r#"{{"status":"success with warnings","location":"{location}","took":"7 min"}}"#);
    let way = app.with_fault("/admin/exportSite", instead(&body)).await;
    // Nor did the server list it before.
    let (address, none) = (way.address(), instead(r#"{"items":[]}"#));
    let lists = FaultProxy::to(&address, "GET /server/admin/uploads?", none).await.unwrap().only(1);
    app.go_through(&lists.address());
    let safety_backup = Some(SafetyBackupOptions { also_here: false });

    let form = ImportServerForm { safety_backup, ..import_server::form(&file) };
    let ended = app.import_server(form).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let backup = report.safety_backup.unwrap();
    assert_eq!(
        (backup.warnings, backup.further),
        (strings(["success with warnings"]), strings(["took: 7 min"]))
    );
}

#[tokio::test]
async fn all_that_a_portal_returned_to_a_safety_backup_stands_with_it() {
    let app = TestApp::new().await;
    let file = import_portal::exported(&app).await;
    let body = r#"{"status":"success with warnings","location":"/b/a.portalsite","took":"7 min"}"#;
    let _way = app.with_fault_after_the_check(instead(body)).await;

    let ended = app.import_portal(import_portal::secured(&app, &file)).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let backup = report.safety_backup.unwrap();
    assert_eq!(
        (backup.warnings, backup.further),
        (strings(["success with warnings"]), strings(["took: 7 min"]))
    );
}

fn strings<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(str::to_owned).into()
}
