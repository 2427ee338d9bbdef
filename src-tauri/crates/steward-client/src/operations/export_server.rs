//! Server export (specification, operation 2).
//!
//! [`ExportServer::send`] keeps the connection open until the export ends, which can take hours.

use super::{Capability, ExportReply, Impact, NeedsAdminUrl, OperationDescriptor, Since};
use crate::deployment_type::{DeploymentType, ServerType};
use crate::error::ClientError;
use crate::permit::Permit;
use crate::request::{Request, ResponseTimeout};
use crate::version::Version;

/// Facts of the operation in the specification.
pub(super) const DESCRIPTOR: OperationDescriptor = OperationDescriptor {
    since: Since::Server(|server| {
        Some(match server {
            ServerType::Gis => Version::new(10, 2),
            ServerType::Notebook => Version { major: 10, minor: 7, patch: 1 },
            ServerType::Mission => Version::new(10, 8),
            ServerType::Video => Version::new(12, 0),
            ServerType::DataPipelines => Version::new(12, 2),
            ServerType::Kubernetes | ServerType::Other { .. } => return None,
        })
    }),
    impact: Impact::WritesCopy,
    deployment_types: &[DeploymentType::Enterprise, DeploymentType::StandaloneServer],
    needs_admin_url: NeedsAdminUrl::Never,
    capability: Capability::Administrator,
    privileges: &["portal:admin:manageServers"],
    parameters: &[],
};

/// Parameters of a server export.
#[derive(Debug)]
pub struct ExportServer {
    /// Folder that the server can write to. Empty to create a server upload.
    pub location: String,
}

impl ExportServer {
    /// Returns the request. The listing of the specification names GET, its samples send POST. POST keeps the token out
    /// of URLs.
    #[must_use]
    pub fn request(&self) -> Request {
        Request::once(["admin", "exportSite"], ResponseTimeout::Hours).field("location", &self.location)
    }

    /// Sends the request and waits for the end of the export.
    ///
    /// # Errors
    /// - [`ClientError::Rejected`] with the code and the message of the server.
    /// - [`ClientError::Unreadable`] if the response is not an export.
    /// - [`ClientError::TokenEnded`] if the token expired during the request.
    /// - A connection or session error of [`ClientError`].
    pub async fn send(&self, permit: Permit<'_>) -> Result<ExportReply, ClientError> {
        permit.send(&self.request(), "the result of an export").await
    }
}
