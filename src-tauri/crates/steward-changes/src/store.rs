//! The database of snapshots: each value is stored once, and a resource that did not change takes no further room.
//!
//! A *span* records that a resource had one value in all snapshots from one to another. A new snapshot extends the spans
//! of what did not change, and begins others. What was not read has no span in it. `PRAGMA application_id` marks a file
//! as such a database, and `PRAGMA user_version` is its format.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{
    Connection, ErrorCode, OptionalExtension as _, Transaction, TransactionBehavior, ffi, params,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::fields::Fields;
use crate::key::{Contents, Gap, Gaps, Held, Key, Kind};
use crate::substitutions::Substitution;
use crate::value::{Value, of_snapshot};

/// Mark of a database of snapshots: `StwC`.
const APPLICATION_ID: i32 = 0x5374_7743;

/// Format that is read and written.
const FORMAT: i32 = 1;

/// Longest wait for another process that writes.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Age up to which every snapshot is kept: 13 months and some days, in milliseconds.
pub const KEPT: i64 = 400 * 24 * 60 * 60 * 1000;

/// Number of the newest snapshots of a site that are kept however old they are: a clock that was set wrong removes nothing.
const KEPT_NEWEST: i64 = 400;

const TABLES: &str = "
CREATE TABLE snapshot (
    id INTEGER PRIMARY KEY AUTOINCREMENT, site TEXT NOT NULL, at INTEGER NOT NULL, ended_at INTEGER NOT NULL, cause TEXT NOT NULL,
    sha256 TEXT, failure TEXT, gaps TEXT NOT NULL, places TEXT NOT NULL
) STRICT;
CREATE INDEX snapshot_of_site ON snapshot (site, id);
CREATE TABLE value (id INTEGER PRIMARY KEY, sha256 BLOB NOT NULL UNIQUE, fields TEXT NOT NULL) STRICT;
CREATE TABLE resource (
    id INTEGER PRIMARY KEY, site TEXT NOT NULL, kind TEXT NOT NULL, place TEXT NOT NULL, name TEXT NOT NULL,
    UNIQUE (site, kind, place, name)
) STRICT;
CREATE TABLE span (
    resource INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL, first INTEGER NOT NULL, value INTEGER,
    PRIMARY KEY (resource, since)
) STRICT, WITHOUT ROWID;
CREATE TABLE volatile (
    site TEXT NOT NULL, kind TEXT NOT NULL, field TEXT NOT NULL, learned_at INTEGER NOT NULL, is_compared INTEGER NOT NULL,
    PRIMARY KEY (site, kind, field)
) STRICT, WITHOUT ROWID;
CREATE TABLE accepted (
    site TEXT NOT NULL, kind TEXT NOT NULL, place TEXT NOT NULL, name TEXT NOT NULL, value INTEGER,
    other INTEGER, reason TEXT NOT NULL, at INTEGER NOT NULL, who TEXT NOT NULL,
    PRIMARY KEY (site, kind, place, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE substitutions (
    left_side TEXT NOT NULL, right_side TEXT NOT NULL, pairs TEXT NOT NULL,
    PRIMARY KEY (left_side, right_side)
) STRICT, WITHOUT ROWID;
";

/// Why a database of snapshots cannot be opened or used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite returned an error; the file might be damaged.
    #[error("the snapshots cannot be read or written: {0}")]
    Database(#[from] rusqlite::Error),
    /// The file has a newer format.
    #[error("the snapshots have the format {0}, which is newer than {FORMAT}")]
    Newer(i32),
    /// The file is something else.
    #[error("the file is no database of snapshots")]
    NotOurs,
    /// A stored text cannot be read.
    #[error("the snapshots cannot be read: {0}")]
    Damaged(#[from] serde_json::Error),
}

impl StoreError {
    /// Returns whether the file is intact, and only cannot be used now: the disk is full, or another program has it.
    #[must_use]
    pub fn is_of_the_moment(&self) -> bool {
        let Self::Database(error) = self else { return false };
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull | ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => true,
            // SQLite found no room for the index of its log, which each start creates.
            Some(ErrorCode::SystemIoFailure) => {
                error.sqlite_extended_error_code() == Some(ffi::SQLITE_IOERR_SHMSIZE)
            }
            _ => false,
        }
    }
}

/// Occasion on which a snapshot was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Cause {
    /// A user took the snapshot.
    Manual,
    /// After an export.
    Export,
    /// After the run of a backup plan.
    Plan,
    /// Before or after an import.
    Import,
}

impl Cause {
    const fn name(self) -> &'static str {
        match self {
            Self::Manual => "manual",
            Self::Export => "export",
            Self::Plan => "plan",
            Self::Import => "import",
        }
    }

    /// Returns the cause with this name. An unknown one, of a later version, becomes [`Manual`](Self::Manual).
    fn named(name: &str) -> Self {
        let all = [Self::Export, Self::Plan, Self::Import];
        all.into_iter().find(|cause| cause.name() == name).unwrap_or(Self::Manual)
    }
}

