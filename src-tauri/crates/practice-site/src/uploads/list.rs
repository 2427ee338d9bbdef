//! Listing and removal of uploads.

use super::clean_up;
use super::stored::{find, object};
use crate::off_thread::off_thread;
use crate::sign_in::{Capability, Component};
use crate::store::uploads;
use crate::wire::{Reply, RequestContext, json};
use axum::extract::Path;
use serde_json::json;

pub(crate) async fn list(call: RequestContext) -> Reply {
    call.caller_with(Component::Server, Capability::Administrator).await?;
    let all = call.app.server.read(uploads::all).await?;
    json(json!({ "items": all.iter().map(|upload| object(&call.app, upload)).collect::<Vec<_>>() }))
}

pub(crate) async fn one(call: RequestContext, Path(id): Path<String>) -> Reply {
    call.caller_with(Component::Server, Capability::Administrator).await?;
    let upload = find(&call.app, id).await?;
    json(object(&call.app, &upload))
}

pub(crate) async fn delete(call: RequestContext, Path(id): Path<String>) -> Reply {
    call.caller_with(Component::Server, Capability::Administrator).await?;
    let _lock = call.app.upload_locks.take(&id).await;
    let upload = find(&call.app, id).await?;
    let folder = call.app.folders.uploads.join(&upload.id);
    call.app.server.write(move |tx| uploads::remove(tx, &upload.id)).await?;
    // Delete the record first: a folder without a record is removed at the next startup.
    off_thread(move || {
        clean_up::remove(&folder);
        Ok(())
    })
    .await?;
    json(json!({ "status": "success" }))
}
