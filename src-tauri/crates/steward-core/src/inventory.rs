//! Inventory of a server site: everything that the server lists.
//!
//! [`Inventory::take`] reads the lists of the server and changes nothing. [`comparison`] compares two inventories,
//! [`service_check`] judges the states of the services, [`stored`] finds the inventory of an export, and [`portal`] is
//! the inventory of a portal.
//!
//! Invariant: a part that could not be read is named in [`Inventory::missing`]. It must never pass for an empty one: a
//! comparison would report everything in it as removed.

pub mod comparison;
pub mod portal;
pub mod portal_comparison;
pub mod service_check;
pub mod stored;
mod unlisted;

use serde::{Deserialize, Serialize};
use steward_client::listing::{self, Gap, ServiceList};
use steward_client::operations::find_items::FindItems;
use steward_client::webhooks::ServiceWebhooks;
use steward_client::{ClientError, Endpoint, is_usable, shown};

use crate::listings::service_path;
use crate::model::numbers::{Millis, count};
use crate::model::problem::without_secrets;

/// Format of the file and of the stored value. A later format is not read.
pub const FORMAT: u32 = 1;

/// Name of the root folder in [`MissingPart::of`].
pub(crate) const ROOT_FOLDER: &str = "/";

/// Name of a root that is too long to be requested.
const UNREADABLE: &str = "…";

/// Content of a server site at one time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Inventory {
    /// Format, 1.
    pub format: u32,
    /// Time when it was taken.
    pub taken_at: Millis,
    /// Version of the server; empty if it is not known.
    pub version: String,
    /// SHA-256 of the export file that the inventory is stored with; empty for none.
    pub sha256: String,
    /// Names of the machines.
    pub machines: Vec<String>,
    /// Names of the folders of services, without the root folder; `None` if the server did not list them.
    pub folders: Option<Vec<String>>,
    /// Services of all types.
    pub services: Vec<InventoryService>,
    /// Webhooks of the services.
    pub webhooks: Vec<InventoryWebhook>,
    /// Data store items.
    pub data_items: Vec<InventoryItem>,
    /// Names of the files that the server stores.
    pub uploads: Vec<String>,
    /// Parts that the server did not list completely.
    pub missing: Vec<MissingPart>,
}

/// Service with its states, for example `STARTED`; a state is empty if the server does not return it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InventoryService {
    /// Path, for example `Parcels/Zoning.MapServer`.
    pub path: String,
    /// State that the service is set to.
    pub configured: String,
    /// State that the service is in.
    pub real_time: String,
}

/// Webhook of a service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InventoryWebhook {
    /// Path of the service.
    pub service: String,
    /// Name of the webhook.
    pub name: String,
    /// Whether the webhook is active; `null` if the server does not return it.
    pub active: Option<bool>,
    /// Failed deliveries, which a deactivation removes from the server; `null` if the server does not return them.
    pub failures: Option<u32>,
}

/// Data store item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InventoryItem {
    /// Path, for example `/fileShares/survey`.
    pub path: String,
    /// Type, for example `folder`.
    pub r#type: String,
}

/// Part of an inventory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum InventoryPart {
    /// Machines of the site.
    Machines,
    /// Services of all types.
    Services,
    /// Webhooks of the services.
    Webhooks,
    /// Data store items.
    DataItems,
    /// Files that the server stores.
    Uploads,
    /// Items of a portal.
    Items,
    /// Users of a portal.
    Users,
    /// Groups of a portal.
    Groups,
    /// Collaborations of a portal.
    Collaborations,
}

/// Part of an inventory that the server or portal did not return, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct MissingPart {
    /// Part of the inventory.
    pub part: InventoryPart,
    /// Folder of services or root of data store items that is missing, `/` for the root folder; `null` if the whole
    /// part is missing.
    #[serde(default)]
    pub of: Option<String>,
    /// Reason, as returned by the site or the library.
    pub reason: String,
}

impl MissingPart {
    fn of(part: InventoryPart, of: Option<String>, reason: &dyn std::fmt::Display) -> Self {
        Self { part, of, reason: without_secrets(&reason.to_string()) }
    }
}

