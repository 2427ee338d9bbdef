//! URLs of the site.

use crate::store::services::ServiceName;
use anyhow::Context as _;
use url::Url;

/// Returns the URL of a service, with its names percent-encoded.
pub(crate) fn of_service(server_url: &str, service: &ServiceName) -> anyhow::Result<Url> {
    below(server_url, &["rest", "services", &service.folder, &service.name, &service.kind])
}

/// Returns a URL below `base`. Each segment is percent-encoded; empty segments are omitted.
pub(crate) fn below(base: &str, segments: &[&str]) -> anyhow::Result<Url> {
    let mut address = Url::parse(base).context("an address of this site")?;
    if let Ok(mut path) = address.path_segments_mut() {
        path.pop_if_empty().extend(segments.iter().filter(|segment| !segment.is_empty()));
    }
    Ok(address)
}
