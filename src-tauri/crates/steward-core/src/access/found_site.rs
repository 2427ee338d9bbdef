//! What was found behind an address, and how.

use serde::Serialize;
use steward_client::finding::{
    FellBack, FoundSite, Outcome, PortalRoots, ServerRoots, Trace, UnreachedPortal,
};

use crate::model::certificate::CertificateView;
use crate::model::deployment::SiteFlavour;
use crate::model::problem::{StageView, told};
use crate::sites::ServerForm;

/// What was found, and everything that was asked on the way.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FoundView {
    /// The site; `null` when nothing that was tried is one.
    pub site: Option<FoundSiteView>,
    /// Every address that was asked, with what it answered.
    pub traces: Vec<TraceView>,
}

/// A site as it was found. Its addresses are those of the form, where each may be overridden.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FoundSiteView {
    /// What kind of deployment it is.
    pub flavour: SiteFlavour,
    /// Its portal.
    pub portal: Option<FoundPortalView>,
    /// The servers that answered without a sign-in. The portal knows the others.
    pub servers: Vec<FoundServerView>,
    /// The portal that a found server names as its owner, where no portal was found. The window asks what to do about
    /// it before the server is added.
    pub unreached_portal: Option<UnreachedPortalView>,
}

/// A portal that a server names as its owner, and that was not found under this address.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UnreachedPortalView {
    /// The address of the server that names it.
    pub server: String,
    /// The address that the server gives.
    pub address: String,
    /// The response from that address.
    pub outcome: OutcomeView,
}

/// A portal as it was found.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FoundPortalView {
    /// Its name; may be empty.
    pub name: String,
    /// The web context in use.
    pub address: String,
    /// The address it names itself by.
    pub public: String,
    /// The one past every web adaptor; may be empty.
    pub direct: String,
    /// Root of the sharing API.
    pub sharing: String,
    /// Root of its administration; empty where there is none.
    pub admin: String,
    /// Its version, where it tells it to strangers.
    pub version: Option<String>,
    /// Whether its own sign-in page can be used.
    pub supports_oauth: bool,
    /// The address that should have been used and could not be.
    pub fell_back: Option<FellBackView>,
}

/// A server as it was found.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FoundServerView {
    /// Its addresses, as the form takes them.
    pub form: ServerForm,
    /// Its version, where it tells it to strangers.
    pub version: Option<String>,
    /// The portal it is federated with.
    pub federated: Option<String>,
    /// The address that should have been used and could not be.
    pub fell_back: Option<FellBackView>,
}

/// An address that was given and could not be used, so that another one is.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FellBackView {
    /// The address that was given.
    pub from: String,
    /// What came of it.
    pub outcome: OutcomeView,
}

/// What was asked, and what came of it.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TraceView {
    /// The address.
    pub address: String,
    /// What came of it.
    pub outcome: OutcomeView,
}

/// What an address answered.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum OutcomeView {
    /// As a site does.
    Answered {
        /// The version in the answer.
        version: Option<String>,
    },
    /// That somebody has to sign in first, which only a site says.
    SignInFirst,
    /// Another refusal in the manner of a site.
    Refused {
        /// The code; `null` where it sent none.
        code: Option<i32>,
        /// The words.
        message: String,
    },
    /// With a sign-in of the web server in front of it.
    AtTheDoor {
        /// How it wants one to sign in.
        challenge: String,
    },
    /// That it is elsewhere.
    Redirected {
        /// Where; `null` when that cannot be read.
        to: Option<String>,
    },
    /// With something that is no answer of a site.
    SomethingElse {
        /// The HTTP status.
        status: u16,
    },
    /// With a certificate that is not trusted.
    Distrusted {
        /// The certificate.
        certificate: Box<CertificateView>,
    },
    /// Not at all.
    Unreachable {
        /// How far it came.
        stage: StageView,
        /// The library's reason.
        reason: String,
    },
}

impl From<FoundSite> for FoundSiteView {
    fn from(found: FoundSite) -> Self {
        Self {
            flavour: found.flavour.into(),
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
            public: portal.public.into(),
            direct: or_empty(portal.direct),
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
        let public = if server.public == server.admin { String::new() } else { server.public.into() };
        Self {
            form: ServerForm {
                id: None,
                name: server.name,
                address: server.admin.into(),
                public,
                direct: server.direct.map(String::from).unwrap_or_default(),
                flavour: server.flavour.into(),
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

impl From<Trace> for TraceView {
    fn from(trace: Trace) -> Self {
        Self { address: trace.address.into(), outcome: trace.outcome.into() }
    }
}

impl From<Outcome> for OutcomeView {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Answered { version } => {
                Self::Answered { version: version.map(|version| version.to_string()) }
            }
            Outcome::SignInFirst => Self::SignInFirst,
            Outcome::Refused { code, message } => Self::Refused { code: told(code), message },
            Outcome::AtTheDoor { challenge } => Self::AtTheDoor { challenge },
            Outcome::Redirected { to } => Self::Redirected { to: to.map(String::from) },
            Outcome::SomethingElse { status } => Self::SomethingElse { status },
            Outcome::Distrusted { problem } => {
                Self::Distrusted { certificate: Box::new(problem.as_ref().into()) }
            }
            Outcome::Unreachable { stage, reason } => Self::Unreachable { stage: stage.into(), reason },
        }
    }
}
