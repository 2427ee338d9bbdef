//! Uploads as they are stored and shown.

use crate::app::App;
use crate::clock::text_date;
use crate::store::uploads::{self, Upload};
use crate::wire::ApiError;
use anyhow::Context as _;
use serde_json::{Value, json};
use std::path::PathBuf;
use tempfile::NamedTempFile;

/// Returns an upload.
pub(super) async fn find(app: &App, id: String) -> Result<Upload, ApiError> {
    let missing = ApiError::not_found(format!("The upload {id}"));
    app.server.read(move |server| uploads::find(server, &id)).await?.ok_or(missing)
}

/// Returns a complete upload.
pub(crate) async fn find_committed(app: &App, id: String) -> Result<Upload, ApiError> {
    let upload = find(app, id).await?;
    if upload.committed {
        Ok(upload)
    } else {
        Err(ApiError::bad_request(format!("The upload {} is not committed yet.", upload.id)))
    }
}

/// Creates a temporary file for incoming data.
pub(super) fn scratch(app: &App) -> Result<NamedTempFile, ApiError> {
    Ok(NamedTempFile::new_in(&app.folders.scratch).context("no room for an upload")?)
}

pub(crate) fn path_of(app: &App, upload: &Upload) -> PathBuf {
    app.folders.uploads.join(&upload.id).join(&upload.name)
}

pub(super) fn object(app: &App, upload: &Upload) -> Value {
    json!({
        "itemID": upload.id,
        "itemName": upload.name,
        "description": upload.description,
        "pathOnServer": path_of(app, upload),
        "date": text_date(upload.created),
        "committed": upload.committed,
    })
}
