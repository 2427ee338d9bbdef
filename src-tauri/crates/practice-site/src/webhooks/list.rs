//! Listing of webhooks.

use super::request::WebhookId;
use crate::sign_in::{Capability, Component};
use crate::store::services::{self, ServiceName};
use crate::store::webhooks::{self, Webhook};
use crate::wire::{Reply, RequestContext, json, page};
use serde_json::{Value, json};

pub(crate) async fn of_service(call: RequestContext, name: ServiceName) -> Reply {
    call.caller_with(Component::Server, Capability::for_webhooks_of(&name.kind)).await?;
    let service = name.clone();
    let webhooks = call
        .app
        .server
        .read(move |server| webhooks::of_service(server, services::find(server, &service)?.id))
        .await?;
    json(page(&call.parameters, "webhooks", &webhooks, |webhook| shown(&name, webhook)))
}

/// Lists the webhooks of all services, limited to services whose webhooks the caller can see.
pub(crate) async fn every(call: RequestContext) -> Reply {
    let caller = call.caller_with(Component::Server, Capability::LookAroundServer).await?;
    let mut webhooks = call.app.server.read(webhooks::all).await?;
    webhooks.retain(|(service, _)| caller.may(Capability::for_webhooks_of(&service.kind)));
    json(page(&call.parameters, "webhooks", &webhooks, |(service, webhook)| shown(service, webhook)))
}

pub(crate) async fn one(call: RequestContext, name: ServiceName, WebhookId(id): WebhookId) -> Reply {
    call.caller_with(Component::Server, Capability::for_webhooks_of(&name.kind)).await?;
    let service = name.clone();
    let webhook = call
        .app
        .server
        .read(move |server| webhooks::find(server, services::find(server, &service)?.id, &id))
        .await?;
    json(shown(&name, &webhook))
}

pub(super) fn shown(service: &ServiceName, webhook: &Webhook) -> Value {
    let mut object = webhook.settings.clone();
    // Publishers can read the list, but the key is only for the receiver.
    object["signatureKey"] = json!("");
    object["id"] = json!(webhook.id);
    object["folderName"] = json!(service.shown_folder());
    object["serviceName"] = json!(service.name);
    object["serviceType"] = json!(service.kind);
    object["name"] = json!(webhook.name);
    object["hookUrl"] = json!(webhook.hook_url);
    object["active"] = json!(webhook.active);
    object["created"] = json!(webhook.created);
    object["modified"] = json!(webhook.modified);
    object
}
