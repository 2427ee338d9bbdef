//! A file of the site, streamed, and continued where it broke off while it is still the same.

use std::time::Duration;

use bytes::Bytes;
use reqwest::StatusCode;
use reqwest::header::{self, HeaderName};
use url::Url;

use crate::area::Area;
use crate::decode;
use crate::error::{ClientError, Stage};
use crate::turn::Turn;

/// How long nothing may move on a transfer before it counts as broken. However slow it is, it may take for ever.
pub const STALLED: Duration = Duration::from_secs(60);

/// What tells one content from another: only of the same content is a rest of any use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Same {
    /// The strong entity tag, quotes included.
    pub etag: String,
    /// The length of the whole, in bytes.
    pub length: u64,
}

/// An opened download.
#[derive(Debug)]
pub struct Download {
    response: reqwest::Response,
    length: Option<u64>,
    etag: Option<String>,
    /// Where in the file the next byte belongs.
    at: u64,
    patience: Duration,
}

/// What became of the wish to go on.
#[derive(Debug)]
pub enum Resumed {
    /// The rest of the same content comes.
    Continues(Download),
    /// The content is another, or the site knows no rests: all of it comes, from the first byte.
    Anew(Download),
}

impl Area {
    /// Opens the stored file that an export without a folder left at `location`.
    ///
    /// The address in the answer may name a host that only the server knows; the file is asked for at the
    /// host in use. When nothing moves for as long as `patience`, the download is broken.
    ///
    /// # Errors
    /// When the site refuses, cannot be reached, or answers with something that is no file.
    pub async fn download_stored(&self, location: &str, patience: Duration) -> Result<Download, ClientError> {
        let mut turn = Turn::first(self).await;
        loop {
            let answer = turn.area().open_stored(location, patience).await;
            if let Some(answer) = turn.settled(answer).await {
                return answer;
            }
        }
    }

    /// Opens the rest of a stored file from the byte `from` on, if it is still the `same`.
    ///
    /// # Errors
    /// As [`Area::download_stored`].
    pub async fn resume_stored(
        &self,
        location: &str,
        from: u64,
        same: &Same,
        patience: Duration,
    ) -> Result<Resumed, ClientError> {
        let mut turn = Turn::first(self).await;
        loop {
            let answer = turn.area().open_rest(location, from, same, patience).await;
            if let Some(answer) = turn.settled(answer).await {
                return answer;
            }
        }
    }

    async fn open_stored(&self, location: &str, patience: Duration) -> Result<Download, ClientError> {
        let response = self.ask_for(location, &[], patience).await?;
        self.file(response, patience).await
    }

    async fn open_rest(
        &self,
        location: &str,
        from: u64,
        same: &Same,
        patience: Duration,
    ) -> Result<Resumed, ClientError> {
        let rest = [(header::RANGE, format!("bytes={from}-")), (header::IF_RANGE, same.etag.clone())];
        let response = self.ask_for(location, &rest, patience).await?;
        match response.status() {
            StatusCode::PARTIAL_CONTENT if is_the_rest(&response, from, same) => {
                let (length, etag) = (Some(same.length), Some(same.etag.clone()));
                Ok(Resumed::Continues(Download { response, length, etag, at: from, patience }))
            }
            // A part that nobody asked for, or none at all.
            StatusCode::PARTIAL_CONTENT | StatusCode::RANGE_NOT_SATISFIABLE => {
                self.open_stored(location, patience).await.map(Resumed::Anew)
            }
            _ => self.file(response, patience).await.map(Resumed::Anew),
        }
    }

    async fn ask_for(
        &self,
        location: &str,
        headers: &[(HeaderName, String)],
        patience: Duration,
    ) -> Result<reqwest::Response, ClientError> {
        let id = stored_id(location).ok_or_else(|| {
            let words: String = self.sent(&[]).clean(location).chars().take(200).collect();
            ClientError::unreadable("the address of a stored file", words)
        })?;
        let asked = self.open(self.address(&["admin", "uploads", &id, "download"]), headers);
        tokio::time::timeout(patience, asked)
            .await
            .map_err(|_| ClientError::Stalled { stage: Stage::Wait, after: patience })?
    }

    async fn file(&self, response: reqwest::Response, patience: Duration) -> Result<Download, ClientError> {
        let response = self.file_of(response, &[StatusCode::OK], patience).await?;
        Ok(Download::whole(response, patience))
    }

