//! Operation 4: deactivates every webhook of one geoprocessing or feature service until they are activated again.

use crate::clock::now_ms;
use crate::sign_in::{Capability, Component};
use crate::store::services::{self, ServiceName};
use crate::store::webhooks;
use crate::webhooks::require_webhook_support;
use crate::wire::{Reply, RequestContext, json};
use serde_json::json;

pub(crate) async fn deactivate_webhooks(call: RequestContext, name: ServiceName) -> Reply {
    let caller = call.caller_with(Component::Server, Capability::for_webhooks_of(&name.kind)).await?;
    require_webhook_support(&name)?;
    let service = name.to_string();
    let (stopped, all) = call
        .app
        .server
        .write(move |tx| {
            let service = services::find(tx, &name)?.id;
            Ok((webhooks::deactivate_all(tx, service, now_ms())?, webhooks::ids_of_service(tx, service)?))
        })
        .await?;
    // "While deactivated, the webhooks are not invoked": also cancel attempts that already started. Recall all webhooks
    // of the service, because a concurrent request might have deactivated them and still be waiting.
    call.app.dispatcher.recall(&all).await;
    tracing::info!(service, stopped, by = caller.username, "webhooks deactivated");
    json(json!({ "status": "success" }))
}
