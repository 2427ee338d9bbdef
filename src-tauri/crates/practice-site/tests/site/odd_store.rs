//! A store that behaves as some real ones do and the installed ones do not: nobody may delete anything in it, and what
//! it sends has no end. It speaks as much of S3 and of blobs as these situations need.

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use futures_util::stream;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;

/// What it says that an object holds, and what it sends at most before it hangs up.
const SAID: u64 = 1 << 40;
const SENT_AT_MOST: u64 = 256 << 20;
const PIECE: usize = 1 << 20;

pub(crate) struct OddStore {
    pub(crate) endpoint: String,
    state: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    asked: Mutex<Vec<String>>,
    sent: AtomicU64,
}

impl OddStore {
    pub(crate) async fn start() -> OddStore {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Shared::default());
        let service = Router::new().fallback(answer).with_state(Arc::clone(&state));
        tokio::spawn(async move { axum::serve(listener, service).await });
        OddStore { endpoint, state }
    }

    /// Methods, paths and queries of everything that was asked.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.state.asked.lock().unwrap().clone()
    }

    /// Bytes of objects that were sent.
    pub(crate) fn sent(&self) -> u64 {
        self.state.sent.load(Ordering::Relaxed)
    }
}

async fn answer(State(state): State<Arc<Shared>>, request: Request) -> Response {
    state.asked.lock().unwrap().push(format!("{} {}", request.method(), request.uri()));
    let is_conditional = request.headers().contains_key("if-match");
    match *request.method() {
        Method::PUT if is_conditional => StatusCode::PRECONDITION_FAILED.into_response(),
        Method::POST => {
            "<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>"
                .into_response()
        }
        Method::DELETE => (StatusCode::FORBIDDEN, "<Error><Code>AccessDenied</Code></Error>").into_response(),
        Method::GET => without_end(&state),
        _ => [("ETag", "\"e\"")].into_response(),
    }
}

fn without_end(state: &Arc<Shared>) -> Response {
    let state = Arc::clone(state);
    let pieces = stream::unfold(state, |state| async move {
        let sent = state.sent.fetch_add(PIECE as u64, Ordering::Relaxed);
        let piece = if sent < SENT_AT_MOST {
            Ok(Bytes::from(vec![0; PIECE]))
        } else {
            Err(io::Error::other("enough"))
        };
        Some((piece, state))
    });
    Response::builder()
        .header("Content-Length", SAID)
        .header("ETag", "\"e\"")
        .header("Last-Modified", "Wed, 21 Oct 2015 07:28:00 GMT")
        .body(Body::from_stream(pieces))
        .unwrap()
}
