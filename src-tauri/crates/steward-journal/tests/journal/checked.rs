use steward_journal::{Health, Journal, JournalError};

use crate::intent;

#[test]
fn damage_to_the_file_is_found_and_an_intact_one_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let journal = Journal::open(&path).unwrap();
    for _ in 0..200 {
        journal.intend(&intent()).unwrap();
    }
    assert_eq!(journal.check().unwrap(), Health { records: 200, damage: Vec::new(), is_readable: true });

    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute("UPDATE record SET note = 'another' WHERE sequence = 7", []).unwrap();
    let health = journal.check().unwrap();
    assert_eq!((health.records, health.damage.len(), health.is_readable), (200, 1, true), "{health:?}");
    drop((journal, connection));

    // Without its definition, an index is a page that belongs to nothing: SQLite reads the file, but it is no intact
    // journal.
    let connection = rusqlite::Connection::open(&path).unwrap();
    let sql = "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'record_late'";
    connection.execute_batch(sql).unwrap();
    drop(connection);
    assert!(matches!(Journal::open(&path), Err(JournalError::DamagedFile { .. })));
}