    /// The response, unless it is an error or something else that is no file, or has none of these statuses.
    pub(crate) async fn file_of(
        &self,
        response: reqwest::Response,
        statuses: &[StatusCode],
        patience: Duration,
    ) -> Result<reqwest::Response, ClientError> {
        let is_said = |kind: &str| kind.contains("json") || kind.contains("html");
        // A stored file is neither; an error object with status 200 is, and a page that says to come back later.
        let is_no_file =
            text_of(&response, &header::CONTENT_TYPE).is_some_and(|kind| is_said(&kind.to_ascii_lowercase()));
        if is_no_file || !statuses.contains(&response.status()) {
            let status = response.status().as_u16();
            let (sent, expected) = (self.sent(&[]), "a stored file");
            // A refusal that never ends is none.
            let body = tokio::time::timeout(patience, decode::bytes(response, &sent, expected)).await;
            let body = body.map_err(|_| ClientError::Stalled { stage: Stage::Read, after: patience })??;
            let refusal = decode::value(&body).and_then(|value| decode::refusal(&value, status, &sent));
            return Err(
                refusal.unwrap_or_else(|| ClientError::unreadable_answer(expected, sent.raw(status, &body)))
            );
        }
        Ok(response)
    }
}

impl Download {
    /// A body from its first byte on.
    pub(crate) fn whole(response: reqwest::Response, patience: Duration) -> Self {
        let (length, etag) = (response.content_length(), strong_tag(&response));
        Self { response, length, etag, at: 0, patience }
    }

    /// The length of the whole file, as the site announced it.
    #[must_use]
    pub const fn length(&self) -> Option<u64> {
        self.length
    }

    /// What a rest must be the same as; `None` where the site does not say enough to know.
    #[must_use]
    pub fn same(&self) -> Option<Same> {
        Some(Same { etag: self.etag.clone()?, length: self.length? })
    }

    /// Whether the end of the body can be told from the end of the connection.
    #[must_use]
    pub fn has_an_end(&self) -> bool {
        self.length.is_some()
            || self.response.version() >= reqwest::Version::HTTP_2
            || text_of(&self.response, &header::TRANSFER_ENCODING)
                .is_some_and(|coding| coding.to_ascii_lowercase().contains("chunked"))
    }

    /// The next piece; `None` at the end. A body that is not as long as announced has no end but an error.
    ///
    /// # Errors
    /// When the connection breaks, when nothing moves on it, and when the body has another length.
    pub async fn next(&mut self) -> Result<Option<Bytes>, ClientError> {
        let piece = tokio::time::timeout(self.patience, self.response.chunk())
            .await
            .map_err(|_| ClientError::Stalled { stage: Stage::Read, after: self.patience })?
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

/// `Content-Range: bytes FROM-LAST/TOTAL`, up to the end of the same content.
fn is_the_rest(response: &reqwest::Response, from: u64, same: &Same) -> bool {
    let asked_for = format!("bytes {from}-{}/{}", same.length.saturating_sub(1), same.length);
    let is_range = text_of(response, &header::CONTENT_RANGE)
        .is_some_and(|range| range.trim().eq_ignore_ascii_case(&asked_for));
    is_range && strong_tag(response).as_ref() == Some(&same.etag)
}

/// A weak tag is of contents that mean the same, which is not the same bytes.
fn strong_tag(response: &reqwest::Response) -> Option<String> {
    let tag = text_of(response, &header::ETAG)?.trim();
    (tag.len() > 2 && tag.starts_with('"') && tag.ends_with('"')).then(|| tag.to_owned())
}

fn text_of<'a>(response: &'a reqwest::Response, name: &HeaderName) -> Option<&'a str> {
    response.headers().get(name)?.to_str().ok()
}

/// The identifier in an address such as `https://host:6443/context/admin/uploads/<id>`; `None` when it is none.
#[must_use]
pub fn stored_id(location: &str) -> Option<String> {
    let url = Url::parse(location).ok()?;
    let mut segments = url.path_segments()?;
    segments.by_ref().find(|segment| *segment == "uploads")?;
    segments.next().filter(|id| !id.is_empty()).map(ToOwned::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_identifier_of_a_stored_file_is_found_in_its_address() {
        let id = |location| stored_id(location);
        assert_eq!(id("https://srv1:6443/arcgis/admin/uploads/i7c1f0a52"), Some("i7c1f0a52".to_owned()));
        assert_eq!(id("https://srv1/server/admin/uploads/i7c1/"), Some("i7c1".to_owned()));
        assert_eq!(id("https://srv1/server/admin/uploads"), None);
        assert_eq!(id("/backups/a.agssite"), None);
    }
}
