//! Users of the portal, and the one primary administrator of the server.

use crate::wire::Refusal;
use rusqlite::{Connection, OptionalExtension as _};

/// A portal user.
pub(crate) struct User {
    pub(crate) username: String,
    pub(crate) full_name: String,
    pub(crate) email: String,
    pub(crate) role: String,
    pub(crate) created: i64,
}

pub(crate) fn user(portal: &Connection, username: &str) -> Result<Option<User>, Refusal> {
    let mut find = portal
        .prepare_cached("SELECT username, full_name, email, role, created FROM users WHERE username = ?1")?;
    Ok(find
        .query_row([username], |row| {
            Ok(User {
                username: row.get(0)?,
                full_name: row.get(1)?,
                email: row.get(2)?,
                role: row.get(3)?,
                created: row.get(4)?,
            })
        })
        .optional()?)
}

/// The password hash of a portal user who may sign in with one.
pub(crate) fn password_hash(portal: &Connection, username: &str) -> Result<Option<String>, Refusal> {
    let mut find = portal.prepare_cached("SELECT password_hash FROM users WHERE username = ?1")?;
    Ok(find.query_row([username], |row| row.get(0)).optional()?.flatten())
}

/// The primary administrator's password hash, when that is who `username` names.
pub(crate) fn primary_password_hash(server: &Connection, username: &str) -> Result<Option<String>, Refusal> {
    let mut find =
        server.prepare_cached("SELECT password_hash FROM primary_administrator WHERE username = ?1")?;
    Ok(find.query_row([username], |row| row.get(0)).optional()?)
}

/// The portal itself.
pub(crate) struct Portal {
    /// In the sharing API.
    pub(crate) id: String,
    /// Towards other portals.
    pub(crate) uuid: String,
    pub(crate) name: String,
    /// The content directory's name. An import brings a new one, so that it changes in one moment.
    pub(crate) content: String,
}

pub(crate) fn portal(connection: &Connection) -> Result<Portal, Refusal> {
    Ok(connection.query_row("SELECT id, uuid, name, content FROM portal", [], |row| {
        Ok(Portal { id: row.get(0)?, uuid: row.get(1)?, name: row.get(2)?, content: row.get(3)? })
    })?)
}
