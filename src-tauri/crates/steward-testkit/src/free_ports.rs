//! Ports for servers of tests.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use tokio::net::TcpSocket;

/// Returns ports of this computer that are free now, all different.
pub(crate) fn free_ports<const N: usize>() -> io::Result<[u16; N]> {
    // Keep each port open until all are chosen, so that none is returned twice.
    let mut held = Vec::with_capacity(N);
    let mut ports = [0; N];
    for port in &mut ports {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        *port = listener.local_addr()?.port();
        held.push(listener);
    }
    Ok(ports)
}

/// Port of this computer where nothing listens, and nothing else can as long as this is held: another test might.
pub struct ClosedPort {
    address: SocketAddr,
    _bound: TcpSocket,
}

impl ClosedPort {
    /// Takes a port.
    ///
    /// # Panics
    /// Panics if there is none.
    #[must_use]
    #[expect(clippy::expect_used, reason = "a computer without a free port runs no test")]
    #[expect(clippy::new_without_default, reason = "it takes a port")]
    pub fn new() -> Self {
        let bound = TcpSocket::new_v4().expect("a socket");
        bound.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).expect("a free port");
        Self { address: bound.local_addr().expect("a port"), _bound: bound }
    }

    /// Returns the address of the port.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}
