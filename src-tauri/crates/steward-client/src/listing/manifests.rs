//! Services of all types by name, and the data that each of them reads.

use serde::{Deserialize, Deserializer};
use steward_vault::Secret;

use super::gap::Gap;
use super::service_list::{ServiceList, UnlistedFolder};
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::request::of_service;
use crate::wire::{list, raw, token};

/// Name of a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceName {
    /// Folder; empty for the root folder.
    pub folder: String,
    /// Name with the type, for example `Zoning.MapServer`.
    pub name: String,
}

impl ServiceName {
    /// Reads the path of a service, for example `Parcels/Zoning.MapServer`.
    #[must_use]
    pub fn of_path(path: &str) -> Self {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        Self { folder: folder.to_owned(), name: name.to_owned() }
    }

    /// Returns the path, which [`of_path`](Self::of_path) reads.
    #[must_use]
    pub fn path(&self) -> String {
        if self.folder.is_empty() { self.name.clone() } else { format!("{}/{}", self.folder, self.name) }
    }
}

/// Returns the names of all services, by folder, and the folders that the server does not list, or whose list has
/// services without a name that can be used.
///
/// # Errors
/// - [`ClientError::Rejected`] if the server rejects the request for the root folder.
/// - [`ClientError::Unreadable`] if the response for the root folder is not JSON.
/// - A connection or session error of [`ClientError`].
pub async fn service_names(
    server: &Endpoint,
) -> Result<(Vec<ServiceName>, Vec<UnlistedFolder>), ClientError> {
    let list = ServiceList::read(server).await?;
    let (mut found, mut unlisted) = (Vec::new(), Vec::from_iter(list.unreadable_folder()));
    for folder in &list.folders {
        let entries = match folder.listed() {
            Ok(entries) => entries,
            Err(gap) => {
                unlisted.push(UnlistedFolder { folder: folder.name.clone(), gap });
                continue;
            }
        };
        let readable = entries.iter().filter(|entry| !entry.service_name.is_empty());
        let before = found.len();
        found.extend(readable.map(|entry| {
            let name = format!("{}.{}", entry.service_name, entry.kind);
            ServiceName { folder: folder.name.clone(), name }
        }));
        let gap = Gap::of_unreadable(entries.len() - (found.len() - before));
        unlisted.extend(gap.map(|gap| UnlistedFolder { folder: folder.name.clone(), gap }));
    }
    Ok((found, unlisted))
}

/// Returns the connection strings of the databases and folders that a service reads, from its manifest. A service that
/// reads none has an empty list; a database whose connection string the manifest does not contain has an empty one.
///
/// # Errors
/// - [`ClientError::Rejected`] if the service has no manifest, or the server rejects the request.
/// - [`ClientError::Unreadable`] if the response is not a manifest.
/// - A connection or session error of [`ClientError`].
pub async fn data_connections(
    server: &Endpoint,
    service: &ServiceName,
) -> Result<Vec<Secret<String>>, ClientError> {
    #[derive(Deserialize)]
    struct Manifest {
        #[serde(default, deserialize_with = "list")]
        databases: Vec<Database>,
    }
    #[derive(Default, Deserialize)]
    struct Fields {
        #[serde(default, rename = "onServerConnectionString", deserialize_with = "token")]
        connection: String,
    }
    struct Database {
        connection: String,
    }
    impl<'de> Deserialize<'de> for Database {
        // An element of another shape is a database too, and must not be missing in the list.
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let Fields { connection } = raw(deserializer)?.read_object().unwrap_or_default();
            Ok(Self { connection })
        }
    }
    let path = of_service(&service.folder, &service.name, &["iteminfo", "manifest", "manifest.json"]);
    let manifest: Manifest = server.get_list(&path, &[], "the manifest of a service").await?;
    Ok(manifest.databases.into_iter().map(|database| Secret::new(database.connection)).collect())
}
