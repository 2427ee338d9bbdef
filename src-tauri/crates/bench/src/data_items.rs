//! Data store items, written directly to the server's database.

use std::path::Path;

use anyhow::Result;
use rusqlite::{Connection, params};
use serde_json::json;

/// Items below each parent.
pub(crate) const PER_PARENT: u64 = 1_000;

/// Returns the path of the parent of the items that begin at `number` thousand.
pub(crate) fn parent(number: u64) -> String {
    format!("/bigDataFileShares/share{number:05}")
}

/// Adds data store items to a server that has `before` of them, until it has `items`.
pub(crate) fn fill_up(database: &Path, before: u64, items: u64) -> Result<()> {
    let mut server = Connection::open(database)?;
    // The database is deleted afterward, so it need not survive a power failure.
    server.pragma_update(None, "synchronous", "OFF")?;
    let tx = server.transaction()?;
    let mut add = tx.prepare(
        "INSERT INTO data_items (path, parent_path, id, type, managed, item)
         VALUES (?1, ?2, ?3, 'bigDataFileShare', 0, ?4)",
    )?;
    for number in before..items {
        let parent = parent(number / PER_PARENT);
        let path = format!("{parent}/item{number:07}");
        let id = format!("{number:08x}-0000-4000-8000-000000000000");
        let item = json!({
            "id": id,
            "name": format!("item{number:07}"),
            "description": "",
            "provider": "",
            "type": "bigDataFileShare",
            "systemManaged": false,
            "path": path,
            "info": {
                "isManaged": false,
                "connectionType": "fileShare",
                "dataStoreConnectionType": "shared",
                "connectionString": format!("{{\"path\":\"/net/share/{number}\"}}"),
            },
            "meta": { "created": 1_700_000_000_000_u64, "modified": 1_750_000_000_000_u64 },
        });
        add.execute(params![path, parent, id, item.to_string()])?;
    }
    drop(add);
    tx.commit()?;
    server.pragma_update(None, "wal_checkpoint", "TRUNCATE")?;
    Ok(())
}
