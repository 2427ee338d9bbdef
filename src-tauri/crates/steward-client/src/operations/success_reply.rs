//! Reply of a portal import, and of the check of an import file.

use serde::{Deserialize, Deserializer};

use crate::beside::{Beside, Remarks, goes_on};
use crate::status_words::{is_plain_success, is_success};
use crate::wire::{list_of_texts, raw, text};

/// Result that has a status and nothing else that is known.
#[derive(Debug, Clone)]
pub struct SuccessReply {
    /// Status, for example `success` or `success with warning`.
    pub status: String,
    /// Warnings, without empty texts.
    pub messages: Vec<String>,
    /// What else the response has, as shown.
    pub further: Vec<String>,
}

#[derive(Deserialize)]
struct ReplyWire {
    #[serde(default, deserialize_with = "text")]
    status: String,
    #[serde(default, deserialize_with = "list_of_texts")]
    messages: Vec<String>,
}

impl<'de> Deserialize<'de> for SuccessReply {
    /// Fails for a response without a status of success: it does not show what was done.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let response = raw(deserializer)?;
        let is_end = |reply: &ReplyWire| is_success(&reply.status) && !goes_on(response);
        let read = response.read_object().filter(is_end);
        let ReplyWire { status, mut messages } =
            read.ok_or_else(|| serde::de::Error::custom("no success"))?;
        messages.retain(|message| !message.trim().is_empty());
        let Beside { warnings, further } = Beside::of(response, &["status", "messages"]);
        messages.extend(warnings);
        Ok(Self { status, messages, further })
    }
}

impl SuccessReply {
    /// Returns whether the site reported warnings.
    #[must_use]
    pub fn warns(&self) -> bool {
        !self.messages.is_empty() || !is_plain_success(&self.status)
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
    fn an_import_is_a_success_only_by_its_status() {
        let read = |json: &str| serde_json::from_str::<SuccessReply>(json).ok();
        assert!(read(r#"{"status":"success"}"#).is_some_and(|reply| !reply.warns()));
        assert!(read(r#"{"status":"success","messages":[null,""]}"#).is_some_and(|reply| !reply.warns()));
        assert!(
            read(r#"{"status":"Success with warnings","messages":null}"#).is_some_and(|reply| reply.warns())
        );
        assert!(
            read(r#"{"status":"success","messages":"one"}"#).is_some_and(|reply| reply.messages == ["one"])
        );
        let job = r#"{"status":"success","jobStatus":"esriJobExecuting"}"#;
        for silent in ["{}", r#"{"status":"pending"}"#, r#"{"location":"/backups/a"}"#, job] {
            assert!(read(silent).is_none(), "{silent}");
        }
    }

    #[test]
    fn nothing_of_a_success_disappears() {
        let json = r#"{"status":"success","warnings":["w"],"skippedGroups":2,"indexed":"later"}"#;
        let reply: SuccessReply = serde_json::from_str(json).unwrap();
        assert!(reply.warns());
        assert_eq!(reply.messages, ["w", "skippedGroups: 2"]);
        assert_eq!(reply.further, ["indexed: later"]);
    }
}
