//! A saved site, without secrets.
//!
//! [`Site::current_server`] returns the server that forms begin with, and [`SavedServer::admin_url`] the administration URL
//! of a server.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use steward_client::TrustedCertificate;
use url::Url;

use crate::model::deployment::DeploymentType;
use crate::model::deployment::Environment;
use crate::model::deployment::ServerType;
use crate::model::ids::SiteId;
use crate::model::ids::Target;
use crate::model::ids::TokenFor;
use crate::model::ids::{PRACTICE, ServerId};
use crate::model::numbers::Millis;
use crate::model::operation::Component;
use crate::model::problem::{FieldError, Problem, ServerSignIn};

/// Color of a site, shown in all views.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "colours name themselves")]
pub enum SiteColor {
    Blue,
    Teal,
    Green,
    Orange,
    Red,
    Grape,
    Gray,
}

/// A saved site.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Site {
    /// Identifier, which also names the entries in the keyring.
    pub id: SiteId,
    /// Name set by the user.
    pub name: String,
    /// Environment: practice, test, or production.
    pub environment: Environment,
    /// Color that the user chose for the site.
    pub color: SiteColor,
    /// Deployment type, which decides which operations are available.
    pub deployment_type: DeploymentType,
    /// Portal; `None` for a stand-alone server.
    pub portal: Option<SavedPortal>,
    /// Servers, the first of which is the default.
    pub servers: Vec<SavedServer>,
    /// Server that forms begin with; `None` for the first one.
    pub current_server: Option<ServerId>,
    /// CA certificate that is trusted for this site in addition to those of the system.
    pub ca_certificate: Option<PathBuf>,
    /// Client certificate in PEM or PKCS#12. Its password is in the keyring.
    pub client_certificate: Option<PathBuf>,
    /// Certificates that the user trusts, each for one origin.
    pub trusted_certificates: Vec<TrustedCertificate>,
    /// Origins that a user typed or confirmed as part of this site, for example `https://machine.example.org:6443`.
    /// Those of a profile are not included.
    pub confirmed: Vec<String>,
    /// URLs that the portal (`None`) and the servers had before, each of what the user declared to be the same one. What was sent
    /// there belongs to it. Nothing is sent there any more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<(Option<ServerId>, Url)>,
    /// Proxy settings.
    pub route: ConnectionRoute,
    /// Client ID of the app at the portal, for signing in with the browser.
    pub client_id: Option<String>,
    /// Name of the last user; `None` before the first sign-in.
    pub username: Option<String>,
    /// Whether the site is read-only until a user unlocks it.
    pub read_only: bool,
    /// Versions that the site returned last; `None` before the first sign-in.
    pub seen: Option<Seen>,
}

/// Versions that a site returned last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Seen {
    /// Version of the portal; `null` if it is not known.
    pub portal_version: Option<String>,
    /// Version of the current server; `null` if it is not known.
    pub server_version: Option<String>,
    /// Time of the response.
    pub at: Millis,
}

/// Addresses of a portal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedPortal {
    /// URL of the web context in use.
    pub address: Url,
    /// Administration URL, which an import uses; `None` if it is not set.
    pub admin_url: Option<Url>,
}

/// Addresses of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedServer {
    /// Identifier, unique within the site.
    pub id: ServerId,
    /// Name shown to the user.
    pub name: String,
    /// URL in use, below which `/admin` is.
    pub address: Url,
    /// Public URL, as listed by the portal; `None` if it is the same.
    pub services_url: Option<Url>,
    /// Administration URL, which an import uses; `None` if it is not set.
    pub admin_url: Option<Url>,
    /// Server type, which decides which operations are available.
    pub server_type: ServerType,
    /// Role in its portal, for example `HOSTING_SERVER`; may be empty.
    pub role: String,
}

/// Proxy settings of a site. The password of the proxy is in the keyring.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ConnectionRoute {
    /// The proxy settings of the system.
    System,
    /// Direct connection, without a proxy.
    Direct,
    /// One proxy for all hosts except some.
    Proxy {
        /// URL of the proxy, for example `http://proxy.example.org:3128`.
        address: String,
        /// User name at the proxy; may be empty.
        user: String,
        /// Hosts that are connected to without the proxy.
        exceptions: Vec<String>,
    },
}

