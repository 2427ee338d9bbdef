use std::path::Path;

use rusqlite::Connection;
use steward_journal::{Filter, Journal, JournalError, Outcome, Workstation};

use crate::text;

/// Makes the journal that a program of version 1 left.
pub(crate) fn old_journal(path: &Path) {
    let connection = Connection::open(path).unwrap();
    connection.execute_batch(include_str!("../fixtures/journal-v1.sql")).unwrap();
}

fn copies(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut copies: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| path.to_string_lossy().contains("journal-v"))
        .collect();
    copies.sort();
    copies
}

#[test]
fn an_update_of_the_program_keeps_the_history() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    old_journal(&path);

    let journal = Journal::open(&path).unwrap();

    let records = journal.records(&Filter::default()).unwrap();
    let outcomes: Vec<Outcome> = records.iter().map(|record| record.outcome).collect();
    assert_eq!(outcomes, [Outcome::Unknown, Outcome::Failed, Outcome::Warnings, Outcome::Warnings]);
    let import = &records[2];
    assert_eq!(import.intent.parameters, [(text("location"), text("/backups/München.agssite"))]);
    assert_eq!((import.intent.started_at, import.ended_at), (1_767_700_000_000, Some(1_767_703_600_000)));
    assert_eq!(import.elapsed, Some(3_600_000));
    let report = journal.report(&import.id).unwrap().unwrap();
    assert_eq!(report["sources"][0]["messages"][0]["service"]["service"], "Parcels/Zoning.MapServer");
    assert_eq!(
        journal.last_success("5f0c7a52-8f5e-4f0e-9b39-0d1f6f3f7a10", &["export_portal"]).unwrap(),
        Some(1_767_603_600_000)
    );
}

#[test]
fn a_journal_from_before_the_ticks_keeps_its_records_and_takes_ticks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let id = Journal::open(&path).unwrap().intend(&crate::intent()).unwrap();
    take_back_to_version_4(&path);
    // The third format is the fourth without this table.
    Connection::open(&path).unwrap().execute_batch("DROP TABLE tick; PRAGMA user_version = 3").unwrap();

    let journal = Journal::open(&path).unwrap();
    journal.set_tick(&id, "logs", true).unwrap();

    assert_eq!(journal.records(&Filter::default()).unwrap().len(), 1);
    assert_eq!(journal.ticks(&id).unwrap(), ["logs"]);
    let copies = copies(folder.path());
    assert_eq!(copies.len(), 1, "{copies:?}");
    assert!(copies[0].to_string_lossy().contains("journal-v3-"), "{copies:?}");
}

/// The fourth format is the fifth without the account and the computer.
fn take_back_to_version_4(path: &Path) {
    let steps = "
        DROP TRIGGER record_is_new; DROP TRIGGER record_has_changed; DROP TRIGGER record_is_gone; DROP VIEW searchable;
        ALTER TABLE record DROP COLUMN system_user; ALTER TABLE record DROP COLUMN computer;
        CREATE VIEW searchable AS SELECT sequence, '' AS facets, '' AS words FROM record;
        CREATE TRIGGER record_is_new AFTER INSERT ON record BEGIN SELECT 1; END;
        CREATE TRIGGER record_has_changed AFTER UPDATE ON record BEGIN SELECT 1; END;
        CREATE TRIGGER record_is_gone AFTER DELETE ON record BEGIN SELECT 1; END;
        PRAGMA user_version = 4";
    Connection::open(path).unwrap().execute_batch(steps).unwrap();
}

#[test]
fn a_journal_from_before_the_computer_was_recorded_keeps_its_records_and_finds_old_and_new_ones() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let old = {
        let journal = Journal::open(&path).unwrap();
        let old = journal.intend(&crate::intent()).unwrap();
        journal.conclude(&old, &crate::conclusion()).unwrap();
        old
    };
    take_back_to_version_4(&path);

    let journal = Journal::open(&path).unwrap();
    let new = journal.intend(&crate::intent()).unwrap();

    let found = |words: &str| {
        let filter = Filter { text: text(words), ..Filter::default() };
        journal.records(&filter).unwrap().into_iter().map(|record| record.id).collect::<Vec<_>>()
    };
    assert_eq!(found("backups"), [new.clone(), old.clone()]);
    assert!(found(&Workstation::this().computer).contains(&new), "by the computer");
    assert_eq!(journal.whole(&new).unwrap().record.workstation, *Workstation::this());
    let whole = journal.whole(&old).unwrap();
    assert_eq!(whole.record.workstation, Workstation::default(), "nobody wrote it down");
    assert_eq!((whole.answer, whole.report), (crate::conclusion().answer, crate::conclusion().report));
}

