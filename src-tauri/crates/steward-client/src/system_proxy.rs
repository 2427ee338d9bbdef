//! Proxy that the system settings select, for diagnostics and after an error.
//!
//! Requests do not use this module: reqwest evaluates the same settings with the same library, after the same
//! exceptions.

use hyper_util::client::proxy::matcher::Matcher;
use url::Url;

use crate::proxy_exceptions::{covers, of_environment};
use crate::proxy_refusal::UsedProxy;
use crate::route::is_this_computer;

/// Route of a request under [`Route::System`](crate::Route::System).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SystemProxy {
    /// To this computer, never through a proxy.
    ThisComputer,
    /// Directly to the site.
    Direct,
    /// Through a proxy.
    Through {
        /// URL with scheme, host and port, without credentials.
        proxy: String,
        /// Whether the settings contain credentials for the proxy.
        with_credentials: bool,
    },
}

/// Returns the proxy of the system for `url`, which no exception covers.
pub(crate) fn used_proxy(url: &Url) -> Option<UsedProxy> {
    let proxy = Matcher::from_system().intercept(&url.as_str().parse().ok()?)?;
    let plain =
        format!("{}://{}", proxy.uri().scheme_str()?, proxy.uri().authority()?.as_str().rsplit('@').next()?);
    let authorization = proxy.basic_auth().cloned();
    Some(UsedProxy { url: plain.parse().ok()?, authorization })
}

/// Returns the route to `url` according to the current environment and system settings.
#[must_use]
pub fn system_proxy(url: &Url) -> SystemProxy {
    if is_this_computer(url) {
        return SystemProxy::ThisComputer;
    }
    if covers(&of_environment(), url) {
        return SystemProxy::Direct;
    }
    proxy_for(&Matcher::from_system(), url)
}

fn proxy_for(settings: &Matcher, url: &Url) -> SystemProxy {
    let Some(proxy) = url.as_str().parse().ok().and_then(|uri| settings.intercept(&uri)) else {
        return SystemProxy::Direct;
    };
    let uri = proxy.uri();
    let port = uri.port_u16().map(|port| format!(":{port}")).unwrap_or_default();
    let place = format!("{}://{}{port}", uri.scheme_str().unwrap_or("http"), uri.host().unwrap_or_default());
    SystemProxy::Through {
        proxy: place,
        with_credentials: proxy.basic_auth().is_some() || proxy.raw_auth().is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxy_is_returned_without_credentials_and_exceptions_apply() {
        let settings = Matcher::builder()
            .all("http://sam:cAnArY7391@proxy.example.org:3128")
            .no("internal.example.org")
            .build();
        let to = |url: &str| proxy_for(&settings, &Url::parse(url).unwrap());

        let through = to("https://gis.example.org/portal");

        let proxy = "http://proxy.example.org:3128".to_owned();
        assert_eq!(through, SystemProxy::Through { proxy, with_credentials: true });
        assert_eq!(to("https://gis.internal.example.org/portal"), SystemProxy::Direct);
    }

    #[test]
    fn this_computer_is_never_reached_through_a_proxy() {
        assert_eq!(system_proxy(&Url::parse("https://localhost:7443/").unwrap()), SystemProxy::ThisComputer);
    }
}