impl Seen {
    /// Returns whether the window shows both alike: of the time of a response, it shows only the day.
    pub(crate) fn is_shown_as(&self, other: &Self) -> bool {
        let day = |at: Millis| {
            let time = jiff::Timestamp::from_millisecond(at.0).ok()?;
            Some(time.to_zoned(jiff::tz::TimeZone::system()).date())
        };
        let versions = |seen: &Self| (seen.portal_version.clone(), seen.server_version.clone());
        versions(self) == versions(other) && day(self.at) == day(other.at)
    }
}

impl Site {
    /// Returns the server that forms begin with; `None` if the site has no server. No operation goes there by itself:
    /// each names its target.
    #[must_use]
    pub fn current_server(&self) -> Option<&SavedServer> {
        let chosen = self.current_server.as_ref();
        self.servers.iter().find(|server| Some(&server.id) == chosen).or(self.servers.first())
    }

    /// Returns the target that forms begin with: the current server, or the portal if there is none.
    #[must_use]
    pub fn current_target(&self) -> Target {
        Target { site: self.id.clone(), server: self.current_server().map(|server| server.id.clone()) }
    }

    /// Returns the component that issues tokens: the given server, or the portal, or the current server of a site without
    /// a portal.
    ///
    /// # Errors
    /// - [`Problem::Form`] if the site does not have this server.
    /// - [`Problem::NoAddress`] if the site has no portal and no server.
    pub fn signs_in_at(&self, server: Option<&ServerId>) -> Result<TokenFor, Problem> {
        match (server, &self.portal, self.current_server()) {
            (Some(id), _, _) if self.servers.iter().any(|one| one.id == *id) => {
                Ok(TokenFor::Server(id.clone()))
            }
            (Some(_), _, _) => Err(Problem::form("server", FieldError::Required)),
            (None, Some(_), _) => Ok(TokenFor::Portal),
            (None, None, Some(server)) => Ok(TokenFor::Server(server.id.clone())),
            (None, None, None) => Err(Problem::NoAddress { component: Component::Portal }),
        }
    }

    /// Returns the URL of the component that issues a token; `None` if the site does not have it.
    pub(crate) fn issuer(&self, token: &TokenFor) -> Option<&Url> {
        match token {
            TokenFor::Portal => self.portal.as_ref().map(|portal| &portal.address),
            TokenFor::Server(id) => self.servers.iter().find(|one| one.id == *id).map(|one| &one.address),
        }
    }

    /// Returns whether a token or password stored for the origin `of` may be used at the present origin of the
    /// component. An entry of an earlier version has no origin, and may be used at any.
    pub(crate) fn is_issued_by(&self, token: &TokenFor, of: Option<&str>) -> bool {
        of.is_none_or(|of| self.issuer(token).is_some_and(|issuer| self.id.accepts(of, &origin(issuer))))
    }

    /// Returns whether this is the practice site that the app starts itself. Its environment never changes, whatever other
    /// site is at its addresses.
    pub(crate) fn is_built_in(&self) -> bool {
        self.id.0 == PRACTICE
    }

    /// Returns whether all tokens of one site are valid for the other: it has the same addresses and servers.
    #[must_use]
    pub fn is_where(&self, other: &Self) -> bool {
        self.portal == other.portal && self.servers.len() == other.servers.len() && self.is_within(other)
    }

    /// Returns whether all tokens of this site are valid for `later`, which can have more servers.
    #[must_use]
    pub fn is_within(&self, later: &Self) -> bool {
        let is_kept = |one: &SavedServer| {
            later.servers.iter().any(|other| {
                (&one.id, &one.address, &one.services_url, &one.admin_url)
                    == (&other.id, &other.address, &other.services_url, &other.admin_url)
            })
        };
        self.portal == later.portal && self.servers.iter().all(is_kept)
    }

    /// Returns whether credentials for a component may be sent to `address`: it is at the host of `in_use`, the address that
    /// is shown for the component, or the user typed or confirmed it.
    #[must_use]
    pub fn is_confirmed(&self, in_use: &Url, address: &Url) -> bool {
        is_same_host(in_use, address) || self.confirmed.contains(&origin(address))
    }

    /// Returns the URLs of the portal (`None`) and of the servers, each with the component that it is one of.
    pub(super) fn addresses_by_component(&self) -> impl Iterator<Item = (Option<&ServerId>, &Url)> {
        let portal = self.portal.iter().flat_map(SavedPortal::addresses).map(|address| (None, address));
        let servers = self.servers.iter();
        portal.chain(servers.flat_map(|server| server.addresses().map(|address| (Some(&server.id), address))))
    }

