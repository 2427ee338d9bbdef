//! Downloads a server upload to disk, and resumes it after an interruption.
//!
//! [`download`] is the entry point.

use std::future::Future;
use std::path::Path;

use steward_client::{ClientError, Download, Endpoint, Resumed, Same};

use super::disk::Disk;
use super::not_saved::NotSaved;
use crate::model::retry_policy::RetryPolicy;
use crate::model::saved_file::SavedFile;

/// Limit of restarts because the content on the server changed. Restarts because a server only sends whole files do not
/// count.
const CHANGES: u32 = 3;

/// Downloads the server upload at `location` to `path`, and passes the bytes received and the total to `progress`.
///
/// An interrupted connection is opened again, and the download resumes if the content is unchanged: reading a file has
/// no effect on the site. Returns `None` if `stopped` completes first. `path` is not changed until the new file is
/// complete, and no temporary file remains, except a complete one that cannot be renamed.
///
/// # Errors
/// - [`NotSaved::Here`] if the file cannot be written, or the disk is too small.
/// - [`NotSaved::Unnamed`] if it is complete, and cannot be renamed.
/// - [`NotSaved::There`] if the site rejects the request, or the connection fails after all retries.
/// - [`NotSaved::Short`] if the file ends before its announced length, at the same byte at the last two attempts.
/// - [`NotSaved::Half`] if the file is incomplete, or its content kept changing.
pub async fn download(
    server: &Endpoint,
    location: &str,
    path: &Path,
    retry_policy: &RetryPolicy,
    stopped: impl Future<Output = ()>,
    mut progress: impl FnMut(u64, Option<u64>),
) -> Result<Option<SavedFile>, NotSaved> {
    // Create the file before the first request, so that an unwritable destination fails at once.
    let disk = Disk::begin(path).await?;
    let mut attempts = DownloadAttempts {
        server,
        location,
        retry_policy,
        disk: &disk,
        at: 0,
        furthest: 0,
        announced: None,
        changes: 0,
    };
    let end = tokio::select! {
        // A file that is complete when the user presses Stop is saved.
        biased;
        end = attempts.all(&mut progress) => Some(end),
        () = stopped => None,
    };
    match end {
        Some(Ok(end_is_certain)) => disk.finish(end_is_certain).await.map(Some),
        Some(Err(Broken::OnDisk)) => Err(disk.rejection().await),
        Some(Err(Broken::Because(why))) => {
            disk.end().await?;
            Err(why)
        }
        None => {
            disk.end().await?;
            Ok(None)
        }
    }
}

/// The attempts of a download, and how many bytes they passed on.
struct DownloadAttempts<'a> {
    server: &'a Endpoint,
    location: &'a str,
    retry_policy: &'a RetryPolicy,
    disk: &'a Disk,
    /// Bytes passed to the disk.
    at: u64,
    /// Largest number of bytes of this content that one attempt passed to the disk.
    furthest: u64,
    /// Length of the complete file as the server announced it last.
    announced: Option<u64>,
    /// Number of restarts because the content changed.
    changes: u32,
}

enum Broken {
    /// Writing failed; the disk has the error.
    OnDisk,
    Because(NotSaved),
}

impl From<ClientError> for Broken {
    fn from(error: ClientError) -> Self {
        Self::Because(NotSaved::There(error))
    }
}

impl DownloadAttempts<'_> {
    /// Downloads everything, over several connections if necessary. Returns whether its end is certain.
    async fn all(&mut self, progress: &mut impl FnMut(u64, Option<u64>)) -> Result<bool, Broken> {
        let (mut same, mut in_vain, mut ended_at) = (None, 0, None);
        loop {
            let before = self.furthest;
            let broken = match self.one_connection(&mut same, progress).await {
                Err(Broken::Because(NotSaved::There(error))) if error.is_network_failure() => error,
                end => return end,
            };
            in_vain = if self.furthest > before { 0 } else { in_vain + 1 };
            let end = broken.is_early_end().then_some(self.at);
            let is_as_before = end.is_some() && end == std::mem::replace(&mut ended_at, end);
            if in_vain > self.retry_policy.tries || self.retry_policy.tries == 0 {
                return Err(match self.announced.filter(|_| is_as_before) {
                    Some(announced) => Broken::Because(NotSaved::Short { announced, received: self.at }),
                    None => broken.into(),
                });
            }
            tracing::info!(error = %broken, at = self.at, "a download broke off and goes on");
            self.retry_policy.pause(in_vain).await;
        }
    }

    async fn one_connection(
        &mut self,
        same: &mut Option<Same>,
        progress: &mut impl FnMut(u64, Option<u64>),
    ) -> Result<bool, Broken> {
        let mut download = self.open(same.as_ref()).await?;
        *same = download.same();
        let length = download.length();
        self.announced = length;
        self.is_there_room(length)?;
        progress(self.at, length);
        while let Some(piece) = download.next().await? {
            let bytes = piece.len() as u64;
            if !self.disk.write(piece).await {
                return Err(Broken::OnDisk);
            }
            self.at += bytes;
            self.furthest = self.furthest.max(self.at);
            progress(self.at, length);
        }
        Ok(download.has_an_end())
    }

    /// Opens a download of the rest of the same content, or of all of it.
    async fn open(&mut self, same: Option<&Same>) -> Result<Download, Broken> {
        let timeout = self.retry_policy.stalled;
        let download = match same.filter(|_| self.at > 0) {
            Some(same) => match self.server.resume_stored(self.location, self.at, same, timeout).await? {
                Resumed::Continues(rest) => return Ok(rest),
                Resumed::Anew(download) => download,
            },
            None => self.server.download_stored(self.location, timeout).await?,
        };
        if self.at > 0 {
            if download.same().is_some_and(|now| same.is_some_and(|before| now != *before)) {
                self.changes += 1;
                self.furthest = 0;
            }
            if self.changes > CHANGES {
                return Err(Broken::Because(NotSaved::Half));
            }
            if !self.disk.start_again().await {
                return Err(Broken::OnDisk);
            }
            self.at = 0;
        }
        Ok(download)
    }

    /// Checks the free space, so that a full disk is reported before the download.
    fn is_there_room(&self, length: Option<u64>) -> Result<(), Broken> {
        // If the file system does not report its free space, writing fails once it is full.
        let Some((length, free)) = length.zip(self.disk.free) else { return Ok(()) };
        if length <= free {
            return Ok(());
        }
        let words = format!("no room on the disk: {length} bytes are to come and {free} are free");
        let full = std::io::Error::new(std::io::ErrorKind::StorageFull, words);
        Err(Broken::Because(NotSaved::Here(full)))
    }
}
