//! Searches in the program's history, compared with the sqlite3 shell that searches for the same text without an index.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Result, ensure};
use rusqlite::{Connection, params};
use steward_journal::{Filter, Journal, Outcome, seal_all};

use crate::Bench;
use crate::program;
use crate::side_by_side::Times;
use crate::table::{Limit, Line};

const RECORDS: [(i64, [&str; 2]); 3] = [
    (1_000, ["1,000 records: the slowest of six searches", "1,000 records: one of them"]),
    (10_000, ["10,000 records: the slowest of six searches", "10,000 records: one of them"]),
    (100_000, ["100,000 records: the slowest of six searches", "100,000 records: one of them"]),
];

/// Number of runs. Each takes milliseconds, so the usual three are not precise enough.
const RUNS: usize = 21;

/// Time limit for a search, in milliseconds.
const MOST: f64 = 10.0;

/// ID of a site to which one of seven records belongs.
const SITE: &str = "5f0c7a52-8f5e-4f0e-9b39-000000000003";

pub(crate) fn measure(bench: &Bench, lines: &mut Vec<Line>) -> Result<()> {
    let path = bench.folder.join("journal.db");
    let journal = Journal::open(&path)?;
    let mut before = 0;
    for (records, [slowest, one_of_all]) in RECORDS {
        println!("Journal, {records} records");
        fill_up(&path, before, records)?;
        before = records;
        let mut worst = 0.0_f64;
        for filter in searches() {
            worst = worst.max(time(&journal, &filter)?);
        }
        lines.push(Line::new(slowest, worst, Limit::Millis(MOST)));
        let number = (records / 2).to_string();
        let ours = time(&journal, &Filter { text: number.clone(), limit: Some(100), ..Filter::default() })?;
        let by_hand =
            format!("SELECT * FROM record WHERE parameters LIKE '%{number}%' ORDER BY sequence DESC");
        let mut theirs = Times::default();
        for _ in 0..RUNS {
            theirs.add(program::time(Command::new("sqlite3").arg("-readonly").arg(&path).arg(&by_hand))?);
        }
        lines.push(Line::beside(one_of_all, ours, "sqlite3 shell, by hand", theirs.millis()));
    }
    Ok(())
}

/// Returns typical searches: a word that is in all records, its beginning, two words, a failed service, the failures of
/// a site, a day.
fn searches() -> [Filter; 6] {
    let limit = Some(100);
    let words = |text: &str| Filter { text: text.to_owned(), limit, ..Filter::default() };
    let failures = vec![Outcome::Failed, Outcome::Unknown];
    [
        words("munchen"),
        words("mu"),
        words("gisadmin backups"),
        words("zoning4"),
        Filter { site: Some(SITE.to_owned()), outcomes: failures, limit, ..Filter::default() },
        Filter { from: Some(30_000_000), to: Some(31_000_000), ..words("munchen") },
    ]
}

/// Returns the median time, in milliseconds.
fn time(journal: &Journal, filter: &Filter) -> Result<f64> {
    let mut times = Times::default();
    for _ in 0..RUNS {
        let began = Instant::now();
        let page = journal.page(filter)?;
        times.add(began.elapsed());
        ensure!(page.records().len() > 0, "nothing is found by {filter:?}");
    }
    Ok(times.millis())
}

/// Adds records in one transaction, which is faster than the journal's one transaction for each record.
fn fill_up(path: &Path, before: i64, records: i64) -> Result<()> {
    let mut direct = Connection::open(path)?;
    let tx = direct.transaction()?;
    let mut add = tx.prepare(
        "INSERT INTO record (id, site, site_name, environment, site_version, operation, username, program_version,
                             parameters, started_at, late, ended_at, outcome, note, requests, response, report)
         VALUES (?1, ?2, 'City GIS', '', '', ?3, 'gisadmin', '', ?4, ?5, 0, ?5, ?6, ?7, '[]', '{\"status\":\"success\"}', ?8)",
    )?;
    let one_of = |all: &[&'static str], number: i64| all[(number % all.len() as i64) as usize];
    for number in before..records {
        let place = format!("/backups/city/{number}/München.agssite");
        let report =
            (number % 50 == 0).then(|| format!("{{\"m\":\"Parcels/Zoning{number} could not start\"}}"));
        add.execute(params![
            format!("id-{number}"),
            format!("5f0c7a52-8f5e-4f0e-9b39-{:012}", number % 7),
            one_of(&["export_portal", "export_server", "import_server"], number),
            format!("[[\"location\",\"{place}\"]]"),
            number * 60_000,
            one_of(&["succeeded", "succeeded", "warnings", "failed", "unknown"], number),
            place,
            report,
        ])?;
    }
    drop(add);
    seal_all(&tx)?;
    steward_journal::trail::tell_all(&tx)?;
    Ok(tx.commit()?)
}
