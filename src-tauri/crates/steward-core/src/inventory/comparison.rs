//! Comparison of a site with the inventory of an export: the effect of importing that export.
//!
//! [`Comparison::of`] compares services, data store items, webhooks and folders by name.
//!
//! Invariants: a part that one of the inventories does not have is not compared, so it shows no differences; a type or
//! state that one of them does not have is no change.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};

use super::unlisted::Unlisted;
use super::{Inventory, InventoryPart, MissingPart};
use crate::model::numbers::Millis;

/// Effect of an import, as far as the inventories of the site and of the export show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// Time when the inventory of the export was taken.
    pub export_taken_at: Millis,
    /// Differences, the most harmful first, then by name.
    pub differences: Vec<Difference>,
    /// Parts that one of the two inventories does not have.
    pub not_compared: Vec<MissingPart>,
}

/// One difference between a site and an export.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// Kind of the difference.
    pub kind: DifferenceKind,
    /// Path of the service or data store item, or service and name of the webhook.
    pub name: String,
    /// Type or state on the site; empty if the import adds the element.
    pub on_site: String,
    /// Type or state in the export; empty if the import removes the element.
    pub in_export: String,
}

/// Kind of a difference, the most harmful first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum DifferenceKind {
    /// A service of the site is not in the export.
    ServiceDisappears,
    /// A data store item of the site is not in the export.
    DataItemDisappears,
    /// A webhook of the site is not in the export.
    WebhookDisappears,
    /// A folder of services of the site is not in the export.
    FolderDisappears,
    /// A service has another type in the export.
    ServiceTypeChanges,
    /// A data store item has another type in the export.
    DataItemTypeChanges,
    /// A service is set to another state in the export.
    ServiceStateChanges,
    /// A webhook is active only on the site, or only in the export.
    WebhookStateChanges,
    /// A service of the export is not on the site.
    ServiceAppears,
    /// A data store item of the export is not on the site.
    DataItemAppears,
    /// A webhook of the export is not on the site.
    WebhookAppears,
    /// A folder of services of the export is not on the site.
    FolderAppears,
}

/// Kinds of the differences of one part.
struct Kinds {
    disappears: DifferenceKind,
    changes: DifferenceKind,
    appears: DifferenceKind,
}

impl Comparison {
    /// Compares the site as it is `now` with an `export`.
    #[must_use]
    pub fn of(now: &Inventory, export: &Inventory) -> Self {
        let mut not_compared: Vec<MissingPart> = Vec::new();
        let mut differences = Vec::new();
        let missing = || now.missing.iter().chain(&export.missing);
        let mut both = |part: InventoryPart| {
            let of_part = || missing().filter(|one| one.part == part);
            match of_part().find(|one| one.of.is_none()) {
                Some(whole) => not_compared.push(whole.clone()),
                None => not_compared.extend(of_part().cloned()),
            }
            of_part().all(|one| one.of.is_some())
        };
        let listed = |part: InventoryPart, found: Vec<Difference>| {
            let of_part = missing().filter(move |one| one.part == part);
            let unlisted = Unlisted::of(part, of_part.filter_map(|one| one.of.as_deref()));
            found.into_iter().filter(move |one| !unlisted.has(&one.name))
        };
        if both(InventoryPart::Services) {
            differences.extend(listed(InventoryPart::Services, services(now, export)));
        }
        if both(InventoryPart::DataItems) {
            let items = |of: &Inventory| {
                of.data_items.iter().map(|item| (item.path.clone(), item.r#type.clone())).collect()
            };
            let kinds = Kinds {
                disappears: DifferenceKind::DataItemDisappears,
                changes: DifferenceKind::DataItemTypeChanges,
                appears: DifferenceKind::DataItemAppears,
            };
            let found = by_name(&items(now), &items(export), &kinds);
            differences.extend(listed(InventoryPart::DataItems, found));
        }
        if both(InventoryPart::Webhooks) {
            let kinds = Kinds {
                disappears: DifferenceKind::WebhookDisappears,
                changes: DifferenceKind::WebhookStateChanges,
                appears: DifferenceKind::WebhookAppears,
            };
            differences.extend(by_name(&webhooks(now), &webhooks(export), &kinds));
        }
        if let (Some(now), Some(export)) = (&now.folders, &export.folders) {
            differences.extend(folders(now, export));
        }
        differences.sort();
        Self { export_taken_at: export.taken_at, differences, not_compared }
    }
}

/// Compares folders, which have nothing but a name.
fn folders(now: &[String], export: &[String]) -> Vec<Difference> {
    let only = |kind, here: &[String], there: &[String]| {
        let there: HashSet<_> = there.iter().collect();
        let names = here.iter().filter(|name| !there.contains(name)).cloned().collect::<Vec<_>>();
        names.into_iter().map(move |name| Difference {
            kind,
            name,
            on_site: String::new(),
            in_export: String::new(),
        })
    };
    let gone = only(DifferenceKind::FolderDisappears, now, export);
    gone.chain(only(DifferenceKind::FolderAppears, export, now)).collect()
}

/// Compares services. One that is there under the same name with another type has changed its type.
fn services(now: &Inventory, export: &Inventory) -> Vec<Difference> {
    let states = |of: &Inventory| -> BTreeMap<String, String> {
        of.services.iter().map(|service| (service.path.clone(), service.configured.clone())).collect()
    };
    let kinds = Kinds {
        disappears: DifferenceKind::ServiceDisappears,
        changes: DifferenceKind::ServiceStateChanges,
        appears: DifferenceKind::ServiceAppears,
    };
    let (appearing, others): (Vec<_>, Vec<_>) = by_name(&states(now), &states(export), &kinds)
        .into_iter()
        .partition(|difference| difference.kind == DifferenceKind::ServiceAppears);
    let mut by_bare_name: BTreeMap<String, Vec<Difference>> = BTreeMap::new();
    for service in appearing {
        by_bare_name.entry(without_type(&service.name).to_owned()).or_default().push(service);
    }
    let mut found = Vec::new();
    for service in others {
        let name = without_type(&service.name);
        let successor = match service.kind {
            DifferenceKind::ServiceDisappears => by_bare_name.get_mut(name).and_then(Vec::pop),
            _ => None,
        };
        found.push(match successor {
            None => service,
            Some(successor) => Difference {
                kind: DifferenceKind::ServiceTypeChanges,
                name: name.to_owned(),
                on_site: type_of(&service.name).to_owned(),
                in_export: type_of(&successor.name).to_owned(),
            },
        });
    }
    found.extend(by_bare_name.into_values().flatten());
    found
}

fn without_type(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(name, _)| name)
}

fn type_of(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, kind)| kind)
}

