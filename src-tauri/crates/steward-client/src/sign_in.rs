//! Sign-in with password or token, and description of portal and server.
//!
//! [`generate_token`] and [`sign_in_with_token`] sign in; [`exchange_for_server`] obtains a server token from a portal;
//! [`describe_portal`] and [`describe_server`] return versions and privileges.

use serde::Deserialize;
use steward_vault::Secret;
use url::Url;

use crate::decode::Limits;
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::request::{MINUTE, Request, ResponseTimeout};
use crate::token_retry::TokenRetry;
use crate::version::Version;
use crate::wire::{list_of_texts, text, token, used, whole, yes_or_no};

/// Requested token lifetime, in minutes. A site shortens it to its maximum, so only the returned expiry counts.
const MINUTES: &str = "600";

/// Token issued by a site.
#[derive(Debug)]
pub struct IssuedToken {
    /// Token value.
    pub token: Secret<String>,
    /// Expiry, in milliseconds since 1970. `None` if the site did not return it.
    pub expires_at: Option<i64>,
}

/// Description of a portal and of the signed-in user.
#[derive(Debug)]
pub struct PortalFacts {
    /// ID of the organization, the `<portal_id>` in collaboration URLs.
    pub id: String,
    /// Version. `None` if the portal does not return it to this user.
    pub version: Option<Version>,
    /// User name of the signed-in user.
    pub username: String,
    /// Role of the signed-in user, for example `org_admin`.
    pub role: String,
    /// Privileges of the role, for example `portal:admin:manageServers`. Empty if the portal does not return them.
    pub privileges: Vec<String>,
    /// Whether the organization is hosted by the vendor.
    pub is_online: bool,
    /// Whether the portal is in read-only mode.
    pub is_read_only: bool,
}

/// Description of a server and of the signed-in user.
#[derive(Debug)]
pub struct ServerFacts {
    /// Version. `None` if the server does not return it.
    pub version: Option<Version>,
    /// User name of the signed-in user. Empty if the server does not return it.
    pub username: String,
    /// Privilege of the signed-in user, for example `ADMINISTER` or `PUBLISH`. Empty if the server does not return it.
    pub privilege: String,
}

#[derive(Deserialize)]
struct TokenReply {
    #[serde(default, deserialize_with = "token")]
    token: String,
    #[serde(default, deserialize_with = "whole")]
    expires: Option<i64>,
}

/// Requests a token for user name and password from `generateToken` of a portal or server.
///
/// `path` contains the path segments of the resource, relative to the endpoint.
///
/// # Errors
/// - [`ClientError::Rejected`] if the site rejects the credentials.
/// - [`ClientError::Unreadable`] if the response contains no token.
/// - A connection error of [`ClientError`].
pub async fn generate_token(
    endpoint: &Endpoint,
    path: &[&str],
    username: &str,
    password: &Secret<String>,
) -> Result<IssuedToken, ClientError> {
    let request = Request::repeatable(path.iter().copied(), ResponseTimeout::Minute)
        .field("username", sign_in_name(username))
        .secret("password", password.clone())
        .field("client", "referer")
        .field("referer", endpoint.referer().as_str())
        .field("expiration", MINUTES);
    issued(endpoint.send(&request, "a token").await?)
}

/// Returns the name of an account as sites take it: they return `CORP::gisadmin`, and take `CORP\gisadmin`.
fn sign_in_name(username: &str) -> String {
    match username.split_once("::") {
        Some((domain, account)) if !domain.is_empty() && !account.is_empty() => {
            format!("{domain}\\{account}")
        }
        _ => username.to_owned(),
    }
}

/// Exchanges the token of `portal` for a token of a federated server.
///
/// Always uses the token service of `portal`: the one that a server names can have a host that is not reachable from
/// here, and is the same service.
///
/// # Errors
/// - [`ClientError::Rejected`] if the portal rejects the exchange, or the user signed out before it ended.
/// - [`ClientError::Unreadable`] if the response contains no token.
/// - A connection or session error of [`ClientError`].
pub async fn exchange_for_server(portal: &Endpoint, server: &Url) -> Result<IssuedToken, ClientError> {
    let request = Request::repeatable(["sharing", "rest", "generateToken"], ResponseTimeout::Minute)
        .field("serverUrl", server.as_str().trim_end_matches('/'))
        .field("client", "referer")
        .field("referer", portal.referer().as_str())
        .field("expiration", MINUTES);
    let is_ended = || portal.session().is_some_and(|session| session.is_ended());
    if is_ended() {
        return Err(ClientError::signed_out());
    }
    let token = issued(portal.send(&request, "a token for a server").await?)?;
    if is_ended() { Err(ClientError::signed_out()) } else { Ok(token) }
}

/// Signs in with an existing token and returns the description of the portal. The expiry of such a token is unknown.
///
/// # Errors
/// - [`ClientError::Rejected`] if the portal rejects the token or treats it as anonymous (code 499).
/// - [`ClientError::Unreadable`] if the response is not a portal description.
/// - A connection error of [`ClientError`].
pub async fn sign_in_with_token(
    portal: &Endpoint,
    token: &Secret<String>,
) -> Result<(IssuedToken, PortalFacts), ClientError> {
    let facts = describe_portal(&portal.clone().with_token(token.clone())).await?;
    Ok((IssuedToken { token: token.clone(), expires_at: None }, facts))
}

fn issued(reply: TokenReply) -> Result<IssuedToken, ClientError> {
    if reply.token.is_empty() {
        return Err(ClientError::unreadable("a token", "a response without a token"));
    }
    Ok(IssuedToken { token: Secret::new(reply.token), expires_at: reply.expires })
}

