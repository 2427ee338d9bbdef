//! Responses of several parts.

use std::convert::Infallible;

use bytes::Bytes;
use futures_util::stream;
use reqwest::header::HeaderMap;

/// One part.
pub(crate) struct Part {
    /// The name of the field, where it has one.
    pub(crate) name: Option<String>,
    /// Its headers.
    pub(crate) headers: HeaderMap,
    /// Its content, byte for byte.
    pub(crate) content: Bytes,
}

/// Takes a response apart; `None` where a part is incomplete or the boundary is not the one that was announced.
pub(crate) async fn parts(body: Vec<u8>, boundary: String) -> Option<Vec<Part>> {
    if boundary.is_empty() {
        return None;
    }
    let whole = stream::iter([Ok::<_, Infallible>(Bytes::from(body))]);
    let mut multipart = multer::Multipart::new(whole, boundary);
    let mut parts = Vec::new();
    while let Some(field) = multipart.next_field().await.ok()? {
        let (name, headers) = (field.name().map(str::to_owned), field.headers().clone());
        parts.push(Part { name, headers, content: field.bytes().await.ok()? });
    }
    Some(parts)
}
