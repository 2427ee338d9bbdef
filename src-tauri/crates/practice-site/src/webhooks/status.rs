//! Failed deliveries of a webhook.

use super::request::WebhookId;
use crate::sign_in::{Capability, Component};
use crate::store::services::{self, ServiceName};
use crate::store::{queue, webhooks};
use crate::wire::{Reply, RequestContext, json};
use serde_json::{Value, json};

/// Lists failures only, latest first.
pub(crate) async fn notification_status(
    call: RequestContext,
    name: ServiceName,
    WebhookId(id): WebhookId,
) -> Reply {
    call.caller_with(Component::Server, Capability::for_webhooks_of(&name.kind)).await?;
    let webhook = call
        .app
        .server
        .read(move |server| webhooks::find(server, services::find(server, &name)?.id, &id))
        .await?;
    let failures = call.app.runtime.read(move |runtime| queue::failures(runtime, &webhook.id)).await?;
    let shown: Vec<Value> = failures
        .iter()
        .map(|failure| {
            json!({
                "invoked": false,
                "invokedTimestamp": failure.moment,
                "attempts": failure.attempts,
                "responseText": failure.reason,
            })
        })
        .collect();
    json(json!({ "webhookNotificationStatus": shown }))
}
