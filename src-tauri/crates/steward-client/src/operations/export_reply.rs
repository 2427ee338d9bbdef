//! Reply of the exports.

use serde::Deserialize;

use crate::decode::{is_plain_success, is_success};
use crate::wire::{exact, list_of_texts, text};

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
