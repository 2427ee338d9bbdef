//! Reading of a pasted URL, and the endpoint roots it might mean.
//!
//! [`Pasted::parse`] reads the text, [`Pasted::roots`] returns the candidates. [`secure`] converts every URL to one
//! that a token can be sent to.

use url::{Host, Url};

/// Common contexts of portals and servers.
const USUAL_CONTEXTS: [&str; 4] = ["portal", "server", "arcgis", ""];

/// Port of a portal without its web adaptor.
const PORTAL_PORT: u16 = 7443;
/// Port of a server without its web adaptor.
const SERVER_PORT: u16 = 6443;
/// Ports of Notebook Server and Mission Server without their web adaptors.
const OTHER_SERVER_PORTS: [u16; 2] = [11443, 20443];

/// First path segments after the context. They show which component the URL belongs to.
const PORTAL_PAGES: [&str; 6] = ["home", "portaladmin", "sharing", "apps", "portalhelp", "webadaptor"];
const SERVER_PAGES: [&str; 7] = ["admin", "manager", "rest", "services", "tokens", "help", "login"];

/// Component that a pasted URL belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hint {
    /// Not determined by the URL.
    Unknown,
    /// Page of a portal.
    Portal,
    /// Page of a server, or of the administration of Kubernetes.
    Server,
    /// Organization hosted by the vendor.
    Online,
}

/// Pasted URL, split into its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pasted {
    /// Scheme, host and port.
    pub origin: Url,
    /// Path up to the first known page. `None` if only a host was given.
    pub context: Option<String>,
    /// Component that the URL belongs to.
    pub hint: Hint,
    /// Same origin over plain HTTP. `None` unless the host is this computer and no scheme was given.
    plain: Option<Url>,
}

/// Reason why a text is not the URL of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAnAddress {
    /// The text is empty.
    #[error("there is no address")]
    Empty,
    /// The text is not a URL.
    #[error("this is no address of a site")]
    Unreadable,
    /// The scheme is neither `http` nor `https`, for example `file:` or `mailto:`.
    #[error("a site is reached over https")]
    Scheme,
}

impl Pasted {
    /// Reads a pasted text. Credentials, query and fragment are dropped. `http` becomes `https`, except on this
    /// computer.
    ///
    /// # Errors
    /// - [`NotAnAddress::Empty`] if the text is empty.
    /// - [`NotAnAddress::Unreadable`] if it is not a URL, contains white space, or is an email address.
    /// - [`NotAnAddress::Scheme`] if the scheme is not `http` or `https`, or there is no host.
    pub fn parse(text: &str) -> Result<Self, NotAnAddress> {
        let text = text.trim().trim_matches(['<', '>', '"', '\'']).trim();
        if text.is_empty() {
            return Err(NotAnAddress::Empty);
        }
        let has_scheme = text.contains("://");
        // Without a scheme, a text with `@` is an email address.
        if text.contains(char::is_whitespace) || (!has_scheme && text.contains('@')) {
            return Err(NotAnAddress::Unreadable);
        }
        let whole = if has_scheme { text.to_owned() } else { format!("https://{text}") };
        let url = Url::parse(&whole).map_err(|_| NotAnAddress::Unreadable)?;
        let mut origin = secure(&url).ok_or(NotAnAddress::Scheme)?;
        origin.set_path("/");
        if is_online(&origin) {
            // The bare domain only redirects to `www`.
            if origin.host_str() == Some("arcgis.com") {
                origin.set_host(Some("www.arcgis.com")).map_err(|_| NotAnAddress::Unreadable)?;
            }
            return Ok(Self { origin, context: None, hint: Hint::Online, plain: None });
        }
        let (context, by_page) = context(&url);
        let hint = match origin.port() {
            _ if by_page != Hint::Unknown => by_page,
            Some(PORTAL_PORT) => Hint::Portal,
            Some(port) if is_server_port(port) => Hint::Server,
            _ => Hint::Unknown,
        };
        let plain = (!has_scheme && is_this_machine(&origin)).then(|| with_scheme(&origin, "http")).flatten();
        Ok(Self { origin, context, hint, plain })
    }

