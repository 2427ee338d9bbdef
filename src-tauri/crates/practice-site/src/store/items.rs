//! Portal items.

use crate::wire::Refusal;
use rusqlite::{Connection, params};

/// An item, as far as an export has to know it.
pub(crate) struct Item {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) kind: String,
    pub(crate) file: String,
}

/// Shows every item to `each`, one at a time, so that a large portal fits into small memory.
pub(crate) fn for_each(
    portal: &Connection,
    mut each: impl FnMut(Item) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let mut all = portal.prepare("SELECT id, title, type, file FROM items ORDER BY id")?;
    let mut rows = all.query([])?;
    while let Some(row) = rows.next()? {
        each(Item { id: row.get(0)?, title: row.get(1)?, kind: row.get(2)?, file: row.get(3)? })?;
    }
    Ok(())
}

/// How many rows a portal export holds of what.
pub(crate) fn counts(portal: &Connection) -> Result<serde_json::Value, Refusal> {
    let count = |table: &str| {
        portal.query_row(&format!("SELECT count(*) FROM {table}"), params![], |row| row.get::<_, i64>(0))
    };
    Ok(serde_json::json!({
        "users": count("users")?,
        "groups": count("groups")?,
        "items": count("items")?,
        "collaborations": count("collaborations")?,
    }))
}
