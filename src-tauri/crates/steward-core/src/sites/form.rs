//! The form of a site, and its validation.
//!
//! [`SiteForm`] is what the user fills in; it is validated when the site is saved. Field names in [`Problem::Form`] are
//! those of the form, for example `servers.0.address`.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use steward_client::discovery::root_of;
use steward_client::{Trust, TrustedCertificate, is_this_computer, visible};
use url::Url;

use super::endpoints::NormalizedEndpoint;
use super::server_names;
use super::site::{ConnectionRoute, SavedPortal, SavedServer, Site, SiteColor};
use crate::files;
use crate::model::deployment::DeploymentType;
use crate::model::deployment::Environment;
use crate::model::deployment::ServerType;
use crate::model::ids::ServerId;
use crate::model::ids::SiteId;
use crate::model::problem::{FieldError, Problem};
use crate::model::typed::{self, trimmed};

/// Form of a site. Empty texts count as missing. It does not implement `Debug` because it contains passwords.
#[derive(Clone, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SiteForm {
    /// The site to change; `null` for a new one.
    pub id: Option<SiteId>,
    /// Name, at most 60 characters and unique.
    pub name: String,
    /// Environment: practice, test, or production.
    pub environment: Environment,
    /// Color that the user chose for the site.
    pub color: SiteColor,
    /// Deployment type; `null` to derive it from the addresses.
    pub deployment_type: Option<DeploymentType>,
    /// URL of the portal, for example `https://gis.example.org/portal`.
    pub portal: String,
    /// Administration URL of the portal.
    pub portal_admin_url: String,
    /// Servers. Entries without an address are ignored.
    pub servers: Vec<ServerForm>,
    /// Connection settings, with new passwords.
    pub connection: ConnectionForm,
    /// Client ID of the app at the portal.
    pub client_id: String,
    /// Whether the site is read-only until a user unlocks it.
    pub read_only: bool,
    /// Whether the portal and servers whose URLs change are the same ones as before, so that what was sent to the earlier URLs
    /// still belongs to them.
    #[serde(default)]
    pub is_same: bool,
    /// Reason why a production site is no longer one, or no longer has an address; empty otherwise.
    pub reason: String,
}

/// Limit of a name, in characters: it is shown in all views and typed to confirm operations.
const LONGEST_NAME: usize = 60;

/// Limit of the name of a server, in characters: it can be its host and path.
const LONGEST_SERVER_NAME: usize = 256;

/// Limit of a role, in characters.
const LONGEST_ROLE: usize = 100;

/// Form of a server.
#[derive(Clone, Deserialize, Serialize, Debug, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ServerForm {
    /// The server to change; `null` for a new one.
    pub id: Option<ServerId>,
    /// Name, unique within the site.
    pub name: String,
    /// URL in use, of which `/admin` is a subpath.
    pub address: String,
    /// Public URL, as listed by the portal; empty if it is the same.
    pub services_url: String,
    /// Administration URL; may be empty.
    pub admin_url: String,
    /// Server type, which decides which operations are available.
    pub server_type: ServerType,
    /// Role in its portal, for example `HOSTING_SERVER`; may be empty.
    pub role: String,
}

/// Form of the connection to a site.
#[derive(Clone, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionForm {
    /// Path of a CA certificate in PEM; may be empty.
    pub ca_certificate: String,
    /// Path of a client certificate in PEM or PKCS#12; may be empty.
    pub client_certificate: String,
    /// Password of the client certificate; `null` keeps the stored one, and an empty text deletes it.
    pub client_certificate_password: Option<String>,
    /// Certificates that the user trusts, each for one origin.
    pub trusted_certificates: Vec<TrustedCertificateView>,
    /// Proxy settings.
    pub route: ConnectionRoute,
    /// Password of the proxy; `null` keeps the stored one, and an empty text deletes it.
    pub proxy_password: Option<String>,
}

/// A certificate that is trusted for one origin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TrustedCertificateView {
    /// Origin: scheme, host, and port.
    pub origin: String,
    /// SHA-256 fingerprint of the certificate.
    pub fingerprint: String,
}

