//! Operation 1: the content directory and a snapshot of the portal's database, in one file.

use crate::app::off_thread;
use crate::sign_in::{Area, Capability};
use crate::sitefile::{Place, write_portal};
use crate::wire::{Call, Parameters, Refusal, Reply, json};
use serde_json::json;
use std::sync::Arc;

pub(crate) async fn export_portal(call: Call) -> Reply {
    let caller = call.caller_with(Area::Portal, Capability::Administrator).await?;
    only_folders(&call.parameters)?;
    let Some(location) = call.parameters.text("location").map(str::to_owned) else {
        return Err(Refusal::bad_request("'location' must be specified."));
    };
    if call.parameters.flag("validate")? == Some(true) {
        off_thread(move || Place::at(&location)?.probe()).await?;
        return json(json!({ "status": "success" }));
    }

    let seat = call.app.portal_desk.sit("exportSite of the portal")?;
    let app = Arc::clone(&call.app);
    let (written, missing) = off_thread(move || {
        let _seat = seat;
        let place = Place::at(&location)?;
        let file = place.begin()?;
        let missing = write_portal(&app.portal, &app.folders, file.as_file())?;
        Ok((place.publish(file, "portalsite")?, missing))
    })
    .await?;
    tracing::info!(location = %written.display(), missing = missing.len(), by = caller.username, "portal exported");

    if missing.is_empty() {
        return json(json!({ "status": "success", "location": written }));
    }
    let mut messages = vec![format!(
        "Items in the database that are missing from the content directory: {}.",
        missing.len()
    )];
    messages.extend(missing);
    json(json!({ "status": "success with warning", "location": written, "messages": messages }))
}

fn only_folders(parameters: &Parameters) -> Result<(), Refusal> {
    let names = ["backupObjectStore", "backupObjectStoreRegion", "backupObjectStoreConnectionStr"];
    match names.into_iter().find(|name| parameters.text(name).is_some()) {
        None => Ok(()),
        Some(name) => Err(Refusal::bad_request(format!(
            "'{name}' cannot be used: this version of the practice site writes to folders only."
        ))),
    }
}
