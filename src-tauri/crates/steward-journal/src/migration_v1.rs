//! Secrets that version 1 stored. [`redact_version_1`] runs in the transaction of the migration, on the tables of version
//! 1.

use rusqlite::{Connection, params};
use serde_json::Value;

use crate::redact;

/// Redacts the history entries of a journal of version 1.
///
/// It must run before the search index is built, because the index keeps every word it has read.
///
/// # Errors
///
/// Returns the error of SQLite if an entry cannot be read or written.
pub(crate) fn redact_version_1(connection: &Connection) -> rusqlite::Result<()> {
    let mut read = connection.prepare(
        "SELECT sequence, site_name, username, parameters, note, report FROM record ORDER BY sequence",
    )?;
    let mut write = connection.prepare(
        "UPDATE record SET site_name = ?2, username = ?3, parameters = ?4, note = ?5, report = ?6 WHERE sequence = ?1",
    )?;
    let mut rows = read.query([])?;
    while let Some(row) = rows.next()? {
        let sequence: i64 = row.get(0)?;
        let text = |column| row.get::<_, String>(column).map(|text| redact::text(&text));
        let report: Option<String> = row.get(5)?;
        let kept = params![
            sequence,
            text(1)?,
            text(2)?,
            pairs(&row.get::<_, String>(3)?),
            text(4)?,
            report.as_deref().map(json)
        ];
        write.execute(kept)?;
    }
    Ok(())
}

/// Returns redacted parameters. Parameters that are not a list of pairs are redacted as text.
fn pairs(parameters: &str) -> String {
    let pairs = serde_json::from_str::<Vec<(String, String)>>(parameters);
    let pairs = pairs.and_then(|pairs| serde_json::to_string(&redact::fields(&pairs)));
    pairs.unwrap_or_else(|_| redact::text(parameters))
}

fn json(report: &str) -> String {
    match serde_json::from_str::<Value>(report) {
        Ok(mut tree) => {
            redact::json(&mut tree);
            tree.to_string()
        }
        Err(_) => redact::text(report),
    }
}