    /// Returns a server as shown in the sign-in form.
    pub(crate) fn sign_in_to(&self, server: &SavedServer) -> ServerSignIn {
        let name = self.name_of_server(&server.id).unwrap_or_default();
        ServerSignIn { id: server.id.clone(), name, host: server.host_and_path() }
    }

    /// Returns all addresses of the site, for which its tokens and trusted certificates are valid.
    pub fn addresses(&self) -> impl Iterator<Item = &Url> {
        let portal = self.portal.iter().flat_map(SavedPortal::addresses);
        portal.chain(self.servers.iter().flat_map(SavedServer::addresses))
    }
}

impl SavedPortal {
    /// Returns all saved addresses of the portal.
    pub(crate) fn addresses(&self) -> impl Iterator<Item = &Url> {
        [Some(&self.address), self.admin_url.as_ref()].into_iter().flatten()
    }

    /// Returns the administration URL, as [`SavedServer::admin_url`] does.
    #[must_use]
    pub fn admin_url(&self) -> Option<&Url> {
        direct(&self.address, self.admin_url.as_ref())
    }

    /// Returns whether an address is below the web context of this portal: at its origin, and within its path. The
    /// administration of a Kubernetes deployment is, and takes the portal's own token.
    #[must_use]
    pub fn contains(&self, address: &Url) -> bool {
        let context = self.address.path().trim_end_matches('/');
        let within = address.path().strip_prefix(context);
        self.address.origin() == address.origin()
            && within.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// Returns whether two addresses are at the same host. Over HTTP, which is limited to this computer, any program can
/// listen at another port; over HTTPS, the certificate identifies the host.
pub(crate) fn is_same_host(one: &Url, other: &Url) -> bool {
    let is_secure = one.scheme() == "https" && other.scheme() == "https";
    origin(one) == origin(other) || (is_secure && one.host() == other.host())
}

/// Returns the origin of a URL: scheme, host, and port.
pub(crate) fn origin(address: &Url) -> String {
    address.origin().ascii_serialization()
}

impl SavedServer {
    /// Returns all saved addresses of the server.
    pub(crate) fn addresses(&self) -> impl Iterator<Item = &Url> {
        [Some(&self.address), self.services_url.as_ref(), self.admin_url.as_ref()].into_iter().flatten()
    }

    /// Returns the administration URL: the one that is set, or the address in use if that is not behind a web adaptor;
    /// `None` if none is known.
    #[must_use]
    pub fn admin_url(&self) -> Option<&Url> {
        direct(&self.address, self.admin_url.as_ref())
    }
}

fn direct<'a>(in_use: &'a Url, set: Option<&'a Url>) -> Option<&'a Url> {
    set.or_else(|| steward_client::discovery::is_own_address(in_use).then_some(in_use))
}

#[cfg(test)]
impl Site {
    /// Returns a site behind a web adaptor, for tests.
    pub(crate) fn example(id: &str) -> Self {
        Self::example_at(id, "gis.example.org")
    }

    /// Returns a site behind a web adaptor at a host, for tests.
    pub(crate) fn example_at(id: &str, host: &str) -> Self {
        let address = |text: &str| match Url::parse(text) {
            Ok(address) => address,
            Err(error) => panic!("{error}"),
        };
        Self {
            id: SiteId(id.to_owned()),
            name: id.to_owned(),
            environment: Environment::Production,
            color: SiteColor::Red,
            deployment_type: DeploymentType::Enterprise,
            portal: Some(SavedPortal {
                address: address(&format!("https://{host}/portal")),
                admin_url: None,
            }),
            servers: vec![SavedServer {
                id: ServerId("s".to_owned()),
                name: "srv1".to_owned(),
                address: address(&format!("https://{host}/server")),
                services_url: None,
                admin_url: None,
                server_type: ServerType::Gis,
                role: String::new(),
            }],
            current_server: None,
            ca_certificate: None,
            client_certificate: None,
            trusted_certificates: Vec::new(),
            confirmed: Vec::new(),
            earlier: Vec::new(),
            route: ConnectionRoute::System,
            client_id: None,
            username: None,
            read_only: false,
            seen: None,
        }
    }
}
