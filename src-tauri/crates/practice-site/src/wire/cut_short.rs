//! Half an answer.

use super::answer::Unwritten;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::header;
use axum::response::Response;
use futures_util::{StreamExt as _, stream};
use std::io;
use std::time::Duration;

/// What was announced as a whole and ends in the middle. For rehearsals.
pub(crate) async fn cut_short(mut response: Response) -> Response {
    let whole = match response.extensions_mut().remove::<Unwritten>() {
        Some(Unwritten(Ok(said))) => Bytes::from(said.into_text()),
        // A refusal arrives as it is: nothing was done whose answer could be lost.
        Some(refused) => {
            response.extensions_mut().insert(refused);
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
        // Time for the first half to leave; the library drops what it has not sent when a body fails.
        tokio::time::sleep(Duration::from_millis(200)).await;
        Err(io::Error::from(io::ErrorKind::UnexpectedEof))
    };
    *response.body_mut() = Body::from_stream(stream::once(async { Ok(half) }).chain(stream::once(end)));
    response
}
