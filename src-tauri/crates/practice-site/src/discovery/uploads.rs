//! Stored uploads: what a server export without a folder leaves behind.

use crate::app::App;
use crate::clock::text_date;
use crate::sign_in::{Area, Capability};
use crate::store::uploads::{self, Upload};
use crate::wire::{Answer, Call, Refusal, Reply, json};
use anyhow::Context as _;
use axum::body::Body;
use axum::extract::Path;
use axum::http::header;
use axum::response::IntoResponse as _;
use serde_json::{Value, json};
use std::path::PathBuf;
use tokio_util::io::ReaderStream;

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

/// The bytes, from the disk to the socket. The ETag is the content's hash: equal tags are equal files.
pub(crate) async fn download(call: Call, Path(id): Path<String>) -> Reply {
    call.caller_with(Area::Server, Capability::Administrator).await?;
    let upload = find(&call.app, id).await?;
    let path = path_of(&call.app, &upload);
    let file = tokio::fs::File::open(&path)
        .await
        .with_context(|| format!("the stored upload {} cannot be opened", path.display()))?;
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_LENGTH, upload.size.to_string()),
        (header::ETAG, format!("\"{}\"", upload.sha256)),
        (header::CONTENT_DISPOSITION, format!("attachment; filename={}", upload.name)),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
    ];
    Ok(Answer::File((headers, Body::from_stream(ReaderStream::new(file))).into_response()))
}

pub(crate) async fn delete(call: Call, Path(id): Path<String>) -> Reply {
    call.caller_with(Area::Server, Capability::Administrator).await?;
    let upload = find(&call.app, id).await?;
    let folder = call.app.folders.uploads.join(&upload.id);
    call.app
        .server
        .write(move |tx| {
            if uploads::remove(tx, &upload.id)? {
                // Before the commit: a file that stays behind its record would never be found again.
                std::fs::remove_dir_all(&folder)
                    .with_context(|| format!("cannot remove {}", folder.display()))?;
            }
            Ok(())
        })
        .await?;
    json(json!({ "status": "success" }))
}

pub(crate) async fn find(app: &App, id: String) -> Result<Upload, Refusal> {
    let missing = Refusal::not_found(format!("The upload {id}"));
    app.server.read(move |server| uploads::find(server, &id)).await?.ok_or(missing)
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
        "committed": true,
    })
}