impl ConnectionForm {
    /// Adds the certificates that the site trusts `now` and did not trust `before`.
    pub(crate) fn add_trusted_since(&mut self, before: &Site, now: &Site) {
        for added in &now.trusted_certificates {
            if !before.trusted_certificates.contains(added) {
                self.trusted_certificates.retain(|other| other.origin != added.origin);
                self.trusted_certificates.push(TrustedCertificateView::of(added.clone()));
            }
        }
    }
}

impl Default for ConnectionForm {
    fn default() -> Self {
        Self {
            ca_certificate: String::new(),
            client_certificate: String::new(),
            client_certificate_password: None,
            trusted_certificates: Vec::new(),
            route: ConnectionRoute::System,
            proxy_password: None,
        }
    }
}

impl SiteForm {
    /// Returns the form of a test site with these addresses, either of which may be empty, and defaults otherwise.
    #[must_use]
    pub fn of(name: &str, portal: &str, server: &str) -> Self {
        Self {
            id: None,
            name: name.to_owned(),
            environment: Environment::Test,
            color: SiteColor::Blue,
            deployment_type: None,
            portal: portal.to_owned(),
            portal_admin_url: String::new(),
            servers: vec![ServerForm {
                id: Some(ServerId("server".to_owned())),
                name: Url::parse(server).map(|url| server_names::host_and_path(&url)).unwrap_or_default(),
                address: server.to_owned(),
                services_url: String::new(),
                admin_url: String::new(),
                server_type: ServerType::Gis,
                role: String::new(),
            }],
            connection: ConnectionForm::default(),
            client_id: String::new(),
            read_only: false,
            is_same: false,
            reason: String::new(),
        }
    }

    /// Validates the form, and returns the site.
    pub(super) fn checked(&self) -> Result<Site, Problem> {
        let name = visible(&self.name);
        if name.is_empty() {
            return Err(Problem::form("name", FieldError::Required));
        }
        if name.chars().count() > LONGEST_NAME {
            return Err(Problem::form("name", FieldError::TooLong));
        }
        typed::check([
            ("clientId", self.client_id.as_str()),
            ("connection.caCertificate", &self.connection.ca_certificate),
            ("connection.clientCertificate", &self.connection.client_certificate),
        ])?;
        let portal = match address("portal", &self.portal)? {
            Some(portal) => Some(SavedPortal {
                address: portal,
                admin_url: address("portalAdminUrl", &self.portal_admin_url)?,
            }),
            None => None,
        };
        let taken = self.servers.iter().filter_map(|server| server.id.as_ref()).collect();
        let mut servers = Vec::new();
        let (mut names, mut urls) = (HashSet::new(), HashSet::new());
        for (place, server) in self.servers.iter().enumerate() {
            let Some(server) = server.checked(place, &taken)? else { continue };
            if !names.insert(server_names::key(&server.name)) {
                return Err(Problem::form(&server_field(place, "name"), FieldError::NameTaken));
            }
            check_urls(place, &server, &mut urls)?;
            servers.push(server);
        }
        distinguish(&mut servers);
        if portal.is_none() && servers.is_empty() {
            return Err(Problem::form("portal", FieldError::Required));
        }
        let by_address =
            if portal.is_some() { DeploymentType::Enterprise } else { DeploymentType::StandaloneServer };
        let connection = &self.connection;
        Ok(Site {
            id: self.id.clone().unwrap_or_else(SiteId::new),
            name,
            environment: self.environment,
            color: self.color,
            deployment_type: self.deployment_type.unwrap_or(by_address),
            portal,
            servers,
            current_server: None,
            ca_certificate: connection.checked_authority()?,
            client_certificate: path(&connection.client_certificate),
            trusted_certificates: connection
                .trusted_certificates
                .iter()
                .map(TrustedCertificateView::certificate)
                .collect(),
            confirmed: Vec::new(),
            earlier: Vec::new(),
            route: connection.checked_route()?,
            client_id: Some(trimmed(&self.client_id)).filter(|id| !id.is_empty()).map(str::to_owned),
            username: None,
            read_only: self.read_only,
            seen: None,
        })
    }
}

