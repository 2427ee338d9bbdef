//! Copies of the journal, and whether it can be written.

use std::path::Path;
use std::time::Duration;

use rusqlite::backup::Backup;
use rusqlite::types::{ToSqlOutput, Value};
use rusqlite::{Connection, ErrorCode, OpenFlags, Row, Statement, ToSql, params_from_iter};

use crate::integrity_check::{Health, health};
use crate::journal::{Journal, JournalError};
use crate::salvage::{self, Places, unless_damaged};
use crate::schema;
use crate::trail;

/// Pages that are copied at a time, and the pause after them: other work on the journal goes on meanwhile.
const PAGES: i32 = 256;
const PAUSE: Duration = Duration::from_millis(5);

impl Journal {
    /// Copies the journal to a new file, and checks the copy for damage. The journal can be used meanwhile.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the journal cannot be read or the copy cannot be written.
    pub fn copy_to(&self, path: &Path) -> Result<Health, JournalError> {
        let copied = || {
            self.is_in_place()?;
            let from = schema::read_only(self.path())?;
            let mut to = schema::open_copy(path)?;
            Backup::new(&from, &mut to)?.run_to_completion(PAGES, PAUSE, None)?;
            // Without a write-ahead log, the copy is one file, which can be moved and opened by itself.
            to.pragma_update(None, "journal_mode", "DELETE")?;
            health(&to)
        };
        copied().map_err(|source| self.failed(source))
    }

    /// Returns whether a copy can take the place of the journal: it is one of this version, and can be read to its end.
    #[must_use]
    pub fn is_whole(copy: &Path) -> bool {
        health_of(copy).is_some_and(|health| health.is_readable)
    }

    /// Returns whether a copy has no damage at all, in no entry either.
    #[must_use]
    pub fn is_undamaged(copy: &Path) -> bool {
        health_of(copy).is_some_and(|health| health.damage.is_empty())
    }

    /// Creates a journal with the entries of a damaged one that can be read, and returns the number of history entries.
    /// Damaged entries stay damaged, and those that cannot be read are missing: both are shown.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the file cannot be read at all, or the new journal cannot be written.
    pub fn salvage(damaged: &Path, to: &Path) -> Result<u64, JournalError> {
        let journal = Self::open(to)?;
        let mut connection = journal.lock();
        // Not by one statement for both files: after one that read damage, SQLite writes nothing more in a transaction.
        let kept = (|| {
            let from = Connection::open_with_flags(damaged, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
            // Otherwise SQLite reads nothing of a file that was cut off.
            from.execute_batch("PRAGMA writable_schema = ON")?;
            let to = connection.transaction()?;
            let kept = copy_rows(&from, &to, "record", "*")?;
            copy_rows(&from, &to, "deactivation", "*")?;
            for table in ["outcome_resolution", "checklist_item"] {
                copy_rows_of_records(&from, &to, table)?;
            }
            // Entries of the trail that cannot be read are missing in the new one, and a break of its chain.
            copy_rows(&from, &to, "trail", "sequence, envelope, body")?;
            to.commit()?;
            Ok(kept)
        })();
        drop(connection);
        kept.map_err(|source| journal.failed(source))
    }

    /// Checks that entries of all kinds can be written, and writes none.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if none can be written.
    pub fn can_write(&self) -> Result<(), JournalError> {
        let mut connection = self.lock();
        let tried = (|| {
            let transaction = self.begin(&mut connection)?;
            // The position is explicit, as for each new row: after the last possible one, nothing can be written.
            transaction.execute_batch(
                "INSERT INTO record (sequence, id, site, site_name, environment, site_version, operation, username,
                                     program_version, parameters, requests, started_at, late, outcome)
                 SELECT coalesce(max(sequence), 0) + 1, 'trial', '', '', '', '', '', '', '', '[]', '[]', 0, 0, 'sent' FROM record;
                 UPDATE record SET outcome = 'unknown' WHERE id = 'trial';
                 INSERT INTO deactivation (sequence, id, record, site, service, deactivated_at, by, why, state)
                 SELECT coalesce(max(sequence), 0) + 1, 'trial', '', '', '', 0, '', '', 'intended' FROM deactivation;",
            )?;
            // The outcome of an entry is also an event of the trail, for which the entry is read. Try this, too: once a damaged
            // page was read, SQLite rejects every further write of the transaction.
            if let Some(ended) = trail::ended(&transaction, "trial")? {
                trail::append(&transaction, &ended)?;
            }
            transaction.rollback()
        })();
        tried.map_err(|source| self.failed(source))
    }

