//! What is kept of a site. No secret is among it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use steward_client::Pin;
use url::Url;

use crate::model::deployment::ServerKind;
use crate::model::deployment::SiteFlavour;
use crate::model::deployment::SiteKind;
use crate::model::ids::ServerId;
use crate::model::ids::SiteId;
use crate::model::ids::TokenFor;
use crate::model::numbers::Millis;
use crate::model::operation::Area;
use crate::model::problem::{Declined, Fault, Problem, ServerSignIn};

/// The colour of a site, shown on every surface.
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
    /// Identifier.
    pub id: SiteId,
    /// The name the person gave it.
    pub name: String,
    /// What it is for.
    pub kind: SiteKind,
    /// Its colour.
    pub color: SiteColor,
    /// What kind of deployment it is.
    pub flavour: SiteFlavour,
    /// Its portal.
    pub portal: Option<SavedPortal>,
    /// Its servers.
    pub servers: Vec<SavedServer>,
    /// The server that is worked with; the first where none was chosen.
    pub chosen_server: Option<ServerId>,
    /// A CA certificate trusted for this site beside the system's.
    pub ca_certificate: Option<PathBuf>,
    /// The certificate that says who we are, in PEM or PKCS#12; its password is in the keyring.
    pub client_certificate: Option<PathBuf>,
    /// Certificates that were accepted as they are.
    pub pins: Vec<Pin>,
    /// Origins, as in `https://machine.example.org:6443`, that a person typed or confirmed as those of this site. What
    /// a profile brought is not among them.
    #[serde(default)]
    pub confirmed: Vec<String>,
    /// The way there.
    pub route: SavedRoute,
    /// The name this program is registered under at the portal, for signing in through the browser.
    pub client_id: Option<String>,
    /// Who signed in last.
    pub username: Option<String>,
    /// Whether every change is refused until somebody unlocks it with a reason.
    pub read_only: bool,
    /// What it said of itself last; `None` before anybody signed in, and in files of an earlier program.
    #[serde(default)]
    pub seen: Option<Seen>,
}

/// What a site said of itself when it was asked last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Seen {
    /// Version of the portal.
    pub portal_version: Option<String>,
    /// Version of the server that is worked with.
    pub server_version: Option<String>,
    /// When.
    pub at: Millis,
}

/// The addresses of a portal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedPortal {
    /// The web context in use.
    pub address: Url,
    /// The one past every web adaptor.
    pub direct: Option<Url>,
}

/// The addresses of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedServer {
    /// Identifier.
    pub id: ServerId,
    /// Its name.
    pub name: String,
    /// The root in use, below which `/admin` is.
    pub address: Url,
    /// The root that the portal knows it by, where that is another.
    pub public: Option<Url>,
    /// The root past every web adaptor, which an import takes.
    pub direct: Option<Url>,
    /// What kind of server it is.
    pub flavour: ServerKind,
    /// What it is to its portal, as in `HOSTING_SERVER`; may be empty.
    pub role: String,
}

/// The way to a site. The proxy's password is in the keyring.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SavedRoute {
    /// As the system is set up.
    System,
    /// Straight to the site.
    Direct,
    /// Through one proxy.
    Proxy {
        /// Its address, as in `http://proxy.example.org:3128`.
        address: String,
        /// Name to give there; empty for none.
        user: String,
        /// Hosts to speak to directly.
        exceptions: Vec<String>,
    },
}

impl Site {
    /// The server that is worked with.
    #[must_use]
    pub fn server(&self) -> Option<&SavedServer> {
        let chosen = self.chosen_server.as_ref();
        self.servers.iter().find(|server| Some(&server.id) == chosen).or(self.servers.first())
    }

    /// Where somebody signs in: at a server of the site, otherwise at its portal, or at the server of a site without
    /// a portal.
    ///
    /// # Errors
    /// [`Problem::Form`] for a server that the site does not have, [`Problem::NoAddress`] for a site without any.
    pub fn signs_in_at(&self, server: Option<&ServerId>) -> Result<TokenFor, Problem> {
        match (server, &self.portal, self.server()) {
            (Some(id), _, _) if self.servers.iter().any(|one| one.id == *id) => {
                Ok(TokenFor::Server(id.clone()))
            }
            (Some(_), _, _) => Err(Problem::form("server", Fault::Required)),
            (None, Some(_), _) => Ok(TokenFor::Portal),
            (None, None, Some(server)) => Ok(TokenFor::Server(server.id.clone())),
            (None, None, None) => Err(Problem::NoAddress { area: Area::Portal }),
        }
    }

    /// Returns whether the server that is worked with is the administration of a Kubernetes deployment: part of the
    /// portal itself, below its web context.
    #[must_use]
    pub fn has_own_administration(&self) -> bool {
        self.flavour == SiteFlavour::Kubernetes
            && matches!((&self.portal, self.server()), (Some(portal), Some(server)) if portal.contains(&server.address))
    }

