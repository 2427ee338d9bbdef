//! Reads and writes history entries.
//!
//! [`Journal`] owns the connection to the SQLite file; the other modules add methods to it. Every change is one
//! statement or one transaction, so that a crash leaves it whole or absent.

mod error;
mod reports;
mod successes;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension, Params, Row, ToSql, Transaction, TransactionBehavior, params};
use steward_redact as redact;

use crate::checksum::{self, Table};
use crate::opened::Opened;
use crate::process::Process;
use crate::record::{Batch, Conclusion, Facts, Intent, Outcome, StoredRecord, StoredResponse, Whole};
use crate::report::Report;
use crate::salvage::{self, is_damage, number, optional_text, text};
use crate::schema::{self, SchemaError};
use crate::search::{DamagedRecords, Filter, Listed, Page, Rows};
use crate::trail::{self, Break, Event};
use crate::workstation::Workstation;

pub use error::{Fault, JournalError};

/// Times after the year 9999 are damage, in milliseconds since 1970.
const MOST_MILLIS: i64 = 253_402_300_800_000;

/// Open journal. Clones share one connection.
#[derive(Clone)]
pub struct Journal {
    path: PathBuf,
    process: Process,
    connection: Arc<Mutex<Connection>>,
    opened: Arc<Opened>,
    /// Breaks that a verification found and could not write into the chain.
    unwritten: Arc<Mutex<Vec<Break>>>,
}

/// Columns that [`record`] reads, in this order. `typeof` does not read the report, which can be megabytes; `IS NOT
/// NULL` would.
pub(crate) const COLUMNS: &str = "record.sequence, record.id, site, site_name, environment, site_version, operation, username,
    program_version, parameters, requests, started_at, ended_at, elapsed, outcome, note, typeof(report) <> 'null',
    EXISTS (SELECT 1 FROM outcome_resolution WHERE outcome_resolution.record = record.id), system_user, computer,
    facts, server, server_name, reason, batch, batch_size, process";

/// Number of [`COLUMNS`]: the place of the first column after them.
const WIDTH: usize = 27;

/// Beginning of the condition for records without a parameter, which follows as [`as_stored`] returns it.
pub(crate) const LACKS_PARAMETER: &str = "NOT instr(parameters,";

/// Returns a parameter as it is stored in the column `parameters`. No value of another parameter contains the same
/// text: its quotation marks are escaped.
pub(crate) fn as_stored(parameter: (&str, &str)) -> String {
    serde_json::json!(parameter).to_string()
}

/// An operation on a site that succeeded, for the statements that read no whole records.
pub(crate) const SUCCEEDED: &str = "outcome IN ('succeeded', 'warnings')";

