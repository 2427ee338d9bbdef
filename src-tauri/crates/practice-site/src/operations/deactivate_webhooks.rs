//! Operation 4: deactivates every webhook of one geoprocessing or feature service until they are activated again.

use crate::clock::now_ms;
use crate::sign_in::{Area, Capability};
use crate::store::services::{self, ServiceName};
use crate::store::webhooks;
use crate::wire::{Call, Refusal, Reply, json};
use serde_json::json;

pub(crate) async fn deactivate_webhooks(call: Call, name: ServiceName) -> Reply {
    let caller = call.caller_with(Area::Server, Capability::for_webhooks_of(&name.kind)).await?;
    if !matches!(name.kind.as_str(), "GPServer" | "FeatureServer") {
        return Err(Refusal::bad_request(format!(
            "{name} has no webhooks: only geoprocessing and feature services do."
        )));
    }
    let service = name.to_string();
    let stopped = call
        .app
        .server
        .write(move |tx| webhooks::deactivate_all(tx, services::find(tx, &name)?.id, now_ms()))
        .await?;
    tracing::info!(service, stopped, by = caller.username, "webhooks deactivated");
    json(json!({ "status": "success" }))
}
