//! One request as a handler sees it.

use super::{Parameters, Refusal};
use crate::app::App;
use crate::mishaps::Mishap;
use crate::sign_in::{Area, Caller, Capability, Origin};
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

/// The site, what was said, and the token it was said with.
pub(crate) struct Call {
    pub(crate) app: Arc<App>,
    pub(crate) parameters: Parameters,
    /// What was ordered to go wrong inside of the operation.
    pub(crate) mishap: Option<Mishap>,
    /// Where it comes from.
    pub(crate) origin: Origin,
    token: Option<String>,
}

impl Call {
    /// Whoever holds the token: 499 without one, 498 when it is not good here.
    pub(crate) async fn caller(&self, area: Area) -> Result<Caller, Refusal> {
        let token = self.token.clone().ok_or_else(Refusal::token_required)?;
        Caller::identify(&self.app, area, token, &self.origin).await
    }

    /// Whether no token came with it.
    pub(crate) fn is_anonymous(&self) -> bool {
        self.token.is_none()
    }

    /// A parameter that came later than the others.
    pub(super) fn learn(&mut self, name: String, value: String) {
        if name == "token" {
            self.token = Some(value.clone());
        }
        self.parameters.add(name, value);
    }

    /// The same where nobody in particular may ask too. A bad token is still refused.
    pub(crate) async fn caller_if_any(&self, area: Area) -> Result<Option<Caller>, Refusal> {
        match &self.token {
            Some(_) => self.caller(area).await.map(Some),
            None => Ok(None),
        }
    }

    /// The caller, when the specification's capability is theirs: otherwise 403. Every operation asks this before
    /// it looks at anything else.
    pub(crate) async fn caller_with(&self, area: Area, capability: Capability) -> Result<Caller, Refusal> {
        let caller = self.caller(area).await?;
        if caller.role.has(capability) {
            Ok(caller)
        } else {
            Err(Refusal::not_allowed(capability.in_words()))
        }
    }
}

impl FromRequestParts<Arc<App>> for Call {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Call, Refusal> {
        let parameters = parts.extensions.get::<Parameters>().cloned().unwrap_or_default();
        let token = parameters.text("token").map(str::to_owned).or_else(|| bearer(&parts.headers));
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0.ip());
        let origin = Origin::new(&parts.headers, peer);
        let mishap = parts.extensions.get::<Mishap>().copied();
        Ok(Call { app: Arc::clone(app), parameters, mishap, origin, token })
    }
}

fn bearer(headers: &HeaderMap) -> Option<String> {
    ["X-Esri-Authorization", "Authorization"].into_iter().find_map(|name| {
        let (scheme, token) = headers.get(name)?.to_str().ok()?.trim().split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned())
    })
}
