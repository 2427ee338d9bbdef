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

    // In the last pages lie records and words, not what is needed to open the file.
    let mut file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    let length = file.metadata().unwrap().len();
    file.seek(SeekFrom::Start(length - 8192)).unwrap();
    file.write_all(&[0xA5; 8192]).unwrap();
    drop(file);

    let found = Journal::open(&path).and_then(|journal| journal.check());
    // A page that is read on the way is an error; any other is in the list.
    assert!(found.as_ref().map_or(true, |health| !health.damage.is_empty()), "{found:?}");
}
