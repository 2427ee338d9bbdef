//! A real receiver of webhooks on this machine. It writes down everything that reaches it.

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::TcpListener;

/// One request as it came in.
#[derive(Clone)]
pub(crate) struct Received {
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Received {
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

pub(crate) struct Receiver {
    port: u16,
    state: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    received: Mutex<Vec<Received>>,
    /// The HTTP status to answer with; 0 never answers.
    answer: AtomicU16,
    /// Requests that wait for an answer.
    open: AtomicUsize,
}

/// The answer that never comes.
pub(crate) const SILENCE: u16 = 0;

impl Receiver {
    pub(crate) async fn that_answers(status: u16) -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(Shared { answer: status.into(), ..Shared::default() });
        let service = Router::new().fallback(receive).with_state(Arc::clone(&state));
        tokio::spawn(async move { axum::serve(listener, service).await });
        Receiver { port, state }
    }

    pub(crate) fn answers(&self, status: u16) {
        self.state.answer.store(status, Ordering::SeqCst);
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}/{path}", self.port)
    }

    #[cfg(target_os = "linux")]
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// How many requests have come in, wherever they went.
    pub(crate) fn requests(&self) -> usize {
        self.state.received.lock().unwrap().len()
    }

    /// What has reached this path.
    pub(crate) fn at(&self, path: &str) -> Vec<Received> {
        let received = self.state.received.lock().unwrap();
        received.iter().filter(|one| one.path == format!("/{path}")).cloned().collect()
    }

    /// Waits until this many requests have reached the path.
    pub(crate) async fn wait_for(&self, path: &str, count: usize) -> Vec<Received> {
        until(&format!("{count} requests at {path}"), async || self.at(path).len() >= count).await;
        self.at(path)
    }

    /// Waits until this many requests are waiting for an answer.
    pub(crate) async fn wait_for_open(&self, count: usize) {
        until(&format!("{count} open requests"), async || self.state.open.load(Ordering::SeqCst) == count)
            .await;
    }
}

/// Waits for a condition, half a minute at most.
pub(crate) async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    for _ in 0..1500 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("waited in vain for {what}");
}

struct Open(Arc<Shared>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::SeqCst);
    }
}

async fn receive(State(state): State<Arc<Shared>>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    state.open.fetch_add(1, Ordering::SeqCst);
    let _open = Open(Arc::clone(&state));
    let body = String::from_utf8(body.to_vec()).unwrap();
    state.received.lock().unwrap().push(Received { path: uri.path().to_owned(), headers, body });
    match state.answer.load(Ordering::SeqCst) {
        SILENCE => std::future::pending().await,
        status if (300..400).contains(&status) => {
            (StatusCode::from_u16(status).unwrap(), [("Location", "/elsewhere")]).into_response()
        }
        status => StatusCode::from_u16(status).unwrap().into_response(),
    }
}
