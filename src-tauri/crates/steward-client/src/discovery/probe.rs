//! Requests that find out which component an endpoint root belongs to.

use std::time::Duration;

use reqwest::header;
use url::Url;

use super::description::Description;
use super::input::secure;
use crate::decode::{self, Limits};
use crate::endpoint::Endpoint;
use crate::error::{ClientError, Stage};
use crate::limits::shown;
use crate::proxy_refusal::{ProxyRefusal, schemes};
use crate::response_capture::Sent;
use crate::trust::CertificateProblem;
use crate::version::Version;

/// Timeout for connection and response together. Most roots are guesses, so it is short.
const TIMEOUT: Duration = Duration::from_secs(8);

/// Requested URL and outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// Requested URL.
    pub address: Url,
    /// Outcome of the request.
    pub outcome: ProbeOutcome,
}

/// Outcome of a discovery request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProbeOutcome {
    /// Response of a site.
    Answered {
        /// Version in the response. `None` if it contains none.
        version: Option<Version>,
    },
    /// Rejection because of a missing sign-in (code 403, 498 or 499), in the format of a site.
    SignInFirst,
    /// Other rejection in the format of a site.
    Rejected {
        /// Code of the rejection.
        code: i32,
        /// Message of the rejection.
        message: String,
    },
    /// The web server in front of the site requires its own authentication (401 with `WWW-Authenticate`).
    AtTheDoor {
        /// Authentication schemes, for example `Negotiate, NTLM`.
        challenge: String,
    },
    /// Redirect to another root.
    Redirected {
        /// Target. `None` if it is not a URL.
        to: Option<Url>,
    },
    /// Response that is not from a site, for example an HTML page.
    SomethingElse {
        /// HTTP status.
        status: u16,
    },
    /// The server certificate is not trusted.
    Distrusted {
        /// Certificate and reason.
        problem: Box<CertificateProblem>,
    },
    /// A proxy opened no connection.
    ProxyRefused {
        /// Proxy and its response.
        refusal: ProxyRefusal,
    },
    /// No response.
    Unreachable {
        /// Phase in which the request failed.
        stage: Stage,
        /// Innermost error of the HTTP library.
        reason: String,
    },
}

impl ProbeOutcome {
    /// Returns whether the root belongs to a site, with or without permission.
    #[must_use]
    pub const fn is_site(&self) -> bool {
        matches!(self, Self::Answered { .. } | Self::SignInFirst)
    }
}

/// Outcome, and the description in the response; empty if it is not from a site.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) outcome: ProbeOutcome,
    pub(super) body: Description,
}

/// Endpoint root with the outcomes of all requests to it.
#[derive(Debug)]
pub(super) struct ProbedRoot {
    pub(super) root: Url,
    pub(super) sharing: Reply,
    /// Description of the portal; empty if there is no portal.
    pub(super) portal_self: Description,
    pub(super) portaladmin: Option<ProbeOutcome>,
    pub(super) rest_info: Reply,
    pub(super) admin: ProbeOutcome,
    pub(super) traces: Vec<Trace>,
}

impl ProbedRoot {
    pub(super) async fn at(endpoint: Endpoint) -> Self {
        let (sharing, rest_info, admin) = tokio::join!(
            request(&endpoint, &["sharing", "rest"]),
            request(&endpoint, &["rest", "info"]),
            request(&endpoint, &["admin"]),
        );
        let mut traces = vec![sharing.1, rest_info.1, admin.1];
        let (mut portal_self, mut portaladmin) = (Description::default(), None);
        if sharing.0.outcome.is_site() {
            let (itself, administration) = tokio::join!(
                request(&endpoint, &["sharing", "rest", "portals", "self"]),
                request(&endpoint, &["portaladmin"]),
            );
            portal_self = itself.0.body;
            portaladmin = Some(administration.0.outcome);
            traces.extend([itself.1, administration.1]);
        }
        Self {
            root: endpoint.root().clone(),
            sharing: sharing.0,
            portal_self,
            portaladmin,
            rest_info: rest_info.0,
            admin: admin.0.outcome,
            traces,
        }
    }

    pub(super) fn is_portal(&self) -> bool {
        self.sharing.outcome.is_site()
    }

    /// Returns whether the root is Kubernetes: it has one administration for portal and servers in the portal's
    /// context, and no portal administration.
    pub(super) fn is_kubernetes(&self) -> bool {
        self.is_portal()
            && self.admin.is_site()
            && !self.portaladmin.as_ref().is_some_and(ProbeOutcome::is_site)
    }

    pub(super) fn is_server(&self) -> bool {
        !self.is_portal() && (self.rest_info.outcome.is_site() || self.admin.is_site())
    }

    /// Returns the portal that a server names as its owner.
    pub(super) fn owner(&self) -> Option<Url> {
        let named = &self.rest_info.body.owning_system_url;
        // Some owner URLs end with a slash; roots never do.
        Url::parse(named.trim_end_matches('/')).ok().as_ref().and_then(secure)
    }

