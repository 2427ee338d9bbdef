//! Reports of entries.

use rusqlite::{OptionalExtension, Row, params};

use super::{Journal, JournalError, append, change_record};
use crate::checksum::{self, Table};
use crate::report::Report;
use crate::salvage::is_damage;
use crate::trail;

impl Journal {
    /// Sets a field of the report of an entry, without its secrets. `path` is a JSON path of SQLite, whose last part is new or
    /// replaced: `$.proof`, or `$.proof.later[#]` for a new element of a list. An entry whose report does not have the object
    /// in which it is set stays unchanged.
    ///
    /// # Errors
    ///
    /// - [`JournalError::NoSuchRecord`] if the entry does not exist.
    /// - [`JournalError::DamagedRecord`] if it was damaged on disk.
    /// - [`JournalError::Damaged`] if the value has more than 64 levels.
    /// - [`JournalError::Database`] if the report cannot be read or written.
    pub fn set_in_report(&self, id: &str, path: &str, value: &Report) -> Result<(), JournalError> {
        let value = value.redacted().map_err(JournalError::Damaged)?;
        let parent = path.rsplit_once('.').map_or("$", |(parent, _)| parent);
        self.in_transaction(|transaction| {
            let sql = format!(
                "SELECT {whole}, CASE WHEN {whole} THEN json_type(report, ?2) IS 'object' END FROM record WHERE id = ?1",
                whole = Table::Record.is_whole()
            );
            let read = |row: &Row<'_>| Ok((row.get::<_, bool>(0)?, row.get::<_, Option<bool>>(1)?));
            match transaction.prepare_cached(&sql)?.query_row(params![id, parent], read).optional()? {
                None => return Ok(Err(JournalError::NoSuchRecord(id.to_owned()))),
                Some((false, _)) => return Ok(Err(JournalError::DamagedRecord(id.to_owned()))),
                Some((true, Some(true))) => {}
                Some((true, _)) => return Ok(Ok(())),
            }
            let sql = "UPDATE record SET report = json_set(report, ?2, json(?3)) WHERE id = ?1";
            let values = params![id, path, value.text()];
            change_record(transaction, id, sql, values)?;
            append(transaction, trail::ended(transaction, id)?)?;
            Ok(Ok(()))
        })?
    }

    /// Reads the report of an entry; `None` if the entry has no report.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`whole`](Self::whole).
    pub fn report(&self, id: &str) -> Result<Option<Report>, JournalError> {
        Ok(self.whole(id)?.report)
    }

    /// Reads one field of the report of an entry; `None` if it has none, or was damaged on disk. The rest of a report can be
    /// megabytes.
    ///
    /// # Errors
    ///
    /// - [`JournalError::NoSuchRecord`] if the entry does not exist.
    /// - [`JournalError::Damaged`] if the field is not valid JSON.
    /// - [`JournalError::Database`] if the journal cannot be read.
    pub fn report_field(&self, id: &str, field: &str) -> Result<Option<Report>, JournalError> {
        // Most reports do not have the field: a search for its name is faster than a parser.
        let sql = format!(
            "SELECT CASE WHEN instr(report, ?2) > 0 AND {} AND json_valid(report) THEN report -> ?3 END
             FROM record WHERE id = ?1",
            checksum::is_content_intact()
        );
        let names = (format!("\"{field}\""), format!("$.{field}"));
        let read: Option<Option<String>> = self
            .lock()
            .query_row(&sql, params![id, names.0, names.1], |row| row.get(0))
            .or_else(|error| if is_damage(&error) { Ok(None) } else { Err(error) })
            .optional()
            .map_err(|source| self.failed(source))?;
        let field = read.ok_or_else(|| JournalError::NoSuchRecord(id.to_owned()))?;
        field.map(Report::stored).transpose().map_err(JournalError::Damaged)
    }
}
