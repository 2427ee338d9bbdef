//! Reading of a pasted URL, and the endpoint roots it might mean.
//!
//! [`Pasted::parse`] reads the text, [`Pasted::roots`] returns the candidates. [`secure`] converts every URL to one
//! that a token can be sent to.

use url::Url;

use crate::route::is_this_computer;

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
/// Pages after which a path goes on with names that others chose, for example of folders. They can read like pages.
const LAST_PAGES: [&str; 5] = ["portaladmin", "sharing", "admin", "manager", "rest"];
/// Maximum number of contexts that one URL is read as.
const MAX_READINGS: usize = 5;

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
    /// Component that the URL belongs to, by its most probable reading.
    pub hint: Hint,
    /// Readings of the path, the most probable first. Empty if only a host was given.
    readings: Vec<Reading>,
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

/// One meaning of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Reading {
    /// Path before the first page of the component.
    context: String,
    /// Component that has the page after the context.
    component: Hint,
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
            return Ok(Self { origin, hint: Hint::Online, readings: Vec::new(), plain: None });
        }
        let readings = readings(&url);
        let by_page = readings.first().map_or(Hint::Unknown, |reading| reading.component);
        let hint = match origin.port() {
            _ if by_page != Hint::Unknown => by_page,
            Some(PORTAL_PORT) => Hint::Portal,
            Some(port) if is_server_port(port) => Hint::Server,
            _ => Hint::Unknown,
        };
        let plain =
            (!has_scheme && is_this_computer(&origin)).then(|| with_scheme(&origin, "http")).flatten();
        Ok(Self { origin, hint, readings, plain })
    }

    /// Returns the endpoint roots that the URL might mean, the most probable first.
    #[must_use]
    pub fn roots(&self) -> Vec<Url> {
        if self.hint == Hint::Online {
            return vec![self.origin.clone()];
        }
        let direct_port = self.origin.port().is_some_and(|port| port == PORTAL_PORT || is_server_port(port));
        let contexts: Vec<&str> = match &self.readings[..] {
            // On these ports, the products listen without a web adaptor, and `arcgis` is the only context.
            [] if direct_port => vec!["arcgis"],
            [] => USUAL_CONTEXTS.to_vec(),
            readings => readings.iter().map(|reading| reading.context.as_str()).collect(),
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
            let others = self.readings.iter().skip(1).map(|reading| reading.component);
            let hints: Vec<Hint> = others.chain([self.hint]).collect();
            let may_be = |component| hints.contains(&component) || hints.contains(&Hint::Unknown);
            if may_be(Hint::Portal) {
                roots.push(direct(PORTAL_PORT));
            }
            if may_be(Hint::Server) {
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
        "http" if is_this_computer(&url) => Some(url),
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

/// Returns the root of a URL that was entered by hand: without a page behind the context, such as `/rest/services`. A
/// path of one name stays, because a web adaptor can have the name of a page.
#[must_use]
pub fn root_of(url: &Url) -> Url {
    let is_one_name = url.path().trim_matches('/').split('/').count() == 1;
    match readings(url).into_iter().next() {
        Some(first) if !is_one_name && first.component != Hint::Unknown => with_path(url, &first.context),
        _ => url.clone(),
    }
}

/// Returns whether a URL bypasses web adaptors by itself: its port is one of the products', or its host is this
/// computer. For other ports, the portal's list of servers decides.
#[must_use]
pub fn is_own_address(url: &Url) -> bool {
    url.port().is_some_and(is_server_port) || is_this_computer(url)
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

/// Returns the readings of a path, the most probable first.
///
/// A context is everything before a known page. An administrator can give a web adaptor the name of a page, so the last
/// page that can follow such a name is the most probable one, and the others are further readings.
fn readings(url: &Url) -> Vec<Reading> {
    let segments: Vec<&str> =
        url.path_segments().into_iter().flatten().filter(|segment| !segment.is_empty()).collect();
    let before = |at: usize, component| Reading { context: segments[..at].join("/"), component };
    let mut pages: Vec<(usize, Hint)> =
        segments.iter().enumerate().filter_map(|(at, segment)| Some((at, component_of(segment)?))).collect();
    let is_last =
        |(at, _): &(usize, Hint)| LAST_PAGES.iter().any(|page| segments[*at].eq_ignore_ascii_case(page));
    let most_probable = pages.iter().position(is_last).or(pages.len().checked_sub(1));
    let is_without_pages = pages.is_empty();
    let most_probable = most_probable.map(|number| pages.remove(number));
    // A page that belongs to the one before it, such as `rest` to `sharing`, begins no other reading.
    pages.retain(|(at, _)| *at == 0 || !goes_on(segments[*at - 1], segments[*at]));
    let mut readings: Vec<Reading> =
        most_probable.into_iter().chain(pages).map(|(at, component)| before(at, component)).collect();
    // A page of its own at the end of the path, for example `index.html`.
    let end = segments.iter().position(|segment| segment.contains('.')).unwrap_or(segments.len());
    let is_one_name = segments.len() == 1 && end == 1;
    if end > 0 && (is_without_pages || is_one_name) {
        readings.push(before(end, Hint::Unknown));
    }
    readings.truncate(MAX_READINGS);
    readings
}

/// Returns the component that has a page of this name.
fn component_of(segment: &str) -> Option<Hint> {
    let is_in = |pages: &[&str]| pages.iter().any(|page| segment.eq_ignore_ascii_case(page));
    match () {
        () if is_in(&PORTAL_PAGES) => Some(Hint::Portal),
        () if is_in(&SERVER_PAGES) => Some(Hint::Server),
        () => None,
    }
}

/// Returns whether a page is a part of the one before it.
fn goes_on(before: &str, page: &str) -> bool {
    let parts: [(&str, &[&str]); 5] = [
        ("sharing", &["rest"]),
        ("rest", &["services", "login", "admin", "tokens"]),
        ("admin", &["services", "login"]),
        ("portaladmin", &["login"]),
        ("manager", &["services", "login", "admin"]),
    ];
    parts.iter().any(|(first, next)| {
        before.eq_ignore_ascii_case(first) && next.iter().any(|one| page.eq_ignore_ascii_case(one))
    })
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
            // Web adaptors with names of pages.
            (
                "https://gis.example.org:8443/webadaptor/rest/services",
                &["https://gis.example.org:8443/webadaptor", "https://gis.example.org:8443/"],
            ),
            (
                "https://gis.example.org:8443/services/rest/services",
                &["https://gis.example.org:8443/services", "https://gis.example.org:8443/"],
            ),
            (
                "https://gis.example.org:8443/apps/home/",
                &["https://gis.example.org:8443/apps", "https://gis.example.org:8443/"],
            ),
            (
                "https://gis.example.org:8443/admin/rest/services",
                &["https://gis.example.org:8443/", "https://gis.example.org:8443/admin"],
            ),
            (
                "https://gis.example.org:8443/Home/sharing/rest/content",
                &["https://gis.example.org:8443/Home", "https://gis.example.org:8443/"],
            ),
            (
                "https://gis.example.org:8443/help/manager/",
                &["https://gis.example.org:8443/help", "https://gis.example.org:8443/"],
            ),
            (
                "https://gis.example.org:8443/services",
                &["https://gis.example.org:8443/", "https://gis.example.org:8443/services"],
            ),
            (
                "https://gis.example.org:8443/server/rest/services/Home/Roads/MapServer",
                &["https://gis.example.org:8443/server", "https://gis.example.org:8443/server/rest/services"],
            ),
        ] {
            assert_eq!(roots(text), expected, "{text}");
        }
    }

    #[test]
    fn the_root_of_an_entered_url_is_before_its_page() {
        for (entered, root) in [
            ("https://gis.example.org/server/rest/services", "https://gis.example.org/server"),
            ("https://gis.example.org/server/rest/services/", "https://gis.example.org/server"),
            (
                "https://gis.example.org/city/gis/rest/services/Home/Roads/MapServer",
                "https://gis.example.org/city/gis",
            ),
            ("https://srv1.example.org:6443/arcgis/admin", "https://srv1.example.org:6443/arcgis"),
            ("https://gis.example.org/portal/home/index.html", "https://gis.example.org/portal"),
            ("https://gis.example.org/portal/sharing/rest", "https://gis.example.org/portal"),
            ("https://gis.example.org/services/rest/services", "https://gis.example.org/services"),
            // A root, also with the name of a page.
            ("https://gis.example.org/server", "https://gis.example.org/server"),
            ("https://gis.example.org/services", "https://gis.example.org/services"),
            ("https://gis.example.org/admin/", "https://gis.example.org/admin/"),
            ("https://gis.example.org/city/gis", "https://gis.example.org/city/gis"),
            ("https://gis.example.org/", "https://gis.example.org/"),
        ] {
            assert_eq!(root_of(&Url::parse(entered).unwrap()).as_str(), root, "{entered}");
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
