//! The file to upload, read on a blocking thread.
//!
//! [`LocalFile::look`] stores its length and time, and [`LocalFile::piece`] streams a range of it.

use std::fs::Metadata;
use std::io::{Error, Read, Result, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use sha2::{Digest, Sha256};
use steward_client::uploads::Outgoing;
use tokio::sync::{mpsc, watch};

use crate::files::{self, IsAbandoned, on_own_thread, open_regular};

/// Bytes that are read from the disk at a time.
const PIECE: u64 = 256 * 1024;
/// Pieces in the queue to the network.
const WAITING: usize = 8;

/// A file as it was when its upload began. A file that changes meanwhile is rejected: the result would mix two
/// versions.
#[derive(Debug, Clone)]
pub(super) struct LocalFile {
    pub(super) path: PathBuf,
    /// Length, in bytes.
    pub(super) length: u64,
    /// Time of the last change, in nanoseconds since 1970.
    pub(super) modified: i128,
    hashed: Arc<Mutex<Hashed>>,
}

/// Hash of the beginning of the file, so that no part of it is read twice.
#[derive(Debug, Default, Clone)]
struct Hashed {
    hash: Sha256,
    /// Bytes that are in it.
    length: u64,
}

impl Hashed {
    /// Adds a piece of the file. What was added before, or does not follow it, is left out: a part can be sent again.
    fn add(&mut self, at: u64, piece: &[u8]) {
        let new = self.length.checked_sub(at).and_then(|known| usize::try_from(known).ok());
        if let Some(new) = new.and_then(|known| piece.get(known..)) {
            self.hash.update(new);
            self.length += new.len() as u64;
        }
    }
}

/// Read error of the file. It is kept apart from the stream, where it would look like a broken connection.
#[derive(Clone, Default)]
pub(super) struct Fault(Arc<OnceLock<Error>>);

impl Fault {
    /// Returns a copy of the error, if there is one.
    pub(super) fn take(&self) -> Option<Error> {
        self.0.get().map(|error| Error::new(error.kind(), error.to_string()))
    }
}

impl LocalFile {
    /// Reads the length and time of a file.
    pub(super) async fn look(path: PathBuf) -> Result<Self> {
        let look = move || {
            let about = open_regular(&path)?.metadata()?;
            if about.len() == 0 {
                return Err(Error::other("the file is empty"));
            }
            Ok(Self { path, length: about.len(), modified: modified(&about), hashed: Arc::default() })
        };
        tokio::task::spawn_blocking(look).await.map_err(Error::other)?
    }

    /// Returns the name that the server stores it under.
    pub(super) fn name(&self) -> String {
        upload_name(&self.path)
    }

    /// Hashes the beginning of the file, which an earlier run of the app sent.
    pub(super) async fn hash_up_to(&self, end: u64) -> Result<()> {
        let file = self.clone();
        let hash = move |is_abandoned: IsAbandoned<'_>| {
            let from = file.hashed().length;
            let mut at = from;
            let mut open = open_regular(&file.path)?;
            open.seek(SeekFrom::Start(from))?;
            files::read_to_end(&mut open.take(end.saturating_sub(from)), is_abandoned, |piece| {
                file.hashed().add(at, piece);
                at += piece.len() as u64;
                Ok(())
            })
        };
        on_own_thread("upload hash", hash).await?.map(|_| ())
    }

    /// Returns the SHA-256 of the file; `None` if not all of it was read.
    pub(super) fn sha256(&self) -> Option<String> {
        self.sha256_up_to(self.length)
    }

    /// Returns the SHA-256 of the beginning of the file; `None` if another length of it was read.
    pub(super) fn sha256_up_to(&self, end: u64) -> Option<String> {
        let Hashed { hash, length } = self.hashed().clone();
        (length == end).then(|| files::shown(hash))
    }

    fn hashed(&self) -> MutexGuard<'_, Hashed> {
        // Changed by `Hashed::add` only, which does not panic.
        self.hashed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a stream of `length` bytes from `from` on. `sent` receives the position in the file.
    pub(super) fn piece(&self, from: u64, length: u64, sent: watch::Sender<u64>) -> (Outgoing, Fault) {
        let fault = Fault::default();
        let (pieces, to_send) = mpsc::channel(WAITING);
        let (file, told) = (self.clone(), fault.clone());
        tokio::task::spawn_blocking(move || {
            if let Err(error) = file.read(from, length, &pieces) {
                let words = error.to_string();
                // Set once: this thread is the only one that sets it.
                let _ = told.0.set(error);
                let _ = pieces.blocking_send(Err(Error::other(words)));
            }
        });
        let pieces = futures_util::stream::unfold((to_send, from), move |(mut to_send, at)| {
            let sent = sent.clone();
            async move {
                let piece: Result<Bytes> = to_send.recv().await?;
                let at = at + piece.as_ref().map_or(0, |piece| piece.len() as u64);
                sent.send_replace(at);
                Some((piece, (to_send, at)))
            }
        });
        (Outgoing { length, pieces: Box::pin(pieces) }, fault)
    }

    fn read(&self, from: u64, length: u64, pieces: &mpsc::Sender<Result<Bytes>>) -> Result<()> {
        let mut file = open_regular(&self.path)?;
        self.is_the_same(&file)?;
        file.seek(SeekFrom::Start(from))?;
        let mut left = length;
        while left > 0 {
            let size = left.min(PIECE);
            let mut piece = Vec::new();
            (&file).take(size).read_to_end(&mut piece)?;
            if piece.len() as u64 != size {
                return Err(changed());
            }
            self.hashed().add(from + length - left, &piece);
            left -= size;
            if left == 0 {
                // Before the last piece is sent, so that a file that changed meanwhile is never complete.
                self.is_the_same(&file)?;
            }
            if pieces.blocking_send(Ok(piece.into())).is_err() {
                // The receiver was dropped: the upload was stopped.
                return Ok(());
            }
        }
        Ok(())
    }

    fn is_the_same(&self, file: &std::fs::File) -> Result<()> {
        let about = file.metadata()?;
        let same = about.len() == self.length && modified(&about) == self.modified;
        if same { Ok(()) } else { Err(changed()) }
    }
}

fn changed() -> Error {
    Error::other("the file was changed since its upload began")
}

/// Returns the time of the last change, in nanoseconds since 1970; 0 if the file system does not store it.
fn modified(about: &Metadata) -> i128 {
    let time = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i128::try_from(after.as_nanos()).unwrap_or(i128::MAX),
        Err(before) => -i128::try_from(before.duration().as_nanos()).unwrap_or(i128::MAX),
    }
}

/// Returns the name of an upload: that of the file, without its folder and with `_` in place of what is not Unicode.
pub(crate) fn upload_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().replace(char::REPLACEMENT_CHARACTER, "_")
}
