//! Reply of the exports.

use serde::{Deserialize, Deserializer};

use crate::beside::{Beside, Remarks, goes_on};
use crate::status_words::{is_plain_success, is_success};
use crate::wire::{exact, list_of_texts, raw, text};

/// Result of a portal or server export.
#[derive(Debug, Clone)]
pub struct ExportReply {
    /// Status, for example `success` or `success with warning`. Empty if the site returned none.
    pub status: String,
    /// Path of the export file, or URL of a server upload. Empty after a check of the destination, and if the site
    /// named no file.
    pub location: String,
    /// Warnings, without empty texts.
    pub messages: Vec<String>,
    /// What else the response has, as shown.
    pub further: Vec<String>,
}

#[derive(Deserialize)]
struct ExportWire {
    #[serde(default, deserialize_with = "text")]
    status: String,
    /// Never cut: a part of it would be the path of another file.
    #[serde(default, deserialize_with = "exact")]
    location: String,
    #[serde(default, deserialize_with = "list_of_texts")]
    messages: Vec<String>,
}

impl<'de> Deserialize<'de> for ExportReply {
    /// Fails for a response without a status of success and without a file: it does not show what the export did.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let response = raw(deserializer)?;
        let says_what_was_done = |wire: &ExportWire| {
            is_success(&wire.status) || (wire.status.is_empty() && !wire.location.is_empty())
        };
        let read = response.read_object().filter(says_what_was_done).filter(|_| !goes_on(response));
        let ExportWire { status, location, mut messages } =
            read.ok_or_else(|| serde::de::Error::custom("neither a success nor a file"))?;
        messages.retain(|message| !message.trim().is_empty());
        let Beside { warnings, further } = Beside::of(response, &["status", "location", "messages"]);
        messages.extend(warnings);
        Ok(Self { status, location, messages, further })
    }
}

impl ExportReply {
    /// Returns whether the site reported warnings. Deployments write `success with warning` and `success with
    /// warnings`.
    #[must_use]
    pub fn warns(&self) -> bool {
        !self.messages.is_empty() || !(self.status.is_empty() || is_plain_success(&self.status))
    }

    /// Returns the warnings, and what else the response has.
    #[must_use]
    pub fn remarks(self) -> Remarks {
        let warns = self.warns();
        Remarks::of(self.status, warns, self.messages, self.further)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_an_export_disappears_whatever_its_key_is() {
        let json = r#"{"status":"success","location":"/a","warnings":["w"],"itemsSkipped":2,"took":"7 min"}"#;
        let reply: ExportReply = serde_json::from_str(json).unwrap();
        assert!(reply.warns());
        assert_eq!(reply.messages, ["w", "itemsSkipped: 2"]);
        assert_eq!(reply.further, ["took: 7 min"]);
        let plain: ExportReply = serde_json::from_str(r#"{"status":"success","size":7}"#).unwrap();
        assert!(!plain.warns());
        assert_eq!(plain.further, ["size: 7"]);
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
        assert!(read(r#"{"status":"success","location":"/a","jobStatus":"esriJobSubmitted"}"#).is_none());
    }
}
