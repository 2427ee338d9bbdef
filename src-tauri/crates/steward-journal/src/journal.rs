//! The journal itself: one SQLite file.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::record::{Conclusion, Filter, Intent, Outcome, Record};

/// Version of the tables, in `PRAGMA user_version`.
const SCHEMA: i32 = 1;

const TABLES: &str = "
    CREATE TABLE record (
        sequence   INTEGER PRIMARY KEY,
        id         TEXT NOT NULL UNIQUE,
        site       TEXT NOT NULL,
        site_name  TEXT NOT NULL,
        operation  TEXT NOT NULL,
        username   TEXT NOT NULL,
        parameters TEXT NOT NULL,
        started_at INTEGER NOT NULL,
        ended_at   INTEGER,
        outcome    TEXT NOT NULL,
        note       TEXT NOT NULL DEFAULT '',
        report     TEXT
    ) STRICT;
    CREATE INDEX record_by_site ON record (site, sequence);
";

/// Why the journal could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The database refused.
    #[error("the history in {path} cannot be read or written")]
    Database {
        /// The journal's file.
        path: PathBuf,
        /// Why.
        #[source]
        source: rusqlite::Error,
    },
    /// The file was written by a later version of the program.
    #[error("the history in {path} was written by a newer version of the program (format {found})")]
    Newer {
        /// The journal's file.
        path: PathBuf,
        /// Its format.
        found: i32,
    },
    /// No record has this identifier.
    #[error("the history has no record {0}")]
    NoSuchRecord(String),
    /// A stored value is not what was written.
    #[error("the history holds a record that cannot be read")]
    Damaged(#[source] serde_json::Error),
}

/// The history of what was sent. Clones share one file.
#[derive(Clone)]
pub struct Journal {
    path: PathBuf,
    connection: Arc<Mutex<Connection>>,
}

