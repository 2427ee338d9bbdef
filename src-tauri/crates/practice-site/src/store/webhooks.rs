//! Webhooks of services.

use crate::wire::Refusal;
use rusqlite::{Connection, Row, Transaction, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One webhook, as stored and as a server export writes it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Webhook {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) hook_url: String,
    pub(crate) active: bool,
    pub(crate) paused: bool,
    pub(crate) settings: Value,
    pub(crate) created: i64,
    pub(crate) modified: i64,
}

pub(crate) fn of_service(server: &Connection, service_id: i64) -> Result<Vec<Webhook>, Refusal> {
    let mut list = server.prepare_cached(
        "SELECT id, name, hook_url, active, paused, settings, created, modified
         FROM webhooks WHERE service_id = ?1 ORDER BY name",
    )?;
    let webhooks = list.query_map([service_id], from_row)?.collect::<rusqlite::Result<_>>()?;
    Ok(webhooks)
}

/// Deactivates what is active, and remembers which those were. Doing it twice forgets nothing.
pub(crate) fn deactivate_all(tx: &Transaction, service_id: i64, now: i64) -> Result<usize, Refusal> {
    Ok(tx.execute(
        "UPDATE webhooks SET active = 0, paused = 1, modified = ?2 WHERE service_id = ?1 AND active = 1",
        params![service_id, now],
    )?)
}

/// Activates again what [`deactivate_all`] stopped; without such a pause, everything.
pub(crate) fn activate_all(tx: &Transaction, service_id: i64, now: i64) -> Result<usize, Refusal> {
    Ok(tx.execute(
        "UPDATE webhooks SET active = 1, paused = 0, modified = ?2
         WHERE service_id = ?1 AND active = 0
           AND (paused = 1 OR NOT EXISTS (SELECT 1 FROM webhooks WHERE service_id = ?1 AND paused = 1))",
        params![service_id, now],
    )?)
}

pub(crate) fn add(tx: &Transaction, service_id: i64, webhook: &Webhook) -> Result<(), Refusal> {
    tx.execute(
        "INSERT INTO webhooks (id, service_id, name, hook_url, active, paused, settings, created, modified)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        params![
            webhook.id,
            service_id,
            webhook.name,
            webhook.hook_url,
            webhook.active,
            webhook.paused,
            webhook.settings.to_string(),
            webhook.created,
            webhook.modified
        ],
    )?;
    Ok(())
}

fn from_row(row: &Row) -> rusqlite::Result<Webhook> {
    Ok(Webhook {
        id: row.get(0)?,
        name: row.get(1)?,
        hook_url: row.get(2)?,
        active: row.get(3)?,
        paused: row.get(4)?,
        settings: super::json_column(row, 5)?,
        created: row.get(6)?,
        modified: row.get(7)?,
    })
}
