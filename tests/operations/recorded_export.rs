//! The file of a recorded export is verified and looked into again from its entry, as long as it is where it was written.

use std::path::{Path, PathBuf};

use steward_app::steward::Steward;
use steward_core::files::data_folder::practice_exports;
use steward_core::model::export_verification::ArchiveFault;
use steward_core::model::ids::RecordId;
use steward_core::model::numbers::Bytes;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::operations::export_server::{ExportServerForm, ServerExportDestination};
use steward_core::runs::RunId;
use steward_core::transfers::export_entries::{ExportFile, list_entries};
use steward_core::transfers::recorded_export::{self, RecordedExport, RecordedVerification};
use steward_journal::Outcome;

use crate::test_app::TestApp;

/// Exports the server, and returns the record.
async fn export(app: &TestApp, place: ServerExportDestination) -> RecordId {
    let RunResult::Done { record, .. } = app.export_server(ExportServerForm { place }).await.unwrap() else {
        panic!("not exported")
    };
    record.unwrap()
}

/// Exports the server to this computer.
async fn export_here(app: &TestApp) -> (RecordId, PathBuf) {
    let path = app.folder("exported").join("city.agssite");
    app.dialogs.will_choose(&path);
    (export(app, ServerExportDestination::ThisComputer).await, path)
}

/// Exports the server to a folder, as its own machine sees it.
async fn export_to(app: &TestApp, folder: &Path) -> RecordId {
    export(app, ServerExportDestination::ServerFolder { location: folder.display().to_string() }).await
}

async fn file_of(app: &TestApp, record: &RecordId) -> Result<Option<RecordedExport>, Problem> {
    let steward = &app.steward;
    recorded_export::recorded_export(&steward.context, &steward.dialogs, &steward.data_folder, record.clone())
        .await
}

async fn verify_in(
    app: &TestApp,
    run: &str,
    record: &RecordId,
) -> Result<RunResult<RecordedVerification>, Problem> {
    let Steward { context, dialogs, data_folder, .. } = &app.steward;
    let (run, record) = (RunId(run.to_owned()), record.clone());
    recorded_export::verify_recorded_export(context, dialogs, data_folder, &app.site, run, record).await
}

async fn verified(app: &TestApp, record: &RecordId) -> RecordedVerification {
    let ended = verify_in(app, "again", record).await.unwrap();
    let RunResult::Done { report, record, .. } = ended else { panic!("{ended:?}") };
    assert_eq!(record, None, "a check leaves no record");
    report
}

async fn fault_of(app: &TestApp, record: &RecordId) -> Option<ArchiveFault> {
    let read = verified(app, record).await;
    let RecordedVerification::Read { verification, is_compared } = read else { panic!("{read:?}") };
    assert!(is_compared);
    verification.fault
}

async fn names_of(app: &TestApp, record: &RecordId) -> Result<usize, Problem> {
    let steward = &app.steward;
    let file = ExportFile::Recorded { record: record.clone() };
    let listed =
        list_entries(&steward.context, &steward.transfers, &steward.data_folder, &app.server, file).await?;
    Ok(listed.unwrap().names.len())
}

#[tokio::test]
async fn the_file_of_an_export_is_verified_and_looked_into_again_after_a_restart() {
    let app = TestApp::new().await;
    let (record, path) = export_here(&app).await;
    let app = app.restarted();
    let before = app.history().await.len();

    let size = Bytes(std::fs::metadata(&path).unwrap().len());
    let file = RecordedExport { path: path.display().to_string(), size: Some(size) };
    assert_eq!(file_of(&app, &record).await.unwrap(), Some(file));
    assert_eq!(fault_of(&app, &record).await, None);
    assert!(names_of(&app, &record).await.unwrap() > 20);
    assert_eq!(app.history().await.len(), before);
}

#[tokio::test]
async fn a_file_that_was_changed_cut_or_removed_since_is_said() {
    let app = TestApp::new().await;
    let (record, path) = export_here(&app).await;
    let whole = std::fs::read(&path).unwrap();
    // The comment of an archive: it is another file, and as complete.
    let mut other = whole.clone();
    let length = other.len();
    other[length - 2..].copy_from_slice(&1_u16.to_le_bytes());
    other.push(b'!');

    std::fs::write(&path, other).unwrap();
    assert_eq!(fault_of(&app, &record).await, Some(ArchiveFault::Changed));
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(fault_of(&app, &record).await, Some(ArchiveFault::Cut));

    std::fs::remove_file(&path).unwrap();
    let gone = RecordedExport { path: path.display().to_string(), size: None };
    assert_eq!(file_of(&app, &record).await.unwrap(), Some(gone));
    assert_eq!(verified(&app, &record).await, RecordedVerification::Gone);
    assert!(matches!(names_of(&app, &record).await, Err(Problem::File { .. })));
}