impl Journal {
    /// Opens the journal at `path` as the window does, or creates it.
    ///
    /// # Errors
    ///
    /// Those of [`open_as`](Self::open_as).
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        Self::open_as(path, Process::Window)
    }

    /// Opens the journal at `path` as a process of the app, or creates it.
    ///
    /// Entries of this process without an outcome become [`Outcome::Unknown`]: it ended before the response. Those of the
    /// other process are left alone: it might still wait.
    ///
    /// # Errors
    ///
    /// - [`JournalError::Newer`] if a newer version of the program wrote the journal.
    /// - [`JournalError::NotOurs`] if the file is not a journal.
    /// - [`JournalError::DamagedFile`] if the definitions of its tables were damaged on disk.
    /// - [`JournalError::Database`] if the file cannot be opened, created, or written.
    pub fn open_as(path: &Path, process: Process) -> Result<Self, JournalError> {
        let journal = Self::open_beside(path, process)?;
        match journal.mark_unknown_of(process) {
            // A damaged journal is opened as it is, so that its damage can be shown.
            Err(error) if !is_damage(&error) => Err(journal.failed(error)),
            _ => Ok(journal),
        }
    }

    /// Opens the journal at `path` while another process of the same kind uses it, whose entries are left alone.
    ///
    /// # Errors
    ///
    /// Those of [`open_as`](Self::open_as).
    pub fn open_beside(path: &Path, process: Process) -> Result<Self, JournalError> {
        let path = path.to_owned();
        let connection = match schema::open(&path) {
            Ok(connection) => connection,
            Err(SchemaError::Newer(found)) => return Err(JournalError::Newer { path, found }),
            Err(SchemaError::NotOurs) => return Err(JournalError::NotOurs { path }),
            Err(SchemaError::Damaged) => return Err(JournalError::DamagedFile { path }),
            Err(SchemaError::Database(source)) => return Err(JournalError::Database { path, source }),
        };
        let opened = Arc::new(Opened::of(&path));
        let connection = Arc::new(Mutex::new(connection));
        Ok(Self { path, process, connection, opened, unwritten: Arc::default() })
    }

    /// Returns the journal as it is at this moment, to be read. Records and events that are read from it belong together,
    /// whatever is written meanwhile.
    ///
    /// # Errors
    ///
    /// [`JournalError::Database`] if the file cannot be read.
    pub(crate) fn snapshot(&self) -> Result<Self, JournalError> {
        let connection = self.is_in_place().and_then(|()| schema::open_snapshot(&self.path));
        let connection = connection.map_err(|source| self.failed(source))?;
        let connection = Arc::new(Mutex::new(connection));
        Ok(Self { connection, unwritten: Arc::default(), ..self.clone() })
    }

    /// Marks what the runner left without an outcome. Call it only if no runner runs.
    ///
    /// # Errors
    ///
    /// [`JournalError::Database`] if the journal cannot be read or written.
    pub fn mark_unknown_of_runner(&self) -> Result<(), JournalError> {
        self.mark_unknown_of(Process::Runner).map_err(|error| self.failed(error))
    }

    /// Marks what has no outcome, because a process ended before the response.
    fn mark_unknown_of(&self, process: Process) -> rusqlite::Result<()> {
        let mut connection = self.lock();
        let open = |sql: &str, parameters: &[&dyn ToSql]| -> rusqlite::Result<Vec<String>> {
            connection.prepare(sql)?.query_map(parameters, |row| text(row, 0))?.collect()
        };
        let records =
            open("SELECT id FROM record WHERE outcome = 'sent' AND process = ?1", &[&process.name()])?;
        let deactivations = match process {
            Process::Window => open("SELECT id FROM deactivation WHERE state = 'intended'", &[])?,
            // The runner deactivates no webhooks.
            Process::Runner => Vec::new(),
        };
        let transaction = self.begin(&mut connection)?;
        for id in records {
            let sql = "UPDATE record SET outcome = 'unknown' WHERE id = ?1";
            // A damaged identifier, which is no text, finds no row.
            if change_record(&transaction, &id, sql, [&id])? > 0 {
                append(&transaction, trail::ended(&transaction, &id)?)?;
            }
        }
        for id in deactivations {
            let sql = "UPDATE deactivation SET state = 'unknown' WHERE id = ?1";
            change(&transaction, Table::Deactivation, "id = ?1", &[&id], sql, [&id])?;
        }
        transaction.commit()
    }

    /// Returns whether a file is a journal of a version before the first release, which [`open`](Self::open) rejects.
    #[must_use]
    pub fn is_before_release(path: &Path) -> bool {
        schema::is_before_release(path)
    }

    /// Returns whether a file is a journal of a release.
    #[must_use]
    pub fn is_of_release(path: &Path) -> bool {
        schema::is_of_release(path)
    }

    /// Writes an entry, without secrets, before its request is sent, and returns its identifier.
    ///
    /// The entry is on disk when this function returns.
    ///
    /// # Errors
    ///
    /// - [`JournalError::Damaged`] if the parameters or requests cannot be serialized.
    /// - [`JournalError::Database`] if the entry cannot be written.
    ///
    /// The request must not be sent after an error.
    pub fn intend(&self, intent: &Intent) -> Result<String, JournalError> {
        self.insert(intent, None)
    }

    /// Writes an entry with its outcome, without secrets, and returns its identifier. Nothing is sent.
    ///
    /// The entry is on disk when this function returns.
    ///
    /// # Errors
    ///
    /// - [`JournalError::Damaged`] if the parameters, requests, or facts cannot be serialized.
    /// - [`JournalError::Database`] if the entry cannot be written.
    pub fn not_sent(&self, intent: &Intent, conclusion: &Conclusion) -> Result<String, JournalError> {
        self.insert(intent, Some(&Concluded::of(conclusion)?))
    }

    fn insert(&self, intent: &Intent, concluded: Option<&Concluded>) -> Result<String, JournalError> {
        let id = uuid::Uuid::new_v4().to_string();
        let intent = intent.redacted();
        let parameters = serde_json::to_string(&intent.parameters).map_err(JournalError::Damaged)?;
        let requests = serde_json::to_string(&intent.requests).map_err(JournalError::Damaged)?;
        let workstation = Workstation::this().redacted();
        let batch = intent.batch.clone().unwrap_or_default();
        let sql = Table::Record.insert(
            "?1 AS id, ?2 AS site, ?3 AS site_name, ?4 AS environment, ?5 AS site_version, ?6 AS operation,
             ?7 AS username, ?8 AS program_version, ?9 AS parameters, ?10 AS requests, ?11 AS started_at,
             ?12 AS outcome, ?13 AS system_user, ?14 AS computer, ?15 AS server,
             ?16 AS server_name, ?17 AS reason, ?18 AS batch, ?19 AS batch_size, ?20 AS process,
             (SELECT coalesce(max(started_at) > ?11, 0) FROM record WHERE late = 0) AS late,
             NULL AS ended_at, NULL AS elapsed, '' AS note, '{}' AS facts, 0 AS response_truncated, NULL AS response, NULL AS report",
        );
        self.in_transaction(|transaction| {
            transaction.prepare_cached(&sql)?.insert(params![
                id,
                intent.site,
                intent.site_name,
                intent.environment,
                intent.site_version,
                intent.operation,
                intent.username,
                intent.program_version,
                parameters,
                requests,
                intent.started_at,
                Outcome::Sent.name(),
                workstation.user,
                workstation.computer,
                intent.server,
                intent.server_name,
                intent.reason,
                batch.id,
                batch.size,
                self.process.name()
            ])?;
            match concluded {
                None => append(transaction, trail::sent(transaction, &id)?),
                // Nothing is sent: the trail tells only that it ended.
                Some(concluded) => {
                    change(
                        transaction,
                        Table::Record,
                        "id = ?1",
                        &[&id],
                        Concluded::SQL,
                        concluded.values(&id),
                    )?;
                    append(transaction, trail::ended(transaction, &id)?)
                }
            }
        })?;
        Ok(id)
    }

    /// Writes the outcome of an entry, without secrets. It is on disk when this function returns.
    ///
    /// # Errors
    ///
    /// - [`JournalError::NoSuchRecord`] if the entry does not exist.
    /// - [`JournalError::Damaged`] if the facts cannot be serialized.
    /// - [`JournalError::Database`] if the outcome cannot be written.
    pub fn conclude(&self, id: &str, conclusion: &Conclusion) -> Result<(), JournalError> {
        let concluded = Concluded::of(conclusion)?;
        let changed = self.in_transaction(|transaction| {
            let changed = change_record(transaction, id, Concluded::SQL, concluded.values(&id))?;
            if changed > 0 {
                append(transaction, trail::ended(transaction, id)?)?;
            }
            Ok(changed)
        })?;
        if changed == 0 {
            return Err(JournalError::NoSuchRecord(id.to_owned()));
        }
        Ok(())
    }

    /// Changes the note of an entry and its facts, without secrets, by what they are at that moment. Its outcome and times stay:
    /// a user might set the outcome at the same time.
    ///
    /// # Errors
    ///
    /// - [`JournalError::NoSuchRecord`] if the entry does not exist.
    /// - [`JournalError::DamagedRecord`] if it was damaged on disk. It is unchanged then.
    /// - [`JournalError::Damaged`] if the facts cannot be serialized.
    /// - [`JournalError::Database`] if the change cannot be written.
    pub fn change_note(
        &self,
        id: &str,
        change: impl FnOnce(StoredRecord) -> (String, Facts),
    ) -> Result<(), JournalError> {
        let sql = format!("SELECT {COLUMNS}, {} FROM record WHERE id = ?1", Table::Record.is_intact());
        let changed = self.in_transaction(|transaction| {
            let read = |row: &Row<'_>| Ok((record(row)?, row.get::<_, bool>(WIDTH)?));
            let stored = match transaction.query_row(&sql, [id], read).optional()? {
                None => return Ok(Err(JournalError::NoSuchRecord(id.to_owned()))),
                Some((_, false)) => return Ok(Err(JournalError::DamagedRecord(id.to_owned()))),
                Some((stored, true)) => stored,
            };
            let (note, facts) = change(stored);
            let facts = match serde_json::to_string(&facts.redacted()) {
                Ok(facts) => facts,
                Err(error) => return Ok(Err(JournalError::Damaged(error))),
            };
            let sql = "UPDATE record SET note = ?2, facts = ?3 WHERE id = ?1";
            change_record(transaction, id, sql, (id, redact::text(&note), facts))?;
            append(transaction, trail::ended(transaction, id)?)?;
            Ok(Ok(()))
        });
        changed?
    }

    /// Reads the intact entries that match a filter, newest first.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the journal cannot be read.
    pub fn records(&self, filter: &Filter) -> Result<Vec<StoredRecord>, JournalError> {
        filter.read(&self.lock(), COLUMNS, Rows::Intact, record).map_err(|source| self.failed(source))
    }

    /// Reads one page of at most [`Filter::limit`] entries that match a filter, newest first, with damaged entries.
    /// Entries that cannot be read at all are included only if the filter matches everything.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the journal cannot be read.
    pub fn page(&self, filter: &Filter) -> Result<Page, JournalError> {
        let one_more = Filter { limit: filter.limit.map(|limit| limit.saturating_add(1)), ..filter.clone() };
        let columns = format!("{COLUMNS}, {}", Table::Record.is_intact());
        let read = |row: &Row<'_>| Ok((record(row)?, row.get::<_, bool>(WIDTH)?));
        let connection = self.lock();
        let mut rows =
            one_more.read(&connection, &columns, Rows::All, read).map_err(|source| self.failed(source))?;
        let fits = filter.limit.is_none_or(|limit| rows.len() <= limit as usize);
        if !fits {
            rows.pop();
        }
        let older = rows.last().filter(|_| !fits).map(|(record, _)| record.sequence);
        let gaps = filter.is_everything().then(|| {
            let newest = || salvage::places(&connection, "record").ok().map(|places| places.last());
            Gaps { newest: filter.before.map(|before| before - 1).or_else(newest), is_last: fits }
        });
        Ok(Page { entries: listed(rows, gaps), older })
    }

    /// Reads an entry with its response, report, and outcome resolution.
    ///
    /// # Errors
    ///
    /// - [`JournalError::NoSuchRecord`] if the entry does not exist.
    /// - [`JournalError::DamagedRecord`] if it was damaged on disk.
    /// - [`JournalError::Damaged`] if the stored report is not valid JSON.
    /// - [`JournalError::Database`] if the journal cannot be read.
    pub fn whole(&self, id: &str) -> Result<Whole, JournalError> {
        let columns = format!(
            "{COLUMNS}, response, response_truncated, report, {}, {}",
            Table::Record.is_intact(),
            checksum::is_content_intact()
        );
        let read = |row: &Row<'_>| {
            let response = optional_text(row, WIDTH)?;
            let truncated = number(row, WIDTH + 1)? != Some(0);
            let report = optional_text(row, WIDTH + 2)?;
            let intact = (row.get::<_, bool>(WIDTH + 3)?, row.get::<_, bool>(WIDTH + 4)?);
            Ok((record(row)?, response.map(|text| StoredResponse { text, truncated }), report, intact))
        };
        let without_content = format!("{COLUMNS}, NULL, 1, NULL, {}, 0", Table::Record.is_intact());
        let found = match self.one(id, &columns, read) {
            Err(error) if error.fault() == Fault::Damaged => self.one(id, &without_content, read),
            found => found,
        };
        let (record, response, report, (is_intact, is_content_intact)) = found?;
        if !is_intact {
            return Err(JournalError::DamagedRecord(id.to_owned()));
        }
        let outcome_resolution = self.outcome_resolution(id)?;
        if !is_content_intact {
            return Ok(Whole { record, response: None, report: None, outcome_resolution, is_damaged: true });
        }
        let report = report.map(Report::stored).transpose().map_err(JournalError::Damaged)?;
        let is_damaged = record.is_resolved && outcome_resolution.is_none();
        Ok(Whole { record, response, report, outcome_resolution, is_damaged })
    }

    /// Reads an entry without its response and report, which can be megabytes.
    ///
    /// # Errors
    ///
    /// - [`JournalError::NoSuchRecord`] if the entry does not exist.
    /// - [`JournalError::DamagedRecord`] if it was damaged on disk.
    /// - [`JournalError::Database`] if the journal cannot be read.
    pub fn record(&self, id: &str) -> Result<StoredRecord, JournalError> {
        let columns = format!("{COLUMNS}, {}", Table::Record.is_intact());
        match self.one(id, &columns, |row| Ok((record(row)?, row.get::<_, bool>(WIDTH)?)))? {
            (record, true) => Ok(record),
            (_, false) => Err(JournalError::DamagedRecord(id.to_owned())),
        }
    }

    /// Reads columns of the entry with an identifier.
    fn one<T>(
        &self,
        id: &str,
        columns: &str,
        map: fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, JournalError> {
        let connection = self.lock();
        let sql = format!("SELECT {columns} FROM record WHERE id = ?1");
        let found = connection.prepare_cached(&sql).and_then(|mut one| one.query_row([id], map)).optional();
        let found = match found {
            Err(error) if is_damage(&error) => {
                let ids = |row: &Row<'_>| Ok((row.get::<_, i64>(0)?, text(row, 1)?));
                Filter::default()
                    .read_one_by_one(&connection, "record.sequence, record.id", Rows::All, ids)
                    .map(|all| all.into_iter().find(|(_, one)| one == id))
                    .and_then(|found| {
                        let read = |columns: &str, sequence: i64| {
                            let sql = format!("SELECT {columns} FROM record WHERE sequence = ?1");
                            connection.query_row(&sql, [sequence], map)
                        };
                        let read = |(sequence, _)| match read(columns, sequence) {
                            Err(error) if is_damage(&error) => {
                                read(&salvage::of_record_alone(columns), sequence)
                            }
                            found => found,
                        };
                        found.map(read).transpose()
                    })
            }
            found => found,
        };
        found.map_err(|source| self.failed(source))?.ok_or_else(|| JournalError::NoSuchRecord(id.to_owned()))
    }

    /// Reads the user names of all entries, sorted without regard to case.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the journal cannot be read.
    pub fn usernames(&self) -> Result<Vec<String>, JournalError> {
        let all = format!("SELECT DISTINCT username FROM record WHERE {}", Table::Record.is_intact());
        let read = self.strings(&all);
        let mut usernames = match read {
            Err(error) if is_damage(&error) => {
                self.records(&Filter::default())?.into_iter().map(|record| record.intent.username).collect()
            }
            read => read.map_err(|source| self.failed(source))?,
        };
        usernames.retain(|name| !name.is_empty());
        usernames.sort_unstable_by_key(|name| name.to_lowercase());
        usernames.dedup();
        Ok(usernames)
    }

    fn strings(&self, sql: &str) -> rusqlite::Result<Vec<String>> {
        self.lock().prepare_cached(sql)?.query_map([], |row| text(row, 0))?.collect()
    }

    /// Begins a transaction with the lock of the file, so that another process waits, unless another file is at the path.
    pub(crate) fn begin<'a>(&self, connection: &'a mut Connection) -> rusqlite::Result<Transaction<'a>> {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        self.is_in_place()?;
        Ok(transaction)
    }

    /// Returns an error if the file was replaced or removed.
    pub(crate) fn is_in_place(&self) -> rusqlite::Result<()> {
        self.opened.is_in_place()
    }

    /// Runs `work` in a write transaction and commits it, unless `work` fails or the journal file was replaced.
    pub(crate) fn in_transaction<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, JournalError> {
        let run = |connection: &mut Connection| {
            let transaction = self.begin(connection)?;
            let done = work(&transaction)?;
            transaction.commit()?;
            Ok(done)
        };
        run(&mut self.lock()).map_err(|source| self.failed(source))
    }

    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn failed(&self, source: rusqlite::Error) -> JournalError {
        JournalError::Database { path: self.path.clone(), source }
    }

    pub(crate) fn unwritten(&self) -> MutexGuard<'_, Vec<Break>> {
        // Poisoning is ignored: the value is only assigned as a whole.
        self.unwritten.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Connection> {
        // Ignore the poison: a panic drops the transaction of its thread, and SQLite rolls it back.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates a journal of a test, in a folder that is removed with the result.
    #[cfg(test)]
    pub(crate) fn in_new_folder() -> (tempfile::TempDir, Self) {
        let folder = tempfile::tempdir().unwrap();
        let journal = Self::open(&folder.path().join("journal.db")).unwrap();
        (folder, journal)
    }

    /// Returns the query plan of a filter.
    #[cfg(test)]
    pub(crate) fn plan(&self, filter: &Filter) -> Vec<String> {
        let connection = self.lock();
        let mut query = filter.query(&connection, COLUMNS, Rows::All).unwrap();
        query.sql.insert_str(0, "EXPLAIN QUERY PLAN ");
        query.read(&connection, |row| row.get(3)).unwrap()
    }
}

