//! The seven operations: parameters in, reply out.

pub mod deactivate_webhooks;
pub mod export_portal;
pub mod export_server;
pub mod find_items;
pub mod import_server;
pub mod refresh_invitation;
pub mod update_participant;

use serde::Deserialize;

use crate::decode::{is_plain_success, is_success};
use crate::wire::{list_of_texts, text, yes_or_no};

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

/// The answer of operations that only say that they did it.
#[derive(Debug, Deserialize)]
#[serde(try_from = "AcknowledgedWire")]
pub(crate) struct Acknowledged;

#[derive(Deserialize)]
struct AcknowledgedWire {
    #[serde(default, deserialize_with = "text")]
    status: String,
    #[serde(default, deserialize_with = "yes_or_no")]
    success: Option<bool>,
}

impl TryFrom<AcknowledgedWire> for Acknowledged {
    type Error = &'static str;

    /// Silence is no acknowledgement.
    fn try_from(wire: AcknowledgedWire) -> Result<Self, Self::Error> {
        match wire.success == Some(true) || is_success(&wire.status) {
            true => Ok(Self),
            false => Err("no success"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn silence_is_no_acknowledgement() {
        let read = |json: &str| serde_json::from_str::<Acknowledged>(json).is_ok();
        assert!(
            read(r#"{"status":"success"}"#) && read(r#"{"success":"true"}"#) && read(r#"{"success":true}"#)
        );
        assert!(!read("{}") && !read(r#"{"status":"pending"}"#) && !read(r#"{"success":null}"#));
    }
}
