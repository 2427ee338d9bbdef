//! Tokens, stored by hash.

use crate::wire::ApiError;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

/// Properties of a token.
pub(crate) struct Session {
    pub(crate) username: String,
    pub(crate) area: String,
    pub(crate) expires: i64,
    /// Referer that the token is bound to. `None` for any.
    pub(crate) referer: Option<String>,
    /// IP address that the token is bound to. `None` for any.
    pub(crate) address: Option<String>,
    /// Hash of the refresh token that it was created from.
    pub(crate) refresh_hash: Option<String>,
}

/// Stores a token and deletes expired ones.
pub(crate) fn keep(tx: &Transaction, hash: &str, session: &Session, now: i64) -> Result<(), ApiError> {
    tx.execute("DELETE FROM tokens WHERE expires <= ?1", [now])?;
    tx.execute(
        "INSERT INTO tokens (hash, username, area, expires) VALUES (?1, ?2, ?3, ?4)",
        params![hash, session.username, session.area, session.expires],
    )?;
    tx.execute(
        "INSERT INTO token_limits (hash, referer, address, refresh_hash) VALUES (?1, ?2, ?3, ?4)",
        params![hash, session.referer, session.address, session.refresh_hash],
    )?;
    Ok(())
}

/// Returns the session of a token. `None` if it does not exist or has expired.
pub(crate) fn find(connection: &Connection, hash: &str, now: i64) -> Result<Option<Session>, ApiError> {
    let mut find = connection.prepare_cached(
        "SELECT username, area, expires, referer, address, refresh_hash
         FROM tokens LEFT JOIN token_limits USING (hash)
         WHERE hash = ?1 AND expires > ?2",
    )?;
    Ok(find
        .query_row(params![hash, now], |row| {
            Ok(Session {
                username: row.get(0)?,
                area: row.get(1)?,
                expires: row.get(2)?,
                referer: row.get(3)?,
                address: row.get(4)?,
                refresh_hash: row.get(5)?,
            })
        })
        .optional()?)
}

/// Ends all sessions: deletes tokens, codes and refresh tokens.
pub(crate) fn forget_all(tx: &Transaction) -> Result<(), ApiError> {
    for table in ["tokens", "codes", "refresh_tokens"] {
        tx.execute(&format!("DELETE FROM {table}"), [])?;
    }
    Ok(())
}

/// Deletes one token.
pub(crate) fn end(tx: &Transaction, hash: &str) -> Result<(), ApiError> {
    tx.execute("DELETE FROM tokens WHERE hash = ?1", [hash])?;
    Ok(())
}

/// Deletes every token that was created from this refresh token.
pub(crate) fn end_made_from(tx: &Transaction, refresh_hash: &str) -> Result<(), ApiError> {
    tx.execute(
        "DELETE FROM tokens WHERE hash IN (SELECT hash FROM token_limits WHERE refresh_hash = ?1)",
        [refresh_hash],
    )?;
    Ok(())
}
