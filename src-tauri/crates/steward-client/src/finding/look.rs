//! Looking at a root: what answers there.

use std::time::Duration;

use reqwest::header;
use serde_json::Value;
use url::Url;

use super::pasted::secure;
use crate::answer::Sent;
use crate::area::Area;
use crate::decode;
use crate::error::{ClientError, Stage};
use crate::trust::CertificateProblem;
use crate::version::Version;
use crate::wire::texts;

/// For connection and answer together. A guess that is wrong must not keep anyone waiting.
const WITHIN: Duration = Duration::from_secs(8);

/// None of these answers is longer, at a site; elsewhere anything may be.
const LONGEST: usize = 1024 * 1024;

/// What was asked, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// The address.
    pub address: Url,
    /// What came of it.
    pub outcome: Outcome,
}

/// What an address answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// As a site does.
    Answered {
        /// The version in the answer.
        version: Option<Version>,
    },
    /// That somebody has to sign in first, which only a site says.
    SignInFirst,
    /// Another refusal in the manner of a site.
    Refused {
        /// The code.
        code: i32,
        /// The words.
        message: String,
    },
    /// With a sign-in of the web server in front of it.
    AtTheDoor {
        /// How it wants one to sign in, as in `Negotiate, NTLM`.
        challenge: String,
    },
    /// That it is elsewhere.
    Redirected {
        /// Where; `None` when that cannot be read.
        to: Option<Url>,
    },
    /// With something that is no answer of a site, as a page.
    SomethingElse {
        /// The HTTP status.
        status: u16,
    },
    /// With a certificate that is not trusted.
    Distrusted {
        /// The certificate, and what is wrong with it.
        problem: Box<CertificateProblem>,
    },
    /// Not at all.
    Unreachable {
        /// How far it came.
        stage: Stage,
        /// The library's reason.
        reason: String,
    },
}

impl Outcome {
    /// Whether a site is there, whatever it said.
    #[must_use]
    pub const fn is_site(&self) -> bool {
        matches!(self, Self::Answered { .. } | Self::SignInFirst)
    }
}

/// An answer, and its body where it is one.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) outcome: Outcome,
    pub(super) body: Value,
}

/// A root, looked at from all sides.
#[derive(Debug)]
pub(super) struct Looked {
    pub(super) root: Url,
    pub(super) sharing: Answer,
    /// The portal's own words about itself, where there is a portal.
    pub(super) portal_self: Value,
    pub(super) portaladmin: Option<Outcome>,
    pub(super) rest_info: Answer,
    pub(super) admin: Outcome,
    pub(super) traces: Vec<Trace>,
}

