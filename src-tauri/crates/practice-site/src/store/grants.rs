//! Authorization codes and refresh tokens, stored by hash.

use crate::wire::ApiError;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

/// Properties of an authorization code.
pub(crate) struct Code {
    pub(crate) username: String,
    pub(crate) client_id: String,
    pub(crate) redirect_uri: String,
    pub(crate) challenge: Option<String>,
    pub(crate) refresh_minutes: i64,
    pub(crate) expires: i64,
}

/// Properties of a refresh token.
#[derive(Clone)]
pub(crate) struct RefreshToken {
    pub(crate) username: String,
    pub(crate) client_id: String,
    pub(crate) redirect_uri: String,
    pub(crate) expires: i64,
}

/// Stores a code and deletes expired ones.
pub(crate) fn keep_code(tx: &Transaction, hash: &str, code: &Code, now: i64) -> Result<(), ApiError> {
    tx.execute("DELETE FROM codes WHERE expires <= ?1", [now])?;
    tx.execute(
        "INSERT INTO codes (hash, username, client_id, redirect_uri, challenge, refresh_minutes, expires)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            hash,
            code.username,
            code.client_id,
            code.redirect_uri,
            code.challenge,
            code.refresh_minutes,
            code.expires
        ],
    )?;
    Ok(())
}

/// Removes a code and returns it. `None` if it does not exist or has expired.
pub(crate) fn take_code(tx: &Transaction, hash: &str, now: i64) -> Result<Option<Code>, ApiError> {
    let mut take = tx.prepare_cached(
        "DELETE FROM codes WHERE hash = ?1
         RETURNING username, client_id, redirect_uri, challenge, refresh_minutes, expires",
    )?;
    let code = take
        .query_row([hash], |row| {
            Ok(Code {
                username: row.get(0)?,
                client_id: row.get(1)?,
                redirect_uri: row.get(2)?,
                challenge: row.get(3)?,
                refresh_minutes: row.get(4)?,
                expires: row.get(5)?,
            })
        })
        .optional()?;
    Ok(code.filter(|code| code.expires > now))
}

/// Stores a refresh token and deletes expired ones.
pub(crate) fn keep_refresh_token(
    tx: &Transaction,
    hash: &str,
    token: &RefreshToken,
    now: i64,
) -> Result<(), ApiError> {
    tx.execute("DELETE FROM refresh_tokens WHERE expires <= ?1", [now])?;
    tx.execute(
        "INSERT INTO refresh_tokens (hash, username, client_id, redirect_uri, expires)
         VALUES (?1, ?2, ?3, ?4, ?5)",
        params![hash, token.username, token.client_id, token.redirect_uri, token.expires],
    )?;
    Ok(())
}

/// Returns a refresh token. `None` if it does not exist or has expired.
pub(crate) fn refresh_token(
    connection: &Connection,
    hash: &str,
    now: i64,
) -> Result<Option<RefreshToken>, ApiError> {
    let mut find = connection.prepare_cached(
        "SELECT username, client_id, redirect_uri, expires FROM refresh_tokens WHERE hash = ?1 AND expires > ?2",
    )?;
    Ok(find
        .query_row(params![hash, now], |row| {
            Ok(RefreshToken {
                username: row.get(0)?,
                client_id: row.get(1)?,
                redirect_uri: row.get(2)?,
                expires: row.get(3)?,
            })
        })
        .optional()?)
}

/// Deletes a refresh token and returns whether it existed.
pub(crate) fn end_refresh_token(tx: &Transaction, hash: &str) -> Result<bool, ApiError> {
    Ok(tx.execute("DELETE FROM refresh_tokens WHERE hash = ?1", [hash])? > 0)
}
