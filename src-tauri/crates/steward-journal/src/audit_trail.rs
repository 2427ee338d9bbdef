//! The audit trail of a journal for its callers: appending, verification, and reading for an export.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::thread::JoinHandle;

use rusqlite::{Connection, OptionalExtension};
use serde::Deserialize;

use crate::journal::{Journal, JournalError};
use crate::salvage::{Order, is_damage, is_view, optional_text, text, unless_damaged};
use crate::schema;
use crate::trail::export::{Entry, Selection};
use crate::trail::records::{self, RecordWalk};
use crate::trail::verification::{self, Walk};
use crate::trail::{self, Break, Damage, Event, Head, record_indexes};

/// Entries that are read at a time: an operation that begins meanwhile must not wait for the whole trail.
const AT_ONCE: u32 = 10_000;

/// Breaks that one verification writes into the chain. The next one finds the others.
const MOST_BREAKS: usize = 100;

/// State of the audit trail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrailStatus {
    /// Head of the chain; `None` if it has not begun.
    pub head: Option<Head>,
    /// Last entry that was verified; 0 if none was.
    pub verified_through: i64,
    /// Places where the chain, or a record, did not hold, by the events of the chain. They are never removed.
    pub breaks: Vec<Break>,
    /// Number of further places that the last verification found. The next verifications add their events.
    pub further: u32,
    /// Heads that the app kept and that the chain does not have, by the events of the chain. They are never removed.
    pub rolled_back: Vec<RolledBack>,
}

/// A head that the app kept elsewhere, and that the chain does not have.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RolledBack {
    /// Where it was kept: `forwarded`, or `dailyCopy`.
    pub kept_in: String,
    /// Identifier of its history.
    pub history: String,
    /// Number of its entry.
    pub entry: i64,
    /// SHA-256 of its envelope.
    pub sha256: String,
}

/// An event that holds until another one replaces it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandingEvent {
    /// Kind, for example `forwarding.turned-on`.
    pub kind: String,
    /// Body; `null` if it is missing or not JSON.
    pub body: serde_json::Value,
}

/// Result of a verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// First entry that was verified.
    pub from: i64,
    /// Last entry that was verified.
    pub through: i64,
    /// All places where the chain, or a record with an event in it, does not hold.
    pub breaks: Vec<Break>,
    /// Whether the caller stopped it. Then it left no entry in the chain.
    pub is_stopped: bool,
}

/// Entries that follow a head.
#[derive(Debug, Default)]
pub struct Following {
    /// The entries, in their order.
    pub entries: Vec<Entry>,
    /// Head of the last one; `None` without entries.
    pub last: Option<Head>,
    /// Number of entries after the last one.
    pub further: i64,
}

impl Journal {
    /// Appends an event, without secrets. It is on disk when this function returns.
    ///
    /// What the journal itself writes (intents, outcomes, and their resolutions) is appended in the same transaction.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the entry cannot be written.
    pub fn append(&self, event: &Event) -> Result<(), JournalError> {
        self.append_all(std::slice::from_ref(event))
    }

    /// Appends events in one transaction: all of them, or none.
    ///
    /// # Errors
    ///
    /// Those of [`append`](Self::append).
    pub fn append_all(&self, events: &[Event]) -> Result<(), JournalError> {
        self.in_transaction(|transaction| {
            events.iter().try_for_each(|event| trail::append(transaction, event))
        })
    }

    /// Appends the events that `missing` returns for the events that hold until another one replaces them (rollbacks, changes
    /// of forwarding, files that cannot be read, in their order), in one transaction: the other process, which starts at the
    /// same time, appends none of them again.
    ///
    /// # Errors
    ///
    /// Those of [`append`](Self::append).
    pub fn append_missing(
        &self,
        missing: impl FnOnce(&[StandingEvent]) -> Vec<Event>,
    ) -> Result<(), JournalError> {
        // The index is used only as far as the last verification compared it. It might lack a later entry.
        let strict = |connection: &Connection| {
            let indexed = verification::trusted_mark(connection)?.map_or(0, |mark| mark.through);
            standing(connection, indexed)
        };
        let beside = self.around_damage(strict, readable_standing)?;
        self.in_transaction(|transaction| {
            let known = beside.map_or_else(|| strict(transaction), Ok)?;
            missing(&known).iter().try_for_each(|event| trail::append(transaction, event))
        })
    }

