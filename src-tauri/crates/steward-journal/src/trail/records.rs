//! Verification of records: whether each is still as its last event recorded it.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, Row};
use serde::Deserialize;

use super::entry::{Break, Damage, hash};
use super::of_record::{Stored, record, record_at};
use super::stored_form::{self, StoredForm};
use crate::salvage::{self, Order, is_damage, text, unless_damaged};

/// Content of an event about a record.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Told<'a> {
    record: &'a str,
    /// `None` if it did not write the record.
    record_sha256: Option<&'a str>,
    /// Hash in the event before, as the index of the trail found it then; `None` if it found none.
    record_before_sha256: Option<&'a str>,
}

impl<'a> Told<'a> {
    /// Reads a body; `None` if it is about no record.
    pub(super) fn read(body: &'a [u8]) -> Option<Self> {
        serde_json::from_slice(body).ok()
    }
}

/// The last event about a record: the number of its entry, and the first half of the hash. A record whose half
/// differs is compared again by the whole hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LastTold {
    entry: i64,
    half: u128,
}

/// Records in the events that a walk through the trail has read, with the last event of each.
#[derive(Debug, Clone, Default)]
pub(crate) struct ToldRecords(HashMap<Box<str>, LastTold>);

impl ToldRecords {
    /// Adds what an entry tells. Returns a mismatch if the entry names another previous event of the record than the
    /// one added last.
    pub(super) fn add<'a>(&mut self, entry: i64, told: &Told<'a>) -> Option<Mismatch<'a>> {
        let half = short(told.record_sha256?);
        let before = self.0.insert(told.record.into(), LastTold { entry, half })?;
        // An entry that names no previous event is a mismatch, too.
        let found = told.record_before_sha256.unwrap_or_default();
        (before.half != short(found)).then_some(Mismatch { record: told.record, found })
    }

    /// Returns all of these records, for a verification that does not walk through the records.
    pub(crate) fn into_suspects(self) -> Vec<Suspect> {
        self.0
            .into_iter()
            .map(|(id, told)| Suspect { place: None, id: id.into(), told: Some(told) })
            .collect()
    }
}

/// An event that names another previous event of its record than the trail has.
pub(super) struct Mismatch<'a> {
    pub(super) record: &'a str,
    pub(super) found: &'a str,
}

/// Returns the first half of a hash.
fn short(sha256: &str) -> u128 {
    sha256.get(..32).and_then(|half| u128::from_str_radix(half, 16).ok()).unwrap_or_default()
}

/// A record that differs from its last event, that has no event, or that is gone.
#[derive(Debug)]
pub(crate) struct Suspect {
    /// Position of its row; `None` if no row was read.
    place: Option<i64>,
    id: String,
    told: Option<LastTold>,
}

/// A row of the table of records.
struct RecordRow {
    place: i64,
    id: Box<str>,
    /// First half of the hash of its line; `None` if it has to be looked at by itself.
    half: Option<u128>,
}

/// All records, by the table alone: an index can be made to lack rows.
pub(crate) struct RecordWalk {
    rows: Vec<RecordRow>,
    resolutions: HashMap<String, stored_form::Resolution>,
    /// Position of the next row; `None` after the last possible one.
    next: Option<i64>,
    /// Whether rows could not be read.
    has_gap: bool,
}

impl RecordWalk {
    /// Reads all records of a connection that began a transaction.
    pub(crate) fn whole(connection: &Connection) -> rusqlite::Result<Self> {
        let sql = format!("SELECT {} FROM outcome_resolution NOT INDEXED", stored_form::resolution_columns());
        let read = || {
            let mut statement = connection.prepare(&sql)?;
            statement.query_map([], stored_form::resolution_of_row)?.collect::<rusqlite::Result<_>>()
        };
        let resolutions = match read() {
            // Records whose resolution is missing are looked at again.
            Err(error) if is_damage(&error) => HashMap::new(),
            read => read?,
        };
        let mut walk = Self { rows: Vec::new(), resolutions, next: Some(i64::MIN), has_gap: false };
        while walk.go_on(connection)? {}
        Ok(walk)
    }

