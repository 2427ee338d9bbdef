//! First and last bytes of a stored file: enough to check whether a ZIP archive is complete without downloading it.
//!
//! [`Endpoint::peek_stored`] sends two range requests.

use std::collections::VecDeque;
use std::time::Duration;

use bytes::Bytes;
use reqwest::StatusCode;
use reqwest::header::{CONTENT_RANGE, RANGE};

use crate::download::stored_id;
use crate::endpoint::Endpoint;
use crate::error::{ClientError, Stage};
use crate::token_retry::TokenRetry;

const EXPECTED: &str = "the ends of a stored file";

/// Number of bytes read from the end: the end-of-central-directory record of a ZIP archive has 22 bytes plus a comment
/// of at most 65,535 bytes.
const TAIL: usize = 22 + 65_535;

/// Accepted statuses: a server without range support sends the complete file with status 200.
const WHOLE_OR_PART: [StatusCode; 2] = [StatusCode::OK, StatusCode::PARTIAL_CONTENT];

/// Number of bytes read from the start: the signature of a ZIP archive.
const HEAD: usize = 4;

/// First and last bytes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEnds {
    /// Length of the file, in bytes.
    pub length: u64,
    /// First 4 bytes; fewer if the file is shorter.
    pub head: Vec<u8>,
    /// Last 65,557 bytes; fewer if the file is shorter.
    pub tail: Vec<u8>,
}

/// Handling of a complete file from a server without range support.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WholeFile {
    /// Read it to the end and discard it, which can take as long as a download.
    Read,
    /// Read it only if it is not longer than the last bytes that are wanted.
    Refuse,
}

impl Endpoint {
    /// Reads the first and last bytes of the stored file at `location`, which a server export without a folder
    /// returned.
    ///
    /// The request fails if no byte arrives within `timeout`.
    ///
    /// # Errors
    /// - [`ClientError::Rejected`] if the site rejects the request.
    /// - [`ClientError::Unreadable`] if `location` contains no upload ID, the response is a page instead of a file, a
    ///   partial response does not give the total length, or a complete file is too long for [`WholeFile::Refuse`].
    /// - [`ClientError::Stalled`] if nothing is received within `timeout`.
    /// - A connection or session error of [`ClientError`].
    pub async fn peek_stored(
        &self,
        location: &str,
        timeout: Duration,
        whole_file: WholeFile,
    ) -> Result<FileEnds, ClientError> {
        let mut attempt = TokenRetry::repeatable(self).await;
        loop {
            let result = attempt.endpoint().peek_once(location, timeout, whole_file).await;
            if let Some(result) = attempt.settled(result).await {
                return result;
            }
        }
    }

    async fn peek_once(
        &self,
        location: &str,
        timeout: Duration,
        whole_file: WholeFile,
    ) -> Result<FileEnds, ClientError> {
        let id = stored_id(location)
            .ok_or_else(|| ClientError::unreadable("the address of a stored file", "no identifier"))?;
        let last = self.part(&id, Some(format!("bytes=-{TAIL}")), timeout).await?;
        // Some servers reject a suffix range that is longer than the file.
        let last = match last.status() {
            StatusCode::RANGE_NOT_SATISFIABLE => self.part(&id, None, timeout).await?,
            _ => last,
        };
        let last = self.file_of(last, &WHOLE_OR_PART, timeout).await?;
        // A server can also send a longer part than requested.
        let most = match whole_file {
            WholeFile::Read => u64::MAX,
            WholeFile::Refuse => TAIL as u64,
        };
        if last.status() != StatusCode::PARTIAL_CONTENT {
            return whole(last, most, timeout).await;
        }
        let length = total(&last).ok_or_else(|| {
            ClientError::unreadable(EXPECTED, "a partial response without the total length")
        })?;
        let tail = whole(last, most, timeout).await?.tail;
        let first = self.part(&id, Some(format!("bytes=0-{}", HEAD - 1)), timeout).await?;
        let first = self.file_of(first, &WHOLE_OR_PART, timeout).await?;
        Ok(FileEnds { length, head: beginning(first, timeout).await?, tail })
    }

