//! Upload in several requests: register, upload parts, commit. For files that are too large for one request through a
//! proxy.

use super::extensions;
use super::sequential_parts::{Appending, SequentialParts};
use super::stored::{find, object, path_of, scratch};
use crate::app::App;
use crate::clock::now_ms;
use crate::export_file::{Hashing, Sent};
use crate::off_thread::off_thread;
use crate::random;
use crate::sign_in::{Capability, Component};
use crate::store::uploads::{self, Upload};
use crate::wire::{ApiError, FileForm, Reply, RequestContext, Targets, json};
use anyhow::Context as _;
use axum::extract::{Multipart, Path};
use serde_json::json;
use std::collections::{BTreeSet, HashSet};
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use tempfile::NamedTempFile;

const MOST_PARTS: usize = 100_000;
/// Form field that contains the file.
const FIELD: &str = "partFile";

pub(crate) async fn register(call: RequestContext) -> Reply {
    call.caller_with(Component::Server, Capability::Administrator).await?;
    let Some(name) = call.parameters.text("itemName") else {
        return Err(ApiError::bad_request("'itemName' must be specified."));
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
            crate::folders::private_folder(&parts)?;
            uploads::add(tx, &upload)
        })
        .await?;
    json(json!({ "status": "success", "item": shown }))
}

/// Stores one part. A part with the same number replaces the earlier one: clients repeat a part if the response was
/// lost.
pub(crate) async fn upload_part(call: RequestContext, Path(id): Path<String>, body: Multipart) -> Reply {
    let targets = PartsOf { upload: id.clone() };
    let FileForm { call, files } =
        FileForm::receive(call, body, Component::Server, Capability::Administrator, targets).await?;
    let _lock = call.app.upload_locks.take(&id).await;
    let upload = uncommitted(&call.app, id).await?;
    let Some(number) = part_number(&call) else {
        return Err(ApiError::bad_request(format!("'partNumber' must be a number from 1 to {MOST_PARTS}.")));
    };
    let Some(received) = files.into_iter().find(|file| file.field == FIELD) else {
        return Err(ApiError::bad_request(format!("'{FIELD}' must be specified.")));
    };
    let parts = parts_of(&call.app, &upload);
    off_thread(move || {
        match received.file {
            Target::Next(part) if part.number() != number => {
                return Err(ApiError::bad_request("'partNumber' must be said once."));
            }
            Target::Next(part) => part.keep().context("the part cannot be kept")?,
            Target::Own(file) => {
                file.as_file().sync_all().context("a part of an upload")?;
                file.persist(own(&parts, number)).context("the part cannot be kept")?;
            }
        }
        Ok(())
    })
    .await?;
    json(json!({ "status": "success" }))
}

/// Destination of a part while it arrives.
enum Target {
    /// Appended to the preceding parts.
    Next(Appending),
    /// Separate file.
    Own(NamedTempFile),
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::Next(part) => part.write(bytes),
            Target::Own(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::Next(part) => part.flush(),
            Target::Own(file) => file.flush(),
        }
    }
}

struct PartsOf {
    upload: String,
}

impl Targets for PartsOf {
    type File = Target;

    async fn of(&self, call: &RequestContext, field: &str) -> Result<Target, ApiError> {
        if let Some(number) = part_number(call)
            && field == FIELD
            && !call.is_anonymous()
            && let Some(part) = next(&call.app, &self.upload, number).await?
        {
            return Ok(Target::Next(part));
        }
        Ok(Target::Own(scratch(&call.app)?))
    }
}

/// Returns the destination after the preceding parts. `None` if this is not the next part or another request is sending
/// it.
async fn next(app: &App, id: &str, number: usize) -> Result<Option<Appending>, ApiError> {
    let Some(turn) = app.next_parts.try_take(id) else { return Ok(None) };
    // No commit can run while this lock is held.
    let Ok(upload) = uncommitted(app, id.to_owned()).await else { return Ok(None) };
    let parts = parts_of(app, &upload);
    off_thread(move || {
        let in_order = SequentialParts::open(&parts).context("the parts of an upload")?;
        // A part that arrived earlier out of sequence has its own file.
        if number != in_order.count() + 1 || own(&parts, number).exists() {
            return Ok(None);
        }
        Ok(Some(in_order.append(turn).context("no room for an upload")?))
    })
    .await
}

fn part_number(call: &RequestContext) -> Option<usize> {
    let number = call.parameters.number("partNumber").and_then(|number| usize::try_from(number).ok());
    number.filter(|number| (1..=MOST_PARTS).contains(number))
}

