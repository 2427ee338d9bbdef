//! What was found: plain data, of which each address may be overridden.

use url::Url;

use super::Outcome;
use crate::flavour::{Flavour, ServerFlavour};
use crate::gates::{PortalFact, ServerFact};
use crate::version::Version;

/// A site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundSite {
    /// What kind of site it is.
    pub flavour: Flavour,
    /// Its portal; absent where a server stands alone, and where its portal could not be reached.
    pub portal: Option<PortalRoots>,
    /// The servers that answered without a sign-in. The portal knows the others.
    pub servers: Vec<ServerRoots>,
    /// The portal that a found server names as its owner, where no portal was found.
    pub unreached_portal: Option<UnreachedPortal>,
}

/// A portal that a server names as its owner, and that was not found under this address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreachedPortal {
    /// The server that names it.
    pub server: Url,
    /// The address that the server gives.
    pub address: Url,
    /// The response from that address.
    pub outcome: Outcome,
}

/// The addresses of a portal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortalRoots {
    /// The address in use, which everything but an import goes to.
    pub context: Url,
    /// The sharing API.
    pub sharing: Url,
    /// Its administration; an organisation that the vendor hosts has none.
    pub admin: Option<Url>,
    /// The address it names itself by.
    pub public: Url,
    /// The address past every web adaptor, which an import takes.
    pub direct: Option<Url>,
    /// Its name.
    pub name: String,
    /// Its version, where it tells it to strangers.
    pub version: Option<Version>,
    /// Whether its own sign-in page can be used.
    pub supports_oauth: bool,
    /// The address that should have been used and could not be.
    pub fell_back: Option<FellBack>,
}

/// The addresses of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerRoots {
    /// Its name.
    pub name: String,
    /// The address that everybody uses.
    pub public: Url,
    /// The root in use for administration, below which `/admin` is.
    pub admin: Url,
    /// The root past every web adaptor, which an import takes.
    pub direct: Option<Url>,
    /// What kind of server it is.
    pub flavour: ServerFlavour,
    /// What it is to its portal, as in `HOSTING_SERVER`; empty when nobody said.
    pub role: String,
    /// The portal it is federated with.
    pub federated: Option<Url>,
    /// Its version, where it tells it to strangers.
    pub version: Option<Version>,
    /// The address that should have been used and could not be.
    pub fell_back: Option<FellBack>,
}

/// An address that was given and could not be used, so that another one is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FellBack {
    /// The address that was given.
    pub from: Url,
    /// What came of it.
    pub outcome: Outcome,
}

impl PortalRoots {
    /// Whether an address is one of this portal's, as when a server names its owner.
    #[must_use]
    pub fn is_at(&self, address: &Url) -> bool {
        let plain = |url: &Url| url.as_str().trim_end_matches('/').to_owned();
        [Some(&self.context), Some(&self.public), self.direct.as_ref()]
            .into_iter()
            .flatten()
            .any(|own| plain(own) == plain(address))
    }

    /// What the gates need to know.
    #[must_use]
    pub const fn fact(&self) -> PortalFact {
        PortalFact { version: self.version }
    }
}

impl ServerRoots {
    /// What the gates need to know.
    #[must_use]
    pub fn fact(&self) -> ServerFact {
        ServerFact {
            flavour: self.flavour.clone(),
            version: self.version,
            has_direct_address: self.direct.is_some(),
        }
    }
}
