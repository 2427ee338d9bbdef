//! What could not be delivered.

use super::WebhookId;
use crate::sign_in::{Area, Capability};
use crate::store::services::{self, ServiceName};
use crate::store::{queue, webhooks};
use crate::wire::{Call, Reply, json};
use serde_json::{Value, json};

/// Failures only, the latest first.
pub(crate) async fn notification_status(call: Call, name: ServiceName, WebhookId(id): WebhookId) -> Reply {
    call.caller_with(Area::Server, Capability::for_webhooks_of(&name.kind)).await?;
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
