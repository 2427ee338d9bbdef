//! The seven operations of the specification.
//!
//! Each module has the parameters of one operation, for example [`export_portal::ExportPortal`], with `request()`,
//! which builds the request as a value, and `send()`, which sends it once. A reply type fails to decode if the response
//! does not show success: a missing status must not pass for one.

pub mod deactivate_webhooks;
pub mod export_portal;
pub mod export_server;
pub mod find_items;
pub mod import_server;
pub mod refresh_invitation;
pub mod update_participant;

use serde::{Deserialize, Serialize};

use crate::decode::{is_plain_success, is_success};
use crate::wire::{exact, list_of_texts, text};

/// Key of an operation, the same in all parts of the app.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum OperationKey {
    /// Portal export: `exportSite` (specification, operation 1).
    ExportPortal,
    /// Server export: `exportSite` (operation 2).
    ExportServer,
    /// Server import: `importSite` (operation 3).
    ImportServer,
    /// Webhook deactivation: `deactivateAll` (operation 4).
    DeactivateWebhooks,
    /// Data store item search: `findItems` (operation 5).
    FindItems,
    /// Participant contact update: `updateInfo` (operation 6).
    UpdateParticipant,
    /// Invitation refresh: `refresh` (operation 7).
    RefreshInvitation,
}

impl OperationKey {
    /// All keys, in the order of the specification.
    pub const ALL: [Self; 7] = [
        Self::ExportPortal,
        Self::ExportServer,
        Self::ImportServer,
        Self::DeactivateWebhooks,
        Self::FindItems,
        Self::UpdateParticipant,
        Self::RefreshInvitation,
    ];

    /// Returns the name that is stored in the journal and used in file names.
    #[must_use]
    pub const fn name(self) -> &'static str {
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

    /// Returns the key with this [`name`](Self::name).
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|key| key.name() == name)
    }
}

/// Result of a portal or server export.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "ExportWire")]
pub struct ExportReply {
    /// Status, for example `success` or `success with warning`. Empty if the site returned none.
    pub status: String,
    /// Path of the export file, or URL of a server upload. Empty after a check of the destination.
    pub location: String,
    /// Warnings, without empty texts.
    pub messages: Vec<String>,
}

#[derive(Deserialize)]
struct ExportWire {
    #[serde(default, deserialize_with = "text")]
    status: String,
    /// A part of it would be the path of another file.
    #[serde(default, deserialize_with = "exact")]
    location: String,
    #[serde(default, deserialize_with = "list_of_texts")]
    messages: Vec<String>,
}

impl TryFrom<ExportWire> for ExportReply {
    type Error = &'static str;

    /// Fails for a response without a status of success and without a file: it does not show what the export did.
    fn try_from(wire: ExportWire) -> Result<Self, Self::Error> {
        let ExportWire { status, location, mut messages } = wire;
        messages.retain(|message| !message.trim().is_empty());
        let names_a_file = status.is_empty() && !location.is_empty();
        if is_success(&status) || names_a_file {
            return Ok(Self { status, location, messages });
        }
        Err("neither a success nor a file")
    }
}

impl ExportReply {
    /// Returns whether the site reported warnings. Deployments write `success with warning` and `success with
    /// warnings`.
    #[must_use]
    pub fn warns(&self) -> bool {
        !self.messages.is_empty() || !(self.status.is_empty() || is_plain_success(&self.status))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_in_the_list_of_all() {
        let unknown = serde_json::from_str::<OperationKey>("\"no_operation\"").unwrap_err().to_string();

        let listed = OperationKey::ALL.map(|key| format!("`{}`", key.name())).join(", ");
        assert!(unknown.contains(&format!("expected one of {listed} at")), "{unknown}");
    }

    #[test]
    fn an_export_is_a_success_or_names_its_file() {
        let read = |json: &str| serde_json::from_str::<ExportReply>(json).ok();
        assert!(
            read(r#"{"status":"Success with warnings","messages":null}"#).is_some_and(|reply| reply.warns())
        );
        assert!(read(r#"{"location":"/backups/a"}"#).is_some_and(|reply| !reply.warns()));
        assert!(
            read(r#"{"status":"success","messages":"one"}"#).is_some_and(|reply| reply.messages == ["one"])
        );
        for silent in [r#"null"#, "[]", r#"[""]"#, "[null]"] {
            let json = format!(r#"{{"status":"success","location":"/backups/a","messages":{silent}}}"#);
            assert!(read(&json).is_some_and(|reply| !reply.warns()), "{silent}");
        }
        assert!(read("{}").is_none());
        assert!(read(r#"{"status":"pending","location":"/backups/a"}"#).is_none());
    }
}
