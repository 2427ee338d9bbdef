//! A kill at every write: what a process has written is a beginning of its write-ahead log, at any byte.

use std::path::Path;

use rusqlite::Connection;
use steward_journal::Journal;
use steward_journal::trail::Event;

use super::{broken_at, kinds};
use crate::{conclusion, intent};

/// Header of a frame of the log, and a page (sqlite.org/fileformat2.html, section 4.1).
const FRAME: usize = 24 + 4_096;
const HEADER: usize = 32;

#[test]
fn after_a_kill_at_every_write_the_chain_is_whole_and_tells_what_the_history_has() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let log = folder.path().join("journal.db-wal");
    drop(Journal::open(&path).unwrap());
    let before = std::fs::read(&path).unwrap();
    let journal = Journal::open(&path).unwrap();
    let id = journal.intend(&intent()).unwrap();
    journal.conclude(&id, &conclusion()).unwrap();
    journal.append(&Event::AppEnded).unwrap();
    let written = std::fs::read(&log).unwrap();
    let frames = (written.len() - HEADER) / FRAME;
    assert!(frames > 10, "{frames}");

    let mut lengths = Vec::new();
    for frame in 0..=frames {
        let whole = HEADER + frame * FRAME;
        lengths.extend([whole, (whole + 24).min(written.len()), (whole + FRAME / 2).min(written.len())]);
    }
    let mut seen = std::collections::BTreeSet::new();
    for length in lengths {
        let killed = tempfile::tempdir().unwrap();
        let path = killed.path().join("journal.db");
        std::fs::write(&path, &before).unwrap();
        std::fs::write(killed.path().join("journal.db-wal"), &written[..length]).unwrap();
        seen.insert(agrees(&path));
    }
    assert_eq!(seen.len(), 4, "nothing, an intent, its outcome, an event: {seen:?}");
}

/// Checks that rows and chain tell the same, and returns the kinds of events.
fn agrees(path: &Path) -> Vec<String> {
    let journal = Journal::open(path).unwrap();
    let kinds = kinds(&journal);
    assert_eq!(broken_at(path), [] as [i64; 0]);
    let connection = Connection::open(path).unwrap();
    let count = |sql: &str| -> i64 { connection.query_row(sql, [], |row| row.get(0)).unwrap() };
    let told = |kind: &str| i64::try_from(kinds.iter().filter(|one| *one == kind).count()).unwrap();
    assert_eq!(count("SELECT count(*) FROM record"), told("operation.sent"), "{kinds:?}");
    // One without a response became unknown when the journal was opened.
    assert_eq!(
        count("SELECT count(*) FROM record WHERE outcome <> 'sent'"),
        told("operation.ended"),
        "{kinds:?}"
    );
    let outcome: Option<String> =
        connection.query_row("SELECT max(outcome) FROM record", [], |row| row.get(0)).unwrap();
    kinds.into_iter().chain(outcome).collect()
}
