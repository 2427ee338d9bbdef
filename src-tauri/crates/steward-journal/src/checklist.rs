//! Checklist of a history entry: items that a user marked as done, such as the steps after an import or the rows of an
//! import report.
//!
//! [`Journal::set_checklist_item`] marks an item. Only marked items are stored, each belongs to one history entry, and
//! the names of the items are the caller's.

use rusqlite::params;

use crate::checksum::Table;
use crate::journal::{Journal, JournalError, seal};

impl Journal {
    /// Reads the items of a history entry that are marked as done, in no particular order.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the checklist cannot be read.
    pub fn checklist_items(&self, record: &str) -> Result<Vec<String>, JournalError> {
        let sql = format!(
            "SELECT item FROM checklist_item WHERE record = ?1 AND {}",
            Table::ChecklistItem.is_intact()
        );
        let connection = self.lock();
        let mut statement = connection.prepare_cached(&sql).map_err(|source| self.failed(source))?;
        let items = statement.query_map([record], |row| row.get(0)).and_then(Iterator::collect);
        items.map_err(|source| self.failed(source))
    }

    /// Marks an item of a history entry as done, or removes the mark. Repeating a call changes nothing.
    ///
    /// # Errors
    ///
    /// - [`JournalError::NoSuchRecord`] if the history entry does not exist.
    /// - [`JournalError::Database`] if the checklist cannot be written.
    pub fn set_checklist_item(&self, record: &str, item: &str, done: bool) -> Result<(), JournalError> {
        let known = self.in_transaction(|transaction| {
            let known: bool = transaction.query_row(
                "SELECT EXISTS (SELECT 1 FROM record WHERE id = ?1)",
                [record],
                |row| row.get(0),
            )?;
            if known && done {
                // All columns are the key. A row that exists is replaced, because it might be damaged.
                let add = "INSERT OR REPLACE INTO checklist_item (record, item) VALUES (?1, ?2)";
                transaction.execute(add, params![record, item])?;
                seal(transaction, Table::ChecklistItem, "record = ?1 AND item = ?2", &[&record, &item])?;
            } else if known {
                let remove = "DELETE FROM checklist_item WHERE record = ?1 AND item = ?2";
                transaction.execute(remove, params![record, item])?;
            }
            Ok(known)
        })?;
        if known { Ok(()) } else { Err(JournalError::NoSuchRecord(record.to_owned())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Intent;

    #[test]
    fn marked_items_survive_a_restart_and_belong_to_one_entry() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let journal = Journal::open(&path).unwrap();
        let (one, other) =
            (journal.intend(&Intent::default()).unwrap(), journal.intend(&Intent::default()).unwrap());
        for item in ["logs", "1.7", "logs"] {
            journal.set_checklist_item(&one, item, true).unwrap();
        }
        journal.set_checklist_item(&one, "1.7", false).unwrap();
        journal.set_checklist_item(&one, "never marked", false).unwrap();
        drop(journal);

        let journal = Journal::open(&path).unwrap();

        assert_eq!(journal.checklist_items(&one).unwrap(), ["logs"]);
        assert!(journal.checklist_items(&other).unwrap().is_empty());
    }

    #[test]
    fn an_item_of_a_missing_entry_cannot_be_marked() {
        let (_folder, journal) = Journal::in_new_folder();

        assert!(matches!(
            journal.set_checklist_item("gone", "logs", true),
            Err(JournalError::NoSuchRecord(_))
        ));
    }
}
