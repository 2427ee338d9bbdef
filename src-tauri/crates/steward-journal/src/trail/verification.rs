//! Verification of the chain.
//!
//! What it finds: an entry that was changed, removed, or inserted, and a body that is missing; [`super::records`] finds a record
//! that differs from its events. What it cannot find is that entries at the end were cut off, that the chain was written anew,
//! or that an older copy of the file was restored: only a kept head shows those.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::hash::{BuildHasher, RandomState};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row};
use serde::Deserialize;

use super::entry::{Break, Damage, Envelope, Mark, NOTHING, digits, hash};
use super::record_indexes::Differing;
use super::records::{Told, ToldRecords};
use crate::salvage::{self, Order, is_damage, text, unless_damaged};

/// Broken places that a verification keeps, each with its hashes. It counts the others: a file of broken entries would take 30 times
/// its size in memory.
const MOST_KEPT: usize = 100_000;

/// Condition of the partial index `trail_marks`: SQLite uses the index only for the same condition.
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
    /// Number of such places that are not among them.
    pub(crate) not_kept: usize,
    /// Records that the entries are about.
    pub(crate) told: ToldRecords,
    /// Whether entries could not be read: an index might have them.
    has_gap: bool,
    /// Position of the next entry; `None` after the last possible one.
    next: Option<i64>,
    /// Entries that each of [`INDEXES`] must have, as the table has them.
    indexed: [BTreeSet<i64>; INDEXES.len()],
    /// Entries about a record; `None` if a body cannot be read.
    of_records: Option<Numbers>,
    random: RandomState,
}

