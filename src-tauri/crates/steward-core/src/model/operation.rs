//! The seven operations: their keys and descriptors.
//!
//! [`Operation::of`] returns the descriptor of a key; [`ALL`] lists all of them.

use serde::Serialize;
pub use steward_client::{Capability, OperationKey};

/// Component of a site that an operation sends its requests to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Component {
    /// The portal: its sharing API and its administration API.
    Portal,
    /// The administration API of a server.
    Server,
}

/// Impact of an operation on the site. Determines the confirmation and the text of an unknown outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Impact {
    /// Reads only.
    None,
    /// Writes an export file, and does not change the site.
    WritesCopy,
    /// Makes a change that can be reverted.
    Changes,
    /// Replaces the whole site.
    Replaces,
}

/// Descriptor of an operation. The sidebar, the availability check, and the documentation use it.
#[derive(Debug, Clone, Copy, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Operation {
    /// Key of the operation.
    pub key: OperationKey,
    /// Component that receives its requests.
    pub component: Component,
    /// Impact on the site.
    pub impact: Impact,
}

impl Operation {
    /// Portal export, section 1 of the specification.
    pub const EXPORT_PORTAL: Self =
        Self { key: OperationKey::ExportPortal, component: Component::Portal, impact: Impact::WritesCopy };
    /// Server export, section 2 of the specification.
    pub const EXPORT_SERVER: Self =
        Self { key: OperationKey::ExportServer, component: Component::Server, impact: Impact::WritesCopy };
    /// Server import, section 3 of the specification.
    pub const IMPORT_SERVER: Self =
        Self { key: OperationKey::ImportServer, component: Component::Server, impact: Impact::Replaces };
    /// Webhook deactivation, section 4 of the specification.
    pub const DEACTIVATE_WEBHOOKS: Self =
        Self { key: OperationKey::DeactivateWebhooks, component: Component::Server, impact: Impact::Changes };
    /// Data store item search, section 5 of the specification.
    pub const FIND_ITEMS: Self =
        Self { key: OperationKey::FindItems, component: Component::Server, impact: Impact::None };
    /// Participant contact update, section 6 of the specification.
    pub const UPDATE_PARTICIPANT: Self =
        Self { key: OperationKey::UpdateParticipant, component: Component::Portal, impact: Impact::Changes };
    /// Invitation refresh, section 7 of the specification.
    pub const REFRESH_INVITATION: Self =
        Self { key: OperationKey::RefreshInvitation, component: Component::Portal, impact: Impact::Changes };
}

/// Every operation, in the order of the specification, the sidebar and the documentation.
pub const ALL: [Operation; OperationKey::ALL.len()] = [
    Operation::EXPORT_PORTAL,
    Operation::EXPORT_SERVER,
    Operation::IMPORT_SERVER,
    Operation::DEACTIVATE_WEBHOOKS,
    Operation::FIND_ITEMS,
    Operation::UPDATE_PARTICIPANT,
    Operation::REFRESH_INVITATION,
];

impl Operation {
    /// Returns the descriptor of an operation.
    #[must_use]
    pub fn of(key: OperationKey) -> &'static Self {
        // `ALL` has the order of the variants, which a test verifies.
        &ALL[key as usize]
    }
}

impl Impact {
    /// Returns whether the operation changes the site. An export does not.
    #[must_use]
    pub const fn changes_the_site(self) -> bool {
        matches!(self, Self::Changes | Self::Replaces)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_found_by_its_key_and_by_its_name() {
        for operation in &ALL {
            assert_eq!(Operation::of(operation.key).key, operation.key);
            assert_eq!(OperationKey::named(operation.key.name()), Some(operation.key));
            let json = serde_json::to_value(operation.key).unwrap();
            assert_eq!(json, operation.key.name(), "the window and the journal use one name");
        }
    }
}
