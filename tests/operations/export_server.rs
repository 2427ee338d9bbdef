use steward_app::overview::PartRecovery;
use steward_core::listings::uploads::list_uploads;
use steward_core::model::export_outcome::ExportOutcome;
use steward_core::model::problem::Problem;
use steward_core::model::retry_policy::RetryPolicy;
use steward_core::model::run_result::RunResult;
use steward_core::model::saved_file::SaveResult;
use steward_core::operations::export_server::{ExportServerForm, ServerExportDestination, save_again};
use steward_core::transfers::export_verification::export_state;
use steward_core::transfers::stored_file::stored_file;
use steward_journal::Outcome;
use steward_testkit::Fault;

use crate::import_server::answer;
use crate::test_app::{TestApp, files_in};

const HERE: ExportServerForm = ExportServerForm { place: ServerExportDestination::ThisComputer };

/// An export that was downloaded to this computer.
pub(crate) async fn stored_export(app: &TestApp) -> std::path::PathBuf {
    let place = app.folder("exported").join("city.agssite");
    app.dialogs.will_choose(&place);
    let ended = app.export_server(HERE).await.unwrap();
    assert!(matches!(ended, RunResult::Done { .. }), "{ended:?}");
    place
}

#[tokio::test]
async fn a_server_is_exported_to_a_folder_of_its_own() {
    let app = TestApp::new().await;
    let folder = app.folder("exports");
    let place = ServerExportDestination::ServerFolder { location: folder.display().to_string() };

    let ended = app.export_server(ExportServerForm { place }).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let ExportOutcome::Written { location, .. } = report.outcome else { panic!("{report:?}") };
    assert!(location.ends_with(".agssite") && std::fs::exists(&location).unwrap(), "{location}");
    assert_eq!(report.saving, None);
}

#[tokio::test]
async fn a_server_that_names_the_file_of_an_earlier_export_made_no_new_one() {
    let app = TestApp::new().await;
    let folder = app.folder("exports").display().to_string();
    let here =
        || ExportServerForm { place: ServerExportDestination::ServerFolder { location: folder.clone() } };
    app.export_server(here()).await.unwrap();
    let earlier = app.history().await.remove(0).facts.site_path.unwrap();
    let named = serde_json::json!({ "status": "success", "location": earlier }).to_string();
    let _way = app.with_fault("/admin/exportSite", answer(&named)).await;

    let ended = app.export_server(here()).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let ExportOutcome::WrittenWithWarnings { messages, .. } = report.outcome else { panic!("{report:?}") };
    assert_eq!(messages, ["the response names the file of an earlier export"]);
    let entry = app.history().await.remove(0);
    assert_eq!((entry.outcome, entry.facts.site_path), (Outcome::Warnings, None));
}

#[tokio::test]
async fn a_stored_export_is_downloaded_to_the_place_chosen_first() {
    let app = TestApp::new().await;
    let place = app.folder("desk").join("city.agssite");
    app.dialogs.will_choose(&place);

    let ended = app.export_server(HERE).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let Some(SaveResult::Saved { file }) = report.saving else { panic!("{report:?}") };
    let bytes = std::fs::read(&place).unwrap();
    assert_eq!(file.size.0, bytes.len() as u64);
    assert!(bytes.starts_with(b"PK"), "an .agssite is a ZIP archive");
    assert_eq!(app.history().await[0].note, place.display().to_string());
}

#[tokio::test]
async fn a_stored_file_is_known_by_its_size_and_by_its_name_on_this_computer() {
    let app = TestApp::new().await;
    let place = stored_export(&app).await;
    let saved = std::fs::metadata(&place).unwrap().len();
    let folder = app.folder("elsewhere");
    let uploads = async || list_uploads(&app.steward.context, &app.server).await.unwrap();
    let here = uploads().await.remove(0).id;
    let other = with_dismissed_download(&app, &folder).await;
    let known = async |upload: String| {
        stored_file(&app.steward.context, &app.steward.transfers, &app.server, upload).await.unwrap()
    };

    let file = known(here.clone()).await;
    assert_eq!(file.size.map(|size| size.0), Some(saved));
    assert_eq!(file.local.as_deref(), place.to_str());

    assert_ne!(here, other);
    let file = known(other).await;
    assert!(file.size.is_some_and(|size| size.0 > 0));
    assert_eq!(file.local, None, "the download failed, so it is not on this computer");

    let gone = known("i00000000-0000-0000-0000-000000000000".to_owned()).await;
    assert_eq!((gone.size, gone.local), (None, None));
}