impl Looked {
    pub(super) async fn at(area: Area) -> Self {
        let (sharing, rest_info, admin) = tokio::join!(
            ask(&area, &["sharing", "rest"]),
            ask(&area, &["rest", "info"]),
            ask(&area, &["admin"]),
        );
        let mut traces = vec![sharing.1, rest_info.1, admin.1];
        let (mut portal_self, mut portaladmin) = (Value::Null, None);
        if sharing.0.outcome.is_site() {
            let (itself, administration) = tokio::join!(
                ask(&area, &["sharing", "rest", "portals", "self"]),
                ask(&area, &["portaladmin"]),
            );
            portal_self = itself.0.body;
            portaladmin = Some(administration.0.outcome);
            traces.extend([itself.1, administration.1]);
        }
        Self {
            root: area.root().clone(),
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

    /// Kubernetes has one administration for portal and servers, at the portal's own context, and no other.
    pub(super) fn is_kubernetes(&self) -> bool {
        self.is_portal() && self.admin.is_site() && !self.portaladmin.as_ref().is_some_and(Outcome::is_site)
    }

    pub(super) fn is_server(&self) -> bool {
        !self.is_portal() && (self.rest_info.outcome.is_site() || self.admin.is_site())
    }

    /// The portal that a server names as its owner.
    pub(super) fn owner(&self) -> Option<Url> {
        let named = texts(self.rest_info.body.get("owningSystemUrl")).into_iter().next()?;
        // Some end in a slash, which a root never does.
        Url::parse(named.trim_end_matches('/')).ok().as_ref().and_then(secure)
    }

    /// Other roots that this one names.
    pub(super) fn leads_to(&self) -> Vec<Url> {
        let mut others = Vec::new();
        if let Some(owner) = self.owner().filter(|_| self.is_server()) {
            // The owner's name may be one that only the server knows; its context is then the same here.
            let mut here = self.root.clone();
            here.set_path(owner.path());
            others.extend([owner, here]);
        }
        for (answer, path) in [(&self.sharing, "/sharing/rest"), (&self.rest_info, "/rest/info")] {
            let Outcome::Redirected { to: Some(to) } = &answer.outcome else { continue };
            let context = to.path().trim_end_matches('/').strip_suffix(path);
            if let (Some(context), Some(mut root)) = (context, secure(to)) {
                root.set_path(context);
                others.push(root);
            }
        }
        others
    }
}

pub(super) async fn ask(area: &Area, path: &[&str]) -> (Answer, Trace) {
    let address = area.address(path);
    let nothing = |outcome| Answer { outcome, body: Value::Null };
    let answer = match area.look(path, WITHIN).await {
        // The answer is another root's, which is looked at as such.
        Ok(response) if !is_at(response.url(), &address) => {
            nothing(Outcome::Redirected { to: Some(response.url().clone()) })
        }
        Ok(response) => read(response).await,
        Err(ClientError::Redirected { to, .. }) => nothing(Outcome::Redirected { to: Url::parse(&to).ok() }),
        Err(error) => nothing(unreachable(&error)),
    };
    let trace = Trace { address, outcome: answer.outcome.clone() };
    (answer, trace)
}

/// Whether what answered is what was asked. A slash at the end is no other place.
fn is_at(answered: &Url, asked: &Url) -> bool {
    let path = |url: &Url| url.path().trim_end_matches('/').to_owned();
    answered.origin() == asked.origin() && path(answered) == path(asked)
}

async fn read(response: reqwest::Response) -> Answer {
    let status = response.status();
    let nothing = |outcome| Answer { outcome, body: Value::Null };
    // Those that lead somewhere did not come here.
    if status.is_redirection() {
        return nothing(Outcome::Redirected { to: None });
    }
    if status.as_u16() == 401 && response.headers().contains_key(header::WWW_AUTHENTICATE) {
        let challenges = response.headers().get_all(header::WWW_AUTHENTICATE);
        let schemes: Vec<&str> =
            challenges.iter().filter_map(|value| value.to_str().ok()?.split(' ').next()).collect();
        return nothing(Outcome::AtTheDoor { challenge: schemes.join(", ") });
    }
    let something_else = Outcome::SomethingElse { status: status.as_u16() };
    let body = match start(response).await {
        Ok(body) => body,
        Err(error) => return nothing(unreachable(&error)),
    };
    let Ok(body @ Value::Object(_)) = serde_json::from_slice(&body) else { return nothing(something_else) };
    // Not by the status: any program refuses with 403, and only a site says so in its own manner.
    match decode::refusal(&body, 200, &Sent::default()) {
        // 403 is what a portal says that nobody may look at without signing in.
        Some(ClientError::Refused { code: 403 | 498 | 499, .. }) => nothing(Outcome::SignInFirst),
        Some(ClientError::Refused { code, message, .. }) => nothing(Outcome::Refused { code, message }),
        Some(_) => nothing(something_else),
        None if !is_of_a_site(&body) => nothing(something_else),
        None => Answer { outcome: Outcome::Answered { version: version(&body) }, body },
    }
}

/// As much of a body as an answer of a site has.
async fn start(mut response: reqwest::Response) -> Result<Vec<u8>, ClientError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(ClientError::while_reading)? {
        body.extend_from_slice(&chunk);
        if body.len() > LONGEST {
            break;
        }
    }
    Ok(body)
}

/// Any program may answer with JSON; these are the fields that descriptions of portals and servers have.
fn is_of_a_site(body: &Value) -> bool {
    let fields = [
        "currentVersion",
        "fullVersion",
        "enterpriseVersion",
        "authInfo",
        "isPortal",
        "resources",
        "version",
    ];
    fields.iter().any(|field| body.get(field).is_some())
}

/// The release, or a year where there is none.
pub(super) fn version(body: &Value) -> Option<Version> {
    let fields = ["enterpriseVersion", "fullVersion", "currentVersion", "version"];
    let said: Vec<String> = fields.iter().flat_map(|field| texts(body.get(field))).collect();
    let said = said.iter().map(String::as_str);
    Version::release(said.clone()).or_else(|| said.into_iter().find_map(Version::parse))
}

fn unreachable(error: &ClientError) -> Outcome {
    let stage = match error {
        ClientError::Unreachable { stage, .. } => *stage,
        ClientError::Certificate(problem) => return Outcome::Distrusted { problem: problem.clone() },
        ClientError::ClientCertificate { .. } => Stage::Tls,
        ClientError::NotEncrypted { .. } | ClientError::Setup { .. } => Stage::Connect,
        _ => Stage::Wait,
    };
    let mut cause: &dyn std::error::Error = error;
    // The innermost one says what happened; the others say that something did.
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    Outcome::Unreachable { stage, reason: cause.to_string() }
}
