//! Network route to a site: system proxy, no proxy, or a given proxy.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderValue;
use steward_vault::Secret;
use url::Url;

use crate::proxy_exceptions;
use crate::proxy_refusal::UsedProxy;
use crate::setup_fault::SetupFault;

/// Network route to a site. Connections to this computer never use a proxy.
#[derive(Debug, Clone, Default)]
pub enum Route {
    /// Proxy settings of the system; environment variables have priority.
    #[default]
    System,
    /// Direct connection, without a proxy.
    Direct,
    /// One given proxy.
    Proxy {
        /// URL without credentials, for example `http://proxy.example.org:3128`. Scheme `http` or `https`.
        url: Url,
        /// User name at the proxy; empty for no authentication.
        user: String,
        /// Password at the proxy.
        password: Secret<String>,
        /// Hosts that are reached directly, each as an entry of `NO_PROXY`.
        exceptions: Vec<String>,
    },
}

/// Proxy setting of a library client. `exceptions` are those of [`covers`](crate::proxy_exceptions::covers).
#[derive(Debug, Clone)]
pub(crate) enum ProxySetting {
    System { exceptions: String },
    Direct,
    Through { proxy: Box<reqwest::Proxy>, used: UsedProxy, exceptions: String },
}

impl Route {
    /// Converts the route to a setting of the HTTP library.
    pub(crate) fn proxy_setting(&self) -> Result<ProxySetting, SetupFault> {
        let (url, user, password, exceptions) = match self {
            Self::System => {
                return Ok(ProxySetting::System { exceptions: proxy_exceptions::of_environment() });
            }
            Self::Direct => return Ok(ProxySetting::Direct),
            Self::Proxy { url, user, password, exceptions } => (url, user, password, exceptions),
        };
        // Credentials in the URL would be visible wherever the URL is shown.
        let is_plain = url.username().is_empty() && url.password().is_none();
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() || !is_plain {
            return Err(SetupFault::ProxyAddress);
        }
        let mut proxy = reqwest::Proxy::all(url.clone()).map_err(|_| SetupFault::ProxyAddress)?;
        let mut authorization = None;
        if !user.is_empty() {
            proxy = proxy.basic_auth(user, password.expose());
            authorization = basic(user, password);
        }
        let used = UsedProxy { url: url.clone(), authorization };
        Ok(ProxySetting::Through { proxy: Box::new(proxy), used, exceptions: exceptions.join(",") })
    }
}

/// Returns the header value of a user name and password (RFC 7617).
fn basic(user: &str, password: &Secret<String>) -> Option<HeaderValue> {
    let text = STANDARD.encode(format!("{user}:{}", password.expose()));
    let mut value = HeaderValue::from_str(&format!("Basic {text}")).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// Returns whether a URL is on this computer, so that no data crosses the network.
#[must_use]
pub fn is_this_computer(url: &Url) -> bool {
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

    fn proxy(url: &str) -> Result<ProxySetting, SetupFault> {
        let url = Url::parse(url).unwrap();
        let password = Secret::new(String::new());
        Route::Proxy { url, user: String::new(), password, exceptions: Vec::new() }.proxy_setting()
    }

    #[test]
    fn proxy_url_with_credentials_or_other_scheme_is_rejected() {
        assert!(matches!(proxy("http://proxy.example.org:3128"), Ok(ProxySetting::Through { .. })));
        for wrong in ["http://me:secret@proxy.example.org", "ftp://proxy.example.org", "data:,x"] {
            assert!(matches!(proxy(wrong), Err(SetupFault::ProxyAddress)), "{wrong}");
        }
    }

    #[test]
    fn this_computer_is_recognized_by_name_and_by_address() {
        let here = |url: &str| is_this_computer(&Url::parse(url).unwrap());
        assert!(here("http://localhost:8080/") && here("http://127.0.0.2/") && here("http://[::1]/"));
        assert!(!here("http://localhost.example.org/") && !here("http://10.0.0.1/"));
    }
}
