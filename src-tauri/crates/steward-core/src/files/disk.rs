//! The disk's side of a transfer, on a thread that may wait: hashed and written in one pass.

use std::io::{Seek, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use super::{NotSaved, saved, temporary};
use crate::files::archive_check::{self, ArchiveFault};
use crate::model::saved_file::SavedFile;

/// Pieces that may wait for the disk. The line is kept busy by them; memory does not grow with the file.
const WAITING: usize = 32;

enum Order {
    Write(Bytes),
    /// What was written does not count. Told once the room it took is free.
    StartAgain(oneshot::Sender<()>),
    /// It is complete. Whether the site could have said so had it been otherwise.
    Finish {
        end_is_certain: bool,
    },
}

/// A file that is being written. Unless it is finished, nothing of it stays.
pub(super) struct Disk {
    orders: mpsc::Sender<Order>,
    work: JoinHandle<Result<Option<SavedFile>, NotSaved>>,
}

impl Disk {
    /// Makes the temporary file.
    pub(super) async fn begin(path: &Path) -> Result<Self, NotSaved> {
        let place = path.to_owned();
        let file = tokio::task::spawn_blocking(move || {
            // Said now, and not when all of it has come.
            if place.is_dir() {
                return Err(std::io::ErrorKind::IsADirectory.into());
            }
            temporary::beside(&place)
        });
        let file = file.await.map_err(std::io::Error::other).and_then(|file| file).map_err(NotSaved::Here)?;
        let (orders, to_do) = mpsc::channel(WAITING);
        let place = path.to_owned();
        let work = tokio::task::spawn_blocking(move || carry_out(to_do, file, place));
        Ok(Self { orders, work })
    }

    /// Hands over a piece. `false`: the disk has refused, and [`Disk::end`] says why.
    pub(super) async fn write(&self, piece: Bytes) -> bool {
        self.orders.send(Order::Write(piece)).await.is_ok()
    }

    /// What was written does not count. The room that it took is free afterwards, and may be asked for.
    pub(super) async fn start_again(&self) -> bool {
        let (done, is_done) = oneshot::channel();
        self.orders.send(Order::StartAgain(done)).await.is_ok() && is_done.await.is_ok()
    }

    /// Gives the file its name, once all of it is on the disk.
    pub(super) async fn finish(self, end_is_certain: bool) -> Result<SavedFile, NotSaved> {
        // One that has refused does not listen any more.
        let _ = self.orders.send(Order::Finish { end_is_certain }).await;
        self.end().await.and_then(|file| file.ok_or_else(|| NotSaved::Here(unsaid())))
    }

    /// Waits until nothing of an unfinished file is left.
    pub(super) async fn end(self) -> Result<Option<SavedFile>, NotSaved> {
        drop(self.orders);
        self.work.await.map_err(|error| NotSaved::Here(std::io::Error::other(error)))?
    }

    /// Why the disk refused.
    pub(super) async fn refusal(self) -> NotSaved {
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
                // Nobody waits any more where the download was stopped.
                let _ = done.send(());
            }
            Order::Finish { end_is_certain } => {
                // A server or a proxy that announces too short a length is believed by HTTP: what goes beyond it is
                // never seen. But what servers store are archives, whose directory stands at their very end.
                let ends = archive_check::ends_of(file.as_file_mut()).map_err(NotSaved::Here)?;
                match archive_check::entries(&ends) {
                    Ok(_) | Err(ArchiveFault::NoEntries) => {}
                    Err(ArchiveFault::Empty | ArchiveFault::NoArchive) if end_is_certain => {}
                    Err(_) => return Err(NotSaved::Half),
                }
                file.as_file().sync_all().map_err(NotSaved::Here)?;
                temporary::put_in_place(file, &path).map_err(NotSaved::Here)?;
                return Ok(Some(saved(&path, size, hash)));
            }
        }
    }
    Ok(None)
}
