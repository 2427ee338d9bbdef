//! A disk that is really full: two small file systems in memory, in a namespace of this test's own.

use std::path::{Path, PathBuf};
use std::process::Command;

use steward_core::changes::snapshots::Snapshots;
use steward_core::files;
use steward_core::files::data_folder::DataFolder;
use steward_core::history::{self, HistoryFormat, HistorySearch};
use steward_core::model::problem::{NotRecordedReason, Problem};
use steward_core::model::run_result::RunResult;
use steward_core::model::saved_file::SaveResult;
use steward_core::operations::deactivate_webhooks::DeactivateWebhooksForm;
use steward_core::operations::export_server::{ExportServerForm, ServerExportDestination};
use steward_core::settings::preferences::Preferences;
use steward_core::sites::SiteForm;
use steward_core::start::{RequiredFiles, StartFault};
use steward_plans::plan::BackupPlan;

use crate::backup_plans::{plan_of, run_of};
use crate::data_folder_faults::copy_of;
use crate::export_portal::to;
use crate::test_app::{TestApp, files_in, form};

const NAME: &str = "full_disk::a_full_disk_is_named_with_its_folder_wherever_something_is_written";
const INSIDE: &str = "STEWARD_TEST_FULL_DISK";

/// Mounts both file systems, and starts this test inside.
const MOUNT: &str = r#"mount -t tmpfs -o size=256m tmpfs "$TMPDIR" && mkdir "$TMPDIR/small" &&
    mount -t tmpfs -o size=16k tmpfs "$TMPDIR/small" && exec "$0" "$@""#;

#[test]
fn a_full_disk_is_named_with_its_folder_wherever_something_is_written() {
    if std::env::var_os(INSIDE).is_some() {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(everywhere());
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let inside = |program: &Path, arguments: &[&str]| {
        let mut command = Command::new("unshare");
        command
            .args(["--user", "--map-root-user", "--mount", "sh", "-c", MOUNT])
            .arg(program)
            .args(arguments);
        command.env(INSIDE, "1").env("TMPDIR", place.path()).output()
    };
    // Some containers permit no namespaces.
    if !inside(Path::new("true"), &[]).is_ok_and(|tried| tried.status.success()) {
        eprintln!("no file system can be mounted here");
        return;
    }
    let output = inside(&std::env::current_exe().unwrap(), &[NAME, "--exact", "--nocapture"]).unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Writes until nothing more fits, and returns the file.
fn fill(folder: &Path) -> PathBuf {
    let file = folder.join("filler");
    let mut piece = 1 << 20;
    let mut content = std::fs::File::create(&file).unwrap();
    while piece > 0 {
        if std::io::Write::write_all(&mut content, &vec![0; piece]).is_err() {
            piece /= 2;
        }
    }
    file
}

#[track_caller]
fn names(problem: &Problem, disk: &Path, folder: &Path) {
    let Problem::File { full: Some(full), .. } = problem else { panic!("{problem:?}") };
    assert_eq!((Path::new(&full.disk), Path::new(&full.folder)), (disk, folder));
    assert!(!full.is_quota);
}

#[track_caller]
fn failed(saved: SaveResult) -> Problem {
    match saved {
        SaveResult::Failed { problem } => problem,
        other => panic!("{other:?}"),
    }
}

async fn everywhere() {
    let disk = std::env::temp_dir().canonicalize().unwrap();
    let small = disk.join("small");
    let app = TestApp::new().await;
    let context = &app.steward.context;
    app.export_portal(to(&app.folder("exports"), false)).await.unwrap();

    // Files that the user saves.
    fill(&small);
    app.dialogs.will_choose(&small.join("city.agssite"));
    let here = ExportServerForm { place: ServerExportDestination::ThisComputer };
    let RunResult::Done { report, .. } = app.export_server(here).await.unwrap() else { panic!("not done") };
    names(&failed(report.saving.unwrap()), &small, &small);
    for format in [HistoryFormat::Csv, HistoryFormat::Json] {
        app.dialogs.will_choose(&small.join("history"));
        let search = HistorySearch::default();
        let saved = history::records_of(
            &context.history,
            &app.steward.transfers.dialogs,
            &app.steward.language,
            search,
            format,
        );
        names(&failed(saved.await.unwrap()), &small, &small);
    }
    names(&failed(files::save_new(&small, "a.invite", b"x")), &small, &small);
    names(&failed(files::save(&small.join("report.html"), b"x")), &small, &small);
    // A plan is repeated: it leaves no folder of a set behind each time.
    let plan = BackupPlan { folder: small.clone(), ..plan_of(&app) };
    let unwritten = run_of(&app, &plan).await.unwrap_err();
    assert!(matches!(unwritten, Problem::File { full: Some(_), .. }), "{unwritten:?}");
    assert_eq!(files_in(&small), ["filler"]);

    // What the program itself keeps.
    let filler = fill(&disk);
    let data = app.steward.data_folder.canonicalize().unwrap();
    let now = app.steward.preferences.get();
    let changed = Preferences { notifications: !now.notifications, ..now };
    names(&app.steward.preferences.save(changed).unwrap_err(), &disk, &data);
    let another = SiteForm { name: "Harbour".to_owned(), ..form(None, "https://gis.example.org/portal", "") };
    names(&app.sites().save(&another).unwrap_err(), &disk, &data);
    let webhooks = || DeactivateWebhooksForm {
        services: vec!["Hosted/Hydrants.FeatureServer".to_owned()],
        why: String::new(),
        confirmation: String::new(),
    };
    let ended = app.deactivate_webhooks(webhooks()).await;
    let Err(Problem::NotRecorded { reason: NotRecordedReason::DiskFull, full: Some(full), .. }) = &ended
    else {
        panic!("{ended:?}")
    };
    assert_eq!((Path::new(&full.disk), Path::new(&full.folder)), (&*disk, &*data));

    // With room again, everything goes on.
    std::fs::remove_file(filler).unwrap();
    app.deactivate_webhooks(webhooks()).await.unwrap();
    a_start_offers_no_copy_for_an_intact_history(&disk, &data);
}

/// A start without room for the files that SQLite keeps beside the history.
fn a_start_offers_no_copy_for_an_intact_history(disk: &Path, data: &Path) {
    let copy = copy_of(data);
    let held = DataFolder::take(copy.path()).unwrap();
    drop(RequiredFiles::open(&held).unwrap());
    std::fs::write(copy.path().join("changes.db"), "").unwrap();
    drop(Snapshots::open(copy.path().join("changes.db")));
    assert!(!copy.path().join("journal.db-shm").exists(), "it was closed");
    let filler = fill(disk);

    let problem = RequiredFiles::open(&held).err().unwrap();

    let told = (problem.file, problem.fault, problem.copy_at);
    assert_eq!(told, (None, StartFault::Other, None), "{problem:?}");
    drop(Snapshots::open(copy.path().join("changes.db")));
    std::fs::remove_file(filler).unwrap();
    assert!(RequiredFiles::open(&held).is_ok());
    assert!(files_in(copy.path()).iter().all(|name| !name.contains("unreadable")), "the snapshots stay");
}
