//! Stored uploads: what a server export without a folder leaves behind, and files that clients bring.

mod clean_up;
mod download;
mod extensions;
mod in_order;
mod in_parts;
mod locks;
mod whole;

pub(crate) use clean_up::{clean_up, keep_clean};
pub(crate) use download::download;
pub(crate) use in_parts::{commit, register, upload_part};
pub(crate) use locks::Locks;
pub(crate) use whole::upload;

use crate::app::{App, off_thread};
use crate::clock::text_date;
use crate::sign_in::{Area, Capability};
use crate::store::uploads::{self, Upload};
use crate::wire::{Call, Refusal, Reply, json};
use anyhow::Context as _;
use axum::extract::Path;
use serde_json::{Value, json};
use std::path::PathBuf;
use tempfile::NamedTempFile;

pub(crate) async fn list(call: Call) -> Reply {
    call.caller_with(Area::Server, Capability::Administrator).await?;
    let all = call.app.server.read(uploads::all).await?;
    json(json!({ "items": all.iter().map(|upload| object(&call.app, upload)).collect::<Vec<_>>() }))
}

pub(crate) async fn one(call: Call, Path(id): Path<String>) -> Reply {
    call.caller_with(Area::Server, Capability::Administrator).await?;
    let upload = find(&call.app, id).await?;
    json(object(&call.app, &upload))
}

pub(crate) async fn delete(call: Call, Path(id): Path<String>) -> Reply {
    call.caller_with(Area::Server, Capability::Administrator).await?;
    let _lock = call.app.upload_locks.take(&id).await;
    let upload = find(&call.app, id).await?;
    let folder = call.app.folders.uploads.join(&upload.id);
    call.app.server.write(move |tx| uploads::remove(tx, &upload.id)).await?;
    // After the record: a folder without one is removed by the next start.
    off_thread(move || {
        clean_up::remove(&folder);
        Ok(())
    })
    .await?;
    json(json!({ "status": "success" }))
}

async fn find(app: &App, id: String) -> Result<Upload, Refusal> {
    let missing = Refusal::not_found(format!("The upload {id}"));
    app.server.read(move |server| uploads::find(server, &id)).await?.ok_or(missing)
}

/// An upload that is whole.
pub(crate) async fn find_committed(app: &App, id: String) -> Result<Upload, Refusal> {
    let upload = find(app, id).await?;
    if upload.committed {
        Ok(upload)
    } else {
        Err(Refusal::bad_request(format!("The upload {} is not committed yet.", upload.id)))
    }
}

/// A new file for what is coming.
fn scratch(app: &App) -> Result<NamedTempFile, Refusal> {
    Ok(NamedTempFile::new_in(&app.folders.scratch).context("no room for an upload")?)
}

pub(crate) fn path_of(app: &App, upload: &Upload) -> PathBuf {
    app.folders.uploads.join(&upload.id).join(&upload.name)
}

fn object(app: &App, upload: &Upload) -> Value {
    json!({
        "itemID": upload.id,
        "itemName": upload.name,
        "description": upload.description,
        "pathOnServer": path_of(app, upload),
        "date": text_date(upload.created),
        "committed": upload.committed,
    })
}
