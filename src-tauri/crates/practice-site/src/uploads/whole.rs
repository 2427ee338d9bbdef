//! A file in one request.

use super::{extensions, object};
use crate::clock::now_ms;
use crate::random;
use crate::sign_in::{Area, Capability};
use crate::store::uploads::{self, Upload};
use crate::wire::{Call, FileForm, Refusal, Reply, json};
use anyhow::Context as _;
use axum::extract::Multipart;
use serde_json::json;

pub(crate) async fn upload(call: Call, body: Multipart) -> Reply {
    let form = FileForm::receive(call, body, Area::Server, Capability::Administrator).await?;
    let FileForm { call, files } = form;
    let Some(received) = files.into_iter().find(|file| file.field == "itemFile") else {
        return Err(Refusal::bad_request("'itemFile' must be specified."));
    };
    let name = extensions::acceptable(&call.app, &received.name).await?;
    let upload = Upload {
        id: format!("i{}", random::uuid()),
        name,
        description: call.parameters.text("description").unwrap_or_default().to_owned(),
        size: i64::try_from(received.size).context("the size of an upload")?,
        sha256: received.sha256,
        created: now_ms(),
        committed: true,
    };
    let shown = object(&call.app, &upload);
    let folder = call.app.folders.uploads.join(&upload.id);
    let file = received.file;
    call.app
        .server
        .write(move |tx| {
            crate::app::private_folder(&folder)?;
            file.persist(folder.join(&upload.name)).context("the upload cannot be kept")?;
            uploads::add(tx, &upload)
        })
        .await?;
    json(json!({ "status": "success", "item": shown }))
}
