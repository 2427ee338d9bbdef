//! The journal's process is killed at random moments. This file is both: the tests, and, run again as a child
//! with a variable set, the process that is killed.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use steward_journal::{Filter, Journal};

use crate::{conclusion, intent};

const JOURNAL: &str = "STEWARD_JOURNAL_TO_WRITE";

/// Not a test, but the process that is killed. It prints what is on disk only after the journal has returned.
#[test]
#[ignore = "the process that the other tests start and kill"]
fn writes_until_it_is_killed() {
    let Some(path) = std::env::var_os(JOURNAL) else { return };
    let journal = Journal::open(Path::new(&path)).unwrap();
    let mut out = std::io::stdout().lock();
    let mut say = |word: &str, id: &str| {
        writeln!(out, "{word} {id}").unwrap();
        out.flush().unwrap();
    };
    say("opened", "-");
    loop {
        let id = journal.intend(&intent()).unwrap();
        say("intended", &id);
        journal.conclude(&id, &conclusion()).unwrap();
        say("concluded", &id);
    }
}

fn start(path: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "killed::writes_until_it_is_killed",
            "--ignored",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(JOURNAL, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Kills the child after `wait` and returns what it printed: words and identifiers.
fn kill_after(mut child: Child, wait: Duration) -> Vec<(String, String)> {
    std::thread::sleep(wait);
    child.kill().unwrap();
    child.wait().unwrap();
    BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok)
        .filter_map(|line| {
            let (word, id) = line.rsplit_once(' ')?;
            // The harness writes before our first word, on the same line.
            let word = ["opened", "intended", "concluded"].into_iter().find(|known| word.ends_with(known))?;
            Some((word.to_owned(), id.to_owned()))
        })
        .collect()
}

/// How long a child takes here until it has written something.
fn first_words() -> Duration {
    let folder = tempfile::tempdir().unwrap();
    let since = Instant::now();
    let mut child = start(&folder.path().join("journal.db"));
    let mut said = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let concluded = said.any(|line| line.contains("concluded "));
    let took = since.elapsed();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(concluded, "the child never wrote");
    took
}

fn random(below: Duration) -> Duration {
    let bits = uuid::Uuid::new_v4().as_u128() & u128::from(u64::MAX);
    Duration::from_micros(u64::try_from(bits).unwrap() % u64::try_from(below.as_micros()).unwrap())
}

#[test]
fn after_a_kill_at_any_point_the_journal_opens_and_no_record_with_a_response_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let (mut intended, mut concluded) = (BTreeSet::new(), BTreeSet::new());
    let longest = Duration::from_millis(60).max(2 * first_words());
    let mut kills = 0;
    // On a machine that is busy a child is often killed before it has written anything.
    while kills < 40 || concluded.len() <= 20 {
        kills += 1;
        assert!(kills < 1_000, "the child never had time to write");
        for (word, id) in kill_after(start(&path), random(longest)) {
            match word.as_str() {
                "intended" => drop(intended.insert(id)),
                "concluded" => drop(concluded.insert(id)),
                _ => {}
            }
        }

        let records = Journal::open(&path).unwrap().records(&Filter::default()).unwrap();

        let kept: BTreeSet<_> = records.iter().map(|record| record.id.clone()).collect();
        assert!(intended.is_subset(&kept), "an intent that was on disk is gone");
        for record in &records {
            let known = record.outcome.has_response();
            assert!(known || record.outcome == steward_journal::Outcome::Unknown, "{record:?}");
            assert!(known || !concluded.contains(&record.id), "a response that was on disk is gone");
            assert_eq!(record.has_report, known, "an outcome and its report come together");
        }
        let journal = Journal::open(&path).unwrap();
        let found = journal.records(&Filter { text: "zoning".to_owned(), ..Filter::default() }).unwrap();
        let answered = records.iter().filter(|record| record.outcome.has_response()).count();
        assert_eq!(found.len(), answered, "the index of words is what the records are");
    }
    let sound: String =
        Connection::open(&path).unwrap().query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(sound, "ok");
}
