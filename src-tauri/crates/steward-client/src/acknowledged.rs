//! The response of requests that only report success.

use serde::{Deserialize, Deserializer};

use crate::beside::Beside;
use crate::status_words::{is_plain_success, is_success};
use crate::wire::{Raw, Success, raw, text};

/// Success, and nothing else.
#[derive(Debug)]
pub(crate) struct Acknowledged;

#[derive(Deserialize)]
struct AcknowledgedWire {
    #[serde(default, deserialize_with = "text")]
    status: String,
    #[serde(default)]
    success: Success,
}

impl<'de> Deserialize<'de> for Acknowledged {
    /// Fails unless the response contains `success: true` or a status of success, and no warning: any other
    /// response does not show what was done.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let response = raw(deserializer)?;
        let Some(status) = success_of(response) else { return Err(serde::de::Error::custom("no success")) };
        let warns = !Beside::of(response, &["status", "success"]).warnings.is_empty();
        match warns || !(status.is_empty() || is_plain_success(&status)) {
            true => Err(serde::de::Error::custom("a success with warnings")),
            false => Ok(Self),
        }
    }
}

/// Returns the status of a response that is a success; empty for a success without a status.
pub(crate) fn success_of(response: Raw<'_>) -> Option<String> {
    let AcknowledgedWire { status, success } = response.read_object()?;
    (success == Success::Yes || is_success(&status)).then_some(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_status_is_an_error() {
        let read = |json: &str| serde_json::from_str::<Acknowledged>(json).is_ok();
        assert!(
            read(r#"{"status":"success"}"#) && read(r#"{"success":"true"}"#) && read(r#"{"success":true}"#)
        );
        for warns in [
            r#"{"status":"success with warnings","messages":["2 webhooks stay active"]}"#,
            r#"{"status":"success","warnings":["2 webhooks stay active"]}"#,
            r#"{"success":true,"failed":["Hook 2"]}"#,
        ] {
            assert!(!read(warns), "{warns}");
        }
        assert!(read(r#"{"status":"success","failed":[],"took":3}"#));
        assert!(!read("{}") && !read(r#"{"status":"pending"}"#) && !read(r#"{"success":null}"#));
    }
}
