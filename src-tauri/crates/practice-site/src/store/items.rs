//! Portal items.

use crate::wire::ApiError;
use rusqlite::{Connection, params};

/// Item, with the fields that an export requires.
pub(crate) struct Item {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) kind: String,
    pub(crate) file: String,
    /// Path of the service below the origin; `None` for an item that stands for no service.
    pub(crate) url: Option<String>,
}

/// Passes every item to `each`, one at a time, to limit memory use.
pub(crate) fn for_each(
    portal: &Connection,
    mut each: impl FnMut(Item) -> Result<(), ApiError>,
) -> Result<(), ApiError> {
    let mut all = portal.prepare("SELECT id, title, type, file, url FROM items ORDER BY id")?;
    let mut rows = all.query([])?;
    while let Some(row) = rows.next()? {
        each(Item {
            id: row.get(0)?,
            title: row.get(1)?,
            kind: row.get(2)?,
            file: row.get(3)?,
            url: row.get(4)?,
        })?;
    }
    Ok(())
}

/// Removes the item of a service, as a simulated fault.
pub(crate) fn lose_one_of_a_service(tx: &rusqlite::Transaction) -> Result<(), ApiError> {
    let one = "SELECT id FROM items WHERE url LIKE '%/Hosted/%' ORDER BY url LIMIT 1";
    tx.execute(&format!("DELETE FROM group_items WHERE item_id = ({one})"), [])?;
    tx.execute(&format!("DELETE FROM items WHERE id = ({one})"), [])?;
    Ok(())
}

/// Returns the number of items of each type, the most frequent first.
pub(crate) fn by_type(portal: &Connection) -> Result<Vec<(String, i64)>, ApiError> {
    let mut counted = portal
        .prepare("SELECT type, count(*) AS number FROM items GROUP BY type ORDER BY number DESC, type")?;
    let rows = counted.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Returns the number of rows of each kind in a portal export.
pub(crate) fn counts(portal: &Connection) -> Result<serde_json::Value, ApiError> {
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
