//! Truncated responses.

use super::response::PendingResponse;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::header;
use axum::response::Response;
use futures_util::{StreamExt as _, stream};
use std::io;
use std::time::Duration;

/// Announces the complete response and ends it in the middle, as a simulated fault.
pub(crate) async fn truncate_response(mut response: Response) -> Response {
    let whole = match response.extensions_mut().remove::<PendingResponse>() {
        Some(PendingResponse(Ok(said))) => Bytes::from(said.into_text()),
        // Send errors completely: nothing was done, so there is no result to lose.
        Some(rejected) => {
            response.extensions_mut().insert(rejected);
            return response;
        }
        None => {
            let body = std::mem::take(response.body_mut());
            to_bytes(body, usize::MAX).await.unwrap_or_default()
        }
    };
    response.headers_mut().insert(header::CONTENT_LENGTH, whole.len().into());
    let half = whole.slice(..whole.len() / 2);
    let end = async {
        // Wait until the first half is sent: the library discards unsent data when a body fails.
        tokio::time::sleep(Duration::from_millis(200)).await;
        Err(io::Error::from(io::ErrorKind::UnexpectedEof))
    };
    *response.body_mut() = Body::from_stream(stream::once(async { Ok(half) }).chain(stream::once(end)));
    response
}
