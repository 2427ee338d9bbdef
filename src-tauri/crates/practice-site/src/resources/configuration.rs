//! Parts of the configuration that administrators read to compare sites. They are read-only here.

use super::portal::this_portal;
use crate::sign_in::{Capability, Component};
use crate::store::{configuration, services};
use crate::wire::{ApiError, Reply, RequestContext, json, page};
use axum::extract::Path;
use serde_json::{Value, json};

/// Returns who may use the services of the root folder.
pub(crate) async fn root_permissions(call: RequestContext) -> Reply {
    call.caller_with(Component::Server, Capability::Administrator).await?;
    json(permissions())
}

/// Returns who may use the services of a folder.
pub(crate) async fn folder_permissions(call: RequestContext, Path(folder): Path<String>) -> Reply {
    call.caller_with(Component::Server, Capability::Administrator).await?;
    let folders = call.app.server.read(services::folders).await?;
    match folders.contains(&folder) {
        true => json(permissions()),
        false => Err(ApiError::not_found(format!("The folder {folder}"))),
    }
}

/// Permissions of a server that is federated: its portal decides.
fn permissions() -> Value {
    json!({ "permissions": [{
        "principal": "esriEveryone",
        "permission": { "isAllowed": true, "constraint": "" },
        "childURL": null,
        "operation": null,
    }] })
}

/// Returns the security configuration of the server.
pub(crate) async fn server_security(call: RequestContext) -> Reply {
    call.caller_with(Component::Server, Capability::Administrator).await?;
    json(json!({
        "securityEnabled": true,
        "authenticationTier": "ARCGIS_PORTAL",
        "authenticationMode": "ARCGIS_PORTAL_TOKEN",
        "sslEnabled": true,
        "httpEnabled": false,
        "HSTSEnabled": false,
        "httpsProtocols": "TLSv1.2,TLSv1.3",
        "allowDirectAccess": true,
        "allowedAdminAccessIPs": "",
        "virtualDirsSecurityEnabled": false,
        "portalProperties": { "portalUrl": call.app.portal_url(), "portalMode": "ARCGIS_PORTAL_FEDERATION" },
    }))
}

/// Returns the settings of the logs.
pub(crate) async fn log_settings(call: RequestContext) -> Reply {
    call.caller_with(Component::Server, Capability::Administrator).await?;
    let settings = call.app.server.read(|server| configuration::setting(server, "logSettings")).await?;
    json(json!({ "settings": settings.unwrap_or_else(|| json!({})) }))
}

/// Returns the system properties of the portal.
pub(crate) async fn portal_properties(call: RequestContext) -> Reply {
    call.caller_with(Component::Portal, Capability::Administrator).await?;
    json(json!({ "WebContextURL": call.app.portal_url(), "privatePortalURL": call.app.portal_url() }))
}

/// Returns the security configuration of the portal.
pub(crate) async fn portal_security(call: RequestContext) -> Reply {
    call.caller_with(Component::Portal, Capability::Administrator).await?;
    json(json!({
        "disableServicesDirectory": false,
        "enableAutomaticAccountCreation": false,
        "defaultRoleForUser": "account_user",
        "defaultLevelForUser": "2",
        "allowedProxyHosts": "",
    }))
}

/// Returns the webhooks of the organization. This site has none.
pub(crate) async fn organization_webhooks(call: RequestContext, Path(portal_id): Path<String>) -> Reply {
    call.caller_with(Component::Portal, Capability::Administrator).await?;
    call.app.portal.read(move |portal| this_portal(portal, &portal_id)).await?;
    json(page(&call.parameters, "webhooks", &[] as &[Value], Value::clone))
}