/// Numbers of the inventory of a server, for the report of an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct InventorySummary {
    /// Number of services.
    pub services: u32,
    /// Number of webhooks.
    pub webhooks: u32,
    /// Number of data store items.
    pub data_items: u32,
    /// Parts that the server did not list, with the reason.
    pub missing: Vec<MissingPart>,
}

impl InventorySummary {
    pub(crate) fn of(inventory: &Inventory) -> Self {
        Self {
            services: count(inventory.services.len()),
            webhooks: count(inventory.webhooks.len()),
            data_items: count(inventory.data_items.len()),
            missing: inventory.missing.clone(),
        }
    }
}

impl Inventory {
    /// Reads everything that the server lists. A part that the server does not list is named in `missing`: an inventory
    /// must not keep an export or an import from its result.
    pub async fn take(server: &Endpoint, version: String) -> Self {
        let mut found = Self { format: FORMAT, taken_at: Millis::now(), version, ..Self::default() };
        match ServiceList::read(server).await {
            Ok(list) => found.take_services(server, &list).await,
            Err(error) => {
                for part in [InventoryPart::Services, InventoryPart::Webhooks] {
                    found.missing.push(MissingPart::of(part, None, &error));
                }
            }
        }
        let items = data_items(server, &mut found.missing).await;
        if let Some(items) = found.part(InventoryPart::DataItems, items) {
            found.data_items = items;
        }
        if let Some((machines, gap)) = found.part(InventoryPart::Machines, listing::machines(server).await) {
            found.machines = machines;
            found.add_gap(InventoryPart::Machines, gap);
        }
        if let Some(uploads) = found.part(InventoryPart::Uploads, listing::uploads(server).await) {
            let (readable, unreadable): (Vec<_>, Vec<_>) =
                uploads.into_iter().partition(|upload| !upload.id.is_empty());
            found.uploads = readable.into_iter().map(|upload| upload.name).collect();
            found.add_gap(InventoryPart::Uploads, Gap::of_unreadable(unreadable.len()));
        }
        found
    }

    async fn take_services(&mut self, server: &Endpoint, list: &ServiceList) {
        self.folders = Some(list.folders().map(ToOwned::to_owned).collect());
        let states = listing::service_states(server, list, listing::AT_ONCE).await;
        if let Some(states) = self.part(InventoryPart::Services, states) {
            self.services = states.services.into_iter().map(InventoryService::of).collect();
            let unreadable = states.unreadable.into_iter().map(|one| (one.folder, one.gap));
            let unlisted = states.unlisted.into_iter().map(|one| (one.folder, one.gap));
            let folder = |(folder, gap): (String, Gap)| {
                let name = if folder.is_empty() { ROOT_FOLDER.to_owned() } else { folder };
                MissingPart::of(InventoryPart::Services, Some(name), &gap)
            };
            self.missing.extend(unlisted.chain(unreadable).map(folder));
        }
        let services = listing::services_in(server, list).await;
        if let Some(services) = self.part(InventoryPart::Webhooks, services) {
            if let Some(unlisted) = services.iter().find(|service| service.webhooks.is_none()) {
                let reason = match &unlisted.gap {
                    Some(gap) if unlisted.name.is_empty() => format!("{}: {gap}", unlisted.folder),
                    Some(gap) => format!("{}: {gap}", path(unlisted)),
                    None => format!("not listed: {}", path(unlisted)),
                };
                self.missing.push(MissingPart::of(InventoryPart::Webhooks, None, &reason));
            }
            self.webhooks = webhooks(server, services).await;
        }
    }

    /// Returns whether the server listed all of a part.
    #[must_use]
    pub fn has(&self, part: InventoryPart) -> bool {
        self.missing.iter().all(|missing| missing.part != part)
    }

    /// Returns the number of services; `None` if the server did not list all of them.
    pub(crate) fn number_of_services(&self) -> Option<u32> {
        self.has(InventoryPart::Services).then(|| count(self.services.len()))
    }

    fn add_gap(&mut self, part: InventoryPart, gap: Option<Gap>) {
        self.missing.extend(gap.map(|gap| MissingPart::of(part, None, &gap)));
    }

