//! The bytes of a stored upload.

use super::{find_committed, path_of};
use crate::sign_in::{Area, Capability};
use crate::wire::{Answer, Call, Reply};
use anyhow::Context as _;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, Request, header};
use axum::response::IntoResponse as _;
use tower_http::services::ServeFile;

/// What is read from the disk at a time.
const PIECE: usize = 256 * 1024;

/// From the disk to the socket, all of it or the `Range` that is asked for. The ETag is the content's hash: equal
/// tags are equal files, so a client may go on where it was cut off.
pub(crate) async fn download(call: Call, Path(id): Path<String>, headers: HeaderMap) -> Reply {
    call.caller_with(Area::Server, Capability::Administrator).await?;
    let upload = find_committed(&call.app, id).await?;
    let tag = format!("\"{}\"", upload.sha256);
    let mut request = Request::new(());
    // Of another content than the client began with, a part is of no use: it gets the whole.
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
    Ok(Answer::File(response.into_response()))
}

/// A plain name as it is, which every client understands; others in quotes.
fn disposition(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'));
    if plain { format!("attachment; filename={name}") } else { format!("attachment; filename=\"{name}\"") }
}
