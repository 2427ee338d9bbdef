//! Download of a server upload.

use super::stored::{find_committed, path_of};
use crate::sign_in::{Capability, Component};
use crate::wire::{ApiResponse, Reply, RequestContext};
use anyhow::Context as _;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, Request, header};
use axum::response::IntoResponse as _;
use tower_http::services::ServeFile;

/// Size of a read buffer, in bytes.
const PIECE: usize = 256 * 1024;

/// Streams the file, or the requested `Range`. The ETag is the SHA-256 of the content, so equal tags mean equal files
/// and clients can resume.
pub(crate) async fn download(call: RequestContext, Path(id): Path<String>, headers: HeaderMap) -> Reply {
    call.caller_with(Component::Server, Capability::Administrator).await?;
    let upload = find_committed(&call.app, id).await?;
    let tag = format!("\"{}\"", upload.sha256);
    let mut request = Request::new(());
    // If the content differs from the client's, ignore the range and send the complete file.
    let same_content = headers.get(header::IF_RANGE).is_none_or(|known| known.as_bytes() == tag.as_bytes());
    if let Some(range) = headers.get(header::RANGE).filter(|_| same_content) {
        request.headers_mut().insert(header::RANGE, range.clone());
    }
    let mut file = ServeFile::new(path_of(&call.app, &upload)).with_buf_chunk_size(PIECE);
    let mut response = file.try_call(request).await.context("a stored upload cannot be read")?;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    for (name, value) in [(header::ETAG, tag), (header::CONTENT_DISPOSITION, disposition(&upload.name))] {
        headers.insert(name, HeaderValue::from_str(&value).context("an upload's name")?);
    }
    Ok(ApiResponse::File(response.into_response()))
}

/// Returns the header value. A plain name is not quoted, because every client accepts that.
fn disposition(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'));
    if plain { format!("attachment; filename={name}") } else { format!("attachment; filename=\"{name}\"") }
}
