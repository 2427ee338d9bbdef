//! What a set contains: its inventories, a search of the services in them, and its files for an import.

use std::collections::HashMap;

use serde::Serialize;
use steward_core::files::dropped::{DroppedFile, usable};
use steward_core::files::in_background;
use steward_core::files::selected_paths::SelectedPaths;
use steward_core::inventory::portal::PortalInventory;
use steward_core::inventory::{Inventory, MissingPart, stored};
use steward_core::model::ids::ServerId;
use steward_core::model::numbers::count;
use steward_core::model::problem::Problem;

use super::attempt::StoredSet;
use super::plan::BackupPlan;
use super::plan_folder;
use super::set::{SetFile, SetPart};
use super::sets;

/// Inventory of one part of a set.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PartInventory {
    /// There is no inventory, or it was changed, or belongs to other content than the file.
    None,
    /// Inventory of a server.
    Server {
        /// Version of the server; empty if it is not known.
        version: String,
        /// Number of services.
        services: u32,
        /// Number of webhooks.
        webhooks: u32,
        /// Number of data store items.
        data_items: u32,
        /// Parts that the server did not list completely.
        missing: Vec<MissingPart>,
    },
    /// Inventory of a portal.
    Portal {
        /// Numbers of its elements.
        inventory: PortalInventory,
    },
}

/// Services of a server in a set.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SetServices {
    /// Services, by path.
    pub services: Vec<SetService>,
    /// Number of other sets of the plan with an inventory of the server.
    pub other_sets: u32,
}

/// A service in a set.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SetService {
    /// Path, for example `Parcels/Zoning.MapServer`.
    pub path: String,
    /// State of the service in the inventory, for example `STARTED`; empty if it is not known.
    pub state: String,
    /// Number of other sets with this service.
    pub others: u32,
}

/// Returns the inventories of the parts of a set, in their order.
///
/// # Errors
/// - [`Problem::Unexpected`] if there is no such set.
/// - [`Problem::File`] if the folder of the plan cannot be read.
pub async fn inventories(plan: &BackupPlan, set: &str) -> Result<Vec<PartInventory>, Problem> {
    let stored = sets::find(plan, set).await?;
    in_background(move || stored.set.parts.iter().map(|part| inventory_of(&stored, part)).collect()).await
}

fn inventory_of(stored: &StoredSet, part: &SetPart) -> PartInventory {
    let Some(server) = &part.server else {
        let mut written = part.files.iter().filter(|file| is_as_written(stored, file));
        let inventory = written.find_map(|file| stored::read_portal(&stored.folder.join(&file.name)));
        return inventory.map_or(PartInventory::None, |inventory| PartInventory::Portal { inventory });
    };
    match server_inventory(stored, server) {
        None => PartInventory::None,
        Some(Inventory { version, services, webhooks, data_items, missing, .. }) => PartInventory::Server {
            version,
            services: count(services.len()),
            webhooks: count(webhooks.len()),
            data_items: count(data_items.len()),
            missing,
        },
    }
}

/// Returns whether a file of a set has the content that its run wrote: an inventory that was changed since does not
/// describe the export.
fn is_as_written(stored: &StoredSet, file: &SetFile) -> bool {
    SetFile::of(&stored.folder.join(&file.name)).is_some_and(|found| found.sha256 == file.sha256)
}

/// Returns the inventory of a server in a set; `None` if there is none, it was changed, or it is that of another file.
fn server_inventory(stored: &StoredSet, server: &ServerId) -> Option<Inventory> {
    let export = sets::export_of(stored, server)?;
    let part = stored.set.parts.iter().find(|part| part.server.as_ref() == Some(server))?;
    let beside = stored::beside(&export);
    part.files.iter().find(|file| beside.ends_with(&file.name) && is_as_written(stored, file))?;
    let inventory = stored::read_beside(&export)?;
    part.files.iter().any(|file| file.sha256 == inventory.sha256).then_some(inventory)
}

/// Returns the services of a server in a set, each with the number of other sets that have it.
///
/// # Errors
/// Those of [`inventories`].
pub async fn services(plan: &BackupPlan, set: &str, server: &ServerId) -> Result<SetServices, Problem> {
    let chosen = sets::find(plan, set).await?;
    let mut others = plan_folder::read(plan).await?.sets;
    others.retain(|other| other.folder != chosen.folder);
    let server = server.clone();
    in_background(move || {
        let mut services = server_inventory(&chosen, &server).map_or_else(Vec::new, |found| found.services);
        services.sort_by(|one, other| one.path.cmp(&other.path));
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let mut other_sets = 0;
        for other in others {
            let Some(found) = server_inventory(&other, &server) else { continue };
            other_sets += 1;
            for service in found.services {
                *numbers.entry(service.path).or_default() += 1;
            }
        }
        let services = services.into_iter().map(|service| SetService {
            others: numbers.get(&service.path).copied().unwrap_or(0),
            path: service.path,
            state: service.real_time,
        });
        SetServices { services: services.collect(), other_sets }
    })
    .await
}

/// Returns the export of a server in a set as a file for the form of an import, after checking that it is as `set.json`
/// says.
///
/// # Errors
/// - [`Problem::Unexpected`] if there is no such set or file.
/// - [`Problem::File`] if the file is not as it was written.
pub async fn file_for_import(
    selected: &SelectedPaths,
    plan: &BackupPlan,
    set: &str,
    server: &ServerId,
) -> Result<DroppedFile, Problem> {
    let stored = sets::find(plan, set).await?;
    let gone = || Problem::Unexpected { message: "the set has no export of this server".to_owned() };
    let path = sets::export_of(&stored, server).ok_or_else(gone)?;
    let looked_at = path.clone();
    in_background(move || {
        let files = stored.set.parts.iter().flat_map(|part| &part.files);
        let mut named = files.filter(|file| looked_at.ends_with(&file.name));
        named
            .try_for_each(|file| file.check(&stored.folder))
            .map_err(|error| Problem::file(&looked_at, &error))
    })
    .await??;
    selected.dropped.remember(&path);
    usable(&[path]).ok_or_else(gone)
}