/// Gives each server an identifier of its own: a token belongs to one, and would be sent to all servers that share it.
fn distinguish(servers: &mut [SavedServer]) {
    let mut taken = HashSet::new();
    for server in servers {
        if !taken.insert(server.id.clone()) {
            server.id = ServerId::new();
        }
    }
}

/// Checks that a server is reached by no URL of another one: an import would replace the other one. `taken` are the URLs of those
/// before it, and gets its own.
fn check_urls(
    place: usize,
    server: &SavedServer,
    taken: &mut HashSet<NormalizedEndpoint>,
) -> Result<(), Problem> {
    let used = [("address", Some(&server.address)), ("adminUrl", server.admin_url.as_ref())];
    let used = used.map(|(field, url)| (field, url.map(NormalizedEndpoint::of)));
    match used.iter().find(|(_, url)| url.as_ref().is_some_and(|url| taken.contains(url))) {
        Some((field, _)) => Err(Problem::form(&server_field(place, field), FieldError::UrlTaken)),
        None => {
            taken.extend(used.into_iter().filter_map(|(_, url)| url));
            Ok(())
        }
    }
}

fn server_field(place: usize, name: &str) -> String {
    format!("servers.{place}.{name}")
}

impl ServerForm {
    /// Returns the endpoints of all addresses in the form.
    pub(super) fn endpoints(&self) -> BTreeSet<NormalizedEndpoint> {
        let addresses = [&self.address, &self.services_url, &self.admin_url].into_iter();
        addresses.filter_map(|text| Url::parse(text).ok()).map(|url| NormalizedEndpoint::of(&url)).collect()
    }

    /// Returns whether it has an address. One without counts as missing.
    pub(super) fn is_given(&self) -> bool {
        !trimmed(&self.address).is_empty()
    }

    fn checked(&self, place: usize, taken: &HashSet<&ServerId>) -> Result<Option<SavedServer>, Problem> {
        let field = |name: &str| server_field(place, name);
        let Some(root) = address(&field("address"), &self.address)? else { return Ok(None) };
        let name = visible(&self.name);
        if name.is_empty() {
            return Err(Problem::form(&field("name"), FieldError::Required));
        }
        if name.chars().count() > LONGEST_SERVER_NAME {
            return Err(Problem::form(&field("name"), FieldError::TooManyLetters));
        }
        Ok(Some(SavedServer {
            id: self.id.clone().unwrap_or_else(|| {
                let at = ServerId::at(&root);
                // Another server of the form, which had this URL before, keeps the identifier.
                if taken.contains(&at) { ServerId::new() } else { at }
            }),
            name,
            services_url: address(&field("servicesUrl"), &self.services_url)?,
            admin_url: address(&field("adminUrl"), &self.admin_url)?,
            server_type: self.server_type.clone(),
            // A role that is cut off counts as unknown, like any other unknown role.
            role: self.role.chars().take(LONGEST_ROLE).collect(),
            address: root,
        }))
    }
}

impl ConnectionForm {
    /// Returns the path of the CA file, after reading it; `None` if none is set.
    pub(crate) fn checked_authority(&self) -> Result<Option<PathBuf>, Problem> {
        let Some(path) = path(&self.ca_certificate) else { return Ok(None) };
        let pem = read_certificate(&path)?;
        let trust = Trust { ca_pem: Some(pem), ..Trust::default() };
        steward_client::Http::new(&trust)
            .map_err(|_| Problem::form("connection.caCertificate", FieldError::NotACertificate))?;
        Ok(Some(path))
    }

    /// Returns whether the form uses another proxy than `site`.
    pub(crate) fn is_through_another_proxy(&self, site: &Site) -> Result<bool, Problem> {
        Ok(match (&site.route, self.checked_route()?) {
            (ConnectionRoute::Proxy { address, .. }, ConnectionRoute::Proxy { address: now, .. }) => {
                *address != now
            }
            // A site without a proxy can still have the password of an earlier one.
            (_, now) => matches!(now, ConnectionRoute::Proxy { .. }),
        })
    }

