//! A file in many requests: registered, sent in parts, committed. For files that no proxy lets through in one.

use super::{extensions, find, object, path_of};
use crate::app::{App, off_thread};
use crate::clock::now_ms;
use crate::random;
use crate::sign_in::{Area, Capability};
use crate::sitefile::Hashing;
use crate::store::uploads::{self, Upload};
use crate::wire::{Call, FileForm, Refusal, Reply, json};
use anyhow::Context as _;
use axum::extract::{Multipart, Path};
use serde_json::json;
use std::collections::HashSet;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::NamedTempFile;

const MOST_PARTS: u32 = 100_000;

pub(crate) async fn register(call: Call) -> Reply {
    call.caller_with(Area::Server, Capability::Administrator).await?;
    let Some(name) = call.parameters.text("itemName") else {
        return Err(Refusal::bad_request("'itemName' must be specified."));
    };
    let upload = Upload {
        id: format!("i{}", random::uuid()),
        name: extensions::acceptable(&call.app, name).await?,
        description: call.parameters.text("description").unwrap_or_default().to_owned(),
        size: 0,
        sha256: String::new(),
        created: now_ms(),
        committed: false,
    };
    let shown = object(&call.app, &upload);
    let parts = parts_of(&call.app, &upload);
    call.app
        .server
        .write(move |tx| {
            crate::app::private_folder(&parts)?;
            uploads::add(tx, &upload)
        })
        .await?;
    json(json!({ "status": "success", "item": shown }))
}

/// The same part again takes the place of the first: a client whose answer was lost sends it twice.
pub(crate) async fn upload_part(call: Call, Path(id): Path<String>, body: Multipart) -> Reply {
    let FileForm { call, files } =
        FileForm::receive(call, body, Area::Server, Capability::Administrator).await?;
    let _lock = call.app.upload_locks.take(&id).await;
    let upload = uncommitted(&call.app, id).await?;
    let number = call.parameters.number("partNumber").and_then(|number| u32::try_from(number).ok());
    let Some(number) = number.filter(|number| (1..=MOST_PARTS).contains(number)) else {
        return Err(Refusal::bad_request(format!("'partNumber' must be a number from 1 to {MOST_PARTS}.")));
    };
    let Some(received) = files.into_iter().find(|file| file.field == "partFile") else {
        return Err(Refusal::bad_request("'partFile' must be specified."));
    };
    let part = parts_of(&call.app, &upload).join(number.to_string());
    off_thread(move || {
        received.file.persist(part).context("the part cannot be kept")?;
        Ok(())
    })
    .await?;
    json(json!({ "status": "success" }))
}

pub(crate) async fn commit(call: Call, Path(id): Path<String>) -> Reply {
    call.caller_with(Area::Server, Capability::Administrator).await?;
    let _lock = call.app.upload_locks.take(&id).await;
    let upload = uncommitted(&call.app, id).await?;
    let app = Arc::clone(&call.app);
    let asked = call.parameters.text("parts").map(str::to_owned);
    let shown = off_thread(move || {
        let parts = parts_of(&app, &upload);
        let order = order(&parts, asked.as_deref())?;
        let committed = put_together(&app, upload, &parts, &order)?;
        let shown = object(&app, &committed);
        app.server.write_now(|tx| uploads::commit(tx, &committed))?;
        if let Err(cause) = std::fs::remove_dir_all(&parts) {
            tracing::warn!("parts of a committed upload stay at {}: {cause}", parts.display());
        }
        Ok(shown)
    })
    .await?;
    json(json!({ "status": "success", "item": shown }))
}

async fn uncommitted(app: &App, id: String) -> Result<Upload, Refusal> {
    let upload = find(app, id).await?;
    if upload.committed {
        Err(Refusal::bad_request(format!("The upload {} is committed already.", upload.id)))
    } else {
        Ok(upload)
    }
}

fn parts_of(app: &App, upload: &Upload) -> PathBuf {
    app.folders.uploads.join(&upload.id).join("parts")
}

/// The parts that the caller lists, or all of them from the first to the last.
fn order(parts: &std::path::Path, asked: Option<&str>) -> Result<Vec<u32>, Refusal> {
    let mut there: Vec<u32> = std::fs::read_dir(parts)
        .context("the parts of an upload")?
        .filter_map(|part| part.ok()?.file_name().to_str()?.parse().ok())
        .collect();
    there.sort_unstable();
    let order = match asked {
        Some(asked) => asked
            .split(',')
            .map(|part| part.trim().parse())
            .collect::<Result<_, _>>()
            .map_err(|_| Refusal::bad_request("'parts' must be a list of part numbers."))?,
        None => (1..=there.last().copied().unwrap_or(0)).collect::<Vec<_>>(),
    };
    if order.iter().collect::<HashSet<_>>().len() != order.len() {
        return Err(Refusal::bad_request("'parts' lists a part twice."));
    }
    if order.is_empty() {
        return Err(Refusal::bad_request("No part of the upload has arrived."));
    }
    match order.iter().find(|part| there.binary_search(part).is_err()) {
        Some(missing) => Err(Refusal::bad_request(format!("Part {missing} of the upload has not arrived."))),
        None => Ok(order),
    }
}

fn put_together(
    app: &App,
    upload: Upload,
    parts: &std::path::Path,
    order: &[u32],
) -> Result<Upload, Refusal> {
    let whole = NamedTempFile::new_in(&app.folders.scratch).context("no room for the upload")?;
    let mut target = Hashing::new(whole);
    for part in order {
        let mut part = File::open(parts.join(part.to_string())).context("a part of an upload")?;
        std::io::copy(&mut part, &mut target).context("no room for the upload")?;
    }
    let (whole, content) = target.finish();
    whole.as_file().sync_all().context("the upload")?;
    let committed = Upload {
        size: i64::try_from(content.size).context("the size of an upload")?,
        sha256: content.sha256,
        committed: true,
        ..upload
    };
    whole.persist(path_of(app, &committed)).context("the upload cannot be kept")?;
    Ok(committed)
}
