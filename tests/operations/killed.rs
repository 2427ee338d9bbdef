//! The program is killed. This file is both: the tests, and, run again as a child with a variable set, what is
//! killed. The child's folder is the parent's, so that the parent can look at what is left.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use steward_core::listings::invitations;
use steward_core::model::export_outcome::ExportOutcome;
use steward_core::model::import_report::ImportReport;
use steward_core::model::run_result::RunResult;
use steward_core::operations::export_server::{ExportServerForm, ServerExportDestination};
use steward_core::operations::import_server::safety_backup::SafetyBackupOptions;
use steward_core::operations::import_server::{ImportServerForm, ImportServerOptions};
use steward_core::operations::refresh_invitation::{RefreshInvitationForm, into_folder};
use steward_journal::{Filter, Journal, Outcome};
use steward_testkit::{Fault, until};

use crate::test_app::TestApp;

pub(crate) const CHILD: &str = "STEWARD_IMPORT_TO_KILL";
/// With this set too, the child's import is never answered.
const SILENT: &str = "STEWARD_IMPORT_WITHOUT_ANSWER";

/// Not a test: what is killed. It exports, then imports with a safety_backup, and says what it has seen.
#[tokio::test]
#[ignore = "the process that the other tests start and kill"]
async fn imports_until_it_is_killed() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let app = TestApp::new().await;
    let say = |word: &str| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "\n{word}").unwrap();
        out.flush().unwrap();
    };
    let location = app.folder("exports").display().to_string();
    let form = ExportServerForm { place: ServerExportDestination::ServerFolder { location } };
    let ended = app.export_server(form).await.unwrap();
    let RunResult::Done { report, .. } = ended else { panic!("{ended:?}") };
    let ExportOutcome::Written { location, .. } = report.outcome else { panic!("{report:?}") };
    // The proxy must live as long as the import.
    let _silent = match std::env::var_os(SILENT) {
        Some(_) => Some(app.with_fault("/admin/importSite", Fault::Silence).await),
        None => None,
    };
    say("begins");
    let form = ImportServerForm {
        location,
        confirmation: "City GIS".to_owned(),
        safety_backup: Some(SafetyBackupOptions { also_here: false }),
        deactivate_webhooks: None,
        options: ImportServerOptions::default(),
    };
    let ended = app.import_server(form).await.unwrap();
    let RunResult::Done { record: Some(record), .. } = ended else { panic!("{ended:?}") };
    // From here on the window would have something to show.
    say(&format!("shows {}", record.0));
    std::future::pending().await
}

/// Not a test: what is killed. It refreshes all invitations into one folder.
#[tokio::test]
#[ignore = "the process that the other tests start and kill"]
async fn refreshes_until_it_is_killed() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let app = TestApp::new().await;
    let forms: Vec<_> = invitations(&app.steward.context.access, &app.site)
        .await
        .unwrap()
        .into_iter()
        .map(|one| RefreshInvitationForm {
            collaboration_id: one.collaboration_id,
            invitation_id: one.invitation_id,
        })
        .collect();
    app.dialogs.will_choose(&app.folder("invitations"));
    println!("\nbegins");
    into_folder::perform(&app.steward.context, &app.steward.invitation_files, &app.site, app.run(), forms)
        .await
        .unwrap();
    println!("\nshows");
    std::future::pending().await
}

fn start(folder: &Path, silent: bool) -> Child {
    start_to("killed::imports_until_it_is_killed", folder, silent)
}

pub(crate) fn start_to(what: &str, folder: &Path, silent: bool) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    if silent {
        command.env(SILENT, "1");
    }
    command
        .args(["--exact", what, "--ignored", "--nocapture", "--test-threads=1"])
        .env(CHILD, "1")
        .env("TMPDIR", folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Reads what the child says until it says `word`; returns what stood behind it.
pub(crate) fn heard(child: &mut Child, word: &str) -> String {
    let mut lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    let said = lines.find_map(|line| Some(line.unwrap().strip_prefix(word)?.trim().to_owned()));
    said.unwrap()
}

/// Reads what the child says until it has said `word` so many times; returns whether it said `end` before.
pub(crate) fn ends_before(child: &mut Child, end: &str, word: &str, times: usize) -> bool {
    let mut said = 0;
    let mut lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    let ended = lines.find_map(|line| {
        let line = line.unwrap();
        said += usize::from(line == word);
        (line == end || said == times).then_some(line == end)
    });
    ended.unwrap()
}

pub(crate) fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

fn journal(folder: &Path) -> PathBuf {
    let entries = std::fs::read_dir(folder).unwrap();
    let program = entries.map(|entry| entry.unwrap().path().join("program"));
    program.map(|program| program.join("journal.db")).find(|journal| journal.exists()).unwrap()
}

#[test]
fn an_import_report_is_on_disk_before_it_is_on_screen() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = start(folder.path(), false);
    let record = heard(&mut child, "shows");
    kill(child);

    let journal = Journal::open(&journal(folder.path())).unwrap();

    let whole = journal.whole(&record).unwrap();
    assert_eq!(whole.record.outcome, Outcome::Warnings);
    let report: ImportReport = whole.report.unwrap().read().unwrap();
    assert!(report.counts.failed_services >= 1);
    assert!(report.safety_backup.is_some());
}

