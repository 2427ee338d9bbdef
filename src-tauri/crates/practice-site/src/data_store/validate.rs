//! Validation of data store items.

use crate::clock::now_ms;
use crate::off_thread::off_thread;
use crate::sign_in::{Capability, Component};
use crate::store::data_items;
use crate::wire::{ApiError, Reply, RequestContext, json};
use serde_json::{Value, json};

pub(crate) async fn validate_item(call: RequestContext) -> Reply {
    call.caller_with(Component::Server, Capability::UpdateOrPublisher).await?;
    let item = call.parameters.json("item")?.filter(Value::is_object);
    let item = item.ok_or_else(|| ApiError::bad_request("'item' must be a JSON object."))?;
    match off_thread(move || Ok(fault(&item))).await? {
        None => json(json!({ "status": "success" })),
        Some(fault) => Err(ApiError::failed(fault)),
    }
}

pub(crate) async fn machines(call: RequestContext, root: &'static str, name: String) -> Reply {
    call.caller_with(Component::Server, Capability::UpdateOrPublisher).await?;
    let item = item_named(&call, root, &name).await?;
    json(json!({ "machines": item["info"]["machines"].as_array().cloned().unwrap_or_default() }))
}

/// Returns the health of one machine of a managed data store, with the keys of real servers. A machine that is stopped
/// in the item is not healthy.
pub(crate) async fn validate_machine(
    call: RequestContext,
    root: &'static str,
    name: String,
    machine: String,
) -> Reply {
    call.caller_with(Component::Server, Capability::UpdateOrPublisher).await?;
    let item = item_named(&call, root, &name).await?;
    let machines = item["info"]["machines"].as_array().cloned().unwrap_or_default();
    let found = machines
        .iter()
        .find(|one| one["name"].as_str().is_some_and(|name| name.eq_ignore_ascii_case(&machine)));
    let found = found.ok_or_else(|| ApiError::not_found(format!("The machine {machine}")))?;
    let is_stopped = found["status"] == "Stopped";
    json(json!({
        "datastore.name": name,
        "datastore.isConfigured": true,
        "datastore.isReadOnly": false,
        "machines": [{
            "machine.overallhealth": if is_stopped { "Unhealthy" } else { "Healthy" },
            "machine.isReachable": if is_stopped { "false" } else { "true" },
            "name": found["name"],
            "platform": found["platform"],
            "role": found["role"],
            "dbport": found["dbPort"],
            "initstarttime": now_ms(),
            "status": if is_stopped { "Stopped" } else { "Started" },
        }],
    }))
}

async fn item_named(call: &RequestContext, root: &str, name: &str) -> Result<Value, ApiError> {
    let path = format!("/{root}/{name}");
    let missing = ApiError::not_found(format!("The data item {path}"));
    call.app.server.read(move |server| data_items::at_path(server, &path)).await?.ok_or(missing)
}

/// Returns why an item is unusable. Checks that folders exist; does not connect to databases, because this site opens
/// no connections to other systems.
fn fault(item: &Value) -> Option<String> {
    let path = item["path"].as_str().unwrap_or("The item");
    let info = &item["info"];
    match (item["type"].as_str(), info["path"].as_str(), info["connectionString"].as_str()) {
        (Some("folder" | "rasterStore" | "bigDataFileShare"), Some(folder), _) => {
            let reason = std::fs::read_dir(folder).err()?;
            Some(format!("{path}: the folder {folder} cannot be read ({reason})."))
        }
        (Some("folder" | "rasterStore" | "bigDataFileShare"), None, _) => {
            Some(format!("{path}: 'info.path' names no folder."))
        }
        (Some("egdb"), _, Some(connection)) if !connection.contains("SERVER=") => {
            Some(format!("{path}: the connection string names no SERVER."))
        }
        (Some("egdb" | "cloudStore"), _, None) => Some(format!("{path}: there is no connection string.")),
        (None, ..) => Some(format!("{path}: the item has no type.")),
        _ => None,
    }
}
