//! Comparison of two inventories of a portal: before an import, and after it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::portal::PortalInventory;
use crate::model::numbers::Millis;

/// Numbers of elements in a portal, compared with those in an export of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PortalComparison {
    /// Time when the content of the export was counted.
    pub exported_at: Millis,
    /// Time when the content of the portal was counted.
    pub counted_at: Millis,
    /// Totals, and then the items by type, those that differ first.
    pub rows: Vec<CountRow>,
}

/// Numbers of one part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct CountRow {
    /// Part that is counted.
    pub part: CountedPart,
    /// Number in the portal; `null` if it did not return it.
    pub portal: Option<u32>,
    /// Number in the export; `null` if it is not known.
    pub export: Option<u32>,
}

/// A part of a portal that is counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum CountedPart {
    /// Items of all types.
    Items,
    /// Users.
    Users,
    /// Groups.
    Groups,
    /// Collaborations.
    Collaborations,
    /// Items of one type.
    ItemsOfType {
        /// Type, as the portal calls it.
        name: String,
    },
}

impl PortalComparison {
    /// Compares what a portal has with what an export of it has.
    pub(crate) fn of(portal: &PortalInventory, export: &PortalInventory) -> Self {
        let total =
            |part, count: fn(&PortalInventory) -> Option<u32>| row(part, count(portal), count(export));
        let mut rows = vec![
            total(CountedPart::Items, |inventory| inventory.items),
            total(CountedPart::Users, |inventory| inventory.users),
            total(CountedPart::Groups, |inventory| inventory.groups),
            total(CountedPart::Collaborations, |inventory| inventory.collaborations),
        ];
        let mut types: BTreeMap<&str, (Option<u32>, Option<u32>)> = BTreeMap::new();
        for one in &portal.items_by_type {
            types.entry(&one.r#type).or_default().0 = Some(one.count);
        }
        for one in &export.items_by_type {
            types.entry(&one.r#type).or_default().1 = Some(one.count);
        }
        // A type that is missing in one list of types has no items there, unless that list is empty: then nothing is known.
        let listed = |inventory: &PortalInventory, count: Option<u32>| match inventory.items_by_type[..] {
            [] => None,
            _ => count.or(Some(0)),
        };
        let mut by_type: Vec<_> = types
            .into_iter()
            .map(|(name, (now, then))| {
                let part = CountedPart::ItemsOfType { name: name.to_owned() };
                row(part, listed(portal, now), listed(export, then))
            })
            .collect();
        by_type.sort_by_key(CountRow::is_equal);
        rows.extend(by_type);
        Self { exported_at: export.taken_at, counted_at: portal.taken_at, rows }
    }

    /// Returns whether the portal has what the export has. A number that the portal did not return is a difference; one
    /// that is not known of the export is not compared.
    pub(crate) fn is_equal(&self) -> bool {
        self.rows.iter().all(CountRow::is_equal)
    }
}

impl CountRow {
    fn is_equal(&self) -> bool {
        self.export.is_none_or(|export| self.portal == Some(export))
    }
}

const fn row(part: CountedPart, portal: Option<u32>, export: Option<u32>) -> CountRow {
    CountRow { part, portal, export }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::type_count::TypeCount;

    fn inventory(items: u32, users: Option<u32>, types: &[(&str, u32)]) -> PortalInventory {
        let by_type = types.iter().map(|(name, count)| TypeCount { r#type: (*name).into(), count: *count });
        PortalInventory {
            items: Some(items),
            users,
            items_by_type: by_type.collect(),
            ..PortalInventory::default()
        }
    }

    #[test]
    fn what_differs_comes_first_and_a_number_that_is_not_known_does_not_differ() {
        let portal = inventory(5, None, &[("Layer", 2), ("Web Map", 3)]);
        let export = inventory(3, Some(4), &[("Layer", 2), ("Form", 1)]);

        let comparison = PortalComparison::of(&portal, &export);

        let of_type = |name: &str| CountedPart::ItemsOfType { name: name.to_owned() };
        assert_eq!(
            comparison.rows,
            [
                row(CountedPart::Items, Some(5), Some(3)),
                row(CountedPart::Users, None, Some(4)),
                row(CountedPart::Groups, None, None),
                row(CountedPart::Collaborations, None, None),
                row(of_type("Form"), Some(0), Some(1)),
                row(of_type("Web Map"), Some(3), Some(0)),
                row(of_type("Layer"), Some(2), Some(2)),
            ]
        );
        assert!(!comparison.is_equal());
        let is_equal =
            |users| PortalComparison::of(&inventory(5, users, &[]), &inventory(5, Some(4), &[])).is_equal();
        assert!(is_equal(Some(4)));
        assert!(!is_equal(None), "the users were not counted");
    }
}
