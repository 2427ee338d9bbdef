//! The seven operations: parameters in, reply out.

pub mod deactivate_webhooks;
pub mod export_portal;
pub mod export_server;
pub mod find_items;
pub mod import_server;
pub mod refresh_invitation;
pub mod update_participant;

use serde::{Deserialize, Serialize};

use crate::decode::{is_plain_success, is_success};
use crate::wire::{list_of_texts, text};

/// Name of an operation, the same in every part of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum OperationKey {
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

impl OperationKey {
    /// Every key, in the order of the specification.
    pub const ALL: [Self; 7] = [
        Self::ExportPortal,
        Self::ExportServer,
        Self::ImportServer,
        Self::DeactivateWebhooks,
        Self::FindItems,
        Self::UpdateParticipant,
        Self::RefreshInvitation,
    ];

    /// Returns the name that stands in the journal and in file names.
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

/// The export result of the specification, for portal and server.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "ExportWire")]
pub struct ExportReply {
    /// `success`, or `success with warning`.
    pub status: String,
    /// Path of the created file, or the address of a stored file. Empty after a mere check.
    pub location: String,
    /// Warnings.
    pub messages: Vec<String>,
}

#[derive(Deserialize)]
struct ExportWire {
    #[serde(default, deserialize_with = "text")]
    status: String,
    #[serde(default, deserialize_with = "text")]
    location: String,
    #[serde(default, deserialize_with = "list_of_texts")]
    messages: Vec<String>,
}

impl TryFrom<ExportWire> for ExportReply {
    type Error = &'static str;

    /// An answer that neither says success nor names a file says nothing about the export.
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
    /// Whether the site had something to say. Deployments write `success with warning` and `success with
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
