//! Operation 4: deactivates every webhook of one geoprocessing or feature service until they are activated again.

use crate::clock::now_ms;
use crate::sign_in::{Area, Capability};
use crate::store::services::{self, ServiceName};
use crate::store::webhooks;
use crate::webhooks::refuse_without_webhooks;
use crate::wire::{Call, Reply, json};
use serde_json::json;

pub(crate) async fn deactivate_webhooks(call: Call, name: ServiceName) -> Reply {
    let caller = call.caller_with(Area::Server, Capability::for_webhooks_of(&name.kind)).await?;
    refuse_without_webhooks(&name)?;
    let service = name.to_string();
    let (stopped, all) = call
        .app
        .server
        .write(move |tx| {
            let service = services::find(tx, &name)?.id;
            Ok((webhooks::deactivate_all(tx, service, now_ms())?, webhooks::ids_of_service(tx, service)?))
        })
        .await?;
    // "While deactivated, the webhooks are not invoked": not even by an attempt that had begun before. All of
    // them, since another call may have deactivated them and still be waiting for such an end.
    call.app.courier.recall(&all).await;
    tracing::info!(service, stopped, by = caller.username, "webhooks deactivated");
    json(json!({ "status": "success" }))
}
