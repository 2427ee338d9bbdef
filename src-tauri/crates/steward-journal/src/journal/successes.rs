//! How long the last successes of an operation took.

use rusqlite::params;

use super::{Journal, JournalError, SUCCEEDED};
use crate::checksum::Table;
use crate::record::{Outcome, StoredRecord};
use crate::salvage::is_damage;
use crate::search::Filter;

impl Journal {
    /// Reads the longest duration of the last 10 successes of an operation on a component of a site, in milliseconds;
    /// `None` if there is no success.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the journal cannot be read.
    pub fn longest(&self, site: &str, server: &str, operation: &str) -> Result<Option<i64>, JournalError> {
        Ok(self.durations(site, server, operation, 10)?.into_iter().max())
    }

    /// Reads the median duration of the last 9 successes of an operation on a site, in milliseconds; `None` if there is no
    /// success.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError::Database`] if the journal cannot be read.
    pub fn usual(&self, site: &str, server: &str, operation: &str) -> Result<Option<i64>, JournalError> {
        let mut times = self.durations(site, server, operation, 9)?;
        times.sort_unstable();
        Ok(times.get(times.len() / 2).copied())
    }

    /// Reads the durations of the last successes of an operation on a site.
    fn durations(
        &self,
        site: &str,
        server: &str,
        operation: &str,
        most: u32,
    ) -> Result<Vec<i64>, JournalError> {
        let read = || {
            self.lock()
                .prepare_cached(&format!(
                    "SELECT elapsed FROM record
                     WHERE site = ?1 AND operation = ?2 AND {SUCCEEDED} AND elapsed IS NOT NULL AND server = ?4
                         AND {}
                     ORDER BY sequence DESC LIMIT ?3",
                    Table::Record.is_intact()
                ))?
                .query_map(params![site, operation, most, server], |row| row.get(0))?
                .collect()
        };
        match read() {
            Err(error) if is_damage(&error) => {
                let records = self.successes(site, server, operation)?.into_iter();
                Ok(records.filter_map(|record| record.elapsed).take(most as usize).collect())
            }
            read => read.map_err(|source| self.failed(source)),
        }
    }

    /// Reads the successes of an operation on a component of a site without the index of successes.
    pub(crate) fn successes(
        &self,
        site: &str,
        server: &str,
        operation: &str,
    ) -> Result<Vec<StoredRecord>, JournalError> {
        self.records(&Filter {
            site: Some(site.to_owned()),
            server: Some(server.to_owned()),
            operation: Some(operation.to_owned()),
            outcomes: vec![Outcome::Succeeded, Outcome::Warnings],
            ..Filter::default()
        })
    }
}
