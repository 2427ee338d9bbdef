//! Result types of site discovery: plain data in which the user can override each URL.

use url::Url;

use super::ProbeOutcome;
use crate::deployment_type::{DeploymentType, ServerType};
use crate::requirements::{PortalFact, ServerFact};
use crate::version::Version;

/// Site with its portal and servers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundSite {
    /// Deployment type.
    pub deployment_type: DeploymentType,
    /// Portal. `None` for a stand-alone server, and if the portal did not respond.
    pub portal: Option<PortalRoots>,
    /// Servers that responded without a session. The portal lists the others.
    pub servers: Vec<ServerRoots>,
    /// Portal that a found server names as its owner. `None` if a portal was found.
    pub unreached_portal: Option<UnreachedPortal>,
}

/// Portal that a server names as its owner and that did not respond at this URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreachedPortal {
    /// Services URL of the server.
    pub server: Url,
    /// URL of the portal, as the server names it.
    pub address: Url,
    /// Outcome of the request to that URL.
    pub outcome: ProbeOutcome,
}

/// URLs of a portal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortalRoots {
    /// Root used for all requests except an import.
    pub context: Url,
    /// Root of the sharing API.
    pub sharing: Url,
    /// Root of the administration. `None` for organizations hosted by the vendor.
    pub admin: Option<Url>,
    /// Services URL, as the portal names it.
    pub services_url: Url,
    /// Administration URL, which bypasses web adaptors. `None` if unknown.
    pub admin_url: Option<Url>,
    /// Name of the organization. Empty if the portal does not return it.
    pub name: String,
    /// Version. `None` if the portal does not return it without a sign-in.
    pub version: Option<Version>,
    /// Whether users can sign in on the portal's own page (OAuth 2).
    pub supports_oauth: bool,
    /// URL that should have been used and did not respond.
    pub fell_back: Option<FellBack>,
}

/// URLs of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerRoots {
    /// Name in the portal's list, or the host and port.
    pub name: String,
    /// Services URL, for clients.
    pub services_url: Url,
    /// Root used for administration, without `/admin`.
    pub admin: Url,
    /// Administration URL, which bypasses web adaptors and is required for imports. `None` if unknown.
    pub admin_url: Option<Url>,
    /// Server type.
    pub server_type: ServerType,
    /// Role in the federation, for example `HOSTING_SERVER`. Empty if unknown.
    pub role: String,
    /// Portal that the server is federated with, or names as its owner.
    pub federated: Option<Url>,
    /// Version. `None` if the server does not return it without a sign-in.
    pub version: Option<Version>,
    /// URL that should have been used and did not respond.
    pub fell_back: Option<FellBack>,
}

/// URL that did not respond, so that another one is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FellBack {
    /// URL that did not respond.
    pub from: Url,
    /// Outcome of the request to it.
    pub outcome: ProbeOutcome,
}

impl PortalRoots {
    /// Returns whether a URL is one of this portal's. A trailing slash is ignored.
    #[must_use]
    pub fn is_at(&self, address: &Url) -> bool {
        let plain = |url: &Url| url.as_str().trim_end_matches('/').to_owned();
        [Some(&self.context), Some(&self.services_url), self.admin_url.as_ref()]
            .into_iter()
            .flatten()
            .any(|own| plain(own) == plain(address))
    }

    /// Returns the properties that [`requirements`](crate::requirements) needs.
    #[must_use]
    pub const fn fact(&self) -> PortalFact {
        PortalFact { version: self.version, has_admin_url: self.admin_url.is_some() }
    }
}

impl ServerRoots {
    /// Returns the properties that [`requirements`](crate::requirements) needs.
    #[must_use]
    pub fn fact(&self) -> ServerFact {
        ServerFact {
            server_type: self.server_type.clone(),
            version: self.version,
            has_admin_url: self.admin_url.is_some(),
        }
    }
}