#[tokio::test]
async fn an_export_of_this_computer_is_offered_by_its_name_here_and_with_its_size() {
    let app = TestApp::new().await;
    let place = stored_export(&app).await;
    let size = std::fs::metadata(&place).unwrap().len();
    let here = async || list_uploads(&app.steward.context, &app.server).await.unwrap().remove(0).here;

    let known = here().await.expect("it was exported here");

    assert_eq!(known.name.as_deref(), place.file_name().and_then(|name| name.to_str()));
    assert_eq!(known.size.map(|size| size.0), Some(size));
    assert!(!known.is_safety_backup);
    assert_eq!(Some(known.at.0), app.history().await[0].ended_at);

    std::fs::remove_file(&place).unwrap();
    let known = here().await.expect("it was exported here");
    assert_eq!((known.size, known.name.is_some()), (None, true), "it is not there any more");
}

#[tokio::test]
async fn a_safety_backup_is_offered_as_one() {
    let app = TestApp::new().await;
    crate::import_server::with_safety_backup(&app, false).await;

    let uploads = list_uploads(&app.steward.context, &app.server).await.unwrap();

    let backups: Vec<_> = uploads.iter().filter_map(|upload| upload.here.as_ref()).collect();
    assert_eq!(backups.iter().filter(|here| here.is_safety_backup).count(), 1, "{uploads:?}");
}

#[tokio::test]
async fn uploads_are_listed_where_the_history_cannot_be_read() {
    let app = TestApp::new().await;
    stored_export(&app).await;
    let journal = rusqlite::Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    journal.execute_batch("DROP TABLE record").unwrap();

    let uploads = list_uploads(&app.steward.context, &app.server).await.unwrap();

    assert_eq!(uploads.len(), 1);
    assert_eq!(uploads[0].here, None);
}

/// Exports to this computer where nothing can be saved, and returns the upload that the server stores.
async fn with_dismissed_download(app: &TestApp, folder: &std::path::Path) -> String {
    let list = async || list_uploads(&app.steward.context, &app.server).await.unwrap();
    let before: Vec<_> = list().await.into_iter().map(|upload| upload.id).collect();
    // A folder of this name is in the way.
    app.dialogs.will_choose(folder);
    let ended = app.export_server(HERE).await.unwrap();
    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    assert!(matches!(report.saving, Some(SaveResult::Failed { .. })), "{report:?}");
    list().await.into_iter().map(|upload| upload.id).find(|id| !before.contains(id)).unwrap()
}

#[tokio::test]
async fn a_closed_dialog_sends_nothing() {
    let app = TestApp::new().await;

    let ended = app.export_server(HERE).await.unwrap();

    assert!(matches!(ended, RunResult::Dismissed), "{ended:?}");
    assert!(app.history().await.is_empty());
}

#[tokio::test]
async fn a_cut_download_leaves_the_old_file_untouched_and_can_be_saved_again() {
    let mut app = TestApp::new().await;
    app.steward.transfers.retry_policy = RetryPolicy::none();
    let folder = app.folder("desk");
    let place = folder.join("city.agssite");
    std::fs::write(&place, "the last good export").unwrap();
    app.dialogs.will_choose(&place);
    let way = app.with_fault("/download", Fault::CutAfter(2_000)).await;

    let ended = app.export_server(HERE).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let Some(SaveResult::Failed { problem: Problem::Unreachable { .. } }) = report.saving else {
        panic!("{report:?}")
    };
    assert_eq!(way.met(), 1);
    assert_eq!(std::fs::read_to_string(&place).unwrap(), "the last good export");
    assert_eq!(files_in(&folder), ["city.agssite"], "no temporary file is left");
    assert_eq!(app.history().await[0].outcome, Outcome::Warnings, "the file is not here");
    assert_eq!(app.steward.context.runs.ended()[0].outcome, Outcome::Warnings, "as in the history");

    let ExportOutcome::Written { location, .. } = report.outcome else { panic!("{report:?}") };
    let _mended = app.with_fault("/no-such-request", Fault::AnswerLost).await;
    app.dialogs.will_choose(&place);
    let saved = save_again(&app.steward.context, &app.steward.transfers, &app.server, app.run(), &location)
        .await
        .unwrap();
    assert!(matches!(saved.saving, SaveResult::Saved { .. }), "{saved:?}");
    assert!(saved.verification.is_some_and(|verification| verification.fault.is_none()));
    assert!(export_state(&app.steward.context, &app.server).await.unwrap().verified.is_some());
    assert!(std::fs::read(&place).unwrap().starts_with(b"PK"));
    let SaveResult::Saved { file } = saved.saving else { unreachable!() };
    let record = app.history().await.remove(0);
    assert_eq!(record.outcome, Outcome::Succeeded, "it lacked nothing but the file");
    let facts = record.facts;
    assert_eq!((facts.path, facts.sha256), (Some(file.path), Some(file.sha256)));
    assert_eq!(facts.upload, steward_client::stored_id(&location));
}

