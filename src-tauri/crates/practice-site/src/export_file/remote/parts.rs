//! Bridge between a writing thread and an upload in parts.

use crate::export_file::hashing::{Hashing, Sent};
use bytes::Bytes;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt as _, WriteMultipart};
use std::io::{self, Write};
use std::sync::Arc;
use tokio::sync::mpsc;

/// Size of a part, in bytes. With the limit of 10,000 parts, exports of 80 GB are possible.
const PART: usize = 8 << 20;
/// Number of parts uploaded concurrently.
const AT_ONCE: usize = 4;

/// Writer of an upload. Dropping it without [`Parts::finish`] aborts the upload.
pub(crate) struct Parts(Hashing<Sender>);

struct Sender {
    to_store: mpsc::Sender<Message>,
    part: Vec<u8>,
}

enum Message {
    Part(Bytes),
    /// Explicit end, so that a dropped writer never completes an upload.
    Finish,
}

impl Parts {
    /// Sends the last part and completes the upload. `None` if the upload already failed.
    pub(super) fn finish(self) -> Option<Sent> {
        let (mut sender, sent) = self.0.finish();
        sender.send().ok()?;
        sender.to_store.blocking_send(Message::Finish).ok()?;
        Some(sent)
    }
}

impl Write for Parts {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sender {
    fn send(&mut self) -> io::Result<()> {
        let part = std::mem::replace(&mut self.part, Vec::with_capacity(PART));
        self.to_store
            .blocking_send(Message::Part(part.into()))
            .map_err(|_| io::Error::other("the store takes no more"))
    }
}

impl Write for Sender {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(PART - self.part.len());
        self.part.extend_from_slice(&bytes[..taken]);
        if self.part.len() == PART {
            self.send()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Starts an upload. The future returns `Some` if the object is complete and `None` if the writer was dropped.
pub(super) fn begin(
    store: Arc<dyn ObjectStore>,
    object: Path,
) -> (Parts, impl Future<Output = object_store::Result<Option<()>>>) {
    let (to_store, mut messages) = mpsc::channel(1);
    let upload = async move {
        let mut upload = WriteMultipart::new_with_chunk_size(store.put_multipart(&object).await?, PART);
        loop {
            let next = messages.recv().await;
            let step = match next {
                Some(Message::Part(part)) => {
                    upload.wait_for_capacity(AT_ONCE).await.map(|()| upload.put(part))
                }
                Some(Message::Finish) => return upload.finish().await.map(|_| Some(())),
                None => return upload.abort().await.map(|()| None),
            };
            if let Err(cause) = step {
                // Abort: sent parts would remain as invisible storage that is billed.
                if let Err(left) = upload.abort().await {
                    tracing::warn!("parts of {object} stay in the store: {left}");
                }
                return Err(cause);
            }
        }
    };
    (Parts(Hashing::new(Sender { to_store, part: Vec::with_capacity(PART) })), upload)
}
