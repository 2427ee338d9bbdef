//! Streaming download of a stored file, with resume.
//!
//! [`Endpoint::download_stored`] opens a file, [`Endpoint::resume_stored`] its rest. A download is resumed only if
//! entity tag and length are unchanged ([`Same`]).

use std::time::Duration;

use bytes::Bytes;
use reqwest::StatusCode;
use reqwest::header::{self, HeaderName};
use url::Url;

use crate::decode::{self, Limits};
use crate::endpoint::Endpoint;
use crate::error::{ClientError, Stage};
use crate::token_retry::TokenRetry;

/// Time without any transferred byte after which a transfer counts as broken. There is no limit on the total duration.
pub const STALLED: Duration = Duration::from_secs(60);

/// Identity of a file's content. A rest is usable only if both fields match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Same {
    /// Strong entity tag, including the quotes (RFC 9110, 8.8.3).
    pub etag: String,
    /// Length of the complete file, in bytes.
    pub length: u64,
}

/// Open download of a file.
#[derive(Debug)]
pub struct Download {
    response: reqwest::Response,
    length: Option<u64>,
    etag: Option<String>,
    /// Offset of the next byte in the file.
    at: u64,
    timeout: Duration,
}

/// Result of resuming a download.
#[derive(Debug)]
pub enum Resumed {
    /// The site sends the rest of the same content.
    Continues(Download),
    /// The content changed or the site does not support ranges: the complete file follows, from the first byte.
    Anew(Download),
}

impl Endpoint {
    /// Opens the stored file at `location`, which a portal export without a folder returned.
    ///
    /// The host in `location` might be reachable only from the server, so the file is requested from this endpoint. The
    /// download fails if no byte arrives within `timeout`.
    ///
    /// # Errors
    /// - [`ClientError::Rejected`] if the site rejects the request.
    /// - [`ClientError::Unreadable`] if `location` contains no upload ID or the response is a page instead of a file.
    /// - [`ClientError::Stalled`] if nothing is received within `timeout`.
    /// - A connection or session error of [`ClientError`].
    pub async fn download_stored(&self, location: &str, timeout: Duration) -> Result<Download, ClientError> {
        let mut attempt = TokenRetry::repeatable(self).await;
        loop {
            let result = attempt.endpoint().open_stored(location, timeout).await;
            if let Some(result) = attempt.settled(result).await {
                return result;
            }
        }
    }

    /// Opens the rest of a stored file from byte `from`, if its content is still `same`.
    ///
    /// # Errors
    /// As [`Endpoint::download_stored`].
    pub async fn resume_stored(
        &self,
        location: &str,
        from: u64,
        same: &Same,
        timeout: Duration,
    ) -> Result<Resumed, ClientError> {
        let mut attempt = TokenRetry::repeatable(self).await;
        loop {
            let result = attempt.endpoint().open_rest(location, from, same, timeout).await;
            if let Some(result) = attempt.settled(result).await {
                return result;
            }
        }
    }

    async fn open_stored(&self, location: &str, timeout: Duration) -> Result<Download, ClientError> {
        let response = self.ask_for(location, &[], timeout).await?;
        self.file(response, timeout).await
    }

    async fn open_rest(
        &self,
        location: &str,
        from: u64,
        same: &Same,
        timeout: Duration,
    ) -> Result<Resumed, ClientError> {
        let rest = [(header::RANGE, format!("bytes={from}-")), (header::IF_RANGE, same.etag.clone())];
        let response = self.ask_for(location, &rest, timeout).await?;
        match response.status() {
            StatusCode::PARTIAL_CONTENT if is_the_rest(&response, from, same) => {
                let (length, etag) = (Some(same.length), Some(same.etag.clone()));
                Ok(Resumed::Continues(Download { response, length, etag, at: from, timeout }))
            }
            // A range other than the requested one, or none.
            StatusCode::PARTIAL_CONTENT | StatusCode::RANGE_NOT_SATISFIABLE => {
                self.open_stored(location, timeout).await.map(Resumed::Anew)
            }
            _ => self.file(response, timeout).await.map(Resumed::Anew),
        }
    }

    async fn ask_for(
        &self,
        location: &str,
        headers: &[(HeaderName, String)],
        timeout: Duration,
    ) -> Result<reqwest::Response, ClientError> {
        let id = stored_id(location).ok_or_else(|| {
            let words: String = self.sent(None).clean(location).chars().take(200).collect();
            ClientError::unreadable("the address of a stored file", words)
        })?;
        let opened = self.open(self.address(&["admin", "uploads", &id, "download"]), headers);
        tokio::time::timeout(timeout, opened)
            .await
            .map_err(|_| ClientError::Stalled { stage: Stage::Wait, after: timeout })?
    }

    async fn file(&self, response: reqwest::Response, timeout: Duration) -> Result<Download, ClientError> {
        let response = self.file_of(response, &[StatusCode::OK], timeout).await?;
        Ok(Download::whole(response, timeout))
    }

