//! What people paste, and the roots it may mean.

use url::{Host, Url};

/// The contexts that administrators choose, most of them unchanged.
const USUAL_CONTEXTS: [&str; 4] = ["portal", "server", "arcgis", ""];

/// Where a portal listens by itself, behind its web adaptor.
const PORTAL_PORT: u16 = 7443;
/// The same for a server.
const SERVER_PORT: u16 = 6443;
/// The same for Notebook Server and Mission Server.
const OTHER_SERVER_PORTS: [u16; 2] = [11443, 20443];

/// The first segment of these is where the context ends, and tells whose it is.
const PORTAL_PAGES: [&str; 6] = ["home", "portaladmin", "sharing", "apps", "portalhelp", "webadaptor"];
const SERVER_PAGES: [&str; 7] = ["admin", "manager", "rest", "services", "tokens", "help", "login"];

/// What a pasted address already tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hint {
    /// Nothing.
    Unknown,
    /// It is a page of a portal.
    Portal,
    /// It is a page of a server, or of the administration of Kubernetes.
    Server,
    /// The vendor hosts it.
    Online,
}

/// A pasted address, understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pasted {
    /// Scheme, host and port.
    pub origin: Url,
    /// The path up to the first page that is known; `None` when only a host was given.
    pub context: Option<String>,
    /// What the address tells.
    pub hint: Hint,
    /// The same origin over plain http, for this machine when no scheme was given.
    plain: Option<Url>,
}

/// Why a text is no address of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAnAddress {
    /// There is nothing.
    #[error("there is no address")]
    Empty,
    /// It cannot be read as one.
    #[error("this is no address of a site")]
    Unreadable,
    /// It is one of something else, as in `file:` or `mailto:`.
    #[error("a site is reached over https")]
    Scheme,
}

impl Pasted {
    /// Understands what was pasted. Sign-in data, query and fragment are dropped; http becomes https, except on
    /// this machine.
    ///
    /// # Errors
    /// When there is no host in it, or another scheme than http and https.
    pub fn parse(text: &str) -> Result<Self, NotAnAddress> {
        let text = text.trim().trim_matches(['<', '>', '"', '\'']).trim();
        if text.is_empty() {
            return Err(NotAnAddress::Empty);
        }
        let has_scheme = text.contains("://");
        // Without a scheme, what has an `@` is somebody's mail address.
        if text.contains(char::is_whitespace) || (!has_scheme && text.contains('@')) {
            return Err(NotAnAddress::Unreadable);
        }
        let whole = if has_scheme { text.to_owned() } else { format!("https://{text}") };
        let url = Url::parse(&whole).map_err(|_| NotAnAddress::Unreadable)?;
        let mut origin = secure(&url).ok_or(NotAnAddress::Scheme)?;
        origin.set_path("/");
        if is_online(&origin) {
            // The bare domain only redirects.
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

    /// The roots this may mean, the likeliest first.
    #[must_use]
    pub fn roots(&self) -> Vec<Url> {
        if self.hint == Hint::Online {
            return vec![self.origin.clone()];
        }
        let direct_port = self.origin.port().is_some_and(|port| port == PORTAL_PORT || is_server_port(port));
        let contexts: Vec<&str> = match &self.context {
            Some(context) => vec![context],
            // Those ports belong to the products themselves, which know one context.
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
                // Refused only for addresses without a host.
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

/// The same address over https: a token never travels in the open, except on this machine. The ports that the
/// products serve http on have their known counterparts. `None` for any other scheme, and without a host.
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

/// Whether an address is a server's own by itself, and not that of a web adaptor: it has a port that the products
/// listen at, or is of this machine. Any other port may be a web adaptor's as well; there the portal's list decides.
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

/// `https://host:port/some/context`, without a slash at the end of a context.
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

/// The context of an address and whose pages follow it.
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
    // A page of its own at the end, as in `index.html`.
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
    fn whatever_is_pasted_leads_to_roots() {
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
    fn what_is_no_address_is_said_to_be_none() {
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
    fn the_vendors_name_inside_of_another_is_not_the_vendor() {
        for text in ["www.arcgis.com.example.org", "maps.arcgis.com.example.org", "notarcgis.com"] {
            assert_ne!(Pasted::parse(text).unwrap().hint, Hint::Online, "{text}");
        }
    }
}
