//! Two processes write one trail. This file is also the child that writes.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use rusqlite::Connection;
use steward_journal::trail::Event;
use steward_journal::{Journal, Process, StandingEvent};

use super::broken_at;

const JOURNAL: &str = "STEWARD_TRAIL_TO_WRITE";

/// Entries of each process.
const ENTRIES: i64 = 10_000;

/// Not a test: one of the processes.
#[test]
#[ignore = "the process that the other test starts twice"]
fn writes_its_entries() {
    let Some(path) = std::env::var_os(JOURNAL) else { return };
    let journal = Journal::open(Path::new(&path)).unwrap();
    for _ in 0..ENTRIES {
        journal.append(&Event::AppEnded).unwrap();
    }
}

fn start(path: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "trail::processes::writes_its_entries", "--ignored", "--test-threads=1"])
        .env(JOURNAL, path)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn two_processes_at_once_write_one_chain_without_a_gap() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    drop(Journal::open(&path).unwrap());

    let both = [start(&path), start(&path)];
    for mut child in both {
        assert!(child.wait().unwrap().success());
    }

    assert_eq!(broken_at(&path), [] as [i64; 0]);
    let connection = Connection::open(&path).unwrap();
    let ended = |sql: &str| -> i64 { connection.query_row(sql, [], |row| row.get(0)).unwrap() };
    assert_eq!(ended("SELECT count(*) FROM trail WHERE kind = 'app.ended'"), 2 * ENTRIES);
    assert_eq!(ended("SELECT max(sequence) - count(*) FROM trail"), 0, "no gap");
}

#[test]
fn window_and_runner_that_start_together_tell_of_a_file_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let window = Journal::open(&path).unwrap();
    let runner = Journal::open_as(&path, Process::Runner).unwrap();
    let missing = |known: &[StandingEvent]| {
        let event = Event::FileUnreadable { file: "plans.json".to_owned(), path: "/plans.json".to_owned() };
        if known.iter().any(|one| one.kind == "file.unreadable") { Vec::new() } else { vec![event] }
    };

    let (runner, missing) = (&runner, &missing);
    std::thread::scope(|scope| {
        let at_once = |known: &[StandingEvent]| {
            // The runner begins its own call while the window decides.
            scope.spawn(move || runner.append_missing(missing).unwrap());
            std::thread::sleep(std::time::Duration::from_millis(500));
            missing(known)
        };
        window.append_missing(at_once).unwrap();
    });

    let connection = Connection::open(&path).unwrap();
    let told = "SELECT count(*) FROM trail WHERE kind = 'file.unreadable'";
    assert_eq!(connection.query_row(told, [], |row| row.get::<_, i64>(0)).unwrap(), 1);
}