/// Outcome of an entry as it is stored, without secrets.
struct Concluded {
    outcome: Outcome,
    note: String,
    facts: Option<String>,
    response: Option<StoredResponse>,
    report: Option<Report>,
    ended_at: i64,
    elapsed: i64,
}

impl Concluded {
    /// Statement for the [`values`](Self::values). A value that is `NULL` keeps what was stored before.
    const SQL: &str =
        "UPDATE record SET outcome = ?2, note = ?3, report = coalesce(?4, report), ended_at = ?5,
                                         elapsed = ?6, response = coalesce(?7, response),
                                         response_truncated = coalesce(?8, response_truncated),
                                         facts = coalesce(?9, facts)
                       WHERE id = ?1";

    fn of(conclusion: &Conclusion) -> Result<Self, JournalError> {
        let report = conclusion.report.as_ref().map(Report::redacted);
        let facts = conclusion.facts.as_ref().map(|facts| serde_json::to_string(&facts.redacted()));
        Ok(Self {
            outcome: conclusion.outcome,
            note: redact::text(&conclusion.note),
            facts: facts.transpose().map_err(JournalError::Damaged)?,
            response: conclusion.response.as_ref().map(StoredResponse::redacted),
            report: report.transpose().map_err(JournalError::Damaged)?,
            ended_at: conclusion.ended_at,
            elapsed: conclusion.elapsed,
        })
    }

