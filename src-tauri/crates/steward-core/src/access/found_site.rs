//! Result of a site discovery, as shown in the window.
//!
//! [`FoundView`] contains the site and all requests that were tried.

use serde::Serialize;
use steward_client::discovery::{
    FellBack, FoundSite, PortalRoots, ProbeOutcome, ServerRoots, Trace, UnreachedPortal,
};
use steward_client::{CertificateProblem, ProxyRefusal, Stage};

use crate::model::deployment::DeploymentType;
use crate::model::problem::returned_code;
use crate::sites::ServerForm;

/// Result of a discovery.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FoundView {
    /// Site; `null` if none was found.
    pub site: Option<FoundSiteView>,
    /// All addresses that were tried, with their outcomes.
    pub traces: Vec<DiscoveryAttemptView>,
}

/// A site that was found. Its addresses fill the form, where each can be changed.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FoundSiteView {
    /// Deployment type.
    pub deployment_type: DeploymentType,
    /// Portal; `null` if none was found.
    pub portal: Option<FoundPortalView>,
    /// Servers that respond without a session. The portal lists the others.
    pub servers: Vec<FoundServerView>,
    /// Portal that a server names as its owner, if no portal was found. The window shows a choice before the server is
    /// added.
    pub unreached_portal: Option<UnreachedPortalView>,
}

/// A portal that a server names as its owner, and that does not respond at this address.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UnreachedPortalView {
    /// URL of the server that names it.
    pub server: String,
    /// URL of the portal, as returned by the server.
    pub address: String,
    /// Outcome of the request to the portal.
    pub outcome: OutcomeView,
}

/// A portal that was found.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FoundPortalView {
    /// Name; may be empty.
    pub name: String,
    /// URL of the web context in use.
    pub address: String,
    /// Public URL, as returned by the portal.
    pub services_url: String,
    /// Administration URL; may be empty.
    pub admin_url: String,
    /// Root of the sharing API.
    pub sharing: String,
    /// Root of the administration API; empty if there is none.
    pub admin: String,
    /// Version; `null` if it is not returned without a session.
    pub version: Option<String>,
    /// Whether the sign-in page of the portal can be used.
    pub supports_oauth: bool,
    /// Preferred address that could not be used; `null` if there is none.
    pub fell_back: Option<FellBackView>,
}

/// A server that was found.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FoundServerView {
    /// Addresses, for the form.
    pub form: ServerForm,
    /// Version; `null` if it is not returned without a session.
    pub version: Option<String>,
    /// URL of the portal that the server is federated with; `null` for a stand-alone server.
    pub federated: Option<String>,
    /// Preferred address that could not be used; `null` if there is none.
    pub fell_back: Option<FellBackView>,
}

/// A preferred address that could not be used, so that another address of the site is in use.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FellBackView {
    /// Address that could not be used.
    pub from: String,
    /// Outcome of the request.
    pub outcome: OutcomeView,
}

/// A request of a discovery, and its outcome.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DiscoveryAttemptView {
    /// URL of the request.
    pub address: String,
    /// Outcome of the request.
    pub outcome: OutcomeView,
}

/// Outcome of a discovery request.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum OutcomeView {
    /// The address is that of a site.
    Answered {
        /// Version in the response.
        version: Option<String>,
    },
    /// The site requires a session.
    SignInFirst,
    /// The site returned another error object.
    Rejected {
        /// Error code; `null` if the site returned none.
        code: Option<i32>,
        /// Message of the site.
        message: String,
    },
    /// The web server requires its own authentication.
    AtTheDoor {
        /// Authentication scheme of the web server, for example `Negotiate`.
        challenge: String,
    },
    /// The address redirects to another one.
    Redirected {
        /// Target URL; `null` if it is invalid.
        to: Option<String>,
    },
    /// The response is not that of a site.
    SomethingElse {
        /// HTTP status code.
        status: u16,
    },
    /// A proxy opened no connection.
    ProxyRefused {
        /// Proxy and its response.
        refusal: ProxyRefusal,
    },
    /// The certificate is not trusted.
    Distrusted {
        /// Certificate, and the reasons why it is not trusted.
        certificate: Box<CertificateProblem>,
    },
    /// No response was received.
    Unreachable {
        /// Stage that the request reached.
        stage: Stage,
        /// Message of the library.
        reason: String,
    },
}

impl From<FoundSite> for FoundSiteView {
    fn from(found: FoundSite) -> Self {
        Self {
            deployment_type: found.deployment_type,
            portal: found.portal.map(FoundPortalView::from),
            servers: found.servers.into_iter().map(FoundServerView::from).collect(),
            unreached_portal: found.unreached_portal.map(UnreachedPortalView::from),
        }
    }
}

impl From<UnreachedPortal> for UnreachedPortalView {
    fn from(portal: UnreachedPortal) -> Self {
        Self { server: portal.server.into(), address: portal.address.into(), outcome: portal.outcome.into() }
    }
}

impl From<PortalRoots> for FoundPortalView {
    fn from(portal: PortalRoots) -> Self {
        let or_empty = |url: Option<url::Url>| url.map(String::from).unwrap_or_default();
        Self {
            name: portal.name,
            address: portal.context.into(),
            services_url: portal.services_url.into(),
            admin_url: or_empty(portal.admin_url),
            sharing: portal.sharing.into(),
            admin: or_empty(portal.admin),
            version: portal.version.map(|version| version.to_string()),
            supports_oauth: portal.supports_oauth,
            fell_back: portal.fell_back.map(FellBackView::from),
        }
    }
}

impl From<ServerRoots> for FoundServerView {
    fn from(server: ServerRoots) -> Self {
        let public =
            if server.services_url == server.admin { String::new() } else { server.services_url.into() };
        Self {
            form: ServerForm {
                id: None,
                name: server.name,
                address: server.admin.into(),
                services_url: public,
                admin_url: server.admin_url.map(String::from).unwrap_or_default(),
                server_type: server.server_type,
                role: server.role,
            },
            version: server.version.map(|version| version.to_string()),
            federated: server.federated.map(String::from),
            fell_back: server.fell_back.map(FellBackView::from),
        }
    }
}

impl From<FellBack> for FellBackView {
    fn from(fell_back: FellBack) -> Self {
        Self { from: fell_back.from.into(), outcome: fell_back.outcome.into() }
    }
}

impl From<Trace> for DiscoveryAttemptView {
    fn from(trace: Trace) -> Self {
        Self { address: trace.address.into(), outcome: trace.outcome.into() }
    }
}

impl From<ProbeOutcome> for OutcomeView {
    fn from(outcome: ProbeOutcome) -> Self {
        match outcome {
            ProbeOutcome::Answered { version } => {
                Self::Answered { version: version.map(|version| version.to_string()) }
            }
            ProbeOutcome::SignInFirst => Self::SignInFirst,
            ProbeOutcome::Rejected { code, message } => Self::Rejected { code: returned_code(code), message },
            ProbeOutcome::AtTheDoor { challenge } => Self::AtTheDoor { challenge },
            ProbeOutcome::Redirected { to } => Self::Redirected { to: to.map(String::from) },
            ProbeOutcome::SomethingElse { status } => Self::SomethingElse { status },
            ProbeOutcome::Distrusted { problem } => Self::Distrusted { certificate: problem.clone() },
            ProbeOutcome::ProxyRefused { refusal } => Self::ProxyRefused { refusal },
            ProbeOutcome::Unreachable { stage, reason } => Self::Unreachable { stage, reason },
        }
    }
}
