//! Verification of records: whether each is still what its last event says it was.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension};
use serde::Deserialize;

use super::entry::{Break, Damage, hash};
use super::of_record::{record_sha256, record_sha256_at};
use super::stored_form::{self, StoredForm};
use crate::salvage::{is_damage, text};

/// Records that are read at a time, and the bytes after which fewer are: reports can be megabytes.
const AT_ONCE: u32 = 10_000;
const BYTES_AT_ONCE: usize = 64 << 20;

/// What an event tells of the record that it wrote.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Told<'a> {
    record: &'a str,
    record_sha256: &'a str,
    /// What the event before told, as the index of the trail knew it; `None` if there was none.
    record_before_sha256: Option<&'a str>,
}

impl<'a> Told<'a> {
    /// Reads a body; `None` if it is not of an event that wrote a record.
    fn read(body: &'a [u8]) -> Option<Self> {
        serde_json::from_slice(body).ok()
    }
}

/// The last event that tells of a record: the number of its entry, and the first half of the hash. Whatever differs in it is looked
/// at again with all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LastTold {
    entry: i64,
    half: u128,
}

/// Records that a walk through the trail was told of, with what the last event of each says.
#[derive(Debug, Clone, Default)]
pub(crate) struct ToldRecords(HashMap<Box<str>, LastTold>);

impl ToldRecords {
    /// Adds what the body of an entry tells. Returns what it says of the record before if an earlier event told something else.
    pub(super) fn add<'a>(&mut self, entry: i64, body: &'a [u8]) -> Option<Mismatch<'a>> {
        let told = Told::read(body)?;
        let before =
            self.0.insert(told.record.into(), LastTold { entry, half: short(told.record_sha256) })?;
        let found = told.record_before_sha256?;
        (before.half != short(found)).then_some(Mismatch { record: told.record, found })
    }

    /// Returns what has to be looked at if no record is read otherwise.
    pub(crate) fn into_suspects(self) -> Vec<Suspect> {
        self.0
            .into_iter()
            .map(|(id, told)| Suspect { place: None, id: id.into(), told: Some(told) })
            .collect()
    }
}

/// An event that followed another one of its record than the trail has.
pub(super) struct Mismatch<'a> {
    pub(super) record: &'a str,
    pub(super) found: &'a str,
}

/// Returns the first half of a hash.
fn short(sha256: &str) -> u128 {
    sha256.get(..32).and_then(|half| u128::from_str_radix(half, 16).ok()).unwrap_or_default()
}

/// A record that differs from its last event, that no event tells of, or that is gone.
#[derive(Debug)]
pub(crate) struct Suspect {
    /// Position of its row; `None` if no row was read.
    place: Option<i64>,
    id: String,
    told: Option<LastTold>,
}

/// Comparison of all records with what a walk was told of them. It reads the table alone: an index can be made to lack rows.
pub(crate) struct RecordWalk {
    told: ToldRecords,
    resolutions: HashMap<String, stored_form::Resolution>,
    /// Number of records that are older than the chain, and need no event.
    earlier: usize,
    /// Number of rows so far.
    read: usize,
    /// Position of the next row; `None` after the last possible one.
    next: Option<i64>,
    /// Whether rows could not be found, because a page that leads to them is damaged.
    is_cut_off: bool,
    suspects: Vec<Suspect>,
}

impl RecordWalk {
    /// Begins with the first record.
    pub(crate) fn begin(connection: &Connection, told: ToldRecords) -> rusqlite::Result<Self> {
        let sql = format!("SELECT {} FROM outcome_resolution NOT INDEXED", stored_form::RESOLUTION);
        let read = || {
            let mut statement = connection.prepare(&sql)?;
            statement.query_map([], stored_form::resolution_of_row)?.collect::<rusqlite::Result<_>>()
        };
        let resolutions = match read() {
            // Records whose resolution is missing are looked at again.
            Err(error) if is_damage(&error) => HashMap::new(),
            read => read?,
        };
        Ok(Self {
            told,
            resolutions,
            earlier: usize::try_from(earlier_records(connection)?).unwrap_or_default(),
            read: 0,
            next: Some(i64::MIN),
            is_cut_off: false,
            suspects: Vec::new(),
        })
    }

