//! Buckets. Their credentials come from the site's own settings alone: the variables, profiles and machine roles that
//! other S3 tools find belong to the person, and a rehearsal must not write to a real bucket with them.

use super::{Remote, Whereabouts, patience};
use crate::app::Folders;
use crate::wire::Refusal;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

pub(super) fn bucket(bucket: &str, region: Option<&str>, folders: &Folders) -> Result<Remote, Refusal> {
    let mut builder = AmazonS3Builder::new().with_bucket_name(bucket).with_retry(patience());
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
    // Without them the library would ask the address that cloud machines get their credentials from.
    let given = |key| builder.get_config_value(&key).is_some_and(|value| !value.is_empty());
    if !given(AmazonS3ConfigKey::AccessKeyId) || !given(AmazonS3ConfigKey::SecretAccessKey) {
        return Err(Refusal::failed(format!(
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
        .map_err(|cause| Refusal::failed(format!("{named} cannot be used: {cause}.")))?;
    let whereabouts = Whereabouts::Bucket { bucket: bucket.to_owned(), region };
    Ok(Remote { store: Arc::new(store), named, whereabouts })
}

/// The site's own settings. They are named like the variables that S3 tools read.
fn settings(file: &Path) -> Result<BTreeMap<String, String>, Refusal> {
    if !file.exists() {
        return Ok(BTreeMap::new());
    }
    let text = std::fs::read(file)
        .map_err(|cause| Refusal::failed(format!("The site's object-store.json cannot be read: {cause}.")))?;
    serde_json::from_slice(&text)
        .map_err(|_| Refusal::failed("The site's object-store.json is not an object of names and texts."))
}
