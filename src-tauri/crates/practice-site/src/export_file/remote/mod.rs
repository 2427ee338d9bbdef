//! Object storage: destination of export content if the folder contains only a pointer file.
//!
//! [`Remote::named_by`] selects the bucket or blob container, [`Remote::receive`] uploads, [`Remote::fetch`] downloads.

mod azure;
mod location_config;
mod object_storage;
mod parts;
mod pointer;
mod s3;

pub(crate) use location_config::LocationConfig;
pub(crate) use object_storage::Remote;
pub(crate) use pointer::Pointer;

use crate::folders::Folders;
use crate::wire::{ApiError, Parameters};
use pointer::StoreLocation;

impl Remote {
    /// Returns the object storage in the parameters of operation 1. `None` if there is none.
    ///
    /// `backupObjectStore` with a region is a bucket, with a connection string a blob container.
    pub(crate) fn named_by(parameters: &Parameters, folders: &Folders) -> Result<Option<Remote>, ApiError> {
        let store = parameters.text("backupObjectStore");
        let region = parameters.text("backupObjectStoreRegion");
        let connection = parameters.text("backupObjectStoreConnectionStr");
        match (store, region, connection) {
            (None, None, None) => Ok(None),
            (None, Some(_), None) => {
                Err(ApiError::bad_request("'backupObjectStoreRegion' needs 'backupObjectStore'."))
            }
            (Some(_), Some(_), Some(_)) => Err(ApiError::bad_request(
                "'backupObjectStoreRegion' is for a bucket, 'backupObjectStoreConnectionStr' for a blob container: give one of them.",
            )),
            (container, _, Some(connection)) => azure::container(container, connection).map(Some),
            (Some(bucket), region, None) => s3::bucket(bucket, region, folders).map(Some),
        }
    }

    /// Returns the object storage of a pointer file. Credentials of a container come with the request, because pointer
    /// files contain none.
    pub(crate) fn behind(
        pointer: &Pointer,
        parameters: &Parameters,
        folders: &Folders,
    ) -> Result<Remote, ApiError> {
        match &pointer.store_location {
            StoreLocation::Bucket { bucket, region } => s3::bucket(bucket, Some(region), folders),
            StoreLocation::Container { container } => {
                let config = LocationConfig::of(parameters)?;
                let given = parameters.text("backupObjectStoreConnectionStr");
                let Some(connection) =
                    config.as_ref().and_then(LocationConfig::connection).or_else(|| given.map(str::to_owned))
                else {
                    return Err(ApiError::bad_request(format!(
                        "The file points to the container {container}: 'backupObjectStoreConnectionStr' must be specified."
                    )));
                };
                azure::container(Some(container), &connection)
            }
        }
    }
}
