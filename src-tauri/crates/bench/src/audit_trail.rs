//! The audit trail at a million entries, of which half tell of a record each: appending, compared with a bare insert of the same
//! durability, verification with the records, and the history page, compared with that without so many entries; and the scripts
//! of a file with 10,000 entries.

use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use rusqlite::{Connection, params};
use steward_journal::trail::export::Selection;
use steward_journal::trail::{Event, tell_all};
use steward_journal::{Filter, Intent, Journal, trail_files};

use crate::Bench;
use crate::program;
use crate::side_by_side::{RUNS, Times};
use crate::table::{Limit, Line};

/// Entries of the trail that is verified.
const ENTRIES: i64 = 1_000_000;

/// Entries that are appended one by one in each run, each in a transaction of its own.
const APPENDED: u32 = 500;

/// Records of the history, of which the page shows the newest.
const RECORDS: u32 = 1_000;

/// Records that the verification compares with their events.
const TOLD: i64 = 500_000;

/// Snapshots that the trail has: 400 nights of 10 sites.
const SNAPSHOTS: i64 = 4_000;

/// Time limit to read what the trail has of them, in milliseconds: each overview of a site does.
const MOST_OF_SNAPSHOTS: f64 = 100.0;

/// Entries of the file that the scripts verify.
const IN_FILE: usize = 10_000;

/// Time limit of each script, in milliseconds.
const MOST_OF_SCRIPT: f64 = 5_000.0;

/// Number of runs of what takes milliseconds.
const PAGES: usize = 21;

/// Time limit of the verification, in milliseconds.
const MOST: f64 = 5_000.0;

pub(crate) fn measure(bench: &Bench, lines: &mut Vec<Line>) -> Result<()> {
    println!("Audit trail, {ENTRIES} entries");
    let path = bench.folder.join("trail.db");
    let journal = Journal::open(&path)?;
    for _ in 0..RECORDS {
        journal.intend(&Intent { operation: "export_portal".to_owned(), ..Intent::default() })?;
    }
    let before = open_page(&journal)?;
    tell(&path)?;
    fill_up(&journal)?;
    journal.append_all(&(0..SNAPSHOTS).map(snapshot).collect::<Vec<_>>())?;
    lines.push(Line::compared(
        "1,000,000 events: open the history page",
        open_page(&journal)?,
        ("without them", before),
        Limit::Times(1.5, " ms"),
    ));
    let bare = bare(&bench.folder.join("bare.db"))?;
    let (mut ours, mut theirs) = (Times::default(), Times::default());
    for _ in 0..RUNS {
        ours.add(time(|| Ok(journal.append(&event())?))?);
        theirs.add(time(|| insert(&bare))?);
    }
    lines.push(Line::compared(
        "1,000,000 events: append 500 more",
        ours.millis(),
        ("bare inserts, as durable", theirs.millis()),
        Limit::Times(1.5, " ms"),
    ));
    let mut times = Times::default();
    for _ in 0..RUNS {
        let began = Instant::now();
        let verified = journal.verify_trail(&mut |_| ControlFlow::Continue(()))?;
        times.add(began.elapsed());
        ensure!(verified.breaks.is_empty() && verified.through >= ENTRIES, "{verified:?}");
    }
    lines.push(Line::new(
        "1,000,000 events and 500,000 records: verify all",
        times.millis(),
        Limit::Millis(MOST),
    ));
    let mut times = Times::default();
    for _ in 0..RUNS {
        let began = Instant::now();
        let found = journal.entries_about_snapshots()?;
        times.add(began.elapsed());
        ensure!(found.len() == usize::try_from(SNAPSHOTS)?, "{} entries", found.len());
    }
    lines.push(Line::new(
        "1,000,000 events: read those of 4,000 snapshots",
        times.millis(),
        Limit::Millis(MOST_OF_SNAPSHOTS),
    ));
    scripts(bench, lines)
}

