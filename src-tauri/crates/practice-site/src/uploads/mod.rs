//! Server uploads: server exports without a folder, and files uploaded by clients.

mod clean_up;
mod download;
mod extensions;
mod locks;
mod multipart;
mod sequential_parts;
mod single_request;
mod stored;

pub(crate) use clean_up::{clean_up, keep_clean};
pub(crate) use download::download;
pub(crate) use locks::Locks;
pub(crate) use multipart::{commit, register, upload_part};
pub(crate) use single_request::upload;
pub(crate) use stored::{find_committed, path_of};

use self::stored::{find, object};
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