    /// Returns the proxy settings with trimmed fields.
    pub(crate) fn checked_route(&self) -> Result<ConnectionRoute, Problem> {
        let ConnectionRoute::Proxy { address, user, exceptions } = &self.route else {
            return Ok(self.route.clone());
        };
        let fault = || Problem::form("connection.route.address", FieldError::NotAnAddress);
        typed::check([("connection.route.address", address.as_str()), ("connection.route.user", user)])?;
        typed::check(exceptions.iter().map(|host| ("connection.route.exceptions", host.as_str())))?;
        let url = Url::parse(trimmed(address)).map_err(|_| fault())?;
        let is_plain = url.username().is_empty() && url.password().is_none();
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() || !is_plain {
            return Err(fault());
        }
        let exceptions =
            exceptions.iter().map(|host| trimmed(host).to_owned()).filter(|host| !host.is_empty());
        Ok(ConnectionRoute::Proxy {
            address: url.to_string(),
            user: trimmed(user).to_owned(),
            exceptions: exceptions.collect(),
        })
    }
}

impl TrustedCertificateView {
    /// Converts it for the window.
    pub(crate) fn of(certificate: TrustedCertificate) -> Self {
        Self { origin: certificate.origin, fingerprint: certificate.fingerprint }
    }

    /// Converts it for the client.
    #[must_use]
    pub fn certificate(&self) -> TrustedCertificate {
        TrustedCertificate { origin: self.origin.clone(), fingerprint: self.fingerprint.clone() }
    }
}

/// Limit of a certificate file, in bytes.
pub(crate) const LARGEST_CERTIFICATE: u64 = 16 * 1024 * 1024;

/// Reads a certificate file, without its byte order mark: the first certificate of a PEM file would not be found behind
/// it.
pub(crate) fn read_certificate(path: &Path) -> Result<Vec<u8>, Problem> {
    let file = files::read_whole(path, LARGEST_CERTIFICATE).map_err(|error| Problem::file(path, &error))?;
    Ok(files::as_utf8(&file).into_owned())
}

