//! Services that can have webhooks.
//!
//! [`services`] returns them with their webhooks.

use std::collections::HashSet;

use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Deserialize;

use super::gap::Gap;
use super::service_list::{Entry, ServiceFolder, ServiceList};
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::receivers::origin;
use crate::request::of_service;
use crate::webhooks::read_pages;
use crate::wire::{list, text, token, used, yes_or_no};

const GEOPROCESSING: &str = "GPServer";
const FEATURES: &str = "FeatureServer";
const MAP: &str = "MapServer";

/// Service types of the webhook operation in the specification.
const WITH_WEBHOOKS: [&str; 2] = [GEOPROCESSING, FEATURES];

/// Maximum number of concurrent requests, to limit the load on the server.
pub const AT_ONCE: usize = 4;

/// Geoprocessing or feature service, or, with a `gap`, what the server did not return.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Service {
    /// Folder; empty for the root folder.
    pub folder: String,
    /// Name without the type. Empty if it, or the name of the folder, is too long: no request can name the service.
    pub name: String,
    /// Service type: `GPServer` or `FeatureServer`.
    pub kind: String,
    /// Webhooks of the service. `None` if the server does not list them, which does not mean that there are none.
    pub webhooks: Option<Vec<Webhook>>,
    /// What the server did not return: the services of the folder, or, if there is a name, whether this map service has
    /// feature access. `None` for a service.
    pub gap: Option<Gap>,
}

/// Webhook of a service.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Webhook {
    /// ID, unique within the service; may be empty.
    pub id: String,
    /// Name, as shown to users.
    pub name: String,
    /// Whether the webhook is active. `None` if the server does not return it.
    pub active: Option<bool>,
    /// Origin of the receiver. The complete URL is not kept, because it often contains a key.
    pub receiver: String,
}

/// Returns all services that can have webhooks, by folder, with their webhooks.
///
/// A map service with feature access is not listed as a feature service. Servers from 11.2 name it in the list of all
/// webhooks if it has any; on older servers, the extensions of each map service are read.
///
/// # Errors
/// - [`ClientError::Rejected`] if the server rejects a list, or a token expired.
/// - [`ClientError::Unreadable`] if a list is not JSON.
/// - A connection or session error of [`ClientError`].
pub async fn services(server: &Endpoint) -> Result<Vec<Service>, ClientError> {
    services_in(server, &ServiceList::read(server).await?).await
}

/// Returns the services of `list` that can have webhooks, as [`services`] does. Does not request the list again.
///
/// # Errors
/// As [`services`].
pub async fn services_in(server: &Endpoint, list: &ServiceList) -> Result<Vec<Service>, ClientError> {
    let found: Vec<Service> = list.folders.iter().flat_map(listed).collect();
    let unlisted = list.folders.iter().filter_map(|folder| {
        // A service without a type can have webhooks, and so can a map service, which is requested by its name.
        let is_unreadable =
            |entry: &&Entry| entry.kind.is_empty() || entry.kind == MAP && entry.service_name.is_empty();
        let gap = match folder.listed() {
            Ok(entries) => Gap::of_unreadable(entries.iter().filter(is_unreadable).count())?,
            Err(gap) => gap,
        };
        Some(Service { gap: Some(gap), ..Service::of(&folder.name, "", "") })
    });
    let (mut found, mut maps): (Vec<_>, Vec<_>) = found.into_iter().partition(|service| service.kind != MAP);
    // A set, because there can be 100,000.
    let mut known: HashSet<Service> = found.iter().cloned().collect();
    // Hosted layers are listed as a map service and as a feature service.
    maps.retain(|map| {
        !map.name.is_empty() && !known.contains(&Service::of(&map.folder, &map.name, FEATURES))
    });
    let with_features = match named_by_webhooks(server).await? {
        Some(named) => named,
        None if maps.is_empty() => Vec::new(),
        None => with_features(server, maps).await?,
    };
    for service in with_features {
        if known.insert(service.clone()) {
            found.push(service);
        }
    }
    found.extend(unlisted);
    found.extend(
        list.unreadable_folder()
            .map(|one| Service { gap: Some(one.gap), ..Service::of(&one.folder, "", "") }),
    );
    // Sort by folder only: within a folder, keep the server's order.
    found.sort_by(|one, other| one.folder.cmp(&other.folder));
    stream::iter(found)
        .map(|mut service| async {
            if !service.name.is_empty() && service.gap.is_none() {
                service.webhooks = webhooks(server, &service).await?;
            }
            Ok(service)
        })
        .buffered(AT_ONCE)
        .try_collect()
        .await
}

