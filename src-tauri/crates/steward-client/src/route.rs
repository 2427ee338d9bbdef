//! The way to a site: the system's proxy, none, or one of our own.

use steward_vault::Secret;
use url::Url;

use crate::error::SetupFault;

/// The way to a site. This computer itself is always spoken to directly.
#[derive(Debug, Clone, Default)]
pub enum Route {
    /// As the system is set up, environment variables first.
    #[default]
    System,
    /// Straight to the site.
    Direct,
    /// Through one proxy.
    Proxy {
        /// Its address, as in `http://proxy.example.org:3128`.
        url: Url,
        /// Name to give there; empty for none.
        user: String,
        /// Password to give there.
        password: Secret<String>,
        /// Hosts to speak to directly: names with all below them, addresses, and ranges as in `10.0.0.0/8`.
        exceptions: Vec<String>,
    },
}

/// What a client is told about proxies.
#[derive(Debug, Clone)]
pub(crate) enum Way {
    System,
    Direct,
    Through(Box<reqwest::Proxy>),
}

impl Route {
    pub(crate) fn way(&self) -> Result<Way, SetupFault> {
        let (url, user, password, exceptions) = match self {
            Self::System => return Ok(Way::System),
            Self::Direct => return Ok(Way::Direct),
            Self::Proxy { url, user, password, exceptions } => (url, user, password, exceptions),
        };
        // Credentials in the address would be shown wherever the address is.
        let is_plain = url.username().is_empty() && url.password().is_none();
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() || !is_plain {
            return Err(SetupFault::ProxyAddress);
        }
        let mut proxy = reqwest::Proxy::all(url.clone()).map_err(|_| SetupFault::ProxyAddress)?;
        if !user.is_empty() {
            proxy = proxy.basic_auth(user, password.expose());
        }
        // `*.example.org` is how browsers write it.
        let hosts: Vec<_> = exceptions.iter().map(|host| host.trim().trim_start_matches("*.")).collect();
        let proxy = proxy.no_proxy(reqwest::NoProxy::from_string(&hosts.join(",")));
        Ok(Way::Through(Box::new(proxy)))
    }
}

/// Whether an address is on this computer, where nobody else listens.
pub(crate) fn is_this_computer(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxy(url: &str) -> Result<Way, SetupFault> {
        let url = Url::parse(url).unwrap();
        let password = Secret::new(String::new());
        Route::Proxy { url, user: String::new(), password, exceptions: Vec::new() }.way()
    }

    #[test]
    fn a_proxy_is_an_address_without_credentials() {
        assert!(matches!(proxy("http://proxy.example.org:3128"), Ok(Way::Through(_))));
        for wrong in ["http://me:secret@proxy.example.org", "ftp://proxy.example.org", "data:,x"] {
            assert!(matches!(proxy(wrong), Err(SetupFault::ProxyAddress)), "{wrong}");
        }
    }

    #[test]
    fn this_computer_is_known_by_name_and_by_address() {
        let here = |url: &str| is_this_computer(&Url::parse(url).unwrap());
        assert!(here("http://localhost:8080/") && here("http://127.0.0.2/") && here("http://[::1]/"));
        assert!(!here("http://localhost.example.org/") && !here("http://10.0.0.1/"));
    }
}