    /// Returns whether a file is missing, or has no tables.
    #[must_use]
    pub fn is_empty(path: &Path) -> bool {
        schema::is_empty(path)
    }
}

fn health_of(copy: &Path) -> Option<Health> {
    health(&schema::open_to_read(copy).ok()?).ok()
}

/// Copies these columns of the rows of a table one by one, and returns the number of rows. Those that cannot be read, or break
/// a rule of the table, are left out.
fn copy_rows(from: &Connection, to: &Connection, table: &str, columns: &str) -> rusqlite::Result<u64> {
    // Do not read a view in place of a table: it could return anything. Positions are read in `search_docsize`, too.
    if is_view(from, table)? || is_view(from, "search_docsize")? {
        return Ok(0);
    }
    let select = format!("SELECT {columns} FROM {table} WHERE sequence = ?1");
    let places = unless_damaged(salvage::places(from, table).map(Some))?;
    let places = places.into_iter().flat_map(Places::all).filter(|place| *place != i64::MAX);
    let kept = copy_each(from, to, table, &select, places)?;
    // A row at the last possible position gets the next free one: otherwise, nothing could be written after it.
    let Some(read) = unless_damaged(from.prepare(&select).map(Some))? else { return Ok(kept) };
    let others: Vec<_> = read.column_names().filter(|name| *name != "sequence").collect();
    let select = format!("SELECT {} FROM {table} WHERE sequence = ?1", others.join(", "));
    Ok(kept + copy_each(from, to, table, &select, [i64::MAX])?)
}

/// Copies the rows of a table that belong to the copied records, as [`copy_rows`].
fn copy_rows_of_records(from: &Connection, to: &Connection, table: &str) -> rusqlite::Result<u64> {
    if is_view(from, table)? {
        return Ok(0);
    }
    let mut copied = to.prepare("SELECT id FROM record")?;
    let copied: Vec<Value> = copied.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    copy_each(from, to, table, &format!("SELECT * FROM {table} WHERE record = ?1"), copied)
}

/// Copies the rows of a table that a query finds by each of the keys.
fn copy_each(
    from: &Connection,
    to: &Connection,
    table: &str,
    select: &str,
    keys: impl IntoIterator<Item = impl ToSql>,
) -> rusqlite::Result<u64> {
    let Some(mut read) = unless_damaged(from.prepare(select).map(Some))? else { return Ok(0) };
    let columns: Vec<_> = read.column_names().collect();
    let columns = columns.join(", ");
    let marks = vec!["?"; read.column_count()].join(", ");
    let mut write = to.prepare(&format!("INSERT INTO {table} ({columns}) VALUES ({marks})"))?;
    let mut kept = 0;
    for key in keys {
        let mut rows = read.query([key])?;
        while let Some(row) = unless_damaged(rows.next())? {
            kept += copy_row(row, &mut write)?;
        }
    }
    Ok(kept)
}

/// Copies a row, with the bytes of a text that is no UTF-8, and returns the number of rows.
fn copy_row(row: &Row<'_>, write: &mut Statement<'_>) -> rusqlite::Result<u64> {
    let values: rusqlite::Result<Vec<_>> = (0..row.as_ref().column_count())
        .map(|column| Ok(ToSqlOutput::Borrowed(row.get_ref(column)?)))
        .collect();
    match write.execute(params_from_iter(values?)) {
        Err(error) if breaks_a_rule(&error) => Ok(0),
        copied => copied.map(|rows| rows as u64),
    }
}

