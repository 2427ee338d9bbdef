//! Web adaptors. Not part of exports, and removed by an import.

use crate::wire::ApiError;
use rusqlite::{Connection, Transaction};
use serde_json::{Value, json};

/// Returns the JSON of all web adaptors.
pub(crate) fn all(server: &Connection) -> Result<Vec<Value>, ApiError> {
    let mut list = server.prepare_cached("SELECT id, url, administration FROM web_adaptors ORDER BY url")?;
    let adaptors = list.query_map([], |row| {
        Ok(json!({
            "id": row.get::<_, String>(0)?,
            "webAdaptorURL": row.get::<_, String>(1)?,
            "isAdminEnabled": row.get::<_, bool>(2)?,
        }))
    })?;
    Ok(adaptors.collect::<rusqlite::Result<_>>()?)
}

/// Deletes all web adaptors.
pub(crate) fn forget(tx: &Transaction) -> Result<(), ApiError> {
    tx.execute("DELETE FROM web_adaptors", [])?;
    Ok(())
}
