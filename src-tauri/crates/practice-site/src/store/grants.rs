//! Authorization codes and refresh tokens, by their hash.

use crate::wire::Refusal;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

/// What an authorization code stands for.
pub(crate) struct Code {
    pub(crate) username: String,
    pub(crate) client_id: String,
    pub(crate) redirect_uri: String,
    pub(crate) challenge: Option<String>,
    pub(crate) refresh_minutes: i64,
    pub(crate) expires: i64,
}

/// What a refresh token stands for.
#[derive(Clone)]
pub(crate) struct RefreshToken {
    pub(crate) username: String,
    pub(crate) client_id: String,
    pub(crate) redirect_uri: String,
    pub(crate) expires: i64,
}

/// Keeps a code, and forgets the expired ones.
pub(crate) fn keep_code(tx: &Transaction, hash: &str, code: &Code, now: i64) -> Result<(), Refusal> {
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

/// A code that has not expired. It is gone afterwards.
pub(crate) fn take_code(tx: &Transaction, hash: &str, now: i64) -> Result<Option<Code>, Refusal> {
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

/// Keeps a refresh token, and forgets the expired ones.
pub(crate) fn keep_refresh_token(
    tx: &Transaction,
    hash: &str,
    token: &RefreshToken,
    now: i64,
) -> Result<(), Refusal> {
    tx.execute("DELETE FROM refresh_tokens WHERE expires <= ?1", [now])?;
    tx.execute(
        "INSERT INTO refresh_tokens (hash, username, client_id, redirect_uri, expires)
         VALUES (?1, ?2, ?3, ?4, ?5)",
        params![hash, token.username, token.client_id, token.redirect_uri, token.expires],
    )?;
    Ok(())
}

/// A refresh token that has not expired.
pub(crate) fn refresh_token(
    connection: &Connection,
    hash: &str,
    now: i64,
) -> Result<Option<RefreshToken>, Refusal> {
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

/// Ends a refresh token, and says whether it was there.
pub(crate) fn end_refresh_token(tx: &Transaction, hash: &str) -> Result<bool, Refusal> {
    Ok(tx.execute("DELETE FROM refresh_tokens WHERE hash = ?1", [hash])? > 0)
}
