//! The seven operations: parameters in, reply out.

pub mod deactivate_webhooks;
pub mod export_portal;
pub mod export_server;
pub mod find_items;
pub mod import_server;
pub mod refresh_invitation;
pub mod update_participant;

use serde::Deserialize;

use crate::wire::{list_of_texts, text};

/// The export result of the specification, for portal and server.
#[derive(Debug, Clone, Deserialize)]
pub struct ExportReply {
    /// `success`, or `success with warning`.
    #[serde(default, deserialize_with = "text")]
    pub status: String,
    /// Path of the created file, or the address of a stored file. Empty after a mere check.
    #[serde(default, deserialize_with = "text")]
    pub location: String,
    /// Warnings.
    #[serde(default, deserialize_with = "list_of_texts")]
    pub messages: Vec<String>,
}

impl ExportReply {
    /// Whether the site had something to say. Deployments write `success with warning` and `success with
    /// warnings`.
    #[must_use]
    pub fn warns(&self) -> bool {
        !self.messages.is_empty() || !self.status.eq_ignore_ascii_case("success")
    }
}

/// The answer of operations that only say that they did it.
#[derive(Debug, Deserialize)]
pub(crate) struct Acknowledged {}
