//! Server uploads. The files are stored as `uploads/<id>/<name>`.

use crate::wire::ApiError;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

pub(crate) struct Upload {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) size: i64,
    pub(crate) sha256: String,
    pub(crate) created: i64,
    /// Whether the upload is complete.
    pub(crate) committed: bool,
}

const FIELDS: &str = "id, name, description, size, sha256, created, committed";

/// Adds the record of an upload.
pub(crate) fn add(tx: &Transaction, upload: &Upload) -> Result<(), ApiError> {
    tx.execute(
        &format!("INSERT INTO uploads ({FIELDS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"),
        params![
            upload.id,
            upload.name,
            upload.description,
            upload.size,
            upload.sha256,
            upload.created,
            upload.committed
        ],
    )?;
    Ok(())
}

/// Returns all uploads, oldest first.
pub(crate) fn all(server: &Connection) -> Result<Vec<Upload>, ApiError> {
    let mut all = server.prepare_cached(&format!("SELECT {FIELDS} FROM uploads ORDER BY created, id"))?;
    let uploads = all.query_map([], from_row)?.collect::<rusqlite::Result<_>>()?;
    Ok(uploads)
}

/// Returns an upload. `None` if it does not exist.
pub(crate) fn find(server: &Connection, id: &str) -> Result<Option<Upload>, ApiError> {
    let mut find = server.prepare_cached(&format!("SELECT {FIELDS} FROM uploads WHERE id = ?1"))?;
    Ok(find.query_row([id], from_row).optional()?)
}

/// Deletes the record of an upload.
pub(crate) fn remove(tx: &Transaction, id: &str) -> Result<(), ApiError> {
    tx.execute("DELETE FROM uploads WHERE id = ?1", [id])?;
    Ok(())
}

/// Marks an upload as complete, with size and hash.
pub(crate) fn commit(tx: &Transaction, upload: &Upload) -> Result<(), ApiError> {
    tx.execute(
        "UPDATE uploads SET size = ?2, sha256 = ?3, committed = 1 WHERE id = ?1",
        params![upload.id, upload.size, upload.sha256],
    )?;
    Ok(())
}

/// Deletes the records of uploads created before `moment` and returns their IDs.
pub(crate) fn remove_older(tx: &Transaction, committed: bool, moment: i64) -> Result<Vec<String>, ApiError> {
    let mut remove = tx.prepare("DELETE FROM uploads WHERE committed = ?1 AND created < ?2 RETURNING id")?;
    let removed =
        remove.query_map(params![committed, moment], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(removed)
}

fn from_row(row: &Row) -> rusqlite::Result<Upload> {
    Ok(Upload {
        id: row.get(0)?,
        name: row.get(1)?,
        description: row.get(2)?,
        size: row.get(3)?,
        sha256: row.get(4)?,
        created: row.get(5)?,
        committed: row.get(6)?,
    })
}