    /// Returns the response if it is a file with one of `statuses`.
    pub(crate) async fn file_of(
        &self,
        response: reqwest::Response,
        statuses: &[StatusCode],
        timeout: Duration,
    ) -> Result<reqwest::Response, ClientError> {
        let is_text = |kind: &str| kind.contains("json") || kind.contains("html");
        // A stored file is never JSON or HTML. Sites return error objects and maintenance pages with status 200.
        let is_no_file =
            text_of(&response, &header::CONTENT_TYPE).is_some_and(|kind| is_text(&kind.to_ascii_lowercase()));
        if is_no_file || !statuses.contains(&response.status()) {
            let status = response.status().as_u16();
            let (sent, expected) = (self.sent(None), "a stored file");
            // Limit the time for the error body: a body that never ends must not block the caller.
            let body =
                tokio::time::timeout(timeout, decode::bytes(response, &sent, expected, Limits::small(None)))
                    .await;
            let body = body.map_err(|_| ClientError::Stalled { stage: Stage::Read, after: timeout })??;
            let rejection = decode::rejection(&decode::text(&body), status, &sent);
            return Err(rejection
                .unwrap_or_else(|| ClientError::unreadable_answer(expected, sent.raw(status, &body))));
        }
        Ok(response)
    }
}

impl Download {
    /// Creates a download of a body that starts at the first byte of the file.
    pub(crate) fn whole(response: reqwest::Response, timeout: Duration) -> Self {
        let (length, etag) = (response.content_length(), strong_tag(&response));
        Self { response, length, etag, at: 0, timeout }
    }

    /// Returns the length of the complete file in bytes. `None` if the site did not send `Content-Length`.
    #[must_use]
    pub const fn length(&self) -> Option<u64> {
        self.length
    }

    /// Returns the identity for a later resume. `None` if the site sent no strong entity tag or no length.
    #[must_use]
    pub fn same(&self) -> Option<Same> {
        Some(Same { etag: self.etag.clone()?, length: self.length? })
    }

    /// Returns whether the end of the body can be distinguished from a broken connection: by a length, by chunked
    /// encoding, or by HTTP/2.
    #[must_use]
    pub fn has_an_end(&self) -> bool {
        self.length.is_some()
            || self.response.version() >= reqwest::Version::HTTP_2
            || text_of(&self.response, &header::TRANSFER_ENCODING)
                .is_some_and(|coding| coding.to_ascii_lowercase().contains("chunked"))
    }

    /// Returns the next piece of the file, or `None` at the end.
    ///
    /// # Errors
    /// - [`ClientError::Unreachable`] if the connection breaks.
    /// - [`ClientError::Stalled`] if nothing is received within the timeout.
    /// - [`ClientError::WrongLength`] if the body is longer or shorter than announced.
    pub async fn next(&mut self) -> Result<Option<Bytes>, ClientError> {
        let piece = tokio::time::timeout(self.timeout, self.response.chunk())
            .await
            .map_err(|_| ClientError::Stalled { stage: Stage::Read, after: self.timeout })?
            .map_err(ClientError::while_reading)?;
        self.at += piece.as_ref().map_or(0, |piece| piece.len() as u64);
        match self.length {
            Some(announced) if self.at > announced || (piece.is_none() && self.at < announced) => {
                Err(ClientError::WrongLength { announced, came: self.at })
            }
            _ => Ok(piece),
        }
    }
}

/// Returns whether `Content-Range: bytes FROM-LAST/TOTAL` covers the rest of the same content from `from`.
fn is_the_rest(response: &reqwest::Response, from: u64, same: &Same) -> bool {
    let asked_for = format!("bytes {from}-{}/{}", same.length.saturating_sub(1), same.length);
    let is_range = text_of(response, &header::CONTENT_RANGE)
        .is_some_and(|range| range.trim().eq_ignore_ascii_case(&asked_for));
    is_range && strong_tag(response).as_ref() == Some(&same.etag)
}

/// Returns the strong entity tag. A weak tag is ignored: it identifies equivalent content, not equal bytes.
fn strong_tag(response: &reqwest::Response) -> Option<String> {
    let tag = text_of(response, &header::ETAG)?.trim();
    (tag.len() > 2 && tag.starts_with('"') && tag.ends_with('"')).then(|| tag.to_owned())
}

fn text_of<'a>(response: &'a reqwest::Response, name: &HeaderName) -> Option<&'a str> {
    response.headers().get(name)?.to_str().ok()
}

/// Returns the upload ID in a URL such as `https://host:6443/context/admin/uploads/<id>`. `None` if there is none.
#[must_use]
pub fn stored_id(location: &str) -> Option<String> {
    // The parser removes these characters, after which the URL could name another upload.
    if location.contains(['\t', '\n', '\r']) {
        return None;
    }
    let url = Url::parse(location).ok()?;
    let mut segments = url.path_segments()?;
    segments.by_ref().find(|segment| *segment == "uploads")?;
    segments.next().filter(|id| !id.is_empty()).map(ToOwned::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upload_id_is_read_from_location() {
        let id = |location| stored_id(location);
        assert_eq!(id("https://srv1:6443/arcgis/admin/uploads/i7c1f0a52"), Some("i7c1f0a52".to_owned()));
        assert_eq!(id("https://srv1/server/admin/uploads/i7c1/"), Some("i7c1".to_owned()));
        assert_eq!(id("https://srv1/server/admin/uploads"), None);
        assert_eq!(id("/backups/a.agssite"), None);
        assert_eq!(id("https://srv1/server/admin/uploads/i7\tc1"), None);
    }
}
