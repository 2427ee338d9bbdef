//! The entries of an export file, read through the directory of the archive.

use std::io::Write;
use std::path::PathBuf;

use steward_core::listings::uploads::list_uploads;
use steward_core::model::archive_contents::ExportEntries;
use steward_core::model::export_verification::ArchiveFault;
use steward_core::model::problem::Problem;
use steward_core::transfers::export_entries::{ExportFile, list_entries};
use steward_core::transfers::upload::{UploadEnd, UploadSource};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::export_server::stored_export;
use crate::test_app::TestApp;

/// More entries than the last part of a file has.
const MANY: usize = 2_000;

async fn listed(app: &TestApp, file: ExportFile) -> Result<Option<ExportEntries>, Problem> {
    list_entries(&app.steward.context, &app.steward.transfers, &app.steward.data_folder, &app.server, file)
        .await
}

/// An archive whose directory begins before its last part.
fn large(app: &TestApp) -> PathBuf {
    let path = app.folder("desk").join("large.csv");
    let mut archive = ZipWriter::new(std::fs::File::create(&path).unwrap());
    for number in 0..MANY {
        archive.start_file(format!("services/Map{number:05}.json"), SimpleFileOptions::default()).unwrap();
        archive.write_all(b"content").unwrap();
    }
    archive.finish().unwrap();
    path
}

#[tokio::test]
async fn the_entries_of_a_chosen_file_are_listed() {
    let app = TestApp::new().await;
    let path = large(&app);
    app.dialogs.will_choose(&path);

    let entries = listed(&app, ExportFile::Choose).await.unwrap().unwrap();

    assert_eq!((entries.count as usize, entries.names.len(), entries.fault), (MANY, MANY, None));
    assert_eq!(entries.names[0], "services/Map00000.json");
    assert_eq!(entries.path, path.display().to_string());
    assert_eq!(listed(&app, ExportFile::Choose).await.unwrap(), None, "the dialog was closed");
}

#[tokio::test]
async fn the_entries_of_an_upload_are_listed_whether_its_directory_is_short_or_long() {
    let app = TestApp::new().await;
    stored_export(&app).await;
    let id = list_uploads(&app.steward.context, &app.server).await.unwrap().remove(0).id;
    let short = listed(&app, ExportFile::Upload { id }).await.unwrap().unwrap();
    assert_eq!((short.names.len(), short.fault), (short.count as usize, None));
    assert!(short.count > 0);

    app.dialogs.will_choose(&large(&app));
    let ended = app.upload(UploadSource::Choose { part_mebibytes: 100 }).await.unwrap();
    let UploadEnd::Uploaded { item, .. } = ended else { panic!("{ended:?}") };
    let long = listed(&app, ExportFile::Upload { id: item.0 }).await.unwrap().unwrap();
    assert_eq!((long.count as usize, long.names.len(), long.fault), (MANY, MANY, None));
}

#[tokio::test]
async fn a_file_that_is_cut_or_no_archive_says_so() {
    let app = TestApp::new().await;
    let whole = std::fs::read(large(&app)).unwrap();
    let path = app.folder("desk").join("odd.agssite");
    for (content, fault) in [
        (&whole[..whole.len() - 30], ArchiveFault::Cut),
        (&b"not an archive"[..], ArchiveFault::NoArchive),
        (&b""[..], ArchiveFault::Empty),
    ] {
        std::fs::write(&path, content).unwrap();
        app.dialogs.will_choose(&path);
        let entries = listed(&app, ExportFile::Choose).await.unwrap().unwrap();
        assert_eq!((entries.fault, entries.names.len()), (Some(fault), 0));
    }
}
