//! Workspaces: named content of a collaboration.

use crate::wire::ApiError;
use rusqlite::{Connection, Transaction, params};

pub(crate) struct Workspace {
    pub(crate) id: String,
    pub(crate) collaboration_id: String,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) created: i64,
}

/// Adds a workspace.
pub(crate) fn add(tx: &Transaction, workspace: &Workspace) -> Result<(), ApiError> {
    tx.execute(
        "INSERT INTO workspaces (id, collaboration_id, name, description, created) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![
            workspace.id,
            workspace.collaboration_id,
            workspace.name,
            workspace.description,
            workspace.created
        ],
    )?;
    Ok(())
}

/// Returns the workspaces of a collaboration, oldest first.
pub(crate) fn of_collaboration(portal: &Connection, collaboration: &str) -> Result<Vec<Workspace>, ApiError> {
    let mut list = portal.prepare_cached(
        "SELECT id, collaboration_id, name, description, created FROM workspaces
         WHERE collaboration_id = ?1 ORDER BY created, name",
    )?;
    let all = list.query_map([collaboration], |row| {
        Ok(Workspace {
            id: row.get(0)?,
            collaboration_id: row.get(1)?,
            name: row.get(2)?,
            description: row.get(3)?,
            created: row.get(4)?,
        })
    })?;
    Ok(all.collect::<rusqlite::Result<_>>()?)
}