    /// Compares some more records, and returns whether there might be others.
    pub(crate) fn go_on(&mut self, connection: &Connection) -> rusqlite::Result<bool> {
        match self.compare(connection) {
            Err(error) if is_damage(&error) => self.pass_over(connection),
            compared => compared,
        }
    }

    /// Goes on after a row that cannot be read. It is looked at again by itself.
    fn pass_over(&mut self, connection: &Connection) -> rusqlite::Result<bool> {
        let Some(next) = self.next else { return Ok(false) };
        let first = "SELECT sequence FROM record NOT INDEXED WHERE sequence >= ?1 ORDER BY sequence LIMIT 1";
        let place = match connection.prepare_cached(first)?.query_row([next], |row| row.get(0)).optional() {
            Err(error) if is_damage(&error) => {
                self.is_cut_off = true;
                return Ok(false);
            }
            place => place?,
        };
        let Some(place) = place else { return Ok(false) };
        let id = "SELECT id FROM record NOT INDEXED WHERE sequence = ?1";
        let id = match connection.prepare_cached(id)?.query_row([place], |row| text(row, 0)) {
            Err(error) if is_damage(&error) => String::new(),
            id => id?,
        };
        let told = self.told.0.remove(id.as_str());
        if told.is_some() || self.read >= self.earlier {
            self.suspects.push(Suspect { place: Some(place), id, told });
        }
        self.read += 1;
        self.next = place.checked_add(1);
        Ok(true)
    }

    fn compare(&mut self, connection: &Connection) -> rusqlite::Result<bool> {
        let Some(next) = self.next else { return Ok(false) };
        let sql = format!(
            "SELECT {}, sequence, coalesce(octet_length(response), 0) + coalesce(octet_length(report), 0)
             FROM record NOT INDEXED WHERE sequence >= ?1 ORDER BY sequence LIMIT {AT_ONCE}",
            stored_form::COLUMNS
        );
        let width = stored_form::COLUMNS.split(',').count();
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query([next])?;
        let (mut read, mut bytes) = (0, 0);
        while let Some(row) = rows.next()? {
            let id = text(row, 0)?;
            let resolution = self.resolutions.remove(&id);
            // An index leads to it, perhaps to another one: looked at again as a page does.
            let is_resolved = resolution.is_some();
            let half = short(&hash(&StoredForm::of_row(row, resolution)?.line()?));
            let place: i64 = row.get(width)?;
            let told = self.told.0.remove(id.as_str());
            let is_suspect = match told {
                Some(told) => is_resolved || told.half != half,
                None => self.read >= self.earlier,
            };
            if is_suspect {
                self.suspects.push(Suspect { place: Some(place), id, told });
            }
            self.read += 1;
            self.next = place.checked_add(1);
            read += 1;
            bytes += usize::try_from(row.get::<_, i64>(width + 1)?).unwrap_or_default();
            if bytes > BYTES_AT_ONCE {
                return Ok(true);
            }
        }
        Ok(read == AT_ONCE)
    }

    /// Returns the break of records that could not be looked at; `None` if all were.
    pub(crate) fn unreadable(&self) -> Option<Break> {
        let [expected, found, record] = [const { String::new() }; 3];
        let what = Damage::Unreadable;
        self.is_cut_off.then_some(Break { what, entry: 0, through: 0, expected, found, record })
    }

    /// Returns the records that need a look: those that differ, and those that an event tells of and that are gone.
    pub(crate) fn into_suspects(self) -> Vec<Suspect> {
        let mut suspects = self.suspects;
        suspects.extend(self.told.into_suspects());
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
            Some(place) => record_sha256_at(connection, place),
            None => record_sha256(connection, &self.id),
        };
        let found = match read {
            Err(error) if is_damage(&error) => String::new(),
            found => found?,
        };
        let told = told_since.0.get(self.id.as_str()).copied().or(self.told);
        let expected = match told {
            Some(told) => Some((told.entry, sha256_told_by(connection, told.entry)?)),
            None => None,
        };
        let difference = compared(connection, &self.id, self.place, expected, found)?;
        // An event after the one that was read, which is a break by itself, might tell of this record as it is.
        let is_known = difference.is_none()
            || !matches!(last_told(connection, &self.id), Err(error) if is_damage(&error));
        Ok(difference.filter(|_| is_known))
    }
}

