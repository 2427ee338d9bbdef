//! Webhooks of services.

use super::services::ServiceName;
use crate::wire::ApiError;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Webhook as stored in the database and in a server export.
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

impl Webhook {
    /// Returns a text setting. `None` if it is missing or empty.
    pub(crate) fn setting(&self, name: &str) -> Option<&str> {
        self.settings[name].as_str().filter(|text| !text.is_empty())
    }
}

const FIELDS: &str = "webhooks.id, webhooks.name, hook_url, active, paused, settings, created, modified";
const WITH_SERVICE: &str =
    "services.folder, services.name, services.type FROM webhooks JOIN services ON services.id = service_id";

/// Returns the webhooks of a service, in the order of their names.
pub(crate) fn of_service(server: &Connection, service_id: i64) -> Result<Vec<Webhook>, ApiError> {
    let mut list = server
        .prepare_cached(&format!("SELECT {FIELDS} FROM webhooks WHERE service_id = ?1 ORDER BY name"))?;
    let webhooks = list.query_map([service_id], from_row)?.collect::<rusqlite::Result<_>>()?;
    Ok(webhooks)
}

/// Returns every webhook of every service.
pub(crate) fn all(server: &Connection) -> Result<Vec<(ServiceName, Webhook)>, ApiError> {
    let mut list = server.prepare_cached(&format!(
        "SELECT {FIELDS}, {WITH_SERVICE} ORDER BY services.folder, services.name, services.type, webhooks.name"
    ))?;
    let webhooks = list.query_map([], from_row_with_service)?.collect::<rusqlite::Result<_>>()?;
    Ok(webhooks)
}

/// Returns a webhook and its service by ID. `None` if it does not exist.
pub(crate) fn with_service(
    server: &Connection,
    id: &str,
) -> Result<Option<(ServiceName, Webhook)>, ApiError> {
    let mut find =
        server.prepare_cached(&format!("SELECT {FIELDS}, {WITH_SERVICE} WHERE webhooks.id = ?1"))?;
    Ok(find.query_row([id], from_row_with_service).optional()?)
}

/// Returns a webhook of this service.
pub(crate) fn find(server: &Connection, service_id: i64, id: &str) -> Result<Webhook, ApiError> {
    let mut find = server.prepare_cached(&format!(
        "SELECT {FIELDS} FROM webhooks WHERE service_id = ?1 AND webhooks.id = ?2"
    ))?;
    find.query_row(params![service_id, id], from_row)
        .optional()?
        .ok_or_else(|| ApiError::not_found(format!("The webhook {id}")))
}

/// Returns the IDs of the webhooks of a service.
pub(crate) fn ids_of_service(server: &Connection, service_id: i64) -> Result<Vec<String>, ApiError> {
    let mut list = server.prepare_cached("SELECT id FROM webhooks WHERE service_id = ?1")?;
    let ids = list.query_map([service_id], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(ids)
}

/// Deactivates all active webhooks, marks them as paused and returns their number. Repeating the call does not change
/// the marks.
pub(crate) fn deactivate_all(tx: &Transaction, service_id: i64, now: i64) -> Result<usize, ApiError> {
    Ok(tx.execute(
        "UPDATE webhooks SET active = 0, paused = 1, modified = ?2 WHERE service_id = ?1 AND active = 1",
        params![service_id, now],
    )?)
}

/// Activates the webhooks that [`deactivate_all`] paused, or all if none is paused, and returns their IDs.
pub(crate) fn activate_all(tx: &Transaction, service_id: i64, now: i64) -> Result<Vec<String>, ApiError> {
    let mut activate = tx.prepare_cached(
        "UPDATE webhooks SET active = 1, paused = 0, modified = ?2
         WHERE service_id = ?1 AND active = 0
           AND (paused = 1 OR NOT EXISTS (SELECT 1 FROM webhooks WHERE service_id = ?1 AND paused = 1))
         RETURNING id",
    )?;
    let activated =
        activate.query_map(params![service_id, now], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(activated)
}

/// Deactivates one webhook without a pause mark, so that activateAll does not activate it together with paused ones.
pub(crate) fn deactivate(tx: &Transaction, id: &str, now: i64) -> Result<(), ApiError> {
    tx.execute("UPDATE webhooks SET active = 0, paused = 0, modified = ?2 WHERE id = ?1", params![id, now])?;
    Ok(())
}

/// Updates all fields except the ID and the creation time.
pub(crate) fn update(tx: &Transaction, webhook: &Webhook) -> Result<(), ApiError> {
    tx.execute(
        "UPDATE webhooks SET name = ?2, hook_url = ?3, active = ?4, paused = ?5, settings = ?6, modified = ?7
         WHERE id = ?1",
        params![
            webhook.id,
            webhook.name,
            webhook.hook_url,
            webhook.active,
            webhook.paused,
            webhook.settings.to_string(),
            webhook.modified
        ],
    )?;
    Ok(())
}

/// Deletes a webhook.
pub(crate) fn remove(tx: &Transaction, id: &str) -> Result<(), ApiError> {
    tx.execute("DELETE FROM webhooks WHERE id = ?1", [id])?;
    Ok(())
}

/// Deletes all webhooks of a service.
pub(crate) fn remove_all(tx: &Transaction, service_id: i64) -> Result<(), ApiError> {
    tx.execute("DELETE FROM webhooks WHERE service_id = ?1", [service_id])?;
    Ok(())
}

/// Adds a webhook to a service.
pub(crate) fn add(tx: &Transaction, service_id: i64, webhook: &Webhook) -> Result<(), ApiError> {
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

fn from_row_with_service(row: &Row) -> rusqlite::Result<(ServiceName, Webhook)> {
    let service = ServiceName { folder: row.get(8)?, name: row.get(9)?, kind: row.get(10)? };
    Ok((service, from_row(row)?))
}
