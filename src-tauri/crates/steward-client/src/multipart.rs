//! Decoding of `multipart` responses.

use std::convert::Infallible;

use bytes::Bytes;
use futures_util::stream;
use reqwest::header::HeaderMap;

/// One part of a multipart response.
pub(crate) struct Part {
    /// Name of the form field. `None` if the part has none.
    pub(crate) name: Option<String>,
    /// Headers of the part.
    pub(crate) headers: HeaderMap,
    /// Content, byte for byte.
    pub(crate) content: Bytes,
}

/// Splits a response body into its parts. `None` if a part is incomplete or the boundary is not the announced one.
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