/// Compares a record with its last event, by its identifier; `None` if both agree. To be called in a transaction: the other
/// process might write both.
pub(crate) fn differs(connection: &Connection, id: &str) -> rusqlite::Result<Option<Break>> {
    let found = match record_sha256(connection, id) {
        Err(error) if is_damage(&error) => String::new(),
        found => found?,
    };
    compared(connection, id, None, last_told(connection, id)?, found)
}

/// Returns whether the record at a position is what its last event says, and none of the known breaks is of it: an event after a
/// break tells what was there then.
pub(crate) fn is_as_told(connection: &Connection, place: i64, known: &[Break]) -> rusqlite::Result<bool> {
    let sql = "SELECT id FROM record NOT INDEXED WHERE sequence = ?1";
    let id = connection.prepare_cached(sql)?.query_row([place], |row| text(row, 0))?;
    let found = record_sha256_at(connection, place)?;
    let is_told = last_told(connection, &id)?.is_some_and(|(_, expected)| expected == found);
    Ok(is_told && known.iter().all(|one| one.record != id))
}

/// Compares what a record is with what its last event says: the number of that entry, and the hash.
fn compared(
    connection: &Connection,
    id: &str,
    place: Option<i64>,
    told: Option<(i64, String)>,
    found: String,
) -> rusqlite::Result<Option<Break>> {
    let record = id.to_owned();
    match told {
        Some((_, expected)) if expected == found => Ok(None),
        Some((entry, expected)) => {
            Ok(Some(Break { what: Damage::Record, entry, through: entry, expected, found, record }))
        }
        // One whose row is there is a record, also if the row cannot be read.
        None if place.is_none() && (found.is_empty() || is_earlier(connection, id)?) => Ok(None),
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

/// Returns the hash of a record that an entry tells; empty if it tells none.
fn sha256_told_by(connection: &Connection, entry: i64) -> rusqlite::Result<String> {
    let sql = "SELECT body FROM trail NOT INDEXED WHERE sequence = ?1";
    let body = connection.prepare_cached(sql)?.query_row([entry], |row| text(row, 0)).optional()?;
    let body = body.unwrap_or_default();
    Ok(Told::read(body.as_bytes()).map(|told| told.record_sha256.to_owned()).unwrap_or_default())
}

/// Returns the last event that wrote a record: its number, and the hash of the record.
pub(super) fn last_told(connection: &Connection, id: &str) -> rusqlite::Result<Option<(i64, String)>> {
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

/// Returns the newest records that no event tells of, up to the first one that has an event: of the records that the trail does not
/// name, a start looks at these.
pub(crate) fn newest_untold(connection: &Connection) -> rusqlite::Result<Vec<Suspect>> {
    let earlier = earlier_records(connection)?;
    let mut rank = match earlier {
        0 => i64::MAX,
        _ => connection.query_row("SELECT count(*) FROM record NOT INDEXED", [], |row| row.get(0))?,
    };
    let mut untold = Vec::new();
    let mut newest =
        connection.prepare("SELECT sequence, id FROM record NOT INDEXED ORDER BY sequence DESC")?;
    let mut rows = newest.query([])?;
    loop {
        let row = match rows.next() {
            Err(error) if is_damage(&error) => break,
            row => row?,
        };
        let Some(row) = row else { break };
        let id = text(row, 1)?;
        if rank <= earlier || can_be_told(connection, &id)? {
            break;
        }
        untold.push(Suspect { place: row.get(0)?, id, told: None });
        rank -= 1;
    }
    Ok(untold)
}

/// Returns whether an event tells of a record, or one cannot be read.
fn can_be_told(connection: &Connection, id: &str) -> rusqlite::Result<bool> {
    match last_told(connection, id) {
        Err(error) if is_damage(&error) => Ok(true),
        told => Ok(told?.is_some()),
    }
}

/// Returns whether a record needs no event, because it is older than the chain.
fn is_earlier(connection: &Connection, id: &str) -> rusqlite::Result<bool> {
    let sql = "SELECT count(*) FROM record NOT INDEXED WHERE sequence <= (SELECT sequence FROM record WHERE id = ?1)";
    let rank: i64 = connection.prepare_cached(sql)?.query_row([id], |row| row.get(0))?;
    Ok(rank <= earlier_records(connection)?)
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
