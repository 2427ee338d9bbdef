//! Reading of a damaged file: which errors are damage, and the positions of rows that might still be there.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, ffi};

/// Returns whether an error means that a part of the file cannot be read. The other parts might be readable.
pub(crate) fn is_damage(error: &rusqlite::Error) -> bool {
    if let rusqlite::Error::SqliteFailure(_, Some(message)) = error
        && message.starts_with(OF_SEARCH)
    {
        return true;
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => true,
        // Where only writing fails, for example on a full disk, the file is intact.
        Some(ErrorCode::SystemIoFailure) => {
            matches!(error.sqlite_extended_error_code(), Some(code) if OF_READING.contains(&code))
        }
        _ => false,
    }
}

/// Message of SQLite about a search of which the settings are damaged. It has the code of any error of a statement.
const OF_SEARCH: &str = "invalid fts5 file format";

/// Errors of the disk when it reads. Without an extended code, it is not known which one it was.
const OF_READING: [i32; 5] = [
    ffi::SQLITE_IOERR,
    ffi::SQLITE_IOERR_READ,
    ffi::SQLITE_IOERR_SHORT_READ,
    ffi::SQLITE_IOERR_DATA,
    ffi::SQLITE_IOERR_CORRUPTFS,
];

/// Returns the default value for what cannot be read because of damage.
pub(crate) fn unless_damaged<T: Default>(read: rusqlite::Result<T>) -> rusqlite::Result<T> {
    match read {
        Err(error) if is_damage(&error) => Ok(T::default()),
        read => read,
    }
}

/// Order in which rows are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    OldestFirst,
    NewestFirst,
}

impl Order {
    /// Returns the position at which a walk through a table goes on after the row at `place`; `None` after the last possible one.
    /// Before this row, it was to go on at `next`.
    ///
    /// # Errors
    ///
    /// The error of a damaged file if the row does not follow. Otherwise, pages that lead to each other would be read without end.
    pub(crate) fn step(self, place: i64, next: Option<i64>) -> rusqlite::Result<Option<i64>> {
        let (follows, after) = match self {
            Self::OldestFirst => (next.is_some_and(|next| place >= next), place.checked_add(1)),
            Self::NewestFirst => (next.is_some_and(|next| place <= next), place.checked_sub(1)),
        };
        if follows { Ok(after) } else { Err(without_end()) }
    }
}

/// Returns the error of a damaged file for pages that lead to each other.
pub(crate) fn without_end() -> rusqlite::Error {
    let message = "pages of the file lead to each other".to_owned();
    rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CORRUPT), Some(message))
}

/// Returns the position of the first row that follows `behind` in this order, and of which the column can be read;
/// `None` if there is none.
pub(crate) fn next_readable(
    connection: &Connection,
    (table, column): (&str, &str),
    order: Order,
    behind: i64,
) -> rusqlite::Result<Option<i64>> {
    let Some(places) = unless_damaged(places(connection, table).map(Some))? else { return Ok(None) };
    let mut row = connection
        .prepare_cached(&format!("SELECT {column} FROM {table} NOT INDEXED WHERE sequence = ?1"))?;
    let mut can_be_read = |place: i64| {
        let found = row.query_row([place], |row| row.get_ref(0).map(|_| ())).optional();
        unless_damaged(found).map(|found| found.map(|()| place))
    };
    let mut first = |mut places: Box<dyn Iterator<Item = i64>>| {
        places.find_map(|place| can_be_read(place).transpose()).transpose()
    };
    match order {
        Order::OldestFirst => first(Box::new(places.all().filter(|place| *place > behind))),
        Order::NewestFirst => first(Box::new(places.all().rev().filter(|place| *place < behind))),
    }
}

/// Returns whether a file, whose definitions were not compared, has a view in place of a table: reading it would run
/// its statement, perhaps without end.
pub(crate) fn is_view(connection: &Connection, table: &str) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM pragma_table_list WHERE lower(name) = ?1 AND type = 'view')";
    connection.query_row(sql, [table], |row| row.get(0))
}

/// Bytes that a row takes at least.
const SHORTEST_ROW: i64 = 32;

/// Positions that are tried beyond what the file has room for: rows can have been deleted.
const DELETED: i64 = 100_000;

/// Positions that rows of a table can have, in ascending order. There can be gaps.
pub(crate) struct Places {
    /// Positions that are tried one by one.
    near: RangeInclusive<i64>,
    /// Later positions that are listed in the table or its indexes: a damaged position can be far too large, and all
    /// rows that were added since come after it.
    far: BTreeSet<i64>,
}

impl Places {
    /// Returns the last position.
    pub(crate) fn last(&self) -> i64 {
        self.far.last().copied().unwrap_or(*self.near.end())
    }

    /// Returns all positions.
    pub(crate) fn all(self) -> impl DoubleEndedIterator<Item = i64> {
        self.near.chain(self.far)
    }
}