    fn values<'a>(&'a self, id: &'a impl ToSql) -> impl Params + 'a {
        let response = self.response.as_ref();
        (
            id,
            self.outcome.name(),
            &self.note,
            self.report.as_ref().map(Report::text),
            self.ended_at,
            self.elapsed,
            response.map(|response| &response.text),
            response.map(|response| response.truncated),
            &self.facts,
        )
    }
}

/// Appends the event of a change to the audit trail, in the transaction of the change. `None` is an error: the changed
/// row is missing, for example because a trigger of another program removed it.
pub(crate) fn append(transaction: &Connection, event: Option<Event>) -> rusqlite::Result<()> {
    trail::append(transaction, &event.ok_or(rusqlite::Error::QueryReturnedNoRows)?)
}

/// Runs a statement that changes rows, and seals those that were intact before. A damaged row stays damaged. Returns the
/// number of changed rows.
pub(crate) fn change(
    transaction: &Connection,
    table: Table,
    condition: &str,
    key: &[&dyn ToSql],
    sql: &str,
    values: impl Params,
) -> rusqlite::Result<usize> {
    let damaged: bool = transaction
        .prepare_cached(&format!(
            "SELECT EXISTS (SELECT 1 FROM {} WHERE {condition} AND NOT {})",
            table.name(),
            table.is_whole()
        ))?
        .query_row(key, |row| row.get(0))?;
    let changed = transaction.prepare_cached(sql)?.execute(values)?;
    if !damaged {
        seal(transaction, table, condition, key)?;
    }
    Ok(changed)
}

