//! What requests about webhooks have in common: the ID in the path, and what the caller must be allowed.

use crate::sign_in::{Caller, Capability, Component};
use crate::store::services::ServiceName;
use crate::wire::{ApiError, RequestContext};
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use std::collections::HashMap;

/// Webhook ID, the last segment of a path.
pub(crate) struct WebhookId(pub(super) String);

impl<S: Send + Sync> FromRequestParts<S> for WebhookId {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<WebhookId, ApiError> {
        let names = Path::<HashMap<String, String>>::from_request_parts(parts, state).await;
        let id = names.ok().and_then(|Path(mut names)| names.remove("webhook"));
        id.map(WebhookId).ok_or_else(|| ApiError::not_found("The webhook"))
    }
}

/// Requires a caller who can change webhooks, and a service type that supports them.
pub(super) async fn require_editor(call: &RequestContext, service: &ServiceName) -> Result<Caller, ApiError> {
    let caller = call.caller_with(Component::Server, Capability::for_webhooks_of(&service.kind)).await?;
    require_webhook_support(service)?;
    Ok(caller)
}

/// Rejects service types without webhooks.
pub(crate) fn require_webhook_support(service: &ServiceName) -> Result<(), ApiError> {
    match service.kind.as_str() {
        "GPServer" | "FeatureServer" => Ok(()),
        _ => Err(ApiError::bad_request(format!(
            "{service} has no webhooks: only geoprocessing and feature services do."
        ))),
    }
}
