//! Registration and removal of data store items.

use crate::app::App;
use crate::clock::now_ms;
use crate::random;
use crate::sign_in::{Capability, Component};
use crate::store::data_items::{self, Filter};
use crate::wire::{ApiError, Reply, RequestContext, json};
use serde_json::{Value, json};

pub(crate) async fn register_item(call: RequestContext) -> Reply {
    call.caller_with(Component::Server, Capability::UpdateOrPublisher).await?;
    let item = complete(&call.app, given_item(&call)?)?;
    let shown = item.clone();
    call.app
        .server
        .write(move |tx| {
            let path = item["path"].as_str().unwrap_or_default();
            if data_items::at_path(tx, path)?.is_some() {
                return Err(ApiError::failed(format!("There is an item at {path} already.")));
            }
            let same = Filter { id: item["id"].as_str().map(str::to_owned), ..Filter::default() };
            if !data_items::find(tx, &same)?.is_empty() {
                return Err(ApiError::failed("There is an item with this 'id' already."));
            }
            data_items::add(tx, &item)
        })
        .await?;
    json(json!({ "status": "success", "success": true, "item": shown }))
}

pub(crate) async fn unregister_item(call: RequestContext) -> Reply {
    call.caller_with(Component::Server, Capability::UpdateOrPublisher).await?;
    let Some(path) = call.parameters.text("itempath").map(super::path) else {
        return Err(ApiError::bad_request("'itempath' must be specified."));
    };
    call.app
        .server
        .write(move |tx| {
            let item = data_items::at_path(tx, &path)?;
            let item = item.ok_or_else(|| ApiError::not_found(format!("The data item {path}")))?;
            if item["info"]["isManaged"] == true {
                return Err(ApiError::failed(format!(
                    "{path} is managed by the site and cannot be unregistered."
                )));
            }
            data_items::remove(tx, &path)
        })
        .await?;
    json(json!({ "status": "success", "success": true }))
}

/// Returns the parameter `item`.
///
/// # Errors
/// Code 400 if it is missing or not a JSON object.
pub(super) fn given_item(call: &RequestContext) -> Result<Value, ApiError> {
    let item = call.parameters.json("item")?;
    item.filter(Value::is_object).ok_or_else(|| ApiError::bad_request("'item' must be a JSON object."))
}

/// Adds default fields to an item and encrypts its secrets, before it is stored.
fn complete(app: &App, mut item: Value) -> Result<Value, ApiError> {
    let path = item["path"].as_str().map(super::path).unwrap_or_default();
    item["path"] = json!(path);
    if let Some(fault) = fault(&item) {
        return Err(ApiError::bad_request(format!("The item cannot be registered: {fault}.")));
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
    item["info"]["isManaged"] = json!(false);
    app.cipher.lock_item(&mut item)?;
    Ok(item)
}

/// Returns why an item cannot be stored. `None` if it can.
pub(crate) fn fault(item: &Value) -> Option<&'static str> {
    let path = item["path"].as_str().unwrap_or_default();
    if path != super::path(path) || path.matches('/').count() < 2 {
        return Some("it needs a 'path' below one of the roots, as in /fileShares/survey");
    }
    if path.chars().any(char::is_control)
        || item["type"].as_str().is_none_or(str::is_empty)
        || !(item["info"].is_object() || item["info"].is_null())
    {
        return Some("it needs a 'type', an object as 'info', and a path without control characters");
    }
    if !names_only_what_is_in_info(item) || !(item["id"].is_string() || item["id"].is_null()) {
        return Some("'encryptAttributes' must be a list of paths to texts below info, and 'id' a text");
    }
    None
}

/// Returns whether `encryptAttributes` lists only texts below `info`. With an encrypted path, an item could not be
/// found again.
fn names_only_what_is_in_info(item: &Value) -> bool {
    let is_text_in_info = |path: &Value| {
        let path = path.as_str().filter(|path| path.starts_with("info."));
        let value = path.and_then(|path| item.pointer(&format!("/{}", path.replace('.', "/"))));
        path.is_some() && value.is_none_or(Value::is_string)
    };
    match &item["encryptAttributes"] {
        Value::Null => true,
        Value::Array(named) => named.iter().all(is_text_in_info),
        _ => false,
    }
}
