//! `generateToken` of the portal and of the server. The specification leaves sign-in open; both answers follow
//! the field: `expires` is a number on the portal and a text on the server.

use super::binding::Binding;
use super::caller::{Area, Life, Token, issue};
use super::check::check;
use crate::wire::{Call, Refusal, Reply, json};
use serde_json::json;

/// `POST /portal/sharing/rest/generateToken`: for a name and password, or in exchange for a portal token.
pub(crate) async fn portal_token(call: Call) -> Reply {
    // Two spellings of the same parameter are in use.
    let server = call.parameters.text("serverUrl").or_else(|| call.parameters.text("serverURL"));
    let token = match server {
        Some(server) => exchange(&call, server).await?,
        None => for_password(&call, Area::Portal).await?,
    };
    json(
        json!({ "token": token.text, "expires": token.expires, "ssl": call.app.origin.starts_with("https:") }),
    )
}

/// `POST /server/admin/generateToken`: for portal users and for the primary administrator.
pub(crate) async fn server_token(call: Call) -> Reply {
    let token = for_password(&call, Area::Server).await?;
    json(json!({ "token": token.text, "expires": token.expires.to_string() }))
}

/// `POST /server/tokens/generateToken`, the server's token service: the same, in the portal's form.
pub(crate) async fn token_service(call: Call) -> Reply {
    let token = for_password(&call, Area::Server).await?;
    json(json!({ "token": token.text, "expires": token.expires }))
}

async fn for_password(call: &Call, area: Area) -> Result<Token, Refusal> {
    let binding = Binding::asked_for(call)?;
    let username = sign_in(call, area == Area::Server).await?;
    issue(&call.app, username, area, wished(call), binding).await
}

/// A server token is no more than the portal token it is made from: the same owner, not longer, not looser.
async fn exchange(call: &Call, server: &str) -> Result<Token, Refusal> {
    let caller = call.caller(Area::Portal).await?;
    if !names_our_server(call, server) {
        return Err(unable("The server is not federated with this portal."));
    }
    let binding = Binding::asked_for(call)?.or(&caller.session);
    let life = Life { not_after: Some(caller.session.expires), ..wished(call) };
    issue(&call.app, caller.username, Area::Server, life, binding).await
}

fn wished(call: &Call) -> Life {
    Life { minutes: call.parameters.number("expiration"), not_after: None }
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
    if check(&call.app, username.clone(), password, primary_too).await? {
        Ok(username)
    } else {
        Err(unable("Invalid username or password."))
    }
}

pub(super) fn unable(why: &str) -> Refusal {
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
