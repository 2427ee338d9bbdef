//! Items come to the data store and go.

use crate::app::App;
use crate::clock::now_ms;
use crate::random;
use crate::sign_in::{Area, Capability};
use crate::store::data_items;
use crate::wire::{Call, Refusal, Reply, json};
use serde_json::{Value, json};

pub(crate) async fn register_item(call: Call) -> Reply {
    call.caller_with(Area::Server, Capability::UpdateOrPublisher).await?;
    let item = complete(&call.app, given_item(&call)?)?;
    let shown = item.clone();
    call.app
        .server
        .write(move |tx| {
            let path = item["path"].as_str().unwrap_or_default();
            if data_items::at_path(tx, path)?.is_some() {
                return Err(Refusal::failed(format!("There is an item at {path} already.")));
            }
            data_items::add(tx, &item)
        })
        .await?;
    json(json!({ "status": "success", "success": true, "item": shown }))
}

pub(crate) async fn unregister_item(call: Call) -> Reply {
    call.caller_with(Area::Server, Capability::UpdateOrPublisher).await?;
    let Some(path) = call.parameters.text("itempath").map(super::path) else {
        return Err(Refusal::bad_request("'itempath' must be specified."));
    };
    call.app
        .server
        .write(move |tx| {
            let item = data_items::at_path(tx, &path)?;
            let item = item.ok_or_else(|| Refusal::not_found(format!("The data item {path}")))?;
            if item["info"]["isManaged"] == true {
                return Err(Refusal::failed(format!(
                    "{path} is managed by the site and cannot be unregistered."
                )));
            }
            data_items::remove(tx, &path)
        })
        .await?;
    json(json!({ "status": "success", "success": true }))
}

/// `item`, a JSON object.
pub(super) fn given_item(call: &Call) -> Result<Value, Refusal> {
    let item = call.parameters.text("item").and_then(|text| serde_json::from_str::<Value>(text).ok());
    item.filter(Value::is_object).ok_or_else(|| Refusal::bad_request("'item' must be a JSON object."))
}

/// What a client leaves out is added, and secrets are locked before anything is stored.
fn complete(app: &App, mut item: Value) -> Result<Value, Refusal> {
    let path = item["path"].as_str().map(super::path).filter(|path| path.matches('/').count() >= 2);
    let Some(path) = path else {
        return Err(Refusal::bad_request(
            "The item needs a 'path' below one of the roots, as in /fileShares/survey.",
        ));
    };
    if !item["type"].is_string() || !(item["info"].is_object() || item["info"].is_null()) {
        return Err(Refusal::bad_request("The item needs a 'type', and an object as 'info'."));
    }
    let now = now_ms();
    let usual = json!({
        "id": random::uuid(),
        "name": path.rsplit('/').next(),
        "description": "",
        "provider": "",
        "systemManaged": false,
        "purposes": [],
        "revision": "1",
        "encryptAttributes": [],
        "encryptedAttributes": [],
        "info": {},
        "meta": { "created": now, "modified": now },
    });
    for (name, value) in usual.as_object().into_iter().flatten() {
        if item[name].is_null() {
            item[name] = value.clone();
        }
    }
    item["path"] = json!(path);
    item["info"]["isManaged"] = json!(false);
    app.cipher.lock_item(&mut item)?;
    Ok(item)
}
