//! Ports for servers of tests.

use std::io;
use std::net::{Ipv4Addr, TcpListener};

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

/// Returns a port of this computer where nothing listens.
///
/// # Panics
/// Panics if there is none.
#[must_use]
#[expect(clippy::expect_used, reason = "a computer without a free port runs no test")]
pub fn free_port() -> u16 {
    let [port] = free_ports().expect("a free port");
    port
}