#[tokio::test]
async fn the_file_of_a_site_is_read_where_the_practice_site_writes_and_nowhere_else() {
    let app = TestApp::new().await;
    let ours = practice_exports(&app.steward.data_folder);
    std::fs::create_dir_all(&ours).unwrap();
    let (practice, elsewhere) = (export_to(&app, &ours).await, export_to(&app, &app.folder("exports")).await);

    let read = verified(&app, &practice).await;
    let RecordedVerification::Read { verification, is_compared } = read else { panic!("{read:?}") };
    assert_eq!((verification.fault, is_compared), (None, false), "the record has no SHA-256");
    assert!(verification.entries > 20);
    assert!(file_of(&app, &practice).await.unwrap().is_some());

    assert_eq!(file_of(&app, &elsewhere).await.unwrap(), None);
    assert!(matches!(verify_in(&app, "elsewhere", &elsewhere).await, Err(Problem::Unexpected { .. })));
    assert!(matches!(names_of(&app, &elsewhere).await, Err(Problem::Unexpected { .. })));
}

#[tokio::test]
async fn a_verification_is_stopped_and_keeps_no_operation_from_the_site() {
    let app = TestApp::new().await;
    let (record, _) = export_here(&app).await;
    app.steward.context.runs.stop(&RunId("stopped".to_owned()));

    let stopped = verify_in(&app, "stopped", &record).await.unwrap();
    assert!(matches!(stopped, RunResult::NotSent { .. }), "{stopped:?}");

    let verifying = verify_in(&app, "beside", &record);
    let folder = app.folder("exports");
    let exporting = export_to(&app, &folder);
    let (verified, _) = tokio::join!(verifying, exporting);
    assert!(matches!(verified.unwrap(), RunResult::Done { .. }));
}

/// Outcome of the newest record, and whether its file is known as complete.
async fn noted(app: &TestApp) -> (Outcome, bool) {
    let export = app.history().await.remove(0);
    (export.outcome, export.facts.unverified_entries.is_some())
}

#[tokio::test]
async fn an_export_in_a_folder_that_is_not_there_stays_verified() {
    let app = TestApp::new().await;
    let (record, path) = export_here(&app).await;
    let folder = path.parent().unwrap();
    std::fs::rename(folder, folder.with_file_name("not connected")).unwrap();

    assert!(matches!(verify_in(&app, "unmounted", &record).await, Err(Problem::File { .. })));
    assert!(matches!(file_of(&app, &record).await, Err(Problem::File { .. })), "it is not said to be gone");
    assert_eq!(noted(&app).await, (Outcome::Succeeded, true));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_disk_that_fails_while_an_export_is_read_changes_nothing_in_its_record() {
    let app = TestApp::new().await;
    let (record, path) = export_here(&app).await;
    std::fs::remove_file(&path).unwrap();
    // It can be opened, and its first byte cannot be read.
    std::os::unix::fs::symlink("/proc/self/mem", &path).unwrap();

    assert_eq!(fault_of(&app, &record).await, Some(ArchiveFault::Unread));
    assert_eq!(noted(&app).await, (Outcome::Succeeded, true));
}

#[tokio::test]
async fn an_export_whose_changed_file_is_copied_back_is_a_success_again() {
    let app = TestApp::new().await;
    let (record, path) = export_here(&app).await;
    let whole = std::fs::read(&path).unwrap();
    let mut changed = whole.clone();
    changed[600] ^= 1;

    std::fs::write(&path, changed).unwrap();
    assert_eq!(fault_of(&app, &record).await, Some(ArchiveFault::Changed));
    assert_eq!(noted(&app).await, (Outcome::Warnings, false));
    std::fs::write(&path, whole).unwrap();
    assert_eq!(fault_of(&app, &record).await, None);
    assert_eq!(noted(&app).await, (Outcome::Succeeded, true));
}