    fn go_on(&mut self, connection: &Connection) -> rusqlite::Result<bool> {
        match self.read(connection) {
            Err(error) if is_damage(&error) => self.pass_over(connection),
            read => read.map(|()| false),
        }
    }

    /// Goes on after a row that cannot be read, which becomes a suspect.
    fn pass_over(&mut self, connection: &Connection) -> rusqlite::Result<bool> {
        let Some(next) = self.next else { return Ok(false) };
        let first = "SELECT sequence FROM record NOT INDEXED WHERE sequence >= ?1 ORDER BY sequence LIMIT 1";
        let read = |row: &Row<'_>| {
            let place: i64 = row.get(0)?;
            Order::OldestFirst.step(place, Some(next)).map(|_| place)
        };
        let place = match connection.prepare_cached(first)?.query_row([next], read).optional() {
            Err(error) if is_damage(&error) => {
                self.has_gap = true;
                // Go on with the rows after the damaged page.
                self.next = salvage::next_readable(connection, ("record", "id"), Order::OldestFirst, next)?;
                return Ok(self.next.is_some());
            }
            place => place?,
        };
        let Some(place) = place else { return Ok(false) };
        let id = "SELECT id FROM record NOT INDEXED WHERE sequence = ?1";
        let id = match connection.prepare_cached(id)?.query_row([place], |row| text(row, 0)) {
            Err(error) if is_damage(&error) => String::new(),
            id => id?,
        };
        self.rows.push(RecordRow { place, id: id.into(), half: None });
        self.next = place.checked_add(1);
        Ok(true)
    }

    fn read(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let Some(next) = self.next else { return Ok(()) };
        let sql = format!(
            "SELECT {}, sequence FROM record NOT INDEXED WHERE sequence >= ?1 ORDER BY sequence",
            stored_form::columns()
        );
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query([next])?;
        while let Some(row) = rows.next()? {
            let place: i64 = row.get(stored_form::WIDTH)?;
            let next = Order::OldestFirst.step(place, self.next)?;
            let id = text(row, 0)?;
            let resolution = self.resolutions.remove(&id);
            // The index of the resolutions might lead to another one: compare the record again as a page reads it.
            let is_resolved = resolution.is_some();
            let stored = StoredForm::of_row(row, resolution)?;
            let half = short(&hash(&stored.line()?));
            let half = Some(half).filter(|_| stored.is_whole && !is_resolved);
            self.rows.push(RecordRow { place, id: id.into(), half });
            self.next = next;
        }
        Ok(())
    }

    /// Returns the break of records that could not be looked at; `None` if all were.
    pub(crate) fn unreadable(&self) -> Option<Break> {
        let [expected, found, record] = [const { String::new() }; 3];
        let what = Damage::Unreadable;
        self.has_gap.then_some(Break { what, entry: 0, through: 0, expected, found, record })
    }

    /// Returns the records that need a look: those that differ from their last event in the walk, perhaps because they were
    /// written meanwhile, and those that have an event and are gone.
    pub(crate) fn into_suspects(self, mut told: ToldRecords) -> Vec<Suspect> {
        let mut suspects = Vec::new();
        for RecordRow { place, id, half } in self.rows {
            let told = told.0.remove(&id);
            if half.is_none() || told.map(|told| told.half) != half {
                suspects.push(Suspect { place: Some(place), id: id.into(), told });
            }
        }
        suspects.extend(told.into_suspects());
        suspects
    }
}

impl Suspect {
    /// Compares the record with its last event; `None` if both agree. To be called in a transaction, with what was told since the
    /// walk: the other process might write both.
    pub(crate) fn differs(
        &self,
        connection: &Connection,
        told_since: &ToldRecords,
    ) -> rusqlite::Result<Option<Break>> {
        let read = match self.place {
            Some(place) => record_at(connection, place),
            None => record(connection, &self.id),
        };
        let found = unless_damaged(read)?;
        let told = told_since.0.get(self.id.as_str()).copied().or(self.told);
        let expected = match told {
            Some(told) => Some((told.entry, sha256_told_by(connection, told.entry)?)),
            None => None,
        };
        Ok(compared(&self.id, self.place, expected, found))
    }
}