/// Changes the record with an identifier, as [`change`]. If the record already differs from its last event, that is
/// appended first: the event of this change would hide it.
pub(crate) fn change_record(
    transaction: &Connection,
    id: &str,
    sql: &str,
    values: impl Params,
) -> rusqlite::Result<usize> {
    let difference = match trail::records::differs(transaction, id) {
        // Damage on disk is shown as such, and is not a difference.
        Err(error) if is_damage(&error) => None,
        difference => difference?,
    };
    if let Some(difference) = difference
        && !trail::verification::known_breaks(transaction)?.contains(&difference)
    {
        // Carry over the number of further breaks that the last verification found: it is read from the newest event.
        let further = trail::verification::further(transaction)?;
        let further = usize::try_from(further).ok().filter(|further| *further > 0);
        trail::append(transaction, &Event::ChainBroken { place: difference, further })?;
    }
    change(transaction, Table::Record, "id = ?1", &[&id], sql, values)
}

/// Writes the checksums of rows that were just written.
pub(crate) fn seal(
    transaction: &Connection,
    table: Table,
    condition: &str,
    key: &[&dyn ToSql],
) -> rusqlite::Result<()> {
    for sql in table.seal(condition) {
        transaction.prepare_cached(&sql)?.execute(key)?;
    }
    Ok(())
}

