//! Archive of a server: one document per service with its webhooks, the data store items, and the settings.
//!
//! The exclusions of the specification follow from the tables that are read here: none contains cache tiles, service
//! data, logs, statistics or the primary site administrator.

use super::manifest::SERVER_FORMAT;
use super::reader::{Archive, Format, cannot_import};
use super::writer::{Packer, WriteError, write_archive};
use crate::store::configuration::{ServerConfiguration, ServiceRecord};
use crate::wire::ApiError;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use tokio_util::sync::CancellationToken;

const DATA_ITEMS: &str = "datastore/items.json";

/// Limits far above any configuration, but safe for memory: the documents are parsed in memory and take several times
/// their size.
const FORMAT: Format = Format {
    name: SERVER_FORMAT,
    known: is_ours,
    most_entries: 50_000,
    largest_entry: 16 << 20,
    largest_total: |_| 32 << 20,
};

/// Writes the archive of a server configuration.
pub(crate) fn write_server<W: Write + Send>(
    configuration: &ServerConfiguration,
    target: W,
    stopping: &CancellationToken,
) -> Result<(), WriteError> {
    write_archive(target, SERVER_FORMAT, stopping, |archive| fill(archive, configuration))?;
    Ok(())
}

fn fill(archive: &mut Packer, configuration: &ServerConfiguration) -> Result<Value, ApiError> {
    for service in &configuration.services {
        archive.add_json(&service_entry(service), &serde_json::to_value(service)?)?;
    }
    archive.add_json(DATA_ITEMS, &json!(configuration.data_items))?;
    for (name, value) in &configuration.settings {
        archive.add_json(&setting_entry(name), value)?;
    }
    let webhooks: usize = configuration.services.iter().map(|service| service.webhooks.len()).sum();
    Ok(json!({
        "services": configuration.services.len(),
        "webhooks": webhooks,
        "dataItems": configuration.data_items.len(),
        "settings": configuration.settings.len(),
    }))
}

/// Reads an untrusted archive. Nothing is used before everything was checked, and nothing is written to disk.
pub(crate) fn read_server(file: &Path) -> Result<ServerConfiguration, ApiError> {
    let mut entries = Archive::open(file, &FORMAT)?.read_all()?;
    let Some(data_items) = entries.remove(DATA_ITEMS) else {
        return Err(cannot_import(format!("it holds no {DATA_ITEMS}")));
    };
    let mut configuration = ServerConfiguration {
        data_items: document(DATA_ITEMS, &data_items)?,
        services: Vec::new(),
        settings: BTreeMap::new(),
    };
    for (name, content) in entries {
        if let Some(setting) = name.strip_prefix("settings/").and_then(|name| name.strip_suffix(".json")) {
            configuration.settings.insert(setting.to_owned(), document(&name, &content)?);
        } else {
            let service: ServiceRecord = document(&name, &content)?;
            if service_entry(&service) != name {
                return Err(cannot_import(format!("the entry {name} describes another service")));
            }
            configuration.services.push(service);
        }
    }
    super::server_check::check(&configuration)?;
    Ok(configuration)
}

fn service_entry(service: &ServiceRecord) -> String {
    format!("services/{}.json", service.name())
}

fn setting_entry(name: &str) -> String {
    format!("settings/{name}.json")
}

fn is_ours(name: &str) -> bool {
    let known = name == DATA_ITEMS || name.starts_with("services/") || name.starts_with("settings/");
    known && name.ends_with(".json") && name.matches('/').count() <= 2
}

fn document<T: DeserializeOwned>(name: &str, content: &[u8]) -> Result<T, ApiError> {
    serde_json::from_slice(content)
        .map_err(|cause| cannot_import(format!("the entry {name} cannot be read ({cause})")))
}
