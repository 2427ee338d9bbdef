//! The sharing API's and portal administration's own resources.

use super::{FULL_VERSION, VERSION};
use crate::sign_in::{Area, Capability, Role};
use crate::store::people::{self, Portal, User};
use crate::wire::{Call, Refusal, Reply, json};
use axum::extract::Path;
use serde_json::{Value, json};

pub(crate) async fn root(_call: Call) -> Reply {
    json(
        json!({ "currentVersion": VERSION.to_string(), "fullVersion": FULL_VERSION, "enterpriseVersion": FULL_VERSION }),
    )
}

pub(crate) async fn info(call: Call) -> Reply {
    json(json!({
        "owningSystemUrl": call.app.portal_url(),
        "authInfo": {
            "tokenServicesUrl": token_service(&call),
            "isTokenBasedSecurity": true,
        },
    }))
}

pub(crate) fn token_service(call: &Call) -> String {
    format!("{}/sharing/rest/generateToken", call.app.portal_url())
}

/// `portals/self` and `portals/<id>`. Without a token it tells only what a sign-in page needs.
pub(crate) async fn portal(call: Call, id: Option<Path<String>>) -> Reply {
    let caller = call.caller_if_any(Area::Portal).await?;
    let id = id.map_or_else(|| "self".to_owned(), |Path(id)| id);
    let portal = call.app.portal.read(move |portal| this_portal(portal, &id)).await?;
    let mut answer = json!({
        "id": portal.id,
        "name": portal.name,
        "portalName": portal.name,
        "isPortal": true,
        "portalMode": "singletenant",
        "portalHostname": call.app.portal_url().trim_start_matches("https://").trim_start_matches("http://"),
        "currentVersion": VERSION.to_string(),
        "enterpriseVersion": FULL_VERSION,
        "supportsOAuth": true,
        "allSSL": call.app.origin.starts_with("https:"),
        "isReadOnly": false,
    });
    if let Some(caller) = caller {
        let name = caller.username.clone();
        let user = call.app.portal.read(move |portal| people::user(portal, &name)).await?;
        answer["maxTokenExpirationMinutes"] = json!(crate::sign_in::LONGEST_MINUTES);
        answer["user"] = user.map_or(Value::Null, |user| user_object(&user));
    }
    json(answer)
}

pub(crate) async fn servers(call: Call, id: Option<Path<String>>) -> Reply {
    call.caller(Area::Portal).await?;
    let id = id.map_or_else(|| "self".to_owned(), |Path(id)| id);
    call.app.portal.read(move |portal| this_portal(portal, &id)).await?;
    let host = call.app.origin.rsplit('/').next().unwrap_or_default();
    json(json!({
        "servers": [{
            "id": "aB3dE5gH7jK9mN1p",
            "name": host,
            "url": call.app.server_url(),
            "adminUrl": call.app.server_url(),
            "isHosted": true,
            "serverKey": null,
            "serverType": "ArcGIS",
            "serverRole": "HOSTING_SERVER",
            "serverFunction": "",
        }],
    }))
}

pub(crate) async fn community_self(call: Call) -> Reply {
    let caller = call.caller(Area::Portal).await?;
    user_named(&call, caller.username).await
}

pub(crate) async fn user(call: Call, Path(username): Path<String>) -> Reply {
    let caller = call.caller(Area::Portal).await?;
    if username != caller.username && !caller.may(Capability::Administrator) {
        return Err(Refusal::not_allowed("the default administrator role"));
    }
    user_named(&call, username).await
}

pub(crate) async fn portal_admin(call: Call) -> Reply {
    call.caller_with(Area::Portal, Capability::Administrator).await?;
    json(json!({
        "isPostUpgrade": false,
        "isLicensePopulated": true,
        "isPortalLicensed": true,
        "isLicenseFileRequired": true,
        "isUserTypeLicensing": true,
        "siteKey": "",
        "resources": ["exportSite"],
        "version": VERSION.to_string(),
        "currentbuild": FULL_VERSION,
    }))
}

/// The portal, when `id` names it: this site has one.
pub(crate) fn this_portal(connection: &rusqlite::Connection, id: &str) -> Result<Portal, Refusal> {
    let portal = people::portal(connection)?;
    if id == "self" || id == portal.id {
        Ok(portal)
    } else {
        Err(Refusal::not_found(format!("The portal {id}")))
    }
}

async fn user_named(call: &Call, username: String) -> Reply {
    let name = username.clone();
    let user = call.app.portal.read(move |portal| people::user(portal, &name)).await?;
    json(user_object(&user.ok_or_else(|| Refusal::not_found(format!("The user {username}")))?))
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
