//! Reading of a damaged file: which errors are damage, and the positions of rows that might still be there.

use std::ops::RangeInclusive;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, Row};

/// Returns whether an error means that a part of the file cannot be read. The other parts might be readable.
pub(crate) fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::SystemIoFailure)
    )
}

/// Returns the positions that rows of a table can have. There can be gaps.
pub(crate) fn places(connection: &Connection, table: &str) -> rusqlite::Result<RangeInclusive<i64>> {
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
        return Ok(1..=*one);
    }
    // Each of the three can be damaged: too small, far too large, or not readable. Take the one in the middle. The third
    // one is a walk through the whole index.
    let index = format!("SELECT max(+sequence) FROM {table} INDEXED BY sqlite_autoindex_{table}_1");
    let answers = [in_table, in_search, ask(&index)];
    let mut last: Vec<i64> = answers.iter().flatten().copied().collect();
    last.sort_unstable();
    match last.get(last.len().saturating_sub(1) / 2) {
        Some(middle) => Ok(1..=*middle),
        None => answers.into_iter().next().unwrap_or(Ok(0)).map(|last| 1..=last),
    }
}

/// Returns these columns of a record without another table, which might be damaged. An outcome without an end was set by a
/// user.
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
