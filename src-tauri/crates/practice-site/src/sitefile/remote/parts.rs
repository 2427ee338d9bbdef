//! From a thread that writes to a store that takes parts.

use crate::sitefile::hashing::{Hashing, Sent};
use bytes::Bytes;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt as _, WriteMultipart};
use std::io::{self, Write};
use std::sync::Arc;
use tokio::sync::mpsc;

/// A store takes 10,000 parts at most: this allows exports of 80 GB.
const PART: usize = 8 << 20;
/// Parts under way at a time.
const AT_ONCE: usize = 4;

/// The writing end of an upload. Dropping it without [`Parts::finish`] gives the upload up.
pub(crate) struct Parts(Hashing<Sender>);

struct Sender {
    to_store: mpsc::Sender<Message>,
    part: Vec<u8>,
}

enum Message {
    Part(Bytes),
    /// Said at the end, so that a writer that is merely gone completes nothing.
    Finish,
}

impl Parts {
    /// The last part goes out, and the object comes to be. Nothing when the store had given up already.
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

/// The writing end, and the upload itself: `Some` when the object is complete, `None` when the writer gave up.
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
                // What was sent already must not stay as a half object that nobody sees and somebody pays for.
                if let Err(left) = upload.abort().await {
                    tracing::warn!("parts of {object} stay in the store: {left}");
                }
                return Err(cause);
            }
        }
    };
    (Parts(Hashing::new(Sender { to_store, part: Vec::with_capacity(PART) })), upload)
}