    /// Reads around damage what a transaction needs to know before it writes: once a transaction has read damage,
    /// SQLite writes nothing more in it. `None` if there is no damage, so that the transaction can read by itself.
    fn around_damage<T>(
        &self,
        strict: impl FnOnce(&Connection) -> rusqlite::Result<T>,
        around: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, JournalError> {
        let connection = self.lock();
        let found = match strict(&connection) {
            Err(error) if is_damage(&error) => around(&connection).map(Some),
            read => read.map(|_| None),
        };
        found.map_err(|source| self.failed(source))
    }

    /// Appends that the program started, with the SHA-256 of the policy of the organization (empty if there is none), and
    /// what changed since the start before: the version of the program, and the policy.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the entries cannot be written.
    pub fn append_start(&self, policy_sha256: &str) -> Result<(), JournalError> {
        let (program, policy) = (env!("CARGO_PKG_VERSION").to_owned(), policy_sha256.to_owned());
        let beside = self.around_damage(verification::last_start, |_| Ok(None))?;
        self.in_transaction(|transaction| {
            let before = beside.map_or_else(|| verification::last_start(transaction), Ok)?;
            let mut events = vec![Event::AppStarted { policy_sha256: policy.clone() }];
            match before {
                Some(before) => {
                    if before.program != program {
                        events.push(Event::ProgramUpdated { from: before.program, to: program });
                    }
                    if before.policy_sha256 != policy {
                        events.push(Event::PolicyChanged { before: before.policy_sha256, after: policy });
                    }
                }
                None if !policy.is_empty() => {
                    events.push(Event::PolicyChanged { before: String::new(), after: policy });
                }
                None => {}
            }
            events.iter().try_for_each(|event| trail::append(transaction, event))
        })
    }

    /// Returns what is known of the audit trail, without a verification.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the trail cannot be read.
    pub fn trail_status(&self) -> Result<TrailStatus, JournalError> {
        let connection = self.lock();
        let read = || {
            Ok(TrailStatus {
                head: trail::head(&connection)?,
                verified_through: unless_damaged(verification::last_mark(&connection))?
                    .map_or(0, |mark| mark.through),
                breaks: {
                    let mut breaks = match verification::known_breaks(&connection) {
                        Err(error) if is_damage(&error) => verification::readable_breaks(&connection)?,
                        known => known?,
                    };
                    let unwritten = self.unwritten().clone();
                    breaks.extend(
                        unwritten.into_iter().filter(|one| !breaks.contains(one)).collect::<Vec<_>>(),
                    );
                    breaks
                },
                further: verification::further(&connection)?,
                rolled_back: match rolled_back(&connection) {
                    Err(error) if is_damage(&error) => readable_rolled_back(&connection)?,
                    rolled_back => rolled_back?,
                },
            })
        };
        read().map_err(|source| self.failed(source))
    }

    /// Verifies the entries since the last verification, and the records that they are about; everything if the indexes of
    /// the trail have other entries than they had then.
    ///
    /// # Errors
    ///
    /// Those of [`verify_trail`](Self::verify_trail).
    pub fn verify_new_entries(&self) -> Result<Verified, JournalError> {
        let connection = self.lock();
        let begin = || match verification::trusted_mark(&connection)? {
            Some(mark) => Walk::since(&connection, &mark),
            None => Ok(Walk::whole()),
        };
        let walk = match begin() {
            // An index that leads nowhere, or a damaged page: a walk through all finds which.
            Err(error) if is_damage(&error) => Ok(Walk::whole()),
            walk => walk,
        };
        drop(connection);
        self.verify(walk.map_err(|source| self.failed(source))?, &mut |_| ControlFlow::Continue(()))
    }

    /// Verifies the whole audit trail, and all records. `progress` gets the number of the last verified entry, and can stop it.
    ///
    /// The chain then tells that it was verified, or where it does not hold. It is never repaired: what is appended next is
    /// a new segment.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the trail cannot be read, or its result cannot be written.
    pub fn verify_trail(
        &self,
        progress: &mut dyn FnMut(i64) -> ControlFlow<()>,
    ) -> Result<Verified, JournalError> {
        self.verify(Walk::whole(), progress)
    }

    fn verify(
        &self,
        mut walk: Walk,
        progress: &mut dyn FnMut(i64) -> ControlFlow<()>,
    ) -> Result<Verified, JournalError> {
        let stopped = |walk: &Walk| {
            let Walk { from, through, breaks, .. } = walk.clone();
            Ok(Verified { from, through, breaks, is_stopped: true })
        };
        // Two more threads read as much as the walk at the same time. If the caller stops the walk, they end by themselves.
        let beside = if walk.from > 1 { None } else { Some((self.snapshot()?, self.snapshot()?)) };
        let beside = beside.map(|(indexes, records)| {
            (
                std::thread::spawn(move || record_indexes::differing(&indexes.lock())),
                std::thread::spawn(move || RecordWalk::whole(&records.lock())),
            )
        });
        while walk.go_on(&self.lock(), AT_ONCE).map_err(|source| self.failed(source))? {
            if progress(walk.through).is_break() {
                return stopped(&walk);
            }
        }
        let told = std::mem::take(&mut walk.told);
        let mut has_gap = false;
        let (suspects, differing) = match beside {
            None => {
                let mut suspects = told.into_suspects();
                suspects.extend(records::newest_untold(&self.lock()).map_err(|source| self.failed(source))?);
                (suspects, Vec::new())
            }
            Some((indexes, records)) => {
                let records = joined(records).map_err(|source| self.failed(source))?;
                let gap = records.unreadable();
                has_gap = gap.is_some();
                walk.breaks.extend(gap);
                (records.into_suspects(told), joined(indexes).map_err(|source| self.failed(source))?)
            }
        };
        if walk.next_is_first() && walk.breaks.is_empty() {
            // Nothing was there to verify.
            let Walk { from, through, breaks, .. } = walk;
            return Ok(Verified { from, through, breaks, is_stopped: false });
        }
        let (from, through, head) = (walk.from, walk.through, walk.head.clone());
        let mut found = Vec::new();
        let known = self.around_damage(verification::known_breaks, verification::readable_breaks)?;
        let written = self.in_transaction(|transaction| {
            // Compare the indexes before the known breaks are read by one of them.
            let rest = walk.rest(transaction)?;
            walk.compare_indexes(transaction, &rest)?;
            differing.iter().for_each(|one| walk.differing(one));
            let mut breaks = std::mem::take(&mut walk.breaks);
            let known = known.map_or_else(|| verification::known_breaks(transaction), Ok)?;
            let known: BTreeSet<_> = known.into_iter().collect();
            for suspect in &suspects {
                breaks.extend(suspect.differs(transaction, &rest.told)?);
            }
            found.clone_from(&breaks);
            // An index is rebuilt after each verification, so that a break of it is always a new one.
            let is_new = |one: &Break| one.what == Damage::Index || !known.contains(one);
            let new: Vec<_> = breaks.into_iter().filter(is_new).collect();
            let places = new.len() + walk.not_kept;
            if places == 0 {
                let indexes_sha256 = verification::indexes_sha256(transaction, through)?;
                trail::append(transaction, &Event::ChainVerified { from, through, head, indexes_sha256 })?;
            } else {
                let further = places.checked_sub(MOST_BREAKS).filter(|further| *further > 0);
                for place in new.into_iter().take(MOST_BREAKS) {
                    trail::append(transaction, &Event::ChainBroken { place, further })?;
                }
            }
            Ok(())
        });
        // Of records that cannot all be read, an index would lack some.
        for one in differing.into_iter().filter(|_| !has_gap) {
            let connection = self.lock();
            // In a transaction of its own: if this reads damage, SQLite writes nothing more in the transaction.
            if connection.execute_batch(one.made_anew_by).is_err() && !connection.is_autocommit() {
                let _ = connection.execute_batch("ROLLBACK");
            }
        }
        let breaks = match written {
            // The breaks are shown although their events could not be written.
            Err(_) if !found.is_empty() => {
                self.unwritten().clone_from(&found);
                found
            }
            written => {
                written?;
                self.unwritten().clear();
                found
            }
        };
        Ok(Verified { from, through, breaks, is_stopped: false })
    }

    /// Reads the entries of a selection in their order, up to the number `through`, and passes each to `each`. Entries
    /// without a body, or with one that the selection does not have, have `None`.
    ///
    /// # Errors
    ///
    /// - [`JournalError::Database`] if the trail cannot be read.
    /// - Those of `each`.
    pub fn read_trail<E: From<JournalError>>(
        &self,
        selection: &Selection,
        through: i64,
        mut each: impl FnMut(&Entry) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut after = 0;
        loop {
            let part = selection.read(&self.lock(), after, AT_ONCE).map_err(|source| self.failed(source))?;
            let Some(last) = part.last() else { return Ok(()) };
            after = last.seq;
            part.iter().filter(|entry| entry.seq <= through).try_for_each(&mut each)?;
            if after >= through {
                return Ok(());
            }
        }
    }

    /// Returns the name that a site had in its last record; `None` if it has none.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the journal cannot be read.
    pub fn last_name_of(&self, site: &str) -> Result<Option<String>, JournalError> {
        let sql = "SELECT site_name FROM record WHERE site = ?1 ORDER BY sequence DESC LIMIT 1";
        let connection = self.lock();
        let name = connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_row([site], |row| text(row, 0)).optional());
        name.map_err(|source| self.failed(source))
    }

