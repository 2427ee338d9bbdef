//! Reads and writes history entries.
//!
//! [`Journal`] owns the connection to the SQLite file; the other modules add methods to it. Every change is one
//! statement or one transaction, so that a crash leaves it whole or absent.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::record::{Conclusion, Intent, Outcome, StoredRecord, StoredResponse, Whole};
use crate::redact;
use crate::schema::{self, SchemaError};
use crate::search::{Filter, Page};
use crate::workstation::Workstation;

/// Reason why the journal cannot be opened, read, or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// SQLite returned an error.
    #[error("the history in {path} cannot be read or written")]
    Database {
        /// Path of the journal.
        path: PathBuf,
        /// Error returned by SQLite.
        #[source]
        source: rusqlite::Error,
    },
    /// The file is not a journal, or one of a version before the first release. It is not changed.
    #[error("the file {path} is not a history of this program; it was left as it is")]
    NotOurs {
        /// Path of the file.
        path: PathBuf,
    },
    /// A newer version of the program wrote the journal. It is not changed.
    #[error(
        "the history in {path} was written by a newer version of the program (format {found}); it was left as it is"
    )]
    Newer {
        /// Path of the journal.
        path: PathBuf,
        /// Format of the journal.
        found: i32,
    },
    /// No history entry, or no entry of the deactivation log, has this identifier.
    #[error("the history has no record {0}")]
    NoSuchRecord(String),
    /// The outcome of the history entry is known already, or the entry does not exist.
    #[error("the history has no record {0} whose outcome is unknown")]
    OutcomeKnown(String),
    /// A value is not valid JSON: a stored one was damaged, or a new one cannot be serialized.
    #[error("the history holds a record that cannot be read")]
    Damaged(#[source] serde_json::Error),
}

/// Open journal. Clones share one connection.
#[derive(Clone)]
pub struct Journal {
    path: PathBuf,
    connection: Arc<Mutex<Connection>>,
}

/// Columns that [`record`] reads, in this order.
const COLUMNS: &str = "record.sequence, id, site, site_name, environment, site_version, operation, username,
    program_version, parameters, requests, started_at, ended_at, elapsed, outcome, note, report IS NOT NULL,
    EXISTS (SELECT 1 FROM outcome_resolution WHERE outcome_resolution.record = record.id), system_user, computer,
    facts";