impl Journal {
    /// Opens the journal, making it when it is not there. Records that were sent by a program that then ended
    /// become unknown.
    ///
    /// # Errors
    /// When the file cannot be opened, or was written by a newer version.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let failed = |source| JournalError::Database { path: path.to_owned(), source };
        let connection = Connection::open(path).map_err(failed)?;
        // FULL: the record must survive a power cut before the request is sent.
        connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;").map_err(failed)?;
        let found: i32 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(failed)?;
        if found > SCHEMA {
            return Err(JournalError::Newer { path: path.to_owned(), found });
        }
        if found == 0 {
            connection
                .execute_batch(&format!("BEGIN; {TABLES} PRAGMA user_version = {SCHEMA}; COMMIT;"))
                .map_err(failed)?;
        }
        connection
            .execute(
                "UPDATE record SET outcome = ?1 WHERE outcome = ?2",
                params![Outcome::Unknown.name(), Outcome::Sent.name()],
            )
            .map_err(failed)?;
        Ok(Self { path: path.to_owned(), connection: Arc::new(Mutex::new(connection)) })
    }

    /// Writes what is about to be sent. When this returns, it is on disk.
    ///
    /// # Errors
    /// When it could not be written; then nothing may be sent.
    pub fn intend(&self, intent: &Intent) -> Result<String, JournalError> {
        let id = uuid::Uuid::new_v4().to_string();
        let parameters = serde_json::to_string(&intent.parameters).map_err(JournalError::Damaged)?;
        self.lock()
            .execute(
                "INSERT INTO record (id, site, site_name, operation, username, parameters, started_at, outcome)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                params![
                    id,
                    intent.site,
                    intent.site_name,
                    intent.operation,
                    intent.username,
                    parameters,
                    intent.started_at,
                    Outcome::Sent.name()
                ],
            )
            .map_err(|source| self.failed(source))?;
        Ok(id)
    }

    /// Writes what came of it.
    ///
    /// # Errors
    /// When the record is not there or could not be written.
    pub fn conclude(&self, id: &str, conclusion: &Conclusion) -> Result<(), JournalError> {
        let report = conclusion.report.as_ref().map(ToString::to_string);
        let changed = self
            .lock()
            .execute(
                "UPDATE record SET outcome = ?2, note = ?3, report = ?4, ended_at = ?5 WHERE id = ?1",
                params![id, conclusion.outcome.name(), conclusion.note, report, conclusion.ended_at],
            )
            .map_err(|source| self.failed(source))?;
        if changed == 0 {
            return Err(JournalError::NoSuchRecord(id.to_owned()));
        }
        Ok(())
    }

    /// Reads the history, newest first.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn records(&self, filter: &Filter) -> Result<Vec<Record>, JournalError> {
        let connection = self.lock();
        let read = || -> rusqlite::Result<Vec<Record>> {
            connection
                .prepare_cached(
                    "SELECT id, site, site_name, operation, username, parameters, started_at, ended_at,
                            outcome, note, report IS NOT NULL
                     FROM record WHERE ?1 IS NULL OR site = ?1 ORDER BY sequence DESC LIMIT ?2",
                )?
                .query_map(params![filter.site, filter.limit.map_or(-1, i64::from)], record)?
                .collect()
        };
        read().map_err(|source| self.failed(source))
    }

    /// The report kept with a record; `None` when it has none.
    ///
    /// # Errors
    /// When there is no such record, or its report cannot be read.
    pub fn report(&self, id: &str) -> Result<Option<serde_json::Value>, JournalError> {
        let text: Option<Option<String>> = self
            .lock()
            .query_row("SELECT report FROM record WHERE id = ?1", [id], |row| row.get(0))
            .optional()
            .map_err(|source| self.failed(source))?;
        match text {
            None => Err(JournalError::NoSuchRecord(id.to_owned())),
            Some(None) => Ok(None),
            Some(Some(text)) => serde_json::from_str(&text).map(Some).map_err(JournalError::Damaged),
        }
    }

    /// When the last export of a site succeeded, in milliseconds since 1970.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn last_success(&self, site: &str, operations: &[&str]) -> Result<Option<i64>, JournalError> {
        let names = serde_json::to_string(operations).map_err(JournalError::Damaged)?;
        self.lock()
            .query_row(
                "SELECT max(ended_at) FROM record
                 WHERE site = ?1 AND outcome IN ('succeeded', 'warnings')
                   AND operation IN (SELECT value FROM json_each(?2))",
                params![site, names],
                |row| row.get(0),
            )
            .map_err(|source| self.failed(source))
    }

    fn failed(&self, source: rusqlite::Error) -> JournalError {
        JournalError::Database { path: self.path.clone(), source }
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        // A panic in another thread leaves no half-done transaction behind: every write is one statement.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn record(row: &Row<'_>) -> rusqlite::Result<Record> {
    let parameters: String = row.get(5)?;
    let outcome: String = row.get(8)?;
    Ok(Record {
        id: row.get(0)?,
        intent: Intent {
            site: row.get(1)?,
            site_name: row.get(2)?,
            operation: row.get(3)?,
            username: row.get(4)?,
            parameters: serde_json::from_str(&parameters).unwrap_or_default(),
            started_at: row.get(6)?,
        },
        ended_at: row.get(7)?,
        outcome: Outcome::named(&outcome),
        note: row.get(9)?,
        has_report: row.get(10)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn intent(site: &str) -> Intent {
        Intent {
            site: site.to_owned(),
            site_name: "City GIS".to_owned(),
            operation: "export_portal".to_owned(),
            username: "gisadmin".to_owned(),
            parameters: vec![("location".to_owned(), "/backups".to_owned())],
            started_at: 1_000,
        }
    }

    fn success() -> Conclusion {
        Conclusion {
            outcome: Outcome::Succeeded,
            note: "/backups/a.portalsite".to_owned(),
            report: Some(serde_json::json!({"status": "success"})),
            ended_at: 2_000,
        }
    }

    #[test]
    fn a_record_whose_program_ended_before_the_answer_is_unknown_when_the_journal_is_opened_again() {
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
        assert!(records[0].has_report);
        assert_eq!(journal.report(&id).unwrap(), success().report);
        assert_eq!(journal.last_success("a", &["export_portal"]).unwrap(), Some(2_000));
        assert_eq!(journal.last_success("a", &["export_server"]).unwrap(), None);
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
        assert_eq!(ids(Filter { site: Some("a".to_owned()), limit: None }), [third.clone(), first]);
        assert_eq!(ids(Filter { site: None, limit: Some(1) }), [third]);
    }

    #[test]
    fn a_journal_of_a_newer_version_is_left_untouched() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        Connection::open(&path).unwrap().execute_batch("PRAGMA user_version = 99").unwrap();

        assert!(matches!(Journal::open(&path), Err(JournalError::Newer { found: 99, .. })));
    }

    #[test]
    fn concluding_a_record_that_is_not_there_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(&folder.path().join("journal.db")).unwrap();

        assert!(matches!(journal.conclude("none", &success()), Err(JournalError::NoSuchRecord(_))));
    }
}
