//! Integrity check of the journal file. [`Journal::check`] is the entry point; it changes nothing.

use rusqlite::{Connection, Row};

use crate::checksum::Table;
use crate::journal::{Journal, JournalError};
use crate::salvage::is_damage;
use crate::search::{Filter, Rows};
use crate::trail;

/// Result of an integrity check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// Number of history entries that can be read.
    pub records: u64,
    /// Up to 10 defects, as reported by SQLite, and the number of entries that were changed; empty if the file is intact.
    pub damage: Vec<String>,
    /// Whether every entry is as the audit trail recorded it, and SQLite reports no defect: what differs are checksums alone.
    pub is_as_recorded: bool,
}

impl Journal {
    /// Reads the whole file and checks it for damage. Other calls wait meanwhile.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the file cannot be read at all.
    pub fn check(&self) -> Result<Health, JournalError> {
        health(&self.lock()).map_err(|source| self.failed(source))
    }
}

/// Reads the whole file and checks it for damage.
pub(crate) fn health(connection: &Connection) -> rusqlite::Result<Health> {
    let found = connection.prepare("PRAGMA quick_check(10)").and_then(|mut statement| {
        let lines = statement.query_map([], |row| row.get::<_, String>(0))?;
        lines.filter(|line| !matches!(line, Ok(line) if line == "ok")).collect()
    });
    let mut damage = match found {
        Err(error) if is_damage(&error) => vec![error.to_string()],
        found => found?,
    };
    let columns = format!("record.sequence, {}", Table::Record.is_whole());
    let read = |row: &Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, bool>(1)?));
    let rows = Filter::default().read(connection, &columns, Rows::All, read)?;
    let damaged: Vec<i64> =
        rows.iter().filter(|(_, is_intact)| !is_intact).map(|(place, _)| *place).collect();
    let mut is_as_recorded = damage.is_empty();
    if !damaged.is_empty() {
        is_as_recorded = is_as_recorded && are_as_told(connection, &damaged)?;
        damage.push(format!("{} of {} entries differ from their checksums", damaged.len(), rows.len()));
    }
    Ok(Health { records: rows.len() as u64, damage, is_as_recorded })
}

/// Returns whether the records at these positions are what the audit trail says.
fn are_as_told(connection: &Connection, places: &[i64]) -> rusqlite::Result<bool> {
    let known = trail::verification::known_breaks(connection)?;
    for place in places {
        if !trail::records::is_as_told(connection, *place, &known)? {
            return Ok(false);
        }
    }
    Ok(true)
}
