//! The server's system: its properties, and what stands before it.

use crate::sign_in::{Area, Capability};
use crate::store::{configuration, web_adaptors};
use crate::wire::{Call, Refusal, Reply, json};
use serde_json::{Value, json};

const PROPERTIES: &str = "properties";

pub(crate) async fn root(call: Call) -> Reply {
    call.caller_with(Area::Server, Capability::Administrator).await?;
    json(json!({ "resources": [PROPERTIES, "webadaptors"] }))
}

pub(crate) async fn properties(call: Call) -> Reply {
    call.caller_with(Area::Server, Capability::Administrator).await?;
    let properties = call.app.server.read(|server| configuration::setting(server, PROPERTIES)).await?;
    json(properties.unwrap_or_else(|| json!({})))
}

/// The reverse proxies that stand before this server.
pub(crate) async fn web_adaptors(call: Call) -> Reply {
    call.caller_with(Area::Server, Capability::Administrator).await?;
    let all = call.app.server.read(web_adaptors::all).await?;
    json(json!({ "webAdaptors": all }))
}

/// Replaces all of them, as real servers do: a client reads them first and sends them all.
pub(crate) async fn update_properties(call: Call) -> Reply {
    call.caller_with(Area::Server, Capability::Administrator).await?;
    let Some(properties) = call.parameters.json(PROPERTIES)?.filter(Value::is_object) else {
        return Err(Refusal::bad_request("'properties' must be a JSON object."));
    };
    call.app.server.write(move |tx| configuration::set(tx, PROPERTIES, &properties)).await?;
    json(json!({ "status": "success" }))
}
