//! Batches of the history, each with the outcomes of its entries.

use rusqlite::params_from_iter;

use crate::checksum::Table;
use crate::journal::{Journal, JournalError};
use crate::record::{Batch, Outcome};
use crate::salvage::{is_damage, number, text};

/// Outcomes of the entries of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchOutcomes {
    /// Identifier and number of requests.
    pub batch: Batch,
    /// Number of entries with each outcome that occurs.
    pub outcomes: Vec<(Outcome, u32)>,
}

impl Journal {
    /// Counts the outcomes of batches. Entries that were damaged on disk are not counted.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the journal cannot be read.
    pub fn batches(&self, ids: &[String]) -> Result<Vec<BatchOutcomes>, JournalError> {
        let marks = vec!["?"; ids.len()].join(", ");
        let sql = format!(
            "SELECT batch, max(batch_size), outcome, count(*) FROM record
             WHERE batch <> '' AND batch IN ({marks}) AND {} GROUP BY batch, outcome ORDER BY batch",
            Table::Record.is_intact()
        );
        let read = || {
            let connection = self.lock();
            let mut statement = connection.prepare(&sql)?;
            let small = |number: Option<i64>| u32::try_from(number.unwrap_or_default()).unwrap_or(u32::MAX);
            let rows = statement.query_map(params_from_iter(ids), |row| {
                let batch = Batch { id: text(row, 0)?, size: small(number(row, 1)?) };
                Ok((batch, (Outcome::named(&text(row, 2)?), small(number(row, 3)?))))
            })?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        };
        let counted = match read() {
            // Without the counts, the entries that can be read are still listed.
            Err(error) if is_damage(&error) => Vec::new(),
            counted => counted.map_err(|source| self.failed(source))?,
        };
        let mut found: Vec<BatchOutcomes> = Vec::new();
        for (batch, count) in counted {
            match found.last_mut().filter(|last| last.batch.id == batch.id) {
                Some(last) => last.outcomes.push(count),
                None => found.push(BatchOutcomes { batch, outcomes: vec![count] }),
            }
        }
        Ok(found)
    }
}
