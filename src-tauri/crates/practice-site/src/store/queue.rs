//! Delivery queue of webhooks, and failed deliveries.

use crate::deliveries::{LayerEdits, WebhookEvent};
use crate::wire::ApiError;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

/// Number of failures kept per webhook; the highest number that a policy can count.
pub(crate) const FAILURES_KEPT: i64 = 1000;

/// Queued payload.
pub(crate) struct Delivery {
    pub(crate) id: i64,
    pub(crate) event: WebhookEvent,
    /// Number of failed attempts.
    pub(crate) attempts: i64,
}

/// Failed delivery.
pub(crate) struct Failure {
    pub(crate) moment: i64,
    pub(crate) attempts: i64,
    pub(crate) reason: String,
}

/// Queues an event for a webhook. `due` is in milliseconds since 1970.
pub(crate) fn add(tx: &Transaction, webhook: &str, event: &WebhookEvent, due: i64) -> Result<(), ApiError> {
    tx.execute(
        "INSERT INTO deliveries (webhook, happening, sealed, attempts, due) VALUES (?1, ?2, 0, 0, ?3)",
        params![webhook, serde_json::to_string(event)?, due],
    )?;
    Ok(())
}

/// Adds edits to the queue. Edits with the same due time are combined into one payload.
pub(crate) fn add_edits(
    tx: &Transaction,
    webhook: &str,
    edits: LayerEdits,
    due: i64,
) -> Result<(), ApiError> {
    let open = tx
        .query_row(
            "SELECT id, happening FROM deliveries WHERE webhook = ?1 AND sealed = 0 ORDER BY id LIMIT 1",
            [webhook],
            |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)),
        )
        .optional()?;
    let Some((id, event)) = open else {
        return add(tx, webhook, &WebhookEvent::Edited(vec![edits]), due);
    };
    let mut event: WebhookEvent = serde_json::from_str(&event)?;
    event.merge(edits);
    tx.execute(
        "UPDATE deliveries SET happening = ?2 WHERE id = ?1",
        params![id, serde_json::to_string(&event)?],
    )?;
    Ok(())
}

/// Returns every webhook with queued payloads, and the earliest due time.
pub(crate) fn waiting(runtime: &Connection) -> Result<Vec<(String, i64)>, ApiError> {
    let mut list = runtime.prepare_cached("SELECT webhook, min(due) FROM deliveries GROUP BY webhook")?;
    let waiting =
        list.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?;
    Ok(waiting)
}

/// Returns the earliest due payload of this webhook and closes it for further edits. `None` if none is due.
pub(crate) fn seal_next(tx: &Transaction, webhook: &str, now: i64) -> Result<Option<Delivery>, ApiError> {
    let found = tx
        .query_row(
            "UPDATE deliveries SET sealed = 1
             WHERE id = (SELECT id FROM deliveries WHERE webhook = ?1 AND due <= ?2 ORDER BY due, id LIMIT 1)
             RETURNING id, happening, attempts",
            params![webhook, now],
            |row| Ok((row.get(0)?, row.get::<_, String>(1)?, row.get(2)?)),
        )
        .optional()?;
    let Some((id, event, attempts)) = found else { return Ok(None) };
    Ok(Some(Delivery { id, event: serde_json::from_str(&event)?, attempts }))
}

/// Removes a delivered payload.
pub(crate) fn delivered(tx: &Transaction, delivery: i64) -> Result<(), ApiError> {
    tx.execute("DELETE FROM deliveries WHERE id = ?1", [delivery])?;
    Ok(())
}

/// Schedules a failed delivery for another attempt. `due` is in milliseconds since 1970.
pub(crate) fn try_again(tx: &Transaction, delivery: i64, attempts: i64, due: i64) -> Result<(), ApiError> {
    tx.execute(
        "UPDATE deliveries SET attempts = ?2, due = ?3 WHERE id = ?1",
        params![delivery, attempts, due],
    )?;
    Ok(())
}

/// Removes a payload and records the failure.
pub(crate) fn give_up(
    tx: &Transaction,
    webhook: &str,
    delivery: i64,
    failure: &Failure,
) -> Result<(), ApiError> {
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

/// Returns the failures of a webhook, latest first.
pub(crate) fn failures(runtime: &Connection, webhook: &str) -> Result<Vec<Failure>, ApiError> {
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

/// Returns the number of failures since `moment`. Counts only attempted deliveries: a payload that this site did not
/// send is not a failure of the receiver.
pub(crate) fn failures_since(runtime: &Connection, webhook: &str, moment: i64) -> Result<i64, ApiError> {
    Ok(runtime.query_row(
        "SELECT count(*) FROM failures WHERE webhook = ?1 AND moment >= ?2 AND attempts > 0",
        params![webhook, moment],
        |row| row.get(0),
    )?)
}

/// Resets activated webhooks: deletes their failures and makes their payloads due.
pub(crate) fn release(tx: &Transaction, webhooks: &[String], now: i64) -> Result<(), ApiError> {
    for webhook in webhooks {
        tx.execute("DELETE FROM failures WHERE webhook = ?1", [webhook])?;
        tx.execute(
            "UPDATE deliveries SET attempts = 0, due = min(due, ?2) WHERE webhook = ?1",
            params![webhook, now],
        )?;
    }
    Ok(())
}

/// Deletes all payloads and failures of removed webhooks.
pub(crate) fn forget(tx: &Transaction, webhooks: &[String]) -> Result<(), ApiError> {
    for webhook in webhooks {
        tx.execute("DELETE FROM deliveries WHERE webhook = ?1", [webhook])?;
        tx.execute("DELETE FROM failures WHERE webhook = ?1", [webhook])?;
    }
    Ok(())
}