/// A snapshot that is stored next.
#[derive(Debug, Clone)]
pub struct NewSnapshot {
    /// Identifier of the site.
    pub site: String,
    /// Time when the reading began, in milliseconds since 1970.
    pub at: i64,
    /// Time when it ended.
    pub ended_at: i64,
    /// Reason why the snapshot is taken.
    pub cause: Cause,
    /// Resources that were read.
    pub resources: BTreeMap<Key, Value>,
    /// Resources that were not read.
    pub gaps: Vec<Gap>,
    /// Names of the servers by their identifiers, as they are shown.
    pub places: BTreeMap<String, String>,
}

/// A stored snapshot, without its contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSnapshot {
    /// Number, which grows with time.
    pub id: i64,
    /// Time when the reading began, in milliseconds since 1970.
    pub at: i64,
    /// Time when it ended.
    pub ended_at: i64,
    /// Reason why the snapshot was taken.
    pub cause: Cause,
    /// SHA-256 of its contents; empty if it was not taken.
    pub sha256: String,
    /// Why it was not taken; empty if it was.
    pub failure: String,
    /// Resources that were not read.
    pub gaps: Vec<Gap>,
    /// Names of the servers by their identifiers.
    pub places: BTreeMap<String, String>,
}

/// A field that is set apart, or was until a user had it compared again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VolatileField {
    /// Kind of the resources that have it.
    pub kind: Kind,
    /// Its path, without the names of elements.
    pub field: String,
    /// When it was learned, in milliseconds since 1970.
    pub learned_at: i64,
    /// Whether a user wants it compared nevertheless.
    pub is_compared: bool,
}

/// A difference that a user accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// Number of the value that was accepted; `None` if it was accepted that the resource is gone.
    pub value: Option<i64>,
    /// Number of the value that it was compared with; `None` if it was accepted whatever was before.
    pub other: Option<i64>,
    /// Reason or ticket.
    pub reason: String,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// By whom.
    pub who: String,
}

/// A substitution, and who added it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedSubstitution {
    /// Texts that count as equal.
    #[serde(flatten)]
    pub pair: Substitution,
    /// Account of the computer; empty if it was proposed.
    pub who: String,
    /// When it was added, in milliseconds since 1970.
    pub at: i64,
}

/// The database of snapshots.
#[derive(Debug)]
pub struct Store(Mutex<Connection>);

