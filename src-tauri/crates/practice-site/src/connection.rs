//! Connections: only so many at a time, and each can be reset on demand.

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

/// Far more than any client opens, far fewer than the files that a process may have open.
const AT_ONCE: usize = 200;

/// Lets connections in.
#[derive(Clone)]
pub(crate) struct Door(Arc<Semaphore>);

impl Default for Door {
    fn default() -> Door {
        Door(Arc::new(Semaphore::new(AT_ONCE)))
    }
}

impl<S: Send + 'static> Accept<TcpStream, S> for Door {
    type Stream = Connection;
    type Service = AddExtension<S, ResetSwitch>;
    type Future = BoxFuture<'static, io::Result<(Connection, Self::Service)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        let place = Arc::clone(&self.0).try_acquire_owned();
        async move {
            let place = place.map_err(|_| io::Error::other("too many connections"))?;
            stream.set_nodelay(true)?;
            let switch = ResetSwitch::default();
            let service = Extension(switch.clone()).layer(service);
            Ok((Connection { stream, switch, _place: place }, service))
        }
        .boxed()
    }
}

/// Makes a connection end with a reset the next time something is written to it.
#[derive(Clone, Default)]
pub(crate) struct ResetSwitch(Arc<AtomicBool>);

impl ResetSwitch {
    pub(crate) fn turn(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A connection that holds one of the places.
pub(crate) struct Connection {
    stream: TcpStream,
    switch: ResetSwitch,
    _place: OwnedSemaphorePermit,
}

impl Connection {
    /// An error when the switch was turned. Without lingering the system ends the connection with a reset, and
    /// what was not sent yet is lost.
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
