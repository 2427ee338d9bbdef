//! Checksums of rows, which show damage on disk. They are not proof against a person who changes the file.
//!
//! [`register`] adds the SQL function `row_checksum` to a connection. A row is written and sealed in one transaction, and
//! each statement that reads it compares its checksum.

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::ValueRef;
use sha2::{Digest, Sha256};

/// Content of a record that can be megabytes. It has a checksum of its own, so that lists need not read it.
const CONTENT: &str =
    "row_checksum(record.sequence, record.response_truncated, record.response, record.report)";

/// Everything else of a record, with the checksum of its content.
const RECORD: &str = "row_checksum(record.sequence, record.id, record.site, record.server, record.server_name,
    record.site_name, record.environment, record.site_version, record.operation, record.username, record.system_user, record.computer, record.process,
    record.program_version, record.parameters, record.started_at, record.late, record.ended_at, record.elapsed,
    record.outcome, record.note, record.reason, record.batch, record.batch_size, record.facts, record.requests, record.content_checksum)";

const DEACTIVATION: &str =
    "row_checksum(sequence, id, record, site, service, deactivated_at, by, why, active, state,
    remind_at, resolved_at, resolved_by)";

const OUTCOME_RESOLUTION: &str = "row_checksum(record, outcome, note, by, at)";

const CHECKLIST_ITEM: &str = "row_checksum(record, item)";

/// Table whose rows have a checksum.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Table {
    Record,
    Deactivation,
    OutcomeResolution,
    ChecklistItem,
}

impl Table {
    const ALL: [Self; 4] = [Self::Record, Self::Deactivation, Self::OutcomeResolution, Self::ChecklistItem];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Record => "record",
            Self::Deactivation => "deactivation",
            Self::OutcomeResolution => "outcome_resolution",
            Self::ChecklistItem => "checklist_item",
        }
    }

    const fn computed(self) -> &'static str {
        match self {
            Self::Record => RECORD,
            Self::Deactivation => DEACTIVATION,
            Self::OutcomeResolution => OUTCOME_RESOLUTION,
            Self::ChecklistItem => CHECKLIST_ITEM,
        }
    }

    /// Returns an SQL expression that is 1 for an intact row, and 0 for a damaged one.
    pub(crate) fn is_intact(self) -> String {
        // `IS` is also false for a stored checksum that is NULL or of another type.
        format!("({}.checksum IS {})", self.name(), self.computed())
    }

    /// Returns an SQL expression that is 1 if the row and, of a record, its content are intact.
    pub(crate) fn is_whole(self) -> String {
        match self {
            Self::Record => format!("({} AND {})", self.is_intact(), is_content_intact()),
            _ => self.is_intact(),
        }
    }

    /// Returns the statement that adds a row with its checksum. `values` name their columns. The row gets the next
    /// position, which the caller's transaction keeps free.
    pub(crate) fn insert(self, values: &str) -> String {
        let (name, computed) = (self.name(), self.computed());
        let columns: Vec<_> = values.split(',').filter_map(|value| value.rsplit_once(" AS ")).collect();
        let columns = columns.iter().map(|(_, column)| column.trim()).collect::<Vec<_>>().join(", ");
        let row = format!("SELECT (SELECT coalesce(max(sequence), 0) + 1 FROM {name}) AS sequence, {values}");
        let (content, row) = match self {
            Self::Record => (
                ", content_checksum",
                format!("SELECT *, {CONTENT} AS content_checksum FROM ({row}) AS record"),
            ),
            _ => ("", row),
        };
        format!(
            "INSERT INTO {name} (sequence, {columns}{content}, checksum)
             SELECT sequence, {columns}{content}, {computed} FROM ({row}) AS {name}"
        )
    }

    /// Returns the statements that write the checksums of rows.
    pub(crate) fn seal(self, condition: &str) -> Vec<String> {
        let content = match self {
            Self::Record => Some(format!("UPDATE record SET content_checksum = {CONTENT} WHERE {condition}")),
            _ => None,
        };
        let row = format!("UPDATE {} SET checksum = {} WHERE {condition}", self.name(), self.computed());
        content.into_iter().chain([row]).collect()
    }
}

/// Returns an SQL expression that is 1 if the response and the report of a record are intact.
pub(crate) fn is_content_intact() -> String {
    format!("(record.content_checksum IS {CONTENT})")
}

/// Adds the function `row_checksum` to a connection: the first 8 bytes of the SHA-256 of the values, each with its type
/// and its length.
pub(crate) fn register(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("row_checksum", -1, flags, |values| {
        let (mut hash, mut row) = (Sha256::new(), Vec::with_capacity(1024));
        for index in 0..values.len() {
            let (kind, bytes): (u8, &[u8]) = match values.get_raw(index) {
                ValueRef::Null => (0, &[]),
                ValueRef::Integer(number) => (1, &number.to_be_bytes()),
                ValueRef::Real(number) => (2, &number.to_be_bytes()),
                ValueRef::Text(text) => (3, text),
                ValueRef::Blob(bytes) => (4, bytes),
            };
            row.push(kind);
            row.extend((bytes.len() as u64).to_be_bytes());
            // Short values are hashed together: a verification has millions of them. A long one, perhaps of megabytes, is not copied.
            if bytes.len() < 1024 {
                row.extend(bytes);
            } else {
                hash.update(&row);
                row.clear();
                hash.update(bytes);
            }
        }
        hash.update(&row);
        let [a, b, c, d, e, f, g, h, ..] = <[u8; 32]>::from(hash.finalize());
        Ok(i64::from_be_bytes([a, b, c, d, e, f, g, h]))
    })
}

/// Writes the checksums of all rows of a journal. For journals that were written without this crate, as those of tests and
/// benchmarks: it makes damaged rows look intact.
///
/// # Errors
/// Returns the error of SQLite if the journal cannot be written.
pub fn seal_all(connection: &Connection) -> rusqlite::Result<()> {
    register(connection)?;
    for sql in Table::ALL.into_iter().flat_map(|table| table.seal("true")) {
        connection.execute(&sql, [])?;
    }
    Ok(())
}
