//! What a snapshot has of a site, and what it lacks.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};

/// Name of the gap that has the services of the root folder.
const ROOT_FOLDER: &str = "/";

/// Kind of a resource, in the order in which kinds are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// Configuration of services.
    Services,
    /// Folders of services, with their permissions.
    Folders,
    /// Data store items.
    DataStoreItems,
    /// Machines of a server, with their settings.
    Machines,
    /// System properties, and registered web adaptors.
    SystemProperties,
    /// Security configuration.
    Security,
    /// Settings of the logs.
    Logs,
    /// Webhooks of services and of the organization.
    Webhooks,
    /// Roles with their privileges.
    Roles,
    /// Collaborations with their participants.
    Collaborations,
    /// Servers that are federated with the portal.
    FederatedServers,
    /// Licenses and certificates, with the times at which they expire.
    Expiries,
    /// Versions.
    Versions,
}

impl Kind {
    /// All kinds, in order.
    pub const ALL: [Self; 13] = [
        Self::Services,
        Self::Folders,
        Self::DataStoreItems,
        Self::Machines,
        Self::SystemProperties,
        Self::Security,
        Self::Logs,
        Self::Webhooks,
        Self::Roles,
        Self::Collaborations,
        Self::FederatedServers,
        Self::Expiries,
        Self::Versions,
    ];

    /// Name of the kind in the store and in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Services => "services",
            Self::Folders => "folders",
            Self::DataStoreItems => "dataStoreItems",
            Self::Machines => "machines",
            Self::SystemProperties => "systemProperties",
            Self::Security => "security",
            Self::Logs => "logs",
            Self::Webhooks => "webhooks",
            Self::Roles => "roles",
            Self::Collaborations => "collaborations",
            Self::FederatedServers => "federatedServers",
            Self::Expiries => "expiries",
            Self::Versions => "versions",
        }
    }

    /// Returns the kind with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// What identifies a resource of a site.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Key {
    /// Kind of the resource.
    pub kind: Kind,
    /// Identifier of the server; empty for the portal.
    pub place: String,
    /// Name of the resource on that server or portal, in the case of the site: names that differ only in case are two
    /// resources.
    pub name: String,
}

/// Resource, or group of resources, that a snapshot lacks because it could not be read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Gap {
    /// Kind of the resource.
    pub kind: Kind,
    /// Identifier of the server; empty for the portal.
    pub place: String,
    /// Name of the resource: a folder ends with `/` and stands for everything in it, and an empty name for all of the
    /// kind. Of services, `/` stands for those in no other folder.
    pub name: String,
    /// Reason why it was not read.
    pub reason: String,
}

/// Gaps of a snapshot, as a set in which the gap of a resource is found at once: a server can refuse each of 20,000
/// services.
pub(crate) struct Gaps<'a>(HashSet<(Kind, &'a str, &'a str)>);

impl<'a> Gaps<'a> {
    pub(crate) fn of(all: &'a [Gap]) -> Self {
        Self(all.iter().map(|gap| (gap.kind, gap.place.as_str(), gap.name.as_str())).collect())
    }

    /// Returns whether a resource that the snapshot does not have might still be on the site.
    pub(crate) fn cover(&self, key: &Key) -> bool {
        let has = |name: &str| self.0.contains(&(key.kind, key.place.as_str(), name));
        let is_in_root = key.kind == Kind::Services && !key.name.contains('/');
        has("")
            || has(&key.name)
            || (is_in_root && has(ROOT_FOLDER))
            || key.name.match_indices('/').any(|(at, _)| has(&key.name[..=at]))
    }
}

/// A resource in a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held {
    /// Number of its value; `None` if the site did not have the resource.
    pub value: Option<i64>,
    /// Snapshot since which the resource has had this value, or has been gone.
    pub first: i64,
}

/// Resources of a snapshot, and its gaps.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents {
    /// Resources that were read, and those that were found to be gone.
    pub resources: BTreeMap<Key, Held>,
    /// Resources that were not read.
    pub gaps: Vec<Gap>,
    /// SHA-256 of both, as they are stored now.
    pub sha256: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_one_name_in_the_store_and_at_the_window() {
        for kind in Kind::ALL {
            assert_eq!(Kind::named(kind.name()), Some(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
    }

    #[test]
    fn a_gap_covers_one_resource_or_a_folder_or_the_root_folder_or_all_of_a_kind_and_nothing_beside() {
        for (kind, gap, name, is_covered) in [
            (Kind::Services, "Water/Mains.MapServer", "Water/Mains.MapServer", true),
            (Kind::Services, "Water/", "Water/Mains.MapServer", true),
            (Kind::Services, "Water/", "Watershed/Mains.MapServer", false),
            (Kind::Services, "/", "Zoning.MapServer", true),
            (Kind::Services, "/", "Water/Mains.MapServer", false),
            (Kind::Services, "", "Water/Mains.MapServer", true),
            (Kind::Folders, "/", "/", true),
            (Kind::Folders, "/", "Water", false),
            (Kind::DataStoreItems, "/fileShares/", "/fileShares/a/b", true),
            (Kind::DataStoreItems, "/fileShares/", "/fileSharesOther/a", false),
        ] {
            let (place, reason) = ("s1".to_owned(), String::new());
            let gaps = [Gap { kind, place, name: gap.to_owned(), reason }];
            let key = |kind, place: &str| Key { kind, place: place.to_owned(), name: name.to_owned() };
            assert_eq!(Gaps::of(&gaps).cover(&key(kind, "s1")), is_covered, "{name} in {gap}");
            assert!(
                !Gaps::of(&gaps).cover(&key(kind, "s2")) && !Gaps::of(&gaps).cover(&key(Kind::Roles, "s1"))
            );
        }
    }
}
