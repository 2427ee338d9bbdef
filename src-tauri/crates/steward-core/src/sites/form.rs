//! What a person fills in about a site, and what is wrong with it.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use steward_client::{Pin, Trust};
use url::Url;

use super::site::{SavedPortal, SavedRoute, SavedServer, Site, SiteColor};
use crate::files::visible;
use crate::model::deployment::ServerKind;
use crate::model::deployment::SiteFlavour;
use crate::model::deployment::SiteKind;
use crate::model::ids::ServerId;
use crate::model::ids::SiteId;
use crate::model::problem::{Fault, Problem};

/// What the person fills in; empty texts are not given. It is not `Debug`, for it carries passwords.
#[derive(Clone, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SiteForm {
    /// The site to change; `null` for a new one.
    pub id: Option<SiteId>,
    /// Name.
    pub name: String,
    /// What it is for.
    pub kind: SiteKind,
    /// Colour.
    pub color: SiteColor,
    /// What kind of deployment it is; `null` to go by the addresses.
    pub flavour: Option<SiteFlavour>,
    /// Address of the portal, as in `https://gis.example.org/portal`.
    pub portal: String,
    /// Its address past every web adaptor.
    pub portal_direct: String,
    /// The servers. One without an address is not given.
    pub servers: Vec<ServerForm>,
    /// The way there, and whom to trust.
    pub connection: ConnectionForm,
    /// The name this program is registered under at the portal.
    pub client_id: String,
    /// Whether every change is refused until somebody unlocks it with a reason.
    pub read_only: bool,
    /// Why a production site is one no longer, or leaves an address; empty where that does not happen.
    pub reason: String,
}

/// A name is shown on every surface, and typed to confirm.
const LONGEST_NAME: usize = 60;

/// A server, as a person fills it in.
#[derive(Clone, Deserialize, Serialize, Debug, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ServerForm {
    /// The server to change; `null` for a new one.
    pub id: Option<ServerId>,
    /// Name; empty for that of its host.
    pub name: String,
    /// The root in use, below which `/admin` is.
    pub address: String,
    /// The root that the portal knows it by, where that is another.
    pub public: String,
    /// The root past every web adaptor.
    pub direct: String,
    /// What kind of server it is.
    pub flavour: ServerKind,
    /// What it is to its portal.
    pub role: String,
}

/// The way to a site, and whom to trust there.
#[derive(Clone, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionForm {
    /// Path of a CA certificate in PEM.
    pub ca_certificate: String,
    /// Path of a client certificate in PEM or PKCS#12.
    pub client_certificate: String,
    /// Its password; `null` leaves the one that is kept.
    pub client_certificate_password: Option<String>,
    /// Certificates that were accepted as they are.
    pub pins: Vec<PinView>,
    /// The way there.
    pub route: SavedRoute,
    /// The proxy's password; `null` leaves the one that is kept.
    pub proxy_password: Option<String>,
}

/// A certificate that was accepted for one address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PinView {
    /// Scheme, host and port.
    pub origin: String,
    /// SHA-256 of the certificate.
    pub fingerprint: String,
}

impl Default for ConnectionForm {
    fn default() -> Self {
        Self {
            ca_certificate: String::new(),
            client_certificate: String::new(),
            client_certificate_password: None,
            pins: Vec::new(),
            route: SavedRoute::System,
            proxy_password: None,
        }
    }
}

impl SiteForm {
    /// A test site with these addresses, either of which may be empty, and nothing unusual about it.
    #[must_use]
    pub fn of(name: &str, portal: &str, server: &str) -> Self {
        Self {
            id: None,
            name: name.to_owned(),
            kind: SiteKind::Test,
            color: SiteColor::Blue,
            flavour: None,
            portal: portal.to_owned(),
            portal_direct: String::new(),
            servers: vec![ServerForm {
                id: Some(ServerId("server".to_owned())),
                name: String::new(),
                address: server.to_owned(),
                public: String::new(),
                direct: String::new(),
                flavour: ServerKind::Gis,
                role: String::new(),
            }],
            connection: ConnectionForm::default(),
            client_id: String::new(),
            read_only: false,
            reason: String::new(),
        }
    }

