//! Verification of records: whether each is still what its last event says it was.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension};
use serde::Deserialize;

use super::entry::{Break, Damage, hash};
use super::of_record::{is_action, record_sha256};
use super::stored_form::{self, StoredForm};
use crate::record::Outcome;
use crate::salvage::{is_damage, number, text};

/// Records that are read at a time, and the bytes after which fewer are: reports can be megabytes.
const AT_ONCE: u32 = 10_000;
const BYTES_AT_ONCE: usize = 64 << 20;

/// What an event tells of the record that it wrote.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Told<'a> {
    record: &'a str,
    record_sha256: &'a str,
}

impl<'a> Told<'a> {
    /// Reads a body; `None` if it is not of an event that wrote a record.
    fn read(body: &'a [u8]) -> Option<Self> {
        serde_json::from_slice(body).ok()
    }
}

/// Records that a walk through the trail was told of, with what the last event of each says.
#[derive(Debug, Clone, Default)]
pub(crate) struct ToldRecords(HashMap<Box<str>, u128>);

impl ToldRecords {
    /// Adds what a body tells.
    pub(super) fn add(&mut self, body: &[u8]) {
        if let Some(told) = Told::read(body) {
            self.0.insert(told.record.into(), short(told.record_sha256));
        }
    }

    /// Returns the identifiers.
    pub(crate) fn into_ids(self) -> Vec<String> {
        self.0.into_keys().map(String::from).collect()
    }
}

/// Returns the first half of a hash. Whatever differs in it is looked at again with all of it.
fn short(sha256: &str) -> u128 {
    sha256.get(..32).and_then(|half| u128::from_str_radix(half, 16).ok()).unwrap_or_default()
}

/// Comparison of all records with what a walk was told of them.
pub(crate) struct RecordWalk {
    told: ToldRecords,
    resolutions: HashMap<String, stored_form::Resolution>,
    after: i64,
    /// Records that differ, or that no event tells of.
    suspects: Vec<String>,
}

impl RecordWalk {
    /// Begins with the first record.
    pub(crate) fn begin(connection: &Connection, told: ToldRecords) -> rusqlite::Result<Self> {
        let sql = format!("SELECT {} FROM outcome_resolution", stored_form::RESOLUTION);
        let read = || {
            let mut statement = connection.prepare(&sql)?;
            statement.query_map([], stored_form::resolution_of_row)?.collect::<rusqlite::Result<_>>()
        };
        let resolutions = match read() {
            // Records whose resolution is missing are looked at again.
            Err(error) if is_damage(&error) => HashMap::new(),
            read => read?,
        };
        Ok(Self { told, resolutions, after: i64::MIN, suspects: Vec::new() })
    }

    /// Compares some more records, and returns whether there might be others.
    pub(crate) fn go_on(&mut self, connection: &Connection) -> rusqlite::Result<bool> {
        match self.compare(connection) {
            // What is left is looked at one by one.
            Err(error) if is_damage(&error) => Ok(false),
            compared => compared,
        }
    }

    fn compare(&mut self, connection: &Connection) -> rusqlite::Result<bool> {
        let sql = format!(
            "SELECT {}, sequence, coalesce(octet_length(response), 0) + coalesce(octet_length(report), 0)
             FROM record WHERE sequence > ?1 ORDER BY sequence LIMIT {AT_ONCE}",
            stored_form::COLUMNS
        );
        let width = stored_form::COLUMNS.split(',').count();
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query([self.after])?;
        let (mut read, mut bytes) = (0, 0);
        while let Some(row) = rows.next()? {
            let id = text(row, 0)?;
            let stored = StoredForm::of_row(row, self.resolutions.remove(&id))?;
            if self.told.0.remove(id.as_str()) != Some(short(&hash(&stored.line()?))) {
                self.suspects.push(id);
            }
            self.after = row.get(width)?;
            read += 1;
            bytes += usize::try_from(row.get::<_, i64>(width + 1)?).unwrap_or_default();
            if bytes > BYTES_AT_ONCE {
                return Ok(true);
            }
        }
        Ok(read == AT_ONCE)
    }

    /// Returns the records that need a look: those that differ, and those that an event tells of and that are gone.
    pub(crate) fn into_suspects(self) -> Vec<String> {
        let mut suspects = self.suspects;
        suspects.extend(self.told.into_ids());
        suspects
    }
}

/// Compares a record with its last event; `None` if both agree. To be called in a transaction: the other process might write
/// both.
pub(crate) fn differs(connection: &Connection, id: &str) -> rusqlite::Result<Option<Break>> {
    let found = match record_sha256(connection, id) {
        Err(error) if is_damage(&error) => String::new(),
        found => found?,
    };
    let record = id.to_owned();
    match last_told(connection, id)? {
        Some((_, expected)) if expected == found => Ok(None),
        Some((entry, expected)) => {
            Ok(Some(Break { what: Damage::Record, entry, through: entry, expected, found, record }))
        }
        None if found.is_empty() || may_be_untold(connection, id)? => Ok(None),
        None => Ok(Some(Break {
            what: Damage::Untold,
            entry: 0,
            through: 0,
            expected: String::new(),
            found,
            record,
        })),
    }
}

/// Returns the last event that wrote a record: its number, and the hash of the record.
fn last_told(connection: &Connection, id: &str) -> rusqlite::Result<Option<(i64, String)>> {
    let sql = "SELECT sequence, body FROM trail WHERE record = ?1 ORDER BY sequence DESC";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([id])?;
    while let Some(row) = rows.next()? {
        let body = text(row, 1)?;
        if let Some(told) = Told::read(body.as_bytes()) {
            return Ok(Some((row.get(0)?, told.record_sha256.to_owned())));
        }
    }
    Ok(None)
}

/// Returns whether a record needs no event: it is older than the chain, or of an action that is still on its way.
fn may_be_untold(connection: &Connection, id: &str) -> rusqlite::Result<bool> {
    let sql = "SELECT operation, outcome, (SELECT count(*) FROM record AS before WHERE before.sequence <= record.sequence)
               FROM record WHERE id = ?1";
    let read = connection
        .prepare_cached(sql)?
        .query_row([id], |row| Ok((text(row, 0)?, text(row, 1)?, number(row, 2)?.unwrap_or_default())))
        .optional()?;
    let Some((operation, outcome, place)) = read else { return Ok(true) };
    let is_on_its_way = is_action(&operation) && outcome == Outcome::Sent.name();
    Ok(is_on_its_way || place <= earlier_records(connection)?)
}

/// Returns the number of records that are older than the chain, as its first event tells.
fn earlier_records(connection: &Connection) -> rusqlite::Result<i64> {
    let first = connection
        .prepare_cached("SELECT body FROM trail WHERE sequence = 1")?
        .query_row([], |row| text(row, 0))
        .optional()?;
    let first: serde_json::Value = serde_json::from_str(&first.unwrap_or_default()).unwrap_or_default();
    Ok(first["earlierRecords"].as_i64().unwrap_or_default())
}