/// Returns the positions that rows of a table can have.
pub(crate) fn places(connection: &Connection, table: &str) -> rusqlite::Result<Places> {
    let last = last_place(connection, table)?;
    let most = most_rows(connection).saturating_add(DELETED);
    let far = if last > most { beyond(connection, table, most) } else { BTreeSet::new() };
    Ok(Places { near: 1..=last.min(most), far })
}

/// Returns how many rows the file has room for.
pub(crate) fn most_rows(connection: &Connection) -> i64 {
    let ask = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    match (ask("page_count"), ask("page_size")) {
        (Ok(pages), Ok(size)) => pages.saturating_mul(size) / SHORTEST_ROW,
        _ => 0,
    }
}

/// Returns the positions after `most` that the table, or one of its indexes, still lists.
fn beyond(connection: &Connection, table: &str, most: i64) -> BTreeSet<i64> {
    let mut found = BTreeSet::new();
    let mut add = |sql: &str| -> rusqlite::Result<()> {
        let mut statement = connection.prepare(sql)?;
        let mut rows = statement.query([most])?;
        // The rows before damage count.
        while let Some(row) = rows.next()? {
            found.extend(number(row, 0)?);
        }
        Ok(())
    };
    for sql in [
        format!("SELECT sequence FROM {table} WHERE sequence > ?1"),
        format!("SELECT sequence FROM {table} WHERE sequence > ?1 ORDER BY sequence DESC"),
        format!("SELECT sequence FROM {} AND +sequence > ?1", by_index(table)),
    ] {
        // An error of one does not concern the others.
        let _ = add(&sql);
    }
    if table == "record" {
        let _ = add("SELECT id FROM search_docsize WHERE id > ?1");
    }
    found
}

/// Returns a table, read by an index that has the positions of its rows; of the audit trail, of those about a record.
fn by_index(table: &str) -> String {
    match table {
        "trail" => "trail INDEXED BY trail_by_record WHERE record IS NOT NULL".to_owned(),
        _ => format!("{table} INDEXED BY sqlite_autoindex_{table}_1 WHERE true"),
    }
}

/// Returns the last position of a table.
fn last_place(connection: &Connection, table: &str) -> rusqlite::Result<i64> {
    let ask = |sql: &str| {
        connection.query_row(sql, [], |row| row.get::<_, Option<i64>>(0)).map(Option::unwrap_or_default)
    };
    let in_table = ask(&format!("SELECT max(sequence) FROM {table}"));
    let in_search = match table {
        "record" => ask("SELECT max(id) FROM search_docsize"),
        _ => Err(rusqlite::Error::QueryReturnedNoRows),
    };
    if let (Ok(one), Ok(other)) = (&in_table, &in_search)
        && one == other
    {
        return Ok(*one);
    }
    // Each of the three can be damaged: too small, far too large, or not readable. Take the one in the middle. The third
    // one is a walk through the whole index.
    let answers = [in_table, in_search, ask(&format!("SELECT max(+sequence) FROM {}", by_index(table)))];
    let mut last: Vec<i64> = answers.iter().flatten().copied().collect();
    last.sort_unstable();
    let likely = match table {
        // The index has only entries about records, and can lack the last ones.
        "trail" => last.last(),
        _ => last.get(last.len().saturating_sub(1) / 2),
    };
    match likely {
        Some(likely) => Ok(*likely),
        None => answers.into_iter().next().unwrap_or(Ok(0)),
    }
}

/// Returns these columns of a record without reading another table, which might be damaged. Instead, an outcome without
/// an end counts as set by a user.
pub(crate) fn of_record_alone(columns: &str) -> String {
    let is_resolved = "EXISTS (SELECT 1 FROM outcome_resolution WHERE outcome_resolution.record = record.id)";
    columns.replace(is_resolved, "(ended_at IS NULL AND outcome NOT IN ('sent', 'unknown', 'notSent'))")
}

/// Reads a text. Bytes that are no UTF-8 are replaced.
pub(crate) fn text(row: &Row<'_>, index: usize) -> rusqlite::Result<String> {
    Ok(optional_text(row, index)?.unwrap_or_default())
}

/// Reads a text; `None` if there is none. Bytes that are no UTF-8 are replaced.
pub(crate) fn optional_text(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<String>> {
    Ok(match row.get_ref(index)? {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
        ValueRef::Integer(_) | ValueRef::Real(_) | ValueRef::Null => None,
    })
}

/// Reads a number; `None` if there is none.
pub(crate) fn number(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<i64>> {
    Ok(match row.get_ref(index)? {
        ValueRef::Integer(number) => Some(number),
        ValueRef::Text(_) | ValueRef::Blob(_) | ValueRef::Real(_) | ValueRef::Null => None,
    })
}