/// Measures the scripts of a file with all bodies.
fn scripts(bench: &Bench, lines: &mut Vec<Line>) -> Result<()> {
    let journal = Journal::open(&bench.folder.join("saved.db"))?;
    journal.append_all(&(1..IN_FILE).map(|_| event()).collect::<Vec<_>>())?;
    let archive = bench.folder.join("saved.zip");
    trail_files::archive(std::fs::File::create(&archive)?, &journal, &Selection::default())?;
    let folder = bench.folder.join("saved");
    program::time(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(&archive).arg(&folder))?;
    for (line, program, script) in [
        ("10,000 events in a file: verify.sh", "sh", "verify.sh"),
        ("10,000 events in a file: verify.py", "python3", "verify.py"),
    ] {
        let mut times = Times::default();
        for _ in 0..RUNS {
            times.add(program::time(Command::new(program).arg(folder.join(script)))?);
        }
        lines.push(Line::new(line, times.millis(), Limit::Millis(MOST_OF_SCRIPT)));
    }
    Ok(())
}

/// Adds records in one transaction, each with an event.
fn tell(path: &Path) -> Result<()> {
    let mut direct = Connection::open(path)?;
    let transaction = direct.transaction()?;
    let mut add = transaction.prepare(
        "INSERT INTO record (id, site, site_name, environment, site_version, operation, username, program_version,
                             parameters, started_at, late, ended_at, outcome, note, requests, response, report)
         VALUES (?1, ?2, 'City GIS', 'production', '11.1', 'export_server', 'gisadmin', '', ?3, ?4, 0, ?4, 'succeeded', ?5,
                 ?6, '{\"status\":\"success\"}', ?7)",
    )?;
    for number in 0..TOLD {
        let place = format!("/backups/city/{number}/City.agssite");
        add.execute(params![
            format!("5f0c7a52-8f5e-4f0e-9b39-{number:012}"),
            "5f0c7a52-8f5e-4f0e-9b39-000000000003",
            format!("[[\"location\",\"{place}\"]]"),
            number * 60_000,
            place,
            "[{\"method\":\"POST\",\"address\":\"https://gis.example.org/server/admin/exportSite\",\"form\":[[\"f\",\"json\"]]}]",
            "{\"verification\":{\"entries\":100,\"unverifiedEntries\":0}}",
        ])?;
    }
    drop(add);
    steward_journal::seal_all(&transaction)?;
    tell_all(&transaction)?;
    Ok(transaction.commit()?)
}

/// Returns the median time of what the history page reads when it opens, in milliseconds.
fn open_page(journal: &Journal) -> Result<f64> {
    let mut times = Times::default();
    for _ in 0..PAGES {
        let began = Instant::now();
        let page = journal.page(&Filter { limit: Some(200), ..Filter::default() })?;
        let status = journal.trail_status()?;
        times.add(began.elapsed());
        ensure!(page.records().len() == 200 && status.head.is_some(), "{status:?}");
    }
    Ok(times.millis())
}

fn event() -> Event {
    let site = "5f0c7a52-8f5e-4f0e-9b39-000000000003".to_owned();
    Event::SecretStored { name: format!("{site}/portal"), site, site_name: "City GIS".to_owned() }
}

fn snapshot(number: i64) -> Event {
    let (site, site_name) = (format!("site {}", number % 10), "City GIS".to_owned());
    Event::SnapshotTaken { site, site_name, snapshot: number, sha256: "5be1".repeat(16) }
}

/// Appends all but the measured entries in few transactions.
fn fill_up(journal: &Journal) -> Result<()> {
    let events: Vec<_> = (0..10_000).map(|_| event()).collect();
    for _ in 0..(ENTRIES - TOLD) / 10_000 {
        journal.append_all(&events)?;
    }
    Ok(())
}

/// A table with the same two lines in each row, without a chain.
fn bare(path: &std::path::Path) -> Result<Connection> {
    let mut connection = Connection::open(path)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;
         CREATE TABLE bare (sequence INTEGER PRIMARY KEY, envelope TEXT NOT NULL, body TEXT) STRICT;",
    )?;
    let transaction = connection.transaction()?;
    for _ in 0..ENTRIES {
        insert(&transaction)?;
    }
    transaction.commit()?;
    Ok(connection)
}

fn insert(connection: &Connection) -> Result<()> {
    let (envelope, body) = ("e".repeat(260), "b".repeat(260));
    connection
        .prepare_cached("INSERT INTO bare (envelope, body) VALUES (?1, ?2)")?
        .execute(params![envelope, body])?;
    Ok(())
}

fn time(mut work: impl FnMut() -> Result<()>) -> Result<Duration> {
    let began = Instant::now();
    (0..APPENDED).try_for_each(|_| work())?;
    Ok(began.elapsed())
}
