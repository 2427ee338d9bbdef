//! Users of the portal, and the primary site administrator of the server.

use crate::wire::ApiError;
use rusqlite::{Connection, OptionalExtension as _};

/// Portal user.
pub(crate) struct User {
    pub(crate) username: String,
    pub(crate) full_name: String,
    pub(crate) email: String,
    pub(crate) role: String,
    pub(crate) created: i64,
}

/// Returns a portal user. `None` if the user does not exist.
pub(crate) fn user(portal: &Connection, username: &str) -> Result<Option<User>, ApiError> {
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

/// Returns the password hash of a portal user. `None` if the user does not exist or has no password.
pub(crate) fn password_hash(portal: &Connection, username: &str) -> Result<Option<String>, ApiError> {
    let mut find = portal.prepare_cached("SELECT password_hash FROM users WHERE username = ?1")?;
    Ok(find.query_row([username], |row| row.get(0)).optional()?.flatten())
}

/// Returns the password hash of the primary site administrator. `None` if `username` is not that account.
pub(crate) fn primary_password_hash(server: &Connection, username: &str) -> Result<Option<String>, ApiError> {
    let mut find =
        server.prepare_cached("SELECT password_hash FROM primary_administrator WHERE username = ?1")?;
    Ok(find.query_row([username], |row| row.get(0)).optional()?)
}

/// Portal.
pub(crate) struct Portal {
    /// ID in the sharing API.
    pub(crate) id: String,
    /// ID used in collaborations.
    pub(crate) uuid: String,
    pub(crate) name: String,
    /// Name of the content directory. An import uses a new name, so that the change is atomic.
    pub(crate) content: String,
}

/// Returns the portal. The database contains exactly one.
pub(crate) fn portal(connection: &Connection) -> Result<Portal, ApiError> {
    Ok(connection.query_row("SELECT id, uuid, name, content FROM portal", [], |row| {
        Ok(Portal { id: row.get(0)?, uuid: row.get(1)?, name: row.get(2)?, content: row.get(3)? })
    })?)
}

/// Returns the usernames and full names of all users.
pub(crate) fn names(portal: &Connection) -> Result<Vec<(String, String)>, ApiError> {
    pairs(portal, "SELECT username, full_name FROM users ORDER BY username")
}

/// Returns the identifiers and titles of all groups.
pub(crate) fn groups(portal: &Connection) -> Result<Vec<(String, String)>, ApiError> {
    pairs(portal, "SELECT id, title FROM groups ORDER BY title")
}

fn pairs(portal: &Connection, query: &str) -> Result<Vec<(String, String)>, ApiError> {
    let mut found = portal.prepare(query)?;
    let rows = found.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
