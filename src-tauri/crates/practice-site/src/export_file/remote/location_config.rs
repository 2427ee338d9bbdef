//! `locationConfig` of a portal import: the object storage that has the content of the export.
//!
//! The documents name what it contains, and not the keys: `docs/spec-notes.md` says which ones are read.

use super::Pointer;
use super::pointer::StoreLocation;
use crate::wire::{ApiError, Parameters};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(tag = "provider", rename_all = "camelCase")]
pub(crate) enum LocationConfig {
    Amazon { bucket: String, region: String },
    Azure { container: String, credential: Value },
}

impl LocationConfig {
    /// Reads the parameter. `None` if it is missing.
    pub(crate) fn of(parameters: &Parameters) -> Result<Option<LocationConfig>, ApiError> {
        let Some(given) = parameters.json("locationConfig")? else { return Ok(None) };
        match serde_json::from_value(given) {
            Ok(config) => Ok(Some(config)),
            Err(_) => Err(ApiError::bad_request(
                "'locationConfig' must have a provider, amazon with bucket and region, or azure with container and credential.",
            )),
        }
    }

    /// Checks that a pointer file points to this storage.
    pub(crate) fn must_be_of(&self, pointer: &Pointer) -> Result<(), ApiError> {
        let is_the_same = match (self, &pointer.store_location) {
            (Self::Amazon { bucket, region }, StoreLocation::Bucket { bucket: named, region: in_region }) => {
                bucket == named && region == in_region
            }
            (Self::Azure { container, .. }, StoreLocation::Container { container: named }) => {
                container.trim_end_matches('/') == named
            }
            _ => false,
        };
        if is_the_same {
            return Ok(());
        }
        Err(ApiError::bad_request("The content of this export is not in the storage of 'locationConfig'."))
    }

    /// Returns the connection information of a container.
    pub(super) fn connection(&self) -> Option<String> {
        match self {
            Self::Amazon { .. } => None,
            Self::Azure { credential, .. } => Some(credential.to_string()),
        }
    }
}