    /// Returns the endpoint roots that the URL might mean, the most probable first.
    #[must_use]
    pub fn roots(&self) -> Vec<Url> {
        if self.hint == Hint::Online {
            return vec![self.origin.clone()];
        }
        let direct_port = self.origin.port().is_some_and(|port| port == PORTAL_PORT || is_server_port(port));
        let contexts: Vec<&str> = match &self.context {
            Some(context) => vec![context],
            // On these ports, the products listen without a web adaptor, and `arcgis` is the only context.
            None if direct_port => vec!["arcgis"],
            None => USUAL_CONTEXTS.to_vec(),
        };
        let origins = [Some(&self.origin), self.plain.as_ref()];
        let mut roots: Vec<Url> = origins
            .into_iter()
            .flatten()
            .flat_map(|origin| contexts.iter().map(move |context| with_path(origin, context)))
            .collect();
        if self.origin.port().is_none() {
            let direct = |port| {
                let mut origin = self.origin.clone();
                // Fails only for URLs without a host.
                let _ = origin.set_port(Some(port));
                with_path(&origin, "arcgis")
            };
            if self.hint != Hint::Server {
                roots.push(direct(PORTAL_PORT));
            }
            if self.hint != Hint::Portal {
                roots.push(direct(SERVER_PORT));
            }
        }
        roots
    }
}

/// Returns the URL over HTTPS, without credentials, query and fragment. On this computer, `http` is kept.
///
/// The HTTP ports of the products become their HTTPS ports (7080 to 7443, 6080 to 6443). Returns `None` for other
/// schemes and without a host.
#[must_use]
pub fn secure(url: &Url) -> Option<Url> {
    url.host_str().filter(|host| !host.is_empty())?;
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    match url.scheme() {
        "https" => Some(url),
        "http" if is_this_machine(&url) => Some(url),
        "http" => {
            let port = match url.port() {
                Some(7080) => Some(PORTAL_PORT),
                Some(6080) => Some(SERVER_PORT),
                other => other,
            };
            let mut url = with_scheme(&url, "https")?;
            url.set_port(port).ok()?;
            Some(url)
        }
        _ => None,
    }
}

/// Returns whether a URL bypasses web adaptors by itself: its port is one of the products', or its host is this
/// computer. For other ports, the portal's list of servers decides.
#[must_use]
pub fn is_own_address(url: &Url) -> bool {
    url.port().is_some_and(is_server_port) || is_this_machine(url)
}

pub(super) fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

pub(super) fn is_server_port(port: u16) -> bool {
    port == SERVER_PORT || OTHER_SERVER_PORTS.contains(&port)
}

pub(super) const fn is_portal_port(port: u16) -> bool {
    port == PORTAL_PORT
}

/// Returns `https://host:port/some/context`, without a trailing slash.
pub(super) fn with_path(origin: &Url, context: &str) -> Url {
    let mut url = origin.clone();
    url.set_path(context.trim_matches('/'));
    url
}

fn with_scheme(url: &Url, scheme: &str) -> Option<Url> {
    let mut url = url.clone();
    url.set_scheme(scheme).ok()?;
    Some(url)
}

fn is_online(origin: &Url) -> bool {
    let host = origin.host_str().unwrap_or_default();
    host == "arcgis.com" || host == "www.arcgis.com" || host.ends_with(".maps.arcgis.com")
}

