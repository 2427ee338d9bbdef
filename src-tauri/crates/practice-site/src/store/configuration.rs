//! Complete server configuration: the content of an export, and of an import.

use super::services::{self, ServiceName};
use super::webhooks::{self, Webhook};
use super::{data_items, json_column};
use crate::wire::ApiError;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Everything that importSite replaces. The primary site administrator, uploads and tokens are not part of it.
#[derive(Serialize, Deserialize)]
pub(crate) struct ServerConfiguration {
    pub(crate) services: Vec<ServiceRecord>,
    pub(crate) data_items: Vec<Value>,
    pub(crate) settings: BTreeMap<String, Value>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ServiceRecord {
    pub(crate) folder: String,
    pub(crate) service_name: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) description: String,
    pub(crate) configured_state: String,
    pub(crate) data_path: String,
    pub(crate) configuration: Value,
    pub(crate) webhooks: Vec<Webhook>,
}

impl ServiceRecord {
    pub(crate) fn name(&self) -> ServiceName {
        ServiceName { folder: self.folder.clone(), name: self.service_name.clone(), kind: self.kind.clone() }
    }
}

/// Returns a setting, for example `machines`, `directories` or `logSettings`. `None` if it does not exist.
pub(crate) fn setting(server: &Connection, name: &str) -> Result<Option<Value>, ApiError> {
    let mut find = server.prepare_cached("SELECT value FROM settings WHERE name = ?1")?;
    Ok(find.query_row([name], |row| json_column(row, 0)).optional()?)
}

/// Sets or replaces a setting.
pub(crate) fn set(tx: &Transaction, name: &str, value: &Value) -> Result<(), ApiError> {
    tx.execute("REPLACE INTO settings (name, value) VALUES (?1, ?2)", params![name, value.to_string()])?;
    Ok(())
}

/// Reads the complete configuration in one read transaction.
pub(crate) fn read_consistently(server: &Connection) -> Result<ServerConfiguration, ApiError> {
    let moment = server.unchecked_transaction()?;
    read(&moment)
}

fn read(server: &Connection) -> Result<ServerConfiguration, ApiError> {
    let mut services = Vec::new();
    for service in services::all(server)? {
        let webhooks = webhooks::of_service(server, service.id)?;
        services.push(ServiceRecord {
            folder: service.name.folder,
            service_name: service.name.name,
            kind: service.name.kind,
            description: service.description,
            configured_state: service.configured_state,
            data_path: service.data_path,
            configuration: service.configuration,
            webhooks,
        });
    }
    let mut settings = server.prepare_cached("SELECT name, value FROM settings")?;
    let settings = settings
        .query_map([], |row| Ok((row.get(0)?, json_column(row, 1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let data_items = data_items::find(server, &data_items::Filter::default())?;
    Ok(ServerConfiguration { services, data_items, settings })
}

/// Replaces the configuration. All services are stopped afterwards.
pub(crate) fn replace(tx: &Transaction, configuration: ServerConfiguration) -> Result<(), ApiError> {
    tx.execute_batch("DELETE FROM services; DELETE FROM data_items; DELETE FROM settings;")?;
    for service in configuration.services {
        add_service(tx, service)?;
    }
    for item in &configuration.data_items {
        data_items::add(tx, item)?;
    }
    for (name, value) in &configuration.settings {
        set(tx, name, value)?;
    }
    Ok(())
}

fn add_service(tx: &Transaction, service: ServiceRecord) -> Result<(), ApiError> {
    tx.execute(
        "INSERT INTO services
             (folder, name, type, description, configuration, data_path, configured_state, real_time_state)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'STOPPED')",
        params![
            service.folder,
            service.service_name,
            service.kind,
            service.description,
            service.configuration.to_string(),
            service.data_path,
            service.configured_state
        ],
    )?;
    let id = tx.last_insert_rowid();
    for webhook in service.webhooks {
        webhooks::add(tx, id, &webhook)?;
    }
    Ok(())
}

/// Result of starting a service.
pub(crate) struct Start {
    pub(crate) service: ServiceName,
    /// Path of the missing data. `None` if the service runs or is configured as stopped.
    pub(crate) missing: Option<String>,
}

/// Starts every service that is configured as started. A service requires its data. With `one_more_fails`, the first
/// service that could start is reported as failed, as a simulated fault.
pub(crate) fn start_services(tx: &Transaction, mut one_more_fails: bool) -> Result<Vec<Start>, ApiError> {
    let mut starts = Vec::new();
    for service in services::all(tx)? {
        let meant_to_run = service.configured_state == "STARTED";
        let there = std::path::Path::new(&service.data_path).exists();
        let rehearsed = meant_to_run && there && std::mem::take(&mut one_more_fails);
        let missing = (meant_to_run && (!there || rehearsed)).then(|| service.data_path.clone());
        let state = match (meant_to_run, &missing) {
            (false, _) => "STOPPED",
            (true, None) => "STARTED",
            (true, Some(_)) => "FAILED",
        };
        tx.execute("UPDATE services SET real_time_state = ?2 WHERE id = ?1", params![service.id, state])?;
        starts.push(Start { service: service.name, missing });
    }
    Ok(starts)
}
