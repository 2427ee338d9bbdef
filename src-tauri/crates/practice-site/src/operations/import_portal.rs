//! `importSite` of the portal: restores an export of operation 1. Not part of the specification, but an export that
//! cannot be imported cannot be verified.

use crate::app::App;
use crate::export_file::{LocationConfig, Pointer, Remote, UnpackedPortal};
use crate::fault_injection::InjectedFault;
use crate::off_thread::off_thread;
use crate::release::Release;
use crate::sign_in::{Capability, Component};
use crate::store::{items, portal_import, tokens};
use crate::wire::{ApiError, Parameters, Reply, RequestContext, json};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) async fn import_portal(call: RequestContext) -> Reply {
    let caller = call.caller_with(Component::Portal, Capability::Administrator).await?;
    call.only_since("validate", Release::new(11, 1))?;
    call.only_since("locationConfig", Release::new(12, 0))?;
    let Some(location) = call.parameters.text("location").map(|location| located(&call.app, location)) else {
        return Err(ApiError::bad_request("'location' must be specified."));
    };
    if !location.is_absolute() || !location.is_file() {
        return Err(ApiError::failed(format!("There is no exported portal at {}.", location.display())));
    }
    if let (Some(config), Some(pointer)) = (LocationConfig::of(&call.parameters)?, Pointer::read(&location)) {
        config.must_be_of(&pointer)?;
    }
    if call.parameters.flag("validate")? == Some(true) {
        return json(json!({ "status": "success" }));
    }
    let request = call.parameters.request();
    let (fault, seconds) = (call.fault, call.fault_seconds);
    let work = import(Arc::clone(&call.app), location, call.parameters, caller.username, fault, seconds);
    call.app.portal_lock.run("importSite of the portal", request, work).await
}

/// Returns the file at a path, or behind the URL that an export without a location returned.
fn located(app: &App, location: &str) -> PathBuf {
    let name = location.strip_prefix(&app.portal_exports_url()).and_then(|name| name.strip_prefix('/'));
    match name.filter(|name| !name.contains(['/', '\\']) && !name.starts_with('.')) {
        Some(name) => app.folders.portal_exports.join(name),
        None => PathBuf::from(location),
    }
}

async fn import(
    app: Arc<App>,
    location: PathBuf,
    parameters: Parameters,
    by: String,
    fault: Option<InjectedFault>,
    seconds: u64,
) -> Result<Value, ApiError> {
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
    match fault {
        Some(InjectedFault::IndexLags) => app.index.rebuild(seconds),
        Some(InjectedFault::Orphan) => app.portal.write(items::lose_one_of_a_service).await?,
        _ => {}
    }
    // Delete in the background: it takes a while, and the response does not depend on it.
    tokio::task::spawn_blocking(move || {
        if let Err(cause) = std::fs::remove_dir_all(&former) {
            tracing::warn!("the former content stays until the next start: {}: {cause}", former.display());
        }
    });
    // Users and roles were replaced, so all sessions end.
    app.sessions.write(tokens::forget_all).await?;
    tracing::info!(by, "portal replaced by an import");
    Ok(json!({ "status": "success" }))
}

/// Replaces the portal content and returns the former content directory, which can be deleted.
fn replace(app: &App, archive: &Path) -> Result<PathBuf, ApiError> {
    let unpacked = UnpackedPortal::from_archive(archive, &app.folders, &app.stopping)?;
    let former = portal_import::replace(&app.portal, &unpacked.database(), &unpacked.content)?;
    unpacked.keep();
    Ok(app.folders.portal.join(former))
}
