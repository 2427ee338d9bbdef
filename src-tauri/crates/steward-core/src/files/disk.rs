//! Writes a download to disk on a blocking thread, and hashes it in the same pass.
//!
//! [`Disk::begin`] creates a temporary file, and [`Disk::finish`] gives it its name. A complete file that cannot get its
//! name is kept; otherwise nothing of it remains.

use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::drive::{STANDSTILL, silent, within};
use super::flush::flush;
use super::hash::saved;
use super::not_saved::NotSaved;
use super::temporary;
use crate::files::archive_check;
use crate::model::export_verification::ArchiveFault;
use crate::model::saved_file::SavedFile;

/// Pieces in the queue to the disk. They keep the connection busy; memory does not grow with the file.
const WAITING: usize = 32;

/// Longest wait until a drive has all bytes of a file: the system might have kept gigabytes of it in memory.
const LONGEST_FLUSH: Duration = Duration::from_hours(1);

enum Order {
    Write(Bytes),
    /// Discards what was written. Confirmed once its disk space is free.
    StartAgain(oneshot::Sender<()>),
    /// Completes the file. `end_is_certain` is false if HTTP does not reveal a truncated response.
    Finish {
        end_is_certain: bool,
    },
}

/// A file that is being written. It is deleted unless it is complete.
pub(super) struct Disk {
    /// Free space before the first byte; `None` if the file system does not report it.
    pub(super) free: Option<u64>,
    orders: mpsc::Sender<Order>,
    work: JoinHandle<Result<Option<SavedFile>, NotSaved>>,
}

impl Disk {
    /// Creates the temporary file in the folder of `path`.
    pub(super) async fn begin(path: &Path) -> Result<Self, NotSaved> {
        let place = path.to_owned();
        let file = within(STANDSTILL, move || {
            // Fail before the download begins, not after it.
            if place.is_dir() {
                return Err(std::io::ErrorKind::IsADirectory.into());
            }
            let free = fs4::available_space(temporary::folder_of(&place)).ok();
            Ok((free, temporary::beside(&place)?))
        });
        let (free, file) = file.await.map_err(NotSaved::Here)?;
        let (orders, to_do) = mpsc::channel(WAITING);
        let place = path.to_owned();
        let work = tokio::task::spawn_blocking(move || carry_out(to_do, file, place));
        Ok(Self { free, orders, work })
    }

    /// Queues a piece. Returns `false` after a write error, which [`Disk::end`] returns, or if the drive does not respond.
    pub(super) async fn write(&self, piece: Bytes) -> bool {
        timeout(STANDSTILL, self.orders.send(Order::Write(piece))).await.is_ok_and(|sent| sent.is_ok())
    }

    /// Discards what was written. Its disk space is free when this returns. Returns `false` after a write error.
    pub(super) async fn start_again(&self) -> bool {
        let (done, is_done) = oneshot::channel();
        let starting =
            async { self.orders.send(Order::StartAgain(done)).await.is_ok() && is_done.await.is_ok() };
        timeout(STANDSTILL, starting).await.unwrap_or_default()
    }

    /// Syncs the file to disk, and renames it to its final name.
    pub(super) async fn finish(self, end_is_certain: bool) -> Result<SavedFile, NotSaved> {
        // After a write error the queue is closed; the end returns that error.
        let _ = timeout(LONGEST_FLUSH, self.orders.send(Order::Finish { end_is_certain })).await;
        self.end_within(LONGEST_FLUSH).await.and_then(|file| file.ok_or_else(|| NotSaved::Here(unsaid())))
    }

    /// Waits until an unfinished file is deleted.
    pub(super) async fn end(self) -> Result<Option<SavedFile>, NotSaved> {
        self.end_within(STANDSTILL).await
    }

    async fn end_within(self, limit: Duration) -> Result<Option<SavedFile>, NotSaved> {
        drop(self.orders);
        let ended = timeout(limit, self.work).await.map_err(|_| NotSaved::Here(silent()))?;
        ended.map_err(|error| NotSaved::Here(std::io::Error::other(error)))?
    }

    /// Returns the error of writing.
    pub(super) async fn rejection(self) -> NotSaved {
        self.end().await.err().unwrap_or_else(|| NotSaved::Here(unsaid()))
    }
}

fn unsaid() -> std::io::Error {
    std::io::Error::other("the file was not finished")
}

fn carry_out(
    mut orders: mpsc::Receiver<Order>,
    mut file: NamedTempFile,
    path: PathBuf,
) -> Result<Option<SavedFile>, NotSaved> {
    let (mut size, mut hash) = (0, Sha256::new());
    while let Some(order) = orders.blocking_recv() {
        match order {
            Order::Write(piece) => {
                file.write_all(&piece).map_err(NotSaved::Here)?;
                hash.update(&piece);
                size += piece.len() as u64;
            }
            Order::StartAgain(done) => {
                file.rewind().and_then(|()| file.as_file().set_len(0)).map_err(NotSaved::Here)?;
                (size, hash) = (0, Sha256::new());
                // The receiver was dropped if the download was stopped.
                let _ = done.send(());
            }
            Order::Finish { end_is_certain } => {
                // HTTP cannot detect a length that a server or proxy announces too short: bytes beyond it are never
                // read. But server uploads are archives, whose directory is at their very end.
                let ends = archive_check::ends_of(file.as_file_mut()).map_err(NotSaved::Here)?;
                match archive_check::entries(&ends) {
                    Ok(_) | Err(ArchiveFault::NoEntries) => {}
                    Err(ArchiveFault::NoArchive) if end_is_certain => {}
                    // An empty or incomplete download must not replace an existing file.
                    Err(_) => return Err(NotSaved::Half),
                }
                flush(file.as_file()).map_err(NotSaved::Here)?;
                if let Err(rejected) = temporary::put_in_place(file, &path) {
                    return Err(NotSaved::Unnamed {
                        error: rejected.error,
                        kept: temporary::keep(rejected.file),
                    });
                }
                return Ok(Some(saved(&path, size, hash)));
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_drive_that_hangs_in_the_middle_of_a_download_ends_it_with_the_reason() {
        let (respond, responds) = std::sync::mpsc::channel::<()>();
        let (orders, to_do) = mpsc::channel(WAITING);
        let work = tokio::task::spawn_blocking(move || {
            assert!(responds.recv().is_err());
            drop(to_do);
            Ok(None)
        });
        let disk = Disk { free: None, orders, work };
        // While a thread waits, a clock that is paused has to be moved.
        let passes = async {
            tokio::task::yield_now().await;
            tokio::time::advance(STANDSTILL + STANDSTILL).await;
            std::future::pending::<()>().await;
        };
        tokio::pin!(passes);
        for _ in 0..WAITING {
            assert!(disk.write(Bytes::from_static(b"piece")).await);
        }

        let is_taken = tokio::select! {
            is_taken = disk.write(Bytes::from_static(b"piece")) => is_taken,
            () = &mut passes => false,
        };
        let passes_again = tokio::time::advance(STANDSTILL + STANDSTILL);
        let (rejection, ()) = tokio::join!(disk.rejection(), passes_again);

        assert!(!is_taken);
        let NotSaved::Here(error) = rejection else { panic!("{rejection:?}") };
        assert_eq!(error.to_string(), silent().to_string());
        drop(respond);
    }
}
