//! System resources of the server: properties and web adaptors.

use crate::sign_in::{Capability, Component};
use crate::store::{configuration, web_adaptors};
use crate::wire::{ApiError, Reply, RequestContext, json};
use serde_json::{Value, json};

const PROPERTIES: &str = "properties";

pub(crate) async fn root(call: RequestContext) -> Reply {
    call.caller_with(Component::Server, Capability::Administrator).await?;
    json(json!({ "resources": [PROPERTIES, "webadaptors", "licenses"] }))
}

pub(crate) async fn properties(call: RequestContext) -> Reply {
    call.caller_with(Component::Server, Capability::Administrator).await?;
    let properties = call.app.server.read(|server| configuration::setting(server, PROPERTIES)).await?;
    json(properties.unwrap_or_else(|| json!({})))
}

/// Returns the machines of this server site, as the last import recorded them.
pub(crate) async fn machines(call: RequestContext) -> Reply {
    call.caller_with(Component::Server, Capability::Administrator).await?;
    let machines = call.app.server.read(|server| configuration::setting(server, "machines")).await?;
    json(json!({ "machines": machines.unwrap_or_else(|| json!([])) }))
}

/// Returns the web adaptors of this server.
pub(crate) async fn web_adaptors(call: RequestContext) -> Reply {
    call.caller_with(Component::Server, Capability::Administrator).await?;
    let all = call.app.server.read(web_adaptors::all).await?;
    json(json!({ "webAdaptors": all }))
}

/// Replaces all properties, as real servers do: clients read them first and send the complete set.
pub(crate) async fn update_properties(call: RequestContext) -> Reply {
    call.caller_with(Component::Server, Capability::Administrator).await?;
    let Some(properties) = call.parameters.json(PROPERTIES)?.filter(Value::is_object) else {
        return Err(ApiError::bad_request("'properties' must be a JSON object."));
    };
    call.app.server.write(move |tx| configuration::set(tx, PROPERTIES, &properties)).await?;
    json(json!({ "status": "success" }))
}
