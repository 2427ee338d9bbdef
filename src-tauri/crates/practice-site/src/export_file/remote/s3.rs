//! Amazon S3 buckets. Credentials come only from the site's own settings: the environment variables, profiles and
//! machine roles of other S3 tools belong to the user, and a rehearsal must not write to a production bucket with them.

use super::object_storage::{Remote, retry_config};
use super::pointer::StoreLocation;
use crate::folders::Folders;
use crate::regular_file;
use crate::wire::ApiError;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Returns a bucket with the credentials in `object-store.json` of the data folder.
pub(super) fn bucket(bucket: &str, region: Option<&str>, folders: &Folders) -> Result<Remote, ApiError> {
    let mut builder = AmazonS3Builder::new().with_bucket_name(bucket).with_retry(retry_config());
    for (name, value) in settings(&folders.root.join("object-store.json"))? {
        let key: AmazonS3ConfigKey = name.to_ascii_lowercase().parse().map_err(|_| {
            ApiError::failed(format!("The site's object-store.json has an unknown setting: {name}."))
        })?;
        builder = builder.with_config(key, value);
    }
    if let Some(region) = region {
        builder = builder.with_region(region);
    }
    let region =
        builder.get_config_value(&AmazonS3ConfigKey::Region).unwrap_or_else(|| "us-east-1".to_owned());
    let named = format!("the bucket {bucket} in the region {region}");
    // Require both keys: without them, the library would request credentials from the metadata service of cloud
    // machines.
    let given = |key| builder.get_config_value(&key).is_some_and(|value| !value.is_empty());
    if !given(AmazonS3ConfigKey::AccessKeyId) || !given(AmazonS3ConfigKey::SecretAccessKey) {
        return Err(ApiError::failed(format!(
            "There are no credentials for {named}: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in object-store.json in the site's data folder. Environment variables are not read."
        )));
    }
    let plain = [AmazonS3ConfigKey::Endpoint, AmazonS3ConfigKey::S3Endpoint]
        .iter()
        .filter_map(|key| builder.get_config_value(key))
        .any(|endpoint| endpoint.starts_with("http:"));
    let store = builder
        .with_allow_http(plain)
        .build()
        .map_err(|cause| ApiError::failed(format!("{named} cannot be used: {cause}.")))?;
    let store_location = StoreLocation::Bucket { bucket: bucket.to_owned(), region };
    Ok(Remote { store: Arc::new(store), named, store_location })
}

/// Reads the site's own settings, with the names of the environment variables of S3 tools. Empty if the file is
/// missing.
fn settings(file: &Path) -> Result<BTreeMap<String, String>, ApiError> {
    if !file.exists() {
        return Ok(BTreeMap::new());
    }
    let text = regular_file::read(file).map_err(|cause| {
        ApiError::failed(format!("The site's object-store.json cannot be read: {cause}."))
    })?;
    serde_json::from_str(&text)
        .map_err(|_| ApiError::failed("The site's object-store.json is not an object of names and texts."))
}
