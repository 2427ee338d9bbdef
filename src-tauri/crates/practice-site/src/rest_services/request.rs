//! What requests to running services have in common: the names in the path, and what the caller must be allowed.

use crate::sign_in::{Caller, Capability, Component};
use crate::store::services::{self, ServiceName};
use crate::wire::{ApiError, RequestContext};
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use std::collections::HashMap;

/// Parameters of a path: folder, service, layer, task, job.
pub(crate) struct Names(HashMap<String, String>);

impl<S: Send + Sync> FromRequestParts<S> for Names {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Names, ApiError> {
        let names = Path::<HashMap<String, String>>::from_request_parts(parts, state).await;
        names.map(|Path(names)| Names(names)).map_err(|_| ApiError::not_found("The resource"))
    }
}

impl Names {
    pub(super) fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// Returns the service in the path, which must exist and be started.
    pub(super) async fn service(&self, call: &RequestContext, kind: &str) -> Result<ServiceName, ApiError> {
        let name = ServiceName {
            folder: self.get("folder").to_owned(),
            name: self.get("service").to_owned(),
            kind: kind.to_owned(),
        };
        let service = call.app.server.read(move |server| services::find(server, &name)).await?;
        if service.real_time_state == "STARTED" {
            Ok(service.name)
        } else {
            Err(ApiError::failed(format!("The service {} is not started.", service.name)))
        }
    }
}

/// Requires a signed-in user.
pub(super) async fn reader(call: &RequestContext) -> Result<Caller, ApiError> {
    call.caller(Component::Server).await
}

/// Requires the privilege for editing features or running jobs of this service type.
pub(super) async fn editor(call: &RequestContext, kind: &str) -> Result<Caller, ApiError> {
    call.caller_with(Component::Server, Capability::for_webhooks_of(kind)).await
}
