//! Resources of the server and its administration.

use crate::sign_in::{Capability, Component};
use crate::wire::{Reply, RequestContext, json};
use serde_json::json;

/// Returns `/server/rest/info`, which is public and contains the token service. The server is federated with the
/// portal.
pub(crate) async fn rest_info(call: RequestContext) -> Reply {
    json(json!({
        "currentVersion": call.app.release.number(),
        "fullVersion": call.app.release.full(),
        "soapUrl": format!("{}/services", call.app.server_url()),
        "owningSystemUrl": call.app.portal_url(),
        "authInfo": {
            "isTokenBasedSecurity": true,
            "tokenServicesUrl": super::portal::token_service(&call),
            "shortLivedTokenValidity": 60,
        },
    }))
}

pub(crate) async fn admin(call: RequestContext) -> Reply {
    call.caller_with(Component::Server, Capability::LookAroundServer).await?;
    json(json!({
        "resources": ["services", "data", "uploads", "logs", "info"],
        "currentVersion": call.app.release.number(),
        "fullVersion": call.app.release.full(),
    }))
}

/// Returns an empty logs resource, which clients request before they show a server. Events are written to the site's
/// own log.
pub(crate) async fn logs(call: RequestContext) -> Reply {
    call.caller_with(Component::Server, Capability::Administrator).await?;
    json(json!({ "resources": [], "operations": [] }))
}

pub(crate) async fn admin_info(call: RequestContext) -> Reply {
    let caller = call.caller_with(Component::Server, Capability::LookAroundServer).await?;
    let privilege = if caller.may(Capability::Administrator) { "ADMINISTER" } else { "PUBLISH" };
    json(json!({
        "currentversion": call.app.release.number(),
        "fullVersion": call.app.release.full(),
        "currentbuild": call.app.release.full(),
        "timezone": {
            "displayname": "(UTC) Coordinated Universal Time",
            "windowsid": "UTC",
            "olsonid": "Etc/UTC",
            "daylightsavings": false,
        },
        "loggedInUser": caller.username,
        "loggedInUserPrivilege": privilege,
    }))
}
