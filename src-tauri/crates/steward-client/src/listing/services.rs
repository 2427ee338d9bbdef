//! Services that can have webhooks.

use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Deserialize;

use crate::area::Area;
use crate::error::ClientError;
use crate::receivers::origin;
use crate::webhooks::read_pages;
use crate::wire::{list, list_if_any, list_of_texts, text, yes_or_no};

const GEOPROCESSING: &str = "GPServer";
const FEATURES: &str = "FeatureServer";
const MAP: &str = "MapServer";

/// The service types of the specification's webhook operation.
const WITH_WEBHOOKS: [&str; 2] = [GEOPROCESSING, FEATURES];

/// Requests under way at once; more would be felt by a busy server.
const AT_ONCE: usize = 4;

/// A geoprocessing or feature service.
#[derive(Debug, Clone, PartialEq, Eq)]
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// Name.
    pub name: String,
    /// Whether it is invoked.
    pub active: Option<bool>,
    /// The origin of where payloads are delivered; the whole address often is a secret.
    pub receiver: String,
}

#[derive(Deserialize)]
struct Folder {
    #[serde(default, deserialize_with = "list_of_texts")]
    folders: Vec<String>,
    /// `None` where the answer holds no list: that is no count of none.
    #[serde(default, deserialize_with = "list_if_any")]
    services: Option<Vec<Entry>>,
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
/// A map service that also offers its features is in no list of feature services. Servers from 11.2 name it in the list
/// of all webhooks, if it has any; on others each map service is asked for its extensions.
///
/// # Errors
/// When the server refuses or cannot be reached.
pub async fn services(server: &Area) -> Result<Vec<Service>, ClientError> {
    let expected = "the list of services";
    let root: Folder = server.get(&["admin", "services"], &[], expected).await?;
    let mut found = listed("", root.services.as_deref().unwrap_or_default());
    for name in subfolders(&root) {
        let folder: Folder = server.get(&["admin", "services", name], &[], expected).await?;
        found.extend(listed(name, folder.services.as_deref().unwrap_or_default()));
    }
    let (mut found, mut maps): (Vec<_>, Vec<_>) = found.into_iter().partition(|service| service.kind != MAP);
    // Hosted layers are listed as both.
    maps.retain(|map| !found.contains(&Service::of(&map.folder, &map.name, FEATURES)));
    let with_features = match named_by_webhooks(server).await? {
        Some(named) => named,
        None if maps.is_empty() => Vec::new(),
        None => with_features(server, maps).await?,
    };
    for service in with_features {
        if !found.contains(&service) {
            found.push(service);
        }
    }
    // By folder alone: within one, the order is the server's own.
    found.sort_by(|one, other| one.folder.cmp(&other.folder));
    stream::iter(found)
        .map(|mut service| async {
            service.webhooks = webhooks(server, &service).await?;
            Ok(service)
        })
        .buffered(AT_ONCE)
        .try_collect()
        .await
}

/// The services of a folder that can have webhooks, and map services, which can offer one that does.
fn listed(folder: &str, entries: &[Entry]) -> Vec<Service> {
    entries
        .iter()
        .filter(|entry| entry.kind == MAP || WITH_WEBHOOKS.contains(&entry.kind.as_str()))
        .map(|entry| Service::of(folder, &entry.service_name, &entry.kind))
        .collect()
}

impl Service {
    fn of(folder: &str, name: &str, kind: &str) -> Self {
        let [folder, name, kind] = [folder, name, kind].map(ToOwned::to_owned);
        Self { folder, name, kind, webhooks: Vec::new() }
    }
}

/// The services that the list of all webhooks names; `None` where the server has no such list for us.
async fn named_by_webhooks(server: &Area) -> Result<Option<Vec<Service>>, ClientError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Named {
        #[serde(default, deserialize_with = "text")]
        folder_name: String,
        #[serde(deserialize_with = "text")]
        service_name: String,
        #[serde(deserialize_with = "text")]
        service_type: String,
    }
    let mut found = Vec::new();
    let path = ["admin", "services", "webhooks"];
    let has_list = read_pages(server, &path, "1000", "all webhooks", |named: Named| {
        // The webhooks of a map service are those of its features.
        let kind = if named.service_type == MAP { FEATURES } else { &named.service_type };
        let service = Service::of(named.folder_name.trim_matches('/'), &named.service_name, kind);
        if WITH_WEBHOOKS.contains(&kind) && !found.contains(&service) {
            found.push(service);
        }
    });
    match has_list.await {
        Ok(true) => Ok(Some(found)),
        Ok(false) => Ok(None),
        Err(error) if is_about_this_alone(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The feature services that map services offer, by their extensions.
async fn with_features(server: &Area, maps: Vec<Service>) -> Result<Vec<Service>, ClientError> {
    #[derive(Deserialize)]
    struct Settings {
        #[serde(default, deserialize_with = "list")]
        extensions: Vec<Extension>,
    }
    #[derive(Deserialize)]
    struct Extension {
        #[serde(default, rename = "typeName", deserialize_with = "text")]
        kind: String,
        #[serde(default, deserialize_with = "yes_or_no")]
        enabled: Option<bool>,
    }
    let ask = |map: Service| async move {
        let path = path(&map);
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        match server.get::<Settings>(&path, &[], "the settings of a map service").await {
            Ok(settings) => {
                let offers = |one: &Extension| one.kind == FEATURES && one.enabled == Some(true);
                let offered = settings.extensions.iter().any(offers);
                Ok(offered.then(|| Service { kind: FEATURES.to_owned(), ..map }))
            }
            Err(error) if is_about_this_alone(&error) => Ok(None),
            Err(error) => Err(error),
        }
    };
    let asked: Vec<_> = stream::iter(maps).map(ask).buffered(AT_ONCE).try_collect().await?;
    Ok(asked.into_iter().flatten().collect())
}

/// A resource that one server, or one service, does not offer is said in words and codes of its own, and must not hide
/// all others. A token that has run out, and a way that is broken, are about all of them.
fn is_about_this_alone(error: &ClientError) -> bool {
    match error {
        ClientError::Refused { code, .. } => *code != 498 && *code != 499,
        ClientError::Unreadable { .. } => !error.is_of_the_way(),
        _ => false,
    }
}

fn path(service: &Service) -> Vec<String> {
    let mut path = vec!["admin".to_owned(), "services".to_owned()];
    if !service.folder.is_empty() {
        path.push(service.folder.clone());
    }
    path.push(format!("{}.{}", service.name, service.kind));
    path
}

async fn webhooks(server: &Area, service: &Service) -> Result<Vec<Webhook>, ClientError> {
    #[derive(Deserialize)]
    struct Webhooks {
        #[serde(default, deserialize_with = "list")]
        webhooks: Vec<Wire>,
    }
    #[derive(Deserialize)]
    struct Wire {
        #[serde(default, deserialize_with = "text")]
        name: String,
        #[serde(default, deserialize_with = "yes_or_no")]
        active: Option<bool>,
        #[serde(default, rename = "hookUrl", deserialize_with = "text")]
        address: String,
    }
    let known = server.receivers();
    let read = |Wire { name, active, address }: Wire| {
        known.note(&address);
        Webhook { name, active, receiver: origin(&address) }
    };
    let path = path(service);
    let mut path: Vec<&str> = path.iter().map(String::as_str).collect();
    path.push("webhooks");
    let query = [("start", "1"), ("num", "1000")];
    match server.get::<Webhooks>(&path, &query, "the webhooks of a service").await {
        Ok(webhooks) => Ok(webhooks.webhooks.into_iter().map(read).collect()),
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
    let mut count = counted(&root, expected)?;
    for name in subfolders(&root) {
        let folder: Folder = server.get(&["admin", "services", name], &[], expected).await?;
        count += counted(&folder, expected)?;
    }
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

fn counted(folder: &Folder, expected: &'static str) -> Result<usize, ClientError> {
    let services = folder.services.as_ref();
    services
        .map(Vec::len)
        .ok_or_else(|| ClientError::unreadable(expected, "the answer holds no list of services"))
}

fn subfolders(root: &Folder) -> impl Iterator<Item = &String> {
    root.folders.iter().filter(|name| !name.is_empty() && *name != "/")
}
