//! Content of a storage server, for the assertions of tests.

use anyhow::{Context, Result, bail};
use futures_util::StreamExt as _;
use object_store::client::HttpRequest;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt as _};

/// Returns the names of all objects, sorted.
pub(super) async fn names(store: &dyn ObjectStore) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let mut list = store.list(None);
    while let Some(object) = list.next().await {
        names.push(object?.location.to_string());
    }
    names.sort();
    Ok(names)
}

/// Returns the content of an object.
pub(super) async fn read(store: &dyn ObjectStore, name: &str) -> Result<Vec<u8>> {
    let object = store.get(&Path::parse(name)?).await?;
    Ok(object.bytes().await?.to_vec())
}

/// Sends a signed request, and returns the text of the response.
pub(super) async fn send(request: &HttpRequest) -> Result<String> {
    let uri = request.uri().to_string();
    let sent = reqwest::Client::new().request(request.method().clone(), &uri);
    let answer = sent.headers(request.headers().clone()).send().await?;
    let status = answer.status();
    let text = answer.text().await?;
    if !status.is_success() {
        bail!("{} {uri} was answered with {status}: {text}", request.method());
    }
    Ok(text)
}

/// Creates a request without a body, not signed yet.
pub(super) fn request(method: &str, address: &str) -> Result<HttpRequest> {
    let mut request = HttpRequest::new(object_store::client::HttpRequestBody::empty());
    *request.method_mut() = method.parse().with_context(|| format!("{method} is no method"))?;
    *request.uri_mut() = address.parse().with_context(|| format!("{address} is no address"))?;
    Ok(request)
}

/// Returns the texts of all elements with this name. Sufficient for the lists of names that servers return.
pub(super) fn elements(xml: &str, name: &str) -> Vec<String> {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    let parts = xml.split(&open).skip(1).filter_map(|rest| rest.split_once(&close));
    parts.map(|(text, _)| text.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_found_in_their_order() {
        let xml = "<Uploads><Upload><Key>b</Key></Upload><Upload><Key>a</Key></Upload></Uploads>";
        assert_eq!(elements(xml, "Key"), ["b", "a"]);
        assert!(elements(xml, "Name").is_empty());
    }
}
