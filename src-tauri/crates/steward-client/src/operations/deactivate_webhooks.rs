//! Specification 4: deactivation of all webhooks of a service.

use super::Acknowledged;
use crate::area::{Area, Patience};
use crate::error::ClientError;

/// The service whose webhooks fall silent.
#[derive(Debug)]
pub struct DeactivateWebhooks {
    /// Folder; empty for the root.
    pub folder: String,
    /// Name and type, as in `Hydrants.FeatureServer`.
    pub service: String,
}

impl DeactivateWebhooks {
    /// Sends it.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn send(&self, server: &Area) -> Result<(), ClientError> {
        let mut path = vec!["admin", "services"];
        if !self.folder.is_empty() {
            path.push(&self.folder);
        }
        path.extend([self.service.as_str(), "webhooks", "deactivateAll"]);
        let expected = "the result of a deactivation";
        server.post::<Acknowledged>(&path, &[], Patience::Minute, expected).await.map(|_| ())
    }
}
