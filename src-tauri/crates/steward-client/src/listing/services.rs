//! Services that can have webhooks.

use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Deserialize;

use crate::area::Area;
use crate::error::ClientError;
use crate::wire::{list, list_of_texts, text, yes_or_no};

/// The service types of the specification's webhook operation.
const WITH_WEBHOOKS: [&str; 2] = ["GPServer", "FeatureServer"];

/// Requests under way at once; more would be felt by a busy server.
const AT_ONCE: usize = 4;

/// A geoprocessing or feature service.
#[derive(Debug, Clone)]
pub struct Service {
    /// Folder; empty for the root.
    pub folder: String,
    /// Name.
    pub name: String,
    /// `GPServer` or `FeatureServer`.
    pub kind: String,
    /// Its webhooks.
    pub webhooks: Vec<Webhook>,
}

/// A webhook of a service.
#[derive(Debug, Clone, Deserialize)]
pub struct Webhook {
    /// Name.
    #[serde(default, deserialize_with = "text")]
    pub name: String,
    /// Whether it is invoked.
    #[serde(default, deserialize_with = "yes_or_no")]
    pub active: Option<bool>,
    /// Where payloads are delivered.
    #[serde(default, rename = "hookUrl", deserialize_with = "text")]
    pub url: String,
}

#[derive(Deserialize)]
struct Folder {
    #[serde(default, deserialize_with = "list_of_texts")]
    folders: Vec<String>,
    #[serde(default, deserialize_with = "list")]
    services: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    #[serde(deserialize_with = "text")]
    service_name: String,
    #[serde(rename = "type", deserialize_with = "text")]
    kind: String,
}

/// Every service that can have webhooks, in the order of folders, with its webhooks.
///
/// # Errors
/// When the server refuses or cannot be reached.
pub async fn services(server: &Area) -> Result<Vec<Service>, ClientError> {
    let expected = "the list of services";
    let root: Folder = server.get(&["admin", "services"], &[], expected).await?;
    let mut found = with_webhooks("", &root.services);
    for name in subfolders(&root) {
        let folder: Folder = server.get(&["admin", "services", name], &[], expected).await?;
        found.extend(with_webhooks(name, &folder.services));
    }
    stream::iter(found)
        .map(|mut service| async {
            service.webhooks = webhooks(server, &service).await?;
            Ok(service)
        })
        .buffered(AT_ONCE)
        .try_collect()
        .await
}

fn with_webhooks(folder: &str, entries: &[Entry]) -> Vec<Service> {
    entries
        .iter()
        .filter(|entry| WITH_WEBHOOKS.contains(&entry.kind.as_str()))
        .map(|entry| Service {
            folder: folder.to_owned(),
            name: entry.service_name.clone(),
            kind: entry.kind.clone(),
            webhooks: Vec::new(),
        })
        .collect()
}

async fn webhooks(server: &Area, service: &Service) -> Result<Vec<Webhook>, ClientError> {
    #[derive(Deserialize)]
    struct Webhooks {
        #[serde(default, deserialize_with = "list")]
        webhooks: Vec<Webhook>,
    }
    let name = format!("{}.{}", service.name, service.kind);
    let mut path = vec!["admin", "services"];
    if !service.folder.is_empty() {
        path.push(&service.folder);
    }
    path.extend([name.as_str(), "webhooks"]);
    let query = [("start", "1"), ("num", "1000")];
    match server.get::<Webhooks>(&path, &query, "the webhooks of a service").await {
        Ok(webhooks) => Ok(webhooks.webhooks),
        // A service that cannot have webhooks says so in words and codes of its own; one such service must not
        // hide all others. A token that has run out is about all of them.
        Err(ClientError::Refused { code, .. }) if code != 498 && code != 499 => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// How many services of any type the server has.
///
/// # Errors
/// When the server refuses or cannot be reached.
pub async fn service_count(server: &Area) -> Result<u32, ClientError> {
    let expected = "the list of services";
    let root: Folder = server.get(&["admin", "services"], &[], expected).await?;
    let mut count = root.services.len();
    for name in subfolders(&root) {
        let folder: Folder = server.get(&["admin", "services", name], &[], expected).await?;
        count += folder.services.len();
    }
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

fn subfolders(root: &Folder) -> impl Iterator<Item = &String> {
    root.folders.iter().filter(|name| !name.is_empty() && *name != "/")
}