    /// The site, once everything about it is right.
    pub(super) fn checked(&self) -> Result<Site, Problem> {
        let name = visible(&self.name);
        if name.is_empty() {
            return Err(Problem::form("name", Fault::Required));
        }
        if name.chars().count() > LONGEST_NAME {
            return Err(Problem::form("name", Fault::TooLong));
        }
        let portal = match address("portal", &self.portal)? {
            Some(portal) => {
                Some(SavedPortal { address: portal, direct: address("portalDirect", &self.portal_direct)? })
            }
            None => None,
        };
        let mut servers = Vec::new();
        for (place, server) in self.servers.iter().enumerate() {
            servers.extend(server.checked(place)?);
        }
        if portal.is_none() && servers.is_empty() {
            return Err(Problem::form("portal", Fault::Required));
        }
        let by_address =
            if portal.is_some() { SiteFlavour::Enterprise } else { SiteFlavour::StandaloneServer };
        let connection = &self.connection;
        Ok(Site {
            id: self.id.clone().unwrap_or_else(|| SiteId(uuid::Uuid::new_v4().to_string())),
            name,
            kind: self.kind,
            color: self.color,
            flavour: self.flavour.unwrap_or(by_address),
            portal,
            servers,
            chosen_server: None,
            ca_certificate: connection.checked_authority()?,
            client_certificate: path(&connection.client_certificate),
            pins: connection.pins.iter().map(PinView::pin).collect(),
            confirmed: Vec::new(),
            route: connection.checked_route()?,
            client_id: Some(self.client_id.trim()).filter(|id| !id.is_empty()).map(str::to_owned),
            username: None,
            read_only: self.read_only,
            seen: None,
        })
    }
}

impl ServerForm {
    fn checked(&self, place: usize) -> Result<Option<SavedServer>, Problem> {
        let field = |name: &str| format!("servers.{place}.{name}");
        let Some(root) = address(&field("address"), &self.address)? else { return Ok(None) };
        let name = match visible(&self.name) {
            name if name.is_empty() => root.host_str().unwrap_or_default().to_owned(),
            name => name,
        };
        Ok(Some(SavedServer {
            id: self.id.clone().unwrap_or_else(|| ServerId(uuid::Uuid::new_v4().to_string())),
            name,
            public: address(&field("public"), &self.public)?,
            direct: address(&field("direct"), &self.direct)?,
            flavour: self.flavour.clone(),
            role: self.role.clone(),
            address: root,
        }))
    }
}

impl ConnectionForm {
    /// The file of authorities, which is read once to be sure of it.
    pub(crate) fn checked_authority(&self) -> Result<Option<PathBuf>, Problem> {
        let Some(path) = path(&self.ca_certificate) else { return Ok(None) };
        let pem = read_certificate(&path)?;
        let trust = Trust { ca_pem: Some(pem), ..Trust::default() };
        steward_client::Http::new(&trust)
            .map_err(|_| Problem::form("connection.caCertificate", Fault::NotACertificate))?;
        Ok(Some(path))
    }

    /// Whether the way leads through another proxy than that of `site`.
    pub(crate) fn is_through_another_proxy(&self, site: &Site) -> Result<bool, Problem> {
        Ok(match (&site.route, self.checked_route()?) {
            (SavedRoute::Proxy { address, .. }, SavedRoute::Proxy { address: now, .. }) => *address != now,
            // What an earlier version kept may be of a proxy before that.
            (_, now) => matches!(now, SavedRoute::Proxy { .. }),
        })
    }

    pub(crate) fn checked_route(&self) -> Result<SavedRoute, Problem> {
        let SavedRoute::Proxy { address, user, exceptions } = &self.route else {
            return Ok(self.route.clone());
        };
        let fault = || Problem::form("connection.route.address", Fault::NotAnAddress);
        let url = Url::parse(address.trim()).map_err(|_| fault())?;
        let is_plain = url.username().is_empty() && url.password().is_none();
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() || !is_plain {
            return Err(fault());
        }
        let exceptions = exceptions.iter().map(|host| host.trim().to_owned()).filter(|host| !host.is_empty());
        Ok(SavedRoute::Proxy {
            address: url.to_string(),
            user: user.trim().to_owned(),
            exceptions: exceptions.collect(),
        })
    }
}

