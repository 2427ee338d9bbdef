//! The seven operations: their keys, and the descriptors that everything else is made from.

use serde::{Deserialize, Serialize};
use steward_client::gates;

/// The name of an operation, the same in every part of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum Key {
    /// Specification 1, portal exportSite.
    ExportPortal,
    /// Specification 2, server exportSite.
    ExportServer,
    /// Specification 3, importSite.
    ImportServer,
    /// Specification 4, deactivateAll.
    DeactivateWebhooks,
    /// Specification 5, findItems.
    FindItems,
    /// Specification 6, updateInfo.
    UpdateParticipant,
    /// Specification 7, refresh.
    RefreshInvitation,
}

/// The administrative area an operation speaks to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Area {
    /// The portal: its sharing and its administrative part.
    Portal,
    /// A server's administrative part.
    Server,
}

/// What an operation does to the site. Drives the confirmation and the words of an unknown end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Harm {
    /// Reads, and leaves no trace.
    None,
    /// Writes a copy elsewhere.
    WritesCopy,
    /// Changes something that can be changed back.
    Changes,
    /// Replaces the whole site.
    Replaces,
}

/// What the specification asks of whoever performs an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Capability {
    /// The default administrator role.
    DefaultAdministrator,
    /// Administrator.
    Administrator,
    /// Administrator of the host of a collaboration.
    AdministratorOfHost,
    /// Publisher, or the privilege that the specification names beside it.
    Publisher,
}

/// How long an answer may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Patience {
    /// A minute at most.
    Minute,
    /// Minutes to hours: there is no time-out.
    Hours,
}

/// One operation, as the sidebar, the gate and the documentation see it.
#[derive(Debug, Clone, Copy, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Operation {
    /// Its name.
    pub key: Key,
    /// Where it is sent.
    pub area: Area,
    /// What it does to the site.
    pub harm: Harm,
    /// How long it may take.
    pub patience: Patience,
}

impl Operation {
    /// Specification 1.
    pub const EXPORT_PORTAL: Self = Self {
        key: Key::ExportPortal,
        area: Area::Portal,
        harm: Harm::WritesCopy,
        patience: Patience::Hours,
    };
    /// Specification 2.
    pub const EXPORT_SERVER: Self = Self {
        key: Key::ExportServer,
        area: Area::Server,
        harm: Harm::WritesCopy,
        patience: Patience::Hours,
    };
    /// Specification 3.
    pub const IMPORT_SERVER: Self =
        Self { key: Key::ImportServer, area: Area::Server, harm: Harm::Replaces, patience: Patience::Hours };
    /// Specification 4.
    pub const DEACTIVATE_WEBHOOKS: Self = Self {
        key: Key::DeactivateWebhooks,
        area: Area::Server,
        harm: Harm::Changes,
        patience: Patience::Minute,
    };
    /// Specification 5.
    pub const FIND_ITEMS: Self =
        Self { key: Key::FindItems, area: Area::Server, harm: Harm::None, patience: Patience::Minute };
    /// Specification 6.
    pub const UPDATE_PARTICIPANT: Self = Self {
        key: Key::UpdateParticipant,
        area: Area::Portal,
        harm: Harm::Changes,
        patience: Patience::Minute,
    };
    /// Specification 7.
    pub const REFRESH_INVITATION: Self = Self {
        key: Key::RefreshInvitation,
        area: Area::Portal,
        harm: Harm::Changes,
        patience: Patience::Minute,
    };
}

/// Every operation, in the order of the specification, the sidebar and the documentation.
pub const ALL: [Operation; 7] = [
    Operation::EXPORT_PORTAL,
    Operation::EXPORT_SERVER,
    Operation::IMPORT_SERVER,
    Operation::DEACTIVATE_WEBHOOKS,
    Operation::FIND_ITEMS,
    Operation::UPDATE_PARTICIPANT,
    Operation::REFRESH_INVITATION,
];

impl Harm {
    /// Whether the site itself is another afterwards. A copy elsewhere leaves it as it is.
    #[must_use]
    pub const fn changes_the_site(self) -> bool {
        matches!(self, Self::Changes | Self::Replaces)
    }
}

impl Key {
    /// The descriptor of this operation.
    #[must_use]
    pub fn operation(self) -> &'static Operation {
        // The order of `ALL` is the order of the variants; a test holds them together.
        &ALL[self as usize]
    }

    /// The name as it stands in the journal and in file names.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ExportPortal => "export_portal",
            Self::ExportServer => "export_server",
            Self::ImportServer => "import_server",
            Self::DeactivateWebhooks => "deactivate_webhooks",
            Self::FindItems => "find_items",
            Self::UpdateParticipant => "update_participant",
            Self::RefreshInvitation => "refresh_invitation",
        }
    }

    /// The operation of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        ALL.iter().map(|operation| operation.key).find(|key| key.name() == name)
    }
}

impl From<Key> for gates::Operation {
    fn from(key: Key) -> Self {
        match key {
            Key::ExportPortal => Self::ExportPortal,
            Key::ExportServer => Self::ExportServer,
            Key::ImportServer => Self::ImportServer,
            Key::DeactivateWebhooks => Self::DeactivateWebhooks,
            Key::FindItems => Self::FindItems,
            Key::UpdateParticipant => Self::UpdateParticipant,
            Key::RefreshInvitation => Self::RefreshInvitation,
        }
    }
}

impl From<gates::Capability> for Capability {
    fn from(capability: gates::Capability) -> Self {
        match capability {
            gates::Capability::DefaultAdministrator => Self::DefaultAdministrator,
            gates::Capability::Administrator => Self::Administrator,
            gates::Capability::AdministratorOfHost => Self::AdministratorOfHost,
            gates::Capability::Webhooks | gates::Capability::DataItems => Self::Publisher,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_found_by_its_key_and_by_its_name() {
        for operation in &ALL {
            assert_eq!(operation.key.operation().key, operation.key);
            assert_eq!(Key::named(operation.key.name()), Some(operation.key));
            let json = serde_json::to_value(operation.key).unwrap();
            assert_eq!(json, operation.key.name(), "the window and the journal use one name");
        }
    }
}
