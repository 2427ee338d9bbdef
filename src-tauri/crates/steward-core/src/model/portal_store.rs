//! Object storage that has the content of a portal export: as entered in a form, and as recorded.

use serde::Deserialize;
use steward_client::operations::export_portal::BackupStore;
use steward_vault::Secret;

use super::problem::{FieldError, Problem};
use super::typed::{self, trimmed};

/// Object storage as entered in a form.
#[derive(Clone, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PortalStoreForm {
    /// A bucket.
    Bucket {
        /// Name of the bucket.
        bucket: String,
        /// Region of the bucket.
        region: String,
    },
    /// A blob container.
    Blob {
        /// URL of the container.
        container: String,
        /// Name of the account.
        account_name: String,
        /// Key of the account.
        account_key: String,
        /// Endpoint of the account.
        account_endpoint: String,
    },
}

impl std::fmt::Debug for PortalStoreForm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Print no fields: the account key is one of them.
        f.write_str("PortalStoreForm")
    }
}

impl PortalStoreForm {
    /// Returns the object storage. Accepts an incomplete form, for the request preview.
    pub(crate) fn store(&self) -> BackupStore {
        match self {
            Self::Bucket { bucket, region } => bucket_of(bucket, region),
            Self::Blob { container, account_name, account_key, account_endpoint } => {
                blob_of(container, account_name, account_key, account_endpoint)
            }
        }
    }
}

pub(crate) fn bucket_of(name: &str, region: &str) -> BackupStore {
    BackupStore::Bucket { name: given(name), region: given(region) }
}

pub(crate) fn blob_of(container: &str, name: &str, key: &str, endpoint: &str) -> BackupStore {
    BackupStore::Blob {
        container: given(container),
        account_name: given(name),
        account_key: Secret::new(key.trim().to_owned()),
        account_endpoint: given(endpoint),
    }
}

fn given(text: &str) -> String {
    trimmed(text).to_owned()
}

/// Checks that no field is empty, and that none but the key has an invisible character.
///
/// # Errors
/// [`Problem::Form`] with the first field that is invalid.
pub(crate) fn check(store: &BackupStore) -> Result<(), Problem> {
    let fields = match store {
        BackupStore::Bucket { name, region } => vec![("bucket", name.as_str()), ("region", region)],
        BackupStore::Blob { container, account_name, account_key, account_endpoint } => vec![
            ("container", container.as_str()),
            ("accountName", account_name),
            ("accountKey", account_key.expose()),
            ("accountEndpoint", account_endpoint),
        ],
    };
    // A secret keeps all of its characters.
    typed::check(fields.iter().copied().filter(|(field, _)| *field != "accountKey"))?;
    match fields.into_iter().find(|(_, value)| value.is_empty()) {
        Some((field, _)) => Err(Problem::form(field, FieldError::Required)),
        None => Ok(()),
    }
}

/// Returns the parameters for the history: all but the account key.
pub(crate) fn parameters(store: &BackupStore) -> Vec<(&'static str, String)> {
    let named = match store {
        BackupStore::Bucket { name, region } => {
            vec![("backupObjectStore", name), ("backupObjectStoreRegion", region)]
        }
        BackupStore::Blob { container, account_name: name, account_endpoint: endpoint, .. } => {
            vec![("backupObjectStore", container), ("accountName", name), ("accountEndpoint", endpoint)]
        }
    };
    named.into_iter().map(|(name, value)| (name, value.clone())).collect()
}