#[tokio::test]
async fn a_program_that_ends_while_an_import_runs_leaves_it_unknown_with_its_way_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = start(folder.path(), true);
    heard(&mut child, "begins");
    let path = journal(folder.path());
    // Read beside the program that writes.
    let reader = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let imports = || {
        let sql = "SELECT count(*) FROM record WHERE operation = 'import_server'";
        reader.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap_or(0)
    };
    until("the record of the import", async || imports() > 0).await;
    kill(child);
    drop(reader);

    let records = Journal::open(&path).unwrap().records(&Filter::default()).unwrap();

    assert_eq!(records[0].intent.operation, "import_server");
    assert_eq!(records[0].outcome, Outcome::Unknown);
    let safety_backup = records[0].intent.parameters.iter().find(|(name, _)| name == "safetyBackup");
    assert!(safety_backup.is_some_and(|(_, upload)| !upload.is_empty()), "{:?}", records[0]);
    assert_eq!(records[1].intent.operation, "export_server");
    assert_eq!(records[1].outcome, Outcome::Succeeded, "it was whole before anything was replaced");
    let purpose = ("purpose".to_owned(), "safetyBackup".to_owned());
    assert!(records[1].intent.parameters.contains(&purpose), "{:?}", records[1]);
}

#[test]
fn after_a_kill_at_any_point_every_record_is_answered_or_unknown() {
    // Later each time, of an import that is answered and of one that never is: how long they take depends on the machine.
    let (mut was_under_way, mut was_answered) = (false, false);
    let mut after = 0;
    while !was_under_way || !was_answered {
        assert!(after < 60_000, "an import was seen under way: {was_under_way}, answered: {was_answered}");
        for silent in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let mut child = start(folder.path(), silent);
            heard(&mut child, "begins");
            std::thread::sleep(Duration::from_millis(after));
            kill(child);

            let journal = Journal::open(&journal(folder.path())).unwrap();

            let records = journal.records(&Filter::default()).unwrap();
            assert!(!records.is_empty(), "after {after} ms the export before the import is not recorded");
            for record in records {
                let known = record.outcome.has_response();
                assert!(known || record.outcome == Outcome::Unknown, "after {after} ms: {record:?}");
                if record.intent.operation == "import_server" {
                    assert_eq!(record.has_report, known, "an outcome and its report come together");
                    was_under_way |= !known;
                    was_answered |= known;
                }
            }
        }
        after = 2 * after + 5;
    }
}

/// Whoever was invited holds an invitation that was extended once, and its file is on this computer.
#[test]
fn after_a_kill_at_any_point_of_many_invitations_none_is_lost_and_none_is_sent_twice() {
    let mut seen = 0;
    let mut after = 0;
    // Later each time, and at last late enough: how long a refresh takes depends on the machine.
    while after < 1_000 || seen == 0 {
        assert!(after < 60_000, "none was refreshed before the end");
        let folder = tempfile::tempdir().unwrap();
        let mut child = start_to("killed::refreshes_until_it_is_killed", folder.path(), false);
        heard(&mut child, "begins");
        std::thread::sleep(Duration::from_millis(after));
        kill(child);
        let path = journal(folder.path());
        let program = path.parent().unwrap();
        let files = |folder: &Path| {
            let entries = std::fs::read_dir(folder).into_iter().flatten();
            let whole = entries.filter(|one| {
                let bytes = std::fs::read(one.as_ref().unwrap().path()).unwrap();
                serde_json::from_slice::<serde_json::Value>(&bytes).is_ok()
            });
            whole.count()
        };

        let refreshed = Filter { operation: Some("refresh_invitation".to_owned()), ..Filter::default() };
        let records = Journal::open(&path).unwrap().records(&refreshed).unwrap();

        let mut sent: Vec<_> = records.iter().map(|record| &record.intent.parameters).collect();
        sent.sort();
        let all = sent.len();
        sent.dedup();
        assert_eq!(sent.len(), all, "after {after} ms: {records:?}");
        let done = records.iter().filter(|record| record.outcome == Outcome::Succeeded).count();
        let unknown = records.iter().filter(|record| record.outcome == Outcome::Unknown).count();
        assert!(unknown <= 1, "one at a time, after {after} ms: {records:?}");
        let here =
            files(&program.with_file_name("invitations")) + files(&program.join("unsaved-invitations"));
        assert!(here >= done, "after {after} ms: {done} were refreshed, {here} are here");
        seen += done;
        after = 2 * after + 15;
    }
}