pub(crate) async fn commit(call: RequestContext, Path(id): Path<String>) -> Reply {
    call.caller_with(Component::Server, Capability::Administrator).await?;
    // Wait for a part that is still arriving: it would change the result.
    let _turn = call.app.next_parts.take(&id).await;
    let _lock = call.app.upload_locks.take(&id).await;
    let upload = uncommitted(&call.app, id).await?;
    let app = Arc::clone(&call.app);
    let asked = call.parameters.text("parts").map(str::to_owned);
    let shown = off_thread(move || {
        let parts = parts_of(&app, &upload);
        let in_order = SequentialParts::open(&parts).context("the parts of an upload")?;
        let order = order(&parts, in_order.count(), asked.as_deref())?;
        let committed = assemble(&app, upload, &parts, &in_order, &order)?;
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

async fn uncommitted(app: &App, id: String) -> Result<Upload, ApiError> {
    let upload = find(app, id).await?;
    if upload.committed {
        Err(ApiError::bad_request(format!("The upload {} is committed already.", upload.id)))
    } else {
        Ok(upload)
    }
}

fn parts_of(app: &App, upload: &Upload) -> PathBuf {
    app.folders.uploads.join(&upload.id).join("parts")
}

/// Returns the path of a part with its own file.
fn own(parts: &std::path::Path, number: usize) -> PathBuf {
    parts.join(number.to_string())
}

/// Returns the part numbers that the caller lists, or all of them. `in_order` is the number of parts in the common
/// file.
fn order(parts: &std::path::Path, in_order: usize, asked: Option<&str>) -> Result<Vec<usize>, ApiError> {
    let mut there: BTreeSet<usize> = std::fs::read_dir(parts)
        .context("the parts of an upload")?
        .filter_map(|part| part.ok()?.file_name().to_str()?.parse().ok())
        .collect();
    there.extend(1..=in_order);
    let order = match asked {
        Some(asked) => asked
            .split(',')
            .map(|part| part.trim().parse())
            .collect::<Result<_, _>>()
            .map_err(|_| ApiError::bad_request("'parts' must be a list of part numbers."))?,
        None => (1..=there.last().copied().unwrap_or(0)).collect::<Vec<_>>(),
    };
    if order.iter().collect::<HashSet<_>>().len() != order.len() {
        return Err(ApiError::bad_request("'parts' lists a part twice."));
    }
    if order.is_empty() {
        return Err(ApiError::bad_request("No part of the upload has arrived."));
    }
    match order.iter().find(|part| !there.contains(part)) {
        Some(missing) => Err(not_arrived(*missing)),
        None => Ok(order),
    }
}

fn not_arrived(part: usize) -> ApiError {
    ApiError::bad_request(format!("Part {part} of the upload has not arrived."))
}

fn assemble(
    app: &App,
    upload: Upload,
    parts: &std::path::Path,
    in_order: &SequentialParts,
    order: &[usize],
) -> Result<Upload, ApiError> {
    let path = path_of(app, &upload);
    let all_in_order = order.iter().copied().eq(1..=in_order.count())
        && !order.iter().any(|number| own(parts, *number).exists());
    let content =
        match all_in_order.then(|| link_sequential(parts, in_order, order, &path)).transpose()?.flatten() {
            Some(content) => content,
            None => {
                let whole = Hashing::new(scratch(app)?);
                let (whole, content) = copy(parts, in_order, order, whole)?;
                whole.as_file().sync_all().context("the upload")?;
                whole.persist(path).context("the upload cannot be kept")?;
                content
            }
        };
    Ok(Upload {
        size: i64::try_from(content.size).context("the size of an upload")?,
        sha256: content.sha256,
        committed: true,
        ..upload
    })
}

/// Hard-links the file with the sequential parts to the final name. `None` if the file system does not support that, or
/// an interrupted commit left a file with that name.
fn link_sequential(
    parts: &std::path::Path,
    in_order: &SequentialParts,
    order: &[usize],
    path: &std::path::Path,
) -> Result<Option<Sent>, ApiError> {
    // Read the file for the hash while it is being flushed.
    let (synced, read) = thread::scope(|scope| {
        let syncing = scope.spawn(|| in_order.sync());
        let read = copy(parts, in_order, order, Hashing::new(io::sink()));
        (syncing.join(), read)
    });
    let (_, content) = read?;
    synced.map_err(|_| anyhow::anyhow!("the flushing thread panicked"))?.context("the upload")?;
    Ok(std::fs::hard_link(in_order.path(), path).is_ok().then_some(content))
}

fn copy<W: Write>(
    parts: &std::path::Path,
    in_order: &SequentialParts,
    order: &[usize],
    mut target: Hashing<W>,
) -> Result<(W, Sent), ApiError> {
    for number in order {
        match File::open(own(parts, *number)) {
            Ok(mut part) => {
                io::copy(&mut part, &mut target).context("no room for the upload")?;
            }
            Err(none) if none.kind() == io::ErrorKind::NotFound => {
                if !in_order.copy(*number, &mut target).context("no room for the upload")? {
                    return Err(not_arrived(*number));
                }
            }
            Err(cause) => return Err(anyhow::Error::new(cause).context("a part of an upload").into()),
        }
    }
    Ok(target.finish())
}
