//! Verification of the chain.
//!
//! What it finds: an entry that was changed, removed, or inserted, and a body that is missing; [`super::records`] finds a record
//! that differs from its events. What it cannot find is that entries at the end were cut off, that the chain was written anew,
//! or that an older copy of the file was restored: only a kept head shows those.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row};
use serde::Deserialize;

use super::entry::{Break, Damage, Envelope, Mark, NOTHING, digits, hash};
use super::records::ToldRecords;
use crate::salvage::text;

/// Events that a search for marks reads, as the partial index of the table has them.
const MARKS: &str = "kind IN ('app.started', 'chain.verified', 'chain.broken')";

/// State of a verification between two parts of the chain.
#[derive(Debug, Clone)]
pub(crate) struct Walk {
    /// First entry that was verified.
    pub(crate) from: i64,
    /// Last entry that was verified.
    pub(crate) through: i64,
    /// Hash of its envelope.
    pub(crate) head: String,
    /// Places where the chain does not hold.
    pub(crate) breaks: Vec<Break>,
    /// Records that the entries tell of.
    pub(crate) told: ToldRecords,
}

impl Walk {
    /// Begins with the first entry.
    pub(crate) fn whole() -> Self {
        Self { head: NOTHING.to_owned(), ..Self::after(0) }
    }

    /// Begins after the last verification: with what was appended before its mark, and with the mark itself.
    pub(crate) fn since(connection: &Connection, mark: &Mark) -> rusqlite::Result<Self> {
        let through = mark.through.clamp(0, mark.at.saturating_sub(1).max(0));
        let before = "SELECT envelope FROM trail WHERE sequence = ?1";
        let before = connection.query_row(before, [through], |row| text(row, 0)).optional()?;
        let head = before.map_or_else(|| NOTHING.to_owned(), |envelope| hash(&envelope));
        Ok(Self { head, ..Self::after(through) })
    }

    fn after(through: i64) -> Self {
        let told = ToldRecords::default();
        Self { from: through + 1, through, head: String::new(), breaks: Vec::new(), told }
    }

    /// Verifies at most `limit` more entries, and returns whether there might be others.
    pub(crate) fn go_on(&mut self, connection: &Connection, limit: u32) -> rusqlite::Result<bool> {
        let sql = "SELECT sequence, envelope, body FROM trail WHERE sequence > ?1 ORDER BY sequence LIMIT ?2";
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query((self.through, limit))?;
        let mut read = 0;
        while let Some(row) = rows.next()? {
            self.entry(row)?;
            read += 1;
        }
        Ok(read == limit)
    }

    fn entry(&mut self, row: &Row<'_>) -> rusqlite::Result<()> {
        let seq = row.get(0)?;
        let line = bytes(row, 1)?.unwrap_or_default();
        let envelope: Option<Envelope<'_>> = serde_json::from_slice(line).ok();
        let follows = envelope
            .as_ref()
            .is_some_and(|found| found.prev == self.head && found.seq == seq && seq == self.through + 1);
        if !follows {
            let found = envelope.as_ref().map(|found| found.prev.to_owned()).unwrap_or_default();
            let expected = std::mem::take(&mut self.head);
            self.broken(Damage::Chain, seq, expected, found);
        }
        match (&envelope, bytes(row, 2)?) {
            (Some(envelope), Some(body)) => {
                let sum = digits(body);
                if envelope.body.as_bytes() == sum {
                    self.told.add(body);
                } else {
                    let found = String::from_utf8_lossy(&sum).into_owned();
                    self.broken(Damage::Body, seq, envelope.body.to_owned(), found);
                }
            }
            (Some(envelope), None) => self.lacks_body(seq, envelope.body),
            (None, _) => {}
        }
        self.head.clear();
        self.head.extend(digits(line).map(char::from));
        self.through = seq;
        Ok(())
    }

    fn broken(&mut self, what: Damage, entry: i64, expected: String, found: String) {
        let record = String::new();
        self.breaks.push(Break { what, entry, through: entry, expected, found, record });
    }

    /// The bodies of all entries can be missing: those of consecutive ones are one break.
    fn lacks_body(&mut self, entry: i64, expected: &str) {
        match self.breaks.last_mut() {
            Some(last) if last.what == Damage::MissingBodies && last.through + 1 == entry => {
                last.through = entry;
                expected.clone_into(&mut last.expected);
            }
            _ => self.broken(Damage::MissingBodies, entry, expected.to_owned(), String::new()),
        }
    }
}

/// Returns the mark that the last verification left; `None` if there was none.
pub(crate) fn last_mark(connection: &Connection) -> rusqlite::Result<Option<Mark>> {
    let sql = format!(
        "SELECT sequence, body FROM trail WHERE {MARKS} AND kind = 'chain.verified' ORDER BY sequence DESC LIMIT 1"
    );
    let read = |row: &Row<'_>| {
        let body: serde_json::Value = serde_json::from_str(&text(row, 1)?).unwrap_or_default();
        Ok(Mark { at: row.get(0)?, through: body["through"].as_i64().unwrap_or_default() })
    };
    connection.prepare_cached(&sql)?.query_row([], read).optional()
}

/// Returns the breaks that the chain itself tells of.
pub(crate) fn known_breaks(connection: &Connection) -> rusqlite::Result<Vec<Break>> {
    let sql = format!("SELECT body FROM trail WHERE {MARKS} AND kind = 'chain.broken' ORDER BY sequence");
    let mut statement = connection.prepare_cached(&sql)?;
    let bodies = statement.query_map([], |row| text(row, 0))?;
    bodies.filter_map(|body| body.map(|body| serde_json::from_str(&body).ok()).transpose()).collect()
}

/// What the last start of the program told.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LastStart {
    /// Version of the program.
    pub(crate) program: String,
    /// SHA-256 of the policy; empty if there was none.
    pub(crate) policy_sha256: String,
}

/// Returns what the last start told; `None` if there was none, or if it cannot be read.
pub(crate) fn last_start(connection: &Connection) -> rusqlite::Result<Option<LastStart>> {
    let sql = format!(
        "SELECT body FROM trail WHERE {MARKS} AND kind = 'app.started' ORDER BY sequence DESC LIMIT 1"
    );
    let body = connection.prepare_cached(&sql)?.query_row([], |row| text(row, 0)).optional()?;
    Ok(body.and_then(|body| serde_json::from_str(&body).ok()))
}

fn bytes<'a>(row: &'a Row<'_>, index: usize) -> rusqlite::Result<Option<&'a [u8]>> {
    Ok(match row.get_ref(index)? {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(bytes),
        ValueRef::Integer(_) | ValueRef::Real(_) | ValueRef::Null => None,
    })
}
