//! Operation 1: exports the content directory and a snapshot of the portal database to one file.

use crate::app::App;
use crate::export_file::{Gaps, PortalContent, Target};
use crate::fault_injection::InjectedFault;
use crate::off_thread::off_thread;
use crate::release::Release;
use crate::sign_in::{Capability, Component};
use crate::wire::{ApiError, Reply, RequestContext, json};
use serde_json::{Value, json};
use std::sync::Arc;

pub(crate) async fn export_portal(call: RequestContext) -> Reply {
    let caller = call.caller_with(Component::Portal, Capability::Administrator).await?;
    call.only_since("validate", Release::new(11, 1))?;
    call.not_served("locationConfig", Release::new(12, 0))?;
    let only_check = call.parameters.flag("validate")? == Some(true);
    let target = Target::named_by(&call.parameters, &call.app.folders, call.app.release)?;
    if call.fault == Some(InjectedFault::UnwritableFolder) {
        return Err(target.unable_to_write());
    }
    if only_check {
        return json(match target.probe().await? {
            None => json!({ "status": "success" }),
            Some(warning) => json!({ "status": "success with warning", "messages": [warning] }),
        });
    }
    let work = export(Arc::clone(&call.app), target, caller.username);
    call.app.portal_lock.run("exportSite of the portal", call.parameters.request(), work).await
}

async fn export(app: Arc<App>, target: Target, by: String) -> Result<Value, ApiError> {
    let content = off_thread({
        let app = Arc::clone(&app);
        move || PortalContent::as_of_now(&app.portal, &app.folders, &app.stopping)
    })
    .await?;
    let is_own = target.is_own;
    let (written, Gaps { missing, left_out }) = target.write(content).await?;
    let location = match written.file_name() {
        // A URL stands for a file in the site's own folder.
        Some(name) if is_own => format!("{}/{}", app.portal_exports_url(), name.to_string_lossy()),
        _ => written.to_string_lossy().into_owned(),
    };
    tracing::info!(location, missing = missing.len(), by, "portal exported");
    let mut messages = Vec::new();
    for (what, gaps) in [
        ("Items in the database that are missing from the content directory", missing),
        ("Files in the content directory that are not in the export", left_out),
    ] {
        if !gaps.is_empty() {
            messages.push(format!("{what}: {}.", gaps.len()));
            messages.extend(gaps);
        }
    }
    if messages.is_empty() {
        return Ok(json!({ "status": "success", "location": location }));
    }
    Ok(json!({ "status": "success with warning", "location": location, "messages": messages }))
}