impl PinView {
    /// As the client knows it.
    #[must_use]
    pub fn pin(&self) -> Pin {
        Pin { origin: self.origin.clone(), fingerprint: self.fingerprint.clone() }
    }
}

/// No file of certificates is larger.
const LARGEST_CERTIFICATE: u64 = 16 * 1024 * 1024;

/// Reads a file of certificates. What is no file, as a device or a pipe, may have no end.
pub(crate) fn read_certificate(path: &Path) -> Result<Vec<u8>, Problem> {
    let read = || {
        let about = std::fs::metadata(path)?;
        if !about.is_file() || about.len() > LARGEST_CERTIFICATE {
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, "not a file of certificates"));
        }
        std::fs::read(path)
    };
    read().map_err(|error| Problem::file(path, &error))
}

/// A path as a person writes it.
pub(crate) fn path(text: &str) -> Option<PathBuf> {
    Some(text.trim()).filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// An address as a person writes it. Plain http is for this computer only: a token would travel readable.
fn address(field: &str, text: &str) -> Result<Option<Url>, Problem> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let fault = || Problem::form(field, Fault::NotAnAddress);
    let mut url = Url::parse(text).map_err(|_| fault())?;
    let local = match url.host().ok_or_else(fault)? {
        url::Host::Domain(name) => name == "localhost",
        url::Host::Ipv4(address) => address.is_loopback(),
        url::Host::Ipv6(address) => address.is_loopback(),
    };
    let readable = url.scheme() == "https" || (url.scheme() == "http" && local);
    if !readable || !url.username().is_empty() || url.password().is_some() {
        return Err(fault());
    }
    url.set_query(None);
    url.set_fragment(None);
    Ok(Some(url))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_never_sent_to_an_address_that_anyone_can_read_along() {
        for text in [
            "http://gis.example.org/portal",
            "ftp://gis.example.org",
            "gis.example.org",
            "mailto:a@b",
            "https://user:word@gis.example.org/portal",
        ] {
            assert_eq!(address("portal", text), Err(Problem::form("portal", Fault::NotAnAddress)), "{text}");
        }
        for text in
            ["https://gis.example.org/portal", "http://127.0.0.1:8080/portal", "http://localhost/portal"]
        {
            assert!(address("portal", text).unwrap().is_some(), "{text}");
        }
    }

    #[test]
    fn a_name_is_short_enough_to_be_read_and_typed() {
        let named =
            |letters: usize| SiteForm::of(&"ä".repeat(letters), "https://gis.example.org", "").checked();
        assert!(named(60).is_ok());
        assert_eq!(named(61).err(), Some(Problem::form("name", Fault::TooLong)));
    }

    #[test]
    fn a_name_can_be_typed_and_does_not_look_like_another() {
        let named =
            |name: &str| SiteForm::of(name, "https://gis.example.org", "").checked().map(|site| site.name);
        for odd in ["City\n\u{202e}", "\u{200b}Ci\u{2060}ty", " City\u{0}\u{e0041} "] {
            assert_eq!(named(odd).unwrap(), "City", "{odd:?}");
        }
        assert_eq!(named("\u{200b} \n"), Err(Problem::form("name", Fault::Required)));
    }

    #[cfg(unix)]
    #[test]
    fn a_certificate_is_read_from_a_file_and_from_nothing_without_an_end() {
        for place in ["/dev/zero", "/", "/no/such/file"] {
            let form = ConnectionForm { ca_certificate: place.to_owned(), ..ConnectionForm::default() };
            assert!(matches!(form.checked_authority(), Err(Problem::File { .. })), "{place}");
        }
    }

    #[test]
    fn a_proxy_is_an_address_without_credentials() {
        let through = |address: &str| {
            let (address, user) = (address.to_owned(), String::new());
            let route = SavedRoute::Proxy { address, user, exceptions: Vec::new() };
            ConnectionForm { route, ..ConnectionForm::default() }.checked_route()
        };
        assert!(through(" http://proxy.example.org:3128 ").is_ok());
        for wrong in
            ["proxy.example.org:3128", "http://me:canary@proxy.example.org", "ftp://proxy.example.org"]
        {
            let fault = Problem::form("connection.route.address", Fault::NotAnAddress);
            assert_eq!(through(wrong), Err(fault), "{wrong}");
        }
    }
}
