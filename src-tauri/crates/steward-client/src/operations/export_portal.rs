//! Specification 1: portal export.

use steward_vault::Secret;

use super::ExportReply;
use crate::area::{Area, Patience};
use crate::error::ClientError;

/// Where a portal is exported to.
#[derive(Debug)]
pub struct ExportPortal {
    /// Folder the portal can write to; for a bucket, the place of the file that points to it.
    pub location: String,
    /// Object storage beside it.
    pub store: Option<BackupStore>,
    /// Only check that the place can be written.
    pub validate: bool,
}

/// Object storage for the content of an export.
#[derive(Debug)]
pub enum BackupStore {
    /// A bucket.
    Bucket {
        /// Its name.
        name: String,
        /// Its region.
        region: String,
    },
    /// A blob container.
    Blob {
        /// Address of the container.
        container: String,
        /// Name of the account.
        account_name: String,
        /// Key of the account.
        account_key: Secret<String>,
        /// Endpoint of the account.
        account_endpoint: String,
    },
}

impl ExportPortal {
    /// Sends it and waits for the end of the export.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn send(&self, portal: &Area) -> Result<ExportReply, ClientError> {
        let mut form = vec![("location", self.location.as_str())];
        // Left out when false: portals before 11.1 do not know it.
        if self.validate {
            form.push(("validate", "true"));
        }
        let connection;
        match &self.store {
            None => {}
            Some(BackupStore::Bucket { name, region }) => {
                form.push(("backupObjectStore", name));
                form.push(("backupObjectStoreRegion", region));
            }
            Some(BackupStore::Blob { container, account_name, account_key, account_endpoint }) => {
                connection = serde_json::json!({
                    "accountName": account_name,
                    "accountKey": account_key.expose(),
                    "accountEndpoint": account_endpoint,
                })
                .to_string();
                form.push(("backupObjectStore", container));
                form.push(("backupObjectStoreConnectionStr", &connection));
            }
        }
        portal.post(&["portaladmin", "exportSite"], &form, Patience::Hours, "the result of an export").await
    }
}
