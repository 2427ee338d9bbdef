//! A file in one request.

use std::collections::BTreeSet;

use steward_client::{ClientError, listing, uploads};
use tokio::sync::watch;

use super::{NotSent, Upload, UploadId};

impl Upload<'_> {
    /// Sends the file whole, once. Where the answer is lost, the server is asked whether it has a new file of this
    /// name.
    pub(super) async fn whole(&self) -> Result<UploadId, NotSent> {
        let before = self.stored().await?;
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
                return Err(NotSent::Here(fault));
            }
            // Refused before anything was done, and renewed where it could be; the second refusal is the answer.
            let refused = matches!(error, ClientError::Refused { code: 498, .. });
            if !refused || std::mem::replace(&mut renewed, true) {
                break error;
            }
        };
        if error.may_have_taken_effect() && error.is_of_the_way() {
            self.persistence().pause(0).await;
            let new: Vec<_> = self.stored().await?.into_iter().filter(|one| !before.contains(one)).collect();
            if let [(id, stored_as)] = &new[..]
                && *stored_as == name
            {
                return Ok(UploadId(id.clone()));
            }
        }
        Err(error.into())
    }

    /// Identifiers and names of what the server stores.
    async fn stored(&self) -> Result<BTreeSet<(String, String)>, ClientError> {
        let stored = listing::uploads(&self.server).await?;
        Ok(stored.into_iter().map(|upload| (upload.id, upload.name)).collect())
    }
}
