//! Comparison of a site with the inventory of an export: the effect of importing that export.
//!
//! [`Comparison::of`] compares services, folders, data store items and webhooks by name, with [`compare`], which also
//! compares two snapshots: an inventory becomes the contents of one, without a configuration.
//!
//! Invariants: what one of the inventories does not have is a gap, so it shows no differences; a type or state that one of
//! them does not have is no change.

use std::collections::BTreeMap;

use serde::Serialize;
use steward_changes::{Change, Contents, Fields, Gap, Held, Key, Kind, Leaf, Substitutions, compare};

use super::{Inventory, InventoryPart, MissingPart, UNREADABLE};
use crate::model::numbers::Millis;

/// Name of the only field of an element: its type or state.
const VALUE: &str = "value";

/// Effect of an import, as far as the inventories of the site and of the export show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// Time when the inventory of the export was taken.
    pub export_taken_at: Millis,
    /// Differences by kind, the most harmful of each kind first, then by name.
    pub differences: Vec<Difference>,
    /// What one of the two inventories does not have.
    pub not_compared: Vec<NotInventoried>,
}

/// One difference between a site and an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// Kind of the element.
    pub kind: Kind,
    /// Path of the service, folder or data store item, or service and name of the webhook.
    pub name: String,
    /// Whether the import removes the element, changes it, or adds it.
    pub change: Change,
    /// Type or state on the site; empty if the import adds the element, or if it is a folder.
    pub on_site: String,
    /// Type or state in the export; empty if the import removes the element, or if it is a folder.
    pub in_export: String,
}

/// Elements that are not compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct NotInventoried {
    /// Kind of the elements.
    pub kind: Kind,
    /// Folder of services or root of data store items with `/` at its end, `/` for the root folder; empty for all of the kind.
    pub name: String,
    /// Reason, as returned by the site or the library.
    pub reason: String,
}

impl Comparison {
    /// Compares the site as it is `now` with an `export`.
    #[must_use]
    pub fn of(now: &Inventory, export: &Inventory) -> Self {
        let mut values = Values::default();
        let [site, exported] = [now, export].map(|inventory| contents(inventory, &mut values));
        let found = compare(&site, &exported, &Substitutions::NONE, |number| Ok(values.fields(number)));
        let differences = found.differences.into_iter().map(|one| Difference {
            kind: one.key.kind,
            name: one.key.name,
            change: one.change,
            on_site: values.text(one.before),
            in_export: values.text(one.after),
        });
        let not_compared = found
            .not_compared
            .into_iter()
            .map(|Gap { kind, name, reason, .. }| NotInventoried { kind, name, reason });
        Self {
            export_taken_at: export.taken_at,
            differences: differences.collect(),
            not_compared: not_compared.collect(),
        }
    }
}

/// Types and states of the elements, each with a number.
#[derive(Default)]
struct Values {
    texts: Vec<String>,
    numbers: BTreeMap<String, i64>,
}

impl Values {
    fn number(&mut self, text: String) -> i64 {
        if let Some(known) = self.numbers.get(&text) {
            return *known;
        }
        // There are not more types and states than elements.
        let number = i64::try_from(self.texts.len()).unwrap_or(i64::MAX);
        self.texts.push(text.clone());
        self.numbers.insert(text, number);
        number
    }

    fn of(&self, number: i64) -> &str {
        let text = usize::try_from(number).ok().and_then(|number| self.texts.get(number));
        text.map(String::as_str).unwrap_or_default()
    }

    fn text(&self, held: Option<Held>) -> String {
        held.and_then(|held| held.value).map(|number| self.of(number).to_owned()).unwrap_or_default()
    }

    /// Returns what is compared of an element. A field that is set apart on one side is no difference.
    fn fields(&self, number: i64) -> Fields {
        let leaf = match self.of(number) {
            "" => Leaf::Volatile,
            text => Leaf::Text(text.to_owned()),
        };
        Fields(BTreeMap::from([(VALUE.to_owned(), leaf)]))
    }
}

