//! Whether the indexes of the records, and the search, have what the table has. A list with a filter, the times of the last success,
//! and *Needs attention* show no record that they lack.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use rusqlite::{Connection, OptionalExtension};

use super::records::last_told;
use crate::salvage::{Order, is_damage, text, unless_damaged};
use crate::search::facet;

/// An index, or the search, that differs from the table.
pub(crate) struct Differing {
    /// A record that it lacks; empty if that is not known.
    pub(crate) record: String,
    /// Number of the last entry about that record; 1 if it is not known.
    pub(crate) entry: i64,
    /// Statements that rebuild it.
    pub(crate) made_anew_by: &'static str,
}

/// Columns that a search finds by one word each, with the letter that these words begin with.
const FACETS: [(&str, char); 3] = [("site", 's'), ("operation", 'o'), ("outcome", 'e')];

/// Compares the indexes, and the search, with the table. The caller began a transaction that reads only. By which other words a search
/// finds a record is not compared.
pub(crate) fn differing(connection: &Connection) -> rusqlite::Result<Vec<Differing>> {
    let mut all = Vec::new();
    for (check, made_anew_by) in [
        ("PRAGMA integrity_check(record)", "REINDEX record"),
        ("PRAGMA integrity_check(outcome_resolution)", "REINDEX outcome_resolution"),
    ] {
        if !is_whole(connection, check)? {
            all.push(Differing { record: String::new(), entry: 1, made_anew_by });
        }
    }
    // Damaged pages of the table are found by a walk.
    if let Some(in_table) = unless_damaged(in_table(connection).map(Some))? {
        let lacking = match lacking_in_search(connection, in_table) {
            // A damaged word of the search could hide that another one lacks a record.
            Err(error) if is_damage(&error) => Some(String::new()),
            lacking => lacking?,
        };
        all.extend(lacking.map(|record| Differing {
            entry: last_told(connection, &record).ok().flatten().map_or(1, |(entry, _)| entry),
            record,
            made_anew_by: "BEGIN IMMEDIATE;
                 DELETE FROM search_config; INSERT INTO search_config (k, v) VALUES ('version', 4);
                 INSERT INTO search (search) VALUES ('delete-all');
                 INSERT INTO search (rowid, facets, words) SELECT sequence, facets, words FROM searchable; COMMIT",
        }));
    }
    Ok(all)
}

fn is_whole(connection: &Connection, check: &str) -> rusqlite::Result<bool> {
    let mut check = connection.prepare(check)?;
    let mut lines = check.query([])?;
    loop {
        match lines.next() {
            Ok(None) => return Ok(true),
            Ok(Some(line)) => {
                let line = text(line, 0)?;
                // A value of another type is found by the hash of the record.
                if line != "ok" && !line.contains(" value in ") {
                    return Ok(false);
                }
            }
            Err(error) if is_damage(&error) => return Ok(false),
            Err(error) => return Err(error),
        }
    }
}

/// For each value of a column, the sum of random numbers that stand for the positions of its records. Equal sums show
/// that two sets of positions are equal.
type Sums = (RandomState, [HashMap<String, u64>; 3]);

/// Returns the sums of the records with each site, operation, and outcome.
fn in_table(connection: &Connection) -> rusqlite::Result<Sums> {
    let random = RandomState::new();
    let mut found_in_table = <[HashMap<String, u64>; 3]>::default();
    let mut rows = connection.prepare("SELECT sequence, site, operation, outcome FROM record NOT INDEXED")?;
    let mut rows = rows.query([])?;
    let mut next = Some(i64::MIN);
    while let Some(row) = rows.next()? {
        let place = row.get(0)?;
        next = Order::OldestFirst.step(place, next)?;
        let number = random.hash_one(place);
        for (index, sums) in found_in_table.iter_mut().enumerate() {
            let value = text(row, index + 1)?;
            let sum = sums.entry(value).or_default();
            *sum = sum.wrapping_add(number);
        }
    }
    Ok((random, found_in_table))
}

/// Returns a record that the search does not find by its site, operation, or outcome, or an empty text if it finds one that is not
/// there; `None` if it finds all, and no others.
fn lacking_in_search(
    connection: &Connection,
    (random, found_in_table): Sums,
) -> rusqlite::Result<Option<String>> {
    // The search finds a record by a wrong value. If the record exists, the search lacks it under its own value: look
    // for that first.
    let mut has_another = None;
    let mut search = connection.prepare("SELECT rowid FROM search WHERE search MATCH ?1")?;
    for ((column, letter), sums) in FACETS.into_iter().zip(found_in_table) {
        for (value, expected) in sums {
            let matching = format!("facets : {}", facet(letter, &value));
            let mut found = search.query([&matching])?;
            let mut sum = 0_u64;
            while let Some(row) = found.next()? {
                sum = sum.wrapping_add(random.hash_one(row.get::<_, i64>(0)?));
            }
            if sum != expected {
                let lacking = format!(
                    "SELECT id FROM record NOT INDEXED WHERE +{column} = ?1
                     AND sequence NOT IN (SELECT rowid FROM search WHERE search MATCH ?2) ORDER BY sequence LIMIT 1"
                );
                let record =
                    connection.query_row(&lacking, [&value, &matching], |row| text(row, 0)).optional()?;
                if record.is_some() {
                    return Ok(record);
                }
                has_another = Some(String::new());
            }
        }
    }
    Ok(has_another)
}
