//! Whether the journal's file is what it was.

use crate::journal::{Journal, JournalError};

/// What an examination of the journal found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// Records in it.
    pub records: u64,
    /// What is wrong with the file, in the database's words; empty when nothing is.
    pub damage: Vec<String>,
}

impl Journal {
    /// Reads the whole file and looks for damage. It takes as long as reading it does.
    ///
    /// # Errors
    /// When the file cannot be read at all.
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
