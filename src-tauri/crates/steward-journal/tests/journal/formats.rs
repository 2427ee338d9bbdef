//! Journals that this version does not read.

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use steward_journal::{Journal, JournalError};
use tempfile::TempDir;

/// A journal that was changed by these statements.
fn journal_after(sql: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    Journal::open(&path).unwrap().intend(&crate::intent()).unwrap();
    Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    (folder, path)
}

/// Opens a file that is no journal of this format, and checks that it stays as it was.
fn rejected(path: &Path) -> JournalError {
    let before = std::fs::read(path).unwrap();
    let error = Journal::open(path).err().unwrap();
    assert_eq!(std::fs::read(path).unwrap(), before);
    error
}

#[test]
fn a_journal_of_a_newer_format_is_refused_in_words_and_left_untouched() {
    let (_folder, path) = journal_after("ALTER TABLE record ADD COLUMN later TEXT; PRAGMA user_version = 2");

    let error = rejected(&path);

    assert!(matches!(error, JournalError::Newer { found: 2, .. }), "{error}");
    assert!(error.to_string().contains("newer version of the program"), "{error}");
    assert!(!Journal::is_before_release(&path));
}

#[test]
fn a_journal_of_before_the_release_is_known_as_such_and_left_untouched() {
    for format in [1, 6] {
        let marks = format!("PRAGMA application_id = 0; PRAGMA user_version = {format}");
        let (_folder, path) = journal_after(&marks);

        assert!(Journal::is_before_release(&path), "{format}");
        assert!(matches!(rejected(&path), JournalError::NotOurs { .. }), "{format}");
    }
}

#[test]
fn a_database_of_another_program_is_no_history_and_left_untouched() {
    for marks in [
        "PRAGMA application_id = 0; PRAGMA user_version = 0",
        "PRAGMA application_id = 0; PRAGMA user_version = 7",
        "PRAGMA application_id = 7",
    ] {
        let (_folder, path) = journal_after(marks);

        assert!(matches!(rejected(&path), JournalError::NotOurs { .. }), "{marks}");
        assert!(!Journal::is_before_release(&path), "{marks}");
    }
}
