//! Services and their webhooks.

use crate::app::App;
use crate::clock::now_ms;
use crate::sign_in::{Area, Capability};
use crate::store::services::{self, Service, ServiceName};
use crate::store::webhooks::{self, Webhook};
use crate::wire::{Call, Refusal, Reply, json, page};
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;

impl FromRequestParts<Arc<App>> for ServiceName {
    type Rejection = Refusal;

    /// From the path's `service`, and its `folder` where there is one.
    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<ServiceName, Refusal> {
        let names = Path::<HashMap<String, String>>::from_request_parts(parts, app).await;
        let Ok(Path(names)) = names else {
            return Err(Refusal::not_found("The service"));
        };
        let folder = names.get("folder").map_or("", String::as_str);
        let service = names.get("service").map_or("", String::as_str);
        ServiceName::parse(folder, service)
            .ok_or_else(|| Refusal::not_found(format!("The service {folder}/{service}")))
    }
}

pub(crate) async fn root(call: Call) -> Reply {
    call.caller_with(Area::Server, Capability::LookAroundServer).await?;
    folder(&call, String::new()).await
}

/// One segment below `services`: a folder, or a service of the root folder.
pub(crate) async fn folder_or_service(call: Call, Path(name): Path<String>) -> Reply {
    call.caller_with(Area::Server, Capability::LookAroundServer).await?;
    match ServiceName::parse("", &name) {
        Some(name) => describe(&call, name).await,
        None => folder(&call, name).await,
    }
}

pub(crate) async fn service(call: Call, name: ServiceName) -> Reply {
    call.caller_with(Area::Server, Capability::LookAroundServer).await?;
    describe(&call, name).await
}

pub(crate) async fn status(call: Call, name: ServiceName) -> Reply {
    call.caller_with(Area::Server, Capability::LookAroundServer).await?;
    let service = call.app.server.read(move |server| services::find(server, &name)).await?;
    json(json!({ "configuredState": service.configured_state, "realTimeState": service.real_time_state }))
}

pub(crate) async fn list_webhooks(call: Call, name: ServiceName) -> Reply {
    call.caller_with(Area::Server, Capability::for_webhooks_of(&name.kind)).await?;
    let (service, webhooks) = webhooks_of(&call, name).await?;
    let all = webhooks.iter().map(|webhook| webhook_object(&service, webhook)).collect();
    json(page(&call.parameters, "webhooks", all))
}

pub(crate) async fn webhook(
    call: Call,
    name: ServiceName,
    Path(path): Path<HashMap<String, String>>,
) -> Reply {
    call.caller_with(Area::Server, Capability::for_webhooks_of(&name.kind)).await?;
    let id = path.get("webhook").cloned().unwrap_or_default();
    let (service, webhooks) = webhooks_of(&call, name).await?;
    let found = webhooks.iter().find(|webhook| webhook.id == id);
    json(webhook_object(&service, found.ok_or_else(|| Refusal::not_found(format!("The webhook {id}")))?))
}

/// The way back from deactivateAll: exactly the webhooks that it stopped.
pub(crate) async fn activate_webhooks(call: Call, name: ServiceName) -> Reply {
    call.caller_with(Area::Server, Capability::for_webhooks_of(&name.kind)).await?;
    call.app
        .server
        .write(move |tx| webhooks::activate_all(tx, services::find(tx, &name)?.id, now_ms()))
        .await?;
    json(json!({ "status": "success" }))
}

async fn folder(call: &Call, folder: String) -> Reply {
    let name = folder.clone();
    let (services, folders) = call
        .app
        .server
        .read(move |server| Ok((services::in_folder(server, &name)?, services::folders(server)?)))
        .await?;
    let is_root = folder.is_empty();
    if !is_root && !folders.contains(&folder) {
        return Err(Refusal::not_found(format!("The folder {folder}")));
    }
    let shown = if is_root { "/" } else { &folder };
    let mut answer = folder_object(shown);
    answer["folders"] = if is_root { json!(folders) } else { json!([]) };
    answer["services"] = services
        .iter()
        .map(|service| {
            json!({
                "folderName": shown,
                "serviceName": service.name.name,
                "type": service.name.kind,
                "description": service.description,
            })
        })
        .collect();
    if is_root && call.parameters.flag("detail")? == Some(true) {
        answer["foldersDetail"] = folders.iter().map(|folder| folder_object(folder)).collect();
    }
    json(answer)
}

fn folder_object(name: &str) -> Value {
    json!({ "folderName": name, "description": "", "webEncrypted": false, "isDefault": name == "/" })
}

async fn describe(call: &Call, name: ServiceName) -> Reply {
    let service = call.app.server.read(move |server| services::find(server, &name)).await?;
    let mut answer = service.configuration.clone();
    answer["folderName"] = json!(service.name.shown_folder());
    answer["serviceName"] = json!(service.name.name);
    answer["type"] = json!(service.name.kind);
    answer["description"] = json!(service.description);
    answer["configuredState"] = json!(service.configured_state);
    answer["properties"]["filePath"] = json!(service.data_path);
    json(answer)
}

async fn webhooks_of(call: &Call, name: ServiceName) -> Result<(Service, Vec<Webhook>), Refusal> {
    call.app
        .server
        .read(move |server| {
            let service = services::find(server, &name)?;
            let webhooks = webhooks::of_service(server, service.id)?;
            Ok((service, webhooks))
        })
        .await
}

fn webhook_object(service: &Service, webhook: &Webhook) -> Value {
    let mut object = webhook.settings.clone();
    // A listing is read by publishers; the key is for the receiver.
    object["signatureKey"] = json!("");
    object["id"] = json!(webhook.id);
    object["folderName"] = json!(service.name.shown_folder());
    object["serviceName"] = json!(service.name.name);
    object["serviceType"] = json!(service.name.kind);
    object["name"] = json!(webhook.name);
    object["hookUrl"] = json!(webhook.hook_url);
    object["active"] = json!(webhook.active);
    object["created"] = json!(webhook.created);
    object["modified"] = json!(webhook.modified);
    object
}