    fn part<T>(&mut self, part: InventoryPart, listed: Result<T, ClientError>) -> Option<T> {
        listed_part(&mut self.missing, part, listed)
    }
}

/// Returns what was listed. An error is added to the `missing` parts.
fn listed_part<T>(
    missing: &mut Vec<MissingPart>,
    part: InventoryPart,
    listed: Result<T, ClientError>,
) -> Option<T> {
    listed.map_err(|error| missing.push(MissingPart::of(part, None, &error))).ok()
}

impl InventoryService {
    pub(crate) fn of(service: listing::ServiceState) -> Self {
        let path = service_path(&service.folder, &service.name, &service.kind);
        // Some versions write `Started`: comparisons and checks know one spelling.
        let state = |returned: &str| returned.trim().to_uppercase();
        Self { path, configured: state(&service.configured), real_time: state(&service.real_time) }
    }
}

fn path(service: &listing::Service) -> String {
    service_path(&service.folder, &service.name, &service.kind)
}

async fn webhooks(server: &Endpoint, services: Vec<listing::Service>) -> Vec<InventoryWebhook> {
    let mut found = Vec::new();
    for service in services {
        let path = path(&service);
        for webhook in service.webhooks.as_deref().unwrap_or_default() {
            let failures = listing::failed_deliveries(server, &ServiceWebhooks::at(&path), &webhook.id).await;
            found.push(InventoryWebhook {
                service: path.clone(),
                name: webhook.name.clone(),
                active: webhook.active,
                failures: failures.ok().flatten().map(|failures| failures.count),
            });
        }
    }
    found
}

/// Reads the items of all roots. A root that the server does not list is added to the `missing` parts.
async fn data_items(
    server: &Endpoint,
    missing: &mut Vec<MissingPart>,
) -> Result<Vec<InventoryItem>, ClientError> {
    #[derive(Deserialize)]
    struct Item {
        path: String,
        #[serde(default)]
        r#type: String,
    }
    let read = |item: &str| {
        let item = serde_json::from_str::<Item>(item).ok()?;
        is_usable(&item.path).then(|| Item { r#type: shown(item.r#type), ..item })
    };
    let mut found = Vec::new();
    for root in listing::data_roots(server).await? {
        let part = InventoryPart::DataItems;
        if root.is_empty() {
            missing.push(MissingPart::of(part, Some(UNREADABLE.to_owned()), &"the path is too long"));
            continue;
        }
        let search = FindItems { ancestor_path: root.clone(), ..FindItems::default() };
        let items = match search.send(server, read).await {
            Ok((list, items)) => {
                missing.extend(Gap::of_list(&list).map(|gap| MissingPart::of(part, Some(root), &gap)));
                items
            }
            Err(error) if error.is_of_one_resource() => {
                missing.push(MissingPart::of(part, Some(root), &error));
                continue;
            }
            Err(error) => return Err(error),
        };
        found.extend(items.into_iter().map(|item| InventoryItem { path: item.path, r#type: item.r#type }));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn data_store_items_with_a_path_that_is_too_long_are_not_listed_as_complete() {
        let read = async |root: usize, path: usize| {
            let body = serde_json::json!({
                "rootItems": ["r".repeat(root)],
                "items": [{ "path": "p".repeat(path), "type": "t".repeat(10_000) }],
            });
            let server =
                steward_client::fuzzing::answering(200, "application/json", body.to_string().into_bytes())
                    .unwrap();
            let mut missing = Vec::new();
            data_items(&server, &mut missing).await.map(|found| (found, missing))
        };
        let (found, missing) = read(4096, 4096).await.unwrap();
        assert_eq!((found.len(), found[0].path.len()), (1, 4096));
        assert!(found[0].r#type.ends_with("… [8144 / 10000 bytes]"));
        assert!(missing.is_empty());
        let (found, missing) = read(4097, 1).await.unwrap();
        assert_eq!((found.len(), missing[0].of.as_deref()), (0, Some("…")));
        let (found, missing) = read(1, 4097).await.unwrap();
        assert_eq!((found.len(), missing[0].of.as_deref()), (0, Some("r")));
    }
}