impl Journal {
    /// Opens the journal at `path`, or creates it.
    ///
    /// Entries without an outcome become [`Outcome::Unknown`]: the program ended before the response.
    ///
    /// # Errors
    ///
    /// - [`JournalError::Newer`] if a newer version of the program wrote the journal.
    /// - [`JournalError::NotOurs`] if the file is not a journal.
    /// - [`JournalError::Database`] if the file cannot be opened, created, or written.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let path = path.to_owned();
        let connection = match schema::open(&path) {
            Ok(connection) => connection,
            Err(SchemaError::Newer(found)) => return Err(JournalError::Newer { path, found }),
            Err(SchemaError::NotOurs) => return Err(JournalError::NotOurs { path }),
            Err(SchemaError::Database(source)) => return Err(JournalError::Database { path, source }),
        };
        let journal = Self { path, connection: Arc::new(Mutex::new(connection)) };
        journal
            .lock()
            .execute_batch(
                "UPDATE record SET outcome = 'unknown' WHERE outcome = 'sent';
                 UPDATE deactivation SET state = 'unknown' WHERE state = 'intended';",
            )
            .map_err(|source| journal.failed(source))?;
        Ok(journal)
    }

    /// Returns whether a file is a journal of a version before the first release, which [`open`](Self::open) rejects.
    #[must_use]
    pub fn is_before_release(path: &Path) -> bool {
        schema::is_before_release(path)
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
        self.insert(intent, Outcome::Sent)
    }

    /// Writes an entry with [`Outcome::NotSent`], without secrets, and returns its identifier.
    ///
    /// The entry is on disk when this function returns. The outcome of `conclusion` replaces `NotSent`.
    ///
    /// # Errors
    ///
    /// - [`JournalError::Damaged`] if the parameters or requests cannot be serialized.
    /// - [`JournalError::Database`] if the entry cannot be written.
    pub fn not_sent(&self, intent: &Intent, conclusion: &Conclusion) -> Result<String, JournalError> {
        let id = self.insert(intent, Outcome::NotSent)?;
        self.conclude(&id, conclusion)?;
        Ok(id)
    }

    fn insert(&self, intent: &Intent, outcome: Outcome) -> Result<String, JournalError> {
        let id = uuid::Uuid::new_v4().to_string();
        let intent = intent.redacted();
        let parameters = serde_json::to_string(&intent.parameters).map_err(JournalError::Damaged)?;
        let requests = serde_json::to_string(&intent.requests).map_err(JournalError::Damaged)?;
        let workstation = Workstation::this().redacted();
        self.lock()
            .prepare_cached(
                "INSERT INTO record (id, site, site_name, environment, site_version, operation, username,
                                     program_version, parameters, requests, started_at, outcome, system_user, computer, late)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14,
                         (SELECT coalesce(max(started_at) > ?11, 0) FROM record WHERE late = 0))",
            )
            .and_then(|mut statement| {
                statement.execute(params![
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
                    outcome.name(),
                    workstation.user,
                    workstation.computer
                ])
            })
            .map_err(|source| self.failed(source))?;
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
        let report = conclusion.report.clone().map(|mut report| {
            redact::json(&mut report);
            report.to_string()
        });
        let facts = conclusion.facts.as_ref().map(|facts| serde_json::to_string(&facts.redacted()));
        let facts = facts.transpose().map_err(JournalError::Damaged)?;
        let response = conclusion.response.as_ref().map(StoredResponse::redacted);
        let (response, truncated) =
            response.map(|StoredResponse { text, truncated }| (text, truncated)).unzip();
        let changed = self
            .lock()
            .prepare_cached(
                "UPDATE record SET outcome = ?2, note = ?3, report = coalesce(?4, report), ended_at = ?5,
                                   elapsed = ?6, response = coalesce(?7, response),
                                   response_truncated = coalesce(?8, response_truncated),
                                   facts = coalesce(?9, facts)
                 WHERE id = ?1",
            )
            .and_then(|mut statement| {
                statement.execute(params![
                    id,
                    conclusion.outcome.name(),
                    redact::text(&conclusion.note),
                    report,
                    conclusion.ended_at,
                    conclusion.elapsed,
                    response,
                    truncated,
                    facts
                ])
            })
            .map_err(|source| self.failed(source))?;
        if changed == 0 {
            return Err(JournalError::NoSuchRecord(id.to_owned()));
        }
        Ok(())
    }

    /// Reads the entries that match a filter, newest first.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the journal cannot be read.
    pub fn records(&self, filter: &Filter) -> Result<Vec<StoredRecord>, JournalError> {
        let connection = self.lock();
        filter
            .query(&connection, COLUMNS)
            .and_then(|query| query.read(&connection, record))
            .map_err(|source| self.failed(source))
    }

    /// Reads one page of at most [`Filter::limit`] entries that match a filter, newest first.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the journal cannot be read.
    pub fn page(&self, filter: &Filter) -> Result<Page, JournalError> {
        let one_more = Filter { limit: filter.limit.map(|limit| limit.saturating_add(1)), ..filter.clone() };
        let mut records = self.records(&one_more)?;
        let fits = filter.limit.is_none_or(|limit| records.len() <= limit as usize);
        if fits {
            return Ok(Page { records, older: None });
        }
        records.pop();
        Ok(Page { older: records.last().map(|record| record.sequence), records })
    }

    /// Reads an entry with its response, report, and outcome resolution.
    ///
    /// # Errors
    ///
    /// - [`JournalError::NoSuchRecord`] if the entry does not exist.
    /// - [`JournalError::Damaged`] if the stored report is not valid JSON.
    /// - [`JournalError::Database`] if the journal cannot be read.
    pub fn whole(&self, id: &str) -> Result<Whole, JournalError> {
        let found = self
            .lock()
            .query_row(
                &format!("SELECT {COLUMNS}, response, response_truncated, report FROM record WHERE id = ?1"),
                [id],
                |row| {
                    let response: Option<String> = row.get(21)?;
                    let truncated: bool = row.get(22)?;
                    let report: Option<String> = row.get(23)?;
                    Ok((record(row)?, response.map(|text| StoredResponse { text, truncated }), report))
                },
            )
            .optional()
            .map_err(|source| self.failed(source))?;
        let (record, response, report) = found.ok_or_else(|| JournalError::NoSuchRecord(id.to_owned()))?;
        let report =
            report.map(|report| serde_json::from_str(&report)).transpose().map_err(JournalError::Damaged)?;
        let outcome_resolution = self.outcome_resolution(id)?;
        Ok(Whole { record, response, report, outcome_resolution })
    }

    /// Changes the report of an entry, without secrets. An entry without a report stays unchanged.
    ///
    /// # Errors
    ///
    /// - [`JournalError::NoSuchRecord`] if the entry does not exist.
    /// - [`JournalError::Damaged`] if the stored report is not valid JSON.
    /// - [`JournalError::Database`] if the report cannot be read or written.
    pub fn change_report(
        &self,
        id: &str,
        change: impl FnOnce(&mut serde_json::Value),
    ) -> Result<(), JournalError> {
        let connection = self.lock();
        let read: Option<Option<String>> = connection
            .query_row("SELECT report FROM record WHERE id = ?1", [id], |row| row.get(0))
            .optional()
            .map_err(|source| self.failed(source))?;
        let Some(report) = read.ok_or_else(|| JournalError::NoSuchRecord(id.to_owned()))? else {
            return Ok(());
        };
        let mut report = serde_json::from_str(&report).map_err(JournalError::Damaged)?;
        change(&mut report);
        redact::json(&mut report);
        connection
            .execute("UPDATE record SET report = ?2 WHERE id = ?1", params![id, report.to_string()])
            .map_err(|source| self.failed(source))?;
        Ok(())
    }

    /// Reads the report of an entry; `None` if the entry has no report.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`whole`](Self::whole).
    pub fn report(&self, id: &str) -> Result<Option<serde_json::Value>, JournalError> {
        Ok(self.whole(id)?.report)
    }

    /// Reads one field of the report of an entry; `None` if it has none. The rest of a report can be megabytes.
    ///
    /// # Errors
    ///
    /// - [`JournalError::NoSuchRecord`] if the entry does not exist.
    /// - [`JournalError::Damaged`] if the field is not valid JSON.
    /// - [`JournalError::Database`] if the journal cannot be read.
    pub fn report_field(&self, id: &str, field: &str) -> Result<Option<serde_json::Value>, JournalError> {
        // Most reports do not have the field: a search for its name is faster than a parser.
        let sql = "SELECT CASE WHEN instr(report, ?2) > 0 THEN report -> ?3 END FROM record WHERE id = ?1";
        let names = (format!("\"{field}\""), format!("$.{field}"));
        let read: Option<Option<String>> = self
            .lock()
            .query_row(sql, params![id, names.0, names.1], |row| row.get(0))
            .optional()
            .map_err(|source| self.failed(source))?;
        let field = read.ok_or_else(|| JournalError::NoSuchRecord(id.to_owned()))?;
        field.map(|field| serde_json::from_str(&field)).transpose().map_err(JournalError::Damaged)
    }

    /// Reads the user names of all entries, sorted without regard to case.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the journal cannot be read.
    pub fn usernames(&self) -> Result<Vec<String>, JournalError> {
        let all =
            "SELECT DISTINCT username FROM record WHERE username <> '' ORDER BY username COLLATE NOCASE";
        let connection = self.lock();
        let usernames = connection
            .prepare_cached(all)
            .and_then(|mut statement| statement.query_map([], |row| row.get(0))?.collect());
        usernames.map_err(|source| self.failed(source))
    }

    /// Reads when the last of these operations succeeded on a site, in milliseconds since 1970; `None` if none did.
    ///
    /// `is_meant` decides by the address of the first request; records without a request always count.
    ///
    /// # Errors
    ///
    /// - [`JournalError::Damaged`] if the names of the operations cannot be serialized.
    /// - [`JournalError::Database`] if the journal cannot be read.
    pub fn last_success(
        &self,
        site: &str,
        operations: &[&str],
        is_meant: impl Fn(&str) -> bool,
    ) -> Result<Option<i64>, JournalError> {
        let names = serde_json::to_string(operations).map_err(JournalError::Damaged)?;
        let connection = self.lock();
        let read = || {
            let mut successes = connection.prepare(
                "SELECT ended_at, json_extract(requests, '$[0].address') FROM record
                 WHERE site = ?1 AND outcome IN ('succeeded', 'warnings') AND ended_at IS NOT NULL
                   AND operation IN (SELECT value FROM json_each(?2))
                 ORDER BY ended_at DESC",
            )?;
            let mut rows = successes.query(params![site, names])?;
            while let Some(row) = rows.next()? {
                if row.get::<_, Option<String>>(1)?.is_none_or(|address| is_meant(&address)) {
                    return row.get(0).map(Some);
                }
            }
            Ok(None)
        };
        read().map_err(|source| self.failed(source))
    }

    /// Reads the longest duration of the last 10 successes of an operation on a site, in milliseconds; `None` if there is
    /// no success.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the journal cannot be read.
    pub fn longest(&self, site: &str, operation: &str) -> Result<Option<i64>, JournalError> {
        self.lock()
            .query_row(
                "SELECT max(elapsed) FROM (SELECT elapsed FROM record
                 WHERE site = ?1 AND operation = ?2 AND outcome IN ('succeeded', 'warnings')
                 ORDER BY sequence DESC LIMIT 10)",
                params![site, operation],
                |row| row.get(0),
            )
            .map_err(|source| self.failed(source))
    }

    /// Reads the median duration of the last 9 successes of an operation on a site, in milliseconds; `None` if there is no
    /// success.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the journal cannot be read.
    pub fn usual(&self, site: &str, operation: &str) -> Result<Option<i64>, JournalError> {
        let connection = self.lock();
        let mut times: Vec<i64> = connection
            .prepare_cached(
                "SELECT elapsed FROM record
                 WHERE site = ?1 AND operation = ?2 AND outcome IN ('succeeded', 'warnings') AND elapsed IS NOT NULL
                 ORDER BY sequence DESC LIMIT 9",
            )
            .and_then(|mut statement| {
                statement.query_map(params![site, operation], |row| row.get(0))?.collect()
            })
            .map_err(|source| self.failed(source))?;
        times.sort_unstable();
        Ok(times.get(times.len() / 2).copied())
    }

    pub(crate) fn failed(&self, source: rusqlite::Error) -> JournalError {
        JournalError::Database { path: self.path.clone(), source }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Connection> {
        // Ignore the poison: a panic drops the transaction of its thread, and SQLite rolls it back.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the query plan of a filter.
    #[cfg(test)]
    pub(crate) fn plan(&self, filter: &Filter) -> Vec<String> {
        let connection = self.lock();
        let mut query = filter.query(&connection, COLUMNS).unwrap();
        query.sql.insert_str(0, "EXPLAIN QUERY PLAN ");
        query.read(&connection, |row| row.get(3)).unwrap()
    }
}

fn record(row: &Row<'_>) -> rusqlite::Result<StoredRecord> {
    let parameters: String = row.get(9)?;
    let requests: String = row.get(10)?;
    let outcome: String = row.get(14)?;
    let facts: String = row.get(20)?;
    Ok(StoredRecord {
        sequence: row.get(0)?,
        id: row.get(1)?,
        intent: Intent {
            site: row.get(2)?,
            site_name: row.get(3)?,
            environment: row.get(4)?,
            site_version: row.get(5)?,
            operation: row.get(6)?,
            username: row.get(7)?,
            program_version: row.get(8)?,
            parameters: serde_json::from_str(&parameters).unwrap_or_default(),
            requests: serde_json::from_str(&requests).unwrap_or_default(),
            started_at: row.get(11)?,
        },
        workstation: Workstation { user: row.get(18)?, computer: row.get(19)? },
        ended_at: row.get(12)?,
        elapsed: row.get(13)?,
        outcome: Outcome::named(&outcome),
        note: row.get(15)?,
        facts: serde_json::from_str(&facts).unwrap_or_default(),
        has_report: row.get(16)?,
        is_resolved: row.get(17)?,
    })
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
            report: Some(serde_json::json!({"status": "success"})),
            ended_at: 2_000,
            elapsed: 999,
        }
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
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
        let ended = |site: &str, outcome: Outcome, elapsed: i64| {
            let id = journal.intend(&intent(site)).unwrap();
            journal.conclude(&id, &Conclusion { outcome, elapsed, ..success() }).unwrap();
        };
        ended("a", Outcome::Succeeded, 900_000);
        ended("a", Outcome::Warnings, 60_000);
        ended("a", Outcome::Succeeded, 70_000);
        ended("a", Outcome::Failed, 1);
        ended("b", Outcome::Succeeded, 5);

        assert_eq!(journal.usual("a", "export_portal").unwrap(), Some(70_000));
        assert_eq!(journal.usual("a", "export_server").unwrap(), None);
    }

    #[cfg(unix)]
    #[test]
    fn files_of_the_journal_can_be_read_by_their_owner_only() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
        journal.intend(&intent("a")).unwrap();
        let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(Result::unwrap).collect();
        assert_eq!(files.len(), 3, "{files:?}");
        for file in files {
            assert_eq!(file.metadata().unwrap().permissions().mode() & 0o077, 0, "{file:?}");
        }
    }

    #[test]
    fn a_part_of_an_entry_is_read_without_the_rest() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
        let report = serde_json::json!({ "a": { "b": [1, "\"c\""] }, "c": null });
        let id = journal.intend(&intent("a")).unwrap();
        journal.conclude(&id, &Conclusion { report: Some(report), ..success() }).unwrap();
        let unanswered = journal.intend(&intent("a")).unwrap();

        let field = |name: &str| journal.report_field(&id, name).unwrap();
        assert_eq!(field("a"), Some(serde_json::json!({ "b": [1, "\"c\""] })));
        assert_eq!(field("b"), None, "a field of a field");
        assert_eq!(field("d"), None);
        assert_eq!(journal.report_field(&unanswered, "a").unwrap(), None);
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
        assert_eq!(journal.report(&id).unwrap(), success().report);
        assert_eq!(journal.last_success("a", &["export_portal"], |_| true).unwrap(), Some(2_000));
        assert_eq!(journal.last_success("a", &["export_server"], |_| true).unwrap(), None);
    }

    #[test]
    fn the_history_is_read_newest_first_and_by_site() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
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
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
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
        assert_eq!(whole.report, success().report);
        assert_eq!(whole.response, success().response);
    }

    #[test]
    fn a_report_is_changed_without_its_secrets_and_one_that_is_not_there_stays_so() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
        let id = journal.intend(&intent("a")).unwrap();

        journal.change_report(&id, |report| report["later"] = 1.into()).unwrap();
        assert_eq!(journal.report(&id).unwrap(), None);
        journal.conclude(&id, &success()).unwrap();
        journal.change_report(&id, |report| report["password"] = "secret".into()).unwrap();

        let report = journal.report(&id).unwrap().unwrap();
        assert_eq!(report["status"], "success");
        assert!(!report.to_string().contains("secret"), "{report}");
        let missing = journal.change_report("none", |_| {});
        assert!(matches!(missing, Err(JournalError::NoSuchRecord(_))), "{missing:?}");
    }

    #[test]
    fn every_record_is_pushed_through_the_cache_of_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
        let setting = |name: &str| -> i64 {
            journal.lock().query_row(&format!("PRAGMA {name}"), [], |row| row.get(0)).unwrap()
        };

        assert_eq!(setting("synchronous"), 2, "FULL");
        assert_eq!((setting("fullfsync"), setting("checkpoint_fullfsync")), (1, 1), "what macOS needs");
    }

    #[test]
    fn concluding_a_record_that_is_not_there_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(&folder.path().join("journal.db")).unwrap();

        assert!(matches!(journal.conclude("none", &success()), Err(JournalError::NoSuchRecord(_))));
    }
}
