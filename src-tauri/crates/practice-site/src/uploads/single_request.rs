//! Upload in one request.

use super::extensions;
use super::stored::{object, scratch};
use crate::clock::now_ms;
use crate::export_file::Hashing;
use crate::off_thread::off_thread;
use crate::random;
use crate::sign_in::{Capability, Component};
use crate::store::uploads::{self, Upload};
use crate::wire::{ApiError, FileForm, Reply, RequestContext, Targets, json};
use anyhow::Context as _;
use axum::extract::Multipart;
use serde_json::json;
use tempfile::NamedTempFile;

pub(crate) async fn upload(call: RequestContext, body: Multipart) -> Reply {
    let form = FileForm::receive(call, body, Component::Server, Capability::Administrator, ToScratch).await?;
    let FileForm { call, files } = form;
    let Some(received) = files.into_iter().find(|file| file.field == "itemFile") else {
        return Err(ApiError::bad_request("'itemFile' must be specified."));
    };
    let name = extensions::acceptable(&call.app, &received.name).await?;
    let (file, content) = received.file.finish();
    let upload = Upload {
        id: format!("i{}", random::uuid()),
        name,
        description: call.parameters.text("description").unwrap_or_default().to_owned(),
        size: i64::try_from(content.size).context("the size of an upload")?,
        sha256: content.sha256,
        created: now_ms(),
        committed: true,
    };
    let shown = object(&call.app, &upload);
    let folder = call.app.folders.uploads.join(&upload.id);
    let file = off_thread(move || {
        file.as_file().sync_all().context("an upload")?;
        Ok(file)
    })
    .await?;
    call.app
        .server
        .write(move |tx| {
            crate::folders::private_folder(&folder)?;
            file.persist(folder.join(&upload.name)).context("the upload cannot be kept")?;
            uploads::add(tx, &upload)
        })
        .await?;
    json(json!({ "status": "success", "item": shown }))
}

/// Stores files in the scratch folder until the request is complete.
struct ToScratch;

impl Targets for ToScratch {
    type File = Hashing<NamedTempFile>;

    async fn of(&self, call: &RequestContext, _field: &str) -> Result<Self::File, ApiError> {
        Ok(Hashing::new(scratch(&call.app)?))
    }
}
