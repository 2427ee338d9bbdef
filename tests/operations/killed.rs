//! The program is killed. This file is both: the tests, and, run again as a child with a variable set, what is
//! killed. The child's folder is the parent's, so that the parent can look at what is left.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use site_steward::operations::export_server::{self, ExportServerForm, ServerExportPlace};
use site_steward::operations::import_server::{ImportServerForm, perform};
use site_steward::parachute::Parachute;
use site_steward::views::ended::Ended;
use site_steward::views::export::ExportOutcome;
use site_steward::views::import_report::ImportReport;
use steward_journal::{Filter, Journal, Outcome};

use crate::desk::Desk;

const CHILD: &str = "STEWARD_IMPORT_TO_KILL";

/// Not a test: what is killed. It exports, then imports with a parachute, and says what it has seen.
#[tokio::test]
#[ignore = "the process that the other tests start and kill"]
async fn imports_until_it_is_killed() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let desk = Desk::new().await;
    let say = |word: &str| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "\n{word}").unwrap();
        out.flush().unwrap();
    };
    let location = desk.folder("exports").display().to_string();
    let form = ExportServerForm { place: ServerExportPlace::ServerFolder { location } };
    let ended = export_server::perform(&desk.host, &desk.site, desk.run(), form).await.unwrap();
    let Ended::Done { report, .. } = ended else { panic!("{ended:?}") };
    let ExportOutcome::Written { location } = report.outcome else { panic!("{report:?}") };
    say("begins");
    let form = ImportServerForm {
        location,
        confirmation: "City GIS".to_owned(),
        parachute: Some(Parachute { also_here: false }),
    };
    let ended = perform(&desk.host, &desk.site, desk.run(), form).await.unwrap();
    let Ended::Done { record: Some(record), .. } = ended else { panic!("{ended:?}") };
    // From here on the window would have something to show.
    say(&format!("shows {}", record.0));
    std::future::pending().await
}

fn start(folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "killed::imports_until_it_is_killed",
            "--ignored",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(CHILD, "1")
        .env("TMPDIR", folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Reads what the child says until it says `word`; returns what stood behind it.
fn heard(child: &mut Child, word: &str) -> String {
    let mut lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    let said = lines.find_map(|line| Some(line.unwrap().strip_prefix(word)?.trim().to_owned()));
    said.unwrap()
}

fn kill(mut child: Child) {
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
    let mut child = start(folder.path());
    let record = heard(&mut child, "shows");
    kill(child);

    let journal = Journal::open(&journal(folder.path())).unwrap();

    let whole = journal.whole(&record).unwrap();
    assert_eq!(whole.record.outcome, Outcome::Warnings);
    let report: ImportReport = serde_json::from_value(whole.report.unwrap()).unwrap();
    assert!(report.counts.failed_services >= 1);
    assert!(report.way_back.is_some());
}

#[test]
fn after_a_kill_at_any_point_every_record_is_answered_or_unknown_and_a_sent_import_knows_its_way_back() {
    let mut imports = 0;
    for after in [0, 3, 8, 15, 25, 40, 60, 90] {
        let folder = tempfile::tempdir().unwrap();
        let mut child = start(folder.path());
        heard(&mut child, "begins");
        std::thread::sleep(Duration::from_millis(after));
        kill(child);

        let journal = Journal::open(&journal(folder.path())).unwrap();

        let records = journal.records(&Filter::default()).unwrap();
        for record in &records {
            let known = record.outcome.is_answered();
            assert!(known || record.outcome == Outcome::Unknown, "after {after} ms: {record:?}");
            if record.intent.operation == "import_server" {
                imports += 1;
                let way_back = record.intent.parameters.iter().find(|(name, _)| name == "wayBack");
                assert!(way_back.is_some(), "after {after} ms: {record:?}");
                assert_eq!(record.has_report, known, "an outcome and its report come together");
                let export = &records[1];
                assert_eq!(export.outcome, Outcome::Succeeded, "the export was verified before");
            }
        }
    }
    assert!(imports < 8, "some were killed before the import");
}
