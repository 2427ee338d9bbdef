//! Uploads a file in parts, and resumes after an interruption.
//!
//! `Upload::in_parts` is the entry point.

use std::convert::Infallible;
use std::future::Future;
use std::sync::PoisonError;

use steward_client::listing::StoredUpload;
use steward_client::{ClientError, uploads};
use tokio::sync::watch;

use super::{Fault, LISTED_AS_INCOMPLETE, Unfinished, Upload, UploadId};
use crate::model::numbers::Bytes;
use crate::runs::RunStep;

impl Upload<'_> {
    /// Sends the parts that the server does not have yet, and commits the upload.
    pub(super) async fn in_parts(
        &self,
        begun: Option<Unfinished>,
        part_size: u64,
    ) -> Result<UploadId, Fault> {
        let mut upload = match begun {
            Some(begun) => match self.still_there(begun).await? {
                Still::Complete(begun) => {
                    let hashed = async {
                        let is_other = self.is_other_than_sent(&begun).await?;
                        self.file.hash_up_to(self.file.length).await.map(|()| is_other)
                    };
                    match hashed.await {
                        Ok(true) => return Err(self.changed(&begun).await),
                        Ok(false) => {}
                        // The file is stored, even if it cannot be hashed here.
                        Err(error) => tracing::warn!(%error, "an uploaded file cannot be hashed"),
                    }
                    return Ok(self.finished(begun.item));
                }
                Still::There(begun) => {
                    if self.is_other_than_sent(&begun).await.map_err(Fault::Here)? {
                        return Err(self.changed(&begun).await);
                    }
                    begun
                }
                Still::Gone => self.register(part_size).await?,
            },
            None => self.register(part_size).await?,
        };
        let (sent, moves) = watch::channel(0);
        let sending = async {
            while u64::from(upload.parts) * part_size < self.file.length {
                self.part(&upload, &sent).await?;
                upload.parts += 1;
                upload.sha256 = self.file.sha256_up_to(self.sent_of(&upload));
                self.note(&upload).await;
            }
            self.commit(&upload).await
        };
        self.telling(moves, sending).await?;
        Ok(self.finished(upload.item.clone()))
    }

    /// Checks whether the server still has the parts, and the local file is unchanged.
    async fn still_there(&self, begun: Unfinished) -> Result<Still, Fault> {
        if begun.length != self.file.length || begun.modified != self.file.modified {
            return Err(self.changed(&begun).await);
        }
        match uploads::find(&self.server, &begun.item.0).await? {
            Some(item) if item.committed == Some(true) && self.is_this_file(&item).await => {
                Ok(Still::Complete(begun))
            }
            Some(item) if item.committed != Some(true) => Ok(Still::There(begun)),
            // A server that was restored can give its identifier to another file.
            Some(_) | None => {
                self.transfers.uploads.forget(&self.site.target(), &begun.item);
                Ok(Still::Gone)
            }
        }
    }

    /// Returns the number of bytes in the parts that the server has received.
    fn sent_of(&self, begun: &Unfinished) -> u64 {
        (u64::from(begun.parts) * begun.part_size).min(self.file.length)
    }

    /// Hashes the part of the file that was sent, and returns whether it has changed since: tools can write a file
    /// without changing its length and time.
    async fn is_other_than_sent(&self, begun: &Unfinished) -> std::io::Result<bool> {
        let sent = self.sent_of(begun);
        self.file.hash_up_to(sent).await?;
        let now = self.file.sha256_up_to(sent);
        Ok(begun.sha256.as_ref().zip(now).is_some_and(|(sent, now)| *sent != now))
    }

    /// Discards the parts of a file that was changed, and returns that as the fault.
    async fn changed(&self, begun: &Unfinished) -> Fault {
        self.transfers.uploads.forget(&self.site.target(), &begun.item);
        // These parts are useless; a server that keeps them deletes them later.
        let found = uploads::item(&self.server, &begun.item.0).await;
        if found.is_ok_and(|item| item.committed != Some(true))
            && let Ok(permit) = self.permit().await
        {
            let _ = uploads::delete(permit, &begun.item.0).await;
        }
        Fault::Here(std::io::Error::other("the file was changed since its upload began"))
    }

    async fn register(&self, part_size: u64) -> Result<Unfinished, Fault> {
        // A server that does not list its uploads can still take one.
        let before = self.stored().await.unwrap_or_default();
        let item = {
            let permit = self.permit().await?;
            let registered = uploads::register(permit, &self.file.name(), &self.record.description()).await;
            registered.map_err(|error| match error.may_have_taken_effect() {
                true => Fault::Unseen(error),
                false => Fault::There(error),
            })?
        };
        // An identifier that was listed before is of another file, for example in a cached response. To discard it
        // would delete that file.
        if before.iter().any(|upload| upload.id == item.id) {
            return Err(Fault::Unseen(ClientError::unreadable("a new upload", item.id)));
        }
        let upload = Unfinished {
            site: self.site.id.clone(),
            server: self.site.target().server,
            item: UploadId(item.id),
            path: self.file.path.clone(),
            length: self.file.length,
            modified: self.file.modified,
            part_size,
            parts: 0,
            sha256: None,
        };
        *self.parts_of.lock().unwrap_or_else(PoisonError::into_inner) = Some(upload.item.clone());
        self.note(&upload).await;
        Ok(upload)
    }

    async fn is_this_file(&self, stored: &StoredUpload) -> bool {
        let is_named_so = stored.name.is_empty() || stored.name == self.file.name();
        is_named_so && self.has_our_length(stored).await
    }

    /// Sends the next part. A part without a response is sent again: a part with the same number replaces the first,
    /// and the site does not change before the commit.
    async fn part(&self, upload: &Unfinished, sent: &watch::Sender<u64>) -> Result<(), Fault> {
        let from = u64::from(upload.parts) * upload.part_size;
        let length = upload.part_size.min(self.file.length - from);
        let mut in_vain = 0;
        let mut renewed = false;
        loop {
            let permit = self.permit().await?;
            let (part, fault) = self.file.piece(from, length, sent.clone());
            let stalled = self.retry_policy().stalled;
            let sending = uploads::upload_part(permit, &upload.item.0, upload.parts + 1, part, stalled);
            let Err(error) = sending.await else { return Ok(()) };
            if let Some(fault) = fault.take() {
                return Err(Fault::Here(fault));
            }
            // An upload outlasts tokens, and a part can be sent again. A second rejection is final.
            if matches!(error, ClientError::TokenRenewed) && !std::mem::replace(&mut renewed, true) {
                continue;
            }
            if !error.is_network_failure() || in_vain >= self.retry_policy().tries {
                return Err(error.into());
            }
            tracing::info!(%error, part = upload.parts + 1, "a part of an upload is sent again");
            self.retry_policy().pause(in_vain).await;
            in_vain += 1;
        }
    }

    /// Commits once. If the response is missing, checks the upload several times with growing pauses: assembling a
    /// large file takes long.
    async fn commit(&self, upload: &Unfinished) -> Result<(), Fault> {
        let permit = self.permit().await?;
        self.completes();
        self.run.step(RunStep::Confirming);
        let committed = uploads::commit(permit, &upload.item.0, upload.parts).await;
        let is_listed_as = async |is_complete: bool| {
            let item = uploads::item(&self.server, &upload.item.0).await;
            item.is_ok_and(|item| item.committed == Some(is_complete))
        };
        let is_done = async || is_listed_as(true).await;
        let error = match committed {
            Err(error) => error,
            // A server can confirm what it did not do, or does later.
            Ok(()) if is_listed_as(false).await => {
                ClientError::unreadable("a complete upload", LISTED_AS_INCOMPLETE)
            }
            Ok(()) => return Ok(()),
        };
        if !error.may_have_taken_effect() {
            // It might have been committed before.
            if is_done().await {
                return Ok(());
            }
            // The server might lack a part that it acknowledged, and does not return which: all are sent again. A session that
            // ended, a role, a server that is busy or fails, or what is in front of it, says nothing of the parts.
            let is_of_parts = match &error {
                ClientError::Rejected { code, .. } => {
                    !matches!(code, 401 | 403 | 408 | 429 | 498 | 499 | 500..=599)
                        && !error.is_of_what_is_in_front()
                }
                _ => false,
            };
            if is_of_parts {
                self.note(&Unfinished { parts: 0, sha256: None, ..upload.clone() }).await;
            }
            return Err(error.into());
        }
        for in_vain in 0..=self.retry_policy().tries {
            self.retry_policy().pause(in_vain).await;
            if is_done().await {
                return Ok(());
            }
        }
        Err(Fault::Unseen(error))
    }

    fn finished(&self, item: UploadId) -> UploadId {
        self.transfers.uploads.forget(&self.site.target(), &item);
        item
    }

    /// Stores the progress on disk before the next part is sent, on a blocking thread.
    async fn note(&self, upload: &Unfinished) {
        let (book, upload) = (self.transfers.uploads.clone(), upload.clone());
        // This fails only if the program ends.
        let _ = tokio::task::spawn_blocking(move || book.note(&upload)).await;
    }

    /// Reports the progress to the window while `sending` runs.
    pub(super) async fn telling<T>(
        &self,
        mut moves: watch::Receiver<u64>,
        sending: impl Future<Output = T>,
    ) -> T {
        let total = Bytes(self.file.length);
        let tell = async {
            while moves.changed().await.is_ok() {
                let done = Bytes(*moves.borrow_and_update());
                self.run.step(RunStep::Uploading { done, total });
            }
            std::future::pending::<Infallible>().await
        };
        tokio::select! {
            biased;
            done = sending => done,
            never = tell => match never {},
        }
    }
}

enum Still {
    /// The server has the complete file.
    Complete(Unfinished),
    /// The server waits for the rest.
    There(Unfinished),
    /// The server does not have it any more.
    Gone,
}
