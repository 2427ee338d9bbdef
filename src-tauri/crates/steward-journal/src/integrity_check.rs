//! Integrity check of the journal file. [`Journal::check`] is the entry point; it changes nothing.

use rusqlite::{Connection, Row};

use crate::checksum::Table;
use crate::journal::{Journal, JournalError};
use crate::salvage::is_damage;
use crate::search::{Filter, Rows};

/// Result of an integrity check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// Number of history entries that can be read.
    pub records: u64,
    /// Up to 10 defects, as reported by SQLite, and the number of entries that were changed; empty if the file is intact.
    pub damage: Vec<String>,
    /// Whether the file can be read to its end, and SQLite reports no defect: what differs are entries alone, which are shown as damaged.
    pub is_readable: bool,
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
    let read = |row: &Row<'_>| row.get::<_, bool>(0);
    let rows = Filter::default().read(connection, &Table::Record.is_whole(), Rows::All, read)?;
    let damaged = rows.iter().filter(|is_intact| !**is_intact).count();
    let is_readable = damage.is_empty();
    if damaged > 0 {
        damage.push(format!("{damaged} of {} entries differ from their checksums", rows.len()));
    }
    Ok(Health { records: rows.len() as u64, damage, is_readable })
}