#[test]
fn what_an_older_program_wrote_is_found_by_its_words() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    old_journal(&path);
    let journal = Journal::open(&path).unwrap();
    let found =
        |words: &str| journal.records(&Filter { text: text(words), ..Filter::default() }).unwrap().len();

    assert_eq!(found("munchen"), 1, "a parameter, without its marks");
    assert_eq!(found("licence"), 1, "a report");
    assert_eq!(found("o'brien"), 1);
    assert_eq!(found("nowhere"), 0);
}

#[test]
fn a_record_that_an_older_program_made_while_the_clock_was_wrong_is_found_by_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    old_journal(&path);
    Connection::open(&path)
        .unwrap()
        .execute("UPDATE record SET started_at = 5 WHERE sequence = 3", [])
        .unwrap();
    let journal = Journal::open(&path).unwrap();

    let found = journal.records(&Filter { from: Some(1), to: Some(10), ..Filter::default() }).unwrap();

    assert_eq!(found.iter().map(|record| record.sequence).collect::<Vec<_>>(), [3]);
}

#[test]
fn the_old_journal_is_copied_whole_before_it_is_changed_and_only_then() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    old_journal(&path);
    std::fs::write(folder.path().join("journal-v1.unfinished"), "left by a program that was ended").unwrap();

    drop(Journal::open(&path).unwrap());
    drop(Journal::open(&path).unwrap());

    let copies = copies(folder.path());
    assert_eq!(copies.len(), 1, "{copies:?}");
    let copy = Connection::open(&copies[0]).unwrap();
    let read = |sql: &str| copy.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(read("PRAGMA user_version"), 1);
    assert_eq!(read("SELECT count(*) FROM record"), 4);
    assert_eq!(read("SELECT count(*) FROM record WHERE outcome = 'sent'"), 1, "as it was");
}

#[test]
fn secrets_that_an_older_program_wrote_are_taken_out_and_the_rest_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    old_journal(&path);
    let secret = "cAnArY7391";
    let connection = Connection::open(&path).unwrap();
    connection
        .execute(
            "UPDATE record SET note = ?1, parameters = ?2, report = ?3, username = ?4 WHERE sequence = 2",
            [
                format!("asked for https://gis.example.org/x?token={secret}&f=json"),
                format!("[[\"location\",\"/backups\"],[\"accountKey\",\"{secret}\"]]"),
                format!(
                    "{{\"status\":\"success\",\"sources\":[{{\"password\":\"{}{secret}\"}}]}}",
                    "x".repeat(40_000)
                ),
                format!("gisadmin token={secret}"),
            ],
        )
        .unwrap();
    connection
        .execute(
            "UPDATE record SET report = ?1 WHERE sequence = 3",
            [format!("broken {{\"token\": \"{secret}")],
        )
        .unwrap();

    // The old program's log is still beside its file, as after a crash.
    let journal = Journal::open(&path).unwrap();

    for file in ["journal.db", "journal.db-wal"] {
        let bytes = std::fs::read(folder.path().join(file)).unwrap();
        let found = bytes.windows(secret.len()).any(|window| window.eq_ignore_ascii_case(secret.as_bytes()));
        assert!(!found, "a secret in {file}");
    }
    drop(connection);
    let record = journal.records(&Filter::default()).unwrap().remove(2);
    assert_eq!(record.note, "asked for https://gis.example.org/x?token=***&f=json");
    assert_eq!(
        record.intent.parameters,
        [(text("location"), text("/backups")), (text("accountKey"), text("***"))]
    );
    assert_eq!(journal.report(&record.id).unwrap().unwrap()["sources"][0]["password"], "***");
    assert_eq!(journal.records(&Filter { text: text(secret), ..Filter::default() }).unwrap().len(), 0);
}

#[test]
fn a_new_journal_has_no_copy() {
    let folder = tempfile::tempdir().unwrap();
    drop(Journal::open(&folder.path().join("journal.db")).unwrap());

    assert!(copies(folder.path()).is_empty());
}

#[test]
fn a_journal_that_cannot_be_copied_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    old_journal(&path);
    // A folder where the copy is to be written.
    std::fs::create_dir_all(folder.path().join("journal-v1.unfinished/inside")).unwrap();

    assert!(matches!(Journal::open(&path), Err(JournalError::Copy { .. })));

    let connection = Connection::open(&path).unwrap();
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
    assert_eq!(version, 1);
}

#[test]
fn a_journal_of_a_newer_version_is_refused_in_words_and_left_untouched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let newer = Connection::open(&path).unwrap();
    newer.execute_batch("CREATE TABLE later (x); PRAGMA user_version = 99").unwrap();
    drop(newer);
    let before = std::fs::read(&path).unwrap();

    let error = Journal::open(&path).err().unwrap();

    assert!(matches!(error, JournalError::Newer { found: 99, .. }), "{error}");
    assert!(error.to_string().contains("newer version of the program"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing beside it");
}
