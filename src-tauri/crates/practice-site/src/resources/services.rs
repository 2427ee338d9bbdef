//! Services in the server administration.

use crate::app::App;
use crate::sign_in::{Capability, Component};
use crate::store::data_items;
use crate::store::services::{self, Service, ServiceName};
use crate::wire::{ApiError, Reply, RequestContext, json};
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use rusqlite::Connection;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path as FilePath;
use std::sync::Arc;

impl FromRequestParts<Arc<App>> for ServiceName {
    type Rejection = ApiError;

    /// Reads `service` and optional `folder` from the path.
    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<ServiceName, ApiError> {
        let names = Path::<HashMap<String, String>>::from_request_parts(parts, app).await;
        let Ok(Path(names)) = names else {
            return Err(ApiError::not_found("The service"));
        };
        let folder = names.get("folder").map_or("", String::as_str);
        let service = names.get("service").map_or("", String::as_str);
        ServiceName::parse(folder, service)
            .ok_or_else(|| ApiError::not_found(format!("The service {folder}/{service}")))
    }
}

pub(crate) async fn root(call: RequestContext) -> Reply {
    call.caller_with(Component::Server, Capability::LookAroundServer).await?;
    folder(&call, String::new()).await
}

/// Handles one segment below `services`: a folder, or a service of the root folder.
pub(crate) async fn folder_or_service(call: RequestContext, Path(name): Path<String>) -> Reply {
    call.caller_with(Component::Server, Capability::LookAroundServer).await?;
    match ServiceName::parse("", &name) {
        Some(name) => describe(&call, name).await,
        None => folder(&call, name).await,
    }
}

pub(crate) async fn service(call: RequestContext, name: ServiceName) -> Reply {
    call.caller_with(Component::Server, Capability::LookAroundServer).await?;
    describe(&call, name).await
}

pub(crate) async fn status(call: RequestContext, name: ServiceName) -> Reply {
    call.caller_with(Component::Server, Capability::LookAroundServer).await?;
    let service = call.app.server.read(move |server| services::find(server, &name)).await?;
    json(json!({ "configuredState": service.configured_state, "realTimeState": service.real_time_state }))
}

/// Returns the data that a service reads. Geometry services read none, and have no manifest.
pub(crate) async fn manifest(call: RequestContext, name: ServiceName) -> Reply {
    call.caller_with(Component::Server, Capability::LookAroundServer).await?;
    if name.kind == "GeometryServer" {
        return Err(ApiError::not_found(format!("The manifest of {name}")));
    }
    let (service, items) = call
        .app
        .server
        .read(move |server| {
            Ok((services::find(server, &name)?, data_items::find(server, &data_items::Filter::default())?))
        })
        .await?;
    let database = match service.configuration["properties"]["connectionString"].as_str() {
        Some(connection) => Some((connection.to_owned(), true)),
        // A tool reads no data of its own.
        None if service.name.kind == "GPServer" => None,
        None => {
            let is_registered = |item: &Value| {
                let folder = item["info"]["path"].as_str();
                folder.is_some_and(|folder| FilePath::new(&service.data_path).starts_with(folder))
            };
            Some((format!("DATABASE={}", service.data_path), items.iter().any(is_registered)))
        }
    };
    let databases = database.into_iter().map(|(connection, by_reference)| {
        json!({
            "byReference": by_reference,
            "onServerWorkspaceFactoryProgID": "",
            "onServerConnectionString": connection,
            "onPremiseConnectionString": connection,
            "onServerName": service.name.name,
            "onPremisePath": "",
            "datasets": [{ "onServerName": service.name.name }],
        })
    });
    json(json!({
        "databases": databases.collect::<Vec<_>>(),
        "resources": [{ "onPremisePath": "", "clientName": "PUBLISHER", "serverPath": service.data_path }],
    }))
}

/// Handles the report of the root folder.
pub(crate) async fn root_report(call: RequestContext) -> Reply {
    report(call, String::new()).await
}

/// Handles the report of a folder.
pub(crate) async fn folder_report(call: RequestContext, Path(folder): Path<String>) -> Reply {
    report(call, folder).await
}

/// Returns the states of all services of a folder.
async fn report(call: RequestContext, folder: String) -> Reply {
    call.caller_with(Component::Server, Capability::LookAroundServer).await?;
    let services = in_existing_folder(&call, folder).await?.services;
    let reports: Vec<Value> = services
        .iter()
        .map(|service| {
            json!({
                "folderName": service.name.shown_folder(),
                "serviceName": service.name.name,
                "type": service.name.kind,
                "description": service.description,
                "status": {
                    "configuredState": service.configured_state,
                    "realTimeState": service.real_time_state,
                },
            })
        })
        .collect();
    json(json!({ "reports": reports }))
}

/// Services of a folder, and the folders beside it.
pub(crate) struct FolderContent {
    pub(crate) services: Vec<Service>,
    /// Names of all folders except the root folder.
    pub(crate) folders: Vec<String>,
}

pub(crate) async fn in_existing_folder(
    call: &RequestContext,
    folder: String,
) -> Result<FolderContent, ApiError> {
    let name = folder.clone();
    let read = move |server: &Connection| {
        Ok(FolderContent {
            services: services::in_folder(server, &name)?,
            folders: services::folders(server)?,
        })
    };
    let content = call.app.server.read(read).await?;
    if !folder.is_empty() && !content.folders.contains(&folder) {
        return Err(ApiError::not_found(format!("The folder {folder}")));
    }
    Ok(content)
}

async fn folder(call: &RequestContext, folder: String) -> Reply {
    let FolderContent { services, folders } = in_existing_folder(call, folder.clone()).await?;
    let is_root = folder.is_empty();
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

async fn describe(call: &RequestContext, name: ServiceName) -> Reply {
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
