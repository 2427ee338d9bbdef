//! Ports for servers of tests.

use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::ops::Range;

use tokio::net::TcpSocket;
use uuid::Uuid;

/// Ports that no system chooses for a socket without a port of its own. Between the choice of a port here and the start of
/// its server, seconds later, a site of another test could get it otherwise, and answer in place of the server.
const NEVER_CHOSEN: Range<u16> = 20_000..32_000;

/// Number of ports that are tried. Few are in use.
const TRIES: u32 = 100;

/// Returns a port of this computer that is free now. Only a server of another test that was started in the same way can
/// take it.
pub(crate) fn free_port() -> io::Result<u16> {
    for _ in 0..TRIES {
        let [first, second, ..] = *Uuid::new_v4().as_bytes();
        let random = u16::from_le_bytes([first, second]);
        let port = NEVER_CHOSEN.start + random % (NEVER_CHOSEN.end - NEVER_CHOSEN.start);
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return Ok(port);
        }
    }
    Err(ErrorKind::AddrInUse.into())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_of_a_server_is_never_one_that_the_system_gives_to_another_socket() {
        let by_system = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let port = free_port().unwrap();
        assert!(NEVER_CHOSEN.contains(&port) && !NEVER_CHOSEN.contains(&by_system), "{port}, {by_system}");
    }
}