/// Returns the states of the webhooks by service and name: `active`, `inactive`, or empty if the site does not return
/// it. Several of one name are numbered, the active ones first: an export does not tell which is which.
fn webhooks(of: &Inventory) -> BTreeMap<String, String> {
    let state = |active: Option<bool>| match active {
        Some(true) => "active",
        Some(false) => "inactive",
        None => "",
    };
    let mut named: Vec<_> =
        of.webhooks.iter().map(|one| (format!("{}: {}", one.service, one.name), state(one.active))).collect();
    named.sort_by_key(|(name, state)| (name.clone(), *state != "active", state.is_empty()));
    let mut found = BTreeMap::new();
    let mut same = 0_u32;
    let mut last = String::new();
    for (name, state) in named {
        same = if name == last { same + 1 } else { 1 };
        let numbered = if same == 1 { name.clone() } else { format!("{name} ({same})") };
        found.insert(numbered, state.to_owned());
        last = name;
    }
    found
}

/// Compares two inventories by name. A value that is empty in one of them is no change.
fn by_name(
    now: &BTreeMap<String, String>,
    export: &BTreeMap<String, String>,
    kinds: &Kinds,
) -> Vec<Difference> {
    let mut found = Vec::new();
    for (name, value) in now {
        match export.get(name) {
            None => found.push(Difference {
                kind: kinds.disappears,
                name: name.clone(),
                on_site: value.clone(),
                in_export: String::new(),
            }),
            Some(then) if then != value && !then.is_empty() && !value.is_empty() => found.push(Difference {
                kind: kinds.changes,
                name: name.clone(),
                on_site: value.clone(),
                in_export: then.clone(),
            }),
            Some(_) => {}
        }
    }
    let appearing = export.iter().filter(|(name, _)| !now.contains_key(*name));
    found.extend(appearing.map(|(name, value)| Difference {
        kind: kinds.appears,
        name: name.clone(),
        on_site: String::new(),
        in_export: value.clone(),
    }));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inventory::{InventoryItem, InventoryService, InventoryWebhook};

    fn with_services(services: &[(&str, &str)]) -> Inventory {
        let service = |&(path, configured): &(&str, &str)| InventoryService {
            path: path.to_owned(),
            configured: configured.to_owned(),
            real_time: configured.to_owned(),
        };
        Inventory { services: services.iter().map(service).collect(), ..Inventory::default() }
    }

    fn differences_of(comparison: &Comparison) -> Vec<(DifferenceKind, &str, &str, &str)> {
        comparison
            .differences
            .iter()
            .map(|one| (one.kind, one.name.as_str(), one.on_site.as_str(), one.in_export.as_str()))
            .collect()
    }

    /// A comparison of each with all others would take hours.
    #[test]
    fn very_many_folders_are_compared() {
        let folders = |numbers: std::ops::Range<usize>| Inventory {
            folders: Some(numbers.map(|number| format!("Folder{number}")).collect()),
            ..Inventory::default()
        };

        let compared = Comparison::of(&folders(0..300_000), &folders(1..300_001));

        assert_eq!(
            differences_of(&compared),
            [
                (DifferenceKind::FolderDisappears, "Folder0", "", ""),
                (DifferenceKind::FolderAppears, "Folder300000", "", ""),
            ]
        );
    }

    #[test]
    fn very_many_services_are_compared_beside_as_many_folders_that_are_not_listed() {
        let services = (0..200_000).map(|number| InventoryService {
            path: format!("Folder{number}/Zoning.MapServer"),
            configured: String::new(),
            real_time: String::new(),
        });
        let unlisted = (1..200_000).map(|number| MissingPart {
            part: InventoryPart::Services,
            of: Some(format!("Folder{number}")),
            reason: String::new(),
        });
        let now = Inventory { missing: unlisted.collect(), ..Inventory::default() };
        let export = Inventory { services: services.collect(), ..Inventory::default() };

        let compared = Comparison::of(&now, &export);

        assert_eq!(
            differences_of(&compared),
            [(DifferenceKind::ServiceAppears, "Folder0/Zoning.MapServer", "", "")]
        );
    }

    #[test]
    fn what_disappears_stands_before_what_changes_and_what_appears() {
        let now = with_services(&[
            ("Water/Mains.MapServer", "STARTED"),
            ("Zoning.MapServer", "STARTED"),
            ("Buffer.GPServer", "STARTED"),
        ]);
        let export = with_services(&[("Buffer.GPServer", "STOPPED"), ("Transit.MapServer", "STARTED")]);

        assert_eq!(
            differences_of(&Comparison::of(&now, &export)),
            [
                (DifferenceKind::ServiceDisappears, "Water/Mains.MapServer", "STARTED", ""),
                (DifferenceKind::ServiceDisappears, "Zoning.MapServer", "STARTED", ""),
                (DifferenceKind::ServiceStateChanges, "Buffer.GPServer", "STARTED", "STOPPED"),
                (DifferenceKind::ServiceAppears, "Transit.MapServer", "", "STARTED"),
            ]
        );
    }

    #[test]
    fn a_service_of_the_same_name_and_another_type_changes_its_type() {
        let now = with_services(&[("Imagery.MapServer", "STARTED"), ("Parcels.MapServer", "STARTED")]);
        let export = with_services(&[("Imagery.ImageServer", "STARTED"), ("Parcels.MapServer", "STARTED")]);

        assert_eq!(
            differences_of(&Comparison::of(&now, &export)),
            [(DifferenceKind::ServiceTypeChanges, "Imagery", "MapServer", "ImageServer")]
        );
    }

    #[test]
    fn a_state_that_one_of_them_does_not_know_is_no_change() {
        let now = with_services(&[("Parcels.MapServer", "")]);
        let export = with_services(&[("Parcels.MapServer", "STARTED")]);

        assert!(Comparison::of(&now, &export).differences.is_empty());
    }

    #[test]
    fn webhooks_and_data_store_items_are_compared_too() {
        let webhook = |name: &str, active| InventoryWebhook {
            service: "Hosted/Hydrants.FeatureServer".to_owned(),
            name: name.to_owned(),
            active: Some(active),
            failures: None,
        };
        let item = |path: &str, kind: &str| InventoryItem { path: path.to_owned(), r#type: kind.to_owned() };
        let now = Inventory {
            webhooks: vec![webhook("archive", true), webhook("inspections", true)],
            data_items: vec![item("/fileShares/survey", "folder")],
            ..Inventory::default()
        };
        let export = Inventory {
            webhooks: vec![webhook("archive", false)],
            data_items: vec![item("/enterpriseDatabases/water", "egdb")],
            ..Inventory::default()
        };

        assert_eq!(
            differences_of(&Comparison::of(&now, &export)),
            [
                (DifferenceKind::DataItemDisappears, "/fileShares/survey", "folder", ""),
                (
                    DifferenceKind::WebhookDisappears,
                    "Hosted/Hydrants.FeatureServer: inspections",
                    "active",
                    ""
                ),
                (
                    DifferenceKind::WebhookStateChanges,
                    "Hosted/Hydrants.FeatureServer: archive",
                    "active",
                    "inactive"
                ),
                (DifferenceKind::DataItemAppears, "/enterpriseDatabases/water", "", "egdb"),
            ]
        );
    }

    #[test]
    fn two_webhooks_of_one_name_are_two() {
        let with = |states: &[bool]| Inventory {
            webhooks: states
                .iter()
                .map(|active| InventoryWebhook {
                    service: "Hosted/Hydrants.FeatureServer".to_owned(),
                    name: "archive".to_owned(),
                    active: Some(*active),
                    failures: None,
                })
                .collect(),
            ..Inventory::default()
        };
        let differences = |now: &[bool], export: &[bool]| {
            let compared = Comparison::of(&with(now), &with(export));
            compared.differences.into_iter().map(|one| (one.kind, one.name)).collect::<Vec<_>>()
        };
        let second = || "Hosted/Hydrants.FeatureServer: archive (2)".to_owned();

        assert_eq!(differences(&[true, false], &[false, true]), []);
        assert_eq!(differences(&[true, true], &[true]), [(DifferenceKind::WebhookDisappears, second())]);
        assert_eq!(differences(&[true], &[true, false]), [(DifferenceKind::WebhookAppears, second())]);
        assert_eq!(
            differences(&[true, true], &[true, false]),
            [(DifferenceKind::WebhookStateChanges, second())]
        );
    }

    #[test]
    fn folders_are_compared_unless_the_server_did_not_list_them() {
        let with_folders = |names: &[&str]| Inventory {
            folders: Some(names.iter().map(|name| (*name).to_owned()).collect()),
            ..Inventory::default()
        };
        let now = with_folders(&["Parcels", "Water"]);

        assert_eq!(
            differences_of(&Comparison::of(&now, &with_folders(&["Harbor", "Parcels"]))),
            [
                (DifferenceKind::FolderDisappears, "Water", "", ""),
                (DifferenceKind::FolderAppears, "Harbor", "", "")
            ]
        );
        assert!(Comparison::of(&now, &Inventory::default()).differences.is_empty());
    }

    #[test]
    fn a_folder_that_the_server_did_not_list_is_named_and_the_others_are_compared() {
        let missing =
            |part, of: &str| MissingPart { part, of: Some(of.to_owned()), reason: "404".to_owned() };
        for (of, disappear) in [
            ("Water", &["Parcels/A.MapServer", "Root.MapServer", "Watershed/B.MapServer"][..]),
            ("/", &["Parcels/A.MapServer", "Water/C.MapServer", "Watershed/B.MapServer"]),
            (
                "Nowhere",
                &["Parcels/A.MapServer", "Root.MapServer", "Water/C.MapServer", "Watershed/B.MapServer"],
            ),
        ] {
            let all = [
                ("Parcels/A.MapServer", "STARTED"),
                ("Root.MapServer", "STARTED"),
                ("Water/C.MapServer", "STARTED"),
                ("Watershed/B.MapServer", "STARTED"),
            ];
            let gap = missing(InventoryPart::Services, of);
            let export = Inventory { missing: vec![gap.clone()], ..Inventory::default() };
            // Also where the site now does not list it, and the export has all.
            let here = Inventory { missing: vec![gap.clone()], ..Inventory::default() };

            let compared = Comparison::of(&with_services(&all), &export);
            let appearing = Comparison::of(&here, &with_services(&all));

            let names =
                |one: &Comparison| one.differences.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
            assert_eq!(names(&compared), disappear, "{of}");
            assert_eq!(names(&appearing), disappear, "{of}");
            assert_eq!(compared.not_compared, [gap]);
        }
        let item = |path: &str| InventoryItem { path: path.to_owned(), r#type: "folder".to_owned() };
        let now = Inventory {
            data_items: vec![item("/fileShares/a"), item("/fileSharesOther/b")],
            ..Inventory::default()
        };
        let gap = missing(InventoryPart::DataItems, "/fileShares");
        let export = Inventory { missing: vec![gap], ..Inventory::default() };
        let differences = Comparison::of(&now, &export).differences;
        assert_eq!(
            differences.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(),
            ["/fileSharesOther/b"]
        );
    }

    #[test]
    fn a_part_that_the_server_did_not_list_is_named_and_nothing_of_it_disappears() {
        let now = with_services(&[("Parcels.MapServer", "STARTED")]);
        let missing = MissingPart { part: InventoryPart::Services, of: None, reason: "no rights".to_owned() };
        let export = Inventory { missing: vec![missing.clone()], ..Inventory::default() };

        let comparison = Comparison::of(&now, &export);

        assert_eq!((comparison.differences, comparison.not_compared), (Vec::new(), vec![missing]));
    }
}
