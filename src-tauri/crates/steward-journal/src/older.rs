//! What the program of version 1 wrote with less care, and does not keep that way.

use rusqlite::{Connection, params};
use serde_json::Value;

use crate::redact;

/// Takes the secrets out of the records in their first format, before anything is made of them: an index that saw a
/// word once keeps it.
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

/// Parameters as they are kept. What is no list of pairs is text.
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
