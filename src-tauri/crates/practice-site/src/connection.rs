//! TCP connections: limited in number, and closed with a reset on demand.
//!
//! Connections without a complete request do not keep other clients out: if the limit is reached, the oldest of them is closed
//! for the next one.

use axum::Extension;
use axum::body::Body;
use axum::extract::Request;
use axum::middleware::{AddExtension, Next};
use axum::response::Response;
use axum_server::accept::Accept;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use futures_util::task::AtomicWaker;
use http_body_util::BodyExt as _;
use std::collections::VecDeque;
use std::io;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tower_layer::Layer as _;

/// Maximum number of open connections. More than any client opens, and less than the limit of open files per process.
const MAX_CONNECTIONS: usize = 200;

/// Longest time that a new connection waits for one of those with a request to end.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Acceptor that limits the number of connections.
#[derive(Clone)]
pub(crate) struct ConnectionLimit {
    permits: Arc<Semaphore>,
    /// Open connections, oldest first. Closed ones are removed when the next one is accepted.
    open: Arc<Mutex<VecDeque<Weak<State>>>>,
    /// Notified when a connection has no request any more.
    unused: Arc<Notify>,
}

impl Default for ConnectionLimit {
    fn default() -> ConnectionLimit {
        ConnectionLimit {
            permits: Arc::new(Semaphore::new(MAX_CONNECTIONS)),
            open: Arc::default(),
            unused: Arc::default(),
        }
    }
}

impl ConnectionLimit {
    /// Waits for a permit, and closes connections without a request for it.
    async fn permit(&self) -> io::Result<OwnedSemaphorePermit> {
        let mut permit = pin!(Arc::clone(&self.permits).acquire_owned());
        loop {
            if self.permits.available_permits() == 0 {
                self.make_room();
            }
            tokio::select! {
                biased;
                permit = &mut permit => return permit.map_err(io::Error::other),
                () = self.unused.notified() => (),
            }
        }
    }

    /// Closes the oldest connection without a request, if there is one.
    fn make_room(&self) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = open.iter().filter_map(Weak::upgrade).find(|state| {
            state.requests.load(Ordering::Acquire) == 0 && !state.is_closed.load(Ordering::Acquire)
        });
        if let Some(state) = idle {
            state.is_closed.store(true, Ordering::Release);
            state.reader.wake();
        }
    }

    fn remember(&self, state: &Arc<State>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|state| state.strong_count() > 0);
        open.push_back(Arc::downgrade(state));
    }
}

impl<S: Send + 'static> Accept<TcpStream, S> for ConnectionLimit {
    type Stream = Connection;
    type Service = AddExtension<S, Arc<State>>;
    type Future = BoxFuture<'static, io::Result<(Connection, Self::Service)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        let limit = self.clone();
        async move {
            let permit = tokio::time::timeout(LONGEST_WAIT, limit.permit()).await;
            let permit = permit.map_err(|_| io::Error::other("too many connections"))??;
            stream.set_nodelay(true)?;
            let state = Arc::new(State { unused: Arc::clone(&limit.unused), ..State::default() });
            limit.remember(&state);
            let service = Extension(Arc::clone(&state)).layer(service);
            Ok((Connection { stream, state, _permit: permit }, service))
        }
        .boxed()
    }
}

/// Facts of a connection.
#[derive(Default)]
pub(crate) struct State {
    /// Number of requests that were read and whose response is not complete.
    requests: AtomicUsize,
    /// Whether it was closed for another one.
    is_closed: AtomicBool,
    /// Task that waits for the next bytes.
    reader: AtomicWaker,
    resets: AtomicBool,
    unused: Arc<Notify>,
}

impl State {
    /// Makes the next write on the connection reset it.
    pub(crate) fn reset(&self) {
        self.resets.store(true, Ordering::Relaxed);
    }
}

/// Marks the connection as one with a request until the response is complete.
pub(crate) async fn mark_as_used(
    Extension(state): Extension<Arc<State>>,
    request: Request,
    next: Next,
) -> Response {
    let used = Used::of(state);
    next.run(request).await.map(|body| {
        Body::new(body.map_frame(move |frame| {
            let _ = &used;
            frame
        }))
    })
}

/// A request on a connection, until it is dropped.
struct Used(Arc<State>);

impl Used {
    fn of(state: Arc<State>) -> Used {
        state.requests.fetch_add(1, Ordering::AcqRel);
        Used(state)
    }
}

impl Drop for Used {
    fn drop(&mut self) {
        if self.0.requests.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.unused.notify_one();
        }
    }
}

/// Accepted connection with its permit.
pub(crate) struct Connection {
    stream: TcpStream,
    state: Arc<State>,
    _permit: OwnedSemaphorePermit,
}

impl Connection {
    /// Returns an error if the connection is to be reset. With a linger time of 0, the operating system sends a reset and
    /// discards unsent data.
    fn check(&self) -> io::Result<()> {
        if self.state.resets.load(Ordering::Relaxed) {
            self.stream.set_zero_linger()?;
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        Ok(())
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.state.reader.register(cx.waker());
        // After the registration: it might have been closed in between.
        if self.state.is_closed.load(Ordering::Acquire) {
            return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
        }
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.check()?;
        Pin::new(&mut self.stream).poll_write_vectored(cx, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
