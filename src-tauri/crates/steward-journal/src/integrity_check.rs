//! Integrity check of the journal file. [`Journal::check`] is the entry point; it changes nothing.

use crate::journal::{Journal, JournalError};

/// Result of an integrity check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// Number of history entries.
    pub records: u64,
    /// Up to 10 defects, as reported by SQLite; empty if the file is intact.
    pub damage: Vec<String>,
}

impl Journal {
    /// Reads the whole file and checks it for damage. Other calls wait meanwhile.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the file cannot be read at all.
    pub fn check(&self) -> Result<Health, JournalError> {
        let connection = self.lock();
        let damage = connection.prepare("PRAGMA quick_check(10)").and_then(|mut statement| {
            let lines = statement.query_map([], |row| row.get::<_, String>(0))?;
            lines.filter(|line| !matches!(line, Ok(line) if line == "ok")).collect()
        });
        let records = connection.query_row("SELECT count(*) FROM record", [], |row| row.get::<_, i64>(0));
        Ok(Health {
            damage: damage.map_err(|source| self.failed(source))?,
            records: records.map_err(|source| self.failed(source))?.unsigned_abs(),
        })
    }
}