/// Which gaps between positions are missing entries. Entries are never deleted, and their positions are consecutive.
struct Gaps {
    /// Newest position that the page can have; `None` if it is not known.
    newest: Option<i64>,
    /// Whether there is no older page.
    is_last: bool,
}

fn listed(rows: Vec<(StoredRecord, bool)>, gaps: Option<Gaps>) -> Vec<Listed> {
    let mut entries = Vec::new();
    // The position expected next, and the number of damaged entries since the last intact one, whose positions are not
    // certain.
    let mut expected = gaps.as_ref().and_then(|gaps| gaps.newest);
    let mut damaged = 0;
    let missing = |entries: &mut Vec<Listed>, expected: Option<i64>, damaged: i64, found: i64| {
        let count = expected.map_or(0, |expected| expected.saturating_sub(found).saturating_sub(damaged));
        if let (Some(sequence), Ok(count @ 1..)) = (expected, u64::try_from(count)) {
            entries.push(Listed::Damaged(DamagedRecords { sequence, count, id: None, started_at: None }));
        }
    };
    for (record, is_intact) in rows {
        if !is_intact {
            damaged += 1;
            entries.push(Listed::Damaged(DamagedRecords {
                sequence: record.sequence,
                count: 1,
                id: uuid::Uuid::try_parse(&record.id).is_ok().then_some(record.id),
                started_at: Some(record.intent.started_at).filter(|began| (1..MOST_MILLIS).contains(began)),
            }));
            continue;
        }
        if gaps.is_some() {
            missing(&mut entries, expected, damaged, record.sequence);
        }
        (expected, damaged) = (Some(record.sequence.saturating_sub(1)), 0);
        entries.push(Listed::Record(Box::new(record)));
    }
    if gaps.is_some_and(|gaps| gaps.is_last) {
        missing(&mut entries, expected, damaged, 0);
    }
    entries
}

pub(crate) fn record(row: &Row<'_>) -> rusqlite::Result<StoredRecord> {
    let parameters = text(row, 9)?;
    let requests = text(row, 10)?;
    let outcome = text(row, 14)?;
    let facts = text(row, 20)?;
    Ok(StoredRecord {
        sequence: row.get(0)?,
        id: text(row, 1)?,
        intent: Intent {
            site: text(row, 2)?,
            server: text(row, 21)?,
            server_name: text(row, 22)?,
            site_name: text(row, 3)?,
            environment: text(row, 4)?,
            site_version: text(row, 5)?,
            operation: text(row, 6)?,
            username: text(row, 7)?,
            program_version: text(row, 8)?,
            parameters: serde_json::from_str(&parameters).unwrap_or_default(),
            requests: serde_json::from_str(&requests).unwrap_or_default(),
            started_at: number(row, 11)?.unwrap_or_default(),
            reason: text(row, 23)?,
            batch: batch(row)?,
        },
        workstation: Workstation { user: text(row, 18)?, computer: text(row, 19)? },
        ended_at: number(row, 12)?,
        elapsed: number(row, 13)?,
        outcome: Outcome::named(&outcome),
        note: text(row, 15)?,
        facts: serde_json::from_str(&facts).unwrap_or_default(),
        has_report: row.get(16)?,
        is_resolved: row.get(17)?,
        process: Process::named(&text(row, 26)?),
    })
}

