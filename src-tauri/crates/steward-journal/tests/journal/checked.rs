use std::io::{Seek as _, SeekFrom, Write as _};

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

    // The header claims free pages that are not there: the file opens, and would be written over its own records.
    let mut file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.seek(SeekFrom::Start(36)).unwrap();
    file.write_all(&7_u32.to_be_bytes()).unwrap();
    drop(file);

    let health = Journal::open(&path).unwrap().check().unwrap();
    assert!(!health.damage.is_empty(), "{health:?}");
}
