use steward_journal::{Health, Journal};

use crate::intent;

#[test]
fn damage_to_the_file_is_found_and_an_intact_one_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let journal = Journal::open(&path).unwrap();
    for _ in 0..200 {
        journal.intend(&intent()).unwrap();
    }
    assert_eq!(journal.check().unwrap(), Health { records: 200, damage: Vec::new() });
    drop(journal);

    // A page that belongs to nothing: the file opens and can be read, and is not what it was.
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection
        .execute_batch("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'record_late'")
        .unwrap();
    drop(connection);

    let health = Journal::open(&path).unwrap().check().unwrap();
    assert!(!health.damage.is_empty(), "{health:?}");
}