impl Store {
    /// Opens or creates a database.
    ///
    /// # Errors
    /// - [`StoreError::Newer`] and [`StoreError::NotOurs`], without a change of the file.
    /// - [`StoreError::Database`] if it is damaged, or cannot be opened.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        #[cfg(unix)]
        make_private(path);
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(LONGEST_WAIT)?;
        if !accept(&connection)? {
            let creation = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            // Another process might have been faster.
            if !accept(&creation)? {
                creation.execute_batch(TABLES)?;
                creation.pragma_update(None, "application_id", APPLICATION_ID)?;
                creation.pragma_update(None, "user_version", FORMAT)?;
            }
            creation.commit()?;
        }
        connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")?;
        let found = definitions(&connection)?;
        let whole = Connection::open_in_memory()?;
        whole.execute_batch(TABLES)?;
        match found == definitions(&whole)? {
            true => Ok(Self(Mutex::new(connection))),
            false => Err(StoreError::NotOurs),
        }
    }

    /// Stores a snapshot as a whole or not at all, and returns its number and its SHA-256.
    ///
    /// # Errors
    /// [`StoreError::Database`] if it cannot be written.
    pub fn put(&self, new: &NewSnapshot) -> Result<(i64, String), StoreError> {
        let mut connection = self.lock();
        let all = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let before = last_taken(&all, &new.site)?;
        let mut known = newest_spans(&all, &new.site)?;
        let sha256 =
            of_snapshot(new.resources.iter().map(|(key, value)| (key, &value.sha256[..])), &new.gaps);
        all.execute(
            "INSERT INTO snapshot (site, at, ended_at, cause, sha256, gaps, places) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![
                new.site,
                new.at,
                new.ended_at,
                new.cause.name(),
                sha256,
                serde_json::to_string(&new.gaps)?,
                serde_json::to_string(&new.places)?
            ],
        )?;
        let id = all.last_insert_rowid();
        for (key, value) in &new.resources {
            let span = known.remove(key);
            let stored = match span.as_ref().filter(|span| span.has(value)).and_then(|span| span.value) {
                Some(stored) => stored,
                None => stored(&all, value)?,
            };
            let resource = match &span {
                Some(span) => span.resource,
                None => resource(&all, &new.site, key)?,
            };
            extend(&all, resource, span.as_ref(), id, before, Some(stored))?;
        }
        let unread = Gaps::of(&new.gaps);
        for (key, span) in known {
            if !unread.cover(&key) {
                extend(&all, span.resource, Some(&span), id, before, None)?;
            }
        }
        remove_old(&all, &new.site, new.at)?;
        all.commit()?;
        Ok((id, sha256))
    }

    /// Stores that a snapshot was not taken.
    ///
    /// # Errors
    /// [`StoreError::Database`] if it cannot be written.
    pub fn put_failure(&self, site: &str, at: i64, cause: Cause, failure: &str) -> Result<(), StoreError> {
        self.lock().execute(
            "INSERT INTO snapshot (site, at, ended_at, cause, failure, gaps, places) VALUES (?1, ?2, ?2, ?3, ?4, '[]', '{}')",
            params![site, at, cause.name(), failure],
        )?;
        Ok(())
    }

    /// Returns the snapshots of a site, newest first, and those that were not taken.
    ///
    /// # Errors
    /// [`StoreError::Database`] or [`StoreError::Damaged`] if they cannot be read.
    pub fn snapshots(&self, site: &str) -> Result<Vec<StoredSnapshot>, StoreError> {
        let connection = self.lock();
        let mut find = connection.prepare_cached(
            "SELECT id, at, cause, sha256, failure, gaps, places, ended_at FROM snapshot WHERE site = ?1 ORDER BY id DESC",
        )?;
        let mut rows = find.query([site])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.push(StoredSnapshot {
                id: row.get(0)?,
                at: row.get(1)?,
                ended_at: row.get(7)?,
                cause: Cause::named(&row.get::<_, String>(2)?),
                sha256: row.get::<_, Option<String>>(3)?.unwrap_or_default(),
                failure: row.get::<_, Option<String>>(4)?.unwrap_or_default(),
                gaps: serde_json::from_str(&row.get::<_, String>(5)?)?,
                places: serde_json::from_str(&row.get::<_, String>(6)?)?,
            });
        }
        Ok(found)
    }

    /// Returns the contents of a snapshot.
    ///
    /// # Errors
    /// [`StoreError::Database`] or [`StoreError::Damaged`] if they cannot be read, or there is none of this number.
    pub fn contents(&self, site: &str, id: i64) -> Result<Contents, StoreError> {
        let connection = self.lock();
        let gaps: String = connection.query_row(
            "SELECT gaps FROM snapshot WHERE id = ?1 AND site = ?2 AND failure IS NULL",
            params![id, site],
            |row| row.get(0),
        )?;
        let mut find = connection.prepare_cached(
            "SELECT kind, place, name, span.value, first, sha256
             FROM resource JOIN span ON span.resource = resource.id LEFT JOIN value ON value.id = span.value
             WHERE site = ?1 AND since <= ?2 AND until >= ?2",
        )?;
        let mut rows = find.query(params![site, id])?;
        let mut found = Contents { gaps: serde_json::from_str(&gaps)?, ..Contents::default() };
        let mut hashes: BTreeMap<Key, Vec<u8>> = BTreeMap::new();
        while let Some(row) = rows.next()? {
            if let Some(key) = key(row)? {
                let held = Held { value: row.get(3)?, first: row.get(4)? };
                if held.value.is_some() {
                    // A resource that is gone has no value.
                    hashes.insert(key.clone(), row.get::<_, Option<_>>(5)?.unwrap_or_default());
                }
                found.resources.insert(key, held);
            }
        }
        found.sha256 = of_snapshot(hashes.iter().map(|(key, sha256)| (key, &sha256[..])), &found.gaps);
        Ok(found)
    }

    /// Returns the servers of which a resource of a kind changed from one value to another, each with the first
    /// snapshot that has the new one, newest first.
    ///
    /// # Errors
    /// [`StoreError::Database`] if they cannot be read.
    pub fn changed(&self, site: &str, kind: Kind) -> Result<Vec<(String, i64)>, StoreError> {
        let connection = self.lock();
        let mut find = connection.prepare_cached(
            "SELECT place, first FROM resource JOIN span ON resource = id
             WHERE site = ?1 AND kind = ?2 AND value IS NOT NULL AND since = first AND EXISTS
                (SELECT 1 FROM span AS earlier WHERE earlier.resource = id AND earlier.until < span.since AND earlier.value IS NOT NULL)
             ORDER BY first DESC",
        )?;
        let rows = find.query_map([site, kind.name()], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Returns a value.
    ///
    /// # Errors
    /// The reason, if it cannot be read or is not what was written.
    pub fn fields(&self, value: i64) -> Result<Fields, String> {
        let connection = self.lock();
        let read = || -> rusqlite::Result<(Vec<u8>, String)> {
            let mut find = connection.prepare_cached("SELECT sha256, fields FROM value WHERE id = ?1")?;
            find.query_row([value], |row| Ok((row.get(0)?, row.get(1)?)))
        };
        let (sha256, fields) = read().map_err(|error| format!("the stored value cannot be read: {error}"))?;
        if Sha256::digest(&fields)[..] != sha256[..] {
            return Err("the stored value is damaged".to_owned());
        }
        serde_json::from_str(&fields).map_err(|error| format!("the stored value is damaged: {error}"))
    }

    /// Returns the resources that had another value when they were last read, each with the number of that one.
    ///
    /// # Errors
    /// [`StoreError::Database`] if they cannot be read.
    pub fn changed_since_last(
        &self,
        site: &str,
        resources: &BTreeMap<Key, Value>,
    ) -> Result<Vec<(Key, i64)>, StoreError> {
        let mut known = newest_spans(&self.lock(), site)?;
        known.retain(|key, span| resources.get(key).is_some_and(|value| !span.has(value)));
        Ok(known.into_iter().filter_map(|(key, span)| Some((key, span.value?))).collect())
    }

    /// Returns the fields that were learned to be volatile, also those that are compared nevertheless.
    ///
    /// # Errors
    /// [`StoreError::Database`] if they cannot be read.
    pub fn volatile(&self, site: &str) -> Result<Vec<VolatileField>, StoreError> {
        let connection = self.lock();
        let mut find = connection.prepare_cached(
            "SELECT kind, field, learned_at, is_compared FROM volatile WHERE site = ?1 ORDER BY kind, field",
        )?;
        let mut rows = find.query([site])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let Some(kind) = Kind::named(&row.get::<_, String>(0)?) else { continue };
            let (field, learned_at, is_compared) = (row.get(1)?, row.get(2)?, row.get(3)?);
            found.push(VolatileField { kind, field, learned_at, is_compared });
        }
        Ok(found)
    }

    /// Stores fields that were learned to be volatile. A field that a user wants compared nevertheless is still
    /// compared.
    ///
    /// # Errors
    /// [`StoreError::Database`] if they cannot be written.
    pub fn learn(&self, site: &str, fields: &BTreeSet<(Kind, String)>, at: i64) -> Result<(), StoreError> {
        let connection = self.lock();
        let mut add = connection.prepare_cached(
            "INSERT INTO volatile (site, kind, field, learned_at, is_compared) VALUES (?1, ?2, ?3, ?4, 0)
             ON CONFLICT DO NOTHING",
        )?;
        for (kind, field) in fields {
            add.execute(params![site, kind.name(), field, at])?;
        }
        Ok(())
    }

    /// Sets whether a volatile field is compared.
    ///
    /// # Errors
    /// [`StoreError::Database`] if it cannot be written.
    pub fn set_compared(
        &self,
        site: &str,
        kind: Kind,
        field: &str,
        is_compared: bool,
    ) -> Result<(), StoreError> {
        self.lock().execute(
            "UPDATE volatile SET is_compared = ?4 WHERE site = ?1 AND kind = ?2 AND field = ?3",
            params![site, kind.name(), field, is_compared],
        )?;
        Ok(())
    }

    /// Returns the substitutions between two sides; `None` if none were saved.
    ///
    /// # Errors
    /// [`StoreError::Database`] or [`StoreError::Damaged`] if they cannot be read.
    pub fn substitutions(
        &self,
        left: &str,
        right: &str,
    ) -> Result<Option<Vec<SavedSubstitution>>, StoreError> {
        let connection = self.lock();
        let mut find = connection
            .prepare_cached("SELECT pairs FROM substitutions WHERE left_side = ?1 AND right_side = ?2")?;
        let pairs = find.query_row([left, right], |row| row.get::<_, String>(0)).optional()?;
        Ok(pairs.map(|pairs| serde_json::from_str(&pairs)).transpose()?)
    }

    /// Stores the substitutions between two sides.
    ///
    /// # Errors
    /// [`StoreError::Database`] if they cannot be written.
    pub fn set_substitutions(
        &self,
        left: &str,
        right: &str,
        pairs: &[SavedSubstitution],
    ) -> Result<(), StoreError> {
        self.lock().execute(
            "REPLACE INTO substitutions (left_side, right_side, pairs) VALUES (?1, ?2, ?3)",
            params![left, right, serde_json::to_string(pairs)?],
        )?;
        Ok(())
    }

    /// Returns the differences of a site, or between two sides, that were accepted.
    ///
    /// # Errors
    /// [`StoreError::Database`] if they cannot be read.
    pub fn accepted(&self, site: &str) -> Result<BTreeMap<Key, Accepted>, StoreError> {
        let connection = self.lock();
        let mut find = connection.prepare_cached(
            "SELECT kind, place, name, value, reason, at, who, other FROM accepted WHERE site = ?1",
        )?;
        let mut rows = find.query([site])?;
        let mut found = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let Some(key) = key(row)? else { continue };
            let (value, other) = (row.get(3)?, row.get(7)?);
            let accepted = Accepted { value, other, reason: row.get(4)?, at: row.get(5)?, who: row.get(6)? };
            found.insert(key, accepted);
        }
        Ok(found)
    }

    /// Stores the acceptance of a difference; `None` removes it.
    ///
    /// # Errors
    /// [`StoreError::Database`] if it cannot be written.
    pub fn accept(&self, site: &str, key: &Key, accepted: Option<&Accepted>) -> Result<(), StoreError> {
        let connection = self.lock();
        let (kind, place, name) = (key.kind.name(), &key.place, &key.name);
        match accepted {
            Some(Accepted { value, other, reason, at, who }) => connection.execute(
                "REPLACE INTO accepted (site, kind, place, name, value, reason, at, who, other)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                params![site, kind, place, name, value, reason, at, who, other],
            )?,
            None => connection.execute(
                "DELETE FROM accepted WHERE site = ?1 AND kind = ?2 AND place = ?3 AND name = ?4",
                params![site, kind, place, name],
            )?,
        };
        Ok(())
    }

    /// Removes everything of a site.
    ///
    /// # Errors
    /// [`StoreError::Database`] if it cannot be removed.
    pub fn forget(&self, site: &str) -> Result<(), StoreError> {
        let mut connection = self.lock();
        let all = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for table in ["snapshot", "volatile", "accepted"] {
            all.execute(&format!("DELETE FROM {table} WHERE site = ?1"), [site])?;
        }
        // Acceptances and substitutions between two sides name the site of each side first.
        all.execute(
            "DELETE FROM accepted WHERE instr(site, ?1 || ' ') = 1 OR instr(site, '|' || ?1 || ' ') > 0",
            [site],
        )?;
        all.execute(
            "DELETE FROM substitutions WHERE instr(left_side, ?1 || ' ') = 1 OR instr(right_side, ?1 || ' ') = 1",
            [site],
        )?;
        all.execute("DELETE FROM span WHERE resource IN (SELECT id FROM resource WHERE site = ?1)", [site])?;
        remove_unused(&all)?;
        Ok(all.commit()?)
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        // Poisoning is ignored: each change is a transaction, which a panic rolls back.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The newest span of a resource.
#[derive(Debug)]
struct Span {
    resource: i64,
    since: i64,
    until: i64,
    first: i64,
    value: Option<i64>,
    sha256: Option<Vec<u8>>,
}

impl Span {
    fn has(&self, value: &Value) -> bool {
        self.sha256.as_deref() == Some(&value.sha256[..])
    }
}

/// Stores a value unless it is there, and returns its number.
fn stored(all: &Connection, value: &Value) -> rusqlite::Result<i64> {
    let mut find = all.prepare_cached("SELECT id FROM value WHERE sha256 = ?1")?;
    if let Some(id) = find.query_row([&value.sha256], |row| row.get(0)).optional()? {
        return Ok(id);
    }
    let mut add = all.prepare_cached("INSERT INTO value (sha256, fields) VALUES (?1, ?2)")?;
    add.insert(params![value.sha256, value.fields])
}

/// Stores that a resource has a value in the snapshot `id`, which follows the snapshot `before`.
fn extend(
    all: &Transaction<'_>,
    resource: i64,
    span: Option<&Span>,
    id: i64,
    before: Option<i64>,
    value: Option<i64>,
) -> rusqlite::Result<()> {
    match span {
        Some(span) if span.value == value && Some(span.until) == before => {
            let mut extend =
                all.prepare_cached("UPDATE span SET until = ?3 WHERE resource = ?1 AND since = ?2")?;
            extend.execute(params![resource, span.since, id])?;
        }
        span => {
            // After snapshots that did not read it, the resource has had an equal value since the earlier span.
            let first = span.filter(|span| span.value == value).map_or(id, |span| span.first);
            let mut begin = all.prepare_cached(
                "INSERT INTO span (resource, since, until, first, value) VALUES (?1, ?2, ?2, ?3, ?4)",
            )?;
            begin.execute(params![resource, id, first, value])?;
        }
    }
    Ok(())
}

fn resource(all: &Transaction<'_>, site: &str, key: &Key) -> rusqlite::Result<i64> {
    let mut add =
        all.prepare_cached("INSERT INTO resource (site, kind, place, name) VALUES (?1, ?2, ?3, ?4)")?;
    add.insert(params![site, key.kind.name(), key.place, key.name])
}

fn last_taken(connection: &Connection, site: &str) -> rusqlite::Result<Option<i64>> {
    connection.query_row("SELECT max(id) FROM snapshot WHERE site = ?1 AND failure IS NULL", [site], |row| {
        row.get(0)
    })
}

fn newest_spans(all: &Connection, site: &str) -> rusqlite::Result<BTreeMap<Key, Span>> {
    let mut find = all.prepare_cached(
        "SELECT kind, place, name, span.value, resource.id, since, until, first, sha256
         FROM resource JOIN span ON span.resource = resource.id LEFT JOIN value ON value.id = span.value
         WHERE site = ?1 AND since = (SELECT max(since) FROM span WHERE resource = resource.id)",
    )?;
    let mut rows = find.query([site])?;
    let mut found = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let Some(key) = key(row)? else { continue };
        let (value, resource) = (row.get(3)?, row.get(4)?);
        let (since, until, first, sha256) = (row.get(5)?, row.get(6)?, row.get(7)?, row.get(8)?);
        found.insert(key, Span { resource, since, until, first, value, sha256 });
    }
    Ok(found)
}

