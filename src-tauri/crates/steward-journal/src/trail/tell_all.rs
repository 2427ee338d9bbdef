//! Events of records that were written without this crate.

use rusqlite::Connection;

use super::append::append;
use super::of_record::ended;
use crate::checksum;
use crate::salvage::text;

/// Appends an event for each record that has none. For journals that were written without this crate, as those of tests and
/// benchmarks.
///
/// # Errors
/// Returns the error of SQLite if the journal cannot be read or written.
pub fn tell_all(transaction: &Connection) -> rusqlite::Result<()> {
    checksum::register(transaction)?;
    let sql = "SELECT id FROM record WHERE id NOT IN (SELECT record FROM trail WHERE record IS NOT NULL) ORDER BY sequence";
    let mut statement = transaction.prepare(sql)?;
    let untold: Vec<String> =
        statement.query_map([], |row| text(row, 0))?.collect::<rusqlite::Result<_>>()?;
    untold.iter().try_for_each(|id| match ended(transaction, id)? {
        Some(event) => append(transaction, &event),
        None => Ok(()),
    })
}