/// Compares a record with its last event, by its identifier; `None` if both agree. To be called in a transaction: the other
/// process might write both.
pub(crate) fn differs(connection: &Connection, id: &str) -> rusqlite::Result<Option<Break>> {
    let found = unless_damaged(record(connection, id))?;
    Ok(compared(id, None, last_told(connection, id)?, found))
}

/// Compares a record with its last event: the number of that entry, and the hash.
fn compared(id: &str, place: Option<i64>, told: Option<(i64, String)>, found: Stored) -> Option<Break> {
    let (what, entry, expected) = match told {
        Some((_, expected)) if expected == found.sha256 && found.is_whole => return None,
        Some((entry, expected)) => (Damage::Record, entry, expected),
        // A row that exists is a record, even if it cannot be read.
        None if place.is_none() && found.sha256.is_empty() => return None,
        None => (Damage::Untold, 0, String::new()),
    };
    // An empty hash: only a checksum differs. Lists and details show the record as damaged, without its content.
    let found = if found.sha256 == expected { String::new() } else { found.sha256 };
    Some(Break { what, entry, through: entry, expected, found, record: id.to_owned() })
}

/// Returns the hash of a record that an entry tells; empty if it tells none.
fn sha256_told_by(connection: &Connection, entry: i64) -> rusqlite::Result<String> {
    let sql = "SELECT body FROM trail NOT INDEXED WHERE sequence = ?1";
    let body = connection.prepare_cached(sql)?.query_row([entry], |row| text(row, 0)).optional()?;
    let body = body.unwrap_or_default();
    let told = Told::read(body.as_bytes()).and_then(|told| told.record_sha256);
    Ok(told.unwrap_or_default().to_owned())
}

/// Returns the last event that wrote a record: its number, and the hash of the record. The table is read if the index leads nowhere.
pub(super) fn last_told(connection: &Connection, id: &str) -> rusqlite::Result<Option<(i64, String)>> {
    match last_told_in("trail", connection, id) {
        Err(error) if is_damage(&error) => last_told_in("trail NOT INDEXED", connection, id),
        told => told,
    }
}

fn last_told_in(table: &str, connection: &Connection, id: &str) -> rusqlite::Result<Option<(i64, String)>> {
    let sql = format!("SELECT sequence, body FROM {table} WHERE record = ?1 ORDER BY sequence DESC");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([id])?;
    while let Some(row) = rows.next()? {
        let body = text(row, 1)?;
        if let Some(Told { record, record_sha256: Some(sha256), .. }) = Told::read(body.as_bytes())
            && record == id
        {
            return Ok(Some((row.get(0)?, sha256.to_owned())));
        }
    }
    Ok(None)
}

/// Returns the newest records without an event, up to the first one that has an event. A start compares no others that
/// the trail does not name.
pub(crate) fn newest_untold(connection: &Connection) -> rusqlite::Result<Vec<Suspect>> {
    let mut untold = Vec::new();
    let mut newest =
        connection.prepare("SELECT sequence, id FROM record NOT INDEXED ORDER BY sequence DESC")?;
    let mut rows = newest.query([])?;
    let mut next = Some(i64::MAX);
    loop {
        let row = match rows.next() {
            Err(error) if is_damage(&error) => break,
            row => row?,
        };
        let Some(row) = row else { break };
        let place: i64 = row.get(0)?;
        let Ok(after) = Order::NewestFirst.step(place, next) else { break };
        next = after;
        let id = text(row, 1)?;
        if can_be_told(connection, &id)? {
            break;
        }
        untold.push(Suspect { place: Some(place), id, told: None });
    }
    Ok(untold)
}

/// Returns whether a record has an event, or an event cannot be read.
fn can_be_told(connection: &Connection, id: &str) -> rusqlite::Result<bool> {
    match last_told(connection, id) {
        Err(error) if is_damage(&error) => Ok(true),
        told => Ok(told?.is_some()),
    }
}
