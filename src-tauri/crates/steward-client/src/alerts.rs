//! Alerts over HTTP: webhooks, and heartbeats.
//!
//! A receiver is no site: it gets no token, and its response is only read to tell a user why it took no alert. A
//! redirect is never followed, because the address is a secret.

use std::time::Duration;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use url::Url;

use crate::error::{ClientError, Stage};
use crate::http::{Connection, Http};

/// Time limit of a request until its response begins.
pub const LIMIT: Duration = Duration::from_secs(10);

/// Time limit of the body of a response.
const BODY: Duration = Duration::from_secs(3);

/// How much of a response is read, in bytes.
const READ: usize = 2_000;

/// Request to a receiver of alerts.
#[derive(Debug)]
pub struct AlertRequest {
    /// Address, which is a secret.
    pub address: Url,
    /// Headers beside the usual ones.
    pub headers: Vec<(&'static str, String)>,
    /// Body with its type; `None` for a GET.
    pub body: Option<(&'static str, Vec<u8>)>,
}

/// Response of a receiver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlertResponse {
    /// HTTP status.
    pub status: u16,
    /// Beginning of its body.
    pub beginning: String,
}

/// Sends a request to a receiver of alerts, and returns its response, whatever its status is.
///
/// # Errors
/// A connection error of [`ClientError`]; a redirect is one.
pub async fn send(http: &Http, request: AlertRequest) -> Result<AlertResponse, ClientError> {
    let AlertRequest { address, headers, body } = request;
    let fill = |mut filled: reqwest::RequestBuilder| {
        for (name, value) in &headers {
            filled = filled.header(*name, value);
        }
        match &body {
            Some((kind, body)) => filled.header("Content-Type", *kind).body(body.clone()),
            None => filled,
        }
    };
    let exchange = async {
        match &body {
            Some(_) => http.post(address, Connection::Fresh, fill).await,
            None => http.get_along(address, fill, |_, _| false).await,
        }
    };
    let mut response = tokio::time::timeout(LIMIT, exchange)
        .await
        .unwrap_or(Err(ClientError::Stalled { stage: Stage::Wait, after: LIMIT }))?;
    let status = response.status().as_u16();
    let mut read = Vec::new();
    let reading = async {
        // An endless body is not read to its end, and the error of a broken one is of no use.
        while read.len() < READ
            && let Ok(Some(piece)) = response.chunk().await
        {
            read.extend_from_slice(&piece[..piece.len().min(READ - read.len())]);
        }
    };
    // The status is known: the alert must not be sent again because its receiver does not end its response.
    let _ = tokio::time::timeout(BODY, reading).await;
    Ok(AlertResponse { status, beginning: String::from_utf8_lossy(&read).into_owned() })
}

/// Returns the HMAC-SHA-256 of a time and a body, joined by a dot, in lower-case hexadecimal. With the time in it, a
/// message that was recorded cannot be sent again later.
#[must_use]
pub fn signature(key: &str, timestamp: &str, body: &[u8]) -> String {
    // A key can have any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key.as_bytes()) else { return String::new() };
    mac.update(timestamp.as_bytes());
    mac.update(b".");
    mac.update(body);
    mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `printf '1795741200.{"a":1}' | openssl dgst -sha256 -hmac key` returns it.
    #[test]
    fn a_signature_is_what_every_other_program_computes() {
        assert_eq!(
            signature("key", "1795741200", br#"{"a":1}"#),
            "55d6390830a21518f1e9a912c9cd5fcd0751a4db0af36ef045525e74bc08292f"
        );
    }
}