/// Returns an inventory as the contents of a snapshot. Both sides are one place, because an export can be that of another server.
fn contents(of: &Inventory, values: &mut Values) -> Contents {
    let mut contents = Contents::default();
    let mut add = |kind, name: &str, value: &str| {
        let key = Key { kind, place: String::new(), name: name.to_owned() };
        let held = Held { value: Some(values.number(value.to_owned())), first: 0 };
        contents.resources.insert(key, held);
    };
    for service in &of.services {
        add(Kind::Services, &service.path, &service.configured);
    }
    for folder in of.folders.iter().flatten() {
        add(Kind::Folders, folder, "");
    }
    for item in &of.data_items {
        add(Kind::DataStoreItems, &item.path, &item.r#type);
    }
    for (name, state) in webhooks(of) {
        add(Kind::Webhooks, &name, state);
    }
    contents.gaps = of.missing.iter().filter_map(gap).collect();
    if of.folders.is_none() {
        contents.gaps.push(gap_of(Kind::Folders, None, "not listed"));
    }
    contents
}

/// Returns a part that is missing in an inventory as a gap; `None` if the part is not compared.
fn gap(missing: &MissingPart) -> Option<Gap> {
    let kind = match missing.part {
        InventoryPart::Services => Kind::Services,
        InventoryPart::Webhooks => Kind::Webhooks,
        InventoryPart::DataItems => Kind::DataStoreItems,
        InventoryPart::Machines
        | InventoryPart::Uploads
        | InventoryPart::Items
        | InventoryPart::Users
        | InventoryPart::Groups
        | InventoryPart::Collaborations => return None,
    };
    Some(gap_of(kind, missing.of.as_deref(), &missing.reason))
}

/// Returns the gap of a folder or root; without one, and for one whose name was not read, of all of the kind.
fn gap_of(kind: Kind, of: Option<&str>, reason: &str) -> Gap {
    let name = of.filter(|of| *of != UNREADABLE).map(|of| format!("{}/", of.trim_end_matches('/')));
    Gap { kind, place: String::new(), name: name.unwrap_or_default(), reason: reason.to_owned() }
}

/// Returns the states of the webhooks by service and name: `active`, `inactive`, or empty if the site does not return
/// it. Several of one name are numbered, the active ones first: an export does not tell which is which.
fn webhooks(of: &Inventory) -> BTreeMap<String, &'static str> {
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
        found.insert(numbered, state);
        last = name;
    }
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
        Inventory { services: services.iter().map(service).collect(), ..without_folders() }
    }

    /// Inventory of a server whose services are all in the root folder.
    fn without_folders() -> Inventory {
        Inventory { folders: Some(Vec::new()), ..Inventory::default() }
    }

    fn differences_of(comparison: &Comparison) -> Vec<(Kind, Change, &str, &str, &str)> {
        comparison
            .differences
            .iter()
            .map(|one| {
                (one.kind, one.change, one.name.as_str(), one.on_site.as_str(), one.in_export.as_str())
            })
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
                (Kind::Folders, Change::Missing, "Folder0", "", ""),
                (Kind::Folders, Change::Added, "Folder300000", "", ""),
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
            [(Kind::Services, Change::Added, "Folder0/Zoning.MapServer", "", "")]
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
                (Kind::Services, Change::Missing, "Water/Mains.MapServer", "STARTED", ""),
                (Kind::Services, Change::Missing, "Zoning.MapServer", "STARTED", ""),
                (Kind::Services, Change::Differs, "Buffer.GPServer", "STARTED", "STOPPED"),
                (Kind::Services, Change::Added, "Transit.MapServer", "", "STARTED"),
            ]
        );
    }

    #[test]
    fn a_service_that_was_published_again_with_another_type_disappears_and_another_one_appears() {
        let now = with_services(&[("Imagery.MapServer", "STARTED"), ("Parcels.MapServer", "STARTED")]);
        let export = with_services(&[("Imagery.ImageServer", "STARTED"), ("Parcels.MapServer", "STARTED")]);

        assert_eq!(
            differences_of(&Comparison::of(&now, &export)),
            [
                (Kind::Services, Change::Missing, "Imagery.MapServer", "STARTED", ""),
                (Kind::Services, Change::Added, "Imagery.ImageServer", "", "STARTED"),
            ]
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
                (Kind::DataStoreItems, Change::Missing, "/fileShares/survey", "folder", ""),
                (Kind::DataStoreItems, Change::Added, "/enterpriseDatabases/water", "", "egdb"),
                (Kind::Webhooks, Change::Missing, "Hosted/Hydrants.FeatureServer: inspections", "active", ""),
                (
                    Kind::Webhooks,
                    Change::Differs,
                    "Hosted/Hydrants.FeatureServer: archive",
                    "active",
                    "inactive"
                ),
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
            compared.differences.into_iter().map(|one| (one.change, one.name)).collect::<Vec<_>>()
        };
        let second = || "Hosted/Hydrants.FeatureServer: archive (2)".to_owned();

        assert_eq!(differences(&[true, false], &[false, true]), []);
        assert_eq!(differences(&[true, true], &[true]), [(Change::Missing, second())]);
        assert_eq!(differences(&[true], &[true, false]), [(Change::Added, second())]);
        assert_eq!(differences(&[true, true], &[true, false]), [(Change::Differs, second())]);
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
                (Kind::Folders, Change::Missing, "Water", "", ""),
                (Kind::Folders, Change::Added, "Harbor", "", "")
            ]
        );
        let compared = Comparison::of(&now, &Inventory::default());
        assert_eq!((differences_of(&compared), not_compared(&compared)), (vec![], vec![(Kind::Folders, "")]));
    }

    fn not_compared(comparison: &Comparison) -> Vec<(Kind, &str)> {
        comparison.not_compared.iter().map(|one| (one.kind, one.name.as_str())).collect()
    }

    #[test]
    fn a_folder_that_the_server_did_not_list_is_named_and_the_others_are_compared() {
        let missing =
            |part, of: &str| MissingPart { part, of: Some(of.to_owned()), reason: "404".to_owned() };
        for (of, named, disappear) in [
            ("Water", "Water/", &["Parcels/A.MapServer", "Root.MapServer", "Watershed/B.MapServer"][..]),
            ("/", "/", &["Parcels/A.MapServer", "Water/C.MapServer", "Watershed/B.MapServer"]),
            (
                "Nowhere",
                "Nowhere/",
                &["Parcels/A.MapServer", "Root.MapServer", "Water/C.MapServer", "Watershed/B.MapServer"],
            ),
        ] {
            let all = [
                ("Parcels/A.MapServer", "STARTED"),
                ("Root.MapServer", "STARTED"),
                ("Water/C.MapServer", "STARTED"),
                ("Watershed/B.MapServer", "STARTED"),
            ];
            let incomplete =
                Inventory { missing: vec![missing(InventoryPart::Services, of)], ..without_folders() };

            let compared = Comparison::of(&with_services(&all), &incomplete);
            // Also where the site now does not list it, and the export has all.
            let appearing = Comparison::of(&incomplete, &with_services(&all));

            let names =
                |one: &Comparison| one.differences.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
            assert_eq!(names(&compared), disappear, "{of}");
            assert_eq!(names(&appearing), disappear, "{of}");
            assert_eq!(not_compared(&compared), [(Kind::Services, named)]);
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
        let export = Inventory { missing: vec![missing], ..without_folders() };

        let comparison = Comparison::of(&now, &export);

        let (kind, name, reason) = (Kind::Services, String::new(), "no rights".to_owned());
        assert_eq!(comparison.not_compared, [NotInventoried { kind, name, reason }]);
        assert_eq!(comparison.differences, []);
    }

    #[test]
    fn a_folder_whose_name_was_not_read_might_have_any_service() {
        let missing =
            |of| MissingPart { part: InventoryPart::Services, of: Some(of), reason: "too long".to_owned() };
        let export = Inventory { missing: vec![missing("…".to_owned())], ..without_folders() };

        let comparison = Comparison::of(&with_services(&[("Water/Mains.MapServer", "STARTED")]), &export);

        assert_eq!(
            (comparison.differences.len(), not_compared(&comparison)),
            (0, vec![(Kind::Services, "")])
        );
    }
}
