//! The data store's own resources.

use crate::sign_in::{Area, Capability};
use crate::store::data_items::{self, Filter};
use crate::wire::{Call, Refusal, Reply, json};
use axum::extract::Path;
use serde_json::json;

pub(crate) async fn root(call: Call) -> Reply {
    call.caller_with(Area::Server, Capability::UpdateOrPublisher).await?;
    json(json!({ "resources": ["items"], "operations": ["findItems"] }))
}

pub(crate) async fn roots(call: Call) -> Reply {
    call.caller_with(Area::Server, Capability::UpdateOrPublisher).await?;
    let roots = call.app.server.read(data_items::roots).await?;
    json(json!({ "rootItems": roots }))
}

/// An item, or the items below a root.
pub(crate) async fn at_path(call: Call, Path(path): Path<String>) -> Reply {
    call.caller_with(Area::Server, Capability::UpdateOrPublisher).await?;
    let path = format!("/{}", path.trim_matches('/'));
    let missing = Refusal::not_found(format!("The data item {path}"));
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