/// Returns the portal that a server names as its owner. `None` if it names none.
///
/// Do not send credentials based on this value: any server can name any portal. Use the portal's list,
/// [`listed_servers`](crate::discovery::listed_servers).
///
/// # Errors
/// - [`ClientError::Rejected`] if the server rejects the request.
/// - [`ClientError::Unreadable`] if the response is not the description of a server.
/// - A connection or session error of [`ClientError`].
pub async fn federated_with(server: &Endpoint) -> Result<Option<Url>, ClientError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Info {
        #[serde(default, deserialize_with = "text")]
        current_version: String,
        #[serde(default, deserialize_with = "text")]
        full_version: String,
        #[serde(default, deserialize_with = "used")]
        owning_system_url: String,
    }
    let expected = "the description of a server";
    let info: Info = server.get(&["rest", "info"], &[], expected).await?;
    if [&info.current_version, &info.full_version, &info.owning_system_url].iter().all(|text| text.is_empty())
    {
        return Err(ClientError::unreadable(expected, "a response without a version"));
    }
    Ok(Url::parse(&info.owning_system_url).ok())
}

/// Returns the description of the portal and of the signed-in user.
///
/// # Errors
/// - [`ClientError::Rejected`] if the portal rejects the token or treats it as anonymous (code 499).
/// - [`ClientError::Unreadable`] if the response is not a portal description.
/// - A connection or session error of [`ClientError`].
pub async fn describe_portal(portal: &Endpoint) -> Result<PortalFacts, ClientError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct PortalSelf {
        #[serde(default, deserialize_with = "used")]
        id: String,
        #[serde(default, deserialize_with = "text")]
        enterprise_version: String,
        #[serde(default, deserialize_with = "text")]
        current_version: String,
        #[serde(default, deserialize_with = "yes_or_no")]
        is_portal: Option<bool>,
        #[serde(default, deserialize_with = "yes_or_no")]
        is_read_only: Option<bool>,
        user: Option<User>,
    }
    #[derive(Deserialize)]
    struct User {
        #[serde(default, deserialize_with = "text")]
        username: String,
        #[serde(default, deserialize_with = "text")]
        role: String,
        #[serde(default, deserialize_with = "list_of_texts")]
        privileges: Vec<String>,
    }

    let path = ["sharing", "rest", "portals", "self"];
    let mut attempt = TokenRetry::repeatable(portal).await;
    let (itself, user) = loop {
        let itself = attempt
            .endpoint()
            .get_once(&path, &[], "the description of the portal", Limits::small(Some(MINUTE)))
            .await;
        // Portals also return this resource to anonymous users, without `user`. A request with an expired token counts
        // as anonymous.
        let known = itself.and_then(|mut itself: PortalSelf| match itself.user.take() {
            Some(user) => Ok((itself, user)),
            None => Err(ClientError::Rejected {
                code: 499,
                message: "the portal does not know who is asking".to_owned(),
                details: Vec::new(),
            }),
        });
        if let Some(known) = attempt.settled(known).await {
            break known?;
        }
    };
    let is_online = itself.is_portal == Some(false);
    let version = match Version::release([itself.enterprise_version.as_str()]) {
        Some(version) => Some(version),
        None if is_online => Version::parse(&itself.current_version),
        // `currentVersion` is the version of the hosted service, for example 8.2, and would be mistaken for an old
        // release.
        None => portaladmin_version(portal).await,
    };
    Ok(PortalFacts {
        id: itself.id,
        version,
        username: user.username,
        role: user.role,
        privileges: user.privileges,
        is_online,
        is_read_only: itself.is_read_only == Some(true),
    })
}

/// Reads the version from the portal administration. Portals before 11.3 return it only there, to administrators.
async fn portaladmin_version(portal: &Endpoint) -> Option<Version> {
    #[derive(Deserialize)]
    struct Root {
        #[serde(default, deserialize_with = "text")]
        version: String,
    }
    let root: Root = portal.get(&["portaladmin"], &[], "the portal's administration").await.ok()?;
    Version::parse(&root.version)
}

/// Returns the description of a server. Also shows whether the server accepts the token.
///
/// # Errors
/// - [`ClientError::Rejected`] if the server rejects the token.
/// - [`ClientError::Unreadable`] if the response is not JSON.
/// - A connection or session error of [`ClientError`].
pub async fn describe_server(server: &Endpoint) -> Result<ServerFacts, ClientError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Root {
        #[serde(default, deserialize_with = "list_of_texts")]
        full_version: Vec<String>,
        #[serde(default, deserialize_with = "list_of_texts")]
        current_version: Vec<String>,
    }
    let root: Root = server.get(&["admin"], &[], "the server's administration").await?;
    // The number `currentVersion` does not distinguish 10.8.1 from 10.81; `fullVersion` does.
    let versions = root.full_version.iter().chain(&root.current_version);
    let version = Version::release(versions.map(String::as_str));
    let who = who_on_server(server).await;
    Ok(ServerFacts { version, username: who.username, privilege: who.privilege })
}

#[derive(Default, Deserialize)]
struct WhoOnServer {
    #[serde(default, rename = "loggedInUser", alias = "logginInUser", deserialize_with = "text")]
    username: String,
    #[serde(default, rename = "loggedInUserPrivilege", deserialize_with = "text")]
    privilege: String,
}

/// Reads the signed-in user of a server. Failures are ignored: some server types lack this resource, and the token was
/// already accepted.
async fn who_on_server(server: &Endpoint) -> WhoOnServer {
    server.get(&["admin", "info"], &[], "who is signed in to the server").await.unwrap_or_default()
}
