//! Reverse-proxy adaptors. No export holds them, and after an import they are configured anew.

use crate::wire::Refusal;
use rusqlite::{Connection, Transaction};
use serde_json::{Value, json};

pub(crate) fn all(server: &Connection) -> Result<Vec<Value>, Refusal> {
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

/// Forgets them all.
pub(crate) fn forget(tx: &Transaction) -> Result<(), Refusal> {
    tx.execute("DELETE FROM web_adaptors", [])?;
    Ok(())
}
