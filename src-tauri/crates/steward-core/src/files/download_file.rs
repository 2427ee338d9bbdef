//! A stored file of the site, on its way to the disk.

use std::future::Future;
use std::path::Path;

use steward_client::{Area, ClientError, Download, Resumed, Same};

use super::disk::Disk;
use super::temporary::folder_of;
use crate::model::ids::SiteId;
use crate::model::problem::{Problem, StageView};
use crate::model::retry_policy::Persistence;
use crate::model::saved_file::SavedFile;

/// How often a content may turn into another under our hands.
const CHANGES: u32 = 3;

/// Why a download is not on disk.
#[derive(Debug)]
pub enum NotSaved {
    /// This computer refused.
    Here(std::io::Error),
    /// The site or the way to it failed.
    There(ClientError),
    /// All that was announced came, and it is not all.
    Half,
}

impl NotSaved {
    /// What it means for whoever wanted a file of `site` at `path`.
    pub(crate) fn problem(&self, path: &Path, site: &SiteId) -> Problem {
        match self {
            Self::Here(error) => Problem::file(path, error),
            Self::There(error) => Problem::from_client(error, site),
            Self::Half => Problem::Unreachable {
                stage: StageView::Read,
                message: "the file ends before its own end".to_owned(),
            },
        }
    }
}

/// Streams the stored file at `location` to `path`, telling `progress` how many bytes came, of how many.
///
/// A connection that breaks is made again, and the rest is asked for if it still is the same content: reading a
/// file has no effect on the site. `None`: `stopped` came first. Whatever comes of it, `path` is untouched until
/// the new file is whole, and nothing else is left beside it.
pub async fn download(
    server: &Area,
    location: &str,
    path: &Path,
    persistence: &Persistence,
    stopped: impl Future<Output = ()>,
    mut progress: impl FnMut(u64, Option<u64>),
) -> Result<Option<SavedFile>, NotSaved> {
    // Before anything is asked for: a place that cannot be written is said at once.
    let disk = Disk::begin(path).await?;
    let mut came =
        Came { server, location, folder: folder_of(path), persistence, disk: &disk, at: 0, changes: 0 };
    let end = tokio::select! {
        end = came.all(&mut progress) => Some(end),
        () = stopped => None,
    };
    match end {
        Some(Ok(end_is_certain)) => disk.finish(end_is_certain).await.map(Some),
        Some(Err(Broken::OnDisk)) => Err(disk.refusal().await),
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

/// How far a download has come.
struct Came<'a> {
    server: &'a Area,
    location: &'a str,
    folder: &'a Path,
    persistence: &'a Persistence,
    disk: &'a Disk,
    /// Bytes handed to the disk.
    at: u64,
    /// How often the content was another.
    changes: u32,
}

enum Broken {
    /// The disk knows why.
    OnDisk,
    Because(NotSaved),
}

impl From<ClientError> for Broken {
    fn from(error: ClientError) -> Self {
        Self::Because(NotSaved::There(error))
    }
}

impl Came<'_> {
    /// Brings all of it, over as many connections as it takes. Says whether its end is certain.
    async fn all(&mut self, progress: &mut impl FnMut(u64, Option<u64>)) -> Result<bool, Broken> {
        let (mut same, mut in_vain) = (None, 0);
        loop {
            let before = self.at;
            let broken = match self.one_connection(&mut same, progress).await {
                Err(Broken::Because(NotSaved::There(error))) if error.is_of_the_way() => error,
                end => return end,
            };
            in_vain = if self.at > before { 0 } else { in_vain + 1 };
            if in_vain > self.persistence.tries || self.persistence.tries == 0 {
                return Err(broken.into());
            }
            tracing::info!(error = %broken, at = self.at, "a download broke off and goes on");
            self.persistence.pause(in_vain).await;
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
        self.is_there_room(length)?;
        progress(self.at, length);
        while let Some(piece) = download.next().await? {
            let bytes = piece.len() as u64;
            if !self.disk.write(piece).await {
                return Err(Broken::OnDisk);
            }
            self.at += bytes;
            progress(self.at, length);
        }
        Ok(download.has_an_end())
    }

    /// The rest of the same content, or all of it.
    async fn open(&mut self, same: Option<&Same>) -> Result<Download, Broken> {
        let patience = self.persistence.stalled;
        let download = match same.filter(|_| self.at > 0) {
            Some(same) => match self.server.resume_stored(self.location, self.at, same, patience).await? {
                Resumed::Continues(rest) => return Ok(rest),
                Resumed::Anew(download) => download,
            },
            None => self.server.download_stored(self.location, patience).await?,
        };
        if self.at > 0 {
            self.changes += 1;
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

    /// A disk that will be full in an hour is better said now.
    fn is_there_room(&self, length: Option<u64>) -> Result<(), Broken> {
        let Some(missing) = length.map(|length| length.saturating_sub(self.at)) else { return Ok(()) };
        // A file system that does not say how much is free says so when it is full.
        let Ok(free) = fs4::available_space(self.folder) else { return Ok(()) };
        if missing <= free {
            return Ok(());
        }
        let words = format!("no room on the disk: {missing} bytes are to come and {free} are free");
        let full = std::io::Error::new(std::io::ErrorKind::StorageFull, words);
        Err(Broken::Because(NotSaved::Here(full)))
    }
}
