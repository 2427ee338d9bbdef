//! The audit trail: what each attack on it does, its formats, and its writers.

mod attacks;
mod formats;
mod killed;
mod processes;
pub(crate) mod scripts;

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use steward_journal::trail::export::{Entry, Selection};
use steward_journal::trail::{Event, Head};
use steward_journal::{Intent, Journal, JournalError, Outcome, trail_files};
use tempfile::TempDir;

/// A journal with some entries, and its trail as a file has it.
struct Desk {
    folder: TempDir,
}

impl Desk {
    /// A journal with six entries: the beginning, a start, an operation, and others.
    fn new() -> Self {
        let desk = Self { folder: tempfile::tempdir().unwrap() };
        let journal = desk.journal();
        journal.append_start("").unwrap();
        let id = journal.intend(&crate::intent()).unwrap();
        journal.conclude(&id, &crate::conclusion()).unwrap();
        journal.append(&Event::AppEnded).unwrap();
        journal.append_start("").unwrap();
        desk
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("journal.db")
    }

    fn journal(&self) -> Journal {
        Journal::open(&self.path()).unwrap()
    }

    /// Changes the file without its guards, as a user with write access can.
    fn attack(&self, sql: &str) {
        let connection = Connection::open(self.path()).unwrap();
        connection
            .execute_batch(&format!(
                "CREATE TEMP TABLE guards AS SELECT sql FROM sqlite_schema WHERE name LIKE 'trail_is_not_%';
                 DROP TRIGGER trail_is_not_changed; DROP TRIGGER trail_is_not_shortened; {sql}"
            ))
            .unwrap();
        let guards: Vec<String> = connection
            .prepare("SELECT sql FROM guards")
            .unwrap()
            .query_map([], |row| row.get(0))
            .unwrap()
            .map(Result::unwrap)
            .collect();
        guards.iter().for_each(|sql| connection.execute_batch(sql).unwrap());
    }

    fn head(&self) -> Head {
        self.journal().trail_status().unwrap().head.unwrap()
    }

    /// Saves the trail, and returns the folder of its files.
    fn exported(&self) -> PathBuf {
        let folder = self.folder.path().join("trail");
        let to = std::io::Cursor::new(Vec::new());
        let archive = trail_files::archive(to, &self.journal(), &Selection::default()).unwrap();
        crate::audit_package::unpack_archive(archive.into_inner(), &folder);
        folder
    }
}

/// All entries of a trail.
fn entries(journal: &Journal) -> Vec<Entry> {
    entries_of(journal, &Selection::default())
}

fn entries_of(journal: &Journal, selection: &Selection) -> Vec<Entry> {
    let mut entries = Vec::new();
    let add = |entry: &Entry| -> Result<(), JournalError> {
        entries.push(entry.clone());
        Ok(())
    };
    journal.read_trail(selection, i64::MAX, add).unwrap();
    entries
}

/// Kinds of the events, in their order.
fn kinds(journal: &Journal) -> Vec<String> {
    let kind = |entry: &Entry| {
        let envelope: serde_json::Value = serde_json::from_str(&entry.envelope).unwrap();
        envelope["type"].as_str().unwrap().to_owned()
    };
    entries(journal).iter().map(kind).collect()
}

