//! Buckets. Their credentials come from the site's own settings, or from the environment variables that every S3
//! tool reads.

use super::{Remote, Whereabouts, patience};
use crate::app::Folders;
use crate::wire::Refusal;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

pub(super) fn bucket(bucket: &str, region: Option<&str>, folders: &Folders) -> Result<Remote, Refusal> {
    let mut builder = AmazonS3Builder::from_env().with_bucket_name(bucket).with_retry(patience());
    for (name, value) in settings(&folders.root.join("object-store.json"))? {
        let key: AmazonS3ConfigKey = name.to_ascii_lowercase().parse().map_err(|_| {
            Refusal::failed(format!("The site's object-store.json has an unknown setting: {name}."))
        })?;
        builder = builder.with_config(key, value);
    }
    if let Some(region) = region {
        builder = builder.with_region(region);
    }
    let region =
        builder.get_config_value(&AmazonS3ConfigKey::Region).unwrap_or_else(|| "us-east-1".to_owned());
    let named = format!("the bucket {bucket} in the region {region}");
    // Without this the library would ask the address that cloud machines get their credentials from.
    if builder.get_config_value(&AmazonS3ConfigKey::AccessKeyId).is_none() {
        return Err(Refusal::failed(format!(
            "There are no credentials for {named}: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the site's object-store.json or in its environment."
        )));
    }
    let plain = builder
        .get_config_value(&AmazonS3ConfigKey::Endpoint)
        .is_some_and(|endpoint| endpoint.starts_with("http:"));
    let store = builder
        .with_allow_http(plain)
        .build()
        .map_err(|cause| Refusal::failed(format!("{named} cannot be used: {cause}.")))?;
    let whereabouts = Whereabouts::Bucket { bucket: bucket.to_owned(), region };
    Ok(Remote { store: Arc::new(store), named, whereabouts })
}

/// The site's own settings: the names of the environment variables, and their values.
fn settings(file: &Path) -> Result<BTreeMap<String, String>, Refusal> {
    if !file.exists() {
        return Ok(BTreeMap::new());
    }
    let text =
        std::fs::read(file).map_err(|cause| Refusal::failed(format!("object-store.json: {cause}.")))?;
    serde_json::from_slice(&text)
        .map_err(|_| Refusal::failed("The site's object-store.json is not an object of names and texts."))
}