fn batch(row: &Row<'_>) -> rusqlite::Result<Option<Batch>> {
    let size = number(row, 25)?.and_then(|size| u32::try_from(size).ok()).unwrap_or_default();
    Ok(Some(Batch { id: text(row, 24)?, size }).filter(|batch| !batch.id.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Facts;

    fn intent(site: &str) -> Intent {
        Intent {
            site: site.to_owned(),
            site_name: "City GIS".to_owned(),
            operation: "export_portal".to_owned(),
            username: "gisadmin".to_owned(),
            parameters: vec![("location".to_owned(), "/backups".to_owned())],
            started_at: 1_000,
            ..Intent::default()
        }
    }

    fn success() -> Conclusion {
        Conclusion {
            outcome: Outcome::Succeeded,
            note: "/backups/a.portalsite".to_owned(),
            facts: Some(Facts { path: Some("/backups/a.portalsite".to_owned()), ..Facts::default() }),
            response: Some(StoredResponse {
                text: "{\"location\":\"/backups/a.portalsite\"}".to_owned(),
                truncated: false,
            }),
            report: Some(Report::of(&serde_json::json!({"status": "success"})).unwrap()),
            ended_at: 2_000,
            elapsed: 999,
        }
    }

    #[test]
    fn what_the_other_process_still_waits_for_stays_open_until_that_one_has_ended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let window = Journal::open(&path).unwrap();
        let runner = Journal::open_as(&path, Process::Runner).unwrap();
        let of_window = window.intend(&Intent::default()).unwrap();
        let of_runner = runner.intend(&Intent::default()).unwrap();
        let outcome = |id: &str| {
            let records = window.records(&Filter::default()).unwrap();
            records.into_iter().find(|record| record.id == id).unwrap().outcome
        };

        drop(Journal::open_as(&path, Process::Runner).unwrap());
        assert_eq!((outcome(&of_window), outcome(&of_runner)), (Outcome::Sent, Outcome::Unknown));

        let of_runner = runner.intend(&Intent::default()).unwrap();
        drop(Journal::open(&path).unwrap());
        assert_eq!((outcome(&of_window), outcome(&of_runner)), (Outcome::Unknown, Outcome::Sent));
        window.mark_unknown_of_runner().unwrap();
        assert_eq!(outcome(&of_runner), Outcome::Unknown);
    }

    #[test]
    fn a_record_whose_program_ended_before_the_response_is_unknown_when_the_journal_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let id = Journal::open(&path).unwrap().intend(&intent("a")).unwrap();

        let records = Journal::open(&path).unwrap().records(&Filter::default()).unwrap();

        assert_eq!(records.len(), 1);
        assert_eq!(records[0].id, id);
        assert_eq!(records[0].outcome, Outcome::Unknown);
        assert_eq!(records[0].ended_at, None);
    }

    #[test]
    fn what_is_usual_is_the_middle_of_the_successes_on_that_site() {
        let (_folder, journal) = Journal::in_new_folder();
        let ended = |site: &str, outcome: Outcome, elapsed: i64| {
            let id = journal.intend(&intent(site)).unwrap();
            journal.conclude(&id, &Conclusion { outcome, elapsed, ..success() }).unwrap();
        };
        ended("a", Outcome::Succeeded, 900_000);
        ended("a", Outcome::Warnings, 60_000);
        ended("a", Outcome::Succeeded, 70_000);
        ended("a", Outcome::Failed, 1);
        ended("b", Outcome::Succeeded, 5);

        assert_eq!(journal.usual("a", "", "export_portal").unwrap(), Some(70_000));
        assert_eq!(journal.usual("a", "", "export_server").unwrap(), None);
    }

    #[cfg(unix)]
    #[test]
    fn files_of_the_journal_can_be_read_by_their_owner_only() {
        use std::os::unix::fs::PermissionsExt as _;
        let (folder, journal) = Journal::in_new_folder();
        journal.intend(&intent("a")).unwrap();
        let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(Result::unwrap).collect();
        assert_eq!(files.len(), 3, "{files:?}");
        for file in files {
            assert_eq!(file.metadata().unwrap().permissions().mode() & 0o077, 0, "{file:?}");
        }
    }

    #[test]
    fn a_part_of_an_entry_is_read_without_the_rest() {
        let (_folder, journal) = Journal::in_new_folder();
        let report = Report::of(&serde_json::json!({ "a": { "b": [1, "\"c\""] }, "c": null })).unwrap();
        let id = journal.intend(&intent("a")).unwrap();
        journal.conclude(&id, &Conclusion { report: Some(report), ..success() }).unwrap();
        let unanswered = journal.intend(&intent("a")).unwrap();

        let field = |name: &str| journal.report_field(&id, name).unwrap();
        assert_eq!(field("a").unwrap().text(), r#"{"b":[1,"\"c\""]}"#);
        assert!(field("b").is_none(), "a field of a field");
        assert!(field("d").is_none());
        assert!(journal.report_field(&unanswered, "a").unwrap().is_none());
        assert!(matches!(journal.report_field("none", "a"), Err(JournalError::NoSuchRecord(_))));
    }

    #[test]
    fn what_was_written_is_read_back_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let journal = Journal::open(&path).unwrap();
        let id = journal.intend(&intent("a")).unwrap();
        journal.conclude(&id, &success()).unwrap();
        drop(journal);

        let journal = Journal::open(&path).unwrap();
        let records = journal.records(&Filter::default()).unwrap();

        assert_eq!(records[0].outcome, Outcome::Succeeded);
        assert_eq!(records[0].intent.parameters, intent("a").parameters);
        assert_eq!(records[0].note, "/backups/a.portalsite");
        assert_eq!(Some(&records[0].facts), success().facts.as_ref());
        assert!(records[0].has_report);
        assert_eq!(journal.report(&id).unwrap().unwrap().text(), success().report.unwrap().text());
    }

    #[test]
    fn the_history_is_read_newest_first_and_by_site() {
        let (_folder, journal) = Journal::in_new_folder();
        let first = journal.intend(&intent("a")).unwrap();
        let second = journal.intend(&intent("b")).unwrap();
        let third = journal.intend(&intent("a")).unwrap();
        let ids = |filter: Filter| -> Vec<String> {
            journal.records(&filter).unwrap().into_iter().map(|record| record.id).collect()
        };

        assert_eq!(ids(Filter::default()), [third.clone(), second, first.clone()]);
        assert_eq!(ids(Filter { site: Some("a".to_owned()), ..Filter::default() }), [third.clone(), first]);
        assert_eq!(ids(Filter { limit: Some(1), ..Filter::default() }), [third]);
    }

    #[test]
    fn a_second_conclusion_keeps_the_facts_the_response_and_the_report_of_the_first() {
        let (_folder, journal) = Journal::in_new_folder();
        let id = journal.intend(&intent("a")).unwrap();
        journal.conclude(&id, &success()).unwrap();

        let note = "saved as /home/a".to_owned();
        journal
            .conclude(&id, &Conclusion { note, facts: None, response: None, report: None, ..success() })
            .unwrap();

        let whole = journal.whole(&id).unwrap();
        assert_eq!(whole.record.note, "saved as /home/a");
        assert_eq!(Some(whole.record.facts), success().facts);
        assert_eq!(whole.record.elapsed, Some(999));
        assert_eq!(whole.report.unwrap().text(), success().report.unwrap().text());
        assert_eq!(whole.response, success().response);
        let alone = journal.record(&id).unwrap();
        assert_eq!(format!("{alone:?}"), format!("{:?}", journal.whole(&id).unwrap().record));
    }

    #[test]
    fn a_report_is_changed_without_its_secrets_and_one_that_is_not_there_stays_so() {
        let (_folder, journal) = Journal::in_new_folder();
        let id = journal.intend(&intent("a")).unwrap();

        let one = Report::of(&1).unwrap();
        journal.set_in_report(&id, "$.later", &one).unwrap();
        assert!(journal.report(&id).unwrap().is_none());
        journal.conclude(&id, &success()).unwrap();
        journal.set_in_report(&id, "$.proof.later[#]", &one).unwrap();
        assert_eq!(journal.report(&id).unwrap().unwrap().text(), r#"{"status":"success"}"#);
        journal
            .set_in_report(&id, "$.proof", &Report::of(&serde_json::json!({ "password": "secret" })).unwrap())
            .unwrap();
        for _ in 0..2 {
            journal.set_in_report(&id, "$.proof.later[#]", &one).unwrap();
        }

        let report = journal.report(&id).unwrap().unwrap();
        assert_eq!(report.text(), r#"{"status":"success","proof":{"password":"***","later":[1,1]}}"#);
        let events: i64 =
            journal.lock().query_row("SELECT count(*) FROM trail", [], |row| row.get(0)).unwrap();
        let told: String = journal
            .lock()
            .query_row("SELECT body FROM trail WHERE sequence = ?1", [events], |row| row.get(0))
            .unwrap();
        assert!(told.contains(&crate::trail::hash(report.text())), "{told}");
        let missing = journal.set_in_report("none", "$.later", &one);
        assert!(matches!(missing, Err(JournalError::NoSuchRecord(_))), "{missing:?}");
    }

    #[test]
    fn every_record_is_pushed_through_the_cache_of_the_disk() {
        let (_folder, journal) = Journal::in_new_folder();
        let setting = |name: &str| -> i64 {
            journal.lock().query_row(&format!("PRAGMA {name}"), [], |row| row.get(0)).unwrap()
        };

        assert_eq!(setting("synchronous"), 2, "FULL");
        assert_eq!((setting("fullfsync"), setting("checkpoint_fullfsync")), (1, 1), "what macOS needs");
    }

    #[test]
    fn concluding_a_record_that_is_not_there_is_an_error() {
        let (_folder, journal) = Journal::in_new_folder();

        assert!(matches!(journal.conclude("none", &success()), Err(JournalError::NoSuchRecord(_))));
    }
}
