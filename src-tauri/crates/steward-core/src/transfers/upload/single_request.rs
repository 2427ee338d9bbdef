//! A file in one request.

use std::collections::BTreeSet;

use steward_client::{ClientError, listing, uploads};
use tokio::sync::watch;

use super::{Fault, Upload, UploadId};
use crate::runs::RunStep;

impl Upload<'_> {
    /// Sends the file whole, once. Where the response is lost, the server is asked whether it has a new file of this
    /// name, again and again with growing pauses: it may still be storing it.
    pub(super) async fn whole(&self) -> Result<UploadId, Fault> {
        let before = self.stored().await?;
        self.completes();
        let name = self.file.name();
        let mut renewed = false;
        let error = loop {
            let (sent, moves) = watch::channel(0);
            let (file, fault) = self.file.piece(0, self.file.length, sent);
            let sending = uploads::upload_whole(&self.server, &name, "", file, self.persistence().stalled);
            let error = match self.telling(moves, sending).await {
                Ok(item) => return Ok(UploadId(item.id)),
                Err(error) => error,
            };
            if let Some(fault) = fault.take() {
                return Err(Fault::Here(fault));
            }
            // Refused before anything was done, and renewed where it could be; the second refusal is the answer.
            let refused = matches!(error, ClientError::Refused { code: 498, .. });
            if !refused || std::mem::replace(&mut renewed, true) {
                break error;
            }
        };
        if !error.may_have_taken_effect() {
            return Err(error.into());
        }
        self.run.step(RunStep::Confirming);
        for in_vain in 0..=self.persistence().tries {
            self.persistence().pause(in_vain).await;
            // What goes wrong here says nothing about the upload.
            let Ok(stored) = self.stored().await else { continue };
            let new: Vec<_> = stored.difference(&before).collect();
            if let [(id, stored_as)] = new[..]
                && *stored_as == name
            {
                return Ok(UploadId(id.clone()));
            }
        }
        Err(Fault::Unseen(error))
    }

    /// Identifiers and names of what the server stores.
    async fn stored(&self) -> Result<BTreeSet<(String, String)>, ClientError> {
        let stored = listing::uploads(&self.server).await?;
        Ok(stored.into_iter().map(|upload| (upload.id, upload.name)).collect())
    }
}