/// Returns a path from a text field; `None` if the text is empty.
pub(crate) fn path(text: &str) -> Option<PathBuf> {
    Some(trimmed(text)).filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// Returns the root of a URL from a text field; `None` if the text is empty. Plain HTTP is limited to this computer, because
/// it would expose tokens.
fn address(field: &str, text: &str) -> Result<Option<Url>, Problem> {
    typed::check([(field, text)])?;
    let text = trimmed(text);
    if text.is_empty() {
        return Ok(None);
    }
    let parsed = Url::parse(text).ok().filter(Url::has_host);
    let mut url = parsed.ok_or_else(|| Problem::form(field, FieldError::NotAnAddress))?;
    let readable = url.scheme() == "https" || (url.scheme() == "http" && is_this_computer(&url));
    if !readable || !url.username().is_empty() || url.password().is_some() {
        return Err(Problem::form(field, FieldError::NotHttps));
    }
    url.set_query(None);
    url.set_fragment(None);
    Ok(Some(root_of(&url)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sites::profiles;

    #[test]
    fn a_token_is_never_sent_to_an_address_that_anyone_can_read_along() {
        for (text, fault) in [
            ("http://gis.example.org/portal", FieldError::NotHttps),
            ("ftp://gis.example.org", FieldError::NotHttps),
            ("gis.example.org", FieldError::NotAnAddress),
            ("mailto:a@b", FieldError::NotAnAddress),
            ("https://user:word@gis.example.org/portal", FieldError::NotHttps),
        ] {
            assert_eq!(address("portal", text), Err(Problem::form("portal", fault)), "{text}");
        }
        for text in
            ["https://gis.example.org/portal", "http://127.0.0.1:8080/portal", "http://localhost/portal"]
        {
            assert!(address("portal", text).unwrap().is_some(), "{text}");
        }
    }

    #[test]
    fn a_page_of_a_server_is_saved_as_its_root_and_an_invisible_character_is_rejected() {
        let saved = |text: &str| address("portal", text).map(|url| url.unwrap().to_string());
        let (page, root) =
            ("https://gis.example.org/server/rest/services/", "https://gis.example.org/server");
        assert_eq!(saved(page), Ok(root.to_owned()));
        assert_eq!(saved(&format!("\u{202a}{root}\u{200b}\n")), Ok(root.to_owned()));
        for hidden in ["https://gis.exam\u{200b}ple.org/server", "https://gis.example.org/ser\nver"] {
            assert_eq!(saved(hidden), Err(Problem::form("portal", FieldError::NotOneLine)), "{hidden:?}");
        }
        let form = SiteForm { client_id: "a\u{2060}b".to_owned(), ..SiteForm::of("City", root, "") };
        assert_eq!(form.checked().err(), Some(Problem::form("clientId", FieldError::NotOneLine)));
    }

    #[test]
    fn a_name_is_short_enough_to_be_read_and_typed() {
        let named =
            |letters: usize| SiteForm::of(&"ä".repeat(letters), "https://gis.example.org", "").checked();
        assert!(named(60).is_ok());
        assert_eq!(named(61).err(), Some(Problem::form("name", FieldError::TooLong)));
    }

    #[test]
    fn a_server_that_is_reached_by_the_url_of_another_is_refused_also_from_a_profile() {
        let host = "https://gis.example.org";
        let with = |address: &str, admin_url: &str| {
            let mut form = SiteForm::of("City GIS", "", "https://gis.example.org/server");
            let mut other = SiteForm::of("", "", &format!("{host}{address}")).servers.remove(0);
            other.admin_url = if admin_url.is_empty() { String::new() } else { format!("{host}{admin_url}") };
            other.name = "other".to_owned();
            form.servers.push(other);
            form.checked().map(drop)
        };
        let taken = |field: &str| Err(Problem::form(&format!("servers.1.{field}"), FieldError::UrlTaken));
        assert_eq!(with("/server2", ""), Ok(()));
        assert_eq!(with("/server2", "/server2"), Ok(()), "its own");
        assert_eq!(with("/Server/", ""), taken("address"));
        assert_eq!(with("/server2", "/server"), taken("adminUrl"));
    }

    #[test]
    fn a_server_of_a_profile_has_no_endless_name_and_role() {
        let with = |letters: usize| {
            let mut form = SiteForm::of("City GIS", "", "https://gis.example.org/server");
            form.servers[0].name = "ä".repeat(letters);
            form.servers[0].role = "R".repeat(letters);
            form.checked()
        };
        assert_eq!(with(256).unwrap().servers[0].role.len(), LONGEST_ROLE);
        assert_eq!(with(257).err(), Some(Problem::form("servers.0.name", FieldError::TooManyLetters)));
    }

    #[test]
    fn a_name_can_be_typed_and_does_not_look_like_another() {
        let named =
            |name: &str| SiteForm::of(name, "https://gis.example.org", "").checked().map(|site| site.name);
        for odd in ["City\n\u{202e}", "\u{200b}Ci\u{2060}ty", " City\u{0}\u{e0041} "] {
            assert_eq!(named(odd).unwrap(), "City", "{odd:?}");
        }
    }

    #[test]
    fn a_name_that_shows_nothing_is_refused_also_from_a_profile() {
        let invisible = include_str!("../../../../../tests/fixtures/invisible-names.json");
        let invisible: Vec<String> = serde_json::from_str(invisible).unwrap();
        for name in invisible.iter().map(String::as_str).chain(["\u{200b} \n", "\u{0}"]) {
            let refused = Err(Problem::form("name", FieldError::Required));
            assert_eq!(
                SiteForm::of(name, "https://gis.example.org", "").checked().map(drop),
                refused,
                "{name:?}"
            );
            let site = Site { name: name.to_owned(), ..Site::example("city") };
            let file = profiles::write(&[(site, Vec::new())]).unwrap();
            assert_eq!(
                profiles::read(&file).unwrap().profiles[0].form().checked().map(drop),
                refused,
                "{name:?}"
            );
        }
    }

    #[test]
    fn a_server_without_a_name_or_with_that_of_another_is_refused_also_from_a_profile() {
        let named = |names: [&str; 2]| {
            let mut form = SiteForm::of("City GIS", "", "https://gis.example.org/server");
            let image = SiteForm::of("", "", "https://gis.example.org/image").servers;
            form.servers.extend(image);
            for (server, name) in form.servers.iter_mut().zip(names) {
                server.name = name.to_owned();
            }
            form
        };
        let refused = |fault| Err(Problem::form("servers.1.name", fault));
        for equal in ["Imagery", " imagery", "IMAGE\u{200b}RY"] {
            assert_eq!(
                named(["Imagery", equal]).checked().map(drop),
                refused(FieldError::NameTaken),
                "{equal:?}"
            );
        }
        // A typed confirmation does not tell these names apart.
        for alike in [
            ["GIS-1", "GIS\u{2011}1"],
            ["A B", "A  B"],
            ["Café", "Cafe\u{301}"],
            ["O'Hara", "O’Hara"],
            ["Straße", "Strasse"],
        ] {
            assert_eq!(named(alike).checked().map(drop), refused(FieldError::NameTaken), "{alike:?}");
        }
        for empty in ["", " ", "\u{200b}"] {
            assert_eq!(
                named(["Hosting", empty]).checked().map(drop),
                refused(FieldError::Required),
                "{empty:?}"
            );
        }
        let site = named(["Hosting", "Imagery"]).checked().unwrap();
        let file = profiles::write(&[(site, Vec::new())]).unwrap();
        let file = String::from_utf8(file).unwrap().replace("Imagery", "Hosting");
        let read = profiles::read(file.as_bytes()).unwrap();
        assert_eq!(read.profiles[0].form().checked().map(drop), refused(FieldError::NameTaken));
    }

    #[test]
    fn a_profile_of_a_saved_site_with_equal_names_tells_its_servers_apart() {
        let mut site = Site::example("city");
        site.servers.push(SavedServer {
            id: ServerId("image".to_owned()),
            address: "https://gis.example.org/image".parse().unwrap(),
            ..site.servers[0].clone()
        });
        let file = profiles::write(&[(site, Vec::new())]).unwrap();

        let added = profiles::read(&file).unwrap().profiles[0].form().checked().unwrap();

        let names: Vec<_> = added.servers.iter().map(|server| server.name.as_str()).collect();
        assert_eq!(names, ["gis.example.org/server", "gis.example.org/image"]);
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
    fn a_certificate_that_an_editor_saved_with_a_byte_order_mark_is_read_and_not_left_out() {
        let pem = include_str!("../../../../../tests/fixtures/expired-ca.pem");
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ca.pem");
        std::fs::write(&file, format!("\u{feff}{pem}")).unwrap();
        let found = steward_client::authorities(&read_certificate(&file).unwrap()).unwrap();
        assert_eq!(found.readable.len(), pem.matches("-----BEGIN").count());
    }

    #[test]
    fn a_proxy_is_an_address_without_credentials() {
        let through = |address: &str| {
            let (address, user) = (address.to_owned(), String::new());
            let route = ConnectionRoute::Proxy { address, user, exceptions: Vec::new() };
            ConnectionForm { route, ..ConnectionForm::default() }.checked_route()
        };
        assert!(through(" http://proxy.example.org:3128 ").is_ok());
        for wrong in
            ["proxy.example.org:3128", "http://me:canary@proxy.example.org", "ftp://proxy.example.org"]
        {
            let fault = Problem::form("connection.route.address", FieldError::NotAnAddress);
            assert_eq!(through(wrong), Err(fault), "{wrong}");
        }
    }
}
