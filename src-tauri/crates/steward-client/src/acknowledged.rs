//! The response of requests that only report success.

use serde::Deserialize;

use crate::decode::is_success;
use crate::wire::{Success, text};

/// Success, and nothing else.
#[derive(Debug, Deserialize)]
#[serde(try_from = "AcknowledgedWire")]
pub(crate) struct Acknowledged;

#[derive(Deserialize)]
struct AcknowledgedWire {
    #[serde(default, deserialize_with = "text")]
    status: String,
    #[serde(default)]
    success: Success,
}

impl TryFrom<AcknowledgedWire> for Acknowledged {
    type Error = &'static str;

    /// Fails unless the response contains `success: true` or a status of success: any other response does not show what
    /// was done.
    fn try_from(wire: AcknowledgedWire) -> Result<Self, Self::Error> {
        match wire.success == Success::Yes || is_success(&wire.status) {
            true => Ok(Self),
            false => Err("no success"),
        }
    }
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
        assert!(!read("{}") && !read(r#"{"status":"pending"}"#) && !read(r#"{"success":null}"#));
    }
}
