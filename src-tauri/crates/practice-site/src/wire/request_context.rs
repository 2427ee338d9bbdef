//! Request context of a handler.

use super::{ApiError, Parameters};
use crate::app::App;
use crate::fault_injection::{FaultRule, InjectedFault};
use crate::release::Release;
use crate::sign_in::{Caller, Capability, Component, Origin};
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

/// Site, parameters and token of one request.
pub(crate) struct RequestContext {
    pub(crate) app: Arc<App>,
    pub(crate) parameters: Parameters,
    /// Simulated fault inside the operation. `None` for normal processing.
    pub(crate) fault: Option<InjectedFault>,
    /// Seconds of that fault; 0 without one.
    pub(crate) fault_seconds: u64,
    /// Referer and IP address of the request.
    pub(crate) origin: Origin,
    token: Option<String>,
}

impl RequestContext {
    /// Returns the owner of the token.
    pub(crate) async fn caller(&self, component: Component) -> Result<Caller, ApiError> {
        let token = self.token.clone().ok_or_else(ApiError::token_required)?;
        Caller::identify(&self.app, component, token, &self.origin).await
    }

    /// Returns whether the request has no token.
    pub(crate) fn is_anonymous(&self) -> bool {
        self.token.is_none()
    }

    /// Adds a parameter that arrived in a later part of the body.
    pub(super) fn add_parameter(&mut self, name: String, value: String) {
        if name == "token" {
            self.token = Some(value.clone());
        }
        self.parameters.add(name, value);
    }

    /// Rejects a parameter that came in before the site has it. Real sites ignore it, and do something else.
    pub(crate) fn only_since(&self, name: &str, since: Release) -> Result<(), ApiError> {
        if self.app.release >= since || self.parameters.text(name).is_none() {
            return Ok(());
        }
        let release = self.app.release;
        Err(ApiError::bad_request(format!(
            "'{name}' is a parameter since {since}, and this site is {release}."
        )))
    }

    /// Rejects a parameter that real sites have since a release, and this one does not serve. If it ignored the place of an
    /// export, it would write to another one.
    pub(crate) fn not_served(&self, name: &str, since: Release) -> Result<(), ApiError> {
        self.only_since(name, since)?;
        match self.parameters.text(name) {
            None => Ok(()),
            Some(_) => {
                Err(ApiError::bad_request(format!("'{name}' is not supported here by the practice site.")))
            }
        }
    }

    /// Returns the owner of the token. `None` without a token, for public resources.
    pub(crate) async fn caller_if_any(&self, component: Component) -> Result<Option<Caller>, ApiError> {
        match &self.token {
            Some(_) => self.caller(component).await.map(Some),
            None => Ok(None),
        }
    }

    /// Returns the caller after checking the capability. Every operation calls this first.
    pub(crate) async fn caller_with(
        &self,
        component: Component,
        capability: Capability,
    ) -> Result<Caller, ApiError> {
        let caller = self.caller(component).await?;
        if caller.role.has(capability) {
            Ok(caller)
        } else {
            Err(ApiError::not_allowed(capability.description()))
        }
    }
}

impl FromRequestParts<Arc<App>> for RequestContext {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<RequestContext, ApiError> {
        let parameters = parts.extensions.get::<Parameters>().cloned().unwrap_or_default();
        let token = parameters.text("token").map(str::to_owned).or_else(|| bearer(&parts.headers));
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0.ip());
        let origin = Origin::new(&parts.headers, peer);
        let rule = parts.extensions.get::<FaultRule>();
        let fault_seconds = rule.map_or(0, |rule| rule.seconds);
        let fault = rule.map(|rule| rule.fault);
        Ok(RequestContext { app: Arc::clone(app), parameters, fault, fault_seconds, origin, token })
    }
}

fn bearer(headers: &HeaderMap) -> Option<String> {
    ["X-Esri-Authorization", "Authorization"].into_iter().find_map(|name| {
        let (scheme, token) = headers.get(name)?.to_str().ok()?.trim().split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned())
    })
}
