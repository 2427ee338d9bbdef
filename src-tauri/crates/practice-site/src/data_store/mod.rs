//! Data store resources: the roots that clients read before a search, and validation of items.

mod item_check;
mod path;
mod secrets;
mod validate;

pub(crate) use item_check::fault;
pub(crate) use path::path;
pub(crate) use secrets::replace_secrets;
pub(crate) use validate::{machines, validate_item, validate_machine};

use crate::sign_in::{Capability, Component};
use crate::store::data_items::{self, Filter};
use crate::wire::{ApiError, Reply, RequestContext, json};
use axum::extract::Path;
use serde_json::json;

pub(crate) async fn root(call: RequestContext) -> Reply {
    call.caller_with(Component::Server, Capability::UpdateOrPublisher).await?;
    json(json!({
        "resources": ["items"],
        "operations": ["findItems", "validateDataItem"],
    }))
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