    /// Reads at most `limit` entries of a selection, newest first, that are older than the entry `before`; `None` for the
    /// newest.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the trail cannot be read.
    pub fn trail_page(
        &self,
        selection: &Selection,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<Entry>, JournalError> {
        let mut found = Vec::new();
        let mut before = before.unwrap_or(i64::MAX);
        while found.len() < limit as usize {
            let read = selection.read_older(&self.lock(), before, AT_ONCE);
            let (mut part, last) = read.map_err(|source| self.failed(source))?;
            found.append(&mut part);
            let Some(last) = last else { break };
            before = last;
        }
        found.truncate(limit as usize);
        Ok(found)
    }

    /// Returns how many bodies are missing up to an entry.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the trail cannot be read.
    pub(crate) fn missing_bodies(&self, through: i64) -> Result<i64, JournalError> {
        let connection = self.lock();
        let count = || {
            let sql = "SELECT sequence, typeof(body) = 'null' FROM trail NOT INDEXED WHERE sequence BETWEEN 1 AND ?1 ORDER BY sequence";
            let mut statement = connection.prepare(sql)?;
            let mut rows = statement.query([through])?;
            let (mut missing, mut next) = (0, Some(1));
            while let Some(row) = rows.next()? {
                next = Order::OldestFirst.step(row.get(0)?, next)?;
                missing += row.get::<_, i64>(1)?;
            }
            Ok(missing)
        };
        unless_damaged(count()).map_err(|source| self.failed(source))
    }

    /// Returns a record as it is stored, in the one line whose hash its events have.
    ///
    /// # Errors
    ///
    /// - [`JournalError::NoSuchRecord`] if the record does not exist.
    /// - [`JournalError::Database`] if it cannot be read.
    pub(crate) fn stored_line(&self, record: &str) -> Result<String, JournalError> {
        let read = trail::record_line(&self.lock(), record).map_err(|source| self.failed(source))?;
        read.ok_or_else(|| JournalError::NoSuchRecord(record.to_owned()))
    }

    /// Reads at most `limit` entries that follow the head `known`, with the head of the last one, and how many entries
    /// follow it. Begins with the first entry if the trail does not have `known`: it is another history then, or an older
    /// copy of it was restored.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the trail cannot be read.
    pub fn entries_after(&self, known: Option<&Head>, limit: u32) -> Result<Following, JournalError> {
        let connection = self.lock();
        let read = || {
            let Some(head) = trail::head(&connection)? else { return Ok(Following::default()) };
            let after = match known {
                Some(known) if has(&connection, known)? => known.entry,
                _ => 0,
            };
            let entries = Selection::default().read(&connection, after, limit)?;
            let last = entries.last().map(|last| Head {
                history: head.history.clone(),
                entry: last.seq,
                hash: trail::hash(&last.envelope),
            });
            let further = head.entry - last.as_ref().map_or(after, |last| last.entry);
            Ok(Following { entries, last, further })
        };
        read().map_err(|source| self.failed(source))
    }

    /// Reads what the trail has of snapshots, oldest first: which were taken, which sites were changed, and which files could not be
    /// read. An operation that begins meanwhile does not wait for all of it.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the trail cannot be read.
    pub fn entries_about_snapshots(&self) -> Result<Vec<Entry>, JournalError> {
        let all = verification::trusted_positions(&self.lock(), &verification::SNAPSHOTS_INDEX);
        let mut found = Vec::new();
        for place in all.map_err(|source| self.failed(source))? {
            let read = Selection::default().read(&self.lock(), place - 1, 1);
            let entry = read.map_err(|source| self.failed(source))?.pop();
            // One that cannot be read is passed over.
            found.extend(entry.filter(|entry| entry.seq == place));
        }
        Ok(found)
    }

    /// Compares the trail with a head that the app kept in `kept_in`, and returns whether the trail has its entry. If
    /// it does not, an event is appended, once for each head.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the trail cannot be read or written.
    pub fn compare_head(&self, kept_in: &str, kept: &Head) -> Result<bool, JournalError> {
        let beside = self.around_damage(rolled_back, readable_rolled_back)?;
        self.in_transaction(|transaction| {
            if has(transaction, kept)? {
                return Ok(true);
            }
            let Head { history, entry, hash } = kept.clone();
            let lost = RolledBack { kept_in: kept_in.to_owned(), history, entry, sha256: hash };
            let known = beside.map_or_else(|| rolled_back(transaction), Ok)?;
            if !known.contains(&lost) {
                let RolledBack { kept_in, history, entry, sha256 } = lost;
                trail::append(transaction, &Event::ChainRolledBack { kept_in, history, entry, sha256 })?;
            }
            Ok(false)
        })
    }

    /// Returns the head of the trail in a copy of a journal; `None` if it has none, or the file is something else.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the copy cannot be read.
    pub fn head_of_copy(path: &Path) -> Result<Option<Head>, JournalError> {
        let read = || {
            if !schema::is_of_release(path) {
                return Ok(None);
            }
            let copy = schema::read_only(path)?;
            if is_view(&copy, "trail")? { Ok(None) } else { trail::head(&copy) }
        };
        read().map_err(|source| JournalError::Database { path: path.to_owned(), source })
    }
}

/// Returns the result of a thread, or panics as it did.
fn joined<T>(thread: JoinHandle<T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Returns whether the trail has the entry of a head. The hash alone decides: the identifier of the history is in the body of the
/// first entry, which can be damaged while the entry of the head is there.
fn has(connection: &Connection, known: &Head) -> rusqlite::Result<bool> {
    let at = Selection::default().read(connection, known.entry.saturating_sub(1), 1)?;
    Ok(at.first().is_some_and(|entry| entry.seq == known.entry && trail::hash(&entry.envelope) == known.hash))
}

/// Condition of the partial index `trail_states`: SQLite uses the index only for the same condition.
const STATES: &str = "kind IN ('chain.rolled-back', 'forwarding.turned-on', 'forwarding.changed', \
                      'forwarding.turned-off', 'file.unreadable', 'file.resolved')";

/// Reads the events that hold until another one replaces them: up to the entry `indexed` by the index, and by the table from there on.
fn standing(connection: &Connection, indexed: i64) -> rusqlite::Result<Vec<StandingEvent>> {
    let sql = format!(
        "SELECT sequence, kind, body FROM trail INDEXED BY trail_states WHERE {STATES} AND sequence BETWEEN 1 AND ?1
         UNION ALL SELECT sequence, kind, body FROM trail NOT INDEXED WHERE {STATES} AND sequence > max(?1, 0) ORDER BY sequence"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let events = statement.query_map([indexed], |row| {
        let body = serde_json::from_str(&optional_text(row, 2)?.unwrap_or_default()).unwrap_or_default();
        Ok(StandingEvent { kind: text(row, 1)?, body })
    })?;
    events.collect()
}

/// Reads those of [`standing`] that can be read.
fn readable_standing(connection: &Connection) -> rusqlite::Result<Vec<StandingEvent>> {
    let events = verification::readable(connection, &verification::STATES_INDEX)?.into_iter();
    let event = |(kind, body): (String, String)| StandingEvent {
        kind,
        body: serde_json::from_str(&body).unwrap_or_default(),
    };
    Ok(events.map(event).collect())
}

fn rolled_back(connection: &Connection) -> rusqlite::Result<Vec<RolledBack>> {
    Ok(of_rolled_back(standing(connection, i64::MAX)?))
}

fn readable_rolled_back(connection: &Connection) -> rusqlite::Result<Vec<RolledBack>> {
    Ok(of_rolled_back(readable_standing(connection)?))
}

fn of_rolled_back(events: Vec<StandingEvent>) -> Vec<RolledBack> {
    let events = events.into_iter().filter(|event| event.kind == "chain.rolled-back");
    events.filter_map(|event| serde_json::from_value(event.body).ok()).collect()
}
