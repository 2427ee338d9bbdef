//! The journal itself: one SQLite file.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::record::{Answer, Conclusion, Intent, Outcome, Record, Whole};
use crate::redact;
use crate::schema::{self, SchemaError};
use crate::search::{Filter, Page};
use crate::workstation::Workstation;

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
    /// The journal is to be brought to the present format, and the copy that comes first could not be made.
    #[error(
        "the history in {path} is of an older version and could not be copied before its change; nothing was changed"
    )]
    Copy {
        /// The journal's file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The file was written by a later version of the program.
    #[error(
        "the history in {path} was written by a newer version of the program (format {found}); it was left as it is"
    )]
    Newer {
        /// The journal's file.
        path: PathBuf,
        /// Its format.
        found: i32,
    },
    /// No record has this identifier.
    #[error("the history has no record {0}")]
    NoSuchRecord(String),
    /// The outcome of this record is known already, or it is not there.
    #[error("the history has no record {0} whose outcome is unknown")]
    Answered(String),
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

/// What `record` reads, in its order.
const COLUMNS: &str = "record.sequence, id, site, site_name, site_kind, site_version, operation, username,
    program_version, parameters, requests, started_at, ended_at, elapsed, outcome, note, report IS NOT NULL,
    EXISTS (SELECT 1 FROM settlement WHERE settlement.record = record.id), system_user, computer";

impl Journal {
    /// Opens the journal, making it when it is not there. One of an older version is copied beside itself and
    /// brought to the present format. Records that were sent by a program that then ended become unknown.
    ///
    /// # Errors
    /// When the file cannot be opened, or was written by a newer version.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let path = path.to_owned();
        let connection = match schema::open(&path) {
            Ok(connection) => connection,
            Err(SchemaError::Newer(found)) => return Err(JournalError::Newer { path, found }),
            Err(SchemaError::Copy(source)) => return Err(JournalError::Copy { path, source }),
            Err(SchemaError::Database(source)) => return Err(JournalError::Database { path, source }),
        };
        let journal = Self { path, connection: Arc::new(Mutex::new(connection)) };
        journal
            .lock()
            .execute_batch(
                "UPDATE record SET outcome = 'unknown' WHERE outcome = 'sent';
                 UPDATE silence SET state = 'unknown' WHERE state = 'intended';",
            )
            .map_err(|source| journal.failed(source))?;
        Ok(journal)
    }

    /// Writes what is about to be sent, without its secrets. When this returns, it is on disk.
    ///
    /// # Errors
    /// When it could not be written; then nothing may be sent.
    pub fn intend(&self, intent: &Intent) -> Result<String, JournalError> {
        self.insert(intent, Outcome::Sent)
    }

    /// Writes what was stopped before it was sent, without its secrets. When this returns, it is on disk.
    ///
    /// # Errors
    /// When it could not be written.
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
                "INSERT INTO record (id, site, site_name, site_kind, site_version, operation, username,
                                     program_version, parameters, requests, started_at, outcome, system_user, computer, late)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14,
                         (SELECT coalesce(max(started_at) > ?11, 0) FROM record WHERE late = 0))",
            )
            .and_then(|mut statement| {
                statement.execute(params![
                    id,
                    intent.site,
                    intent.site_name,
                    intent.site_kind,
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

    /// Writes what came of it, without secrets. When this returns, it is on disk.
    ///
    /// # Errors
    /// When the record is not there or could not be written.
    pub fn conclude(&self, id: &str, conclusion: &Conclusion) -> Result<(), JournalError> {
        let report = conclusion.report.clone().map(|mut report| {
            redact::json(&mut report);
            report.to_string()
        });
        let answer = conclusion.answer.as_ref().map(redact::answer);
        let (answer, cut) = answer.map(|Answer { text, cut }| (text, cut)).unzip();
        let changed = self
            .lock()
            .prepare_cached(
                "UPDATE record SET outcome = ?2, note = ?3, report = coalesce(?4, report), ended_at = ?5,
                                   elapsed = ?6, answer = coalesce(?7, answer),
                                   answer_cut = coalesce(?8, answer_cut)
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
                    answer,
                    cut
                ])
            })
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
        filter
            .query(&connection, COLUMNS)
            .and_then(|query| query.read(&connection, record))
            .map_err(|source| self.failed(source))
    }

    /// Reads one page of the history, newest first, [`Filter::limit`] records long.
    ///
    /// # Errors
    /// When the file cannot be read.
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

    /// One record with everything that is kept of it.
    ///
    /// # Errors
    /// When there is no such record, or it cannot be read.
    pub fn whole(&self, id: &str) -> Result<Whole, JournalError> {
        let found = self
            .lock()
            .query_row(
                &format!("SELECT {COLUMNS}, answer, answer_cut, report FROM record WHERE id = ?1"),
                [id],
                |row| {
                    let answer: Option<String> = row.get(20)?;
                    let cut: bool = row.get(21)?;
                    let report: Option<String> = row.get(22)?;
                    Ok((record(row)?, answer.map(|text| Answer { text, cut }), report))
                },
            )
            .optional()
            .map_err(|source| self.failed(source))?;
        let (record, answer, report) = found.ok_or_else(|| JournalError::NoSuchRecord(id.to_owned()))?;
        let report =
            report.map(|report| serde_json::from_str(&report)).transpose().map_err(JournalError::Damaged)?;
        let settlement = self.settlement(id)?;
        Ok(Whole { record, answer, report, settlement })
    }

    /// The report kept with a record; `None` when it has none.
    ///
    /// # Errors
    /// When there is no such record, or its report cannot be read.
    pub fn report(&self, id: &str) -> Result<Option<serde_json::Value>, JournalError> {
        Ok(self.whole(id)?.report)
    }

    /// Everybody who has a record, by name.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn people(&self) -> Result<Vec<String>, JournalError> {
        let everybody =
            "SELECT DISTINCT username FROM record WHERE username <> '' ORDER BY username COLLATE NOCASE";
        let connection = self.lock();
        let people = connection
            .prepare_cached(everybody)
            .and_then(|mut statement| statement.query_map([], |row| row.get(0))?.collect());
        people.map_err(|source| self.failed(source))
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

    /// How long the slowest of the last ten of these operations took that the site answered, in milliseconds.
    ///
    /// # Errors
    /// When the database cannot be read.
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

    /// How long an operation usually takes on a site, in milliseconds: the middle one of its last successes there.
    ///
    /// # Errors
    /// When the journal could not be read.
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
        // A panic in another thread leaves no half-done transaction behind: it is rolled back when it is dropped.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How SQLite would go about a filter.
    #[cfg(test)]
    pub(crate) fn plan(&self, filter: &Filter) -> Vec<String> {
        let connection = self.lock();
        let mut query = filter.query(&connection, COLUMNS).unwrap();
        query.sql.insert_str(0, "EXPLAIN QUERY PLAN ");
        query.read(&connection, |row| row.get(3)).unwrap()
    }
}

