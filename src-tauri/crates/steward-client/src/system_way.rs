//! Which way the system's settings lead, for whoever is to be told. Requests find it by themselves, with the same
//! library.

use hyper_util::client::proxy::matcher::Matcher;
use url::Url;

use crate::route::is_this_computer;

/// The way that a request takes when nothing but the system says which.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SystemWay {
    /// To this computer itself, never through a proxy.
    ThisComputer,
    /// Straight to the site.
    Direct,
    /// Through a proxy.
    Through {
        /// Scheme, host and port, without credentials.
        proxy: String,
        /// Whether the settings hold a name and a password for it.
        with_credentials: bool,
    },
}

/// The way to `url`, by the environment or the system's settings as they are now.
#[must_use]
pub fn system_way(url: &Url) -> SystemWay {
    if is_this_computer(url) {
        return SystemWay::ThisComputer;
    }
    way(&Matcher::from_system(), url)
}

fn way(settings: &Matcher, url: &Url) -> SystemWay {
    let Some(proxy) = url.as_str().parse().ok().and_then(|uri| settings.intercept(&uri)) else {
        return SystemWay::Direct;
    };
    let uri = proxy.uri();
    let port = uri.port_u16().map(|port| format!(":{port}")).unwrap_or_default();
    let place = format!("{}://{}{port}", uri.scheme_str().unwrap_or("http"), uri.host().unwrap_or_default());
    SystemWay::Through {
        proxy: place,
        with_credentials: proxy.basic_auth().is_some() || proxy.raw_auth().is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_named_without_its_credentials_and_its_exceptions_count() {
        let settings = Matcher::builder()
            .all("http://sam:cAnArY7391@proxy.example.org:3128")
            .no("internal.example.org")
            .build();
        let to = |url: &str| way(&settings, &Url::parse(url).unwrap());

        let through = to("https://gis.example.org/portal");

        let proxy = "http://proxy.example.org:3128".to_owned();
        assert_eq!(through, SystemWay::Through { proxy, with_credentials: true });
        assert_eq!(to("https://gis.internal.example.org/portal"), SystemWay::Direct);
    }

    #[test]
    fn this_computer_is_asked_directly_whatever_is_set() {
        assert_eq!(system_way(&Url::parse("https://localhost:7443/").unwrap()), SystemWay::ThisComputer);
    }
}
