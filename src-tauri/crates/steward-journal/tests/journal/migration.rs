use std::path::Path;

use rusqlite::Connection;
use steward_journal::{DeactivationState, Filter, Journal, JournalError, Outcome, Workstation};

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
        journal.last_success("5f0c7a52-8f5e-4f0e-9b39-0d1f6f3f7a10", &["export_portal"], |_| true).unwrap(),
        Some(1_767_603_600_000)
    );
}

#[test]
fn a_journal_from_before_the_checklist_keeps_its_records_and_stores_marked_items() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let id = Journal::open(&path).unwrap().intend(&crate::intent()).unwrap();
    take_back_to_version_4(&path);
    // The third format is the fourth without this table.
    Connection::open(&path).unwrap().execute_batch("DROP TABLE tick; PRAGMA user_version = 3").unwrap();

    let journal = Journal::open(&path).unwrap();
    journal.set_checklist_item(&id, "logs", true).unwrap();

    assert_eq!(journal.records(&Filter::default()).unwrap().len(), 1);
    assert_eq!(journal.checklist_items(&id).unwrap(), ["logs"]);
    let copies = copies(folder.path());
    assert_eq!(copies.len(), 1, "{copies:?}");
    assert!(copies[0].to_string_lossy().contains("journal-v3-"), "{copies:?}");
}

/// Takes a journal back to version 4: the names of version 5, without the account and the computer.
fn take_back_to_version_4(path: &Path) {
    let steps = "
        DROP TRIGGER record_is_new; DROP TRIGGER record_has_changed; DROP TRIGGER record_is_gone; DROP VIEW searchable;
        ALTER TABLE record DROP COLUMN system_user; ALTER TABLE record DROP COLUMN computer;
        ALTER TABLE record RENAME COLUMN environment TO site_kind;
        ALTER TABLE record RENAME COLUMN response TO answer;
        ALTER TABLE record RENAME COLUMN response_truncated TO answer_cut;
        ALTER TABLE deactivation RENAME COLUMN deactivated_at TO silenced_at;
        ALTER TABLE deactivation RENAME COLUMN resolved_at TO restored_at;
        ALTER TABLE deactivation RENAME COLUMN resolved_by TO restored_by;
        ALTER TABLE deactivation RENAME TO silence;
        DROP INDEX deactivation_by_site; CREATE INDEX silence_by_site ON silence (site, sequence);
        ALTER TABLE outcome_resolution RENAME TO settlement; ALTER TABLE checklist_item RENAME TO tick;
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
    assert_eq!((whole.response, whole.report), (crate::conclusion().response, crate::conclusion().report));
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

/// Creates the journal of a program of version 5.
fn journal_of_version_5(path: &Path) {
    let sql = include_str!("../../../../../tests/fixtures/data-folders/v5/journal.sql");
    Connection::open(path).unwrap().execute_batch(sql).unwrap();
}

/// Reads one column as text, one row after the other.
fn column(connection: &Connection, sql: &str) -> Vec<String> {
    connection.prepare(sql).unwrap().query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

#[test]
fn a_journal_of_version_5_has_the_names_of_version_6() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    journal_of_version_5(&path);

    let journal = Journal::open(&path).unwrap();

    let connection = Connection::open(&path).unwrap();
    let schema =
        column(&connection, "SELECT concat_ws(' ', name, tbl_name, sql) FROM sqlite_master").join("\n");
    for old in ["silence", "settlement", "tick", "restored", "site_kind", "answer"] {
        assert!(!schema.contains(old), "{old} in {schema}");
    }
    let states = column(&connection, "SELECT state FROM deactivation ORDER BY sequence");
    assert_eq!(states, ["deactivated", "deactivated", "resolved by hand"]);
    let names = column(&connection, "SELECT DISTINCT p.value ->> 0 FROM record, json_each(parameters) p");
    for old in ["wayBack", "wayBackSavedAs", "way", "siteKind", "siteFlavour", "siteRoute"] {
        assert!(!names.contains(&text(old)), "{old} in {names:?}");
    }
    let new = [
        "safetyBackup",
        "safetyBackupSavedAs",
        "signInMethod",
        "siteEnvironment",
        "siteDeploymentType",
        "siteConnection",
    ];
    for new in new {
        assert!(names.contains(&text(new)), "{new} in {names:?}");
    }
    let states: Vec<_> = journal.deactivations(None).unwrap().into_iter().map(|entry| entry.state).collect();
    use DeactivationState::{Deactivated, ResolvedByHand};
    assert_eq!(states, [ResolvedByHand, Deactivated, Deactivated]);
}

#[test]
fn a_renamed_operation_is_found_by_its_new_name_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    journal_of_version_5(&path);
    let journal = Journal::open(&path).unwrap();
    let found = |operation: &str| {
        journal.records(&Filter { operation: Some(text(operation)), ..Filter::default() }).unwrap().len()
    };

    assert_eq!((found("reactivate_webhooks"), found("restore_webhooks")), (1, 0));
}

#[test]
fn values_and_unreadable_parameters_are_kept_when_names_change() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    journal_of_version_5(&path);
    let before = Connection::open(&path).unwrap();
    let set = "UPDATE record SET parameters = ?2 WHERE sequence = ?1";
    let pairs = r#"[["why","wayBack"],["wayBack","a\u0000 \"way\" München"],["service","siteKind"]]"#;
    before.execute(set, (1, pairs)).unwrap();
    before.execute(set, (2, "wayBack, way")).unwrap();
    drop(before);

    let journal = Journal::open(&path).unwrap();

    let mut records = journal.records(&Filter::default()).unwrap();
    assert_eq!(
        records.pop().unwrap().intent.parameters,
        [
            (text("why"), text("wayBack")),
            (text("safetyBackup"), text("a\0 \"way\" München")),
            (text("service"), text("siteKind")),
        ]
    );
    let kept = column(&Connection::open(&path).unwrap(), "SELECT parameters FROM record WHERE sequence = 2");
    assert_eq!(kept, ["wayBack, way"]);
}

#[test]
fn a_journal_of_version_5_is_copied_before_its_names_change() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    journal_of_version_5(&path);

    drop(Journal::open(&path).unwrap());
    drop(Journal::open(&path).unwrap());

    let copies = copies(folder.path());
    assert_eq!(copies.len(), 1, "{copies:?}");
    assert!(copies[0].to_string_lossy().contains("journal-v5-"), "{copies:?}");
    let copy = Connection::open(&copies[0]).unwrap();
    assert_eq!(column(&copy, "SELECT CAST(user_version AS TEXT) FROM pragma_user_version"), ["5"]);
    assert_eq!(
        column(&copy, "SELECT state FROM silence ORDER BY sequence"),
        ["silenced", "silenced", "by hand"]
    );
}
