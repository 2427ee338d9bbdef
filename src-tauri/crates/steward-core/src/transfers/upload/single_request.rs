//! Uploads a file in one request.

use std::collections::HashSet;

use steward_client::listing::{self, StoredUpload};
use steward_client::{ClientError, uploads};
use tokio::sync::watch;

use super::{Fault, Upload, UploadId};
use crate::runs::RunStep;

impl Upload<'_> {
    /// Sends the file once. If the response is missing, checks the server several times for a new file of this name,
    /// with growing pauses: it might still be storing the file.
    pub(super) async fn whole(&self) -> Result<UploadId, Fault> {
        let before: HashSet<_> = self.stored().await?.into_iter().map(|upload| upload.id).collect();
        let name = self.file.name();
        let permit = self.permit().await?;
        self.completes();
        let (sent, moves) = watch::channel(0);
        let (file, fault) = self.file.piece(0, self.file.length, sent);
        let (about, stalled) = (self.record.description(), self.retry_policy().stalled);
        let sending = uploads::upload_whole(permit, &name, &about, file, stalled);
        let error = match self.telling(moves, sending).await {
            // A response with an earlier identifier, for example from a cache, is treated as a missing one.
            Ok(item) if before.contains(&item.id) => ClientError::unreadable("a new upload", item.id),
            Ok(item) => return Ok(UploadId(item.id)),
            Err(error) => error,
        };
        if let Some(fault) = fault.take() {
            return Err(Fault::Here(fault));
        }
        if !error.may_have_taken_effect() {
            return Err(error.into());
        }
        self.run.step(RunStep::Confirming);
        for in_vain in 0..=self.retry_policy().tries {
            self.retry_policy().pause(in_vain).await;
            // An error of the list does not mean that the upload failed: read the list again.
            let Ok(stored) = self.stored().await else { continue };
            let new = stored.into_iter().filter(|upload| !before.contains(&upload.id));
            let new: Vec<_> = new.filter(|upload| self.record.can_be(upload)).collect();
            if let [upload] = &new[..]
                && upload.name == name
                && self.has_our_length(upload).await
            {
                return Ok(UploadId(upload.id.clone()));
            }
        }
        Err(Fault::Unseen(error))
    }

    /// Returns whether an upload has the length of this file, also if the server returns none. Another user can upload
    /// a file of the same name meanwhile, which an import would use instead.
    pub(super) async fn has_our_length(&self, upload: &StoredUpload) -> bool {
        let length = uploads::length(&self.server, &upload.id, self.retry_policy().stalled).await;
        length.is_none_or(|length| length == self.file.length)
    }

    /// Returns the server uploads.
    pub(super) async fn stored(&self) -> Result<Vec<StoredUpload>, ClientError> {
        let stored = listing::uploads(&self.server).await?;
        // An entry without an identifier cannot be recognized.
        Ok(stored.into_iter().filter(|upload| !upload.id.is_empty()).collect())
    }
}
