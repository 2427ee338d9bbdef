//! Resources of the sharing API and the portal administration.

use crate::fault_injection::InjectedFault;
use crate::sign_in::{Capability, Component, Role};
use crate::store::users::{self, Portal, User};
use crate::wire::{ApiError, Reply, RequestContext, json};
use axum::extract::Path;
use serde_json::{Value, json};

pub(crate) async fn root(call: RequestContext) -> Reply {
    let (release, full) = (call.app.release.to_string(), call.app.release.full());
    json(json!({ "currentVersion": release, "fullVersion": full, "enterpriseVersion": full }))
}

pub(crate) async fn info(call: RequestContext) -> Reply {
    json(json!({
        "owningSystemUrl": call.app.portal_url(),
        "authInfo": {
            "tokenServicesUrl": token_service(&call),
            "isTokenBasedSecurity": true,
        },
    }))
}

pub(crate) fn token_service(call: &RequestContext) -> String {
    format!("{}/sharing/rest/generateToken", call.app.portal_url())
}

/// Returns `portals/self` or `portals/<id>`. Without a token, only the fields that a sign-in page needs.
pub(crate) async fn portal(call: RequestContext, id: Option<Path<String>>) -> Reply {
    let caller = call.caller_if_any(Component::Portal).await?;
    let id = id.map_or_else(|| "self".to_owned(), |Path(id)| id);
    let portal = call.app.portal.read(move |portal| this_portal(portal, &id)).await?;
    let release = match call.fault {
        Some(InjectedFault::OtherVersion) => call.app.release.next(),
        _ => call.app.release,
    };
    let mut answer = json!({
        "id": portal.id,
        "name": portal.name,
        "portalName": portal.name,
        "isPortal": true,
        "portalMode": "singletenant",
        "portalHostname": call.app.portal_url().trim_start_matches("https://").trim_start_matches("http://"),
        "currentVersion": release.to_string(),
        "enterpriseVersion": release.full(),
        "supportsOAuth": true,
        "allSSL": call.app.origin.starts_with("https:"),
        "isReadOnly": false,
    });
    if let Some(caller) = caller {
        let name = caller.username.clone();
        let user = call.app.portal.read(move |portal| users::user(portal, &name)).await?;
        answer["maxTokenExpirationMinutes"] = json!(crate::sign_in::LONGEST_MINUTES);
        answer["user"] = user.map_or(Value::Null, |user| user_object(&user));
    }
    json(answer)
}

pub(crate) async fn servers(call: RequestContext, id: Option<Path<String>>) -> Reply {
    call.caller(Component::Portal).await?;
    let id = id.map_or_else(|| "self".to_owned(), |Path(id)| id);
    call.app.portal.read(move |portal| this_portal(portal, &id)).await?;
    let host = call.app.origin.rsplit('/').next().unwrap_or_default();
    let servers = call.app.servers.iter().enumerate().map(|(number, name)| {
        let is_hosting = number == 0;
        json!({
            "id": server_id(number),
            "name": host,
            "url": call.app.url_of(name),
            "adminUrl": call.app.url_of(name),
            "isHosted": is_hosting,
            "serverKey": null,
            "serverType": "ArcGIS",
            "serverRole": if is_hosting { "HOSTING_SERVER" } else { "FEDERATED_SERVER" },
            "serverFunction": "",
        })
    });
    json(json!({ "servers": servers.collect::<Vec<_>>() }))
}

/// Returns the identifier of a federated server, 0 for the first.
pub(super) fn server_id(number: usize) -> String {
    format!("aB3dE5gH7jK9mN{}p", number + 1)
}

pub(crate) async fn community_self(call: RequestContext) -> Reply {
    let caller = call.caller(Component::Portal).await?;
    user_named(&call, caller.username).await
}

pub(crate) async fn user(call: RequestContext, Path(username): Path<String>) -> Reply {
    let caller = call.caller(Component::Portal).await?;
    if username != caller.username && !caller.may(Capability::Administrator) {
        return Err(ApiError::not_allowed("the default administrator role"));
    }
    user_named(&call, username).await
}

pub(crate) async fn portal_admin(call: RequestContext) -> Reply {
    call.caller_with(Component::Portal, Capability::Administrator).await?;
    json(json!({
        "isPostUpgrade": false,
        "isLicensePopulated": true,
        "isPortalLicensed": true,
        "isLicenseFileRequired": true,
        "isUserTypeLicensing": true,
        "siteKey": "",
        "resources": ["exportSite"],
        "version": call.app.release.to_string(),
        "currentbuild": call.app.release.full(),
    }))
}

/// Returns the portal if `id` is `self` or its ID: this site has one portal.
pub(crate) fn this_portal(connection: &rusqlite::Connection, id: &str) -> Result<Portal, ApiError> {
    let portal = users::portal(connection)?;
    if id == "self" || id == portal.id {
        Ok(portal)
    } else {
        Err(ApiError::not_found(format!("The portal {id}")))
    }
}

async fn user_named(call: &RequestContext, username: String) -> Reply {
    let name = username.clone();
    let user = call.app.portal.read(move |portal| users::user(portal, &name)).await?;
    json(user_object(&user.ok_or_else(|| ApiError::not_found(format!("The user {username}")))?))
}

fn user_object(user: &User) -> Value {
    let role = Role::from_name(&user.role);
    json!({
        "username": user.username,
        "fullName": user.full_name,
        "email": user.email,
        "role": role.sharing_name(),
        "privileges": role.privileges(),
        "created": user.created,
    })
}
