//! The operations of the specification, and the portal import.
//!
//! Each module has the [`OperationDescriptor`] of one operation and its parameters, for example
//! [`export_portal::ExportPortal`], with `request()`, which builds the request as a value, and `send()`, which sends it
//! once. A reply type fails to decode if the response does not show success: a missing status must not pass for one.

pub mod deactivate_webhooks;
mod descriptor;
pub mod export_portal;
mod export_reply;
pub mod export_server;
pub mod find_items;
pub mod import_portal;
pub mod import_server;
pub mod refresh_invitation;
mod success_reply;
pub mod update_participant;

use serde::{Deserialize, Serialize};

pub use crate::beside::Remarks;
pub use descriptor::{
    Capability, Component, GatedParameter, Impact, NeedsAdminUrl, OperationDescriptor, Since,
};
pub use export_reply::ExportReply;
pub use success_reply::SuccessReply;

/// Declares the operations: the key of each, and its module, which has its name and its [`OperationDescriptor`].
macro_rules! operations {
    ($($(#[$doc:meta])+ $variant:ident = $module:ident,)+) => {
        /// Key of an operation, the same in all parts of the app.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "specta", derive(specta::Type))]
        #[serde(rename_all = "snake_case")]
        pub enum OperationKey {
            $($(#[$doc])+ $variant,)+
        }

        impl OperationKey {
            /// All keys, in the order of the specification.
            pub const ALL: [Self; [$(stringify!($module)),+].len()] = [$(Self::$variant),+];

            /// Returns the name that is stored in the journal and used in file names.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($module),)+
                }
            }

            /// Returns the facts of the operation in the specification.
            #[must_use]
            pub const fn descriptor(self) -> &'static OperationDescriptor {
                match self {
                    $(Self::$variant => &$module::DESCRIPTOR,)+
                }
            }
        }
    };
}

operations! {
    /// Portal export: `exportSite` (specification, operation 1).
    ExportPortal = export_portal,
    /// Server export: `exportSite` (operation 2).
    ExportServer = export_server,
    /// Server import: `importSite` (operation 3).
    ImportServer = import_server,
    /// Webhook deactivation: `deactivateAll` (operation 4).
    DeactivateWebhooks = deactivate_webhooks,
    /// Data store item search: `findItems` (operation 5).
    FindItems = find_items,
    /// Participant contact update: `updateInfo` (operation 6).
    UpdateParticipant = update_participant,
    /// Invitation refresh: `refresh` (operation 7).
    RefreshInvitation = refresh_invitation,
    /// Portal import: `importSite` of the portal, which the specification does not have.
    ImportPortal = import_portal,
}

impl OperationKey {
    /// Returns the key with this [`name`](Self::name).
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|key| key.name() == name)
    }

    /// Returns the component that the operation replaces as a whole, if it does.
    #[must_use]
    pub fn replaces(self) -> Option<Component> {
        let descriptor = self.descriptor();
        (descriptor.impact == Impact::Replaces).then(|| descriptor.component())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_and_the_journal_use_one_name() {
        for key in OperationKey::ALL {
            assert_eq!(serde_json::to_value(key).unwrap(), key.name());
            assert_eq!(OperationKey::named(key.name()), Some(key));
        }
    }
}