    /// Reads a part of the stored file at `location`: `length` bytes from `from` on.
    ///
    /// # Errors
    /// Those of [`peek_stored`](Self::peek_stored), and [`ClientError::Unreadable`] if the server sends no part, or
    /// another one.
    pub async fn read_stored(
        &self,
        location: &str,
        from: u64,
        length: usize,
        timeout: Duration,
    ) -> Result<Vec<u8>, ClientError> {
        let mut attempt = TokenRetry::repeatable(self).await;
        loop {
            let result = attempt.endpoint().read_once(location, from, length, timeout).await;
            if let Some(result) = attempt.settled(result).await {
                return result;
            }
        }
    }

    async fn read_once(
        &self,
        location: &str,
        from: u64,
        length: usize,
        timeout: Duration,
    ) -> Result<Vec<u8>, ClientError> {
        let no_part = |found: &str| ClientError::unreadable("a part of a stored file", found);
        let id = stored_id(location).ok_or_else(|| no_part("no identifier"))?;
        let end = from.checked_add(length as u64).ok_or_else(|| no_part("a place beyond every file"))?;
        let last = end.checked_sub(1).ok_or_else(|| no_part("no bytes"))?;
        let response = self.part(&id, Some(format!("bytes={from}-{last}")), timeout).await?;
        let mut response = self.file_of(response, &WHOLE_OR_PART, timeout).await?;
        let range = response.headers().get(CONTENT_RANGE).and_then(|range| range.to_str().ok());
        if !range.is_some_and(|range| range.starts_with(&format!("bytes {from}-{last}/"))) {
            return Err(no_part("the server sends complete files only, or another part"));
        }
        let mut part = Vec::new();
        while part.len() < length
            && let Some(chunk) = next(&mut response, timeout).await?
        {
            part.extend(chunk.iter().take(length - part.len()));
        }
        if part.len() == length { Ok(part) } else { Err(no_part("fewer bytes")) }
    }

    async fn part(
        &self,
        id: &str,
        range: Option<String>,
        timeout: Duration,
    ) -> Result<reqwest::Response, ClientError> {
        let url = self.address(&["admin", "uploads", id, "download"]);
        let headers: Vec<_> = range.map(|range| (RANGE, range)).into_iter().collect();
        let opened = tokio::time::timeout(timeout, self.open(url, &headers)).await;
        opened.map_err(|_| ClientError::Stalled { stage: Stage::Wait, after: timeout })?
    }
}

/// Reads a response of at most `most` bytes to its end.
async fn whole(
    mut response: reqwest::Response,
    most: u64,
    timeout: Duration,
) -> Result<FileEnds, ClientError> {
    let too_long = || ClientError::unreadable(EXPECTED, "the server sends complete files only");
    if response.content_length().is_some_and(|length| length > most) {
        return Err(too_long());
    }
    let (mut length, mut head, mut tail) = (0, Vec::new(), VecDeque::new());
    while let Some(chunk) = next(&mut response, timeout).await? {
        length += chunk.len() as u64;
        if length > most {
            return Err(too_long());
        }
        head.extend(chunk.iter().take(HEAD - head.len()));
        tail.extend(chunk.iter());
        tail.drain(..tail.len().saturating_sub(TAIL));
    }
    Ok(FileEnds { length, head, tail: tail.into() })
}

/// Returns the first bytes of a response, and reads no more of it: it might have no end.
async fn beginning(mut response: reqwest::Response, timeout: Duration) -> Result<Vec<u8>, ClientError> {
    let mut head = Vec::new();
    while head.len() < HEAD
        && let Some(chunk) = next(&mut response, timeout).await?
    {
        head.extend(chunk.iter().take(HEAD - head.len()));
    }
    Ok(head)
}

async fn next(response: &mut reqwest::Response, timeout: Duration) -> Result<Option<Bytes>, ClientError> {
    let chunk = tokio::time::timeout(timeout, response.chunk()).await;
    let chunk = chunk.map_err(|_| ClientError::Stalled { stage: Stage::Read, after: timeout })?;
    chunk.map_err(ClientError::while_reading)
}

/// Returns the total length in `Content-Range: bytes 0-3/4711`.
fn total(response: &reqwest::Response) -> Option<u64> {
    let range = response.headers().get(CONTENT_RANGE)?.to_str().ok()?;
    range.rsplit_once('/')?.1.trim().parse().ok()
}
