//! What another program does to the file while it is open.

use rusqlite::Connection;
use steward_journal::trail::Event;
use steward_journal::{Filter, Journal};

#[test]
#[cfg(unix)]
fn a_history_that_was_replaced_or_removed_while_it_was_open_takes_and_copies_nothing_more() {
    for (name, is_replaced) in [("journal.db", true), ("journal.db", false), ("journal.db-wal", false)] {
        let folder = tempfile::tempdir().unwrap();
        let (path, copy) = (folder.path().join("journal.db"), folder.path().join("copy.db"));
        let journal = Journal::open(&path).unwrap();
        let id = journal.intend(&crate::intent()).unwrap();
        journal.copy_to(&copy).unwrap();
        std::fs::rename(folder.path().join(name), folder.path().join("moved")).unwrap();
        if is_replaced {
            std::fs::copy(&copy, &path).unwrap();
        }

        let faults = [
            journal.intend(&crate::intent()).unwrap_err(),
            journal.conclude(&id, &crate::conclusion()).unwrap_err(),
            journal.append(&Event::AppEnded).unwrap_err(),
            journal.verify_trail(&mut |_| std::ops::ControlFlow::Continue(())).unwrap_err(),
            journal.can_write().unwrap_err(),
        ];
        for fault in faults {
            assert_eq!(fault.fault(), steward_journal::Fault::NotWritable, "{name}: {fault:?}");
            assert!(format!("{fault:?}").contains("was replaced or removed"), "{name}: {fault:?}");
        }
        journal.copy_to(&folder.path().join("another.db")).unwrap_err();
    }
}

#[test]
fn an_entry_that_a_trigger_of_another_program_swallows_is_not_taken_for_written() {
    for (table, trigger) in [
        ("record", "BEFORE INSERT ON record BEGIN SELECT RAISE(IGNORE); END"),
        ("record", "AFTER INSERT ON record BEGIN DELETE FROM record WHERE id = new.id; END"),
        ("trail", "BEFORE INSERT ON trail BEGIN SELECT RAISE(IGNORE); END"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let journal = Journal::open(&path).unwrap();
        journal.intend(&crate::intent()).unwrap();
        let other = Connection::open(&path).unwrap();
        other.execute_batch(&format!("CREATE TRIGGER other {trigger}")).unwrap();

        journal.intend(&crate::intent()).unwrap_err();

        assert_eq!(journal.append(&Event::AppEnded).is_err(), table == "trail", "{trigger}");
        other.execute_batch("DROP TRIGGER other").unwrap();
        journal.intend(&crate::intent()).unwrap();
        assert_eq!(journal.records(&Filter::default()).unwrap().len(), 2, "{trigger}");
    }
}