fn is_view(from: &Connection, table: &str) -> rusqlite::Result<bool> {
    unless_damaged(salvage::is_view(from, table))
}

fn breaks_a_rule(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation)
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::{Filter, Intent};

    #[test]
    fn a_copy_is_a_journal_of_its_own_with_what_was_not_yet_merged() {
        let (folder, journal) = Journal::in_new_folder();
        let id = journal.intend(&Intent::default()).unwrap();
        let copy = folder.path().join("copy.db");

        let health = journal.copy_to(&copy).unwrap();

        assert_eq!(health, Health { records: 1, damage: Vec::new(), is_readable: true });
        let files = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name());
        assert_eq!(files.filter(|name| name.to_string_lossy().starts_with("copy")).count(), 1);
        assert_eq!(Journal::open(&copy).unwrap().records(&Filter::default()).unwrap()[0].id, id);
    }

    #[test]
    fn of_a_history_that_was_cut_off_the_rows_that_are_left_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (cut, fresh) = (folder.path().join("cut.db"), folder.path().join("fresh.db"));
        let journal = Journal::open(&cut).unwrap();
        let id = journal.intend(&Intent::default()).unwrap();
        for _ in 1..200 {
            journal.intend(&Intent::default()).unwrap();
        }
        drop(journal);
        let bytes = std::fs::read(&cut).unwrap();
        std::fs::write(&cut, &bytes[..bytes.len() - 4_096]).unwrap();
        assert_eq!(Journal::open(&cut).err().map(|error| error.fault()), Some(crate::Fault::Damaged));

        assert!(Journal::salvage(&cut, &fresh).unwrap() > 150);

        let journal = Journal::open(&fresh).unwrap();
        assert_eq!(journal.whole(&id).unwrap().record.id, id);
        journal.can_write().unwrap();
    }

    #[test]
    fn a_history_with_a_position_that_is_far_too_large_is_read_and_kept_in_time() {
        let folder = tempfile::tempdir().unwrap();
        let (damaged, fresh) = (folder.path().join("damaged.db"), folder.path().join("fresh.db"));
        let journal = Journal::open(&damaged).unwrap();
        for _ in 0..20 {
            journal.intend(&Intent::default()).unwrap();
        }
        // A flipped bit of a position, and the record that was written after it.
        let far = "UPDATE record SET sequence = 412316860424 WHERE sequence = 20";
        journal.lock().execute_batch(far).unwrap();
        let last = journal.intend(&Intent::default()).unwrap();
        let far =
            "DROP TRIGGER trail_is_not_changed; UPDATE trail SET sequence = 412316860424 WHERE sequence = 22";
        journal.lock().execute_batch(far).unwrap();
        drop(journal);

        assert_eq!(Journal::salvage(&damaged, &fresh).unwrap(), 21);

        let journal = Journal::open(&fresh).unwrap();
        assert_eq!(journal.whole(&last).unwrap().record.id, last);
        let read = Filter::default().read_one_by_one(
            &journal.lock(),
            "record.sequence",
            crate::search::Rows::All,
            |row| row.get::<_, i64>(0),
        );
        assert_eq!(read.unwrap()[..3], [412_316_860_425, 412_316_860_424, 19]);
        let broken = journal.verify_trail(&mut |_| ControlFlow::Continue(())).unwrap().breaks;
        let broken: Vec<_> = broken.iter().map(|one| (one.what, one.found.is_empty())).collect();
        // The position is a part of the checksum, and not of what its events tell.
        assert_eq!(broken, [(trail::Damage::Chain, false), (trail::Damage::Record, true)]);
    }

    #[test]
    fn a_trial_leaves_nothing_behind() {
        let (_folder, journal) = Journal::in_new_folder();

        journal.can_write().unwrap();
        journal.can_write().unwrap();

        assert!(journal.page(&Filter::default()).unwrap().entries.is_empty());
    }
}
