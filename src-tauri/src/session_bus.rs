//! Whether the session of the user is still there, by its message bus: it is how a runner that stays reaches the
//! keyring.

use std::io::{ErrorKind, Result};

/// Returns whether the message bus of the session still takes connections. `true` where it cannot be told: without its
/// address, or on a system without such a bus.
pub(crate) fn is_there() -> bool {
    std::env::var("DBUS_SESSION_BUS_ADDRESS").map_or(true, |addresses| takes_connections(&addresses))
}

/// Returns whether a bus at one of these addresses takes connections. They are as D-Bus writes them:
/// `unix:path=PATH,guid=ID;…`.
fn takes_connections(addresses: &str) -> bool {
    addresses.split(';').filter(|address| !address.is_empty()).any(|address| match connect(address) {
        // A bus that is busy has not ended, and one with an address of another kind might not have.
        Some(Err(error)) => !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::ConnectionRefused),
        Some(Ok(())) | None => true,
    })
}

/// Connects to a socket of this computer, and closes the connection. `None` for an address of another kind.
#[cfg(target_os = "linux")]
fn connect(address: &str) -> Option<Result<()>> {
    use std::os::linux::net::SocketAddrExt as _;
    use std::os::unix::net::{SocketAddr, UnixStream};
    let keys = address.strip_prefix("unix:")?;
    // A name with escaped bytes is not one that a bus chooses by itself, and is left out.
    let (kind, name) = keys
        .split(',')
        .filter(|key| !key.contains('%'))
        .find_map(|key| key.split_once('=').filter(|(kind, _)| matches!(*kind, "path" | "abstract")))?;
    let socket = match kind {
        "path" => SocketAddr::from_pathname(name),
        _ => SocketAddr::from_abstract_name(name),
    };
    Some(socket.and_then(|socket| UnixStream::connect_addr(&socket)).map(drop))
}

#[cfg(not(target_os = "linux"))]
fn connect(_: &str) -> Option<Result<()>> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::linux::net::SocketAddrExt as _;
    use std::os::unix::net::{SocketAddr, UnixListener};

    use super::*;

    #[test]
    fn a_bus_that_has_ended_takes_no_connections_and_what_cannot_be_told_is_no_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bus");
        let by_path = format!("unix:path={},guid=0123", path.display());
        let name = format!("site-steward-test-{}", std::process::id());
        let by_name = format!("unix:abstract={name},guid=0123");
        let buses = (
            UnixListener::bind(&path).unwrap(),
            UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap(),
        );
        for address in [&by_path, &by_name] {
            assert!(takes_connections(address), "{address}");
        }
        drop(buses);
        for address in [&by_path, &by_name] {
            assert!(!takes_connections(address), "{address}");
        }
        std::fs::remove_file(&path).unwrap();
        assert!(!takes_connections(&by_path), "its socket is gone");
        for address in ["tcp:host=localhost,port=4000", "unix:path=/a%20b", &format!("{by_path};tcp:port=1")]
        {
            assert!(takes_connections(address), "{address}");
        }
    }
}
