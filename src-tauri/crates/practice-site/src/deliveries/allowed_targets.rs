//! Targets that payloads can be sent to.

use std::net::SocketAddr;
use url::{Host, Url};

/// Returns the addresses of `receiver` if it is this computer.
///
/// # Errors
/// Returns the reason why nothing is sent. Other host names are not resolved, because a name server is another computer
/// too.
pub(super) async fn on_this_machine(receiver: &Url) -> Result<Vec<SocketAddr>, String> {
    let port = receiver.port_or_known_default().unwrap_or(80);
    let addresses: Vec<SocketAddr> = match receiver.host() {
        Some(Host::Ipv4(address)) => vec![(address, port).into()],
        Some(Host::Ipv6(address)) => vec![(address, port).into()],
        Some(Host::Domain(name)) if name.eq_ignore_ascii_case("localhost") => {
            let found = tokio::net::lookup_host((name, port)).await;
            found.map_err(|cause| format!("localhost has no address: {cause}."))?.collect()
        }
        _ => Vec::new(),
    };
    if !addresses.is_empty() && addresses.iter().all(|address| address.ip().is_loopback()) {
        return Ok(addresses);
    }
    let host = receiver.host_str().unwrap_or("The receiver");
    Err(format!("Nothing was sent: {host} is not this machine, and deliveries do not leave it."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_this_computer_is_an_allowed_target() {
        for near in [
            "http://127.0.0.1/",
            "http://127.9.9.9:81/hook",
            "http://[::1]:81/",
            "https://LOCALHOST/",
            "http://0x7f.1/",
        ] {
            let addresses = on_this_machine(&near.parse().unwrap()).await.unwrap();
            assert!(addresses.iter().all(|address| address.ip().is_loopback()), "{near}");
        }
        for far in [
            "http://192.0.2.1/",
            "http://0.0.0.0/",
            "http://hooks.example.net/",
            "http://localhost.example.net/",
            "http://127.0.0.1.example.net/",
            "http://[2001:db8::1]/",
            "http://[::ffff:192.0.2.1]/",
            "http://[::]/",
        ] {
            let reason = on_this_machine(&far.parse().unwrap()).await.unwrap_err();
            assert!(reason.contains("Nothing was sent"), "{far}: {reason}");
        }
    }
}
