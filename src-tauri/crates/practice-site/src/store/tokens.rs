//! Tokens, by their hash.

use crate::wire::Refusal;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

/// What a token stands for.
pub(crate) struct Session {
    pub(crate) username: String,
    pub(crate) area: String,
}

/// Keeps a token, and forgets the expired ones.
pub(crate) fn keep(
    tx: &Transaction,
    hash: &str,
    session: &Session,
    now: i64,
    expires: i64,
) -> Result<(), Refusal> {
    tx.execute("DELETE FROM tokens WHERE expires <= ?1", [now])?;
    tx.execute(
        "INSERT INTO tokens (hash, username, area, expires) VALUES (?1, ?2, ?3, ?4)",
        params![hash, session.username, session.area, expires],
    )?;
    Ok(())
}

/// The session of a token that has not expired.
pub(crate) fn find(connection: &Connection, hash: &str, now: i64) -> Result<Option<Session>, Refusal> {
    let mut find =
        connection.prepare_cached("SELECT username, area FROM tokens WHERE hash = ?1 AND expires > ?2")?;
    Ok(find
        .query_row(params![hash, now], |row| Ok(Session { username: row.get(0)?, area: row.get(1)? }))
        .optional()?)
}

/// Signs everybody out.
pub(crate) fn forget_all(tx: &Transaction) -> Result<(), Refusal> {
    tx.execute("DELETE FROM tokens", [])?;
    Ok(())
}