/// Verifies a whole trail, and returns the entries at which it does not hold.
fn broken_at(path: &Path) -> Vec<i64> {
    let verified =
        Journal::open(path).unwrap().verify_trail(&mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    verified.breaks.iter().map(|one| one.entry).collect()
}

#[test]
fn each_change_of_the_history_is_an_event_in_the_same_transaction() {
    let desk = Desk::new();

    assert_eq!(
        kinds(&desk.journal()),
        ["chain.began", "app.started", "operation.sent", "operation.ended", "app.ended", "app.started"]
    );
    assert_eq!(broken_at(&desk.path()), [] as [i64; 0]);
}

#[test]
fn the_run_of_a_backup_plan_has_no_event_of_an_operation_only_that_its_record_was_written() {
    let desk = Desk::new();
    let before = kinds(&desk.journal());
    let run = || Intent { operation: "run_plan".to_owned(), ..crate::intent() };
    let journal = desk.journal();
    let id = journal.intend(&run()).unwrap();
    journal.conclude(&id, &crate::conclusion()).unwrap();
    let cut_off = journal.intend(&run()).unwrap();
    drop(journal);

    let journal = desk.journal();

    let outcome = journal.record(&cut_off).unwrap().outcome;
    assert_eq!(outcome, Outcome::Unknown);
    let now = kinds(&journal);
    assert_eq!(now[..before.len()], before);
    assert_eq!(now[before.len()..], ["record.written"; 4], "each begins and ends");
    assert_eq!(broken_at(&desk.path()), [] as [i64; 0]);
}

#[test]
fn the_body_of_an_operation_tells_who_did_what_where_and_with_what_outcome() {
    let desk = Desk::new();

    let body: serde_json::Value =
        serde_json::from_str(entries(&desk.journal())[3].body.as_ref().unwrap()).unwrap();

    for (field, value) in [
        ("type", "operation.ended"),
        ("operation", "import_server"),
        ("outcome", "warnings"),
        ("siteName", "City GIS"),
        ("server", "s1"),
        ("account", "gisadmin"),
        ("note", "/backups/a.agssite"),
        ("program", env!("CARGO_PKG_VERSION")),
    ] {
        assert_eq!(body[field], value, "{field} in {body}");
    }
    for hash in ["requestSha256", "responseSha256", "reportSha256", "recordSha256"] {
        assert_eq!(body[hash].as_str().map(str::len), Some(64), "{hash} in {body}");
    }
}

#[test]
fn a_mistake_of_the_program_cannot_change_or_remove_an_entry() {
    let desk = Desk::new();
    let connection = Connection::open(desk.path()).unwrap();

    for sql in ["UPDATE trail SET body = NULL WHERE sequence = 3", "DELETE FROM trail WHERE sequence = 6"] {
        let error = connection.execute(sql, []).unwrap_err();
        assert!(error.to_string().contains("the audit trail is not"), "{error}");
    }
}

#[test]
fn a_program_that_ended_before_the_response_is_an_event_at_its_next_start() {
    let desk = Desk::new();
    desk.journal().intend(&crate::intent()).unwrap();

    let journal = desk.journal();

    let last = entries(&journal).pop().unwrap();
    assert!(last.envelope.contains("\"operation.ended\""), "{last:?}");
    assert!(last.body.unwrap().contains("\"outcome\":\"unknown\""));
    drop(journal);
    assert_eq!(entries(&desk.journal()).len(), 8, "once");
}

#[test]
fn an_event_without_a_place_on_the_disk_leaves_no_record() {
    let desk = Desk::new();
    let connection = Connection::open(desk.path()).unwrap();
    let journal = desk.journal();
    connection
        .execute_batch("CREATE TRIGGER full BEFORE INSERT ON trail BEGIN SELECT RAISE(ABORT, 'full'); END")
        .unwrap();

    journal.intend(&crate::intent()).unwrap_err();

    let records: i64 = connection.query_row("SELECT count(*) FROM record", [], |row| row.get(0)).unwrap();
    assert_eq!(records, 1, "the one before");
}

#[test]
fn another_version_of_the_program_is_an_event_and_the_same_one_is_none() {
    let desk = Desk::new();
    let journal = desk.journal();
    journal.append_start("").unwrap();
    assert_eq!(kinds(&journal).last().unwrap(), "app.started");
    drop(journal);
    let older = format!(
        "UPDATE trail SET body = replace(body, '\"program\":\"{}\"', '\"program\":\"0.0.9\"')",
        env!("CARGO_PKG_VERSION")
    );
    desk.attack(&older);

    let journal = desk.journal();
    journal.append_start("").unwrap();

    let last = entries(&journal).pop().unwrap();
    assert!(last.envelope.contains("\"program.updated\""), "{last:?}");
    assert!(last.body.unwrap().contains("\"from\":\"0.0.9\""));
}

#[test]
fn another_policy_than_at_the_start_before_is_an_event() {
    let desk = Desk::new();
    let journal = desk.journal();
    journal.append_start("a").unwrap();
    assert_eq!(kinds(&journal)[6..], ["app.started", "policy.changed"]);
    journal.append_start("a").unwrap();
    assert_eq!(kinds(&journal)[8..], ["app.started"]);
    journal.append_start("").unwrap();

    assert_eq!(kinds(&journal)[9..], ["app.started", "policy.changed"]);
}

#[test]
fn a_clock_that_was_set_back_is_an_event() {
    let desk = Desk::new();
    desk.attack(
        "UPDATE trail SET envelope = replace(envelope, '\"at\":\"20', '\"at\":\"21') WHERE sequence = 6",
    );
    let journal = desk.journal();

    journal.append(&Event::AppEnded).unwrap();

    assert_eq!(kinds(&journal)[6..], ["clock.jumped", "app.ended"]);
    journal.append(&Event::AppEnded).unwrap();
    assert_eq!(kinds(&journal).len(), 9, "once");
}

#[test]
fn no_secret_that_has_a_name_comes_into_the_trail() {
    let desk = Desk::new();
    let journal = desk.journal();
    let intent = steward_journal::Intent {
        parameters: vec![
            ("password".to_owned(), "canary".to_owned()),
            ("reason".to_owned(), "token=canary".to_owned()),
        ],
        ..crate::intent()
    };

    journal.intend(&intent).unwrap();
    let (name, site_name) = ("https://a.example.org/?token=canary".to_owned(), "token=canary".to_owned());
    journal.append(&Event::SecretStored { name, site: String::new(), site_name }).unwrap();

    let all = format!("{:?}", entries(&journal));
    assert!(!all.contains("canary"), "{all}");
}

#[test]
fn a_verification_tells_how_far_it_is_and_can_be_stopped() {
    let desk = Desk::new();
    let journal = desk.journal();
    for _ in 0..10_000 {
        journal.append(&Event::AppEnded).unwrap();
    }
    let before = entries(&journal).len();

    let mut seen = Vec::new();
    let verified = journal
        .verify_trail(&mut |entry| {
            seen.push(entry);
            std::ops::ControlFlow::Break(())
        })
        .unwrap();

    assert!(verified.is_stopped);
    assert_eq!((seen, verified.through), (vec![10_000], 10_000));
    assert_eq!(entries(&journal).len(), before, "it left no entry");
}

#[test]
fn a_start_verifies_from_the_last_verified_entry_on() {
    let desk = Desk::new();
    let journal = desk.journal();
    assert_eq!(journal.trail_status().unwrap().verified_through, 0);

    let first = journal.verify_new_entries().unwrap();
    journal.append(&Event::AppEnded).unwrap();
    let second = journal.verify_new_entries().unwrap();

    assert_eq!((first.from, first.through), (1, 6));
    assert_eq!((second.from, second.through), (7, 8));
    assert_eq!(journal.trail_status().unwrap().verified_through, 8);
}

/// What the indexes of the trail have up to an entry, as a verification tells it.
fn indexes_sha256(desk: &Desk, through: i64) -> String {
    use sha2::{Digest, Sha256};
    let connection = Connection::open(desk.path()).unwrap();
    let of = |kinds: &str| -> String {
        let sql = format!(
            "SELECT sequence || ' ' FROM trail WHERE kind IN ({kinds}) AND sequence <= ?1 ORDER BY sequence"
        );
        let mut statement = connection.prepare(&sql).unwrap();
        let all = statement.query_map([through], |row| row.get::<_, String>(0)).unwrap();
        all.map(Result::unwrap).collect()
    };
    let all: String = [
        "'app.started', 'chain.verified', 'chain.broken'",
        "'chain.rolled-back', 'forwarding.turned-on', 'file.unreadable'",
        "'snapshot.taken', 'site.changed', 'file.unreadable'",
    ]
    .map(|kinds| of(kinds) + "\n")
    .concat();
    Sha256::digest(all).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn what_is_appended_while_the_trail_is_verified_is_verified_next_time() {
    let desk = Desk::new();
    let journal = desk.journal();
    // An entry between the last read of a verification and its result.
    journal.append(&Event::AppEnded).unwrap();
    let head = desk.head().hash;
    let indexes_sha256 = indexes_sha256(&desk, 6);
    journal.append(&Event::ChainVerified { from: 1, through: 6, head, indexes_sha256 }).unwrap();
    drop(journal);
    desk.attack("UPDATE trail SET body = replace(body, 'seq', 'sea') WHERE sequence = 7");

    let verified = desk.journal().verify_new_entries().unwrap();

    assert_eq!((verified.from, verified.through), (7, 8));
    assert_eq!(verified.breaks.iter().map(|one| one.entry).collect::<Vec<_>>(), [7]);
}

#[test]
fn a_selection_has_all_envelopes_and_only_its_own_bodies() {
    let desk = Desk::new();
    let journal = desk.journal();
    let other =
        journal.intend(&steward_journal::Intent { site: "other".to_owned(), ..crate::intent() }).unwrap();
    let bodies = |selection: Selection| -> Vec<i64> {
        let entries = entries_of(&journal, &selection);
        assert_eq!(entries.len(), 7);
        entries.into_iter().filter(|entry| entry.body.is_some()).map(|entry| entry.seq).collect()
    };

    assert_eq!(bodies(Selection { records: vec![other], ..Selection::default() }), [7]);
    assert_eq!(bodies(Selection { site: Some("5f0c7a52".to_owned()), ..Selection::default() }), [3, 4]);
    assert_eq!(bodies(Selection { kinds: vec!["app.started".to_owned()], ..Selection::default() }), [2, 6]);
    assert_eq!(bodies(Selection { to: Some(0), ..Selection::default() }), [] as [i64; 0]);
    assert_eq!(bodies(Selection { from: Some(0), ..Selection::default() }).len(), 7);
}
