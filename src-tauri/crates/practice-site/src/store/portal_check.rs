//! Validation of an imported portal database. Its tables already match the schema, but the values are untrusted.

use crate::names::is_file_name;
use crate::sign_in::{Role, is_password_hash};
use crate::wire::is_too_deep;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use serde_json::Value;

/// All tables of the portal, each before the tables that refer to it.
pub(super) const TABLES: [&str; 10] = [
    "portal",
    "users",
    "groups",
    "group_members",
    "items",
    "group_items",
    "collaborations",
    "workspaces",
    "participants",
    "invitations",
];

/// Checks all values of the database attached as `imported`.
pub(super) fn check(connection: &Connection) -> Result<(), String> {
    for table in TABLES {
        every_row(connection, &format!("SELECT * FROM imported.{table}"), |row| {
            texts_are_readable(table, row)
        })?;
    }
    every_row(connection, "SELECT id, file FROM imported.items", |row| {
        let (id, file): (String, String) = (row.get(0)?, row.get(1)?);
        // Both are used as names in the content directory.
        let wrong = [("id", &id), ("file", &file)].into_iter().find(|(_, name)| !is_file_name(name));
        Ok(wrong.map(|(column, name)| format!("the {column} {name:?} of an item is not a plain file name")))
    })?;
    every_row(connection, "SELECT username, role, password_hash FROM imported.users", |row| {
        let (name, role, hash): (String, String, Option<String>) = (row.get(0)?, row.get(1)?, row.get(2)?);
        if !Role::ALL.iter().any(|known| known.name() == role) {
            return Ok(Some(format!(
                "the user {name:?} has the role {role:?}, which is not a role of this site"
            )));
        }
        let usable = hash.as_deref().is_none_or(is_password_hash);
        Ok((!usable)
            .then(|| format!("the password hash of the user {name:?} is not one that this site makes")))
    })?;
    every_row(connection, "SELECT id, request FROM imported.invitations", |row| {
        let (id, request): (String, String) = (row.get(0)?, row.get(1)?);
        let request: Option<Value> = serde_json::from_str(&request).ok();
        let usable = request.is_some_and(|request| request.is_object() && !is_too_deep(&request));
        Ok((!usable).then(|| format!("the request of the invitation {id:?} is not a JSON object")))
    })
}

/// Passes each row to `fault` until it returns a message.
fn every_row(
    connection: &Connection,
    sql: &str,
    mut fault: impl FnMut(&Row) -> rusqlite::Result<Option<String>>,
) -> Result<(), String> {
    let mut look = || -> rusqlite::Result<Option<String>> {
        let mut statement = connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if let Some(fault) = fault(row)? {
                return Ok(Some(fault));
            }
        }
        Ok(None)
    };
    match look() {
        Ok(None) => Ok(()),
        Ok(Some(fault)) => Err(fault),
        Err(cause) => Err(format!("its database cannot be read ({cause})")),
    }
}

/// Checks the encoding: SQLite stores any bytes as text.
fn texts_are_readable(table: &str, row: &Row) -> rusqlite::Result<Option<String>> {
    for column in 0..row.as_ref().column_count() {
        if let ValueRef::Text(bytes) = row.get_ref(column)?
            && std::str::from_utf8(bytes).is_err()
        {
            let name = row.as_ref().column_name(column)?;
            return Ok(Some(format!("a text in the column {name} of the table {table} is not UTF-8")));
        }
    }
    Ok(None)
}
