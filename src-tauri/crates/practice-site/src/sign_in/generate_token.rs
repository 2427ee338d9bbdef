//! `generateToken` of portal and server. The specification does not define sign-in; both responses follow real sites:
//! `expires` is a number on the portal and a text on the server.

use super::binding::Binding;
use super::caller::Component;
use super::issued_token::{Lifetime, Token, issue};
use super::password_check::check;
use crate::fault_injection::InjectedFault;
use crate::wire::{ApiError, Reply, RequestContext, json};
use serde_json::json;

/// Web app URL of a token with the simulated fault.
const OTHER_APP: &str = "https://maps.example.org/app";

/// Handles `POST /portal/sharing/rest/generateToken`: with user name and password, or in exchange for a portal token.
pub(crate) async fn portal_token(call: RequestContext) -> Reply {
    // Clients use both spellings.
    let server = call.parameters.text("serverUrl").or_else(|| call.parameters.text("serverURL"));
    let token = match server {
        Some(server) => exchange(&call, server).await?,
        None => for_password(&call, Component::Portal).await?,
    };
    json(
        json!({ "token": token.text, "expires": token.expires, "ssl": call.app.origin.starts_with("https:") }),
    )
}

/// Handles `POST /server/admin/generateToken`, for portal users and the primary site administrator.
pub(crate) async fn server_token(call: RequestContext) -> Reply {
    let token = for_password(&call, Component::Server).await?;
    json(json!({ "token": token.text, "expires": token.expires.to_string() }))
}

/// Handles `POST /server/tokens/generateToken`, the token service of the server, with the response format of the
/// portal.
pub(crate) async fn token_service(call: RequestContext) -> Reply {
    let token = for_password(&call, Component::Server).await?;
    json(json!({ "token": token.text, "expires": token.expires }))
}

async fn for_password(call: &RequestContext, component: Component) -> Result<Token, ApiError> {
    let mut binding = Binding::requested(call)?;
    if call.fault == Some(InjectedFault::BoundToken) {
        binding.referer = Some(OTHER_APP.to_owned());
    }
    let username = sign_in(call, component == Component::Server).await?;
    issue(&call.app, username, component, requested_lifetime(call), binding).await
}

/// Exchanges a portal token for a server token of the same owner, with at most the same lifetime and at least the same
/// restrictions.
async fn exchange(call: &RequestContext, server: &str) -> Result<Token, ApiError> {
    let caller = call.caller(Component::Portal).await?;
    if !is_own_server(call, server) {
        return Err(ApiError::token_not_generated("The server is not federated with this portal."));
    }
    let binding = Binding::requested(call)?.or(&caller.session);
    let life = Lifetime { not_after: Some(caller.session.expires), ..requested_lifetime(call) };
    issue(&call.app, caller.username, Component::Server, life, binding).await
}

fn requested_lifetime(call: &RequestContext) -> Lifetime {
    Lifetime { minutes: call.parameters.number("expiration"), not_after: None }
}

async fn sign_in(call: &RequestContext, allow_primary: bool) -> Result<String, ApiError> {
    let given = |name: &str| {
        call.parameters
            .text(name)
            .map(str::to_owned)
            .ok_or_else(|| ApiError::token_not_generated(&format!("'{name}' must be specified.")))
    };
    let username = given("username")?;
    let password = given("password")?;
    if check(&call.app, username.clone(), password, allow_primary).await? {
        Ok(username)
    } else {
        Err(ApiError::token_not_generated("Invalid username or password."))
    }
}

/// Returns whether `server` is the URL of a server of this site under one of its host names.
fn is_own_server(call: &RequestContext, server: &str) -> bool {
    let (Ok(named), Ok(own)) = (url::Url::parse(server), url::Url::parse(&call.app.origin)) else {
        return false;
    };
    named.port_or_known_default() == own.port_or_known_default()
        && matches!(named.host_str(), Some("127.0.0.1" | "localhost" | "[::1]"))
        && named.path_segments().is_some_and(|mut path| {
            path.next().is_some_and(|first| call.app.servers.iter().any(|server| server == first))
        })
}
