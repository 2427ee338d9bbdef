//! Portal export (specification, operation 1).
//!
//! [`ExportPortal::send`] keeps the connection open until the export ends, which can take hours.
//! [`ExportPortal::check`] has the portal check the destination only.

use steward_vault::Secret;

use super::{Capability, ExportReply, GatedParameter, Impact, NeedsAdminUrl, OperationDescriptor, Since};
use crate::deployment_type::DeploymentType;
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::permit::Permit;
use crate::request::{Request, ResponseTimeout};
use crate::version::Version;

/// Facts of the operation in the specification.
pub(super) const DESCRIPTOR: OperationDescriptor = OperationDescriptor {
    since: Since::Portal(Version::new(10, 4)),
    impact: Impact::WritesCopy,
    // Kubernetes uses backup stores instead of site exports.
    deployment_types: &[DeploymentType::Enterprise],
    needs_admin_url: NeedsAdminUrl::Never,
    capability: Capability::DefaultAdministrator,
    // A custom role cannot have the privileges of the default administrator role.
    privileges: &[],
    parameters: &[GatedParameter::Validate, GatedParameter::NoLocation],
};

const EXPECTED: &str = "the result of an export";

/// Parameters of a portal export.
#[derive(Debug, Clone)]
pub struct ExportPortal {
    /// Folder that the portal can write to. With object storage, the folder of the pointer file. Empty to have the
    /// portal write to a directory of its own, since version 12.0.
    pub location: String,
    /// Object storage for the content. `None` to write everything to `location`.
    pub store: Option<BackupStore>,
    /// Whether the portal only checks that it can write to the destination.
    pub validate: bool,
}

/// Object storage for the content of an export.
#[derive(Debug, Clone)]
pub enum BackupStore {
    /// A bucket.
    Bucket {
        /// Name of the bucket.
        name: String,
        /// Region of the bucket.
        region: String,
    },
    /// A blob container.
    Blob {
        /// URL of the container.
        container: String,
        /// Name of the storage account.
        account_name: String,
        /// Key of the storage account.
        account_key: Secret<String>,
        /// Endpoint of the storage account.
        account_endpoint: String,
    },
}

impl BackupStore {
    /// Adds the storage to an import, as `locationConfig`.
    ///
    /// The vendor's documents name what it contains, but not its keys. Those of exports and data store items are used
    /// (`docs/spec-notes.md`).
    pub(super) fn location_config(&self, request: Request) -> Request {
        const NAME: &str = "locationConfig";
        match self {
            Self::Bucket { name, region } => {
                let config = serde_json::json!({ "provider": "amazon", "bucket": name, "region": region });
                request.field(NAME, config.to_string())
            }
            Self::Blob { container, account_name, account_key, account_endpoint } => {
                let credential = connection_to(account_name, account_key, account_endpoint);
                let config = serde_json::json!({
                    "provider": "azure",
                    "container": container,
                    "credential": credential,
                });
                request.secret(NAME, Secret::new(config.to_string()))
            }
        }
    }
}

/// Returns the connection information of a storage account.
fn connection_to(name: &str, key: &Secret<String>, endpoint: &str) -> serde_json::Value {
    serde_json::json!({ "accountName": name, "accountKey": key.expose(), "accountEndpoint": endpoint })
}

impl ExportPortal {
    /// Returns whether a location that the portal returned is the destination, and no file in it.
    fn is_destination(&self, location: &str) -> bool {
        const SEPARATORS: [char; 2] = ['/', '\\'];
        location.trim_end_matches(SEPARATORS) == self.location.trim_end_matches(SEPARATORS)
    }

    /// Returns the request.
    #[must_use]
    pub fn request(&self) -> Request {
        let path = ["portaladmin", "exportSite"];
        let request = match self.validate {
            true => Request::repeatable(path, ResponseTimeout::Hours),
            false => Request::once(path, ResponseTimeout::Hours),
        };
        let mut request = match self.location.is_empty() {
            true => request,
            false => request.field("location", &self.location),
        };
        // Omit it when false: portals before 11.1 do not have this parameter.
        if self.validate {
            request = request.field("validate", "true");
        }
        match &self.store {
            None => request,
            Some(BackupStore::Bucket { name, region }) => {
                request.field("backupObjectStore", name).field("backupObjectStoreRegion", region)
            }
            Some(BackupStore::Blob { container, account_name, account_key, account_endpoint }) => {
                let connection = connection_to(account_name, account_key, account_endpoint);
                request
                    .field("backupObjectStore", container)
                    .secret("backupObjectStoreConnectionStr", Secret::new(connection.to_string()))
            }
        }
    }

    /// Sends the request and waits for the end of the export.
    ///
    /// # Errors
    /// - [`ClientError::Rejected`] with the code and the message of the portal.
    /// - [`ClientError::Unreadable`] if the response is not an export.
    /// - [`ClientError::TokenEnded`] if the token expired during the request.
    /// - A connection or session error of [`ClientError`].
    pub async fn send(&self, permit: Permit<'_>) -> Result<ExportReply, ClientError> {
        Ok(self.with_file(permit.send(&self.request(), EXPECTED).await?))
    }

    /// Checks the destination: sends the request with [`validate`](Self::validate). A portal before 11.1 exports
    /// instead.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    pub async fn check(&self, portal: &Endpoint) -> Result<ExportReply, ClientError> {
        Ok(self.with_file(portal.send(&Self { validate: true, ..self.clone() }.request(), EXPECTED).await?))
    }

    /// Clears the location of a reply if it is the destination itself: an export is a file in it.
    fn with_file(&self, mut reply: ExportReply) -> ExportReply {
        if self.is_destination(&reply.location) {
            reply.location.clear();
        }
        reply
    }
}