fn record(row: &Row<'_>) -> rusqlite::Result<Record> {
    let parameters: String = row.get(9)?;
    let requests: String = row.get(10)?;
    let outcome: String = row.get(14)?;
    Ok(Record {
        sequence: row.get(0)?,
        id: row.get(1)?,
        intent: Intent {
            site: row.get(2)?,
            site_name: row.get(3)?,
            site_kind: row.get(4)?,
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
        has_report: row.get(16)?,
        is_settled: row.get(17)?,
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
            ..Intent::default()
        }
    }

    fn success() -> Conclusion {
        Conclusion {
            outcome: Outcome::Succeeded,
            note: "/backups/a.portalsite".to_owned(),
            answer: Some(Answer { text: "{\"location\":\"/backups/a.portalsite\"}".to_owned(), cut: false }),
            report: Some(serde_json::json!({"status": "success"})),
            ended_at: 2_000,
            elapsed: 999,
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
    fn nobody_else_on_this_computer_reads_the_journal() {
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
        assert_eq!(ids(Filter { site: Some("a".to_owned()), ..Filter::default() }), [third.clone(), first]);
        assert_eq!(ids(Filter { limit: Some(1), ..Filter::default() }), [third]);
    }

    #[test]
    fn a_second_conclusion_keeps_the_answer_and_the_report_of_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
        let id = journal.intend(&intent("a")).unwrap();
        journal.conclude(&id, &success()).unwrap();

        let note = "saved as /home/a".to_owned();
        journal.conclude(&id, &Conclusion { note, answer: None, report: None, ..success() }).unwrap();

        let whole = journal.whole(&id).unwrap();
        assert_eq!(whole.record.note, "saved as /home/a");
        assert_eq!(whole.record.elapsed, Some(999));
        assert_eq!(whole.report, success().report);
        assert_eq!(whole.answer, success().answer);
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
