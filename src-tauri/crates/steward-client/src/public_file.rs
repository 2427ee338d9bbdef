//! Download of public files, without a token.

use std::time::Duration;

use reqwest::StatusCode;
use url::Url;

use crate::download::Download;
use crate::error::{ClientError, Stage};
use crate::http::Http;

impl Http {
    /// Opens a public file. Follows redirects to other hosts, because no secret is sent, but never from HTTPS to an
    /// unencrypted URL.
    ///
    /// # Errors
    /// - [`ClientError::Stalled`] if no response is received within `timeout`.
    /// - [`ClientError::Unreadable`] if the HTTP status is not 200.
    /// - A connection error of [`ClientError`].
    pub async fn open_public(&self, url: Url, timeout: Duration) -> Result<Download, ClientError> {
        let asked = self.get_along(url, |request| request, is_no_worse);
        let response = tokio::time::timeout(timeout, asked)
            .await
            .map_err(|_| ClientError::Stalled { stage: Stage::Wait, after: timeout })??;
        match response.status() {
            StatusCode::OK => Ok(Download::whole(response, timeout)),
            other => Err(ClientError::unreadable("a file", format!("HTTP status {}", other.as_u16()))),
        }
    }
}

fn is_no_worse(from: &Url, to: &Url) -> bool {
    to.scheme() == "https" || to.origin() == from.origin()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_to_other_hosts_are_followed_but_not_to_http() {
        let may = |from: &str, to: &str| is_no_worse(&Url::parse(from).unwrap(), &Url::parse(to).unwrap());
        assert!(may("https://example.org/latest.json", "https://files.example.net/latest.json"));
        assert!(may("http://127.0.0.1:80/latest.json", "http://127.0.0.1/1/latest.json"));
        assert!(!may("https://example.org/latest.json", "http://example.org/latest.json"));
        assert!(!may("https://example.org/latest.json", "http://127.0.0.1:8080/latest.json"));
        assert!(!may("https://example.org/latest.json", "file:///etc/passwd"));
    }
}