    /// Returns other roots that the responses name.
    pub(super) fn leads_to(&self) -> Vec<Url> {
        let mut others = Vec::new();
        if let Some(owner) = self.owner().filter(|_| self.is_server()) {
            // The owner's host might be reachable only from the server. Try its context on this host as well.
            let mut here = self.root.clone();
            here.set_path(owner.path());
            others.extend([owner, here]);
        }
        for (reply, path) in [(&self.sharing, "/sharing/rest"), (&self.rest_info, "/rest/info")] {
            let ProbeOutcome::Redirected { to: Some(to) } = &reply.outcome else { continue };
            let context = to.path().trim_end_matches('/').strip_suffix(path);
            if let (Some(context), Some(mut root)) = (context, secure(to)) {
                root.set_path(context);
                others.push(root);
            }
        }
        others
    }
}

pub(super) async fn request(endpoint: &Endpoint, path: &[&str]) -> (Reply, Trace) {
    let address = endpoint.address(path);
    let without_body = |outcome| Reply { outcome, body: Description::default() };
    let reply = match endpoint.look(path, TIMEOUT).await {
        // The response belongs to another root, which is requested separately.
        Ok(response) if !is_at(response.url(), &address) => {
            without_body(ProbeOutcome::Redirected { to: Some(response.url().clone()) })
        }
        Ok(response) => read(response).await,
        Err(ClientError::Redirected { to, .. }) => {
            without_body(ProbeOutcome::Redirected { to: Url::parse(&to).ok() })
        }
        Err(error) => without_body(unreachable(&error)),
    };
    let trace = Trace { address, outcome: reply.outcome.clone() };
    (reply, trace)
}

/// Returns whether the responding URL is the requested one. A trailing slash is ignored.
fn is_at(responding: &Url, requested: &Url) -> bool {
    let path = |url: &Url| url.path().trim_end_matches('/').to_owned();
    responding.origin() == requested.origin() && path(responding) == path(requested)
}

async fn read(response: reqwest::Response) -> Reply {
    let status = response.status();
    let without_body = |outcome| Reply { outcome, body: Description::default() };
    // Redirects with a target were followed or rejected before; this one has no usable target.
    if status.is_redirection() {
        return without_body(ProbeOutcome::Redirected { to: None });
    }
    if status.as_u16() == 401 && response.headers().contains_key(header::WWW_AUTHENTICATE) {
        let challenges = response.headers().get_all(header::WWW_AUTHENTICATE);
        let schemes = schemes(challenges.iter().filter_map(|value| value.to_str().ok()));
        return without_body(ProbeOutcome::AtTheDoor { challenge: shown(schemes.join(", ")) });
    }
    let something_else = ProbeOutcome::SomethingElse { status: status.as_u16() };
    let limits = Limits::small(None);
    let body = match decode::bytes(response, &Sent::default(), "a description", limits).await {
        Ok(body) => body,
        Err(ClientError::Unreadable { .. }) => return without_body(something_else),
        Err(error) => return without_body(unreachable(&error)),
    };
    let body = decode::text(&body);
    // Ignore the HTTP status: every web server can return 403, but only a site returns its own error object.
    match decode::rejection(&body, 200, &Sent::default()) {
        // Portals return 403 if anonymous access is disabled.
        Some(ClientError::Rejected { code: 403 | 498 | 499, .. }) => without_body(ProbeOutcome::SignInFirst),
        Some(ClientError::Rejected { code, message, .. }) => {
            without_body(ProbeOutcome::Rejected { code, message })
        }
        Some(_) => without_body(something_else),
        None => match decode::object::<Description>(&body).filter(Description::is_of_a_site) {
            Some(body) => Reply { outcome: ProbeOutcome::Answered { version: body.version() }, body },
            None => without_body(something_else),
        },
    }
}

fn unreachable(error: &ClientError) -> ProbeOutcome {
    let stage = match error {
        ClientError::Unreachable { stage, .. } | ClientError::Stalled { stage, .. } => *stage,
        ClientError::ProxyRefused(refusal) => {
            return ProbeOutcome::ProxyRefused { refusal: refusal.as_ref().clone() };
        }
        ClientError::Certificate(problem) => return ProbeOutcome::Distrusted { problem: problem.clone() },
        ClientError::ClientCertificate { .. } => Stage::Tls,
        ClientError::NotEncrypted { .. } | ClientError::Setup { .. } => Stage::Connect,
        ClientError::Rejected { .. }
        | ClientError::TokenEnded { .. }
        | ClientError::TokenRenewed
        | ClientError::NotRenewed { .. }
        | ClientError::Redirected { .. }
        | ClientError::Unreadable { .. }
        | ClientError::Slow { .. }
        | ClientError::WrongLength { .. } => Stage::Read,
    };
    let mut cause: &dyn std::error::Error = error;
    // The innermost error gives the cause; the outer ones only state that the request failed.
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    ProbeOutcome::Unreachable { stage, reason: cause.to_string() }
}
