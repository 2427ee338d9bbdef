//! What a person has ticked off of a record: parts of a checklist, messages of a report.

use rusqlite::params;

use crate::journal::{Journal, JournalError};

impl Journal {
    /// What is ticked off of a record, in no particular order.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn ticks(&self, record: &str) -> Result<Vec<String>, JournalError> {
        let connection = self.lock();
        let mut statement = connection
            .prepare_cached("SELECT item FROM tick WHERE record = ?1")
            .map_err(|source| self.failed(source))?;
        let ticks = statement.query_map([record], |row| row.get(0)).and_then(Iterator::collect);
        ticks.map_err(|source| self.failed(source))
    }

    /// Ticks an item of a record off, or takes the tick away. Doing the same twice changes nothing.
    ///
    /// # Errors
    /// When there is no such record, or the file cannot be written.
    pub fn set_tick(&self, record: &str, item: &str, done: bool) -> Result<(), JournalError> {
        let connection = self.lock();
        let known: bool = connection
            .query_row("SELECT EXISTS (SELECT 1 FROM record WHERE id = ?1)", [record], |row| row.get(0))
            .map_err(|source| self.failed(source))?;
        if !known {
            return Err(JournalError::NoSuchRecord(record.to_owned()));
        }
        let change = if done {
            "INSERT OR IGNORE INTO tick (record, item) VALUES (?1, ?2)"
        } else {
            "DELETE FROM tick WHERE record = ?1 AND item = ?2"
        };
        connection.execute(change, params![record, item]).map_err(|source| self.failed(source))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Intent;

    #[test]
    fn what_was_ticked_off_is_there_after_a_restart_and_belongs_to_its_record() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let journal = Journal::open(&path).unwrap();
        let (one, other) =
            (journal.intend(&Intent::default()).unwrap(), journal.intend(&Intent::default()).unwrap());
        for item in ["logs", "1.7", "logs"] {
            journal.set_tick(&one, item, true).unwrap();
        }
        journal.set_tick(&one, "1.7", false).unwrap();
        journal.set_tick(&one, "never ticked", false).unwrap();
        drop(journal);

        let journal = Journal::open(&path).unwrap();

        assert_eq!(journal.ticks(&one).unwrap(), ["logs"]);
        assert!(journal.ticks(&other).unwrap().is_empty());
    }

    #[test]
    fn nothing_is_ticked_off_of_a_record_that_is_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(&folder.path().join("journal.db")).unwrap();

        assert!(matches!(journal.set_tick("gone", "logs", true), Err(JournalError::NoSuchRecord(_))));
    }
}
