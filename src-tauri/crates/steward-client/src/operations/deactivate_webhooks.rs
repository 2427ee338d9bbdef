//! Deactivation of all webhooks of a service (specification, operation 4).
//!
//! [`DeactivateWebhooks::send`] succeeds only if the server confirms the deactivation. The list and the reactivation
//! are in [`webhooks`](crate::webhooks).

use super::{Capability, Impact, NeedsAdminUrl, OperationDescriptor, Since};
use crate::acknowledged::Acknowledged;
use crate::deployment_type::{DeploymentType, ServerType};
use crate::error::ClientError;
use crate::permit::Permit;
use crate::request::{Request, ResponseTimeout, of_service};
use crate::version::Version;

/// Facts of the operation in the specification.
pub(super) const DESCRIPTOR: OperationDescriptor = OperationDescriptor {
    since: Since::Server(|server| {
        matches!(server, ServerType::Gis | ServerType::Kubernetes).then_some(Version::new(11, 1))
    }),
    impact: Impact::Changes,
    deployment_types: &[
        DeploymentType::Enterprise,
        DeploymentType::StandaloneServer,
        DeploymentType::Kubernetes,
    ],
    needs_admin_url: NeedsAdminUrl::Never,
    capability: Capability::Publisher,
    privileges: &[
        "portal:publisher:createFeatureWebhook",
        "portal:admin:createGPWebhook",
        "portal:admin:manageWebhooks",
        "portal:publisher:publishFeatures",
        "portal:publisher:publishServerGPServices",
        "portal:publisher:publishServerServices",
        "portal:admin:manageServers",
    ],
    parameters: &[],
};

/// Service whose webhooks are deactivated.
#[derive(Debug)]
pub struct DeactivateWebhooks {
    /// Folder; empty for the root folder.
    pub folder: String,
    /// Name and type, for example `Hydrants.FeatureServer`.
    pub service: String,
}

impl DeactivateWebhooks {
    /// Returns the request.
    #[must_use]
    pub fn request(&self) -> Request {
        let path = of_service(&self.folder, &self.service, &["webhooks", "deactivateAll"]);
        Request::once(path, ResponseTimeout::Minute)
    }

    /// Sends the request.
    ///
    /// # Errors
    /// - [`ClientError::Rejected`] with the code and the message of the server.
    /// - [`ClientError::Unreadable`] if the response is not a confirmation.
    /// - [`ClientError::TokenEnded`] if the token expired during the request.
    /// - A connection or session error of [`ClientError`].
    pub async fn send(&self, permit: Permit<'_>) -> Result<(), ClientError> {
        permit.send::<Acknowledged>(&self.request(), "the result of a deactivation").await.map(|_| ())
    }
}