#[tokio::test]
async fn an_export_with_warnings_of_the_server_keeps_them_when_its_file_is_saved_later() {
    let app = TestApp::new().await;
    let success = r#""status":"success""#;
    let warned = r#""status":"success with warning","messages":["No tiles."]"#;
    let _way = app.with_fault("/admin/exportSite", Fault::Saying(success, warned)).await;
    // A folder of this name is in the way.
    app.dialogs.will_choose(&app.folder("elsewhere"));
    let ended = app.export_server(HERE).await.unwrap();
    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let location = report.outcome.location().unwrap().to_owned();
    assert_eq!(app.history().await[0].outcome, Outcome::Warnings);

    app.dialogs.will_choose(&app.folder("desk").join("city.agssite"));
    save_again(&app.steward.context, &app.steward.transfers, &app.server, app.run(), &location)
        .await
        .unwrap();

    let newest = app.history().await.remove(0);
    assert!(newest.facts.path.is_some(), "{newest:?}");
    assert_eq!(newest.outcome, Outcome::Warnings, "those of the server");
    let overview = app.steward.overviews().of_site(&app.site).await.unwrap();
    let exports = overview.components.into_iter().find_map(|one| one.server.and(one.exports)).unwrap();
    assert!(exports.verified.is_some() && exports.has_warnings, "verified, with warnings: {exports:?}");
    let part = overview.recoverable.parts.into_iter().find(|part| part.server.is_some()).unwrap();
    assert_eq!((part.state, part.has_warnings), (PartRecovery::Verified, true));
}

#[tokio::test]
async fn a_place_that_cannot_be_written_does_not_lose_the_export() {
    let app = TestApp::new().await;
    let place = app.folder("desk").join("not-there").join("city.agssite");
    app.dialogs.will_choose(&place);

    let ended = app.export_server(HERE).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    assert!(
        matches!(report.saving, Some(SaveResult::Failed { problem: Problem::File { .. } })),
        "{report:?}"
    );
    assert!(matches!(report.outcome, ExportOutcome::Written { .. }), "{report:?}");
}

#[tokio::test]
async fn a_stored_export_is_had_from_the_host_in_use_whatever_host_its_address_names() {
    let app = TestApp::new().await;
    app.dialogs.will_choose(&app.folder("desk").join("first.agssite"));
    let ended = app.export_server(HERE).await.unwrap();
    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let ExportOutcome::Written { location, .. } = report.outcome else { panic!("{report:?}") };
    let id = location.rsplit('/').next().unwrap();
    // What a server says that stands behind a web adaptor.
    let inside = format!("https://srv1.inside.invalid:6443/arcgis/admin/uploads/{id}");
    let answer = format!(r#"{{"status":"success","location":"{inside}"}}"#);
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        answer.len()
    );
    let _way =
        app.with_fault("/admin/exportSite", Fault::Instead([head, answer].concat().into_bytes())).await;
    let place = app.folder("desk").join("second.agssite");
    app.dialogs.will_choose(&place);

    let ended = app.export_server(HERE).await.unwrap();

    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    assert!(matches!(report.saving, Some(SaveResult::Saved { .. })), "{report:?}");
    let first = std::fs::read(app.folder("desk").join("first.agssite")).unwrap();
    assert_eq!(std::fs::read(&place).unwrap(), first);
}

#[tokio::test]
async fn the_history_does_not_say_saved_as_before_it_is() {
    let app = TestApp::new().await;
    let place = app.folder("desk").join("city.agssite");
    app.dialogs.will_choose(&place);
    let rejected = r#"{"status":"error","messages":["No."],"code":403}"#;
    let _way = app.with_fault("/admin/exportSite", answer(rejected)).await;

    let ended = app.export_server(HERE).await;

    assert!(ended.is_err(), "{ended:?}");
    let record = app.history().await.remove(0);
    assert_eq!(record.outcome, Outcome::Failed);
    let location = ("location".to_owned(), String::new());
    let destination = ("destination".to_owned(), place.display().to_string());
    assert_eq!(record.intent.parameters, [location, destination]);
}