/// An index of the trail, with the kinds of events that it has.
pub(crate) type Index = (&'static str, &'static [&'static str]);

/// Index of marks.
const MARKS_INDEX: Index = ("trail_marks", &["app.started", "chain.verified", "chain.broken"]);

/// Index of the events that hold until another one replaces them.
pub(crate) const STATES_INDEX: Index = (
    "trail_states",
    &[
        "chain.rolled-back",
        "forwarding.turned-on",
        "forwarding.changed",
        "forwarding.turned-off",
        "file.unreadable",
        "file.resolved",
    ],
);

/// Index of what the trail has of snapshots: which were taken, and what removed them.
pub(crate) const SNAPSHOTS_INDEX: Index =
    ("trail_snapshots", &["snapshot.taken", "site.changed", "file.unreadable"]);

/// Indexes of the trail that a verification compares: neither a page nor a start would show an event that they lack.
const INDEXES: [Index; 3] = [MARKS_INDEX, STATES_INDEX, SNAPSHOTS_INDEX];

impl Walk {
    /// Begins with the first entry.
    pub(crate) fn whole() -> Self {
        // Begin with any number: an entry below 1 is not genuine, and a break.
        Self { head: NOTHING.to_owned(), next: Some(i64::MIN), ..Self::after(0) }
    }

    /// Begins after the last entry that the previous verification verified. Entries appended while it ran, and its mark,
    /// are verified now.
    pub(crate) fn since(connection: &Connection, mark: &Mark) -> rusqlite::Result<Self> {
        let through = mark.through.clamp(0, mark.at.saturating_sub(1).max(0));
        let before = "SELECT envelope FROM trail WHERE sequence = ?1";
        let before = connection.query_row(before, [through], |row| text(row, 0)).optional()?;
        let head = before.map_or_else(|| NOTHING.to_owned(), |envelope| hash(&envelope));
        Ok(Self { head, ..Self::after(through) })
    }

    /// Returns whether no entry was read.
    pub(crate) fn next_is_first(&self) -> bool {
        self.next == Some(if self.from > 1 { self.from } else { i64::MIN })
    }

    /// Begins after an entry, whose hash is not known.
    pub(crate) fn after(through: i64) -> Self {
        let next = through.checked_add(1);
        Self {
            from: next.unwrap_or(through),
            through,
            head: String::new(),
            breaks: Vec::new(),
            not_kept: 0,
            told: ToldRecords::default(),
            has_gap: false,
            next,
            indexed: Default::default(),
            of_records: Some(Numbers::default()),
            random: RandomState::new(),
        }
    }

    /// Verifies at most `limit` more entries, and returns whether there might be others.
    pub(crate) fn go_on(&mut self, connection: &Connection, limit: u32) -> rusqlite::Result<bool> {
        match self.read(connection, limit) {
            Err(error) if is_damage(&error) => self.pass_over(connection),
            read => read,
        }
    }

    /// Takes an entry whose body cannot be read for one without a body. If the entry cannot be read either, goes on
    /// after it.
    fn pass_over(&mut self, connection: &Connection) -> rusqlite::Result<bool> {
        let Some(next) = self.next else { return Ok(false) };
        self.of_records = None;
        let sql = "SELECT sequence, envelope, NULL FROM trail NOT INDEXED WHERE sequence >= ?1 ORDER BY sequence LIMIT 1";
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query([next])?;
        match rows.next().and_then(|row| row.map(|row| self.next_entry(row)).transpose()) {
            Err(error) if is_damage(&error) => {
                self.has_gap = true;
                self.broken(Damage::Unreadable, next.max(1), String::new(), String::new());
                // Go on with the entries after the damaged page.
                self.next =
                    salvage::next_readable(connection, ("trail", "envelope"), Order::OldestFirst, next)?;
                Ok(self.next.is_some())
            }
            read => Ok(read?.is_some()),
        }
    }

    fn read(&mut self, connection: &Connection, limit: u32) -> rusqlite::Result<bool> {
        let Some(next) = self.next else { return Ok(false) };
        let sql = "SELECT sequence, envelope, body FROM trail NOT INDEXED WHERE sequence >= ?1 ORDER BY sequence LIMIT ?2";
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query((next, limit))?;
        let mut read = 0;
        while let Some(row) = rows.next()? {
            self.next_entry(row)?;
            read += 1;
        }
        Ok(read == limit)
    }

    /// Reads what was appended since the walk. To be called in a transaction.
    pub(crate) fn rest(&self, connection: &Connection) -> rusqlite::Result<Self> {
        let mut rest = Self { random: self.random.clone(), ..Self::after(self.through) };
        while rest.go_on(connection, u32::MAX)? {}
        Ok(rest)
    }

    /// Compares the indexes with the entries that were read, and with the `rest`. Adds a break for each that differs,
    /// and rebuilds it. To be called in a transaction.
    pub(crate) fn compare_indexes(&mut self, connection: &Connection, rest: &Self) -> rusqlite::Result<()> {
        if self.has_gap || rest.has_gap {
            return Ok(());
        }
        let first = if self.from > 1 { self.from } else { i64::MIN };
        for ((index, expected), rest) in
            INDEXES.iter().zip(std::mem::take(&mut self.indexed)).zip(&rest.indexed)
        {
            let found = positions(connection, index, first, i64::MAX)?;
            let expected: BTreeSet<_> = expected.union(rest).copied().collect();
            let different = found.symmetric_difference(&expected).next().copied();
            if let Some(entry) = different {
                self.broken(Damage::Index, entry, String::new(), String::new());
                connection.execute_batch(&format!("REINDEX {}", index.0))?;
            }
        }
        // Only a verification of the whole trail compares the index of records: a start would have to read all of it.
        if self.from == 1
            && let Some((walk, rest)) = self.of_records.zip(rest.of_records)
        {
            let expected = walk.with(rest);
            if self.of_index(connection, expected.count)? != Some(expected) {
                self.broken(Damage::Index, 1, String::new(), String::new());
                connection.execute_batch("REINDEX trail_by_record")?;
            }
        }
        Ok(())
    }

    /// Returns the entries that the index of records has, without a look at the table; `None` if it has more than `most`, or cannot be
    /// read.
    fn of_index(&self, connection: &Connection, most: u64) -> rusqlite::Result<Option<Numbers>> {
        let sql = "SELECT sequence FROM trail INDEXED BY trail_by_record WHERE record IS NOT NULL";
        let read = || {
            let mut statement = connection.prepare(sql)?;
            let mut rows = statement.query([])?;
            let mut found = Numbers::default();
            while let Some(row) = rows.next()? {
                found.add(self.random.hash_one(row.get::<_, i64>(0)?));
                // Damaged pages that lead to each other would be read without end.
                if found.count > most {
                    return Ok(None);
                }
            }
            Ok(Some(found))
        };
        match read() {
            Err(error) if is_damage(&error) => Ok(None),
            read => read,
        }
    }

    /// Verifies an entry, which must not come before the one that is next.
    fn next_entry(&mut self, row: &Row<'_>) -> rusqlite::Result<()> {
        Order::OldestFirst.step(row.get(0)?, self.next)?;
        self.entry(row)
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
        let body = bytes(row, 2)?;
        let told = body.and_then(Told::read);
        if let (Some(of_records), Some(_)) = (&mut self.of_records, &told) {
            of_records.add(self.random.hash_one(seq));
        }
        match (&envelope, body) {
            (Some(envelope), Some(body)) => {
                let sum = digits(body);
                if envelope.body.as_bytes() == sum {
                    if let Some(other) = told.and_then(|told| self.told.add(seq, &told)) {
                        let (record, found) = (other.record.to_owned(), other.found.to_owned());
                        let (what, expected) = (Damage::Record, String::new());
                        self.keep(Break { what, entry: seq, through: seq, expected, found, record });
                    }
                } else {
                    let found = String::from_utf8_lossy(&sum).into_owned();
                    self.broken(Damage::Body, seq, envelope.body.to_owned(), found);
                }
            }
            (Some(envelope), None) => self.lacks_body(seq, envelope.body),
            (None, _) => {}
        }
        self.head.clear();
        self.head.push_str(&String::from_utf8_lossy(&digits(line)));
        if let Some(envelope) = &envelope {
            for ((_, kinds), indexed) in INDEXES.iter().zip(&mut self.indexed) {
                if kinds.contains(&envelope.kind) {
                    indexed.insert(seq);
                }
            }
        }
        self.through = seq;
        self.next = seq.checked_add(1);
        Ok(())
    }

    /// Adds that an index of the records, or the search, has others than their table.
    pub(crate) fn differing(&mut self, differing: &Differing) {
        let Differing { record, entry, .. } = differing;
        let (entry, record, [expected, found]) = (*entry, record.clone(), [const { String::new() }; 2]);
        self.keep(Break { what: Damage::Index, entry, through: entry, expected, found, record });
    }

    fn broken(&mut self, what: Damage, entry: i64, expected: String, found: String) {
        let record = String::new();
        self.keep(Break { what, entry, through: entry, expected, found, record });
    }

    fn keep(&mut self, one: Break) {
        match self.breaks.len() < MOST_KEPT {
            true => self.breaks.push(one),
            false => self.not_kept += 1,
        }
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

/// Entries of the trail: how many, and the sum of random numbers that stand for them.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Numbers {
    count: u64,
    sum: u64,
}

impl Numbers {
    fn add(&mut self, number: u64) {
        *self = self.with(Self { count: 1, sum: number });
    }

    const fn with(self, other: Self) -> Self {
        Self { count: self.count + other.count, sum: self.sum.wrapping_add(other.sum) }
    }
}

/// Reads which entries an index has between two positions, without a look at the table.
fn positions(
    connection: &Connection,
    index: &Index,
    first: i64,
    last: i64,
) -> rusqlite::Result<BTreeSet<i64>> {
    match of_kinds(connection, &format!("INDEXED BY {}", index.0), index, (first, last)) {
        Err(error) if is_damage(&error) => Ok(BTreeSet::new()),
        read => read,
    }
}

/// Reads which entries an index has to have: by itself only as far as the last verification saw it, and by the table from there on.
/// In a damaged trail, the entries that the index has.
pub(crate) fn trusted_positions(connection: &Connection, index: &Index) -> rusqlite::Result<BTreeSet<i64>> {
    let read = || {
        let indexed = trusted_mark(connection)?.map_or(0, |mark| mark.through.max(0));
        let mut all = positions(connection, index, 1, indexed)?;
        all.extend(of_kinds(connection, "NOT INDEXED", index, (indexed.saturating_add(1), i64::MAX))?);
        Ok(all)
    };
    match read() {
        Err(error) if is_damage(&error) => positions(connection, index, 1, i64::MAX),
        read => read,
    }
}

fn of_kinds(
    connection: &Connection,
    read_by: &str,
    (_, kinds): &Index,
    between: (i64, i64),
) -> rusqlite::Result<BTreeSet<i64>> {
    let kinds = kinds.iter().map(|kind| format!("'{kind}'")).collect::<Vec<_>>().join(", ");
    let sql = format!(
        "SELECT sequence FROM trail {read_by} WHERE kind IN ({kinds}) AND sequence BETWEEN ?1 AND ?2 ORDER BY sequence"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(between)?;
    let (mut found, mut next) = (BTreeSet::new(), Some(between.0));
    while let Some(row) = rows.next()? {
        let place = row.get(0)?;
        next = Order::OldestFirst.step(place, next)?;
        found.insert(place);
    }
    Ok(found)
}

/// Returns the SHA-256 of which entries the indexes have up to one.
pub(crate) fn indexes_sha256(connection: &Connection, through: i64) -> rusqlite::Result<String> {
    let mut all = String::new();
    for index in &INDEXES {
        for position in positions(connection, index, i64::MIN, through)? {
            // Writing to a string cannot fail.
            let _ = write!(all, "{position} ");
        }
        all.push('\n');
    }
    Ok(hash(&all))
}

/// Returns the mark that the last verification left, unless the indexes have other entries than they had then, or there are
/// entries before the first one.
pub(crate) fn trusted_mark(connection: &Connection) -> rusqlite::Result<Option<Mark>> {
    let Some(mark) = last_mark(connection)? else { return Ok(None) };
    let sql = "SELECT EXISTS (SELECT 1 FROM trail NOT INDEXED WHERE sequence < 1)";
    let has_others: bool = connection.query_row(sql, [], |row| row.get(0))?;
    let is_as_it_was = indexes_sha256(connection, mark.through)? == mark.indexes_sha256;
    Ok(Some(mark).filter(|_| is_as_it_was && !has_others))
}

/// Returns the mark that the last verification left; `None` if there was none.
pub(crate) fn last_mark(connection: &Connection) -> rusqlite::Result<Option<Mark>> {
    let sql = format!(
        "SELECT sequence, body FROM trail WHERE {MARKS} AND kind = 'chain.verified' ORDER BY sequence DESC LIMIT 1"
    );
    let read = |row: &Row<'_>| {
        let body: serde_json::Value = serde_json::from_str(&text(row, 1)?).unwrap_or_default();
        Ok(Mark {
            at: row.get(0)?,
            through: body["through"].as_i64().unwrap_or_default(),
            indexes_sha256: body["indexesSha256"].as_str().unwrap_or_default().to_owned(),
        })
    };
    connection.prepare_cached(&sql)?.query_row([], read).optional()
}

/// Returns the breaks that have an event in the chain.
pub(crate) fn known_breaks(connection: &Connection) -> rusqlite::Result<Vec<Break>> {
    let sql = format!("SELECT body FROM trail WHERE {MARKS} AND kind = 'chain.broken' ORDER BY sequence");
    let mut statement = connection.prepare_cached(&sql)?;
    let bodies = statement.query_map([], |row| text(row, 0))?;
    bodies.filter_map(|body| body.map(|body| serde_json::from_str(&body).ok()).transpose()).collect()
}

/// Returns the bodies of events that an index of the trail has and that can be read, with their kinds, oldest first. For a trail with
/// damaged pages.
pub(crate) fn readable(connection: &Connection, index: &Index) -> rusqlite::Result<Vec<(String, String)>> {
    let sql = "SELECT kind, body FROM trail NOT INDEXED WHERE sequence = ?1";
    let mut row = connection.prepare_cached(sql)?;
    let mut found = Vec::new();
    for entry in positions(connection, index, i64::MIN, i64::MAX)? {
        let read = row.query_row([entry], |row| Ok((text(row, 0)?, text(row, 1)?))).optional();
        found.extend(unless_damaged(read)?);
    }
    Ok(found)
}

/// Returns those of [`known_breaks`] that can be read.
pub(crate) fn readable_breaks(connection: &Connection) -> rusqlite::Result<Vec<Break>> {
    let marks = readable(connection, &MARKS_INDEX)?.into_iter();
    let breaks = marks.filter(|(kind, _)| kind == "chain.broken");
    Ok(breaks.filter_map(|(_, body)| serde_json::from_str(&body).ok()).collect())
}

/// Returns how many further places the last verification found, by the last break since.
pub(crate) fn further(connection: &Connection) -> rusqlite::Result<u32> {
    #[derive(Default, Deserialize)]
    struct Further {
        #[serde(default)]
        further: u32,
    }
    let sql = format!(
        "SELECT body FROM trail WHERE {MARKS} AND kind IN ('chain.verified', 'chain.broken') ORDER BY sequence DESC LIMIT 1"
    );
    let body = connection.prepare_cached(&sql)?.query_row([], |row| text(row, 0)).optional();
    let body = unless_damaged(body)?;
    Ok(serde_json::from_str::<Further>(&body.unwrap_or_default()).unwrap_or_default().further)
}

/// Event of the last start of the program.
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
        ValueRef::Text(bytes) => Some(bytes),
        // In a value of another type, SQLite finds no kind and no record.
        ValueRef::Blob(_) | ValueRef::Integer(_) | ValueRef::Real(_) | ValueRef::Null => None,
    })
}
