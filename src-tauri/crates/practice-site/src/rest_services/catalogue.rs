//! Catalog of services.

use super::request::{Names, reader};
use crate::store::services;
use crate::wire::{ApiError, Reply, RequestContext, json};
use serde_json::{Value, json};

pub(crate) async fn root(call: RequestContext) -> Reply {
    reader(&call).await?;
    list(&call, String::new()).await
}

pub(crate) async fn folder(call: RequestContext, names: Names) -> Reply {
    reader(&call).await?;
    list(&call, names.get("folder").to_owned()).await
}

async fn list(call: &RequestContext, folder: String) -> Reply {
    let name = folder.clone();
    let (folders, services) = call
        .app
        .server
        .read(move |server| Ok((services::folders(server)?, services::in_folder(server, &name)?)))
        .await?;
    if !folder.is_empty() && !folders.contains(&folder) {
        return Err(ApiError::not_found(format!("The folder {folder}")));
    }
    let shown: Vec<Value> = services
        .iter()
        .filter(|service| service.real_time_state == "STARTED")
        .map(|service| {
            let name = &service.name;
            let path = if folder.is_empty() { name.name.clone() } else { format!("{folder}/{}", name.name) };
            json!({ "name": path, "type": name.kind })
        })
        .collect();
    json(json!({
        "currentVersion": call.app.release.number(),
        "folders": if folder.is_empty() { folders } else { Vec::new() },
        "services": shown,
    }))
}
