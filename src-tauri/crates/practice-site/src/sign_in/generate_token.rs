//! `generateToken` of the portal and of the server. The specification leaves sign-in open; both answers follow
//! the field: `expires` is a number on the portal and a text on the server.

use super::caller::{Area, issue};
use super::password;
use crate::store::people;
use crate::wire::{Call, Refusal, Reply, json};
use serde_json::json;

/// `POST /portal/sharing/rest/generateToken`: for a name and password, or in exchange for a portal token.
pub(crate) async fn portal_token(call: Call) -> Reply {
    let minutes = call.parameters.number("expiration");
    // Two spellings of the same parameter are in use.
    let server = call.parameters.text("serverUrl").or_else(|| call.parameters.text("serverURL"));
    let token = if let Some(server) = server {
        let caller = call.caller(Area::Portal).await?;
        if !names_our_server(&call, server) {
            return Err(unable("The server is not federated with this portal."));
        }
        issue(&call.app, caller.username, Area::Server, minutes).await?
    } else {
        let username = sign_in(&call, false).await?;
        issue(&call.app, username, Area::Portal, minutes).await?
    };
    json(
        json!({ "token": token.text, "expires": token.expires, "ssl": call.app.origin.starts_with("https:") }),
    )
}

/// `POST /server/admin/generateToken`: for portal users and for the primary administrator.
pub(crate) async fn server_token(call: Call) -> Reply {
    let username = sign_in(&call, true).await?;
    let token = issue(&call.app, username, Area::Server, call.parameters.number("expiration")).await?;
    json(json!({ "token": token.text, "expires": token.expires.to_string() }))
}

async fn sign_in(call: &Call, primary_too: bool) -> Result<String, Refusal> {
    let given = |name: &str| {
        call.parameters
            .text(name)
            .map(str::to_owned)
            .ok_or_else(|| unable(&format!("'{name}' must be specified.")))
    };
    let username = given("username")?;
    let password = given("password")?;

    let name = username.clone();
    let mut hash = call.app.portal.read(move |portal| people::password_hash(portal, &name)).await?;
    if hash.is_none() && primary_too {
        let name = username.clone();
        hash = call.app.server.read(move |server| people::primary_password_hash(server, &name)).await?;
    }
    let right = crate::app::off_thread(move || Ok(password::is_right(&password, hash.as_deref()))).await?;
    if right { Ok(username) } else { Err(unable("Invalid username or password.")) }
}

fn unable(why: &str) -> Refusal {
    Refusal::bad_request("Unable to generate token.").with_detail(why)
}

/// Clients name the server by whichever of our host names they use.
fn names_our_server(call: &Call, server: &str) -> bool {
    let (Ok(named), Ok(own)) = (url::Url::parse(server), url::Url::parse(&call.app.origin)) else {
        return false;
    };
    named.port_or_known_default() == own.port_or_known_default()
        && matches!(named.host_str(), Some("127.0.0.1" | "localhost" | "[::1]"))
        && (named.path() == "/server" || named.path().starts_with("/server/"))
}
