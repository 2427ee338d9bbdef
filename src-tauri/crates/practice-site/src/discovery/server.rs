//! The server's own resources.

use super::{FULL_VERSION, VERSION};
use crate::sign_in::{Area, Capability};
use crate::wire::{Call, Reply, json};
use serde_json::json;

/// `/server/rest/info`, which tells strangers where to sign in: the server is federated with the portal.
pub(crate) async fn rest_info(call: Call) -> Reply {
    json(json!({
        "currentVersion": VERSION,
        "fullVersion": FULL_VERSION,
        "soapUrl": format!("{}/services", call.app.server_url()),
        "owningSystemUrl": call.app.portal_url(),
        "authInfo": {
            "isTokenBasedSecurity": true,
            "tokenServicesUrl": super::portal::token_service(&call),
            "shortLivedTokenValidity": 60,
        },
    }))
}

pub(crate) async fn admin(call: Call) -> Reply {
    call.caller_with(Area::Server, Capability::LookAroundServer).await?;
    json(json!({
        "resources": ["services", "data", "uploads", "logs", "info"],
        "currentVersion": VERSION,
        "fullVersion": FULL_VERSION,
    }))
}

/// Clients look for this before they show anything of a server. What happened stands in the site's own log.
pub(crate) async fn logs(call: Call) -> Reply {
    call.caller_with(Area::Server, Capability::Administrator).await?;
    json(json!({ "resources": [], "operations": [] }))
}

pub(crate) async fn admin_info(call: Call) -> Reply {
    let caller = call.caller_with(Area::Server, Capability::LookAroundServer).await?;
    let privilege = if caller.may(Capability::Administrator) { "ADMINISTER" } else { "PUBLISH" };
    json(json!({
        "currentversion": VERSION,
        "fullVersion": FULL_VERSION,
        "currentbuild": FULL_VERSION,
        "loggedInUser": caller.username,
        "loggedInUserPrivilege": privilege,
    }))
}
