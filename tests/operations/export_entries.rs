//! The entries of an export file, read through the directory of the archive.

use std::io::Write;
use std::path::PathBuf;

use steward_core::listings::uploads::list_uploads;
use steward_core::model::archive_contents::ExportEntries;
use steward_core::model::export_verification::ArchiveFault;
use steward_core::model::problem::Problem;
use steward_core::transfers::export_entries::{ExportFile, list_entries};
use steward_core::transfers::upload::{UploadEnd, UploadSource};
use steward_testkit::Fault;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::export_server::stored_export;
use crate::test_app::TestApp;
use crate::uploads::allow_site_files;

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

/// A server that does not send the part with the directory as it was asked for.
#[tokio::test]
async fn a_part_that_is_not_the_directory_is_no_list() {
    let app = TestApp::new().await;
    allow_site_files(&app);
    app.dialogs.will_choose(&large(&app));
    let ended = app.upload(UploadSource::Choose { part_mebibytes: 100 }).await.unwrap();
    let UploadEnd::Uploaded { item, .. } = ended else { panic!("{ended:?}") };
    let replied = |head: &str, body: &str| {
        let length = body.len();
        let head = format!("HTTP/1.1 {head}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n");
        Fault::Instead([head.as_bytes(), body.as_bytes()].concat())
    };
    let file = "content-type: application/octet-stream\r\ncontent-range: bytes";
    for (what, fault) in [
        ("a whole file", replied("200 OK\r\ncontent-type: application/octet-stream", "PK")),
        ("another part", replied(&format!("206 Partial Content\r\n{file} 0-1/90000"), "PK")),
        ("a range of no file", replied(&format!("206 Partial Content\r\n{file} */*"), "PK")),
        ("no part", replied("416 Range Not Satisfiable", "")),
        ("a redirect", replied("302 Found\r\nlocation: http://127.0.0.1:9/elsewhere", "")),
        ("a page", replied("200 OK\r\ncontent-type: text/html", "<html></html>")),
        ("a short part", Fault::CutAfter(2_000)),
        ("a part that is cut off", Fault::ResetAfter(2_000)),
    ] {
        let way = app.with_fault("/download", fault).await.sparing(2);
        let listed = listed(&app, ExportFile::Upload { id: item.0.clone() }).await;
        assert!(listed.is_err(), "{what}: {listed:?}");
        assert_eq!(way.met(), 1, "{what}");
    }
    let damaged = app.with_fault("/download", Fault::FlippedAt(600)).await.sparing(2);
    let entries = listed(&app, ExportFile::Upload { id: item.0 }).await;
    assert!(damaged.met() > 0);
    assert!(entries.is_err() || entries.is_ok_and(|entries| entries.is_some()), "it ends");
}

#[tokio::test]
async fn the_names_in_an_archive_are_listed_as_they_are_and_two_of_one_name_once() {
    let app = TestApp::new().await;
    let path = app.folder("desk").join("names.agssite");
    let names = ["../../etc/passwd", "C:\\Windows\\a", "line\nbreak", "\u{202e}gnp.exe", "nul\0byte", "a"];
    let mut archive = ZipWriter::new(std::fs::File::create(&path).unwrap());
    for name in names {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
    }
    archive.finish().unwrap();
    // Two entries of one name, which no library writes.
    let mut bytes = std::fs::read(&path).unwrap();
    let directory = bytes.len() - 22 - 47;
    assert_eq!(bytes[directory..directory + 4], *b"PK\x01\x02");
    let entry = bytes[directory..directory + 47].to_vec();
    let end = bytes.len() - 22;
    bytes.splice(end..end, entry);
    let end = end + 47;
    for count in [end + 8, end + 10] {
        bytes[count] += 1;
    }
    bytes[end + 12] += 47;
    std::fs::write(&path, bytes).unwrap();
    app.dialogs.will_choose(&path);

    let entries = listed(&app, ExportFile::Choose).await.unwrap().unwrap();

    let mut expected: Vec<_> = names.map(str::to_owned).to_vec();
    expected.sort();
    assert_eq!((entries.names, entries.fault), (expected, None));
    assert_eq!(
        (entries.count, entries.repeated),
        (6, 1),
        "a name is counted once, and the other entry is said"
    );
}

#[tokio::test]
async fn a_directory_that_is_larger_than_that_of_any_export_is_not_read() {
    let app = TestApp::new().await;
    let path = app.folder("desk").join("huge.agssite");
    let size = 3_u64 << 30;
    let file = std::fs::File::create(&path).unwrap();
    file.set_len(4 + size).unwrap();
    drop(file);
    let mut file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    let record = 4 + size;
    let number = |number: u64| number.to_le_bytes().to_vec();
    let mut end = [b"PK\x06\x06".to_vec(), number(44), vec![45, 0, 45, 0], vec![0; 8]].concat();
    end.extend([number(1 << 20), number(1 << 20), number(size), number(4)].concat());
    end.extend([b"PK\x06\x07\0\0\0\0".to_vec(), number(record), vec![1, 0, 0, 0]].concat());
    end.extend([b"PK\x05\x06\0\0\0\0".to_vec(), vec![0xFF; 12], vec![0, 0]].concat());
    file.write_all(&end).unwrap();
    drop(file);
    let mut file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.write_all(b"PK\x03\x04").unwrap();
    drop(file);
    app.dialogs.will_choose(&path);

    let entries = listed(&app, ExportFile::Choose).await.unwrap().unwrap();

    assert_eq!((entries.fault, entries.names.len()), (Some(ArchiveFault::Implausible), 0));
}