/// Returns the context of a URL and the component of the page after it.
fn context(url: &Url) -> (Option<String>, Hint) {
    let segments: Vec<&str> =
        url.path_segments().into_iter().flatten().filter(|segment| !segment.is_empty()).collect();
    let page = segments.iter().position(|segment| {
        let segment = segment.to_ascii_lowercase();
        PORTAL_PAGES.contains(&segment.as_str()) || SERVER_PAGES.contains(&segment.as_str())
    });
    if let Some(page) = page {
        let is_portal = PORTAL_PAGES.contains(&segments[page].to_ascii_lowercase().as_str());
        let hint = if is_portal { Hint::Portal } else { Hint::Server };
        return (Some(segments[..page].join("/")), hint);
    }
    // A page of its own at the end of the path, for example `index.html`.
    let end = segments.iter().position(|segment| segment.contains('.')).unwrap_or(segments.len());
    let context = segments[..end].join("/");
    ((!context.is_empty()).then_some(context), Hint::Unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roots(text: &str) -> Vec<String> {
        Pasted::parse(text).unwrap().roots().iter().map(Url::to_string).collect()
    }

    #[test]
    fn pasted_urls_give_the_expected_roots() {
        let portal = ["https://gis.example.org/portal", "https://gis.example.org:7443/arcgis"].as_slice();
        let server = ["https://gis.example.org/server", "https://gis.example.org:6443/arcgis"].as_slice();
        let host = [
            "https://gis.example.org/portal",
            "https://gis.example.org/server",
            "https://gis.example.org/arcgis",
            "https://gis.example.org/",
            "https://gis.example.org:7443/arcgis",
            "https://gis.example.org:6443/arcgis",
        ]
        .as_slice();
        let context = [
            "https://gis.example.org/city/gis",
            "https://gis.example.org:7443/arcgis",
            "https://gis.example.org:6443/arcgis",
        ]
        .as_slice();
        let direct_portal = ["https://gis.example.org:7443/arcgis"].as_slice();
        let direct_server = ["https://gis.example.org:6443/arcgis"].as_slice();
        let online = ["https://city.maps.arcgis.com/"].as_slice();
        for (text, expected) in [
            ("gis.example.org", host),
            ("  GIS.example.org/ \n", host),
            ("<https://gis.example.org>", host),
            ("https://gis.example.org/index.html", host),
            ("http://gis.example.org", host),
            ("gis.example.org/city/gis/", context),
            ("gis.example.org/portal/home", portal),
            ("https://gis.example.org/portal/home/index.html#overview", portal),
            ("https://gis.example.org/portal/home/item.html?id=1&token=canary", portal),
            ("https://gis.example.org/portal/portaladmin/", portal),
            ("https://gis.example.org/portal/sharing/rest/portals/self?f=pjson", portal),
            ("https://steward:canary@gis.example.org/portal/apps/webappviewer", portal),
            ("https://gis.example.org/server/admin", server),
            ("https://gis.example.org/server/admin/services/Parcels", server),
            ("https://gis.example.org/server/manager/", server),
            ("https://gis.example.org/server/rest/services", server),
            ("gis.example.org:7443", direct_portal),
            ("gis.example.org:7443/arcgis/portaladmin", direct_portal),
            ("http://gis.example.org:7080/arcgis/home", direct_portal),
            ("gis.example.org:6443/arcgis", direct_server),
            ("http://gis.example.org:6080/arcgis/manager", direct_server),
            ("gis.example.org:11443", &["https://gis.example.org:11443/arcgis"]),
            ("city.maps.arcgis.com", online),
            ("https://city.maps.arcgis.com/home/organization.html#status", online),
            ("http://www.arcgis.com/home/index.html", &["https://www.arcgis.com/"]),
            ("arcgis.com", &["https://www.arcgis.com/"]),
            ("http://localhost:4443/portal/home", &["http://localhost:4443/portal"]),
            ("https://127.0.0.1:4443/server/admin", &["https://127.0.0.1:4443/server"]),
            ("127.0.0.1:4443/portal", &["https://127.0.0.1:4443/portal", "http://127.0.0.1:4443/portal"]),
            ("[::1]:4443/sharing/rest", &["https://[::1]:4443/", "http://[::1]:4443/"]),
            ("https://gis.example.org:8443/gis/admin", &["https://gis.example.org:8443/gis"]),
        ] {
            assert_eq!(roots(text), expected, "{text}");
        }
    }

    #[test]
    fn texts_without_a_site_url_are_rejected() {
        for (text, why) in [
            ("", NotAnAddress::Empty),
            (" \n", NotAnAddress::Empty),
            ("the new portal", NotAnAddress::Unreadable),
            ("https://", NotAnAddress::Unreadable),
            ("file:///C:/sites/portal.html", NotAnAddress::Scheme),
            ("ftp://gis.example.org", NotAnAddress::Scheme),
            ("mailto:gis@example.org", NotAnAddress::Unreadable),
            ("javascript:alert(1)", NotAnAddress::Unreadable),
        ] {
            assert_eq!(Pasted::parse(text).map(|pasted| pasted.origin.to_string()), Err(why), "{text}");
        }
    }

    #[test]
    fn host_that_contains_the_vendor_domain_is_not_online() {
        for text in ["www.arcgis.com.example.org", "maps.arcgis.com.example.org", "notarcgis.com"] {
            assert_ne!(Pasted::parse(text).unwrap().hint, Hint::Online, "{text}");
        }
    }
}
