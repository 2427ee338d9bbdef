//! A file that is there for everybody: no token goes with the question.

use std::time::Duration;

use reqwest::StatusCode;
use url::Url;

use crate::download::Download;
use crate::error::{ClientError, Stage};
use crate::http::Http;

impl Http {
    /// Opens a file that is there for everybody. Nothing that is anybody's secret goes along, so it is followed to where it
    /// is handed out, on another host too, as long as the way stays encrypted.
    ///
    /// # Errors
    /// When it cannot be reached, or the answer is no file.
    pub async fn open_public(&self, url: Url, patience: Duration) -> Result<Download, ClientError> {
        let asked = self.get_along(url, |request| request, is_no_worse);
        let response = tokio::time::timeout(patience, asked)
            .await
            .map_err(|_| ClientError::Stalled { stage: Stage::Wait, after: patience })??;
        match response.status() {
            StatusCode::OK => Ok(Download::whole(response, patience)),
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
    fn a_file_is_followed_to_another_host_and_never_out_of_encryption() {
        let may = |from: &str, to: &str| is_no_worse(&Url::parse(from).unwrap(), &Url::parse(to).unwrap());
        assert!(may("https://example.org/latest.json", "https://files.example.net/latest.json"));
        assert!(may("http://127.0.0.1:80/latest.json", "http://127.0.0.1/1/latest.json"));
        assert!(!may("https://example.org/latest.json", "http://example.org/latest.json"));
        assert!(!may("https://example.org/latest.json", "http://127.0.0.1:8080/latest.json"));
        assert!(!may("https://example.org/latest.json", "file:///etc/passwd"));
    }
}