    /// Refuses to go on at the chosen server with what was sent to `address`, an address of another one of this site.
    /// What is of no server any more may have been sent to this one, before it was moved.
    pub(crate) fn must_be_of_chosen_server(&self, address: &str) -> Result<(), Problem> {
        let is_of = |server: &&SavedServer| {
            let roots = [Some(&server.address), server.public.as_ref(), server.direct.as_ref()];
            roots.into_iter().flatten().any(|root| {
                let rest = address.strip_prefix(root.as_str().trim_end_matches('/'));
                rest.is_some_and(|rest| rest.starts_with('/'))
            })
        };
        let chosen = self.server();
        if chosen.as_ref().is_some_and(is_of) {
            return Ok(());
        }
        match self.servers.iter().find(is_of) {
            Some(other) => Err(Problem::declined(Declined::OtherServer { server: other.name.clone() })),
            None => Ok(()),
        }
    }

    /// Whether every token of the one is good for the other: the same addresses, of the same servers.
    #[must_use]
    pub fn is_where(&self, other: &Self) -> bool {
        self.portal == other.portal && self.servers.len() == other.servers.len() && self.is_within(other)
    }

    /// Whether every token of this one is good for `later`, which may have more servers.
    #[must_use]
    pub fn is_within(&self, later: &Self) -> bool {
        let is_kept = |one: &SavedServer| {
            later.servers.iter().any(|other| {
                (&one.id, &one.address, &one.public, &one.direct)
                    == (&other.id, &other.address, &other.public, &other.direct)
            })
        };
        self.portal == later.portal && self.servers.iter().all(is_kept)
    }

    /// Whether a credential for `server` may go to `address` by what a person saw or said: the address is at the host
    /// that is shown for the server everywhere, or somebody typed or confirmed it.
    #[must_use]
    pub fn is_confirmed(&self, server: &SavedServer, address: &Url) -> bool {
        is_same_host(&server.address, address) || self.confirmed.contains(&origin(address))
    }

    /// Every address of the site: what a token or an acceptance of this site is good for.
    pub fn addresses(&self) -> impl Iterator<Item = &Url> {
        let portal = self.portal.iter().flat_map(|portal| [Some(&portal.address), portal.direct.as_ref()]);
        let servers = self
            .servers
            .iter()
            .flat_map(|server| [Some(&server.address), server.public.as_ref(), server.direct.as_ref()]);
        portal.chain(servers).flatten()
    }
}

impl SavedPortal {
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

/// Whether two addresses are at one host. Over http, which is for this computer alone, any program may listen at
/// another port; over https the certificate speaks for the host.
pub(crate) fn is_same_host(one: &Url, other: &Url) -> bool {
    let is_secure = one.scheme() == "https" && other.scheme() == "https";
    origin(one) == origin(other) || (is_secure && one.host() == other.host())
}

/// Scheme, host and port.
pub(crate) fn origin(address: &Url) -> String {
    address.origin().ascii_serialization()
}

impl SavedServer {
    /// Returns what the sign-in form shows of it.
    pub(crate) fn sign_in(&self) -> ServerSignIn {
        ServerSignIn { id: self.id.clone(), host: self.host() }
    }

    /// The host and port of the address in use, as in `srv1.example.org:6443`.
    #[must_use]
    pub fn host(&self) -> String {
        let host = self.address.host_str().unwrap_or_default();
        self.address.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    /// The root past every web adaptor, if one is known: the one that was given, or the address in use where it is the
    /// server's own by itself.
    #[must_use]
    pub fn direct(&self) -> Option<&Url> {
        let is_direct = steward_client::finding::is_own_address(&self.address);
        self.direct.as_ref().or_else(|| is_direct.then_some(&self.address))
    }
}

#[cfg(test)]
impl Site {
    /// A site behind a web adaptor, for tests.
    pub(crate) fn example(id: &str) -> Self {
        let address = |text: &str| match Url::parse(text) {
            Ok(address) => address,
            Err(error) => panic!("{error}"),
        };
        Self {
            id: SiteId(id.to_owned()),
            name: id.to_owned(),
            kind: SiteKind::Production,
            color: SiteColor::Red,
            flavour: SiteFlavour::Enterprise,
            portal: Some(SavedPortal { address: address("https://gis.example.org/portal"), direct: None }),
            servers: vec![SavedServer {
                id: ServerId("s".to_owned()),
                name: "srv1".to_owned(),
                address: address("https://gis.example.org/server"),
                public: None,
                direct: None,
                flavour: ServerKind::Gis,
                role: String::new(),
            }],
            chosen_server: None,
            ca_certificate: None,
            client_certificate: None,
            pins: Vec::new(),
            confirmed: Vec::new(),
            route: SavedRoute::System,
            client_id: None,
            username: None,
            read_only: false,
            seen: None,
        }
    }
}