/// Returns the key in the first three columns; `None` for a kind of a later version.
fn key(row: &rusqlite::Row<'_>) -> rusqlite::Result<Option<Key>> {
    let kind = Kind::named(&row.get::<_, String>(0)?);
    let (place, name) = (row.get(1)?, row.get(2)?);
    Ok(kind.map(|kind| Key { kind, place, name }))
}

/// Removes the snapshots of a site that are too old, and what only they had.
fn remove_old(all: &Transaction<'_>, site: &str, now: i64) -> rusqlite::Result<()> {
    let removed = all.execute(
        "DELETE FROM snapshot WHERE site = ?1 AND at < ?2 AND id NOT IN
             (SELECT id FROM snapshot WHERE site = ?1 ORDER BY id DESC LIMIT ?3)",
        params![site, now - KEPT, KEPT_NEWEST],
    )?;
    if removed > 0 {
        all.execute(
            "DELETE FROM span WHERE resource IN (SELECT id FROM resource WHERE site = ?1)
             AND until < (SELECT min(id) FROM snapshot WHERE site = ?1)",
            [site],
        )?;
        remove_unused(all)?;
    }
    Ok(())
}

fn remove_unused(all: &Transaction<'_>) -> rusqlite::Result<()> {
    all.execute_batch(
        "DELETE FROM resource WHERE id NOT IN (SELECT resource FROM span);
         DELETE FROM value WHERE id NOT IN
             (SELECT value FROM span WHERE value IS NOT NULL UNION SELECT value FROM accepted WHERE value IS NOT NULL
              UNION SELECT other FROM accepted WHERE other IS NOT NULL);",
    )
}

/// Returns whether the file has the tables of this format; `false` if it has none yet.
fn accept(connection: &Connection) -> Result<bool, StoreError> {
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    match (pragma("application_id")?, pragma("user_version")?) {
        (0, 0) if tables == 0 => Ok(false),
        (APPLICATION_ID, FORMAT) => Ok(true),
        (APPLICATION_ID, newer) if newer > FORMAT => Err(StoreError::Newer(newer)),
        _ => Err(StoreError::NotOurs),
    }
}

fn definitions(connection: &Connection) -> rusqlite::Result<Vec<Option<String>>> {
    // SQLite makes a table of its own for AUTOINCREMENT, and statistics might follow.
    let sql = "SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite%' ORDER BY name";
    connection.prepare(sql)?.query_map([], |row| row.get(0))?.collect()
}

/// Creates the file so that only the user can read it, before SQLite does.
#[cfg(unix)]
fn make_private(path: &Path) {
    use std::os::unix::fs::OpenOptionsExt as _;
    // An error is ignored: SQLite reports it next.
    drop(std::fs::OpenOptions::new().create(true).append(true).mode(0o600).open(path));
}

#[cfg(test)]
mod tests;
