//! The two ends of a stored file: enough to see whether an archive is whole, without downloading it.

use std::collections::VecDeque;
use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::{CONTENT_RANGE, RANGE};

use crate::area::Area;
use crate::download::stored_id;
use crate::error::{ClientError, Stage};
use crate::turn::Turn;

const EXPECTED: &str = "the ends of a stored file";

/// The last bytes that are read: an archive's directory ends with a record of 22 bytes and a comment of at most
/// 65,535.
const TAIL: usize = 22 + 65_535;

/// A server that knows no ranges sends the whole.
const WHOLE_OR_PART: [StatusCode; 2] = [StatusCode::OK, StatusCode::PARTIAL_CONTENT];

/// The first bytes that are read.
const HEAD: usize = 4;

/// The two ends of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ends {
    /// Its length, in bytes.
    pub length: u64,
    /// Its first bytes; fewer than four when it is shorter.
    pub head: Vec<u8>,
    /// Its last bytes, at most 65,557.
    pub tail: Vec<u8>,
}

impl Area {
    /// Reads the two ends of the stored file that an export without a folder left at `location`. A server that
    /// knows no ranges sends all of it, which is read and thrown away. When nothing moves for as long as `patience`,
    /// the connection counts as broken.
    ///
    /// # Errors
    /// When the site refuses, cannot be reached, or answers with something that is no file.
    pub async fn peek_stored(&self, location: &str, patience: Duration) -> Result<Ends, ClientError> {
        let mut turn = Turn::first(self).await;
        loop {
            let answer = turn.area().peek_once(location, patience).await;
            if let Some(answer) = turn.settled(answer).await {
                return answer;
            }
        }
    }

    async fn peek_once(&self, location: &str, patience: Duration) -> Result<Ends, ClientError> {
        let id = stored_id(location)
            .ok_or_else(|| ClientError::unreadable("the address of a stored file", "no identifier"))?;
        let last = self.part(&id, Some(format!("bytes=-{TAIL}")), patience).await?;
        // Some servers have no last part of a file that is shorter than it.
        let last = match last.status() {
            StatusCode::RANGE_NOT_SATISFIABLE => self.part(&id, None, patience).await?,
            _ => last,
        };
        let last = self.file_of(last, &WHOLE_OR_PART, patience).await?;
        if last.status() != StatusCode::PARTIAL_CONTENT {
            return whole(last, patience).await;
        }
        let length = total(&last)
            .ok_or_else(|| ClientError::unreadable(EXPECTED, "a part that does not say of how much"))?;
        let tail = whole(last, patience).await?.tail;
        let first = self.part(&id, Some(format!("bytes=0-{}", HEAD - 1)), patience).await?;
        let first = self.file_of(first, &WHOLE_OR_PART, patience).await?;
        Ok(Ends { length, head: whole(first, patience).await?.head, tail })
    }

    async fn part(
        &self,
        id: &str,
        range: Option<String>,
        patience: Duration,
    ) -> Result<reqwest::Response, ClientError> {
        let url = self.address(&["admin", "uploads", id, "download"]);
        let headers: Vec<_> = range.map(|range| (RANGE, range)).into_iter().collect();
        let opened = tokio::time::timeout(patience, self.open(url, &headers)).await;
        opened.map_err(|_| ClientError::Stalled { stage: Stage::Wait, after: patience })?
    }
}

async fn whole(mut response: reqwest::Response, patience: Duration) -> Result<Ends, ClientError> {
    let silent = |_| ClientError::Stalled { stage: Stage::Read, after: patience };
    let (mut length, mut head, mut tail) = (0, Vec::new(), VecDeque::new());
    loop {
        let chunk = tokio::time::timeout(patience, response.chunk()).await.map_err(silent)?;
        let Some(chunk) = chunk.map_err(ClientError::while_reading)? else { break };
        length += chunk.len() as u64;
        head.extend(chunk.iter().take(HEAD - head.len()));
        tail.extend(chunk.iter());
        tail.drain(..tail.len().saturating_sub(TAIL));
    }
    Ok(Ends { length, head, tail: tail.into() })
}

/// The length in `Content-Range: bytes 0-3/4711`.
fn total(response: &reqwest::Response) -> Option<u64> {
    let range = response.headers().get(CONTENT_RANGE)?.to_str().ok()?;
    range.rsplit_once('/')?.1.trim().parse().ok()
}
