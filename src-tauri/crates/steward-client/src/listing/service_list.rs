//! Names of all services by folder, which the other lists of services start from.

use std::collections::HashSet;

use serde::Deserialize;

use super::gap::Gap;
use super::parts::are_few;
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::limits::are_hollow;
use crate::wire::{OrDefault, list_if_any, list_of_used, used};

const EXPECTED: &str = "the list of services";

/// Name that stands for the folders whose names are not known.
const UNREADABLE: &str = "…";

/// Names of all services of a server, by folder.
///
/// [`read`](Self::read) sends one request for each folder. Lists that contain more about a service request it
/// themselves.
#[derive(Debug)]
pub struct ServiceList {
    /// The root folder is the first one.
    pub(super) folders: Vec<ServiceFolder>,
    /// Why services of other folders are missing; `None` if the name of each folder is known.
    pub(super) lacks_folders: Option<&'static str>,
}

/// Folder with the names of its services.
#[derive(Debug)]
pub(super) struct ServiceFolder {
    /// Name; empty for the root folder.
    pub(super) name: String,
    /// `None` if the response contains no list, which does not mean that there are no services.
    pub(super) services: Option<Vec<Entry>>,
    /// Error of the server in place of the response.
    pub(super) gap: Option<Gap>,
}

/// Name of a service.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Entry {
    /// Empty if it is missing or too long.
    #[serde(default, deserialize_with = "used")]
    pub(super) service_name: String,
    #[serde(default, rename = "type", deserialize_with = "used")]
    pub(super) kind: String,
}

#[derive(Deserialize)]
struct Folder {
    #[serde(default, deserialize_with = "list_of_used")]
    folders: Option<Vec<Option<String>>>,
    #[serde(default, deserialize_with = "list_if_any")]
    services: Option<Vec<OrDefault<Entry>>>,
}

/// Folder whose services are not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnlistedFolder {
    /// Name; empty for the root folder.
    pub folder: String,
    /// Services that the server did not return.
    pub gap: Gap,
}

impl ServiceList {
    /// Reads the names of all services of a server. A folder that the server does not list has a gap.
    ///
    /// # Errors
    /// - [`ClientError::Rejected`] if the server rejects the request for the root folder, or the token.
    /// - [`ClientError::Unreadable`] if the response for the root folder is not JSON.
    /// - A connection or session error of [`ClientError`].
    pub async fn read(server: &Endpoint) -> Result<Self, ClientError> {
        let root = folder(server, &["admin", "services"]).await?;
        let (names, root) = (root.folders, root.services.map(entries));
        let lacks_folders = match &names {
            None => Some("the response contains no list of folders"),
            Some(names) => names.iter().any(Option::is_none).then_some("the name of the folder is too long"),
        };
        let names = names.unwrap_or_default();
        are_few(&names, EXPECTED)?;
        let mut seen = HashSet::new();
        let mut folders = vec![ServiceFolder { name: String::new(), services: root, gap: None }];
        for name in names.into_iter().flatten().filter(|name| !name.is_empty() && name != "/") {
            if !seen.insert(name.clone()) {
                continue;
            }
            let (services, gap) = match folder(server, &["admin", "services", &name]).await {
                Ok(folder) => match folder.services.map(entries) {
                    Some(entries) if is_multiplied(&name, &entries) => {
                        (None, Some(too_long_for_its_services()))
                    }
                    services => (services, None),
                },
                Err(error) if error.is_of_one_resource() => (None, Some(Gap::of(&error))),
                Err(error) => return Err(error),
            };
            folders.push(ServiceFolder { name, services, gap });
        }
        Ok(Self { folders, lacks_folders })
    }

    /// Returns the names of the folders, without the root folder.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        self.folders.iter().map(|folder| folder.name.as_str()).filter(|name| !name.is_empty())
    }

    /// Returns the folders whose names are not known, in place of their services.
    pub(super) fn unreadable_folder(&self) -> Option<UnlistedFolder> {
        let gap = |reason: &str| Gap::NotListed { reason: reason.to_owned() };
        self.lacks_folders.map(|reason| UnlistedFolder { folder: UNREADABLE.to_owned(), gap: gap(reason) })
    }

    /// Returns the number of services of all types.
    ///
    /// # Errors
    /// [`ClientError::Unreadable`] if the server did not list the services of a folder.
    pub fn count(&self) -> Result<u32, ClientError> {
        if let Some(reason) = self.lacks_folders {
            return Err(ClientError::unreadable(EXPECTED, reason));
        }
        let mut count = 0;
        for folder in &self.folders {
            count += folder.listed().map_err(|gap| ClientError::unreadable(EXPECTED, gap.to_string()))?.len();
        }
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }
}

/// Returns whether the name of a folder, which each of its services gets, needs far more memory than the list of them.
fn is_multiplied(folder: &str, entries: &[Entry]) -> bool {
    let text: usize = entries.iter().map(|entry| size_of::<Entry>() + entry.service_name.len()).sum();
    are_hollow(folder.len().saturating_mul(entries.len()), text)
}

fn too_long_for_its_services() -> Gap {
    Gap::NotListed { reason: "the name of the folder is too long for its number of services".to_owned() }
}

/// Returns each service once. Those without a readable name stay, to be counted.
fn entries(services: Vec<OrDefault<Entry>>) -> Vec<Entry> {
    let mut seen = HashSet::new();
    let mut is_first = |one: &Entry| {
        one.service_name.is_empty()
            || one.kind.is_empty()
            || seen.insert((one.service_name.clone(), one.kind.clone()))
    };
    services.into_iter().map(|one| one.0).filter(|one| is_first(one)).collect()
}

async fn folder(server: &Endpoint, path: &[&str]) -> Result<Folder, ClientError> {
    server.get_list(path, &[], EXPECTED).await
}

impl ServiceFolder {
    /// Returns the services of the folder, or what the server did not return.
    pub(super) fn listed(&self) -> Result<&[Entry], Gap> {
        let no_list = || Gap::NotListed { reason: "the response contains no list of services".to_owned() };
        self.services.as_deref().ok_or_else(|| self.gap.clone().unwrap_or_else(no_list))
    }
}