/// Returns the services of a folder that can have webhooks, and the map services, which might have feature access.
fn listed(folder: &ServiceFolder) -> impl Iterator<Item = Service> {
    let entries = folder.services.iter().flatten();
    entries
        .filter(|entry| entry.kind == MAP || WITH_WEBHOOKS.contains(&entry.kind.as_str()))
        .map(|entry| Service::of(&folder.name, &entry.service_name, &entry.kind))
}

impl Service {
    fn of(folder: &str, name: &str, kind: &str) -> Self {
        let [folder, name, kind] = [folder, name, kind].map(ToOwned::to_owned);
        Self { folder, name, kind, webhooks: None, gap: None }
    }
}

/// Returns the services in the list of all webhooks. `None` if the server does not offer the list to this user.
async fn named_by_webhooks(server: &Endpoint) -> Result<Option<Vec<Service>>, ClientError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Named {
        #[serde(default, deserialize_with = "used")]
        folder_name: String,
        #[serde(deserialize_with = "used")]
        service_name: String,
        #[serde(deserialize_with = "used")]
        service_type: String,
    }
    let (mut found, mut known) = (Vec::new(), HashSet::new());
    let path = ["admin", "services", "webhooks"];
    let has_list = read_pages(server, &path, "1000", "all webhooks", |named: Named| {
        // The webhooks of a map service belong to its feature access.
        let kind = if named.service_type == MAP { FEATURES } else { &named.service_type };
        let service = Service::of(named.folder_name.trim_matches('/'), &named.service_name, kind);
        if WITH_WEBHOOKS.contains(&kind) && known.insert(service.clone()) {
            found.push(service);
        }
    });
    match has_list.await {
        Ok(true) => Ok(Some(found)),
        Ok(false) => Ok(None),
        Err(error) if error.is_of_one_resource() => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the feature services of map services with the feature access extension. A map service whose settings the
/// server does not return has a gap.
async fn with_features(server: &Endpoint, maps: Vec<Service>) -> Result<Vec<Service>, ClientError> {
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
        let name = file_name(&map);
        let path = of_service(&map.folder, &name, &[]);
        match server.get::<Settings>(&path, &[], "the settings of a map service").await {
            Ok(settings) => {
                let offers = |one: &Extension| one.kind == FEATURES && one.enabled == Some(true);
                let offered = settings.extensions.iter().any(offers);
                Ok(offered.then(|| Service { kind: FEATURES.to_owned(), ..map }))
            }
            Err(error) if error.is_of_one_resource() => {
                Ok(Some(Service { gap: Some(Gap::of(&error)), ..map }))
            }
            Err(error) => Err(error),
        }
    };
    let asked: Vec<_> = stream::iter(maps).map(ask).buffered(AT_ONCE).try_collect().await?;
    Ok(asked.into_iter().flatten().collect())
}

fn file_name(service: &Service) -> String {
    format!("{}.{}", service.name, service.kind)
}

async fn webhooks(server: &Endpoint, service: &Service) -> Result<Option<Vec<Webhook>>, ClientError> {
    #[derive(Deserialize)]
    struct Wire {
        #[serde(default, deserialize_with = "used")]
        id: String,
        #[serde(default, deserialize_with = "text")]
        name: String,
        #[serde(default, deserialize_with = "yes_or_no")]
        active: Option<bool>,
        #[serde(default, rename = "hookUrl", deserialize_with = "token")]
        address: String,
    }
    let known = server.receivers();
    let (mut found, mut are_masked) = (Vec::new(), true);
    let name = file_name(service);
    let path = of_service(&service.folder, &name, &["webhooks"]);
    let expected = "the webhooks of a service";
    let has_list = read_pages(server, &path, "1000", expected, |Wire { id, name, active, address }: Wire| {
        are_masked = are_masked && known.note(&address);
        found.push(Webhook { id, name, active, receiver: origin(&address) });
    });
    match has_list.await {
        Ok(has_list) => Ok((has_list && are_masked).then_some(found)),
        Err(error) if error.is_of_one_resource() => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;
    use crate::http::{Canned, Http};

    /// A comparison of each with all others would take hours.
    #[tokio::test]
    async fn the_list_of_all_webhooks_can_name_very_many_services() {
        let named = |number: usize| {
            format!(r#"{{"folderName":"/","serviceName":"Service{number}","serviceType":"GPServer"}}"#)
        };
        let twice: Vec<_> = (0..300_000).chain(0..300_000).map(named).collect();
        let body = format!(r#"{{"webhooks":[{}]}}"#, twice.join(","));
        let canned = Canned(Box::new(move |_| http::Response::new(body.clone().into_bytes())));
        let root = Url::parse("https://site.invalid/server").unwrap();
        let server = Endpoint::new(Http::canned(canned), root);

        let found = named_by_webhooks(&server).await.unwrap().unwrap();

        assert_eq!(found.len(), 300_000);
    }
}
