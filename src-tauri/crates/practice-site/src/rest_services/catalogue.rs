//! Catalog of services.

use super::request::{Names, reader};
use crate::resources::services::{FolderContent, in_existing_folder};
use crate::wire::{Reply, RequestContext, json};
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
    let FolderContent { services, folders } = in_existing_folder(call, folder.clone()).await?;
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
