//! Server exports on this computer are read completely, and the overview says of them what is proven.

use std::io::{Cursor, Write};

use steward_core::listings::uploads::list_uploads;
use steward_core::model::deployment::Environment;
use steward_core::model::export_verification::{ArchiveFault, ExportState, ExportVerification};
use steward_core::model::ids::RecordId;
use steward_core::model::numbers::Bytes;
use steward_core::model::run_result::RunResult;
use steward_core::model::saved_file::SaveResult;
use steward_core::operations::export_server::{
    self, ExportServerForm, ServerExportDestination, ServerExportReport,
};
use steward_core::transfers::export_verification::{export_state, last_rehearsal};
use steward_core::transfers::recorded_export::{RecordedVerification, verify_recorded_export};
use steward_journal::Outcome;
use steward_testkit::Fault;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::import_server::form;
use crate::inventory::{compared, uploaded};
use crate::test_app::TestApp;

/// Exports the server to a file on this computer.
async fn export(app: &TestApp) -> ServerExportReport {
    app.dialogs.will_choose(&app.folder("exported").join("city.agssite"));
    let form = ExportServerForm { place: ServerExportDestination::ThisComputer };
    let ended = app.export_server(form).await.unwrap();
    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    report
}

async fn state(app: &TestApp) -> ExportState {
    export_state(&app.steward.context, &app.server).await.unwrap()
}

#[tokio::test]
async fn an_inventory_that_cannot_be_written_beside_its_export_is_said_in_the_report() {
    let app = TestApp::new().await;
    let written = export(&app).await;
    assert_eq!(written.inventory_unwritten, None);
    let beside = app.folder("exported").join("city.agssite.inventory.json");
    std::fs::remove_file(&beside).unwrap();
    std::fs::create_dir_all(beside.join("in the way")).unwrap();

    let report = export(&app).await;

    let said = report.inventory_unwritten.unwrap();
    assert!(said.contains("city.agssite.inventory.json"), "{said}");
    assert!(report.inventory.is_some() && report.verification.is_some(), "the export itself is whole");
}

#[tokio::test]
async fn an_export_on_this_computer_is_verified_and_the_next_one_is_compared_with_its_size() {
    let app = TestApp::new().await;
    assert_eq!(state(&app).await, ExportState { verified: None, has_warnings: false, partly_verified: None });
    let suggested = async || export_server::suggest(&app.steward.context, &app.server).await.unwrap();
    assert_eq!(suggested().await.last_size, None);

    let first = export(&app).await.verification.unwrap();

    let size = std::fs::metadata(app.folder("exported").join("city.agssite")).unwrap().len();
    assert!(first.entries > 20, "{first:?}");
    let whole = ExportVerification {
        size: Bytes(size),
        unverified_entries: 0,
        fault: None,
        usual_size: None,
        ..first
    };
    assert_eq!(first, whole);
    assert!(state(&app).await.verified.is_some());
    assert_eq!(suggested().await.last_size, Some(first.size));
    assert!(suggested().await.name.ends_with(".agssite"));
    assert_eq!(export(&app).await.verification.unwrap().usual_size, Some(first.size));
}

/// Each report has an inventory of the server, which can be megabytes.
#[tokio::test]
async fn the_reports_of_exports_in_a_folder_of_the_server_are_not_read_for_the_overview() {
    let app = TestApp::new().await;
    export(&app).await;
    crate::import_server::exported(&app).await;
    let journal = rusqlite::Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    let newest = "UPDATE record SET report = '{' WHERE sequence = (SELECT max(sequence) FROM record)";
    assert_eq!(journal.execute(newest, []).unwrap(), 1);
    steward_journal::seal_all(&journal).unwrap();

    assert!(state(&app).await.verified.is_some(), "a report that was read would be damaged");
}

#[tokio::test]
async fn an_export_that_was_damaged_on_the_way_is_not_verified() {
    let app = TestApp::new().await;
    // In the content of the first entry: the headers of an archive have bytes that no reader looks at.
    let _way = app.with_fault("/download", Fault::FlippedAt(600)).await;

    let verification = export(&app).await.verification.unwrap();

    assert_eq!((verification.fault, verification.entries), (Some(ArchiveFault::Damaged), 0));
    assert_eq!(app.history().await[0].outcome, Outcome::Warnings);
    assert_eq!(state(&app).await.verified, None);
}

/// An import is no rehearsal: the app did not wait until the site was back, and no receipt says how it ended.
#[tokio::test]
async fn an_import_without_a_receipt_rehearses_nothing() {
    for environment in [Environment::Test, Environment::Practice, Environment::Production] {
        let app = TestApp::new().await;
        let mut site = app.sites().get(&app.site).unwrap();
        site.environment = environment;
        app.sites().put(site).unwrap();
        export(&app).await;
        let stored = list_uploads(&app.steward.context, &app.server).await.unwrap().remove(0);

        app.import_server(form(&stored.id)).await.unwrap();

        let last = last_rehearsal(&app.steward.context, &app.server).await.unwrap();
        assert_eq!(last, None, "{environment:?}");
    }
}

