//! Administration of service webhooks: list, create, edit, delete, activate and deactivate, what failed, and the
//! settings for all of them. That they are silenced all at once is [`crate::operations`]' part.

mod change;
mod form;
mod list;
mod settings;
mod status;

pub(crate) use change::{activate_all, create, delete, delete_all, edit};
pub(crate) use list::{every, of_service, one};
pub(crate) use settings::{change_settings, settings};
pub(crate) use status::notification_status;

use crate::sign_in::{Area, Caller, Capability};
use crate::store::services::ServiceName;
use crate::wire::{Call, Refusal};
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use std::collections::HashMap;

/// The last word of a path: a webhook's id.
pub(crate) struct WebhookId(String);

impl<S: Send + Sync> FromRequestParts<S> for WebhookId {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<WebhookId, Refusal> {
        let names = Path::<HashMap<String, String>>::from_request_parts(parts, state).await;
        let id = names.ok().and_then(|Path(mut names)| names.remove("webhook"));
        id.map(WebhookId).ok_or_else(|| Refusal::not_found("The webhook"))
    }
}

/// Whoever may change webhooks, of a service that can have some.
async fn keeper(call: &Call, service: &ServiceName) -> Result<Caller, Refusal> {
    let caller = call.caller_with(Area::Server, Capability::for_webhooks_of(&service.kind)).await?;
    refuse_without_webhooks(service)?;
    Ok(caller)
}

/// 400 for the types of services that have no webhooks.
pub(crate) fn refuse_without_webhooks(service: &ServiceName) -> Result<(), Refusal> {
    match service.kind.as_str() {
        "GPServer" | "FeatureServer" => Ok(()),
        _ => Err(Refusal::bad_request(format!(
            "{service} has no webhooks: only geoprocessing and feature services do."
        ))),
    }
}
