//! `importSite` of the portal, the way back from operation 1. The specification does not ask for it; an export that
//! nobody can import proves nothing.

use crate::app::{App, off_thread};
use crate::sign_in::{Area, Capability};
use crate::sitefile::{Pointer, Remote, UnpackedPortal};
use crate::store::{portal_import, tokens};
use crate::wire::{Call, Parameters, Refusal, Reply, json};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) async fn import_portal(call: Call) -> Reply {
    let caller = call.caller_with(Area::Portal, Capability::Administrator).await?;
    let Some(location) = call.parameters.text("location").map(PathBuf::from) else {
        return Err(Refusal::bad_request("'location' must be specified."));
    };
    if !location.is_absolute() || !location.is_file() {
        return Err(Refusal::failed(format!("There is no exported portal at {}.", location.display())));
    }
    if call.parameters.flag("validate")? == Some(true) {
        return json(json!({ "status": "success" }));
    }
    let request = call.parameters.request();
    let work = import(Arc::clone(&call.app), location, call.parameters, caller.username);
    call.app.portal_desk.run("importSite of the portal", request, work).await
}

async fn import(
    app: Arc<App>,
    location: PathBuf,
    parameters: Parameters,
    by: String,
) -> Result<Value, Refusal> {
    let fetched = match Pointer::read(&location) {
        None => None,
        Some(pointer) => {
            let remote = Remote::behind(&pointer, &parameters, &app.folders)?;
            Some(remote.fetch(&pointer, &app.folders).await?)
        }
    };
    let archive = fetched.as_ref().map_or(location, |file| file.path().to_owned());
    let former = off_thread({
        let app = Arc::clone(&app);
        move || replace(&app, &archive)
    })
    .await?;
    // Takes a while, and nobody needs to wait for it.
    tokio::task::spawn_blocking(move || {
        if let Err(cause) = std::fs::remove_dir_all(&former) {
            tracing::warn!("the former content stays until the next start: {}: {cause}", former.display());
        }
    });
    // Users and their roles are others now, so nobody is signed in any more.
    app.sessions.write(tokens::forget_all).await?;
    tracing::info!(by, "portal replaced by an import");
    Ok(json!({ "status": "success" }))
}

/// Answers the former content directory, which is of no use any more.
fn replace(app: &App, archive: &Path) -> Result<PathBuf, Refusal> {
    let unpacked = UnpackedPortal::from_archive(archive, &app.folders, &app.stopping)?;
    let former = portal_import::replace(&app.portal, &unpacked.database(), &unpacked.content)?;
    unpacked.keep();
    Ok(app.folders.portal.join(former))
}
