//! Verification of records: whether each is still what its last event says it was.

use std::collections::{HashMap, HashSet};

use rusqlite::{Connection, OptionalExtension};
use serde::Deserialize;

use super::entry::{Break, Damage, hash};
use super::of_record::record_sha256;
use super::stored_form::{self, StoredForm};
use crate::salvage::{is_damage, optional_text, text};

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

/// Comparison of all records with what a walk was told of them. It reads the tables and no index: whoever changes a record can
/// change an index, too.
pub(crate) struct RecordWalk {
    told: ToldRecords,
    resolutions: HashMap<String, stored_form::Resolution>,
    /// Number of records that are older than the chain, and of those that were read.
    earlier: i64,
    read: i64,
    /// Position that is read next; `None` after the last one that there can be.
    next: Option<i64>,
    /// Records that differ from their last event, or that no event tells of, with their hashes.
    differing: Vec<(String, String)>,
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
            // A record whose resolution is missing differs.
            Err(error) if is_damage(&error) => HashMap::new(),
            read => read?,
        };
        let earlier = earlier_records(connection)?;
        Ok(Self { told, resolutions, earlier, read: 0, next: Some(i64::MIN), differing: Vec::new() })
    }

    /// Compares some more records, and returns whether there might be others.
    pub(crate) fn go_on(&mut self, connection: &Connection) -> rusqlite::Result<bool> {
        match self.compare(connection) {
            // What is left is missing.
            Err(error) if is_damage(&error) => Ok(false),
            compared => compared,
        }
    }

    fn compare(&mut self, connection: &Connection) -> rusqlite::Result<bool> {
        let Some(next) = self.next else { return Ok(false) };
        let sql = format!(
            "SELECT {}, sequence, coalesce(octet_length(response), 0) + coalesce(octet_length(report), 0)
             FROM record WHERE sequence >= ?1 ORDER BY sequence LIMIT {AT_ONCE}",
            stored_form::COLUMNS
        );
        let width = stored_form::COLUMNS.split(',').count();
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query([next])?;
        let (mut read, mut bytes) = (0, 0);
        while let Some(row) = rows.next()? {
            // An identifier that is no text is none that an event tells of.
            let id = text(row, 0)?;
            let stored = StoredForm::of_row(row, self.resolutions.remove(&id))?;
            let found = hash(&stored.line()?);
            let told = self.told.0.remove(id.as_str());
            self.read += 1;
            if told != Some(short(&found)) && (told.is_some() || self.read > self.earlier) {
                self.differing.push((id, found));
            }
            self.next = row.get::<_, i64>(width)?.checked_add(1);
            read += 1;
            bytes += usize::try_from(row.get::<_, i64>(width + 1)?).unwrap_or_default();
            if bytes > BYTES_AT_ONCE {
                return Ok(true);
            }
        }
        Ok(read == AT_ONCE)
    }

    /// Returns the records that differ, that no event tells of, and that are gone.
    pub(crate) fn into_breaks(self, connection: &Connection) -> rusqlite::Result<Vec<Break>> {
        let mut differing = self.differing;
        differing.extend(self.told.into_ids().into_iter().map(|id| (id, String::new())));
        if differing.is_empty() {
            return Ok(Vec::new());
        }
        let ids = differing.iter().map(|(id, _)| id.as_str()).collect();
        let mut last = last_told_of(connection, &ids)?;
        // The second record of an identifier is one that no event tells of.
        Ok(differing.iter().map(|(id, found)| difference(id, found.clone(), last.remove(id))).collect())
    }
}

/// Returns the last event that wrote each of these records: its number, and the hash of the record.
fn last_told_of(
    connection: &Connection,
    ids: &HashSet<&str>,
) -> rusqlite::Result<HashMap<String, (i64, String)>> {
    let mut statement = connection.prepare("SELECT sequence, body FROM trail ORDER BY sequence")?;
    let mut rows = statement.query([])?;
    let mut last = HashMap::new();
    while let Some(row) = rows.next()? {
        let body = optional_text(row, 1)?.unwrap_or_default();
        if let Some(told) = Told::read(body.as_bytes()).filter(|told| ids.contains(told.record)) {
            last.insert(told.record.to_owned(), (row.get(0)?, told.record_sha256.to_owned()));
        }
    }
    Ok(last)
}

/// Returns the break of a record that is not what its last event says, or that no event tells of.
fn difference(id: &str, found: String, last: Option<(i64, String)>) -> Break {
    let (what, (entry, expected)) = match last {
        Some(last) => (Damage::Record, last),
        None => (Damage::Untold, (0, String::new())),
    };
    Break { what, entry, through: entry, expected, found, record: id.to_owned() }
}

/// Compares a record with its last event; `None` if both agree. To be called in a transaction: the other process might write
/// both.
pub(crate) fn differs(connection: &Connection, id: &str) -> rusqlite::Result<Option<Break>> {
    let found = match record_sha256(connection, id) {
        Err(error) if is_damage(&error) => String::new(),
        found => found?,
    };
    match last_told(connection, id)? {
        Some((_, expected)) if expected == found => Ok(None),
        None if found.is_empty() || is_earlier(connection, id)? => Ok(None),
        last => Ok(Some(difference(id, found, last))),
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

/// Returns whether a record is older than the chain: it needs no event.
fn is_earlier(connection: &Connection, id: &str) -> rusqlite::Result<bool> {
    let sql = "SELECT count(*) FROM record WHERE sequence <= (SELECT sequence FROM record WHERE id = ?1)";
    let place: i64 = connection.prepare_cached(sql)?.query_row([id], |row| row.get(0))?;
    Ok(place <= earlier_records(connection)?)
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
