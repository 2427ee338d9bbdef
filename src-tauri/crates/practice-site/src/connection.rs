//! TCP connections: limited in number, and closed with a reset on demand.

use axum::Extension;
use axum::middleware::AddExtension;
use axum_server::accept::Accept;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower_layer::Layer as _;

/// Maximum number of open connections. More than any client opens, and less than the limit of open files per process.
const MAX_CONNECTIONS: usize = 200;

/// Acceptor that limits the number of connections.
#[derive(Clone)]
pub(crate) struct ConnectionLimit(Arc<Semaphore>);

impl Default for ConnectionLimit {
    fn default() -> ConnectionLimit {
        ConnectionLimit(Arc::new(Semaphore::new(MAX_CONNECTIONS)))
    }
}

impl<S: Send + 'static> Accept<TcpStream, S> for ConnectionLimit {
    type Stream = Connection;
    type Service = AddExtension<S, ResetSwitch>;
    type Future = BoxFuture<'static, io::Result<(Connection, Self::Service)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        let permit = Arc::clone(&self.0).try_acquire_owned();
        async move {
            let permit = permit.map_err(|_| io::Error::other("too many connections"))?;
            stream.set_nodelay(true)?;
            let switch = ResetSwitch::default();
            let service = Extension(switch.clone()).layer(service);
            Ok((Connection { stream, switch, _permit: permit }, service))
        }
        .boxed()
    }
}

/// Switch that makes the next write on a connection reset it.
#[derive(Clone, Default)]
pub(crate) struct ResetSwitch(Arc<AtomicBool>);

impl ResetSwitch {
    pub(crate) fn turn(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Accepted connection with its permit.
pub(crate) struct Connection {
    stream: TcpStream,
    switch: ResetSwitch,
    _permit: OwnedSemaphorePermit,
}

impl Connection {
    /// Returns an error if the switch is on. With a linger time of 0, the operating system sends a reset and discards
    /// unsent data.
    fn check(&self) -> io::Result<()> {
        if self.switch.0.load(Ordering::Relaxed) {
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
