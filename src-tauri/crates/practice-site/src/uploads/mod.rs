//! Server uploads: server exports without a folder, and files uploaded by clients.

mod clean_up;
mod download;
mod extensions;
mod locks;
mod multipart;
mod sequential_parts;
mod single_request;

pub(crate) use clean_up::{clean_up, keep_clean};
pub(crate) use download::download;
pub(crate) use locks::Locks;
pub(crate) use multipart::{commit, register, upload_part};
pub(crate) use single_request::upload;

use crate::app::{App, off_thread};
use crate::clock::text_date;
use crate::sign_in::{Capability, Component};
use crate::store::uploads::{self, Upload};
use crate::wire::{ApiError, Reply, RequestContext, json};
use anyhow::Context as _;
use axum::extract::Path;
use serde_json::{Value, json};
use std::path::PathBuf;
use tempfile::NamedTempFile;

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

async fn find(app: &App, id: String) -> Result<Upload, ApiError> {
    let missing = ApiError::not_found(format!("The upload {id}"));
    app.server.read(move |server| uploads::find(server, &id)).await?.ok_or(missing)
}

/// Returns a complete upload.
///
/// # Errors
/// Code 404 if it does not exist; code 400 if it is not committed.
pub(crate) async fn find_committed(app: &App, id: String) -> Result<Upload, ApiError> {
    let upload = find(app, id).await?;
    if upload.committed {
        Ok(upload)
    } else {
        Err(ApiError::bad_request(format!("The upload {} is not committed yet.", upload.id)))
    }
}

/// Creates a temporary file for incoming data.
fn scratch(app: &App) -> Result<NamedTempFile, ApiError> {
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