#[tokio::test]
async fn an_export_with_entries_that_could_not_be_verified_is_not_verified() {
    let app = TestApp::new().await;
    export(&app).await;
    assert!(state(&app).await.verified.is_some());
    let journal = rusqlite::Connection::open(app.steward.data_folder.join("journal.db")).unwrap();
    let unsupported = "UPDATE record SET report = json_set(report, '$.verification.unverifiedEntries', 3)
                       WHERE operation = 'export_server'";
    assert_eq!(journal.execute(unsupported, []).unwrap(), 1);
    steward_journal::seal_all(&journal).unwrap();

    let state = state(&app).await;

    assert_eq!(state.verified, None);
    assert_eq!(state.partly_verified.unwrap().unverified_entries, 3);
}

/// A file in place of the one that the server stores.
pub(crate) fn instead(file: &[u8]) -> Fault {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\nconnection: close\r\n";
    Fault::Instead([format!("{head}content-length: {}\r\n\r\n", file.len()).as_bytes(), file].concat())
}

#[tokio::test]
async fn an_archive_of_other_files_is_no_successful_export_and_no_measure_or_inventory_of_one() {
    let app = TestApp::new().await;
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file("holiday/cat", SimpleFileOptions::default()).unwrap();
    archive.write_all(b"meow").unwrap();
    let way = app.with_fault("/download", instead(&archive.finish().unwrap().into_inner())).await;

    let verification = export(&app).await.verification.unwrap();

    assert_eq!((verification.fault, verification.is_recognized), (None, false));
    assert_eq!(app.history().await[0].outcome, Outcome::Warnings);
    assert_eq!(app.steward.context.runs.ended()[0].outcome, Outcome::Warnings, "as in the history");
    let app = app.without_fault(way);
    let file = app.folder("exported").join("city.agssite");
    assert!(!app.folder("exported").join("city.agssite.inventory.json").exists());
    let upload = uploaded(&app, &file).await;
    assert!(compared(&app, &upload).await.comparison.is_none(), "the file has no service");
    assert_eq!(export(&app).await.verification.unwrap().usual_size, None);
}

#[tokio::test]
async fn a_download_that_returns_an_earlier_export_is_not_verified() {
    let app = TestApp::new().await;
    export(&app).await;
    let first = state(&app).await.verified;
    let earlier = std::fs::read(app.folder("exported").join("city.agssite")).unwrap();
    let _way = app.with_fault("/download", instead(&earlier)).await;

    let verification = export(&app).await.verification.unwrap();

    assert_eq!(verification.fault, Some(ArchiveFault::Earlier));
    assert_eq!(app.history().await[0].outcome, Outcome::Warnings);
    assert_eq!(state(&app).await.verified, first);
}

/// Verifies the file of a record again.
async fn fault_again(app: &TestApp, record: &str) -> Option<ArchiveFault> {
    let steward = &app.steward;
    let record = RecordId(record.to_owned());
    let verifying = verify_recorded_export(
        &steward.context,
        &steward.dialogs,
        &steward.data_folder,
        &app.site,
        app.run(),
        record,
    );
    let RunResult::Done { report: RecordedVerification::Read { verification, .. }, .. } =
        verifying.await.unwrap()
    else {
        panic!("not read")
    };
    verification.fault
}

#[tokio::test]
async fn an_earlier_export_stays_one_when_it_is_verified_or_downloaded_again() {
    let app = TestApp::new().await;
    export(&app).await;
    let path = app.folder("exported").join("city.agssite");
    let _way = app.with_fault("/download", instead(&std::fs::read(&path).unwrap())).await;
    let report = export(&app).await;
    let [stale, genuine, ..] = &app.history().await[..] else { panic!("two exports") };

    assert_eq!(fault_again(&app, &stale.id).await, Some(ArchiveFault::Earlier));
    assert_eq!(fault_again(&app, &genuine.id).await, None, "a later one with its content is no fault of it");
    let noted = app.history().await.remove(0);
    assert_eq!((noted.outcome, noted.facts.unverified_entries), (Outcome::Warnings, None));

    let again = async || {
        app.dialogs.will_choose(&path);
        let (context, transfers) = (&app.steward.context, &app.steward.transfers);
        let location = report.outcome.location().unwrap();
        let saved = export_server::save_again(context, transfers, &app.server, app.run(), location).await;
        let saved = saved.unwrap();
        assert!(matches!(saved.saving, SaveResult::Saved { .. }), "{saved:?}");
        saved.verification.unwrap().fault
    };
    assert_eq!(again().await, Some(ArchiveFault::Earlier));
    app.go_through(app.practice_address());
    assert_eq!(again().await, None);
    assert_eq!(again().await, None, "it has the content of its own record");
}

#[tokio::test]
async fn two_exports_of_a_server_that_did_not_change_are_two_files() {
    let app = TestApp::new().await;
    for _ in 0..2 {
        assert_eq!(export(&app).await.verification.unwrap().fault, None);
    }
    let [second, first, ..] = &app.history().await[..] else { panic!("two exports") };
    assert!(second.facts.sha256.is_some());
    assert_ne!(second.facts.sha256, first.facts.sha256);
}
