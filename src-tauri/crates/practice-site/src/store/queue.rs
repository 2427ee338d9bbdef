//! Deliveries that wait for their time, and those that were given up.

use crate::deliveries::{Happening, LayerEdits};
use crate::wire::Refusal;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

/// For each webhook; as many as a policy may count.
pub(crate) const FAILURES_KEPT: i64 = 1000;

/// One payload on its way.
pub(crate) struct Delivery {
    pub(crate) id: i64,
    pub(crate) happening: Happening,
    /// Attempts that failed so far.
    pub(crate) attempts: i64,
}

/// A delivery that was given up.
pub(crate) struct Failure {
    pub(crate) moment: i64,
    pub(crate) attempts: i64,
    pub(crate) reason: String,
}

pub(crate) fn add(tx: &Transaction, webhook: &str, happening: &Happening, due: i64) -> Result<(), Refusal> {
    tx.execute(
        "INSERT INTO deliveries (webhook, happening, sealed, attempts, due) VALUES (?1, ?2, 0, 0, ?3)",
        params![webhook, serde_json::to_string(happening)?, due],
    )?;
    Ok(())
}

/// Edits until the next due time are told together.
pub(crate) fn add_edits(tx: &Transaction, webhook: &str, edits: LayerEdits, due: i64) -> Result<(), Refusal> {
    let open = tx
        .query_row(
            "SELECT id, happening FROM deliveries WHERE webhook = ?1 AND sealed = 0 ORDER BY id LIMIT 1",
            [webhook],
            |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)),
        )
        .optional()?;
    let Some((id, happening)) = open else {
        return add(tx, webhook, &Happening::Edited(vec![edits]), due);
    };
    let mut happening: Happening = serde_json::from_str(&happening)?;
    happening.and_also(edits);
    tx.execute(
        "UPDATE deliveries SET happening = ?2 WHERE id = ?1",
        params![id, serde_json::to_string(&happening)?],
    )?;
    Ok(())
}

/// Every webhook with something in the queue, and when the first of it is due.
pub(crate) fn waiting(runtime: &Connection) -> Result<Vec<(String, i64)>, Refusal> {
    let mut list = runtime.prepare_cached("SELECT webhook, min(due) FROM deliveries GROUP BY webhook")?;
    let waiting =
        list.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?;
    Ok(waiting)
}

/// The delivery of this webhook that is due first. Nothing is added to it from now on.
pub(crate) fn seal_next(tx: &Transaction, webhook: &str, now: i64) -> Result<Option<Delivery>, Refusal> {
    let found = tx
        .query_row(
            "UPDATE deliveries SET sealed = 1
             WHERE id = (SELECT id FROM deliveries WHERE webhook = ?1 AND due <= ?2 ORDER BY due, id LIMIT 1)
             RETURNING id, happening, attempts",
            params![webhook, now],
            |row| Ok((row.get(0)?, row.get::<_, String>(1)?, row.get(2)?)),
        )
        .optional()?;
    let Some((id, happening, attempts)) = found else { return Ok(None) };
    Ok(Some(Delivery { id, happening: serde_json::from_str(&happening)?, attempts }))
}

/// The receiver has it.
pub(crate) fn delivered(tx: &Transaction, delivery: i64) -> Result<(), Refusal> {
    tx.execute("DELETE FROM deliveries WHERE id = ?1", [delivery])?;
    Ok(())
}

pub(crate) fn try_again(tx: &Transaction, delivery: i64, attempts: i64, due: i64) -> Result<(), Refusal> {
    tx.execute(
        "UPDATE deliveries SET attempts = ?2, due = ?3 WHERE id = ?1",
        params![delivery, attempts, due],
    )?;
    Ok(())
}

/// Takes a delivery out of the queue and notes why.
pub(crate) fn give_up(
    tx: &Transaction,
    webhook: &str,
    delivery: i64,
    failure: &Failure,
) -> Result<(), Refusal> {
    delivered(tx, delivery)?;
    tx.execute(
        "INSERT INTO failures (webhook, moment, attempts, reason) VALUES (?1, ?2, ?3, ?4)",
        params![webhook, failure.moment, failure.attempts, failure.reason],
    )?;
    tx.execute(
        "DELETE FROM failures WHERE webhook = ?1 AND id NOT IN
             (SELECT id FROM failures WHERE webhook = ?1 ORDER BY id DESC LIMIT ?2)",
        params![webhook, FAILURES_KEPT],
    )?;
    Ok(())
}

/// The latest first.
pub(crate) fn failures(runtime: &Connection, webhook: &str) -> Result<Vec<Failure>, Refusal> {
    let mut list = runtime.prepare_cached(
        "SELECT moment, attempts, reason FROM failures WHERE webhook = ?1 ORDER BY id DESC",
    )?;
    let failures = list
        .query_map([webhook], |row| {
            Ok(Failure { moment: row.get(0)?, attempts: row.get(1)?, reason: row.get(2)? })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(failures)
}

/// Only of deliveries that were tried: what this site did not let out is no fault of the receiver.
pub(crate) fn failures_since(runtime: &Connection, webhook: &str, moment: i64) -> Result<i64, Refusal> {
    Ok(runtime.query_row(
        "SELECT count(*) FROM failures WHERE webhook = ?1 AND moment >= ?2 AND attempts > 0",
        params![webhook, moment],
        |row| row.get(0),
    )?)
}

/// A webhook that was activated starts anew: its failures are forgotten and what was held is due.
pub(crate) fn release(tx: &Transaction, webhooks: &[String], now: i64) -> Result<(), Refusal> {
    for webhook in webhooks {
        tx.execute("DELETE FROM failures WHERE webhook = ?1", [webhook])?;
        tx.execute(
            "UPDATE deliveries SET attempts = 0, due = min(due, ?2) WHERE webhook = ?1",
            params![webhook, now],
        )?;
    }
    Ok(())
}

/// Removes all traces of webhooks that are no more.
pub(crate) fn forget(tx: &Transaction, webhooks: &[String]) -> Result<(), Refusal> {
    for webhook in webhooks {
        tx.execute("DELETE FROM deliveries WHERE webhook = ?1", [webhook])?;
        tx.execute("DELETE FROM failures WHERE webhook = ?1", [webhook])?;
    }
    Ok(())
}
