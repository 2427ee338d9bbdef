//! Data store resources: the roots that clients read before a search, and registration and validation of items.

mod cipher;
mod register;
mod validate;

pub(crate) use cipher::Cipher;
pub(crate) use register::{fault, register_item, unregister_item};
pub(crate) use validate::{machines, validate_all, validate_item, validate_machine};

use crate::sign_in::{Capability, Component};
use crate::store::data_items::{self, Filter};
use crate::store::services;
use crate::wire::{ApiError, Reply, RequestContext, json};
use axum::extract::Path;
use serde_json::json;

pub(crate) async fn root(call: RequestContext) -> Reply {
    call.caller_with(Component::Server, Capability::UpdateOrPublisher).await?;
    json(json!({
        "resources": ["config", "items"],
        "operations": [
            "registerItem", "unregisterItem", "findItems", "validateDataItem", "validateAllDataItems",
            "computeTotalRefCount",
        ],
    }))
}

pub(crate) async fn config(call: RequestContext) -> Reply {
    call.caller_with(Component::Server, Capability::UpdateOrPublisher).await?;
    json(json!({ "blockDataCopy": false, "blockNewSystemManagedServices": false }))
}

/// Returns the number of services that read data below the item's folder.
pub(crate) async fn total_ref_count(call: RequestContext) -> Reply {
    call.caller_with(Component::Server, Capability::UpdateOrPublisher).await?;
    let Some(path) = call.parameters.text("path").map(path) else {
        return Err(ApiError::bad_request("'path' must be specified."));
    };
    let count = call
        .app
        .server
        .read(move |server| {
            let item = data_items::at_path(server, &path)?;
            let item = item.ok_or_else(|| ApiError::not_found(format!("The data item {path}")))?;
            let services = services::all(server)?;
            let folder = item["info"]["path"].as_str().map(std::path::PathBuf::from);
            let reads = |service: &&services::Service| {
                folder
                    .as_ref()
                    .is_some_and(|folder| std::path::Path::new(&service.data_path).starts_with(folder))
            };
            Ok(services.iter().filter(reads).count())
        })
        .await?;
    json(json!({ "status": "success", "totalRefCount": count }))
}

/// Normalizes a path to a leading slash and no trailing slash; clients write both forms.
pub(crate) fn path(given: &str) -> String {
    format!("/{}", given.trim_matches('/'))
}

pub(crate) async fn roots(call: RequestContext) -> Reply {
    call.caller_with(Component::Server, Capability::UpdateOrPublisher).await?;
    let roots = call.app.server.read(data_items::roots).await?;
    json(json!({ "rootItems": roots }))
}

/// Returns an item, or the items below a root path.
pub(crate) async fn at_path(call: RequestContext, Path(given): Path<String>) -> Reply {
    call.caller_with(Component::Server, Capability::UpdateOrPublisher).await?;
    let path = path(&given);
    let missing = ApiError::not_found(format!("The data item {path}"));
    call.app
        .server
        .read(move |server| {
            if let Some(item) = data_items::at_path(server, &path)? {
                return Ok(Some(item));
            }
            let below = Filter { parent_path: Some(path), ..Filter::default() };
            let items = data_items::find(server, &below)?;
            Ok((!items.is_empty()).then(|| json!({ "items": items })))
        })
        .await?
        .map_or(Err(missing), json)
}
